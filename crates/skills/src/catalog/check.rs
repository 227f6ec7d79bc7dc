//! Checks each skill alone, and that no two have the same path.

use std::collections::BTreeMap;

use grange_skill_format::{check_file_path, check_skill};
use serde_json::value::RawValue;

use super::notes::Notes;
use crate::skill::Skill;

/// A skill without problems.
pub(super) struct Checked<'a> {
    pub(super) skill: &'a Skill,
    pub(super) frontmatter: Box<RawValue>,
    pub(super) name: String,
    pub(super) description: String,
}

/// The skills without problems, by the URIs of their roots.
pub(super) fn check<'a>(skills: &'a [Skill], notes: &mut Notes) -> BTreeMap<String, Checked<'a>> {
    let mut checked = BTreeMap::new();
    let mut names: BTreeMap<String, &str> = BTreeMap::new();
    for skill in skills {
        let path = skill.path.as_str();
        let Some(found) = check_one(skill, notes) else { continue };
        if let Some(first) = names.insert(found.name.clone(), path).filter(|first| *first != path) {
            notes.warning(path, format_args!("has the name of `{first}`: a host may show only one of them"));
        }
        if checked.insert(format!("skill://{path}"), found).is_some() {
            notes.error(path, "two skills are at this path: serve one `.at(…)` another");
        }
    }
    checked
}

fn check_generated(skill: &Skill, notes: &mut Notes) {
    let path = skill.path.as_str();
    for resource in skill.generated.iter().flatten() {
        let uri = resource.uri();
        let inside = uri.strip_prefix("skill://").and_then(|rest| rest.strip_prefix(path)?.strip_prefix('/'));
        match inside.map(check_file_path) {
            Some(Ok(())) => {}
            Some(Err(error)) => notes.error(path, format!("resource `{uri}` {error}")),
            None => notes.error(path, format!("resource `{uri}` is not under `skill://{path}/`: give it such a URI")),
        }
    }
}

fn check_one<'a>(skill: &'a Skill, notes: &mut Notes) -> Option<Checked<'a>> {
    let path = skill.path.as_str();
    check_generated(skill, notes);
    // Problems in the directory explain missing files, so those are not reported too.
    if !skill.problems.is_empty() {
        for problem in &skill.problems {
            notes.error(path, problem);
        }
        return None;
    }
    let files: Vec<(&str, &[u8])> = skill.files.iter().map(|(file, bytes)| (file.as_str(), &bytes[..])).collect();
    let frontmatter = match check_skill(path, &files) {
        Ok(frontmatter) => frontmatter,
        Err(problems) => {
            for problem in problems {
                notes.error(path, problem);
            }
            return None;
        }
    };
    for lint in frontmatter.lints() {
        notes.warning(path, format_args!("SKILL.md: {lint}"));
    }
    let (name, description) = (frontmatter.name().to_owned(), frontmatter.description().to_owned());
    let frontmatter = RawValue::from_string(frontmatter.json().to_owned()).ok()?;
    Some(Checked { skill, frontmatter, name, description })
}
