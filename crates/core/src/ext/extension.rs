//! The seam for extensions of MCP: a declaration, resources that come with it, and methods.
//!
//! The extensions of this project use it in the same way as those of third parties. Not here: the data that an extension adds to a
//! single resource or tool (`define/extended.rs`), and the parameters and answers of its methods (`message.rs`).

use async_trait::async_trait;
use serde_json::{Map, Value};

use super::message::{ExtensionAnswer, ExtensionError, ExtensionParams};
use crate::define::{Context, DefinitionError};
use crate::primitive::Resource;

/// An extension that a server serves (2026-07-28 basic/extensions); see [`ServerBuilder::extension`].
///
/// It is declared as `capabilities.extensions[id]` to clients of every protocol revision, and its methods exist in all of them.
///
/// ```
/// use grange_core::{Context, Extension, ExtensionAnswer, ExtensionError, ExtensionParams, Server, async_trait};
/// use serde_json::json;
///
/// struct Clock;
///
/// #[async_trait]
/// impl Extension for Clock {
///     fn id(&self) -> &str {
///         "com.example/clock"
///     }
///     fn methods(&self) -> &[&'static str] {
///         &["clock/read"]
///     }
///     async fn answer(
///         &self,
///         _cx: Context,
///         _method: &str,
///         params: ExtensionParams,
///     ) -> Result<ExtensionAnswer, ExtensionError> {
///         let zone = params.required("zone")?;
///         ExtensionAnswer::new(&json!({ "zone": zone, "time": "12:00" }))
///     }
/// }
///
/// let server = Server::builder("clock", "1.0.0").extension(Clock).build()?;
/// # Ok::<(), grange_core::BuildError>(())
/// ```
///
/// [`ServerBuilder::extension`]: crate::ServerBuilder::extension
#[async_trait]
pub trait Extension: Send + Sync + 'static {
    /// The identifier, as in `io.modelcontextprotocol/skills`: a dotted prefix, a slash, a name.
    fn id(&self) -> &str;

    /// The settings that the server declares under the identifier. Default: an empty object.
    fn settings(&self) -> Map<String, Value> {
        Map::new()
    }

    /// Resources that come with the extension. They are listed after the server's own and read like them. `build()` calls this once.
    fn resources(&self) -> Vec<Resource> {
        Vec::new()
    }

    /// The methods that the extension answers.
    fn methods(&self) -> &[&'static str] {
        &[]
    }

    /// Answers a request for one of its [`methods`](Self::methods). The context is the same as a reader's: providers, the identity of the
    /// client, progress, cancellation. The answer may take `Limits::request_time`.
    ///
    /// # Errors
    /// [`ExtensionError::invalid_params`], which the client gets. Any other error converts with `?`: the client gets an internal error,
    /// and `on_error` gets the original.
    async fn answer(
        &self,
        cx: Context,
        method: &str,
        params: ExtensionParams,
    ) -> Result<ExtensionAnswer, ExtensionError> {
        let _ = (cx, params);
        Err(ExtensionError::internal(format!("`{method}` is not answered")))
    }

    /// The problems of the extension's own settings, each with its remedy: `build()` fails with all of them.
    fn errors(&self) -> Vec<DefinitionError> {
        Vec::new()
    }

    /// Warnings: settings that work but may not do what the author expects. `build()` logs them, or writes them to standard
    /// error; [`Server::warnings`] returns them.
    ///
    /// [`Server::warnings`]: crate::Server::warnings
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
}
