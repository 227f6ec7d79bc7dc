//! Skills from a disk, and the rule for every list: a digest is of the bytes that a read returns.

mod digests;
mod directories;
mod exchanged;

use std::task::Poll;

use bytes::Bytes;
use grange_core::{Action, Connection, Item, JobEvent, Revision, Server};
use serde_json::{Value, json};

use crate::{Skill, Skills};

/// A client that sends one request at a time; each is answered in a single poll.
struct Client {
    connection: Connection,
    revision: Revision,
}

impl Client {
    fn new(server: &Server, revision: Revision) -> Self {
        let mut client = Self { connection: Connection::new(server.clone()), revision };
        if revision.has_handshake() {
            let info = json!({ "name": "t", "version": "1" });
            let params = json!({ "protocolVersion": revision.name(), "capabilities": {}, "clientInfo": info });
            client.ask("initialize", params);
        }
        client
    }

    /// The response, with a result or an error.
    fn ask(&mut self, method: &str, mut params: Value) -> Value {
        if !self.revision.has_handshake() {
            let key = |name| format!("io.modelcontextprotocol/{name}");
            params["_meta"] = json!({ key("protocolVersion"): self.revision.name(), key("clientCapabilities"): {} });
        }
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.connection.handle_frame(&Bytes::from(body.to_string()));
        let wire = match self.connection.poll_action() {
            Some(Action::Send(wire)) => wire,
            Some(Action::Start(ticket, mut job)) => {
                let Poll::Ready(JobEvent::Done(wire, _)) = job.poll_now() else {
                    panic!("{method} must complete in one poll")
                };
                self.connection.handle_done(ticket);
                wire
            }
            action => panic!("{method} has no response: {action:?}"),
        };
        serde_json::from_slice(&wire.into_bytes()).unwrap()
    }

    fn result(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.ask(method, params);
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].take()
    }

    /// The bytes of a file, from a text or a blob.
    fn read(&mut self, uri: &str) -> Vec<u8> {
        let result = self.result("resources/read", json!({ "uri": uri }));
        let item = &result["contents"][0];
        match (item["text"].as_str(), item["blob"].as_str()) {
            (Some(text), None) => text.as_bytes().to_vec(),
            (None, Some(blob)) => Item::base64(uri.to_owned(), blob.to_owned()).as_bytes().unwrap().to_vec(),
            _ => panic!("an item has one payload: {item}"),
        }
    }
}

/// A modern client and a legacy one.
fn clients(server: &Server) -> [Client; 2] {
    [Revision::V2026_07_28, Revision::V2025_11_25].map(|revision| Client::new(server, revision))
}

fn serve(skills: impl IntoIterator<Item = Skill>) -> Server {
    Server::builder("t", "1").extension(Skills::new(skills).directory_read()).build().unwrap()
}

/// The errors of `build()`.
fn errors(skill: Skill) -> Vec<String> {
    let error = Server::builder("t", "1").extension(Skills::new([skill])).build().unwrap_err();
    error.errors().iter().map(ToString::to_string).collect()
}

fn skill_md(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n---\n")
}
