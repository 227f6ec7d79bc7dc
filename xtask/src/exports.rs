//! A type in a public signature has a name that users can write: the facade exports it if the facade exports what uses it, and the
//! crate that defines it does in any case.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::process::{Failure, Outcome};

const FACADE: &str = "grange";
/// What may stay without a name there: the crate that defines it, its name, and the reason. An entry that is not needed fails.
const UNNAMED: &[(&str, &str, &str)] = &[];

/// What rustdoc's JSON says of our crates, by name.
#[derive(Debug, Default)]
pub(crate) struct Docs(BTreeMap<String, Doc>);

/// One crate. An item has an id that counts there alone, and a path to where it is defined that is the same for all crates.
#[derive(Debug)]
struct Doc {
    json: Value,
    ids: BTreeMap<String, String>,
}

/// The types that lack a name, each with one of its users.
type Unnamed = BTreeMap<(String, String), String>;

/// Fails with every type that lacks a name and is not excused, and with every excuse that is not needed.
pub(crate) fn check(docs: &Docs) -> Outcome {
    let unnamed = docs.unnamed();
    let lacking = unnamed.iter().filter(|((lacks, path), _)| !UNNAMED.iter().any(|entry| excuses(entry, lacks, path)));
    let lacking = lacking.map(|((lacks, path), user)| format!("{user} uses {path}, which {lacks} does not export"));
    let is_idle = |entry: &&_| !unnamed.keys().any(|(lacks, path)| excuses(entry, lacks, path));
    let idle = UNNAMED.iter().filter(is_idle);
    let idle =
        idle.map(|(definer, name, _)| format!("{definer}'s {name} is excused, and need not be: remove the excuse"));
    let problems: Vec<String> = lacking.chain(idle).collect();
    if problems.is_empty() {
        return Ok(());
    }
    let remedy = "export them, or name them with a reason in xtask/src/exports.rs";
    Err(Failure::new(format!("types in public signatures lack a name: {remedy}:\n  {}", problems.join("\n  "))))
}

fn excuses((definer, name, _): &(&str, &str, &str), lacks: &str, path: &str) -> bool {
    lacks == FACADE && path.starts_with(&format!("{definer}::")) && path.ends_with(&format!("::{name}"))
}

impl Docs {
    pub(crate) fn add(&mut self, json: Value) {
        let paths = json["paths"].as_object().into_iter().flatten();
        let ours = paths.filter(|(_, summary)| summary["crate_id"] == 0);
        let ids = ours.map(|(id, summary)| (joined(summary), id.clone())).collect();
        let name = json["index"][json["root"].to_string()]["name"].as_str().unwrap_or_default().to_owned();
        self.0.insert(name, Doc { json, ids });
    }

    fn unnamed(&self) -> Unnamed {
        let exports: BTreeMap<&str, BTreeSet<String>> =
            self.0.keys().map(|name| (name.as_str(), self.exported_by(name))).collect();
        let mut found = Unnamed::new();
        for (name, paths) in &exports {
            for (user, path) in paths.iter().flat_map(|path| self.used_by(path)) {
                let definer = path.split("::").next().unwrap_or_default();
                let exporter = if *name == FACADE { FACADE } else { definer };
                let is_ours = self.0.contains_key(definer);
                if is_ours && !exports.get(exporter).is_some_and(|exported| exported.contains(&path)) {
                    found.insert((exporter.to_owned(), path), user);
                }
            }
        }
        found
    }

    /// The item of a path, and the crate that defines it.
    fn item(&self, path: &str) -> Option<(&Doc, &Value)> {
        let doc = self.0.get(path.split("::").next()?)?;
        Some((doc, &doc.json["index"][doc.ids.get(path)?]))
    }

    /// The paths of all that a crate lets users name.
    fn exported_by(&self, name: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut next = vec![name.to_owned()];
        while let Some(path) = next.pop() {
            if let Some((doc, item)) = self.item(&path).filter(|_| !found.contains(&path)) {
                next.extend(doc.exported_from(item));
            }
            found.insert(path);
        }
        found
    }

    /// The paths in the signatures of an item and of its members, each with who uses it.
    fn used_by(&self, path: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        if let Some((doc, item)) = self.item(path) {
            doc.walk(item, path, &mut found);
        }
        found
    }
}

impl Doc {
    fn path(&self, id: &str) -> Option<String> {
        Some(&self.json["paths"][id]).filter(|summary| summary.is_object()).map(joined)
    }

