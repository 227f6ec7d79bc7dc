//! Event streams: parses the events of a body, incrementally or whole, by the rules of the HTML standard that Grange
//! follows.

use serde_json::Value;

use crate::failure::{Failure, Flow, shown, wrong};
use crate::http1::Connection;

/// One event; a comment has none of these fields.
#[derive(Debug, Default)]
pub(crate) struct Event {
    pub(crate) id: Option<String>,
    pub(crate) retry: Option<String>,
    name: Option<String>,
    data: Option<String>,
}

impl Event {
    /// Parses one block of lines, without the empty line at its end.
    fn parse(block: &str) -> Flow<Self> {
        let mut event = Self::default();
        for line in block.split('\n') {
            let slot = match line.split_once(':') {
                Some(("", _)) => continue,
                Some(("id", value)) => event.id.replace(value.trim_start().to_owned()),
                Some(("event", value)) => event.name.replace(value.trim_start().to_owned()),
                Some(("retry", value)) => event.retry.replace(value.trim_start().to_owned()),
                Some(("data", value)) => event.data.replace(value.trim_start().to_owned()),
                _ => return wrong(format!("no line of an event: {line:?}")),
            };
            if slot.is_some() {
                return wrong(format!("a field comes twice in one event: {block:?}"));
            }
        }
        let has_message = event.data.as_deref().is_some_and(|data| !data.is_empty());
        if event.name.as_deref() != has_message.then_some("message") {
            return wrong(format!("an event with a message is named so, and no other: {block:?}"));
        }
        Ok(event)
    }

    /// The message in its data; `None` if there is none.
    pub(crate) fn message(&self) -> Flow<Option<Value>> {
        match self.data.as_deref() {
            None | Some("") => Ok(None),
            Some(data) => match serde_json::from_str(data) {
                Ok(message) => Ok(Some(message)),
                Err(error) => wrong(format!("an event is no JSON ({error}): {}", shown(data.as_bytes()))),
            },
        }
    }
}

/// A stream that is parsed as it arrives.
#[derive(Default)]
pub(crate) struct Events {
    text: Vec<u8>,
    is_over: bool,
    /// The id of the last event that had one.
    pub(crate) last_id: Option<String>,
}

impl Events {
    /// The next block, comments included; `None` at the end of the stream.
    pub(crate) async fn next_block(&mut self, connection: &mut Connection) -> Flow<Option<Event>> {
        loop {
            if let Some(end) = self.text.windows(2).position(|pair| pair == b"\n\n") {
                let block: Vec<u8> = self.text.drain(..end + 2).collect();
                let event = Event::parse(text(block.get(..end).unwrap_or_default())?)?;
                if event.id.is_some() {
                    self.last_id.clone_from(&event.id);
                }
                return Ok(Some(event));
            }
            if self.is_over {
                let rest = std::mem::take(&mut self.text);
                return if rest.is_empty() { Ok(None) } else { wrong(format!("half an event: {}", shown(&rest))) };
            }
            match connection.chunk().await? {
                Some(chunk) => self.text.extend_from_slice(&chunk),
                None => self.is_over = true,
            }
        }
    }

    /// The next message; `None` at the end of the stream.
    pub(crate) async fn next_message(&mut self, connection: &mut Connection) -> Flow<Option<Value>> {
        while let Some(event) = self.next_block(connection).await? {
            if let Some(message) = event.message()? {
                return Ok(Some(message));
            }
        }
        Ok(None)
    }
}

/// The messages of a whole stream.
pub(crate) fn messages(body: &[u8]) -> Flow<Vec<Value>> {
    if body.is_empty() {
        return Ok(Vec::new());
    }
    let body = text(body)?.strip_suffix("\n\n").ok_or_else(|| Failure::wrong("a stream without its last line"))?;
    let events = body.split("\n\n").map(Event::parse).collect::<Flow<Vec<_>>>()?;
    events.iter().filter_map(|event| event.message().transpose()).collect()
}

fn text(bytes: &[u8]) -> Flow<&str> {
    std::str::from_utf8(bytes).map_err(|_| Failure::wrong(format!("an event is no UTF-8: {}", shown(bytes))))
}

#[cfg(test)]
mod tests {
    use super::messages;

    #[test]
    fn messages_are_found_among_comments_and_ids() {
        let found = messages(b":\n\nid: 1-0\nretry: 1000\ndata:\n\nid: 1-1\nevent: message\ndata: {\"a\":1}\n\n")
            .expect("events");
        assert_eq!(found, [serde_json::json!({ "a": 1 })]);
        assert!(messages(b"").expect("nothing").is_empty());
        let named = ["data: {\"a\":1}\n\n", "event: x\ndata: {\"a\":1}\n\n", "event: message\ndata:\n\n"];
        let halves = ["event: message\ndata: {\"a\":1}\n", "event: message\n\n", "event: message\ndata: {\n\n"];
        for wrong in named.into_iter().chain(halves).chain(["event: message\ndata: 1\ndata: 2\n\n"]) {
            assert!(messages(wrong.as_bytes()).is_err(), "{wrong:?}");
        }
    }
}
