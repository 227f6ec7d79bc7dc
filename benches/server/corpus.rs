//! The resources of every measured server, with the order and the names of the bench's contract.
//!
//! There are `N` small ones of 1 KiB; with `BIG=1` also a text of 1 MiB, one of 16 MiB and a blob of 1 MiB. `CORPUS` is
//! the folder with their contents; without it they are generated. With `COMPUTED=1` a reader builds each of them for
//! every read.

use std::env;
use std::fs;
use std::path::PathBuf;

use grange_core::{IntoContents, Resource, ResourceBuilder};

use crate::Result;

const MIB: usize = 1024 * 1024;

/// The settings from the environment.
pub(crate) struct Corpus {
    small: usize,
    kib: String,
    big: Option<Big>,
    computed: bool,
}

struct Big {
    text: String,
    huge: String,
    blob: Vec<u8>,
}

impl Corpus {
    pub(crate) fn from_environment() -> Result<Self> {
        let folder = env::var_os("CORPUS").map(PathBuf::from);
        let bytes = |name: &str, length: usize| -> Result<Vec<u8>> {
            let Some(folder) = &folder else { return Ok(invented(length)) };
            let path = folder.join(name);
            fs::read(&path).map_err(|error| format!("{}: {error}", path.display()).into())
        };
        let text = |name: &str, length| -> Result<String> { Ok(String::from_utf8(bytes(name, length)?)?) };
        let big = || -> Result<Big> {
            Ok(Big { text: text("mib1.txt", MIB)?, huge: text("mib16.txt", 16 * MIB)?, blob: bytes("mib1.bin", MIB)? })
        };
        Ok(Self {
            small: env::var("N").map_or(Ok(10), |number| number.parse())?,
            kib: text("kib1.txt", 1024)?,
            big: is_set("BIG").then(big).transpose()?,
            computed: is_set("COMPUTED"),
        })
    }

    pub(crate) fn resources(self) -> Vec<Resource> {
        let Self { small, kib, big, computed } = self;
        let mut all: Vec<Resource> =
            (0..small).map(|number| text(one(number), one_text(number, &kib), computed)).collect();
        if let Some(Big { text: long, huge, blob }) = big {
            all.push(text(large("big-text", "Large text"), long, computed));
            all.push(text(large("huge-text", "Large text"), huge, computed));
            let described = large("big-blob", "Large blob").mime_type("application/octet-stream");
            all.push(if computed { built(described, blob) } else { described.bytes(blob).build() });
        }
        all
    }
}

/// Text with characters that JSON must escape, as in documentation.
fn invented(length: usize) -> Vec<u8> {
    let paragraph = b"# Declare it once\n\nA resource is declared once, and listed, read and cached as it was declared, by every client of\n\
        every revision. Use the \"resource\" macro on a plain definition; the URI is the key.\n\n- exact\n- plain to read\n\n";
    paragraph.iter().copied().cycle().take(length).collect()
}

fn is_set(name: &str) -> bool {
    env::var(name).is_ok_and(|value| value == "1")
}

fn text(described: ResourceBuilder, text: String, computed: bool) -> Resource {
    let described = described.mime_type("text/plain");
    if computed { built(described, text) } else { described.text(text).build() }
}

/// A resource whose reader builds the contents for every read.
fn built<C: IntoContents + Clone + Send + Sync + 'static>(described: ResourceBuilder, contents: C) -> Resource {
    described
        .read(move |_| {
            let contents = contents.clone();
            async move { Ok(contents) }
        })
        .build()
}

fn one_text(number: usize, kib: &str) -> String {
    if number == 0 { kib.to_owned() } else { format!("{number:06}{}", kib.get(6..).unwrap_or_default()) }
}

fn one(number: usize) -> ResourceBuilder {
    let uri = if number == 0 { "docs://getting-started".to_owned() } else { format!("docs://r/{number:06}") };
    Resource::builder()
        .uri(uri)
        .name(format!("r-{number:06}"))
        .title(format!("Resource {number}"))
        .description(format!("Filler resource number {number} of the benchmark corpus"))
}

fn large(name: &str, description: &'static str) -> ResourceBuilder {
    let name = name.to_owned();
    Resource::builder().uri(format!("docs://{name}")).name(name.clone()).title(name).description(description)
}