    /// What a module exports. A `use` stands for its target, one of all names for all that its target exports.
    fn exported_from(&self, module: &Value) -> Vec<String> {
        let items = module["inner"]["module"]["items"].as_array().into_iter().flatten();
        let exported = items.flat_map(|id| {
            let used = &self.json["index"][id.to_string()]["inner"]["use"];
            let target = &self.json["index"][used["id"].to_string()];
            if used["is_glob"] == true && target.is_object() {
                return self.exported_from(target);
            }
            let id = if used.is_null() { id } else { &used["id"] };
            self.path(&id.to_string()).into_iter().collect()
        });
        exported.collect()
    }

    fn walk(&self, item: &Value, user: &str, found: &mut Vec<(String, String)>) {
        let inner = &item["inner"];
        let has_signature = inner["module"].is_null() && inner["use"].is_null();
        if !has_signature || inner["impl"]["is_synthetic"] == true || inner["impl"]["blanket_impl"].is_object() {
            return;
        }
        let user = match item["name"].as_str() {
            Some(name) if !user.ends_with(&format!("::{name}")) => format!("{user}::{name}"),
            _ => user.to_owned(),
        };
        self.gather(inner, &user, found);
    }

    /// A path is an object with an `id`; a number in an array is the id of a member.
    fn gather(&self, value: &Value, user: &str, found: &mut Vec<(String, String)>) {
        match value {
            Value::Object(members) => {
                let path = members.get("args").and_then(|_| self.path(&members.get("id")?.to_string()));
                found.extend(path.map(|path| (user.to_owned(), path)));
                // Who implements a trait is no part of its signature, and the trait of an `impl` need not be named to be used.
                let is_impl = members.contains_key("for");
                let is_part = |key: &str| key != "implementations" && !(is_impl && key == "trait");
                let parts = members.iter().filter(|(key, _)| is_part(key));
                parts.for_each(|(_, part)| self.gather(part, user, found));
            }
            Value::Array(parts) => parts.iter().for_each(|part| match part {
                Value::Number(id) => self.walk(&self.json["index"][id.to_string()], user, found),
                part => self.gather(part, user, found),
            }),
            _ => {}
        }
    }
}

fn joined(summary: &Value) -> String {
    let parts = summary["path"].as_array().into_iter().flatten().filter_map(Value::as_str);
    parts.collect::<Vec<_>>().join("::")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Docs;

    /// A crate whose root exports `exported`; each item is its id, its path and what rustdoc says of it.
    fn docs(name: &str, exported: &Value, items: &[(&str, &str, Value)]) -> Value {
        let mut json = json!({ "root": 0, "index": {}, "paths": { "0": { "crate_id": 0, "path": [name] } } });
        json["index"]["0"] = json!({ "name": name, "inner": { "module": { "items": exported } } });
        for (id, path, inner) in items {
            let path: Vec<&str> = path.split("::").collect();
            json["index"][id] = json!({ "name": path.last(), "inner": inner });
            json["paths"][id] = json!({ "crate_id": i32::from(path[0] != name), "path": path });
        }
        json
    }

    #[test]
    fn a_planted_type_without_a_name_is_found() {
        let returns = json!({ "function": { "sig": { "output": { "resolved_path": { "id": 3, "args": null } } } } });
        let mut all = Docs::default();
        let used = |id: u32, is_glob: bool| json!({ "use": { "id": id, "is_glob": is_glob } });
        let module = json!({ "module": { "items": [1] } });
        let items = [("1", "grange::A", used(9, false)), ("9", "core::deep::A", Value::Null)];
        let globbed = [("2", "grange::glob", used(3, true)), ("3", "grange::inner", module)];
        all.add(docs("grange", &json!([2]), &[items, globbed].concat()));
        let (of_a, of_b) = (json!({ "struct": { "fields": [2] } }), json!({ "struct": {} }));
        let items = [("1", "core::deep::A", of_a), ("2", "core::deep::f", returns), ("3", "core::deep::B", of_b)];
        all.add(docs("core", &json!([1]), &items));
        let found: Vec<_> = all.unnamed().into_iter().map(|((lacks, path), user)| (lacks, path, user)).collect();
        let line = |lacks: &str| (lacks.to_owned(), "core::deep::B".to_owned(), "core::deep::A::f".to_owned());
        assert_eq!(found, [line("core"), line("grange")]);
    }
}
