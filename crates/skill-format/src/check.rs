//! Checks a whole skill: its path, its files and its frontmatter, for the macro and the runtime.

use crate::frontmatter::Frontmatter;
use crate::path::{check_file_path, check_file_set, check_skill_path};

/// The frontmatter of a valid skill, or all problems with their remedies.
///
/// `files` are paths inside the skill with the bytes.
/// ```
/// use grange_skill_format::check_skill;
///
/// let skill_md = "---\nname: refunds\ndescription: Refund.\n---\n".as_bytes();
/// let frontmatter = check_skill("acme/refunds", &[("SKILL.md", skill_md)]).expect("the skill is valid");
/// assert_eq!(frontmatter.name(), "refunds");
/// let problems = check_skill("refunds", &[("skill.md", skill_md), ("a b.md", b"")]).unwrap_err();
/// assert_eq!(problems[1], "there is no SKILL.md: rename `skill.md`");
/// assert_eq!(problems.len(), 2);
/// ```
///
/// # Errors
/// All problems.
pub fn check_skill(path: &str, files: &[(&str, &[u8])]) -> Result<Frontmatter, Vec<String>> {
    let mut problems = Vec::new();
    for (file, _) in files {
        problems.extend(check_file_path(file).err().map(|error| format!("file `{file}` {error}")));
    }
    if let Err(errors) = check_file_set(files.iter().map(|(file, _)| *file)) {
        problems.extend(errors.iter().map(ToString::to_string));
    }
    let frontmatter = if let Some((_, bytes)) = files.iter().find(|(file, _)| *file == "SKILL.md") {
        Frontmatter::parse(bytes).map_err(|error| format!("SKILL.md: {error}"))
    } else {
        let near = files.iter().find(|(file, _)| file.eq_ignore_ascii_case("SKILL.md"));
        let remedy = near.map_or("add one".to_owned(), |(file, _)| format!("rename `{file}`"));
        Err(format!("there is no SKILL.md: {remedy}"))
    };
    let fits = match &frontmatter {
        Ok(frontmatter) => frontmatter.check_path(path),
        Err(_) => check_skill_path(path),
    };
    problems.extend(fits.err().map(|error| format!("the path `{path}` {error}")));
    match frontmatter {
        Ok(frontmatter) if problems.is_empty() => Ok(frontmatter),
        Ok(_) => Err(problems),
        Err(problem) => {
            problems.push(problem);
            Err(problems)
        }
    }
}
