//! Tests from source to error texts, or to code, without a compiler.

mod complete;
#[cfg(feature = "skills")]
mod skill;
mod template;
mod tool;
mod ui;

use std::mem;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

use crate::errors::Errors;
use crate::{check, expand, parse};

fn tokens(source: &str) -> TokenStream {
    source.parse().unwrap()
}

/// The text without spaces, which have no meaning.
fn plain(source: &str) -> String {
    source.split_whitespace().collect()
}

/// The steps `{ let made = a; let made = made.b(c); made.d() }` as the chain `a.b(c).d()`.
fn chained(tokens: TokenStream) -> TokenStream {
    let mut chain = TokenStream::new();
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                let inside = chained(group.stream());
                let text = plain(&inside.to_string());
                if group.delimiter() == Delimiter::Brace && text.starts_with("letmade=") {
                    chain.extend(joined(inside));
                } else {
                    chain.extend([TokenTree::Group(Group::new(group.delimiter(), inside))]);
                }
            }
            tree => chain.extend([tree]),
        }
    }
    chain
}

/// The statements of a block, each without its `let made =` and inserted for `made` in the next one.
fn joined(block: TokenStream) -> TokenStream {
    let mut chain = TokenStream::new();
    let mut statement = Vec::new();
    for tree in block {
        if matches!(&tree, TokenTree::Punct(mark) if mark.as_char() == ';') {
            chain = put(&chain, mem::take(&mut statement).into_iter().skip(3));
        } else {
            statement.push(tree);
        }
    }
    put(&chain, statement.into_iter())
}

/// Applies a step to the chain: `made.text(a)`, or the equivalent `g::ResourceBuilder::read(made, a)`.
fn put(chain: &TokenStream, step: impl Iterator<Item = TokenTree>) -> TokenStream {
    let step: Vec<TokenTree> = step.collect();
    if let [.., method, TokenTree::Group(arguments)] = &step[..] {
        let mut inside = arguments.stream().into_iter();
        if inside.next().is_some_and(|first| first.to_string() == "made") {
            let rest: TokenStream = inside.skip(1).collect();
            return quote!(#chain.#method(#rest));
        }
    }
    let is_made = |tree: &TokenTree| matches!(tree, TokenTree::Ident(word) if word == "made");
    step.into_iter().flat_map(|tree| if is_made(&tree) { chain.clone() } else { tree.into() }).collect()
}

#[track_caller]
fn check_expansion(source: &str, expected: &str) {
    let found = chained(expand::one(tokens(&format!("g; {source}"))));
    assert_eq!(plain(&found.to_string()), plain(expected), "{source}");
}

#[test]
fn each_call_is_its_own_statement() {
    let found = expand::one(tokens("g; uri: \"a:b\", read: reader, ..a"));
    let expected = "{ let made = g::Resource::to_builder(&a); let made = made.uri(\"a:b\");
        let made = g::ResourceBuilder::read(made, reader); made.build() }";
    assert_eq!(plain(&found.to_string()), plain(expected));
}

/// Checks the errors for a resource with these entries and the required ones.
#[track_caller]
fn check(entries: &str, expected: &[&str]) {
    check_alone(&format!("{entries}, ..base"), expected);
}

/// Checks the errors for a resource with only these entries.
#[track_caller]
fn check_alone(entries: &str, expected: &[&str]) {
    let mut errors = Errors::new();
    let parsed = parse::one(tokens(&format!("g; {entries}")), &mut errors);
    check::one(parsed.body, &mut errors);
    assert_eq!(errors.into_messages(), expected, "{entries}");
}

#[test]
fn expands_to_the_builder() {
    check_expansion(
        "uri: \"a:b\", name: NAME, size: 9007199254740993, text: include_str!(\"x\")",
        "g::Resource::builder().uri(\"a:b\").name(NAME).size(9007199254740993).text(include_str!(\"x\")).build()",
    );
    check_expansion(
        "title: f(), read: |cx| async move { a, b }, ..*shared",
        "g::Resource::to_builder(&*shared).title(f()).read(|cx| async move { a, b }).build()",
    );
    check_expansion("..a", "g::Resource::to_builder(&a).build()");
}

