//! Tokens, keys and challenges, through the public API: an issuer on this machine, keys made for the test, and a clock that
//! stands until it is set. One binary, since each links the whole crate.

#![allow(clippy::unwrap_used, reason = "what cannot be unwrapped here fails the test")]

mod issuer;
mod signer;

mod api_keys;
mod claims;
mod discovery;
mod forms;
mod keys;
mod logs;
mod properties;
mod service;
mod settings;
