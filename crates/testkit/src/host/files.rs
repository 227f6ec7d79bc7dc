//! The files of a fake host, and its results and errors for them. The checks run in the same order as in real hosts.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::{Value, json};

use super::names::SCHEME;
use super::rejection::Rejection;

const PREFIX: &str = "files://";

/// The files, in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub(super) struct Files(Vec<File>);

#[derive(Clone, Debug)]
pub(super) struct File {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) mime_type: String,
    pub(super) bytes: Bytes,
    pub(super) tags: Vec<String>,
}

impl Files {
    /// Adds a file, or replaces the one with the same id.
    pub(super) fn add(&mut self, file: File) {
        self.0.retain(|other| other.id != file.id);
        self.0.push(file);
    }

    /// The result of a read. Checks the scheme, then the file, then its size.
    pub(super) fn read(&self, params: &Value, max_size: u64) -> Result<Value, Rejection> {
        let uri = &params["uri"];
        let id = uri.as_str().and_then(|uri| uri.strip_prefix(PREFIX)).filter(|id| !id.is_empty());
        let id = id.ok_or_else(|| Rejection::unsupported("uri", uri))?;
        let file = self.0.iter().find(|file| file.id == id).ok_or_else(|| Rejection::not_found(uri))?;
        let size = file.bytes.len() as u64;
        if size > max_size {
            return Err(Rejection::too_large(uri, size, max_size));
        }
        let mut item = json!({ "uri": uri, "mimeType": file.mime_type });
        if is_text(&file.mime_type) {
            item["text"] = String::from_utf8_lossy(&file.bytes).into();
        } else {
            item["blob"] = STANDARD.encode(&file.bytes).into();
        }
        Ok(json!({ "contents": [item] }))
    }

    /// The result of a list. Checks the scheme, then the cursor, then the type of the tags.
    pub(super) fn list(&self, params: &Value) -> Result<Value, Rejection> {
        let filter = &params["_meta"]["filter"];
        if let Some(scheme) = filter.get("scheme").filter(|scheme| *scheme != SCHEME) {
            return Err(Rejection::unsupported("scheme", scheme));
        }
        if let Some(cursor) = params["cursor"].as_str().filter(|cursor| !cursor.is_empty()) {
            return Err(Rejection::cursor(cursor));
        }
        let tags = match filter.get("tags") {
            None => &[][..],
            Some(Value::Array(tags)) => tags,
            Some(other) => return Err(Rejection::tags(other)),
        };
        let fits = |file: &&File| {
            let of_type = filter.get("mimeType").is_none_or(|wanted| *wanted == file.mime_type);
            of_type && tags.iter().all(|wanted| file.tags.iter().any(|tag| wanted == tag))
        };
        let entry = |file: &File| json!({ "uri": format!("{PREFIX}{}", file.id), "name": file.name, "mimeType": file.mime_type });
        Ok(json!({ "resources": self.0.iter().filter(fits).map(entry).collect::<Vec<_>>() }))
    }
}

/// Whether files of this type are sent as text. Parameters of the type are ignored.
fn is_text(mime_type: &str) -> bool {
    let bare = mime_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    bare.starts_with("text/") || ["application/json", "application/xml", "application/yaml"].contains(&&*bare)
}
