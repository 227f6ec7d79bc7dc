//! What a page shows of a file is the file: word for word, and the whole of it.

use std::fs;

use super::none;
use crate::project::Project;

/// A page, the language of its one block in that language, and the file that the block is.
const QUOTES: &[(&str, &str, &str)] = &[
    ("docs/guide/deploy.md", "nginx", "examples/deploy/nginx.conf"),
    ("docs/guide/deploy.md", "yaml", "examples/deploy/kubernetes.yaml"),
];

#[test]
fn a_page_shows_the_files_that_are_tested() {
    let project = Project::find();
    let read = |path: &str| fs::read_to_string(project.path(path)).unwrap();
    let different = QUOTES.iter().filter(|(page, language, file)| blocks(&read(page), language) != [read(file)]);
    let places: Vec<String> = different.map(|(page, language, file)| format!("{page}: `{language}`: {file}")).collect();
    none(&places, "copy the file into the page's block, which has to be the only one of its language");
}

/// The contents of a page's blocks in a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let opening = format!("```{language}\n");
    let mut found = Vec::new();
    let mut block: Option<String> = None;
    for line in page.split_inclusive('\n') {
        match &mut block {
            Some(text) if line != "```\n" => text.push_str(line),
            Some(_) => found.extend(block.take()),
            None if line == opening => block = Some(String::new()),
            None => {}
        }
    }
    found
}

#[test]
fn blocks_are_found_by_their_language() {
    let page = "a\n```yaml\nb: 1\n```\n```rust\nc\n```\n```yaml\n\nd: 2\n```\n";
    assert_eq!(blocks(page, "yaml"), ["b: 1\n", "\nd: 2\n"]);
    assert_eq!(blocks(page, "rust"), ["c\n"]);
    assert!(blocks(page, "nginx").is_empty());
    assert!(blocks("```yaml\nnot closed\n", "yaml").is_empty());
}
