//! The fake host behind the real driver of pipes, without the test kit's client.

use grange_core::{Limits, Revision};
use grange_testkit::FakeHost;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

use super::{FILE, ID, asking, legacy};

/// A client of messages on a pipe.
struct Talk {
    requests: WriteHalf<DuplexStream>,
    answers: Lines<BufReader<ReadHalf<DuplexStream>>>,
    host: FakeHost,
}

impl Talk {
    async fn say(&mut self, message: Value) {
        self.requests.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    /// Sends a request and returns its answer; the host answers the server's requests meanwhile.
    async fn ask(&mut self, request: Value) -> Value {
        let id = request["id"].clone();
        self.say(request).await;
        loop {
            let line = self.answers.next_line().await.unwrap().expect("the server must not close the pipe");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            for answer in self.host.answer(&message) {
                self.say(answer).await;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b7_3_a_host_on_a_pipe_can_be_read() {
    // Longer than the buffer of a pipe, so that reading continues while the answer arrives.
    read_over_a_pipe(&"hello ".repeat(100_000), legacy()).await;
}

#[tokio::test(start_paused = true)]
async fn b7_3_a_file_on_a_pipe_may_exceed_the_limit_of_other_messages() {
    let text = "hello ".repeat(1_000_000);
    assert!(text.len() > Limits::default().message_bytes);
    read_over_a_pipe(&text, legacy().last()).await;
}

async fn read_over_a_pipe(text: &str, revisions: impl IntoIterator<Item = Revision>) {
    let (server, found) = asking(|host| async move { host.read_text(FILE).await.map(|text| text.len()) });
    for revision in revisions {
        let (client, ours) = tokio::io::duplex(4096);
        let (read, write) = tokio::io::split(ours);
        let serving = tokio::spawn(server.clone().listen(grange_stdio::pipe(read, write)));
        let (answers, requests) = tokio::io::split(client);
        let host = FakeHost::new().file(ID, "text/plain", text.to_owned());
        let mut talk = Talk { requests, answers: BufReader::new(answers).lines(), host };
        let params = json!({
            "protocolVersion": revision.name(),
            "capabilities": talk.host.client_capabilities(),
            "clientInfo": talk.host.client_info()
        });
        talk.ask(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })).await;
        talk.say(json!({ "method": "notifications/initialized", "jsonrpc": "2.0" })).await;
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "ask" } });
        assert_eq!(talk.ask(call).await["result"]["content"][0]["text"], "asked");
        assert_eq!(found.one(), Ok(text.len()));
        assert_eq!(talk.host.requests().count(), 1);
        talk.requests.shutdown().await.unwrap();
        serving.await.unwrap().unwrap();
    }
}
