//! Tokens of one issuer: [`settings`] has the setters, [`build`] checks the settings and makes an authenticator.

mod build;
mod settings;

pub use self::settings::Jwt;
