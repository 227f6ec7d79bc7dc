use grange::{Structured, tool};

#[derive(serde::Serialize)]
struct Count {
    files: usize,
}

fn main() {
    let _ = tool! { name: "count", call: |_cx| async move { Ok(Structured(Count { files: 3 })) } };
}
