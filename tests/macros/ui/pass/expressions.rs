//! Every value may be an expression, and expressions may hold commas, bars and colons of their own.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use grange::{
    Annotations, CacheScope, Contents, Context, Icon, Item, Metadata, ReadError, Resource, Role, Server, Theme, resource,
    resources,
};

const URI: &str = "docs://expressions";
const SCOPE: CacheScope = CacheScope::Public;
const KEY: &str = "example.com/computed";

struct Version {
    major: u32,
}

fn of<K: ToString, V>(map: HashMap<K, V>) -> String {
    map.into_keys().map(|key| key.to_string()).collect()
}

async fn read(cx: Context) -> Result<String, ReadError> {
    Ok(cx.uri().to_string())
}

/// A macro of the author's own hands literals on as expressions.
macro_rules! page {
    ($name:expr, $text:literal) => {
        resource! { uri: concat!("docs://", $name), name: $name, text: $text }
    };
}

fn main() {
    let role = Role::User;
    let r#type = 1;
    let shared = Arc::new(resource! {
        uri: URI,
        name: of(HashMap::<u8, Vec<u8>>::from([(1, vec![])])),
        title: HashMap::<u8, String>::new().len().to_string(),
        description: <Version as Into<Described<u8, u8>>>::into(Version { major: 1 }).0,
        mime_type: { let kind = "text"; format!("{kind}/plain") },
        size: u64::from(1_u8),
        annotations: { audience: [role, Role::Assistant, User], priority: f64::from(r#type) / 2.0 },
        icons: [Icon::new("https://example.com/a.png"), { src: String::from("https://example.com/b.png"), theme: Theme::Dark }],
        meta: { KEY: 1, (KEY): [r#type, 2], type: if r#type == 1 { "a" } else { "b" } },
        content_meta: Metadata::new().with("a", 1),
        ttl: Duration::from_millis(1) * 2,
        cache_scope: SCOPE,
        text: include_str!("values.rs"),
    });
    let copies = [
        resource! { uri: "docs://a", annotations: Annotations::new(), icons: Vec::new(), read: read, ..shared },
        resource! { uri: "docs://b", read: async |cx: Context| read(cx).await, ..&shared },
        resource! { uri: "docs://c", bytes: vec![1, 2, 3], ..*shared },
        resource! { uri: "docs://d", read: move |_| async move { Ok(format!("{}", r#type)) }, ..Resource::clone(&shared) },
        resource! {
            uri: "docs://e",
            read: |cx| async move {
                let number: u32 = "1".parse()?;
                Ok(Contents::new().item(Item::text(cx.uri(), number.to_string())).meta("example.com/a", 1))
            },
            ..shared,
        },
        resource! { read: 'read: { break 'read read }, uri: "docs://f", ..shared },
        page!("g", "a page"),
    ];
    let [first, second] = resources! { { title: "A", ..shared }, { uri: "docs://h", ..shared } };
    assert_eq!((first.uri(), second.uri()), (URI, "docs://h"));
    assert!(Server::builder("t", "1").resources(copies).resources([first, second]).build().is_ok());
}

struct Described<A, B>(String, std::marker::PhantomData<(A, B)>);

impl<A, B> From<Version> for Described<A, B> {
    fn from(version: Version) -> Self {
        Self(format!("{}", version.major), std::marker::PhantomData)
    }
}
