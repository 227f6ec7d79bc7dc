//! URI templates: no panic, one-line error texts, safe values, expansion and matching as inverses, and no URI that only a
//! covered template matches.

use grange_uri::{Candidate, Match, Template, Value, Values, VariableKind, check_absolute};

/// Reads the first two lines as templates and the others as URIs, and as values.
pub fn template(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (written, lines): (Vec<_>, Vec<_>) = text.split('\n').enumerate().partition(|(place, _)| *place < 2);
    let templates: Vec<Template> = written.iter().filter_map(|(_, written)| parse(written)).collect();
    for (_, line) in lines {
        for template in &templates {
            matched(template, line);
            expanded(template, line);
        }
        if let [first, second] = &*templates {
            let is_covered = first.covers(second) || first.same_shape(second);
            let is_reached = first.matches(line) == Match::No && matches!(second.matches(line), Match::Values(_));
            assert!(!(is_covered && is_reached), "{} does not cover {}: {line}", first.as_str(), second.as_str());
        }
    }
}

fn parse(written: &str) -> Option<Template> {
    match Template::parse(written) {
        Err(error) => {
            let message = error.to_string();
            assert!(message.contains(": "), "no remedy in {message:?}");
            assert!(!message.contains(char::is_control), "a control character in {message:?}");
            None
        }
        Ok(template) => {
            assert_eq!(template.as_str(), written);
            assert!(template.covers(&template) && template.same_shape(&template), "{written} does not cover itself");
            assert!(!template.variables().is_empty(), "{written} has no variable");
            Some(template)
        }
    }
}

fn matched(template: &Template, uri: &str) {
    let outcome = template.matches(uri);
    let by_candidate = Candidate::new(uri).map_or(Match::No, |candidate| template.matches_candidate(&candidate));
    assert_eq!(outcome, by_candidate);
    let Match::Values(values) = outcome else { return };
    assert!(check_absolute(uri).is_ok(), "{uri} matches {} and is no URI", template.as_str());
    for variable in template.variables() {
        match values.get(variable.name()) {
            Some(Value::Text(text)) => assert_eq!(variable.check(text), Ok(()), "{uri}"),
            Some(Value::Segments(segments)) => {
                assert!(segments.iter().all(|text| !text.contains('/') && variable.check(text).is_ok()), "{uri}");
            }
            None => assert_eq!(variable.kind(), VariableKind::Query, "{uri}"),
        }
    }
    match template.expand(&values) {
        Ok(again) => gives_back(template, &again, &values),
        // A literal that is escaped in the value before it.
        Err(error) => assert!(uri.contains('%'), "{error}: {uri}"),
    }
}

fn expanded(template: &Template, value: &str) {
    let mut values = Values::new();
    for variable in template.variables() {
        let value = match variable.kind() {
            VariableKind::Exploded => Value::Segments(value.split('/').map(str::to_owned).collect()),
            _ => Value::from(value),
        };
        values.insert(variable.name(), value);
    }
    match template.expand(&values) {
        Ok(uri) => gives_back(template, &uri, &values),
        Err(error) => assert!(error.to_string().contains(": "), "no remedy in {error}"),
    }
}

fn gives_back(template: &Template, uri: &str, values: &Values) {
    match template.matches(uri) {
        Match::Values(found) => {
            assert_eq!(&found, values, "{uri}");
            assert_eq!(template.key(&found), template.key(values));
        }
        other => panic!("{uri} is an expansion of {} and gives {other:?}", template.as_str()),
    }
}
