//! A server whose code prints to stdout, where only the protocol belongs: the guard sends it to stderr.
//!
//! Run: `echo '{"jsonrpc":"2.0","id":1,"method":"ping"}' | cargo run -p grange-stdio --example noisy`

use grange_core::{Error, Resource, Server};
use grange_stdio::stdio;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let noisy = Resource::builder()
        .uri("demo://noisy")
        .name("noisy")
        .read(|_cx| async {
            println!("this lands on stderr");
            Ok("read")
        })
        .build();
    Server::builder("noisy", "1.0.0").resource(noisy).build()?.listen(stdio()).await
}
