//! All are reported at once, each at its own token.

use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://Café",
        tilte: "Guide",
        mime_type: "markdown",
        annotations: { audience: [Asistant], priority: 2 },
        ttl: 60,
        text: "# Guide",
        bytes: b"# Guide",
    };
}
