//! `Json(value)` as contents: its text, its MIME type, and values that are no JSON.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use grange_core::{Contents, Item, Json, Resource, Revision, Server, Template};
use serde::Serialize;
use serde_json::json;

use crate::schema::{checked, clients};

/// It has no schema.
#[derive(Serialize)]
struct Stock {
    tea: Option<u32>,
    note: &'static str,
}

fn stock() -> Json<Stock> {
    Json(Stock { tea: Some(3), note: "a\u{2028}b" })
}

fn server() -> Server {
    let resource = |name: &'static str| Resource::builder().uri(format!("shop://{name}")).name(name);
    let several = |_| async {
        let own = Item::json("shop://several/own", [1, 2]);
        let other = Item::json("shop://several/other", [3]).mime_type("application/ld+json");
        Ok(Contents::new().item(own).item(other))
    };
    let template = Template::builder().uri("shop://orders/{id}").name("order");
    Server::builder("shop", "1.0.0")
        .resource(resource("plain").read(|_| async { Ok(stock()) }).build())
        .resource(resource("typed").mime_type("application/ld+json").read(|_| async { Ok(stock()) }).build())
        .resource(resource("several").mime_type("text/plain").read(several).build())
        .template(template.read(|_, id: u64| async move { Ok(Json(id)) }).build())
        .build()
        .expect("a valid server")
}

#[tokio::test]
async fn a_value_is_text_with_the_mime_type_of_json_or_of_the_definition() {
    for mut client in clients(&server()).await {
        let text = "{\"tea\":3,\"note\":\"a\u{2028}b\"}";
        let cases = [
            ("shop://plain", vec![("shop://plain", "application/json", text)]),
            ("shop://typed", vec![("shop://typed", "application/ld+json", text)]),
            ("shop://orders/7", vec![("shop://orders/7", "application/json", "7")]),
            (
                "shop://several",
                vec![
                    ("shop://several/own", "application/json", "[1,2]"),
                    ("shop://several/other", "application/ld+json", "[3]"),
                ],
            ),
        ];
        for (uri, items) in cases {
            let read = client.request("resources/read", json!({ "uri": uri })).await.unwrap();
            let items: Vec<_> =
                items.into_iter().map(|(uri, mime, text)| (json!(uri), json!(mime), json!(text))).collect();
            let contents = read["contents"].as_array().unwrap().iter();
            let found: Vec<_> =
                contents.map(|item| (item["uri"].clone(), item["mimeType"].clone(), item["text"].clone())).collect();
            assert_eq!(found, items);
        }
    }
}

#[tokio::test]
async fn a_value_that_cannot_be_serialized_is_a_failure_of_the_author() {
    let failures = Arc::<Mutex<Vec<String>>>::default();
    let noted = failures.clone();
    let lists_as_keys = || BTreeMap::from([(vec![1], "secret")]);
    let bare =
        Resource::builder().uri("shop://bare").name("bare").read(move |_| async move { Ok(Json(lists_as_keys())) });
    let item = Resource::builder().uri("shop://item").name("item");
    let item = item.read(move |_| async move { Ok(Item::json("shop://item", lists_as_keys())) });
    let server = Server::builder("shop", "1.0.0").resources([bare.build(), item.build()]);
    let server = server.on_error(move |failure, cx| noted.lock().unwrap().push(format!("{}: {failure}", cx.uri())));
    let mut client = checked(&server.build().unwrap(), Revision::V2026_07_28).await.unwrap();
    for uri in ["shop://bare", "shop://item"] {
        let error = client.read(uri).await.unwrap_err();
        assert_eq!((error.code, &*error.message), (-32603, "Internal error"));
    }
    let problem = "the contents are invalid: the value cannot be serialized as JSON: key must be a string";
    assert_eq!(*failures.lock().unwrap(), ["bare", "item"].map(|name| format!("shop://{name}: {problem}")));
}
