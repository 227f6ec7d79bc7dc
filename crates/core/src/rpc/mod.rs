//! JSON-RPC 2.0 as bytes: frames in, messages out, and back. Knows nothing of MCP's methods or revisions.

mod error;
mod escape;
mod id;
mod json;
mod message;
mod params;
mod wire;

pub(crate) use error::{Code, write_error};
pub(crate) use escape::{is_plain, write_string};
pub(crate) use id::{IdKey, IdToken, RequestId};
pub(crate) use json::{Json, Raw, write_array, write_number, write_value};
pub(crate) use message::{
    Frame, Message, Notification, Outcome, Rejected, Request, Response, cut, read_frame, read_message,
};
pub(crate) use params::{Kind, Params, Slot, key, progress_token, request_meta};
pub use wire::Wire;
