//! What a page shows of a file is the file: word for word, and the whole of it.

use std::fs;

use super::none;
use crate::pages::read;
use crate::project::Project;

/// A page, the language of its one block in that language, and the file that the block is.
const QUOTES: &[(&str, &str, &str)] = &[
    ("docs/guide/deploy.md", "nginx", "examples/deploy/nginx.conf"),
    ("docs/guide/deploy.md", "yaml", "examples/deploy/kubernetes.yaml"),
];

#[test]
fn a_page_shows_the_files_that_are_tested() {
    let project = Project::find();
    let text = |path: &str| fs::read_to_string(project.path(path)).unwrap();
    let different = QUOTES.iter().filter(|(page, language, file)| blocks(&text(page), language) != [text(file)]);
    let places: Vec<String> = different.map(|(page, language, file)| format!("{page}: `{language}`: {file}")).collect();
    none(&places, "copy the file into the page's block, which has to be the only one of its language");
}

/// The contents of a page's blocks in a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let (blocks, _) = read(page);
    blocks.into_iter().filter(|block| block.language == language).map(|block| block.text).collect()
}
