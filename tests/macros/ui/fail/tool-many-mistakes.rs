//! All are reported at once, each at its own token.

use grange::tool;

fn main() {
    let _ = tool! {
        titel: "Weather",
        annotations: { readOnly: 1, openWorld: "no" },
        icons: [{ source: "https://example.com/icon.png" }],
        meta: { ui: 1, ui: 2 },
        input_schema: { type: "string" },
        call: |_| async { Ok("") },
        call: |_| async { Ok("") },
    };
}
