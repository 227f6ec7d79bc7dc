//! HTTP beyond [`http()`](crate::http()) and [`serve()`](crate::serve()): the service to mount, the settings of both, authentication,
//! and what a reader finds in the head of its request.
//!
//! ```
//! use grange::http::HttpService;
//! use grange::{Resource, Server};
//!
//! # fn main() -> grange::Result<()> {
//! let guide = Resource::builder().uri("docs://guide").name("guide").text("# Guide").build();
//! let server = Server::builder("documentation", "1.0.0").resource(guide).build()?;
//! let service = HttpService::builder(server).public_hosts(["mcp.example.com"]).build()?;
//! // axum: Router::new().nest_service("/mcp", service)
//! # Ok(())
//! # }
//! ```
//!
//! The types of the crate `http` are here too, so that a server needs no dependency on it: `grange::http::request::Parts` is the head
//! of a request. In a file that imports `grange::http`, the name `http` is this module, and paths such as `http::HeaderMap` mean the
//! same as before.

pub use grange_http::{
    AuthRejection, Authenticator, Bound, ForwardedOrigin, Http, HttpConfig, HttpService, HttpServiceBuilder, Identity,
    Listen, Listener, MetadataService, Mount, PeerAddr, Principal, ResourceMetadata, ResponseBody, ResponseFuture,
    shutdown_signal,
};
#[doc(no_inline)]
pub use http::{
    Extensions, HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri, Version, header,
    method, request, response, status, uri, version,
};
