use grange::tool;

fn main() {
    let _ = tool! {
        name: "forecast",
        ui: 5,
        call: |_cx| async { Ok("sunny") },
    };
}
