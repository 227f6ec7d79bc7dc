//! A server of templates whose variables are completed: by a list, by code, by code that fails, and by nothing.

use grange_core::{Completion, ReadError, Resource, Server, ServerBuilder, Template, TemplateBuilder};

type Map = std::collections::BTreeMap<String, String>;

pub(super) fn server() -> ServerBuilder {
    let city = template("atlas://{country}/{city}")
        .complete_from("country", ["Macho", "Chad", "Echo", "China", "Fiji"])
        .complete("city", |_, typed| async move {
            let of_chad = vec!["Abeche", "Mongo", "Mongo", "Sarh/Est", "..", "Ati"];
            Ok(if typed.other("country") == Some("Chad") { of_chad } else { vec!["\"nowhere\" \u{2028}"] })
        });
    let sheet = template("atlas://sheets/{number}/{part}/{scale}{?year}")
        .complete("number", |_, _| async { Ok(1..=112_u64) })
        .complete("part", |_, _| async { Ok(Completion::new(["north", "south"]).total(7)) })
        .complete("scale", |_, typed| async move {
            if typed.value().is_empty() {
                return Err(ReadError::public(4290, "quota exhausted"));
            }
            Err::<[&str; 0], _>("secret=/srv/key".into())
        });
    Server::builder("atlas", "1.2.0")
        .resource(Resource::builder().uri("atlas://legend").name("legend").text("a legend").build())
        .templates([city.build(), sheet.build()])
        .on_error(|_failure, _cx| {})
}

fn template(uri: &'static str) -> TemplateBuilder {
    Template::builder().uri(uri).name("template").read(|_, _: Map| async { Ok("read") })
}
