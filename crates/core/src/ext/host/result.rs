//! The host's results, read strictly: a tool gets well-formed values, or an error that states the problem.

use base64_simd::STANDARD;
use serde_json::{Map, Value};

use crate::model::{Contents, Item, Metadata};

/// A list of the host's files.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HostList {
    /// The files.
    pub resources: Vec<HostFile>,
    /// Where the next page begins. The known hosts return all files on one page.
    pub next_cursor: Option<String>,
}

/// One file of the host.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HostFile {
    /// The URI to read it by, as in `files://fl_0123456789abcdef01234567`.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// Its MIME type.
    pub mime_type: Option<String>,
    /// Its `_meta`.
    pub meta: Option<Map<String, Value>>,
}

type Members = Map<String, Value>;

pub(super) fn contents(result: Value) -> Result<Contents, String> {
    let mut result = object(result, "the result")?;
    let items = array(result.remove("contents"), "contents")?;
    let mut contents =
        Contents { items: Vec::with_capacity(items.len()), meta: meta(&mut result)?.unwrap_or_default().into() };
    for given in items {
        contents.items.push(item(object(given, "an item of \"contents\"")?)?);
    }
    Ok(contents)
}

fn item(mut given: Members) -> Result<Item, String> {
    let uri = required(&mut given, "uri")?;
    let mut item = match (given.remove("text"), given.remove("blob")) {
        (Some(Value::String(text)), None) => Item::text(uri, text),
        (None, Some(Value::String(blob))) => {
            let bytes = STANDARD.decode_to_vec(blob).map_err(|_| "\"blob\" is no base64".to_owned())?;
            Item::bytes(uri, bytes)
        }
        (Some(_), Some(_)) => return Err("an item has both \"text\" and \"blob\"".to_owned()),
        (None, None) => return Err("an item has neither \"text\" nor \"blob\"".to_owned()),
        (Some(_), None) => return Err("\"text\" must be a string".to_owned()),
        (None, Some(_)) => return Err("\"blob\" must be a string".to_owned()),
    };
    item.mime_type = optional(&mut given, "mimeType")?.map(Into::into);
    item.meta = meta(&mut given)?.map(Metadata::from).unwrap_or_default();
    Ok(item)
}

pub(super) fn list(result: Value) -> Result<HostList, String> {
    let mut result = object(result, "the result")?;
    let mut resources = Vec::new();
    for given in array(result.remove("resources"), "resources")? {
        let mut given = object(given, "an entry of \"resources\"")?;
        resources.push(HostFile {
            uri: required(&mut given, "uri")?,
            name: required(&mut given, "name")?,
            mime_type: optional(&mut given, "mimeType")?,
            meta: meta(&mut given)?,
        });
    }
    Ok(HostList { resources, next_cursor: optional(&mut result, "nextCursor")? })
}

fn object(value: Value, what: &str) -> Result<Members, String> {
    match value {
        Value::Object(members) => Ok(members),
        _ => Err(format!("{what} is no object")),
    }
}

fn array(value: Option<Value>, name: &str) -> Result<Vec<Value>, String> {
    match value {
        Some(Value::Array(items)) => Ok(items),
        Some(_) => Err(format!("\"{name}\" must be an array")),
        None => Err(format!("\"{name}\" is missing")),
    }
}

fn required(members: &mut Members, name: &str) -> Result<String, String> {
    optional(members, name)?.ok_or_else(|| format!("\"{name}\" is missing"))
}

fn optional(members: &mut Members, name: &str) -> Result<Option<String>, String> {
    match members.remove(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("\"{name}\" must be a string")),
    }
}

fn meta(members: &mut Members) -> Result<Option<Members>, String> {
    match members.remove("_meta") {
        None => Ok(None),
        Some(meta) => object(meta, "\"_meta\"").map(Some),
    }
}
