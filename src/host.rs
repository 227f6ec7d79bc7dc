//! Requests from a server to its client: the files of the host that called a tool, and any other request.
//!
//! [`host()`](crate::host()) reads files, [`Context::request`](crate::Context::request) sends any request.
//!
//! ```
//! use grange::host::HostError;
//! use grange::{Contents, Context, ReadError, host};
//!
//! async fn notes(cx: Context) -> Result<Contents, ReadError> {
//!     match host(&cx).read("files://notes.txt").await {
//!         Err(HostError::NotFound { .. }) => Err(ReadError::not_found()),
//!         notes => Ok(notes?),
//!     }
//! }
//! ```

pub use grange_core::{ClientRequestError, Host, HostError, HostFile, HostFilter, HostList, HostStatus, NoBackChannel};
