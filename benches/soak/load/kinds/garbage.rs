//! Invalid input: complete but wrong requests, bytes that are not a request, and parts of valid requests.

use grange_benches::soak::HEAD_BYTES;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::failure::{Flow, shown, wrong};
use crate::message::{Message, Sender, Session};
use crate::oracle::{Outcome, error_message, json as read_json, rejected};
use crate::random::Random;
use crate::worker::Worker;

/// A change that makes a valid request invalid, with the expected status and, for an invalid message, the error code.
type Row = (fn(Message, &mut Random) -> Vec<u8>, u16, Option<i64>);

fn body(message: Message, change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    let changed = change(message.body.clone());
    message.with_body(changed).to_bytes()
}

fn value(message: Message, change: impl FnOnce(&mut Value)) -> Vec<u8> {
    body(message, |body| {
        let mut value = serde_json::from_slice(&body).unwrap_or_default();
        change(&mut value);
        value.to_string().into_bytes()
    })
}

fn header(message: Message, name: &'static str, value: Option<&str>) -> Vec<u8> {
    message.with(name, value).to_bytes()
}

fn replaced(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    String::from_utf8_lossy(bytes).replacen(from, to, 1).into_bytes()
}

const FRAMED: &[Row] = &[
    (|message, random| body(message, |body| body[..random.index(body.len())].to_vec()), 400, Some(-32700)),
    (|message, random| body(message, |_| [&[0xff][..], &random.bytes(100)].concat()), 400, Some(-32700)),
    (|message, _| body(message, |_| [b'['; 1000].to_vec()), 400, Some(-32700)),
    (|message, _| body(message, |_| br#"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"#.to_vec()), 400, Some(-32700)),
    (|message, _| body(message, |body| replaced(&body, "{", r#"{"id":1,"#)), 400, Some(-32600)),
    (|message, _| value(message, |value| value["id"] = json!(null)), 400, Some(-32600)),
    (|message, _| value(message, |value| value["id"] = json!(1.5)), 400, Some(-32600)),
    (|message, _| value(message, |value| value["jsonrpc"] = json!("1.0")), 400, Some(-32600)),
    (|message, _| value(message, |value| *value = json!([value.take()])), 400, Some(-32600)),
    (|message, _| body(message, |_| br#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_vec()), 400, Some(-32600)),
    (|message, _| value(message, |value| value["params"]["uri"] = json!(7)), 400, None),
    (|message, _| value(message, |value| value["params"]["_meta"] = json!({})), 400, Some(-32602)),
    (|message, _| header(message, "content-type", Some("text/plain")), 415, None),
    (|message, _| header(message, "content-type", None), 415, None),
    (|message, _| header(message, "content-encoding", Some("gzip")), 415, None),
    (|message, _| header(message, "accept", Some("image/png")), 406, None),
    (|message, _| header(message, "host", Some("evil.example")), 403, None),
    (|message, _| replaced(&message.to_bytes(), "host: 127.0.0.1\r\n", ""), 400, None),
    (|message, _| header(message, "origin", Some("https://evil.example")), 403, None),
    (|message, _| header(message, "mcp-method", Some("tools/call")), 400, Some(-32020)),
    (|message, _| header(message, "mcp-name", None), 400, Some(-32020)),
    (|message, _| header(message, "mcp-protocol-version", Some("2099-01-01")), 400, Some(-32020)),
    (|message, _| replaced(&message.to_bytes(), "POST /mcp", "POST /other"), 404, None),
    (|message, _| Message { method: "PUT", ..message }.to_bytes(), 405, None),
    (|message, _| Message { method: "OPTIONS", ..message }.to_bytes(), 405, None),
    (|message, _| Message { method: "BREW", ..message }.to_bytes(), 405, None),
    (|_, _| Sender::Modern.bodiless("GET").to_bytes(), 405, None),
    (|_, _| in_no_session(None).to_bytes(), 400, Some(-32600)),
    (|_, random| in_no_session(Some(random)).to_bytes(), 404, Some(-32600)),
];

/// A request of a revision with sessions, without a session or with an unknown one.
fn in_no_session(random: Option<&mut Random>) -> Message {
    let id = random.map(|random| format!("{:016x}{:016x}", random.next(), random.next()));
    let session = Session { id: id.clone().unwrap_or_default(), revision: crate::message::PRIMED };
    let message = Sender::Legacy(&session).request(&json!(1), "ping", json!({}));
    message.with("mcp-session-id", id.as_deref())
}

/// Sends a complete but wrong request: it is rejected, and the connection stays usable.
pub(super) async fn framed(worker: &mut Worker) -> Flow {
    let good = worker.make(|questions, _| questions.echo(Sender::Modern));
    let (make, status, code) = FRAMED[worker.random.index(FRAMED.len())];
    let bytes = make(good.message, &mut worker.random);
    let mut connection = worker.connection().await?;
    worker.shared.pace.turn().await;
    connection.send(&bytes).await?;
    let answer = connection.answer().await?;
    worker.keep(connection);
    let place = || format!("to {} came status {} with {}", shown(&bytes), answer.head.status, shown(&answer.body));
    if answer.head.status == status {
        error_message(&answer.body).map_err(|failure| failure.at(place()))?;
        let found = read_json(&answer.body)?["error"]["code"].as_i64();
        if code.is_some() && found != code {
            return wrong(place());
        }
        worker.note("refused");
    } else {
        match rejected(&answer.head, &answer.body)? {
            Some(Outcome::Busy) => worker.note(Outcome::Busy.name()),
            _ => return wrong(place()),
        }
    }
    let question = worker.make(|questions, _| questions.echo(Sender::Modern));
    worker.ask(&question).await?;
    Ok(())
}

/// Bytes that are not a request, or that exceed a limit.
const UNFRAMED: &[fn(Message, &mut Random) -> Vec<u8>] = &[
    |_, random| {
        let length = random.index(3000) + 1;
        random.bytes(length)
    },
    |_, _| b"GET\r\n\r\n".to_vec(),
    |_, _| b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
    |_, random| [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(), random.bytes(200)].concat(),
    |message, _| replaced(&message.to_bytes(), "HTTP/1.1", "HTTP/7.3"),
    |message, _| message.head("content-length: 12\r\ncontent-length: 13\r\n"),
    |message, _| message.head("content-length: -1\r\n"),
    |message, _| message.head("a header: 1\r\n"),
    |message, _| message.head(&format!("x-long: {}\r\n", "x".repeat(2 * HEAD_BYTES))),
    |message, _| message.head(&"x-again: 1\r\n".repeat(500)),
    |message, _| [message.head("content-length: 10000000\r\n"), vec![b' '; 200_000]].concat(),
    |message, _| {
        let head = message.head("transfer-encoding: chunked\r\n");
        [head, b"30d40\r\n".to_vec(), vec![b' '; 200_000], b"\r\n0\r\n\r\n".to_vec()].concat()
    },
    |message, _| [message.head("transfer-encoding: chunked\r\n"), b"no chunk\r\n".to_vec()].concat(),
    |message, _| [message.head("content-length: 1000\r\n"), message.body].concat(),
];

/// Sends bytes that are not a request: they are rejected, or the connection is closed. There is never a result or a
/// hang.
pub(super) async fn unframed(worker: &mut Worker) -> Flow {
    let good = worker.make(|questions, _| questions.echo(Sender::Modern));
    let make = *worker.random.pick(UNFRAMED);
    let bytes = make(good.message, &mut worker.random);
    let mut connection = worker.open().await?;
    worker.shared.pace.turn().await;
    // The server may have closed the connection before all bytes were sent.
    let _ = connection.send(&bytes).await;
    if worker.random.chance(30) {
        connection.finish().await;
    }
    let received = connection.rest().await?;
    let status = received.strip_prefix(b"HTTP/1.1 ").and_then(|rest| std::str::from_utf8(rest.get(..3)?).ok());
    match status {
        Some(status) if status.starts_with('4') => worker.note("refused"),
        Some("503") => worker.note(Outcome::Busy.name()),
        // HTTP/2 closes a connection with its own frames.
        None if received.is_empty() || bytes.starts_with(b"PRI * HTTP/2.0") => worker.note("closed"),
        _ => return wrong(format!("to {} came {}", shown(&bytes), shown(&received))),
    }
    Ok(())
}

/// Sends the start of a valid request, then disconnects.
pub(super) async fn half(worker: &mut Worker) -> Flow {
    let question = worker.any(Sender::Modern);
    let bytes = question.message.to_bytes();
    let sent = worker.random.index(bytes.len());
    let mut connection = worker.open().await?;
    worker.shared.pace.turn().await;
    connection.send(bytes.get(..sent).unwrap_or_default()).await?;
    sleep(worker.random.milliseconds(0, 100)).await;
    if worker.random.chance(50) {
        connection.reset();
    }
    worker.note("left");
    Ok(())
}
