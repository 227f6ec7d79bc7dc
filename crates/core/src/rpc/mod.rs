//! JSON-RPC 2.0 as bytes: frames in, messages out, and back. This module knows no method and no revision of MCP.

mod error;
mod escape;
mod field;
mod guard;
mod id;
mod json;
mod message;
mod number;
mod params;
mod read;
mod repeated;
mod reread;
mod strings;
mod values;
mod wire;

pub(crate) use error::{Code, write_error};
pub(crate) use escape::{is_plain, to_json, write_string};
pub(crate) use field::StringField;
pub use guard::ByteGuard;
pub(crate) use id::{IdKey, IdToken, RequestId};
pub(crate) use json::{Json, write_array, write_number, write_value};
pub(crate) use message::{
    Frame, Message, Notification, Outcome, Rejected, Request, Response, read_frame, read_message, truncate,
};
pub(crate) use number::{Decimal, integer_of, with_plain_integers};
pub(crate) use params::{Kind, Params, key};
pub(crate) use read::Raw;
pub(crate) use reread::{member_of_params, meta_member, progress_token, request_meta};
pub(crate) use strings::NotStrings;
pub(crate) use values::{members, memory, to_value};
pub use wire::Wire;
