//! Declare MCP resources and tools once; serve them, exactly right, to every client of every protocol revision.
#![cfg_attr(all(feature = "macros", feature = "stdio"), doc = "", doc = include_str!("front.md"))]
//!
//! A client of any revision lists this resource and reads it, over stdio or HTTP, and gets what its revision has. Errors
//! in a definition are found by the compiler where they are literals, and by `build()`, all at once, where they are not.
//!
//! # Where to look
//!
//! - [`resource!`] has every key of a definition; [`Resource::builder`] is the same by hand.
//! - [`template!`] and [`Template::builder`] declare resources whose URIs have variables.
//! - [`Contents`] and [`Item`] are what a reader returns; [`Context`] is what it may know; [`ReadError`] what it may fail with.
//! - [`tool!`] and [`Tool::builder`] declare tools; [`ToolResult`] and [`ContentBlock`] are what one gives, [`ToolError`] what it
//!   may fail with. [`host()`] reads the files of the host that calls it.
//! - [`Server::builder`] has instructions, providers, `on_error`, cache hints, limits, the revisions to serve.
//! - [`apps::Ui`] makes a resource a view of MCP Apps; [`extension::Extension`] is how a server serves an extension of MCP, as
//!   `Skills` does.
//! - [`http()`], [`serve()`] and [`stdio()`] serve; [`http::HttpService`] mounts in an axum, hyper or any tower application.
//! - [`Shelf`] has resources that come and go while the server runs; `files::Directory` is the shelf of a directory's files.
//! - [`mod@http`], `auth`, [`mod@host`], [`apps`], `files`, `skills`, [`extension`], [`transport`], [`uri`], [`bounds`] and `metrics` have what a first
//!   server does not need.
//! - [`guide`] is the tour, page by page.
//! - `grange-testkit` reads your own server in tests, without sockets or sleeps.
//!
//! # Features
//!
//! `http`, `stdio`, `macros` and `schemars` (schemas of tools from the types of their arguments), all on by default, and
//! `skills` (Agent Skills over MCP), `files` (directories that are followed), `auth` (bearer tokens) and `metrics`, which are not. Each adds whole modules or methods and
//! changes nothing else. `validate`, off too, adds no method: it checks structured results against their tools' output schemas. Tests
//! with `grange-testkit` have it, since a client refuses what does not fit; a server pays 43 more crates for it.

pub mod apps;
#[cfg(feature = "auth")]
pub mod auth;
pub mod bounds;
pub mod extension;
#[cfg(feature = "files")]
pub mod files;
pub mod host;
#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "metrics")]
pub mod metrics;
#[cfg(feature = "skills")]
pub mod skills;
pub mod transport;
pub mod uri;

/// For traits with `async fn` that a server holds as objects, such as an authenticator.
pub use async_trait::async_trait;
#[cfg(feature = "auth")]
pub use grange_auth::auth;
pub use grange_core::{
    Annotations, Announcement, BuildError, CacheScope, Changes, CompleteRequest, Completion, ContentBlock, Contents,
    Context, DefinitionError, Entries, Entry, Error, ExpandError, HandlerFailure, Icon, IntoCompletion, IntoContents,
    IntoToolResult, Item, Json, Limits, Link, List, ListPage, Metadata, Progress, ReadError, Resource, ResourceBuilder,
    Revision, Role, Schema, Server, ServerBuilder, Shelf, ShelfError, ShelfSet, Target, Template, TemplateBuilder,
    Text, Theme, Tool, ToolAnnotations, ToolBuilder, ToolError, ToolResult, UnknownQuery, WeakShelf, host, nimblebrain,
};
#[cfg(feature = "schemars")]
pub use grange_core::{Structured, schemars};
#[cfg(feature = "http")]
pub use grange_http::{http, serve};
#[cfg(feature = "stdio")]
pub use grange_stdio::{pipe, stdio, stdio_guard};

/// The result of a `main` that serves.
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[doc = include_str!("resource.md")]
#[cfg(feature = "macros")]
#[macro_export]
macro_rules! resource {
    ($($definition:tt)*) => {
        $crate::__private::resource!($crate; $($definition)*)
    };
}

