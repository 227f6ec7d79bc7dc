//! The packages of the workspace that are published.

use serde_json::Value;

use crate::process::{Failure, Outcome, capture};
use crate::project::Project;

/// One of them, as `cargo metadata` has it.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Without `default`.
    pub(crate) features: Vec<String>,
}

pub(crate) fn published(project: &Project) -> Outcome<Vec<Package>> {
    let text = capture(&mut project.cargo("metadata --format-version 1 --no-deps"))?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| Failure::new(error.to_string()))?;
    let packages = metadata["packages"].as_array().ok_or_else(|| Failure::new("cargo metadata has no packages"))?;
    let published = packages.iter().filter(|package| package["publish"].is_null());
    Ok(published.filter_map(|package| Some(Package { name: name(package)?, features: features(package) })).collect())
}

fn name(package: &Value) -> Option<String> {
    package["name"].as_str().map(str::to_owned)
}

fn features(package: &Value) -> Vec<String> {
    let features = package["features"].as_object();
    features.into_iter().flat_map(|features| features.keys()).filter(|name| *name != "default").cloned().collect()
}
