//! What the engine may import, and what it may not touch.

use super::none;
use crate::imports::{Crate, Imports, line};
use crate::source::{Source, shipped_sources};

const CORE: &str = "crates/core/src/";

/// The layers from the bottom up. A module imports from lower layers only.
const LAYERS: &[&[&str]] = &[
    &["rpc", "model", "limits", "lock", "budget"],
    &["changes"],
    &["session", "rejection", "outbox", "timers", "permits"],
    &["call"],
    &["era", "define"],
    &["task"],
    &["catalog"],
    &["primitive"],
    &["shelf"],
    &["sections"],
    &["ext"],
    &["inbound", "server"],
    &["telemetry"],
    &["job"],
    &["start"],
    &["subscribe"],
    &["dispatch"],
    &["receive"],
    &["batch"],
    &["accept", "notifications"],
    &["connection"],
];

fn core_sources() -> Vec<&'static Source> {
    shipped_sources().into_iter().filter(|source| source.path.starts_with(CORE)).collect()
}

#[test]
fn imports_of_the_core_run_only_downward() {
    let upward = upward(&Crate::read(CORE, core_sources().into_iter()).imports());
    none(&upward, &format!("a lower layer knows a higher one, or a module is in no layer (LAYERS in {})", file!()));
}

/// The imports from a layer that is not below, nor the module itself.
fn upward(imports: &Imports) -> Vec<String> {
    let module = |path: &str| path[CORE.len()..].split(['/', '.']).next().unwrap_or_default().to_owned();
    let is_allowed = |from: &str, to: &str| {
        let layers = layer(from).zip(layer(to));
        from == "lib" || layers.is_some_and(|(from_layer, to_layer)| from == to || to_layer < from_layer)
    };
    let wrong = imports.iter().filter(|((from, to), _)| !is_allowed(&module(from), &module(to)));
    wrong.map(|((from, to), names)| line(from, to, names)).collect()
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
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
    let found = |source: &Source| {
        let names: Vec<_> = banned.iter().copied().filter(|what| !may(source, what)).collect();
        source.places(&source.code, &names)
    };
    let places: Vec<String> = core_sources().into_iter().flat_map(found).collect();
    none(&places, "the core does no I/O, spawns nothing and reads no clock: let the driver do it, or pass it in");
}

#[test]
fn input_is_never_skipped_unchecked() {
    let sources = shipped_sources();
    let ignored = sources.iter().flat_map(|source| source.places(&source.code, &["IgnoredAny"]));
    none(&ignored.collect::<Vec<_>>(), "`IgnoredAny` accepts what is no JSON in what it skips: visit the value");
    // Skills write with it what they encoded before, and read nothing.
    let may = |path: &str| path == "crates/core/src/rpc/read.rs" || path.starts_with("crates/skills/src/");
    let elsewhere = sources.iter().filter(|source| !may(&source.path));
    let raw = elsewhere.flat_map(|source| source.places(&source.code, &["RawValue"]));
    none(&raw.collect::<Vec<_>>(), "`RawValue` accepts what is no JSON: only rpc/read.rs may read with it, and checks");
}

#[test]
fn planted_imports_from_above_are_found() {
    let file = |path: &str, text: &str| Source::new(&format!("{CORE}{path}"), text.to_owned());
    let sources = [
        file("lib.rs", "mod era;\nmod define;\nmod new;\nmod rpc;\npub use era::Era;\n"),
        file(
            "rpc/read.rs",
            "use crate::{era::Era, rpc::Raw};\nfn f(_: Era) { println!(\"{}\", crate::new::name()) }\n",
        ),
        file("rpc/mod.rs", "mod read;\npub struct Raw;\n"),
        file("era.rs", "pub struct Era(crate::rpc::Raw, crate::define::Context);\n"),
        file("define.rs", "pub struct Context(super::rpc::Raw);\n"),
        file("new.rs", "pub fn name() {}\n"),
    ];
    let found = upward(&Crate::read(CORE, sources.iter()).imports());
    let expected = [("era.rs takes Context from", "define.rs"), ("rpc/read.rs takes Era from", "era.rs")];
    let expected = expected.into_iter().chain([("rpc/read.rs takes name from", "new.rs")]);
    assert_eq!(found, expected.map(|(from, to)| format!("{CORE}{from} {CORE}{to}")).collect::<Vec<_>>());
}
