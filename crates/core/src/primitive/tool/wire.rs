//! Tools on the wire: every JSON name of their list entries and results. A name is written only where the row has it.

use crate::era::{Era, ToolFields, hint_members, icon, meta_value};
use crate::model::{Block, ContentBlock, Link, Payload, ToolAnnotations, ToolListing, ToolResult};
use crate::primitive::resource::{encoded_payload, item, listing_members};
use crate::rpc::{Json, write_array, write_value};

/// An entry of `tools/list`.
pub(super) fn entry(out: &mut Vec<u8>, listing: &ToolListing, fields: &ToolFields) {
    let mut entry = Json::object(out);
    entry.string("name", &listing.name);
    if fields.structured {
        entry.optional("title", listing.title.as_deref());
    }
    entry.optional("description", listing.description.as_deref());
    if let Some(schema) = &listing.input_schema {
        entry.foreign("inputSchema", schema.json());
    }
    let output = listing.output_schema.as_ref().filter(|_| fields.structured);
    if let Some(schema) = output.filter(|schema| fields.any_structured || schema.is_of_object()) {
        entry.foreign("outputSchema", schema.json());
    }
    if fields.annotations && !listing.annotations.is_empty() {
        tool_annotations(entry.member("annotations"), &listing.annotations);
    }
    if fields.icons && !listing.icons.is_empty() {
        write_array(entry.member("icons"), &listing.icons, icon);
    }
    if fields.structured && !listing.meta.is_empty() {
        meta_value(entry.member("_meta"), &listing.meta);
    }
    entry.end();
}

fn tool_annotations(out: &mut Vec<u8>, annotations: &ToolAnnotations) {
    let mut object = Json::object(out);
    object.optional("title", annotations.title.as_deref());
    let hints = [
        ("readOnlyHint", annotations.read_only),
        ("destructiveHint", annotations.destructive),
        ("idempotentHint", annotations.idempotent),
        ("openWorldHint", annotations.open_world),
    ];
    for (name, hint) in hints {
        if let Some(hint) = hint {
            object.raw(name, if hint { b"true" } else { b"false" });
        }
    }
    object.end();
}

/// The members of a tool's result.
pub(crate) fn result(out: &mut Vec<u8>, result: &ToolResult, era: &Era) {
    out.extend_from_slice(b"\"content\":");
    let alone = result.structured.as_ref().filter(|_| result.content.is_empty());
    let alone = alone.map(|value| ContentBlock::text(value.to_string()));
    write_array(out, result.content.iter().chain(&alone), |out, block| content(out, block, era));
    let structured = result.structured.as_ref().filter(|_| era.tools.structured);
    if let Some(value) = structured.filter(|value| era.tools.any_structured || value.is_object()) {
        out.extend_from_slice(b",\"structuredContent\":");
        write_value(out, value);
    }
    if result.is_error {
        out.extend_from_slice(b",\"isError\":true");
    }
}

/// One block. A kind of block that the row does not have becomes a text that describes it.
fn content(out: &mut Vec<u8>, content: &ContentBlock, era: &Era) {
    let mut block = Json::object(out);
    match &content.block {
        Block::Text(text) => text_members(&mut block, text),
        Block::Image { payload, mime_type } => media_members(&mut block, "image", payload, mime_type),
        Block::Audio { payload, mime_type } if era.tools.annotations => {
            media_members(&mut block, "audio", payload, mime_type);
        }
        Block::Audio { mime_type, .. } => {
            text_members(&mut block, &format!("({mime_type} audio, which protocol {} cannot carry)", era.name));
        }
        Block::Resource(embedded) => {
            block.string("type", "resource");
            let uri = embedded.uri.as_deref().unwrap_or_default();
            let (mime_type, resource) = (embedded.mime_type.as_deref(), block.member("resource"));
            item(resource, uri, mime_type, &embedded.meta, &embedded.payload, era.fields);
        }
        Block::Link(link) if era.tools.structured => {
            block.string("type", "resource_link");
            listing_members(&mut block, "uri", &link.0, &content.annotations, era.fields);
        }
        Block::Link(link) => text_members(&mut block, &described(link)),
    }
    let said = matches!(content.block, Block::Link(_)) && era.tools.structured;
    if !said {
        hint_members(&mut block, &content.annotations, era.fields);
    }
    if era.fields.meta && !content.meta.is_empty() {
        meta_value(block.member("_meta"), &content.meta);
    }
    block.end();
}

fn text_members(block: &mut Json<'_>, text: &str) {
    block.string("type", "text");
    block.string("text", text);
}

fn media_members(block: &mut Json<'_>, kind: &str, payload: &Payload, mime_type: &str) {
    block.string("type", kind);
    encoded_payload(block.member("data"), payload);
    block.string("mimeType", mime_type);
}

fn described(link: &Link) -> String {
    let name = link.0.title.as_deref().unwrap_or(&link.0.name);
    format!("{name}: {}", link.0.uri)
}
