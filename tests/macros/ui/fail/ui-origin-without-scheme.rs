use grange::resource;

fn main() {
    let _ = resource! {
        uri: "ui://forecast/view",
        name: "forecast-view",
        ui: { connect_domains: ["api.example.com", "https://api.example.com"], frame_domains: ["https://a.example; script-src *"] },
        text: "<!doctype html>",
    };
}
