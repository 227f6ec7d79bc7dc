//! `docs/eras.md`, written from the rows: `UPDATE=1 cargo test -p grange-core` rewrites it, and a plain run fails when it
//! is stale.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::row::Era;
use super::table::ALL;
use crate::model::Capability;
use crate::rejection::Rejection;

const HEAD: &str = "\
<!-- Written from the revision table by `UPDATE=1 cargo test -p grange-core`; do not edit. -->
# Protocol revisions

Every revision of the Model Context Protocol is a row in one table of the engine. A client gets what its revision has, and
nothing else; a server serves all of them unless `revisions(…)` narrows it.

";

#[test]
fn the_page_about_revisions_is_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/eras.md");
    let page = page();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &page).expect("docs/ is writable");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == page, "docs/eras.md is stale: run `UPDATE=1 cargo test -p grange-core`");
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    row(&mut page, "", |era| era.name.to_owned());
    let _ = writeln!(page, "|---{}", "|---".repeat(ALL.len()) + "|");
    row(&mut page, "opens with", |era| if era.handshake { "`initialize`" } else { "any marked request" }.to_owned());
    row(&mut page, "batches", |era| yes(era.batches));
    row(&mut page, "version header over HTTP", |era| yes(era.knows_header));
    row(&mut page, "assumed without header and marks", |era| yes(era.headerless));
    row(&mut page, "`title`", |era| yes(era.fields.title));
    row(&mut page, "`_meta` on entries and items, `lastModified`", |era| yes(era.fields.meta));
    row(&mut page, "`icons`, longer `serverInfo`", |era| yes(era.fields.icons));
    row(&mut page, "annotations of tools, audio", |era| yes(era.tools.annotations));
    row(&mut page, "output schemas, structured content, links", |era| yes(era.tools.structured));
    row(&mut page, "structured content other than objects", |era| yes(era.tools.any_structured));
    row(&mut page, "arguments that do not fit", |era| {
        if era.tools.argument_results { "a result".to_owned() } else { "`-32602`".to_owned() }
    });
    row(&mut page, "`message` of progress", |era| yes(era.progress_message));
    row(&mut page, "capability `completions`", |era| yes(era.declares(Capability::Completions)));
    row(&mut page, "`context` of completions", |era| yes(era.completion_context));
    row(&mut page, "requests to the client", |era| yes(era.requests));
    row(
        &mut page,
        "resumable event streams open with an event that has only an id",
        |era| yes(era.id_only_first_event),
    );
    row(&mut page, "unknown resource", |era| {
        format!("`{}`", era.code(&Rejection::UnknownResource { uri: String::new() }).0)
    });
    row(&mut page, "end of the connection cancels", |era| yes(era.disconnect_cancels));
    row(&mut page, "methods", |era| {
        let mut names: Vec<_> = era.methods.iter().map(|method| format!("`{}`", method.name)).collect();
        names.sort_unstable();
        names.join("<br>")
    });
    page
}

fn row(page: &mut String, name: &str, cell: impl Fn(&Era) -> String) {
    let cells: Vec<_> = ALL.iter().map(cell).collect();
    let _ = writeln!(page, "| {name} | {} |", cells.join(" | "));
}

fn yes(flag: bool) -> String {
    if flag { "yes" } else { "–" }.to_owned()
}
