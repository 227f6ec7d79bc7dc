//! One mistake gives one message: what the definition uses counts as used, and its type is known.

#![warn(unused)]

use grange::{Template, template};

fn order(greeting: String) -> Template {
    let title = String::from("Order");
    let order = template! {
        uri: "orders://{id}{/part}",
        name: "order",
        tilte: title,
        read: move |_cx, id: u64| {
            let greeting = format!("{greeting} {id}");
            async move { Ok(greeting) }
        },
    };
    assert_eq!(order.name().len(), 5);
    order
}

fn main() {
    let bare = template! { uri: "orders://{id}", name: "bare" };
    assert_ne!(order(String::new()).uri_template(), bare.uri_template());
}
