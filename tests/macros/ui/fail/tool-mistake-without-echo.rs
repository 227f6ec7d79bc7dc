//! One mistake gives one message: what the definition uses counts as used, and its type is known.

#![warn(unused)]

use std::collections::BTreeMap;

use grange::{Tool, ToolAnnotations, tool};

fn greet(greeting: String) -> Tool {
    let title = String::from("Greet");
    let hints = ToolAnnotations::new();
    let greet = tool! {
        name: "greet everyone",
        tilte: title,
        annotations: hints,
        call: move |_cx, args: BTreeMap<String, String>| {
            let greeting = format!("{greeting}, {args:?}");
            async move { Ok(greeting) }
        },
    };
    assert_eq!(greet.name().len(), 14);
    greet
}

fn bare() -> Tool {
    let bare = tool! { name: "bare" };
    assert!(bare.input_schema().is_some());
    bare
}

fn main() {
    greet(String::new());
    bare();
}
