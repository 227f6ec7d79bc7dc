//! Features only add: every published package type-checks with each of its features alone, and with none.

use crate::packages::published;
use crate::process::{Outcome, execute};
use crate::project::Project;

pub(crate) fn run(project: &Project) -> Outcome {
    for package in published(project)?.iter().filter(|package| !package.features.is_empty()) {
        let bare = format!("check --package {} --no-default-features", package.name);
        execute(&mut project.cargo(&bare))?;
        for feature in &package.features {
            execute(&mut project.cargo(&format!("{bare} --features {feature}")))?;
        }
    }
    Ok(())
}
