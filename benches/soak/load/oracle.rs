//! Checks responses: a correct answer, a documented rejection, or an error.

use std::time::Instant;

use grange_benches::soak::{PATIENCE, STEPS};
use serde_json::Value;

use crate::events::messages;
use crate::failure::{Failure, Flow, shown, wrong};
use crate::http1::{Answer, Head};
use crate::question::{Expected, Question};

/// The code of an error by which the server says that it is busy.
const BUSY: i64 = 503;

/// The outcome of a well-formed request.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Outcome {
    Answered,
    /// Too many requests are in flight.
    Busy,
    /// Too many sessions are in use.
    NoRoom,
    /// Clients that do not read leave no room for the message or its answer.
    NoBytes,
    /// The session does not exist or has ended.
    NoSession,
    /// Too many streams are open.
    TooManyStreams,
}

impl Outcome {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Busy => "busy (503)",
            Self::NoRoom => "no room (503)",
            Self::NoBytes => "no bytes (503)",
            Self::NoSession => "no session (404)",
            Self::TooManyStreams => "too many streams (503)",
        }
    }
}

/// The outcome of a question, or an error if the response is neither correct nor a documented rejection.
pub(crate) fn judge(question: &Question, answer: &Answer) -> Flow<Outcome> {
    judged(question, answer).map_err(|failure| {
        let asked = shown(&question.message.body);
        failure.at(format!("status {}, body {}, to {asked}", answer.head.status, shown(&answer.body)))
    })
}

fn judged(question: &Question, answer: &Answer) -> Flow<Outcome> {
    if let Some(rejected) = rejected(&answer.head, &answer.body)? {
        return Ok(rejected);
    }
    in_time(&answer.head, question.made)?;
    if answer.head.status != question.status {
        return wrong(format!("not the status {}", question.status));
    }
    let mut received = match answer.head.header("content-type") {
        Some("application/json") => vec![json(&answer.body)?],
        Some("text/event-stream") => messages(&answer.body)?,
        other => return wrong(format!("content-type {other:?}")),
    };
    let Some(response) = received.pop() else { return wrong("a stream without an answer") };
    progress(question, &received)?;
    answered(question, &response)
}

/// Checks an answer beside others, or on a stream: it has no status of its own.
pub(crate) fn answered(question: &Question, response: &Value) -> Flow<Outcome> {
    if response["error"]["code"] != BUSY {
        return respond(question, response).map(|()| Outcome::Answered);
    }
    if response["id"] != question.id || response.get("result").is_some() {
        return wrong(format!("a busy answer to another request: {response}"));
    }
    reason(response["error"]["message"].as_str().unwrap_or_default())
}

/// Checks that the server waited long enough for the rest of a request that began at this time.
pub(crate) fn in_time(head: &Head, began: Instant) -> Flow {
    if head.status == 408 { Err(Failure::lost("a request took too long to arrive", began)) } else { Ok(()) }
}

/// The documented rejections of a well-formed request; `None` if it is not one.
pub(crate) fn rejected(head: &Head, body: &[u8]) -> Flow<Option<Outcome>> {
    if head.status == 503 {
        let message = error_message(body)?;
        if head.header("retry-after") != Some("1") || head.header("content-type") != Some("application/json") {
            return wrong(format!("a 503 without its headers: {head:?}"));
        }
        return reason(&message).map(Some);
    }
    if head.status == 404 && json(body)?["error"]["code"] == -32600 {
        return match error_message(body)?.as_str() {
            "Session not found" => Ok(Some(Outcome::NoSession)),
            other => wrong(format!("a 404 for no known reason: {other}")),
        };
    }
    Ok(None)
}

/// Why the server is busy.
fn reason(message: &str) -> Flow<Outcome> {
    const KNOWN: [(&str, Outcome); 6] = [
        ("in flight)", Outcome::Busy),
        ("at once, try again", Outcome::Busy),
        ("session is in use)", Outcome::NoRoom),
        ("event streams are open)", Outcome::TooManyStreams),
        ("bytes of messages are held)", Outcome::NoBytes),
        ("leave no room for this one)", Outcome::NoBytes),
    ];
    if !message.starts_with("Server busy: too many requests at once") {
        return wrong(format!("a 503 without the text that hosts expect: {message}"));
    }
    let found = KNOWN.iter().find(|row| message.contains(row.0)).map(|row| row.1);
    found.ok_or_else(|| Failure::wrong(format!("a 503 for no known reason: {message}")))
}

/// The message of an error; anything else is wrong.
pub(crate) fn error_message(body: &[u8]) -> Flow<String> {
    let received = json(body)?;
    match received["error"]["message"].as_str() {
        Some(message) if received.get("result").is_none() && received["jsonrpc"] == "2.0" => Ok(message.to_owned()),
        _ => wrong(format!("no error: {}", shown(body))),
    }
}

pub(crate) fn json(body: &[u8]) -> Flow<Value> {
    serde_json::from_slice(body).map_err(|error| Failure::wrong(format!("no JSON ({error}): {}", shown(body))))
}

/// Checks that the messages before an answer are progress of this request, and that it grows.
pub(crate) fn progress(question: &Question, received: &[Value]) -> Flow {
    let mut before = 0.0;
    for message in received {
        let params = &message["params"];
        let now = params["progress"].as_f64().unwrap_or_default();
        let is_ours = message["method"] == "notifications/progress" && params["progressToken"] == question.id;
        if !is_ours || now <= before || now > f64::from(STEPS) {
            return wrong(format!("no progress of this request, after {before}: {message}"));
        }
        before = now;
    }
    Ok(())
}

