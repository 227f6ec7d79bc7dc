//! Every package of the lock file, also those only for tests and other systems, has a licence that deny.toml allows.

use std::fs;

use serde_json::Value;

use crate::process::{Failure, Outcome, capture};
use crate::project::Project;

pub(crate) fn problems(project: &Project) -> Outcome<Vec<String>> {
    let path = project.path("deny.toml");
    let deny = fs::read_to_string(&path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    let allowed = allowed(&deny);
    let text = capture(&mut project.cargo("metadata --format-version 1"))?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| Failure::new(error.to_string()))?;
    let packages = metadata["packages"].as_array().ok_or_else(|| Failure::new("cargo metadata has no packages"))?;
    println!("{} packages with a licence to check", packages.len());
    Ok(packages.iter().filter_map(|package| problem(package, &allowed)).collect())
}

fn problem(package: &Value, allowed: &[&str]) -> Option<String> {
    let name = package["name"].as_str().unwrap_or_default();
    match package["license"].as_str() {
        None => Some(format!("`{name}` names no licence: add it to deny.toml with a reason, or do without it")),
        Some(expression) if is_allowed(expression, allowed) => None,
        Some(expression) => Some(format!("`{name}` is under `{expression}`, which deny.toml does not allow")),
    }
}

/// The list `allow` of deny.toml's section on licences.
fn allowed(deny: &str) -> Vec<&str> {
    let section = deny.split_once("[licenses]").map_or("", |(_, after)| after);
    let list =
        section.split_once("allow = [").and_then(|(_, after)| after.split_once(']')).map_or("", |(list, _)| list);
    list.lines().filter_map(|line| line.trim().strip_prefix('"')?.split('"').next()).collect()
}

/// Whether an SPDX expression can be met with allowed licences. `AND` binds closer than `OR`; a slash is an old `OR`.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let met = either(&mut words, allowed);
    met && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn either(words: &mut Words<'_>, allowed: &[&str]) -> bool {
    let mut met = both(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        met |= both(words, allowed);
    }
    met
}

fn both(words: &mut Words<'_>, allowed: &[&str]) -> bool {
    let mut met = licence(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        met &= licence(words, allowed);
    }
    met
}

fn licence(words: &mut Words<'_>, allowed: &[&str]) -> bool {
    if words.next_if_eq(&"(").is_some() {
        let met = either(words, allowed);
        return words.next() == Some(")") && met;
    }
    let name = words.next().unwrap_or_default();
    match words.next_if_eq(&"WITH").and_then(|_| words.next()) {
        Some(exception) => allowed.contains(&format!("{name} WITH {exception}").as_str()),
        None => allowed.contains(&name),
    }
}

#[cfg(test)]
mod tests {
    use super::{allowed, is_allowed};

    #[test]
    fn expressions_are_read_as_spdx_says() {
        let allow = ["MIT", "Unicode-3.0"];
        for good in [
            "MIT",
            "MIT OR GPL-3.0",
            "GPL-3.0/MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "GPL-3.0 OR MIT AND Unicode-3.0",
        ] {
            assert!(is_allowed(good, &allow), "{good}");
        }
        for bad in ["GPL-3.0", "MIT AND GPL-3.0", "MIT WITH Some-exception", "(MIT", "MIT Unicode-3.0", ""] {
            assert!(!is_allowed(bad, &allow), "{bad}");
        }
    }

    #[test]
    fn the_list_is_read_from_its_section() {
        let deny =
            "[bans]\nallow = [\n \"no\",\n]\n[licenses]\nallow = [\n  # why\n  \"MIT\", # \"no\"\n  \"Zlib\",\n]\n";
        assert_eq!(allowed(deny), ["MIT", "Zlib"]);
    }
}
