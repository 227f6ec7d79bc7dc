use grange::{Server, stdio};
#[tokio::main]
async fn main() -> grange::Result<()> {
    Server::builder("docs", "1.0.0").build().listen(stdio()).await
}
