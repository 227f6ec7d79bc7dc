//! One mistake gives one message: what the definition uses counts as used, and its type is known.

#![warn(unused)]

use std::time::Duration;

use grange::{Annotations, Resource, resource};

fn guide(seconds: u64) -> Resource {
    let title = String::from("Guide");
    let text = String::from("# Guide");
    let hints = Annotations::new();
    let guide = resource! {
        uri: "docs guide",
        name: "guide",
        tilte: title,
        annotations: hints,
        ttl: Duration::from_secs(seconds),
        read: move |_cx| {
            let text = text.clone();
            async move { Ok(text) }
        },
    };
    assert_eq!(guide.uri().len(), 12);
    guide
}

fn main() {
    guide(1);
}
