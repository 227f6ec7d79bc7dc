//! The fixtures of the official conformance suite, as far as this version has what they need.
//!
//! ```sh
//! cargo run --example conformance -- --http 127.0.0.1:8787
//! ```

use grange::{Server, http, resources};

/// A PNG image of one red pixel.
const PNG: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0, 1, 8,
    2, 0, 0, 0, 0x90, 0x77, 0x53, 0xde, 0, 0, 0, 0x0c, b'I', b'D', b'A', b'T', 8, 0xd7, 0x63, 0xf8, 0xcf, 0xc0, 0, 0,
    3, 1, 1, 0, 0x18, 0xdd, 0x8d, 0xb0, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

#[tokio::main]
async fn main() -> grange::Result<()> {
    let Some(addr) = std::env::args().skip_while(|arg| arg != "--http").nth(1) else {
        eprintln!("usage: conformance --http ADDR");
        std::process::exit(2);
    };
    let fixtures = resources! [
        {
            uri: "test://static-text",
            name: "static-text",
            description: "A static text resource for testing",
            mime_type: "text/plain",
            text: "This is the content of the static text resource.",
        },
        {
            uri: "test://static-binary",
            name: "static-binary",
            description: "A static binary resource (image) for testing",
            mime_type: "image/png",
            bytes: PNG,
        },
    ];
    Server::builder("conformance", "1.0.0").resources(fixtures).build()?.listen(http(addr)).await
}
