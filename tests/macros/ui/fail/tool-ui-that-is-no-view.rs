use grange::tool;

fn main() {
    let _ = tool! {
        name: "forecast",
        ui: "https://example.com/view",
        call: |_cx| async { Ok("sunny") },
    };
}