#[test]
fn expands_the_forms() {
    check_expansion(
        "annotations: { audience: [Assistant, ROLE], priority: 1, last_modified: now() }, cache_scope: Private, ..a",
        "g::Resource::to_builder(&a)
            .annotations(g::Annotations::new().audience([g::Role::Assistant, ROLE]).priority(1.0).last_modified(now()))
            .cache_scope(g::CacheScope::Private).build()",
    );
    check_expansion(
        "icons: [{ src: \"https://a.example/\", sizes: [\"48x48\", any()], theme: Light }, mine()], ..a",
        "g::Resource::to_builder(&a)
            .icons([g::Icon::new(\"https://a.example/\").size(\"48x48\").size(any()).theme(g::Theme::Light), mine()])
            .build()",
    );
    check_expansion(
        "meta: { \"a.b/c\": [1, null], type: { x: 1 }, (KEY): f::<A, B>() }, content_meta: m(), ..a",
        "g::Resource::to_builder(&a)
            .meta(g::__private::json!({ \"a.b/c\": [1, null], \"type\": { x: 1 }, (KEY): f::<A, B>() }))
            .content_meta(m()).build()",
    );
}

#[test]
fn takes_expressions_for_every_form() {
    check_expansion(
        "annotations: { let a = b; a }, icons: [icon; 2], meta: m, cache_scope: scope, ..a",
        "g::Resource::to_builder(&a).annotations({ let a = b; a }).icons([icon; 2]).meta(m).cache_scope(scope).build()",
    );
    check("cache_scope: SCOPE, annotations: { audience: roles(), priority: -PRIORITY }, icons: icons()", &[]);
    check("cache_scope: grange::CacheScope::Public, annotations: { audience: [somebody, Role::User] }", &[]);
}

#[test]
fn the_valid_rest_is_expanded_beside_an_error() {
    let expansion = chained(expand::one(tokens("g; uri: \"a b\", tilte: mine, text: 1"))).to_string();
    assert_eq!(expansion.matches("compile_error").count(), 4, "{expansion}");
    assert!(plain(&expansion).ends_with("g::Resource::builder().title(mine).build()}"), "{expansion}");
}

#[test]
fn rejects_malformed_entries() {
    check("title \"a\"", &["expected `:` after `title`"]);
    check("title = \"a\"", &["expected `:` after `title`"]);
    check("title => \"a\"", &["expected `:` after `title`"]);
    check("title:, description: \"b\"", &["`title` has no value: write `title: …`"]);
    check("title, description: \"b\"", &["`title` has no value: write `title: …`"]);
    check("title: description: \"b\"", &["`title` has no value: write `title: …`"]);
    check("title: \"a\" description: \"b\"", &["expected `,` before `description`"]);
    check("title: \"a\"; description: \"b\"", &["expected `,`, not `;`"]);
    check("5: \"a\"", &["expected a key: write `key: value`"]);
    check("title: \"a\",, size: 1", &["expected a key: write `key: value`"]);
    check_alone("..a, title: \"b\"", &["`..` stands before other keys: move it to the end"]);
    check("..a", &["duplicate `..`: keep one"]);
    check_alone("..a,", &[]);
}

#[test]
fn rejects_keys() {
    check("tilte: 1 + 1", &["unknown key `tilte`: did you mean `title`?"]);
    check("mime: \"text/plain\"", &["unknown key `mime`: did you mean `mime_type`?"]);
    check("title: a, r#title: b", &["duplicate key `title`: keep one"]);
    check("\"title\": a", &["keys stand without quotes: write `title`"]);
    check(
        "annotations: { audiance: [User], colour: 1 }",
        &[
            "unknown key `audiance`: did you mean `audience`?",
            "unknown key `colour`: expected one of `audience`, `priority`, `last_modified`",
        ],
    );
    check(
        "annotations: { ..a }",
        &["`..` does not belong here: only a resource or a template has a base, behind its last key"],
    );
    check("text: a, bytes: b", &["two payloads, `text` and `bytes`: keep one"]);
    check("text: a, text: b", &["duplicate key `text`: keep one"]);
    check_alone(
        "",
        &[
            "`uri` is missing: add one, as in `uri: \"docs://getting-started\"`",
            "`name` is missing: add one, as in `name: \"getting-started\"`",
            "there is no payload: add one of `text`, `bytes` and `read`",
        ],
    );
}

#[test]
fn rejects_values() {
    check("uri: \"\"", &["uri is empty: write one, as in `docs://readme`"]);
    check("uri: \"demo://a b\"", &["uri `demo://a b` has a space: write `demo://a%20b`"]);
    check("uri: r\"Demo://x\"", &["uri `Demo://x` has an upper-case scheme: write `demo://x`"]);
    check(
        "uri: b\"a:b\", name: 5",
        &["uri is a string: write it as in `\"…\"`", "name is a string: write it as in `\"…\"`"],
    );
    check("name: \"\"", &["name is empty: write one, as in `getting-started`"]);
    check("mime_type: \"text\"", &["mime_type `text` has no subtype: write it as in `text/plain`"]);
    check("bytes: \"a\"", &["bytes is a byte string: write `b\"…\"`, or give text as `text`"]);
    let reader = "read is a reader: write `|cx| async move { … }`, or give fixed contents as `text` or `bytes`";
    for value in ["\"a\"", "5", "include_str!(\"a.md\")", "std::include_bytes!(\"a.png\")", "format!(\"a\")"] {
        check(&format!("read: {value}"), &[reader]);
    }
    check("size: -1", &["size cannot be negative: write the number of bytes"]);
    check("size: 1.5", &["size is a whole number: write the number of bytes, as in `1024`"]);
    check("size: 18446744073709551616", &["size does not fit 64 bits: write the number of bytes"]);
    check("size: 0xffff_ffff", &[]);
    check("ttl: 90", &["ttl is a Duration: write `Duration::from_secs(90)`"]);
    check("ttl: -1", &["ttl cannot be negative: write `Duration::from_secs(1)`"]);
    check("ttl: \"1m\"", &["ttl is a Duration: write `Duration::from_secs(60)`"]);
}

#[test]
fn rejects_annotations() {
    check("annotations: { priority: 1.5 }", &["priority `1.5` is out of range: write 0.0 to 1.0"]);
    check("annotations: { priority: -0.5 }", &["priority `-0.5` is out of range: write 0.0 to 1.0"]);
    check("annotations: { priority: 2 }", &["priority `2` is out of range: write 0.0 to 1.0"]);
    check("annotations: { priority: \"high\" }", &["priority is a number: write one from 0.0 to 1.0"]);
    check("annotations: { audience: [Asistant] }", &["unknown audience `Asistant`: did you mean `Assistant`?"]);
    check("annotations: { audience: [Model] }", &["unknown audience `Model`: expected one of `Assistant`, `User`"]);
    for (written, name) in [("assistant", "Assistant"), ("user", "User"), ("USER", "User"), ("r#user", "User")] {
        let expected = format!(
            "unknown audience `{}`: did you mean `{name}`? (a variable needs another name)",
            written.trim_start_matches("r#"),
        );
        check(&format!("annotations: {{ audience: [{written}] }}"), &[&expected]);
    }
    check(
        "cache_scope: private",
        &["unknown cache scope `private`: did you mean `Private`? (a variable needs another name)"],
    );
    check("annotations: { audience: User }", &["audience is a list: write it as in `[Assistant, User]`"]);
    check("annotations: { audience: [\"user\"] }", &["audience `user` is a string: write the bare name `User`"]);
    check(
        "annotations: { last_modified: \"2026-01-01\" }",
        &["last_modified `2026-01-01` has no time: write it as in `2026-01-01T00:00:00Z`"],
    );
    check("annotations: 5", &["annotations are fields: write them as in `{ priority: 0.8 }`"]);
    check("cache_scope: Privat", &["unknown cache scope `Privat`: did you mean `Private`?"]);
    check("cache_scope: \"public\"", &["cache scope `public` is a string: write the bare name `Public`"]);
}

#[test]
fn rejects_text_as_bytes_and_bytes_as_text() {
    let bytes = "text is a string, and this is bytes: give it as `bytes`, or text by `include_str!`";
    for value in ["include_bytes!(\"a.md\")", "std::include_bytes!(\"a.md\")", "b\"a\""] {
        check(&format!("text: {value}"), &[bytes]);
    }
    for (value, name) in [
        ("include_str!(\"a.png\")", "include_str"),
        ("::core::include_str!(\"a.png\")", "include_str"),
        ("format!(\"{a}\")", "format"),
        ("concat!(\"a\", 1)", "concat"),
    ] {
        let expected = format!(
            "bytes is a byte string, and `{name}!` gives text: give it as `text`, or bytes by `include_bytes!`"
        );
        check(&format!("bytes: {value}"), &[&expected]);
    }
    check(
        "description: include_bytes!(\"a.md\")",
        &["description is a string, and `include_bytes!` gives bytes: use `include_str!`"],
    );
    check("text: include_str!(\"a.md\"), title: env!(\"A\")", &[]);
    check("bytes: include_bytes!(\"a.png\")", &[]);
    check("bytes: include!(\"a.rs\")", &[]);
    check("bytes: include_str!(\"a.png\").as_bytes()", &[]);
}

#[test]
fn keys_of_missing_features_have_an_alternative() {
    check("subscribe: true", &["`subscribe` is not there yet: give a short `ttl`, and clients read again"]);
    check("prompt: f", &["`prompt` is not there yet: offer the text as a resource, or as the result of a tool"]);
}

#[test]
fn l6_1_the_check_is_code_with_the_context() {
    for code in ["|cx| async move { a }", "async |_| a", "may_see", "make(|id| id)"] {
        check_expansion(&format!("check: {code}, ..a"), &format!("g::Resource::to_builder(&a).check({code}).build()"));
    }
    check_expansion(
        "check: |cx: Cx| a, ..a",
        "g::Resource::to_builder(&a).check(g::__private::context_only(|cx: Cx| a)).build()",
    );
    let no_code = "check is code: write `|cx| async move { Ok(…) }`, with `true` for a client that may subscribe";
    for value in ["true", "\"a\"", "[f]", "{ a: f }"] {
        check(&format!("check: {value}"), &[no_code]);
    }
    check("chek: f", &["unknown key `chek`: did you mean `check`?"]);
}

#[test]
fn keys_and_uris_of_a_template_name_its_macro() {
    for key in ["uri_template", "uriTemplate", "template", "resource_template"] {
        check_alone(
            &format!("{key}: \"docs://{{id}}\", name: \"a\", text: \"\""),
            &[&format!("`{key}` is no key of a resource: declare a template with `template!`")],
        );
    }
    check("unknown_query: Ignore", &["`unknown_query` is no key of a resource: declare a template with `template!`"]);
    check(
        "complete: f",
        &["`complete` is no key of a resource: it is for the variables of a template, which `template!` declares"],
    );
    check(
        "\"list\": f",
        &["`list` is no key of a resource: declare each resource by itself, in a loop, or a template with `template!`"],
    );
    check(
        "uri: \"docs://{id}\"",
        &["uri `docs://{id}` is a template: `{id}` stands for a variable; declare it with \
           `template!`, or write braces as `%7B` and `%7D`"],
    );
}

#[test]
fn rejects_reserved_codes_in_literals() {
    let reserved = |code: i32| {
        format!(
            "the error code {code} belongs to JSON-RPC and MCP: choose one outside -32768 to -32000 for an error of your own"
        )
    };
    for (source, code) in [
        ("|cx| async move { Err(ReadError::public(-32001, \"a\")) }", -32001),
        ("|cx| async move { if a { return Err(grange::ReadError::public(-32_000, b())); } Ok(\"\") }", -32000),
        ("|cx| load().map_err(|e| ReadError::public(-32768, e))", -32768),
        ("|cx| async move { Err(ToolError::protocol(-32601i64, \"a\")) }", -32601),
    ] {
        check(&format!("read: {source}"), &[&reserved(code)]);
    }
    check(
        "read: |cx| async move { if a { Err(ReadError::public(-32700, a)) } else { Err(ReadError::public(-32600, b)) } }",
        &[&reserved(-32700), &reserved(-32600)],
    );
    for sound in ["-31999", "-32769", "4290", "CODE", "-CODE", "f(-32001)", ""] {
        check(&format!("read: |cx| async move {{ Err(ReadError::public({sound}, \"a\")) }}"), &[]);
    }
    for other in ["Mine::public(-32001, a)", "public(-32001, a)", "ReadError::data(-32001)", "ReadError.public(-32001)"]
    {
        check(&format!("read: |cx| async move {{ {other} }}"), &[]);
    }
}

#[test]
fn checks_that_the_first_parameter_is_the_context() {
    for plain in ["|cx: Context| a", "|cx: grange::Context| a", "|_: _| a", "|cx| a", "reader", "make(|id: String| id)"]
    {
        check_expansion(&format!("read: {plain}, ..a"), &format!("g::Resource::to_builder(&a).read({plain}).build()"));
    }
    for asked in
        ["|cx: &Context| a", "async move |City { name }: City| a", "|_: Context<A>| a", "move |id: Cx| -> B { a }"]
    {
        let expected = format!("g::Resource::to_builder(&a).read(g::__private::context_only({asked})).build()");
        check_expansion(&format!("read: {asked}, ..a"), &expected);
    }
}

#[test]
fn rejects_icons() {
    check(
        "icons: [{ src: \"javascript:x\" }]",
        &["src `javascript:x` has the scheme `javascript:`: use `https:`, `http:` or `data:`"],
    );
    check("icons: [{ theme: Drak }]", &["`src` is missing: add one, as in `src: \"https://example.com/icon.png\"`"]);
    check("icons: [{ src: s, theme: Drak }]", &["unknown theme `Drak`: did you mean `Dark`?"]);
    check(
        "icons: [{ src: s, sizes: [\"48\"] }]",
        &["size `48` is neither `any` nor width x height: write it as in `48x48`"],
    );
    check("icons: [{ src: s, sizes: \"48x48\" }]", &["sizes are a list: write it as in `[\"48x48\"]`"]);
    check("icons: [{ src: s, mime_type: \"png\" }]", &["mime_type `png` has no subtype: write it as in `image/png`"]);
    check("icons: { src: s }", &["icons are a list: write it as in `[{ src: \"https://…\" }]`"]);
    check("icons: [\"https://a.example/\"]", &["an icon is fields: write it as in `{ src: \"https://…\" }`"]);
}

#[test]
fn rejects_meta() {
    check(
        "meta: { \"a b\": 1 }",
        &[
            "the key `a b` has a bad name `a b`: begin and end with a letter or digit, and use only these, `-`, `_` and `.` between",
        ],
    );
    check("meta: { ui: 1, \"ui\": 2 }", &["duplicate key `ui`: keep one"]);
    check("meta: [1]", &["meta is an object: write it as in `{ \"example.com/key\": 1 }`"]);
    check("meta: { a: 1 b: 2 }", &["expected `,` before `b`"]);
    check("content_meta: { \"\": {} }", &["the key is empty: write it as in `com.example/author`"]);
}

#[test]
fn rejects_definitions() {
    #[track_caller]
    fn check(definitions: &str, expected: &[&str]) {
        let mut errors = Errors::new();
        let parsed = parse::many(tokens(&format!("g; {definitions}")), &mut errors);
        check::many(parsed.body, &mut errors);
        assert_eq!(errors.into_messages(), expected, "{definitions}");
    }
    check("{ ..a }, { uri: \"a:b\", ..a }, { uri: \"a:c\", ..a },", &[]);
    check(
        "{ uri: \"a:b\", ..a }, { uri: \"a\\x3ab\", ..a }",
        &["the uri `a:b` is declared twice: give each resource its own"],
    );
    check("{ ..a } { ..b }", &["expected `,` before the next definition"]);
    let no_braces = "expected a definition in braces, as in `{ uri: \"…\", name: \"…\", text: \"…\" }`: \
        give a finished resource to `.resource(…)`";
    check("guide(), [1], { ..b }", &[no_braces, no_braces]);
    check("uri: \"a:b\", name: \"b\", text: \"\"", &[no_braces]);
    check(", { ..b }; { ..c }", &[no_braces, "expected `,` before the next definition", no_braces]);
}

/// A parser that does not advance would hang the compiler.
#[test]
fn parsing_ends_for_any_input() {
    let words =
        ["a", "async", ":", "::", ",", ";", "..", "=", "|", "<", "-", "'b", "5", "\"c\"", "(d)", "{}", "{e:f}", "[g]"];
    for first in words {
        for second in words {
            for third in words {
                let source = tokens(&format!("g; {first} {second} {third}"));
                assert!(!expand::one(source.clone()).is_empty());
                assert!(!expand::many(source.clone()).is_empty());
                assert!(!expand::template(source.clone()).is_empty());
                assert!(!expand::tool(source).is_empty());
            }
        }
    }
    assert!(!expand::one(TokenStream::new()).is_empty());
}
