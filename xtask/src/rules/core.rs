//! What the engine may import, and what it may not touch.

use super::none;
use crate::project::Project;
use crate::source::{Source, shipped_sources};

const CORE: &str = "crates/core/src/";

/// The layers from the bottom up. A module imports from lower layers only.
const LAYERS: &[&[&str]] = &[
    &["rpc", "model", "limits"],
    &["session", "fault", "outbox", "timers"],
    &["call"],
    &["era", "define"],
    &["task"],
    &["catalog"],
    &["primitive"],
    &["ext"],
    &["inbound", "server"],
    &["telemetry"],
    &["job"],
    &["dispatch"],
    &["receive"],
    &["accept"],
    &["connection"],
];

fn core_sources() -> Vec<Source> {
    shipped_sources(&Project::find()).into_iter().filter(|source| source.path.starts_with(CORE)).collect()
}

#[test]
fn imports_of_the_core_run_only_downward() {
    let sources = core_sources();
    let upward: Vec<String> = sources.iter().flat_map(upward_imports).collect();
    none(
        &upward,
        "a lower layer knows a higher one (DESIGN: rpc, model, limits ← call, session, fault, outbox ← era | define ← …)",
    );
}

#[test]
fn the_core_names_no_clock_thread_or_socket() {
    let banned = [
        "Instant::now",
        "SystemTime",
        "std::env",
        "std::fs",
        "stderr",
        "stdin",
        "stdout",
        "std::net",
        "std::process",
        "std::thread",
        "println!",
        "eprintln!",
        "tokio::fs",
        "tokio::io",
        "tokio::net",
        "tokio::spawn",
        "tokio::task",
        "tokio::time",
    ];
    // A failure that nobody else is told of is said on standard error: by the core, since every driver, embedding and test
    // would otherwise have to do it, and each that forgot would hide failures.
    let may = |source: &Source, what: &str| what == "stderr" && source.path == "crates/core/src/server/report.rs";
    let sources = core_sources();
    let found = |source: &Source| {
        let names: Vec<_> = banned.iter().copied().filter(|what| !may(source, what)).collect();
        source.places(&source.code, &names)
    };
    let places: Vec<String> = sources.iter().flat_map(found).collect();
    none(&places, "the core does no I/O, spawns nothing and reads no clock: let the driver do it, or pass it in");
}

#[test]
fn input_is_never_skipped_unchecked() {
    let sources = shipped_sources(&Project::find());
    let ignored = sources.iter().flat_map(|source| source.places(&source.code, &["IgnoredAny"]));
    none(&ignored.collect::<Vec<_>>(), "`IgnoredAny` accepts what is no JSON in what it skips: visit the value");
    // Skills write with it what they encoded before, and read nothing.
    let may = |path: &str| path == "crates/core/src/rpc/read.rs" || path.starts_with("crates/skills/src/");
    let elsewhere = sources.iter().filter(|source| !may(&source.path));
    let raw = elsewhere.flat_map(|source| source.places(&source.code, &["RawValue"]));
    none(&raw.collect::<Vec<_>>(), "`RawValue` accepts what is no JSON: only rpc/read.rs may read with it, and checks");
}

fn upward_imports(source: &Source) -> Vec<String> {
    let inside = &source.path[CORE.len()..];
    let module = inside.split(['/', '.']).next().unwrap_or_default();
    if module == "lib" {
        return Vec::new();
    }
    let Some(layer) = layer(module) else {
        return vec![format!("{}: `{module}` is in no layer: add it to LAYERS in {}", source.path, file!())];
    };
    let allowed = |other: &str| other == module || self::layer(other).is_some_and(|other_layer| other_layer < layer);
    let depth = inside.trim_end_matches("/mod.rs").split('/').count();
    let lines = source.shipped.lines().enumerate();
    let wrong = lines.flat_map(|(at, line)| {
        imports(line, depth).into_iter().filter(|other| !allowed(other)).map(move |other| (at + 1, other))
    });
    wrong.map(|(line, other)| format!("{}:{line}: `{module}` imports `{other}`", source.path)).collect()
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// The top modules that a line names, by `crate::` or by as many `super::` as lead to the root. Names of types at the
/// root, which lib.rs re-exports, are no modules but count: inside, the path to their module is written out.
fn imports(line: &str, depth: usize) -> Vec<String> {
    let up = "super::".repeat(depth);
    let mut found = Vec::new();
    for prefix in ["crate::", up.as_str()] {
        for (at, _) in line.match_indices(prefix) {
            let rest = &line[at + prefix.len()..];
            let macro_call = rest.starts_with('$');
            match rest.strip_prefix('{') {
                Some(group) => found.extend(group_heads(group)),
                None if !macro_call => found.extend(head(rest)),
                None => {}
            }
        }
    }
    found
}

fn head(path: &str) -> Option<String> {
    let name: String = path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    Some(name).filter(|name| !name.is_empty() && name != "super" && name != "crate")
}

/// The first names of `{a::b, c::{d, e}, f}`, on one line.
fn group_heads(group: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let mut heads = Vec::new();
    let mut start = 0;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                heads.extend(head(group[start..at].trim()));
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    heads
}

#[test]
fn imports_are_recognised() {
    assert_eq!(imports("use crate::era::{self, Era};", 1), ["era"]);
    assert_eq!(imports("use crate::{era::Era, server::{A, B}, job};", 1), ["era", "server", "job"]);
    assert_eq!(imports("use super::server::Server;", 1), ["server"]);
    assert_eq!(imports("use super::server::Server;", 2), Vec::<String>::new());
    let low = Source::new("crates/core/src/rpc/json.rs", "use crate::era::Era;\nuse crate::rpc::Raw;\n".to_owned());
    assert_eq!(upward_imports(&low).len(), 1);
    let beside = Source::new("crates/core/src/era/mod.rs", "use crate::define::Context;\n".to_owned());
    assert_eq!(upward_imports(&beside).len(), 1);
    let high = Source::new("crates/core/src/dispatch.rs", "use crate::job::Job;\nuse crate::era;\n".to_owned());
    assert!(upward_imports(&high).is_empty());
}
