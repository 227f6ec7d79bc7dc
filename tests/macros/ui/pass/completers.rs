//! Completers of templates: closures of every form, and lists of every type, beside expressions in place of literals.

use std::collections::BTreeMap;

use grange::{CompleteRequest, Completion, Context, ReadError, Server, Template, template};

const NAME: &str = "city";

async fn cities(_cx: Context, typed: CompleteRequest) -> Result<Completion, ReadError> {
    Ok(Completion::new([typed.value()]).has_more(true))
}

fn main() {
    let countries = vec![String::from("Chad"), String::from("China")];
    let city = template! {
        uri: "demo://{country}/{city}{?type,limit}",
        name: "city",
        read: |_cx, values: BTreeMap<String, String>| async move { Ok(format!("{values:?}")) },
        complete: {
            country: move |_cx, typed| {
                let found: Vec<_> = countries.iter().filter(|it| it.starts_with(typed.value())).cloned().collect();
                async move { Ok(found) }
            },
            (NAME): |cx, typed| cities(cx, typed),
            r#type: ["capital", "town"],
            "limit": (10..=100).step_by(10),
        },
    };
    let templates: [Template; 3] = [
        template! { uri: "demo://copies/{country}/{city}{?type,limit}", ..city },
        template! {
            uri: concat!("demo://", "ids/{id}"),
            name: "id",
            read: |_cx, id: u64| async move { Ok(id.to_string()) },
            complete: {
                id: async |cx: Context, typed: CompleteRequest| {
                    let number: u64 = typed.value().parse()?;
                    assert_eq!(typed.other("country"), None);
                    cx.sleep(std::time::Duration::ZERO).await;
                    Ok([number, number * 10])
                },
            },
        },
        city,
    ];
    assert!(Server::builder("t", "1").templates(templates).build().is_ok());
    let other = template! { uri: String::from("demo://{id}"), ..template! {
        uri: "demo://{name}", name: "other", read: |_cx, _: String| async { Ok("") }, complete: { name: ["a"] },
    } };
    assert!(Server::builder("t", "1").template(other).build().unwrap_err().to_string().contains("`name` is completed"));
}
