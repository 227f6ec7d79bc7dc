use grange::{Resource, resource};

fn main() {
    println!("{:?}", page("a"));
}

fn page(slug: &str) -> Resource {
    let text = format!("# {slug}");
    resource! {
        uri: format!("docs://{slug}"),
        name: "page",
        icons: [{ src: slug }],
        text: text.as_str(),
    }
}
