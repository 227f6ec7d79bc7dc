//! Features only add: every published package type-checks with each of its features alone, and with none.

use serde_json::Value;

use crate::process::{self, Failure, Outcome, capture};
use crate::project::Project;

pub(crate) fn run(project: &Project) -> Outcome {
    for (package, features) in packages(project)? {
        if features.is_empty() {
            continue;
        }
        let bare = format!("check --package {package} --no-default-features");
        process::execute(&mut project.cargo(&bare))?;
        for feature in features {
            process::execute(&mut project.cargo(&format!("{bare} --features {feature}")))?;
        }
    }
    Ok(())
}

/// The published packages of the workspace with their features.
fn packages(project: &Project) -> Outcome<Vec<(String, Vec<String>)>> {
    let text = capture(&mut project.cargo("metadata --format-version 1 --no-deps"))?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| Failure::new(error.to_string()))?;
    let packages = metadata["packages"].as_array().ok_or_else(|| Failure::new("cargo metadata has no packages"))?;
    let published = packages.iter().filter(|package| package["publish"].is_null());
    Ok(published.filter_map(|package| Some((package["name"].as_str()?.to_owned(), features(package)))).collect())
}

fn features(package: &Value) -> Vec<String> {
    let features = package["features"].as_object();
    features.into_iter().flat_map(|features| features.keys()).filter(|name| *name != "default").cloned().collect()
}
