//! Properties of all templates, URIs and values.

use proptest::prelude::*;

use crate::template::steps::counted;
use crate::{Match, Template, TemplateError, Value, Values, VariableKind, encode_segment};

/// Text similar enough to a template to be one often.
fn template_like() -> impl Strategy<Value = String> {
    let segment = prop_oneof![
        3 => "[a-c.%w]{0,3}",
        3 => "\\{[a-c]\\}",
        1 => "[a-c]?\\{[a-c]\\}[.-]{1,2}\\{[d-e]\\}[.]?",
        1 => "\\{\\+[f-g]\\}",
        1 => "\\{[.;#&/+?]?[a-c]{1,2}[*:]?[0-9]?(,[a-c])?\\}?",
    ];
    let multi = prop_oneof![3 => Just(String::new()), 1 => Just("{/h*}".to_owned()), 1 => Just("{/h*}/z".to_owned())];
    let query = prop_oneof![3 => Just(String::new()), 1 => "\\{\\?[i-k](,[l-m])?\\}", 1 => "\\?x=\\{n\\}"];
    let start = prop_oneof![4 => Just("demo:/"), 1 => Just("demo:"), 1 => Just("https:/"), 1 => Just("De_mo:/")];
    (start, prop::collection::vec(segment, 1..4), multi, query)
        .prop_map(|(start, segments, multi, query)| format!("{start}/{}{multi}{query}", segments.join("/")))
}

/// A valid template.
fn template() -> impl Strategy<Value = Template> {
    template_like().prop_filter_map("no template", |text| Template::parse(&text).ok())
}

fn value_text() -> impl Strategy<Value = String> {
    prop_oneof![3 => "[a-c0-9.%-]{1,3}", 1 => any::<String>(), 1 => "[a-z./\\\\ é\u{0}]{0,3}"]
}

fn values_for(template: &Template) -> impl Strategy<Value = Values> + use<> {
    let variables = template.variables().to_vec();
    prop::collection::vec((value_text(), value_text(), 0..3_u8), variables.len()).prop_map(move |texts| {
        let mut values = Values::new();
        for (variable, (one, other, number)) in variables.iter().zip(texts) {
            let value = match (variable.kind(), number) {
                (VariableKind::Query, 0) => continue,
                (VariableKind::Exploded, 0) => Value::Segments(Vec::new()),
                (VariableKind::Exploded, _) => Value::Segments(vec![one, other]),
                (VariableKind::Path, 1) => Value::Text(format!("{one}/{other}")),
                _ => Value::Text(one),
            };
            values.insert(variable.name(), value);
        }
        values
    })
}

/// A URI made of the template's text with something for each expression.
fn uri_like(template: &Template) -> impl Strategy<Value = String> + use<> {
    let text = template.as_str().to_owned();
    let pieces = "[a-c0-9.-]{0,3}|(/[a-c]{0,2}){0,3}|%(41|2e|2F|C3%A9|FF)|[a-c]/[a-c]|\\?[i-m]=[a-c]?(&[i-m]=%41)?";
    prop::collection::vec(pieces, 6).prop_map(move |pieces| {
        let mut pieces = pieces.into_iter().cycle();
        let mut uri = String::new();
        for (place, part) in text.split(['{', '}']).enumerate() {
            if place % 2 == 0 { uri.push_str(part) } else { uri.push_str(&pieces.next().unwrap_or_default()) }
        }
        uri
    })
}

