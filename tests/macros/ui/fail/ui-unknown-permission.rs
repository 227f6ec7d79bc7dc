use grange::resource;

fn main() {
    let _ = resource! {
        uri: "ui://forecast/view",
        name: "forecast-view",
        ui: { permissions: [Camra, ClipboardWrite], prefers_border: "yes" },
        text: "<!doctype html>",
    };
}
