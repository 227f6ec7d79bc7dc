//! A Rust source file as the structural rules see it: code apart from comments, string contents and test code.
//!
//! Every view has the line breaks of the file, so that a rule can name the line.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::project::Project;

/// Where they are.
pub(crate) const FOLDERS: [&str; 7] = ["crates", "src", "examples", "tests", "benches", "fuzz", "xtask"];

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

impl Source {
    pub(crate) fn new(path: &str, text: String) -> Self {
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
        let blank: Vec<u8> = text.bytes().map(|byte| if byte == b'\n' { byte } else { b' ' }).collect();
        let all = [blank.clone(), blank.clone(), blank];
        let mut views = Views { text: &text, all, test_lines: 0, test_modules: Vec::new() };
        views.copy(tokens, false);
        let Views { all, test_lines, test_modules, .. } = views;
        let [code, shipped, shipped_with_strings] =
            all.map(|view| String::from_utf8(view).expect("only whole tokens are copied"));
        Self { path: path.to_owned(), code, shipped_with_strings, shipped, text, test_lines, test_modules }
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

/// The views of a text while its tokens are copied into them.
struct Views<'a> {
    text: &'a str,
    /// `code`, `shipped` and `shipped_with_strings`.
    all: [Vec<u8>; 3],
    test_lines: usize,
    test_modules: Vec<String>,
}

impl Views<'_> {
    fn copy(&mut self, tokens: TokenStream, is_test: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut test_end = 0;
        for (at, token) in tokens.iter().enumerate() {
            if at >= test_end && self.is_test_attribute(&tokens[at..]) {
                test_end = at + item_length(&tokens[at..]);
                let item = &tokens[at..test_end];
                self.test_modules.extend(declared_module(item));
                self.test_lines += if is_test { 0 } else { lines(item) };
            }
            self.copy_token(token, is_test || at < test_end);
        }
    }

    fn is_test_attribute(&self, tokens: &[TokenTree]) -> bool {
        matches!(tokens, [TokenTree::Punct(_), TokenTree::Group(group), ..]
            if &self.text[group.span().byte_range()] == "[cfg(test)]")
    }

    fn copy_token(&mut self, token: &TokenTree, is_test: bool) {
        let range = token.span().byte_range();
        let written = &self.text[range.clone()];
        match token {
            // A comment that documents is an attribute to the parser.
            _ if written.starts_with("//") || written.starts_with("/*") => {}
            TokenTree::Group(group) => {
                self.copy_code(group.span_open().byte_range(), is_test);
                self.copy(group.stream(), is_test);
                self.copy_code(group.span_close().byte_range(), is_test);
            }
            TokenTree::Literal(_) if written.ends_with(['"', '\'', '#']) => self.copy_text(range, is_test),
            _ => self.copy_code(range, is_test),
        }
    }

    fn copy_code(&mut self, range: Range<usize>, is_test: bool) {
        let shown = if is_test { 1 } else { 3 };
        self.all[..shown].iter_mut().for_each(|view| copy(self.text, range.clone(), view));
    }

    /// Copies a string with its contents, or the ends of it alone.
    fn copy_text(&mut self, range: Range<usize>, is_test: bool) {
        let (first, last) = (range.start..range.start + 1, range.end - 1..range.end);
        for view in &mut self.all[..if is_test { 1 } else { 2 }] {
            copy(self.text, first.clone(), view);
            copy(self.text, last.clone(), view);
        }
        if !is_test {
            copy(self.text, range, &mut self.all[2]);
        }
    }
}

fn copy(text: &str, range: Range<usize>, view: &mut [u8]) {
    view[range.clone()].copy_from_slice(&text.as_bytes()[range]);
}

/// The tokens of the item that these begin with: up to its block or its semicolon.
fn item_length(tokens: &[TokenTree]) -> usize {
    let is_end = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    };
    tokens.iter().position(is_end).map_or(tokens.len(), |end| end + 1)
}

fn lines(item: &[TokenTree]) -> usize {
    let first = item.first().map_or(0, |token| token.span().start().line);
    item.last().map_or(0, |token| token.span().end().line + 1 - first)
}

/// The name of an item that is a module in a file of its own.
fn declared_module(item: &[TokenTree]) -> Option<String> {
    match item {
        [.., TokenTree::Ident(keyword), TokenTree::Ident(name), TokenTree::Punct(_)] if keyword == "mod" => {
            Some(name.to_string())
        }
        _ => None,
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

/// Every file, read once.
fn all() -> &'static [Source] {
    static ALL: OnceLock<Vec<Source>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut found = Vec::new();
        let root = Project::find().path("");
        for folder in FOLDERS {
            collect(&root, &root.join(folder), &mut found);
        }
        found
    })
}

/// The sources below these folders.
pub(crate) fn sources(folders: &[&str]) -> Vec<&'static Source> {
    let mut found = Vec::new();
    for folder in folders {
        let before = found.len();
        found.extend(all().iter().filter(|source| Path::new(&source.path).starts_with(folder)));
        assert!(found.len() > before, "`{folder}` has no Rust file: has it moved?");
    }
    found
}

/// What is shipped: the crates and the facade, files that are for tests only left out.
pub(crate) fn shipped_sources() -> Vec<&'static Source> {
    let mut shipped = sources(&["crates", "src"]);
    shipped.retain(|source| is_in_src(&source.path));
    let tests: Vec<String> = shipped.iter().flat_map(|source| test_files(source)).collect();
    let is_test =
        |path: &str| tests.iter().any(|test| path == format!("{test}.rs") || path.starts_with(&format!("{test}/")));
    shipped.retain(|source| !is_test(&source.path));
    shipped
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
        assert_eq!(source.lines_without_tests(), 5);
    }

    #[test]
    fn a_word_is_not_found_inside_another() {
        let source = Source::new("x.rs", "IgnoredAnything IgnoredAny::new()\n".to_owned());
        assert_eq!(source.places(&source.code, &["IgnoredAny"]), ["x.rs:1: `IgnoredAny`"]);
        assert!(source.places(&source.code, &["Ignored"]).is_empty());
    }
}
