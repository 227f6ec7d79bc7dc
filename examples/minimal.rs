//! The smallest server: one resource over stdio.
//!
//! ```sh
//! cargo run --example minimal
//! ```

use grange::{Server, resource, stdio};

#[tokio::main]
async fn main() -> grange::Result<()> {
    let guide = resource! {
        uri: "docs://getting-started",
        name: "getting-started",
        title: "Getting started",
        mime_type: "text/markdown",
        text: "# Getting started\n\nWelcome to this server.\n",
    };

    Server::builder("documentation", "1.0.0").resource(guide).build()?.listen(stdio()).await
}