/// Whether the suggested template, if the error has one, is a template: it may have no variable, and a URI without
/// the segments of `{/v*}` has problems of its own.
fn suggestion_is_accepted(error: &TemplateError) -> bool {
    let message = error.to_string();
    let Some((_, suggestion)) = message.split_once(": write `demo:").filter(|_| message.ends_with('`')) else {
        return true;
    };
    match Template::parse(&format!("demo:{}", suggestion.trim_end_matches('`'))) {
        Ok(_) | Err(TemplateError::NoVariable) => true,
        Err(again) => again.to_string().starts_with("with no segment"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn l1_2_every_error_has_a_remedy(text in prop_oneof![any::<String>(), template_like(), "[ -~]{0,24}", "demo://[{}a/?+*,]{0,9}"]) {
        match Template::parse(&text) {
            Ok(template) => {
                prop_assert_eq!(template.as_str(), &text);
                prop_assert!(template.same_shape(&template) && template.covers(&template));
            }
            Err(error) => {
                let message = error.to_string();
                prop_assert!(message.contains(": "), "no remedy: {message}");
                prop_assert!(!message.contains(char::is_control), "raw control character: {message:?}");
                prop_assert!(suggestion_is_accepted(&error), "{message} for {text}");
            }
        }
    }

    #[test]
    fn l1_4_no_text_panics(template in template(), uri in any::<String>()) {
        let _ = template.matches(&uri);
        let _ = template.matches(&format!("{}{uri}", template.as_str().split('{').next().unwrap_or_default()));
    }

    #[test]
    fn l1_8_no_value_that_is_given_leaves_its_segment(
        (template, uri) in template().prop_flat_map(|template| (Just(template.clone()), uri_like(&template)))
    ) {
        if let Match::Values(values) = template.matches(&uri) {
            for variable in template.variables() {
                match values.get(variable.name()) {
                    Some(Value::Text(text)) => prop_assert_eq!(variable.check(text), Ok(())),
                    Some(Value::Segments(segments)) => {
                        let is_safe = |text: &String| !text.contains('/') && variable.check(text).is_ok();
                        prop_assert!(segments.iter().all(is_safe), "{:?}", segments);
                    }
                    None => prop_assert_eq!(variable.kind(), VariableKind::Query),
                }
            }
        }
    }

    #[test]
    fn l1_11_the_bytes_looked_at_are_bounded(
        (template, uri) in template().prop_flat_map(|template| (Just(template.clone()), uri_like(&template)))
    ) {
        let (_, bytes) = counted(|| template.matches(&uri));
        prop_assert!(bytes <= 10 * uri.len(), "{bytes} for {uri}");
    }

    #[test]
    fn l1_18_matching_gives_back_what_was_expanded(
        (template, values) in template().prop_flat_map(|template| (Just(template.clone()), values_for(&template)))
    ) {
        if let Ok(uri) = template.expand(&values) {
            prop_assert_eq!(template.matches(&uri), Match::Values(values));
            prop_assert_eq!(crate::check_absolute(&uri), Ok(()));
        }
    }

    #[test]
    fn l1_18_expanding_what_matched_names_the_same_resource(
        (template, uri) in template().prop_flat_map(|template| (Just(template.clone()), uri_like(&template)))
    ) {
        if let Match::Values(values) = template.matches(&uri) {
            // An error only if the literal after a variable is escaped in its value.
            match template.expand(&values) {
                Ok(again) => prop_assert_eq!(template.matches(&again), Match::Values(values)),
                Err(error) => prop_assert!(uri.contains('%'), "{error} for {uri}"),
            }
        }
    }

    #[test]
    fn l1_3_a_covered_template_is_never_reached(
        (one, other, uri) in (template(), template()).prop_flat_map(|(one, other)| (Just(one), Just(other.clone()), uri_like(&other)))
    ) {
        let is_reached = one.matches(&uri) == Match::No && matches!(other.matches(&uri), Match::Values(_));
        prop_assert!(!(is_reached && (one.covers(&other) || one.same_shape(&other))), "{one:?} {other:?}");
    }
    /// Exactly what L1.8 has for a segment is encoded, and matching gives it back.
    #[test]
    fn l1_8_an_encoded_segment_is_matched_and_decoded_to_its_text(text in prop_oneof![value_text(), "\\PC{0,8}"]) {
        let template = Template::parse("demo://h/{v}").expect("a template");
        if let Ok(segment) = encode_segment(&text) {
            prop_assert!(segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte)));
            let found = template.matches(&format!("demo://h/{segment}"));
            prop_assert_eq!(found, Match::Values(Values::new().with("v", text.as_str())));
        } else {
            let escapes: Vec<_> = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let found = template.matches(&format!("demo://h/{}", escapes.concat()));
            prop_assert!(!matches!(found, Match::Values(_)), "{text:?} could be carried");
        }
    }
}