#[doc = include_str!("resources.md")]
#[cfg(feature = "macros")]
#[macro_export]
macro_rules! resources {
    ($($definitions:tt)*) => {
        $crate::__private::resources!($crate; $($definitions)*)
    };
}

#[doc = include_str!("template.md")]
#[cfg(feature = "macros")]
#[macro_export]
macro_rules! template {
    ($($definition:tt)*) => {
        $crate::__private::template!($crate; $($definition)*)
    };
}

#[doc = include_str!("tool.md")]
#[cfg(feature = "macros")]
#[macro_export]
macro_rules! tool {
    ($($definition:tt)*) => {
        $crate::__private::tool!($crate; $($definition)*)
    };
}

/// A skill that is a directory of the program's source, checked by the compiler and embedded in the program.
///
/// The path is relative to the package, as its `Cargo.toml` is. The skill is served at the directory's name, or where `at:` says.
/// What is wrong with the skill is an error at the literal; what a host may pass over is a warning, and so is what is left out because
/// it begins with a dot: `include: ["assets/.env.example", "**/_rels/.rels"]` takes it in, as `Skill::include` does. The compiler
/// notices changed files by itself, and new ones when something else changes.
///
/// ```
/// use grange::skills::Skills;
/// use grange::{Server, skill};
/// let notes = skill!("examples/skills/release-notes", at: "acme/release-notes");
/// let server = Server::builder("releases", "1.0.0").extension(Skills::new([notes])).build()?;
/// # Ok::<(), grange::BuildError>(())
/// ```
#[cfg(all(feature = "macros", feature = "skills"))]
#[macro_export]
macro_rules! skill {
    ($($directory:tt)*) => {
        $crate::__private::skill!($crate; $($directory)*)
    };
}

/// What the macros expand to. Not for use by hand: it changes without notice.
#[cfg(feature = "macros")]
#[doc(hidden)]
pub mod __private {
    pub use grange_core::{context_first, context_only, value_list};
    #[cfg(feature = "skills")]
    pub use grange_macros::skill;
    pub use grange_macros::{resource, resources, template, tool};
    pub use serde_json::json;
}

/// A page of the guide. Each page defines its links at its end, as relative paths for readers on a forge. `guide_links.md` defines the
/// same labels before the page, as items of this crate. Markdown takes the first definition of a label.
#[cfg(all(feature = "http", feature = "macros", feature = "stdio"))]
macro_rules! page {
    ($name:ident, $path:literal) => {
        pub mod $name {
            #![doc = include_str!("guide_links.md")]
            #![doc = include_str!($path)]
        }
    };
}

#[cfg(all(feature = "http", feature = "macros", feature = "stdio"))]
pub mod guide {
    #![doc = include_str!("guide_links.md")]
    #![doc = include_str!("../docs/guide/README.md")]

    page!(concepts, "../docs/guide/concepts.md");
    page!(declare, "../docs/guide/declare.md");
    page!(read, "../docs/guide/read.md");
    page!(templates, "../docs/guide/templates.md");
    page!(changes, "../docs/guide/changes.md");
    page!(shelves, "../docs/guide/shelves.md");
    page!(serve, "../docs/guide/serve.md");
    pub mod tools {
        #![doc = include_str!("guide_links.md")]
        #![cfg_attr(feature = "schemars", doc = include_str!("../docs/guide/tools.md"))]
        #![cfg_attr(not(feature = "schemars"), doc = "This page is built with the feature `schemars`.")]
    }

    pub mod skills {
        #![doc = include_str!("guide_links.md")]
        #![cfg_attr(feature = "skills", doc = include_str!("../docs/guide/skills.md"))]
        #![cfg_attr(not(feature = "skills"), doc = "This page is built with the feature `skills`.")]
    }

    page!(apps, "../docs/guide/apps.md");
    page!(extensions, "../docs/guide/extensions.md");
    page!(test, "../docs/guide/test.md");
    page!(observability, "../docs/guide/observability.md");
    page!(deploy, "../docs/guide/deploy.md");
    page!(proxies, "../docs/guide/proxies.md");
    page!(limits, "../docs/guide/limits.md");
    page!(glossary, "../docs/glossary.md");
    page!(revisions, "../docs/eras.md");
}
