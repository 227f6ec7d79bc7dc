//! MCP Apps (`io.modelcontextprotocol/ui`): views that a host renders.
//!
//! Some hosts read a view's metadata from the list, others from the contents, so it is written to both. Not here: the messages
//! between a view and its host; a server takes no part in them.

use serde_json::{Map, Value, json};

use crate::define::ExtensionData;
use crate::model::Text;
use crate::primitive::{ResourceBuilder, ToolBuilder};

const EXTENSION: &str = "io.modelcontextprotocol/ui";
const MIME_TYPE: &str = "text/html;profile=mcp-app";
const SCHEME: &str = "ui://";

/// What a view needs from its host: the `_meta.ui` of a `ui://` resource (MCP Apps, "UI resource metadata").
///
/// By default, a view may load nothing and connect only to its host. An origin is written as `https://api.example.com`, or as
/// `https://*.example.com` for every subdomain.
///
/// ```
/// use grange_core::{Resource, Ui};
/// let view = Resource::builder()
///     .uri("ui://forecast/view")
///     .name("forecast-view")
///     .ui(Ui::new().connect_domains(["https://api.example.com"]).prefers_border(true))
///     .text("<!doctype html><title>Forecast</title>")
///     .build();
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "it is for `.ui(…)` of a resource"]
pub struct Ui {
    csp: Map<String, Value>,
    permissions: Map<String, Value>,
    domain: Option<Text>,
    prefers_border: Option<bool>,
    problems: Vec<String>,
}

/// A permission that a view may request from the user, through its host.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum UiPermission {
    /// The camera.
    Camera,
    /// Writing to the clipboard.
    ClipboardWrite,
    /// The geographic position.
    Geolocation,
    /// The microphone.
    Microphone,
}

impl Ui {
    /// A view that needs nothing from its host.
    pub fn new() -> Self {
        Self::default()
    }

    /// Origins that the view sends requests to (`connect-src`).
    pub fn connect_domains<S: Into<String>>(self, origins: impl IntoIterator<Item = S>) -> Self {
        self.sources("connectDomains", origins)
    }

    /// Origins that the view loads scripts, styles, images, fonts and media from.
    pub fn resource_domains<S: Into<String>>(self, origins: impl IntoIterator<Item = S>) -> Self {
        self.sources("resourceDomains", origins)
    }

    /// Origins of pages that the view shows in frames (`frame-src`).
    pub fn frame_domains<S: Into<String>>(self, origins: impl IntoIterator<Item = S>) -> Self {
        self.sources("frameDomains", origins)
    }

    /// Origins that the base address of the view may have (`base-uri`).
    pub fn base_uri_domains<S: Into<String>>(self, origins: impl IntoIterator<Item = S>) -> Self {
        self.sources("baseUriDomains", origins)
    }

    /// The permissions that the view may request from the user.
    pub fn permissions(mut self, permissions: impl IntoIterator<Item = UiPermission>) -> Self {
        self.permissions.extend(permissions.into_iter().map(|each| (each.name().to_owned(), json!({}))));
        self
    }

    /// The origin that the host serves the view from. Each host defines its own form, so a value suits one host only; most views
    /// leave it out.
    pub fn domain(mut self, domain: impl Into<Text>) -> Self {
        self.domain = Some(domain.into());
        self
    }

    /// Whether the host should draw a border around the view. Without this setting the host decides.
    pub fn prefers_border(mut self, prefers: bool) -> Self {
        self.prefers_border = Some(prefers);
        self
    }

    fn sources<S: Into<String>>(mut self, name: &str, origins: impl IntoIterator<Item = S>) -> Self {
        let origins: Vec<String> = origins.into_iter().map(Into::into).collect();
        for origin in &origins {
            let problem = grange_uri::check_policy_origin(origin).err();
            self.problems.extend(problem.map(|problem| format!("ui {name} `{origin}` {problem}")));
        }
        self.csp.insert(name.to_owned(), origins.into());
        self
    }

