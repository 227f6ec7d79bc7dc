//! Reads the parameters of `subscriptions/listen`.

use super::names::{SUBSCRIPTIONS, list_member};
use super::row::typed;
use crate::call::Call;
use crate::changes::{List, Lists};
use crate::rejection::Rejection;
use crate::rpc::{Params, Raw};

pub(super) fn listen<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Rejection> {
    let filter = match typed(params)?.other("notifications") {
        Some(filter) if filter.is_object() => filter,
        _ => return Err(invalid("notifications", "an object")),
    };
    let mut asked = [false; List::ALL.len()];
    for (place, list) in asked.iter_mut().zip(List::ALL) {
        *place = flag(filter, list_member(list))?;
    }
    let uris = filter.member(SUBSCRIPTIONS);
    if uris.is_some_and(|uris| !uris.is_array()) {
        return Err(invalid(SUBSCRIPTIONS, "an array of strings"));
    }
    Ok(Call::Listen { lists: Lists::of(|list| asked[list as usize]), uris })
}

/// A flag, which is `false` if it is absent.
fn flag(filter: Raw<'_>, name: &str) -> Result<bool, Rejection> {
    let Some(value) = filter.member(name) else { return Ok(false) };
    value.as_bool().ok_or_else(|| invalid(name, "a boolean"))
}

pub(crate) fn invalid(name: &str, expected: &str) -> Rejection {
    Rejection::InvalidParams(format!("\"{name}\" must be {expected}").into())
}
