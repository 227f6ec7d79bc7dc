use grange::Server;
#[tokio::main]
async fn main() -> grange::Result<()> {
    Server::builder("docs", "1.0.0").build()?.listen("127.0.0.1:8787").await
}
