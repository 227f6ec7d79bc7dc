//! The document by which clients find the issuer: metadata of a protected resource (RFC 9728).

use bytes::Bytes;
use grange_http::ResourceMetadata;
use serde_json::{Map, Value, json};

use crate::address::Address;

const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// The URL of the document: its path goes between the host of the resource and the path of the resource.
pub(crate) fn url(resource: &Address) -> String {
    resource.at(&format!("{WELL_KNOWN}{}", resource.path()))
}

/// The document, at its own path and at the root, where clients look if it is not at the first.
pub(crate) fn document(resource: &Address, issuer: &Address, scopes: &[String]) -> ResourceMetadata {
    let mut members = Map::new();
    members.insert("resource".to_owned(), json!(resource.as_str()));
    members.insert("authorization_servers".to_owned(), json!([issuer.as_str()]));
    if !scopes.is_empty() {
        members.insert("scopes_supported".to_owned(), json!(scopes));
    }
    members.insert("bearer_methods_supported".to_owned(), json!(["header"]));
    let mut paths = vec![format!("{WELL_KNOWN}{}", resource.path())];
    if !resource.path().is_empty() {
        paths.push(WELL_KNOWN.to_owned());
    }
    ResourceMetadata { paths, body: Bytes::from(Value::Object(members).to_string()) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{document, url};
    use crate::address::Address;

    fn address(text: &str) -> Address {
        Address::parse_name(text).expect(text)
    }

    #[test]
    fn the_document_is_at_its_own_path_and_at_the_root() {
        let issuer = address("https://issuer.example.com/");
        let metadata = document(&address("https://Mcp.example.com/public/mcp"), &issuer, &["a".to_owned()]);
        let expected = ["/.well-known/oauth-protected-resource/public/mcp", "/.well-known/oauth-protected-resource"];
        assert_eq!(metadata.paths, expected);
        let body: Value = serde_json::from_slice(&metadata.body).expect("JSON");
        let expected = json!({
            "resource": "https://Mcp.example.com/public/mcp",
            "authorization_servers": ["https://issuer.example.com/"],
            "scopes_supported": ["a"],
            "bearer_methods_supported": ["header"],
        });
        assert_eq!(body, expected);
    }

    #[test]
    fn a_resource_at_the_root_has_one_path() {
        for resource in ["https://mcp.example.com", "https://mcp.example.com/"] {
            let metadata = document(&address(resource), &address("https://issuer.example.com"), &[]);
            assert_eq!(metadata.paths, ["/.well-known/oauth-protected-resource"]);
            let body: Value = serde_json::from_slice(&metadata.body).expect("JSON");
            assert_eq!((&body["resource"], body.get("scopes_supported")), (&json!(resource), None));
            assert_eq!(url(&address(resource)), "https://mcp.example.com/.well-known/oauth-protected-resource");
        }
        let slash = address("https://mcp.example.com:8443/mcp/");
        assert_eq!(url(&slash), "https://mcp.example.com:8443/.well-known/oauth-protected-resource/mcp/");
    }
}
