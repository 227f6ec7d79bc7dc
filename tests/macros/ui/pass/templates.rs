//! Readers of templates: closures of every form, functions, values of every type; and expressions in place of literals.

use std::collections::HashMap;

use grange::{Context, ReadError, Server, Template, UnknownQuery, template};
use serde::{Deserialize, Serialize};

#[derive(Deserialize, Serialize)]
struct Place {
    country: String,
    city: String,
}

#[derive(Deserialize)]
struct Id(u64);

const URI: &str = "demo://ids/{id}";

async fn place(_cx: Context, Place { country, city }: Place) -> Result<String, ReadError> {
    Ok(format!("{city}, {country}"))
}

async fn may_see(_cx: Context, Place { country, .. }: Place) -> Result<bool, ReadError> {
    if country.is_empty() { Err(ReadError::not_found()) } else { Ok(country != "at") }
}

macro_rules! page {
    ($uri:literal, $read:expr) => {
        template! { uri: $uri, name: concat!("page ", $uri), read: $read }
    };
}

fn main() {
    let greeting = String::from("hello");
    let places = template! { uri: "demo://places/{country}/{city}", name: "place", read: place };
    let templates: [Template; 6] = [
        template! {
            uri: URI,
            name: String::from("id"),
            read: |_cx, Id(id)| async move { Ok(id.to_string()) },
            check: |cx: Context, Id(id)| async move { Ok(id < 9 && !cx.is_cancelled()) },
        },
        template! {
            uri: "demo://greetings/{name}",
            name: "greeting",
            read: move |_, name: String| {
                let text = format!("{greeting}, {name}");
                async move { Ok(text) }
            },
        },
        template! { uri: format!("demo://copies/{{country}}/{{city}}"), check: may_see, ..places },
        template! {
            uri: "demo://search{?q,limit}",
            name: "search",
            unknown_query: UnknownQuery::Ignore,
            read: async |cx: Context, query: HashMap<String, String>| {
                let number: u32 = query.get("limit").map_or("1", String::as_str).parse()?;
                Ok(format!("{}: {number}", cx.uri()))
            },
        },
        page!("demo://pages/{+path}", |_cx, path: String| async move { Ok(path) }),
        places.clone(),
    ];
    let oslo = Place { country: "no".to_owned(), city: "Oslo".to_owned() };
    assert_eq!(places.uri(&oslo).unwrap(), "demo://places/no/Oslo");
    assert!(Server::builder("t", "1").templates(templates).build().is_ok());
}
