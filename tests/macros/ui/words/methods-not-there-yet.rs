use grange::Server;
fn main() {
    let _ = Server::builder("docs", "1").prompt(1).build();
}
