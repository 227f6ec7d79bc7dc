use grange::tool;

fn main() {
    let _ = tool! {
        name: "answer",
        call: |_cx, city: String, days: u32| async move { Ok(format!("{city}: {days}")) },
    };
}
