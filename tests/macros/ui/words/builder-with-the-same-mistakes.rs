use grange::{Item, Resource, Tool, ToolResult};

fn main() {
    let page = || Resource::builder().uri("docs://a").name("a");
    let _ = page().text(include_bytes!("static-resource.rs")).build();
    let _ = page().bytes(include_str!("static-resource.rs")).build();
    let _ = page().read(|_cx| Ok("text")).build();
    let _ = page().read(|_cx| async move { "text" }).build();
    let _ = Tool::builder().name("a").call_without_arguments(|_cx| async move { "text" });
    let _ = Item::text("docs://a", b"bytes");
    let _ = ToolResult::new().text(vec![1_u8]);
}
