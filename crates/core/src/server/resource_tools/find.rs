//! Starts a call of one of the two tools: reads its arguments, then lists, or looks up the resource.

use std::num::NonZeroUsize;

use super::definitions::{LIST, READ};
use super::list::list;
use super::read::{ReadAsTool, failed};
use crate::call::Reply;
use crate::catalog::Found;
use crate::era::Era;
use crate::model::ToolResult;
use crate::primitive::{invalid_arguments, write_result_members};
use crate::rejection::Rejection;
use crate::rpc::Raw;
use crate::server::primitives::Catalogs;
use crate::task::task;

/// The two tools of a server that has them.
pub(crate) struct ResourceTools {
    page_size: NonZeroUsize,
}

impl ResourceTools {
    /// Pages have the size of the author's pages, but no more than 100 entries: hosts cut the results of tools.
    pub(crate) fn new(page_size: Option<NonZeroUsize>) -> Self {
        const MOST: NonZeroUsize = NonZeroUsize::new(100).expect("it is not 0");
        Self { page_size: page_size.map_or(MOST, |size| size.min(MOST)) }
    }

    /// The call of a tool with this name; `None` if it is neither of the two. `arguments` are a JSON object.
    pub(crate) fn find(
        &self,
        name: &str,
        arguments: Option<&[u8]>,
        catalogs: &Catalogs,
        era: &Era,
    ) -> Option<Result<Found, Rejection>> {
        let arguments = arguments.map(Raw::checked_before);
        match name {
            LIST => Some(self.list(arguments, catalogs, era)),
            READ => Some(read(arguments, catalogs, era)),
            _ => None,
        }
    }

    fn list(&self, arguments: Option<Raw<'_>>, catalogs: &Catalogs, era: &Era) -> Result<Found, Rejection> {
        let (prefix, cursor) = match (text(arguments, "prefix"), text(arguments, "cursor")) {
            (Ok(prefix), Ok(cursor)) => (prefix.unwrap_or_default(), cursor),
            (Err(problem), _) | (_, Err(problem)) => return Ok(reply(&invalid_arguments(&problem, era)?, era)),
        };
        // Models fill in arguments that they do not need.
        let cursor = cursor.filter(|cursor| !cursor.is_empty());
        let page = list(catalogs, &prefix, cursor.as_deref(), self.page_size);
        page.map(|page| reply(&page, era)).or_else(|rejection| rejected(rejection, era))
    }
}

fn read(arguments: Option<Raw<'_>>, catalogs: &Catalogs, era: &Era) -> Result<Found, Rejection> {
    let uri = text(arguments, "uri").and_then(|uri| uri.ok_or_else(|| "`uri` is missing".to_owned()));
    let uri = match uri {
        Ok(uri) => uri,
        Err(problem) => return Ok(reply(&invalid_arguments(&problem, era)?, era)),
    };
    match catalogs.open(&uri) {
        Ok(opened) => {
            let reading = opened.into_reading();
            Ok(Found::Task(reading.target(), task(ReadAsTool(reading))))
        }
        Err(rejection) => rejected(rejection, era),
    }
}

/// An argument that is a text. The error is its problem.
fn text(arguments: Option<Raw<'_>>, name: &str) -> Result<Option<String>, String> {
    match arguments.and_then(|arguments| arguments.member(name)).filter(|value| !value.is_null()) {
        Some(value) => value.as_string().map(Some).ok_or_else(|| format!("`{name}` must be a string")),
        None => Ok(None),
    }
}

fn rejected(rejection: Rejection, era: &Era) -> Result<Found, Rejection> {
    failed(&rejection).map(|result| reply(&result, era)).ok_or(rejection)
}

fn reply(result: &ToolResult, era: &Era) -> Found {
    let mut members = Vec::new();
    write_result_members(&mut members, result, era);
    Found::Reply(Reply::members(members))
}
