//! The page of the examples lists each of them.

use std::fs;
use std::path::Path;

use super::none;
use crate::project::Project;

#[test]
fn every_example_is_on_their_page() {
    let project = Project::find();
    let page = fs::read_to_string(project.path("examples/README.md")).unwrap();
    let entries = fs::read_dir(project.path("examples")).unwrap().map(|entry| entry.unwrap());
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).filter_map(|name| {
        let is_package = project.path(&format!("examples/{name}/Cargo.toml")).exists();
        let is_file = || Path::new(&name).extension().is_some_and(|extension| extension == "rs");
        if is_package { Some(format!("{name}/src/main.rs")) } else { is_file().then_some(name) }
    });
    // One that has a page of its own is linked by that.
    let is_listed = |name: &String| {
        let own = format!("({}/README.md)", name.trim_end_matches(".rs"));
        page.contains(&format!("({name})")) || page.contains(&own)
    };
    let missing: Vec<String> = names.filter(|name| !is_listed(name)).collect();
    none(&missing, "list it in examples/README.md");
}
