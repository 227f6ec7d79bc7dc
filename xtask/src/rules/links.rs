//! Links of our pages lead somewhere, and pages of the guide read the same on a screen as in rustdoc.

use std::fs;
use std::path::Path;

use super::none;
use crate::pages::{anchors, read};
use crate::project::Project;

const PAGES: [&str; 3] = ["README.md", "CONTRIBUTING.md", "docs"];
const GUIDE: &str = "docs/guide/";

/// Our pages, by path, with their texts.
fn pages(project: &Project) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut next: Vec<String> = PAGES.map(str::to_owned).into();
    while let Some(path) = next.pop() {
        let file = project.path(&path);
        if file.is_dir() {
            let entries = fs::read_dir(&file).unwrap();
            next.extend(entries.map(|entry| format!("{path}/{}", entry.unwrap().file_name().to_string_lossy())));
        } else if file.extension().is_some_and(|extension| extension == "md") {
            found.push((path, fs::read_to_string(file).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn every_link_to_a_file_leads_to_one() {
    let project = Project::find();
    let places: Vec<String> = pages(&project).iter().flat_map(|(path, text)| broken(&project, path, text)).collect();
    none(&places, "the link leads nowhere: name a file, from where the page is, and a heading that it has");
}

/// In `docs/architecture.md` files are named from their crate: `core/rpc/wire.rs` is `crates/core/src/rpc/wire.rs`.
#[test]
fn every_file_that_the_page_of_the_architecture_names_exists() {
    const PAGE: &str = "docs/architecture.md";
    let project = Project::find();
    let missing = |name: &&str| {
        let (package, file) = name.split_once('/').unwrap_or_default();
        !project.path(&format!("crates/{package}/src/{file}")).exists() && !project.path(name).exists()
    };
    let text = fs::read_to_string(project.path(PAGE)).unwrap();
    let named: Vec<&str> = named_files(&text);
    assert!(named.len() > 20, "the names of files are recognised: {named:?}");
    let missing: Vec<String> = named.into_iter().filter(missing).map(|name| format!("{PAGE}: `{name}`")).collect();
    none(&missing, "there is no such file: name it from its crate, as in `core/rpc/wire.rs`");
}

/// The files in backticks that are named with a folder.
fn named_files(text: &str) -> Vec<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let is_rust = |name: &&str| Path::new(name).extension().is_some_and(|extension| extension == "rs");
    quoted.filter(is_rust).filter(|name| name.contains('/') && !name.contains([' ', '*', '{'])).collect()
}

fn broken(project: &Project, page: &str, text: &str) -> Vec<String> {
    let is_relative =
        |target: &str| !target.contains("::") && !target.contains("://") && !target.starts_with("mailto:");
    let links = links(text).into_iter().filter(|(_, target)| is_relative(target));
    let broken = links.filter(|(_, target)| !leads_somewhere(project, page, text, target));
    broken.map(|(line, target)| format!("{page}:{line}: {target}")).collect()
}

fn leads_somewhere(project: &Project, page: &str, text: &str, target: &str) -> bool {
    let (path, heading) = target.split_once('#').map_or((target, None), |(path, heading)| (path, Some(heading)));
    let file = project.path(page).parent().unwrap_or(Path::new("")).join(path);
    let has = |text: &str| heading.is_none_or(|heading| anchors(text).iter().any(|anchor| anchor == heading));
    if path.is_empty() {
        return has(text);
    }
    file.exists() && (heading.is_none() || fs::read_to_string(file).is_ok_and(|text| has(&text)))
}

/// The targets of links, in the text or defined on a line of their own, with their lines.
fn links(text: &str) -> Vec<(usize, String)> {
    let (_, prose) = read(text);
    let mut found = Vec::new();
    for (at, line) in prose.lines().enumerate() {
        let inline = line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
        let defined = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, target)| target.trim());
        found.extend(inline.chain(defined).map(|target| (at + 1, target.to_owned())));
    }
    found
}

#[test]
fn a_page_of_the_guide_hides_nothing_and_links_to_pages() {
    let pages = pages(&Project::find());
    let guide = pages.iter().filter(|(path, _)| path.starts_with(GUIDE));
    let places: Vec<String> = guide.flat_map(|(path, text)| only_for_rustdoc(path, text)).collect();
    none(&places, "a page is read on a screen too: let code begin with what is shown, and link to the page's file");
}

fn only_for_rustdoc(page: &str, text: &str) -> Vec<String> {
    let (blocks, _) = read(text);
    let is_rust =
        |language: &str| ["", "rust", "no_run", "compile_fail"].contains(&language.split(',').next().unwrap_or(""));
    let hidden = blocks.into_iter().filter(|block| is_rust(&block.language) && block.text.starts_with("# "));
    let hidden = hidden.map(|block| format!("{page}:{}: the code begins with a hidden line", block.line));
    let links = links(text).into_iter().filter(|(_, target)| target.starts_with("super::"));
    hidden.chain(links.map(|(line, target)| format!("{page}:{line}: a link to `{target}`"))).collect()
}

#[test]
fn planted_links_and_hidden_lines_are_found() {
    let project = Project::find();
    let page = "# A b\n[a](#a-b) [b](serve.md#no) [c](no.md) [d](super::serve)\n\n[e]: ../no.md\n[f]: ../threats.md\n";
    let found = broken(&project, "docs/guide/x.md", page);
    assert_eq!(found, ["docs/guide/x.md:2: serve.md#no", "docs/guide/x.md:2: no.md", "docs/guide/x.md:4: ../no.md"]);
    let page = "[a](super::serve)\n```rust,no_run\n# use a;\n```\n```yaml\n# b\n```\n```\nc();\n# d();\n```\n";
    let found = only_for_rustdoc("x.md", page);
    assert_eq!(found, ["x.md:2: the code begins with a hidden line", "x.md:1: a link to `super::serve`"]);
}