/// Checks that the response belongs to this request and has the expected content.
pub(crate) fn respond(question: &Question, response: &Value) -> Flow {
    if response["jsonrpc"] != "2.0" || response["id"] != question.id {
        return wrong(format!("an answer with the id {}, in place of {}", response["id"], question.id));
    }
    let (result, error) = (&response["result"], &response["error"]);
    let fails = matches!(question.expected, Expected::Error { .. });
    if error["code"] == -32603 && !fails && question.made.elapsed() >= PATIENCE {
        return Err(Failure::lost("a request timed out", question.made));
    }
    let holds = match &question.expected {
        Expected::Anything => result.is_object(),
        Expected::Computed(rest) => {
            item(result).is_some_and(|(_, text)| text.strip_prefix(question.nonce.as_str()) == Some(rest))
        }
        Expected::Contents { uri, text } => item(result) == Some((uri, text)),
        Expected::Error { code, message, data } => {
            let is_meant = error["code"] == *code && message.as_ref().is_none_or(|text| error["message"] == **text);
            is_meant && data.as_ref().is_none_or(|data| error["data"] == *data)
        }
        Expected::List { of, by, names } => {
            let entries = result[*of].as_array().map(Vec::as_slice).unwrap_or_default();
            entries.iter().map(|entry| entry[*by].as_str().unwrap_or_default()).eq(names.iter().copied())
        }
        Expected::Tool { failed } => {
            let blocks = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
            let is_failed = result["isError"].as_bool().unwrap_or_default();
            blocks.len() == 1 && blocks[0]["text"] == *question.nonce && is_failed == *failed
        }
    };
    let is_one = response.get("result").is_some() != response.get("error").is_some();
    if holds && is_one { Ok(()) } else { wrong("not the answer to this request") }
}

/// The URI and the text of contents with one item.
fn item(result: &Value) -> Option<(&str, &str)> {
    let [item] = result["contents"].as_array()?.as_slice() else { return None };
    Some((item["uri"].as_str()?, item["text"].as_str()?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Outcome, answered, judge, progress};
    use crate::http1::{Answer, Head};
    use crate::message::Sender;
    use crate::question::{Question, Questions};

    fn question() -> Question {
        Questions::new().tool(Sender::Modern, "echo", 0)
    }

    fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Answer {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Answer { head: Head::new(status, headers), body: body.as_bytes().to_vec() }
    }

    fn result(question: &Question, nonce: &str) -> String {
        let result = json!({ "content": [{ "type": "text", "text": nonce }] });
        json!({ "jsonrpc": "2.0", "id": question.id, "result": result }).to_string()
    }

    const JSON: (&str, &str) = ("content-type", "application/json");

    #[test]
    fn the_right_answer_passes_as_json_and_as_a_stream() {
        let question = question();
        let right = result(&question, &question.nonce);
        let step =
            json!({ "method": "notifications/progress", "params": { "progressToken": question.id, "progress": 1 } });
        let stream = format!("event: message\ndata: {step}\n\nevent: message\ndata: {right}\n\n");
        for answer in [answer(200, &[JSON], &right), answer(200, &[("content-type", "text/event-stream")], &stream)] {
            assert_eq!(judge(&question, &answer).expect("right"), Outcome::Answered);
        }
        assert!(progress(&question, &[step.clone(), step]).is_err(), "progress that does not grow");
    }

    #[test]
    fn an_answer_to_another_request_fails() {
        let (question, mut other) = (question(), question());
        other.id = json!("n2");
        let right = result(&question, &question.nonce);
        let wrong = [
            answer(200, &[JSON], &result(&other, &question.nonce)),
            answer(200, &[JSON], &result(&question, "n2")),
            answer(200, &[], &right),
            answer(400, &[JSON], &right),
            answer(500, &[JSON], &right),
            answer(200, &[JSON], right.get(1..).unwrap_or_default()),
        ];
        for answer in wrong {
            assert!(judge(&question, &answer).is_err(), "{answer:?}");
        }
    }

    #[test]
    fn beside_other_answers_a_busy_one_passes_if_it_is_of_the_same_request() {
        let question = question();
        let message = "Server busy: too many requests at once, try again";
        let busy = |id| json!({ "jsonrpc": "2.0", "id": id, "error": { "code": 503, "message": message } });
        assert_eq!(answered(&question, &busy(question.id.clone())).expect("documented"), Outcome::Busy);
        assert!(answered(&question, &busy(json!("n2"))).is_err(), "to another request");
    }

    #[test]
    fn a_documented_rejection_passes() {
        let message = "Server busy: too many requests at once (9 in flight): try again";
        let body = json!({ "jsonrpc": "2.0", "error": { "code": -32600, "message": message } });
        let (question, body) = (question(), body.to_string());
        let held = body.replace("9 in flight", "8388608 bytes of messages are held");
        let no_bytes = answer(503, &[JSON, ("retry-after", "1")], &held);
        assert_eq!(judge(&question, &no_bytes).expect("documented"), Outcome::NoBytes);
        let documented = answer(503, &[JSON, ("retry-after", "1")], &body);
        assert_eq!(judge(&question, &documented).expect("documented"), Outcome::Busy);
        assert!(judge(&question, &answer(503, &[JSON], &body)).is_err(), "without Retry-After");
        for unknown in [body.replace("in flight", "lost"), body.replace("too many requests", "no room")] {
            let answer = answer(503, &[JSON, ("retry-after", "1")], &unknown);
            assert!(judge(&question, &answer).is_err(), "for no known reason: {unknown}");
        }
    }
}