    fn to_value(&self) -> Value {
        let mut ui = Map::new();
        let objects = [("csp", &self.csp), ("permissions", &self.permissions)];
        ui.extend(
            objects
                .into_iter()
                .filter(|(_, object)| !object.is_empty())
                .map(|(name, object)| (name.to_owned(), object.clone().into())),
        );
        ui.extend(self.domain.as_ref().map(|domain| ("domain".to_owned(), domain.as_str().into())));
        ui.extend(self.prefers_border.map(|prefers| ("prefersBorder".to_owned(), prefers.into())));
        ui.into()
    }
}

impl UiPermission {
    fn name(self) -> &'static str {
        match self {
            Self::Camera => "camera",
            Self::ClipboardWrite => "clipboardWrite",
            Self::Geolocation => "geolocation",
            Self::Microphone => "microphone",
        }
    }
}

impl From<Ui> for ExtensionData {
    fn from(ui: Ui) -> Self {
        let value = ui.to_value();
        let part = Self::new(EXTENSION).mime_type(MIME_TYPE).uri_prefix(SCHEME);
        let part = part.meta("ui", &value).content_meta("ui", value);
        ui.problems.into_iter().fold(part, Self::problem)
    }
}

/// A tool's view: the resource that a host renders with its result, and who may call the tool.
///
/// ```
/// use grange_core::{Tool, UiLink, UiVisibility};
/// let refresh = Tool::builder()
///     .name("refresh")
///     .ui(UiLink::new("ui://forecast/view").visibility([UiVisibility::App]))
///     .call_without_arguments(|_cx| async { Ok("fresh") });
/// ```
#[derive(Clone, Debug)]
#[must_use = "it is for `.ui(…)` of a tool"]
pub struct UiLink {
    uri: Text,
    visibility: Option<Vec<UiVisibility>>,
    flat_key: bool,
}

/// Who may call a tool that has a view.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum UiVisibility {
    /// Views of this server.
    App,
    /// Models.
    Model,
}

impl UiLink {
    /// Links the view with that URI. The server must have it.
    pub fn new(uri: impl Into<Text>) -> Self {
        Self { uri: uri.into(), visibility: None, flat_key: true }
    }

    /// Who may call the tool. Default: models and views. Hosts enforce it; the server does not.
    pub fn visibility(mut self, visibility: impl IntoIterator<Item = UiVisibility>) -> Self {
        self.visibility = Some(visibility.into_iter().collect());
        self
    }

    /// Leaves out the flat key `ui/resourceUri`, which is deprecated and which older hosts read.
    pub fn without_flat_key(mut self) -> Self {
        self.flat_key = false;
        self
    }
}

impl<T: Into<Text>> From<T> for UiLink {
    fn from(uri: T) -> Self {
        Self::new(uri)
    }
}

impl UiVisibility {
    fn name(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Model => "model",
        }
    }
}

impl From<UiLink> for ExtensionData {
    fn from(link: UiLink) -> Self {
        let UiLink { uri, visibility, flat_key } = link;
        let mut ui = json!({ "resourceUri": uri.as_str() });
        let mut part = Self::new(EXTENSION);
        if let Some(visibility) = visibility {
            if visibility.is_empty() {
                part = part.problem(
                    "ui visibility is empty, so no caller could use the tool: leave it out to allow every caller",
                );
            }
            ui["visibility"] = visibility.into_iter().map(UiVisibility::name).collect();
        }
        part = part.meta("ui", ui);
        if flat_key {
            part = part.meta("ui/resourceUri", uri.as_str());
        }
        if uri.starts_with(SCHEME) {
            part.links(uri)
        } else {
            part.problem(format!("ui is `{uri}`, and a view's URI begins with `{SCHEME}`: register the view under one"))
        }
    }
}

impl ResourceBuilder {
    /// Makes the resource a view of MCP Apps: sets its MIME type, and writes its needs where hosts read them.
    pub fn ui(self, ui: Ui) -> Self {
        self.extended(ui)
    }
}

impl ToolBuilder {
    /// The view that a host renders with the tool's result: a `ui://` URI, or a [`UiLink`].
    pub fn ui(self, link: impl Into<UiLink>) -> Self {
        self.extended(link.into())
    }
}
