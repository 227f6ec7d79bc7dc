//! A Rust source file as the structural rules see it: code apart from comments, string contents and test code.
//!
//! Not a parser: a scanner that knows comments, strings and braces. Every view has the line breaks of the file, so that a
//! rule can name the line.

use std::fs;
use std::path::{Path, PathBuf};

use crate::project::Project;

mod scan;

/// One `.rs` file.
#[derive(Debug)]
pub(crate) struct Source {
    /// Relative to the root, with forward slashes.
    pub(crate) path: String,
    pub(crate) text: String,
    /// Comments and string contents blanked, test code included.
    pub(crate) code: String,
    /// Comments and test code blanked, strings kept.
    pub(crate) shipped_with_strings: String,
    /// Comments, string contents and test code blanked.
    pub(crate) shipped: String,
    test_lines: usize,
    /// The modules that it declares for tests only.
    test_modules: Vec<String>,
}

/// A function with a body.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) lines: usize,
}

impl Source {
    pub(crate) fn new(path: &str, text: String) -> Self {
        let code = scan::blank(&text, scan::Strings::Blank);
        let tests = scan::test_items(&code);
        let shipped = scan::without(&code, &tests);
        let shipped_with_strings = scan::without(&scan::blank(&text, scan::Strings::Keep), &tests);
        let test_lines = tests.iter().map(|item| code[item.range.clone()].lines().count()).sum();
        let test_modules = tests.into_iter().filter_map(|item| item.module).collect();
        Self { path: path.to_owned(), text, code, shipped_with_strings, shipped, test_lines, test_modules }
    }

    /// The functions outside test code.
    pub(crate) fn functions(&self) -> Vec<Function> {
        scan::functions(&self.shipped)
    }

    /// Lines that are not test code, comments included.
    pub(crate) fn lines_without_tests(&self) -> usize {
        self.text.lines().count() - self.test_lines
    }

    /// Every place where one of `patterns` stands in `view`, as `path:line: pattern`.
    pub(crate) fn places(&self, view: &str, patterns: &[&str]) -> Vec<String> {
        let hits = |line: &str| patterns.iter().find(|pattern| contains_word(line, pattern)).copied();
        let lines = view.lines().enumerate();
        lines.filter_map(|(at, line)| Some(format!("{}:{}: `{}`", self.path, at + 1, hits(line)?))).collect()
    }
}

/// Whether `pattern` stands in `line` and is not the end of a longer name.
fn contains_word(line: &str, pattern: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(pattern).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + pattern.len()..].chars().next();
        let begins = !pattern.starts_with(is_name) || !before.is_some_and(is_name);
        let ends = !pattern.ends_with(is_name) || !after.is_some_and(is_name);
        begins && ends
    })
}

/// The sources below these folders; modules that are declared for tests only are marked by their path.
pub(crate) fn sources(project: &Project, folders: &[&str]) -> Vec<Source> {
    let mut found = Vec::new();
    for folder in folders {
        let before = found.len();
        collect(&project.path(""), &project.path(folder), &mut found);
        assert!(found.len() > before, "`{folder}` has no Rust file: has it moved?");
    }
    found
}

/// What is shipped: the crates and the facade, files that are for tests only left out.
pub(crate) fn shipped_sources(project: &Project) -> Vec<Source> {
    let all: Vec<Source> =
        sources(project, &["crates", "src"]).into_iter().filter(|source| is_in_src(&source.path)).collect();
    let tests: Vec<String> = all.iter().flat_map(test_files).collect();
    let is_test =
        |path: &str| tests.iter().any(|test| path == format!("{test}.rs") || path.starts_with(&format!("{test}/")));
    all.into_iter().filter(|source| !is_test(&source.path)).collect()
}

fn is_in_src(path: &str) -> bool {
    path.starts_with("src/") || path.split('/').nth(2) == Some("src")
}

/// Where the test modules of a file are, without the extension.
fn test_files(source: &Source) -> Vec<String> {
    let path = Path::new(&source.path);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = path.parent().unwrap_or(Path::new(""));
    let folder = if ["lib", "main", "mod"].contains(&&*stem) { folder.to_owned() } else { folder.join(&*stem) };
    source.test_modules.iter().map(|module| folder.join(module).to_string_lossy().into_owned()).collect()
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<Source>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !["target", "node_modules", ".venv"].contains(&&*name) {
            collect(root, &path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let relative = path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
            found.push(Source::new(&relative, text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Source;

    const FILE: &str = "//! Doc `2025-06-18`.\nuse a::b; /* c /* d */ e */\nfn f<'a>(x: &'a str) -> char {\n    \
        let s = \"\\\"crate::no\"; let r = r#\"q\" }\"#; '{'\n}\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\n";

    #[test]
    fn views_leave_out_what_they_say() {
        let source = Source::new("x.rs", FILE.to_owned());
        assert!(!source.code.contains("Doc") && !source.code.contains("crate") && source.code.contains("fn g"));
        assert!(source.shipped_with_strings.contains("crate::no") && !source.shipped_with_strings.contains("2025"));
        assert!(!source.shipped.contains("fn g") && source.shipped.contains("fn f<'a>"));
        assert_eq!(source.shipped.lines().count(), source.text.lines().count());
    }

    #[test]
    fn functions_are_measured_by_their_braces() {
        let source = Source::new("x.rs", FILE.to_owned());
        let functions = source.functions();
        let found: Vec<_> = functions.iter().map(|f| (f.name.as_str(), f.line, f.lines)).collect();
        assert_eq!(found, [("f", 3, 3)]);
        assert_eq!(source.lines_without_tests(), 5);
    }

    #[test]
    fn a_word_is_not_found_inside_another() {
        let source = Source::new("x.rs", "IgnoredAnything IgnoredAny::new()\n".to_owned());
        assert_eq!(source.places(&source.code, &["IgnoredAny"]), ["x.rs:1: `IgnoredAny`"]);
        assert!(source.places(&source.code, &["Ignored"]).is_empty());
    }
}
