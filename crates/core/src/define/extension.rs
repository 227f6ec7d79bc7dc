//! The seam for extensions of MCP: a declaration, resources that come along, and methods that are answered at once.
//!
//! Those of this project go through it like anybody's. Not here: what an extension puts on a single resource or tool
//! (`extended.rs`).

use std::borrow::Cow;
use std::error::Error;
use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use serde_json::{Map, Value};

use super::mistake::DefinitionError;
use super::resource::Resource;
use super::told::ReadFailure;
use crate::fault::Fault;
use crate::model::CacheScope;
use crate::rpc::{Params, StringField, to_json};

/// An extension that a server serves (2026-07-28 basic/extensions); see [`ServerBuilder::extension`].
///
/// It is declared as `capabilities.extensions[id]` to clients of every protocol revision, and its methods are answered for
/// all of them.
///
/// ```
/// use grange_core::{Extension, ExtensionAnswer, ExtensionError, ExtensionParams, Server};
/// use serde_json::json;
///
/// struct Clock;
///
/// impl Extension for Clock {
///     fn id(&self) -> &str {
///         "com.example/clock"
///     }
///     fn methods(&self) -> &[&'static str] {
///         &["clock/read"]
///     }
///     fn answer(&self, _method: &str, params: &ExtensionParams<'_>) -> Result<ExtensionAnswer, ExtensionError> {
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
pub trait Extension: Send + Sync + 'static {
    /// The identifier, as in `io.modelcontextprotocol/skills`: a dotted prefix, a slash, a name.
    fn id(&self) -> &str;

    /// What is declared under the identifier. Default: an empty object.
    fn settings(&self) -> Map<String, Value> {
        Map::new()
    }

    /// Resources that come with it. They are listed after the server's own and read like them. Asked once, at `build()`.
    fn resources(&self) -> Vec<Resource> {
        Vec::new()
    }

    /// The methods that it answers. Asked once, at `build()`.
    fn methods(&self) -> &[&'static str] {
        &[]
    }

    /// Answers a request for one of its [`methods`](Self::methods), at once and from what is there: what takes time belongs
    /// into a resource's reader or a tool.
    ///
    /// # Errors
    /// What the client is told, or an error of its own that it is not.
    fn answer(&self, method: &str, params: &ExtensionParams<'_>) -> Result<ExtensionAnswer, ExtensionError> {
        let _ = params;
        Err(ExtensionError::internal(format!("`{method}` is not answered")))
    }

    /// What is wrong with how it was made, each mistake with its remedy: `build()` fails with all of them.
    fn mistakes(&self) -> Vec<DefinitionError> {
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

/// The parameters of a request to an extension.
#[derive(Debug)]
pub struct ExtensionParams<'a>(pub(crate) &'a Params<'a>);

impl ExtensionParams<'_> {
    /// A string, if the parameter is there and not null.
    ///
    /// # Errors
    /// For the client, when it is no string.
    pub fn string(&self, name: &str) -> Result<Option<Cow<'_, str>>, ExtensionError> {
        match self.0.slot(name) {
            StringField::Absent | StringField::Null => Ok(None),
            StringField::Text(text) => Ok(Some(text)),
            StringField::Other => {
                Err(ExtensionError::invalid_params(format!("Invalid params: \"{name}\" must be a string")))
            }
        }
    }

    /// A string that must be there.
    ///
    /// # Errors
    /// For the client, when it is not there or no string.
    pub fn required(&self, name: &str) -> Result<Cow<'_, str>, ExtensionError> {
        let fault = |what: &str| Err(ExtensionError::invalid_params(format!("Invalid params: \"{name}\" {what}")));
        match self.0.slot(name) {
            StringField::Text(text) => Ok(text),
            StringField::Absent => fault("is missing"),
            StringField::Null | StringField::Other => fault("must be a string"),
        }
    }
}

/// A result of an extension's method, encoded. Cheap to clone: what does not change is best made once.
#[derive(Clone, Debug)]
pub struct ExtensionAnswer {
    /// Without the braces around them.
    pub(crate) members: Bytes,
    pub(crate) cache: Option<(Option<Duration>, Option<CacheScope>)>,
}

impl ExtensionAnswer {
    /// A result, which must be an object. `resultType` and `serverInfo` are added where the revision has them.
    ///
    /// # Errors
    /// Kept from the client, when it cannot be written as a JSON object.
    pub fn new(result: &impl Serialize) -> Result<Self, ExtensionError> {
        let json = Bytes::from(to_json(result).map_err(ExtensionError::internal)?);
        if json.first() != Some(&b'{') {
            return Err(ExtensionError::internal("the result is no object"));
        }
        Ok(Self { members: json.slice(1..json.len() - 1), cache: None })
    }

    /// Says that the result is of a kind that carries cache hints, where the revision has them. `None` stands for what the
    /// server says.
    #[must_use]
    pub fn cached(mut self, ttl: Option<Duration>, scope: Option<CacheScope>) -> Self {
        self.cache = Some((ttl, scope));
        self
    }
}

/// Why an extension did not answer.
#[derive(Debug)]
pub struct ExtensionError(pub(crate) Cause);

#[derive(Debug)]
pub(crate) enum Cause {
    InvalidParams(String),
    Internal(Box<dyn Error + Send + Sync>),
}

impl ExtensionError {
    /// The parameters are at fault (`-32602`); the client is told this message.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self(Cause::InvalidParams(message.into()))
    }

    /// Something failed; the client sees an internal error (`-32603`) and nothing of it, `on_error` gets it.
    pub fn internal(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(Cause::Internal(error.into()))
    }
}

impl Cause {
    /// What the client is told, or what the author is told instead.
    pub(crate) fn fault(self, invalid_params: i64) -> Result<Fault, ReadFailure> {
        match self {
            Self::InvalidParams(message) => Ok(Fault::Author { code: invalid_params, message, data: None }),
            Self::Internal(error) => Err(ReadFailure::Error(error)),
        }
    }
}
