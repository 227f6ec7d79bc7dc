use grange::template;

fn main() {
    let _ = template! {
        uri: "demo://{id}",
        name: "item",
        text: "# Item",
        size: 6,
        ui: {},
    };
}
