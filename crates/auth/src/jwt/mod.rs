//! Tokens of one issuer: [`settings`] holds what an author says, [`build`] checks it and makes an authenticator.

mod build;
mod settings;

pub use self::settings::Jwt;
