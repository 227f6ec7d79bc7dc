//! The resources that every server under test has, in the order and with the names that the bench's contract fixes.
//!
//! `N` small ones of 1 KiB; with `BIG=1` also a text of 1 MiB, one of 16 MiB and a blob of 1 MiB. `CORPUS` is the folder
//! with their contents.

use std::env;
use std::fs;
use std::path::PathBuf;

use grange_core::Resource;

use crate::Result;

const TEXT: &str = "text/plain";

/// What the environment asks for.
pub(crate) struct Corpus {
    small: usize,
    kib: String,
    big: Option<Big>,
}

struct Big {
    text: String,
    huge: String,
    blob: Vec<u8>,
}

impl Corpus {
    pub(crate) fn from_environment() -> Result<Self> {
        let folder = PathBuf::from(env::var("CORPUS").unwrap_or_else(|_| "corpus".to_owned()));
        let text = |name: &str| -> Result<String> {
            let path = folder.join(name);
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()).into())
        };
        let big = || -> Result<Big> {
            Ok(Big { text: text("mib1.txt")?, huge: text("mib16.txt")?, blob: fs::read(folder.join("mib1.bin"))? })
        };
        Ok(Self {
            small: env::var("N").map_or(Ok(10), |number| number.parse())?,
            kib: text("kib1.txt")?,
            big: env::var("BIG").is_ok_and(|value| value == "1").then(big).transpose()?,
        })
    }

    pub(crate) fn resources(self) -> Vec<Resource> {
        let mut all: Vec<Resource> = (0..self.small).map(|number| small(number, &self.kib)).collect();
        if let Some(Big { text, huge, blob }) = self.big {
            all.push(large("big-text", "Large text").mime_type(TEXT).text(text).build());
            all.push(large("huge-text", "Large text").mime_type(TEXT).text(huge).build());
            all.push(large("big-blob", "Large blob").mime_type("application/octet-stream").bytes(blob).build());
        }
        all
    }
}

fn small(number: usize, kib: &str) -> Resource {
    let (uri, text) = match number {
        0 => ("docs://getting-started".to_owned(), kib.to_owned()),
        _ => (format!("docs://r/{number:06}"), format!("{number:06}{}", kib.get(6..).unwrap_or_default())),
    };
    Resource::builder()
        .uri(uri)
        .name(format!("r-{number:06}"))
        .title(format!("Resource {number}"))
        .description(format!("Filler resource number {number} of the benchmark corpus"))
        .mime_type(TEXT)
        .text(text)
        .build()
}

fn large(name: &str, description: &'static str) -> grange_core::ResourceBuilder {
    let name = name.to_owned();
    Resource::builder().uri(format!("docs://{name}")).name(name.clone()).title(name).description(description)
}
