//! The parameters and answers of an extension's methods.

use std::error::Error;
use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::define::{Cause, Context, NotAdmitted, ReadError, ThreadSafeError};
use crate::model::CacheScope;
use crate::rpc::{Raw, member_of_params, to_json};

/// The parameters of a request to an extension, without `_meta`, which [`Context::meta`](crate::Context::meta) has.
#[derive(Debug)]
pub struct ExtensionParams {
    /// The request as received. A parameter is read from it on use.
    request: Bytes,
    /// Counts the JSON values of parameters.
    context: Context,
}

impl ExtensionParams {
    /// The parameters of a request that was parsed before.
    pub(crate) fn of_request(request: Bytes, context: Context) -> Self {
        Self { request, context }
    }

    /// A value of any type. `None` if the parameter is absent or null.
    ///
    /// # Errors
    /// An error for the client, if the value is not of that type, has more values than
    /// [`Limits::json_values`](crate::Limits::json_values), or takes more memory than is left.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, ExtensionError> {
        let Some(raw) = self.present(name) else { return Ok(None) };
        self.context.admit(raw.text()).map_err(|not_admitted| match not_admitted {
            NotAdmitted::TooMany(problem) => invalid(name, &format!("has {problem}")),
            NotAdmitted::NoRoom => ExtensionError(Problem::NoRoom),
        })?;
        serde_json::from_str(raw.text()).map(Some).map_err(|error| invalid(name, &format!("is invalid: {error}")))
    }

    /// A string. `None` if the parameter is absent or null.
    ///
    /// # Errors
    /// An error for the client, if the value is no string.
    pub fn string(&self, name: &str) -> Result<Option<String>, ExtensionError> {
        let text = |raw: Raw<'_>| raw.as_string().ok_or_else(|| invalid(name, "must be a string"));
        self.present(name).map(text).transpose()
    }

    /// A string that must be there.
    ///
    /// # Errors
    /// An error for the client, if the parameter is absent or its value is no string.
    pub fn required(&self, name: &str) -> Result<String, ExtensionError> {
        let raw = self.member(name).ok_or_else(|| invalid(name, "is missing"))?;
        raw.as_string().ok_or_else(|| invalid(name, "must be a string"))
    }

    fn present(&self, name: &str) -> Option<Raw<'_>> {
        self.member(name).filter(|raw| !raw.is_null())
    }

    fn member(&self, name: &str) -> Option<Raw<'_>> {
        if name == "_meta" { None } else { member_of_params(&self.request, name) }
    }
}

fn invalid(name: &str, problem: &str) -> ExtensionError {
    ExtensionError::invalid_params(format!("Invalid params: \"{name}\" {problem}"))
}

/// The encoded result of an extension's method. Cheap to clone: make a result that does not change only once.
#[derive(Clone, Debug)]
pub struct ExtensionAnswer {
    /// The JSON object without its braces.
    pub(super) members: Bytes,
    pub(super) cache: Option<(Option<Duration>, Option<CacheScope>)>,
}

impl ExtensionAnswer {
    /// A result, which must be an object. `resultType` and `serverInfo` are added where the revision has them.
    ///
    /// # Errors
    /// An internal error, if the result cannot be written as a JSON object.
    pub fn new(result: &impl Serialize) -> Result<Self, ExtensionError> {
        let json = Bytes::from(to_json(result).map_err(ExtensionError::internal)?);
        if json.first() != Some(&b'{') {
            return Err(ExtensionError::internal("the result is no object"));
        }
        Ok(Self { members: json.slice(1..json.len() - 1), cache: None })
    }

    /// Adds cache hints, for revisions that have them. `None` stands for the server's default.
    #[must_use]
    pub fn cached(mut self, ttl: Option<Duration>, scope: Option<CacheScope>) -> Self {
        self.cache = Some((ttl, scope));
        self
    }
}

/// Why an extension did not answer. Any error converts with `?`; the client then gets an internal error.
#[derive(Debug)]
pub struct ExtensionError(pub(super) Problem);

#[derive(Debug)]
pub(super) enum Problem {
    /// The client gets this message.
    InvalidParams(String),
    /// The client gets the busy answer.
    NoRoom,
    /// Treated in the same way as the error of a reader.
    Other(Cause),
}

impl ExtensionError {
    /// The parameters are wrong (`-32602`); the client gets this message.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self(Problem::InvalidParams(message.into()))
    }

    /// Something failed. The client gets an internal error (`-32603`) without details; `on_error` gets this error.
    pub fn internal(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(Problem::Other(Cause::Private(error.into())))
    }
}

impl From<ReadError> for ExtensionError {
    fn from(error: ReadError) -> Self {
        Self(Problem::Other(error.0))
    }
}

impl<E: ThreadSafeError> From<E> for ExtensionError {
    fn from(error: E) -> Self {
        Self(Problem::Other(Cause::Private(error.into_boxed())))
    }
}
