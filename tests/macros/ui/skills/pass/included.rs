//! What begins with a dot is embedded where it is named, and what is not named is said by `build()` too.

#![deny(warnings)]

use grange::skills::Skills;
use grange::{Server, skill};

fn main() -> grange::Result<()> {
    let sheets = skill!("skills/sheets", include: ["_rels/.rels", "**/.env.*"]);
    #[allow(deprecated)]
    let partly = skill!("skills/sheets", include: ["_rels/.rels"], at: "partly/sheets");
    let server = Server::builder("sheets", "1.0.0").extension(Skills::new([sheets, partly])).build()?;
    let sheets = ["SKILL.md", "_rels/.rels", "assets/.env.example"].map(|file| format!("skill://sheets/{file}"));
    let partly = ["SKILL.md", "_rels/.rels"].map(|file| format!("skill://partly/sheets/{file}"));
    assert_eq!(server.uris().collect::<Vec<_>>(), [&partly[..], &sheets[..]].concat());
    let said = server.warnings().iter().filter(|warning| warning.contains("leaves out `assets/.env.example`"));
    assert!(said.count() == 1 && server.warnings().iter().all(|warning| !warning.contains(".rels")), "{:?}", server.warnings());
    Ok(())
}
