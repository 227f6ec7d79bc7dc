//! The public items of each published crate, as `docs/public-api` lists them: what a change does to users shows in review.
//!
//! rustdoc's JSON says what is public, the crate `public-api` writes it down. Left out: auto traits, blanket and derived impls.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use public_api::{Builder, PublicApi};
use serde_json::Value;

use crate::exports::{self, Docs};
use crate::packages::published;
use crate::process::{Failure, Outcome, execute};
use crate::project::Project;

/// Where the lists are, and where they are written for comparing.
const LISTED: &str = "docs/public-api";
const FOUND: &str = "public-api";
/// The version of rustdoc's JSON that the crate `public-api` of `xtask/Cargo.toml` reads.
const FORMAT: u64 = 57;

/// Documents the workspace with all features, lets no warning pass, and compares the public items with their lists.
/// `UPDATE=1` writes the lists anew.
pub(crate) fn run(project: &Project) -> Outcome {
    document(project)?;
    let crates = published(project)?.into_iter().map(|package| package.name).collect::<Vec<_>>();
    let files = crates.iter().map(|name| (name.as_str(), json(project, name))).collect::<Vec<_>>();
    exports::check(&read(&files)?)?;
    if env::var_os("UPDATE").is_some_and(|value| value == "1") {
        return write(&files, &project.path(LISTED));
    }
    let found = project.built(FOUND);
    write(&files, &found)?;
    compare(project, &found)
}

/// JSON in place of HTML: the same lints, and one run of rustdoc.
fn document(project: &Project) -> Outcome {
    let wrapper = fs::canonicalize(project.path("xtask/rustdoc")).map_err(|error| Failure::new(error.to_string()))?;
    let mut cargo = project.cargo("doc --workspace --no-deps --all-features");
    cargo.env("RUSTDOC", wrapper).env("RUSTDOCFLAGS", "-D warnings -Z unstable-options --output-format json");
    execute(&mut cargo)
}

fn json(project: &Project, package: &str) -> PathBuf {
    project.built(&format!("doc/{}.json", package.replace('-', "_")))
}

fn read(files: &[(&str, PathBuf)]) -> Outcome<Docs> {
    let mut docs = Docs::default();
    for (_, path) in files {
        let unreadable = |problem: String| Failure::new(format!("{}: {problem}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
        let json: Value = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
        if json["format_version"] != FORMAT {
            let remedy = "use another toolchain, or in xtask the version of `public-api` that reads it";
            return Err(unreadable(format!("expected format {FORMAT}, found {}: {remedy}", json["format_version"])));
        }
        docs.add(json);
    }
    Ok(docs)
}

/// Writes a list for each crate, and leaves nothing else in the folder.
fn write(files: &[(&str, PathBuf)], folder: &Path) -> Outcome {
    let failed = |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", folder.display()));
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| failed(&error))?;
    }
    fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    for (name, path) in files {
        let items = Builder::from_rustdoc_json(path).omit_blanket_impls(true).omit_auto_trait_impls(true);
        let items = items.omit_auto_derived_impls(true).build().map_err(|error| failed(&error))?;
        fs::write(folder.join(format!("{name}.txt")), list(&items)).map_err(|error| failed(&error))?;
    }
    Ok(())
}

fn list(items: &PublicApi) -> String {
    let lines: Vec<String> = items.items().map(ToString::to_string).collect();
    lines.join("\n") + "\n"
}

fn compare(project: &Project, found: &Path) -> Outcome {
    let mut git = project.command("git");
    git.args(["--no-pager", "diff", "--no-index", "--unified=0", LISTED]).arg(found);
    execute(&mut git).map_err(|_| {
        let meant = "if that is meant, write the lists anew with `UPDATE=1 cargo xtask public-api` and commit them";
        Failure::new(format!("the public items are not those of {LISTED}: {meant}")).or_repeat("cargo xtask public-api")
    })
}
