//! Readers that block their thread, over sockets: all other requests are served as long as one worker is free.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use grange_core::Limits;

use super::drive::{NOTE, Post, note, running, server};
use super::sockets::{Serving, raw};

/// Longer than any step here; reached only by a failing test.
const LIMIT: Duration = Duration::from_secs(20);

/// Enough runs for the tasks to be distributed over the workers in every way.
const TIMES: usize = 40;

/// A connection that does not use the runtime.
struct Client(TcpStream);

impl Client {
    fn of(serving: &Serving) -> Self {
        let stream = TcpStream::connect(serving.address).unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        Self(stream)
    }

    fn send(&mut self, uri: &str) {
        let post = Post::read_of(uri);
        let length = post.body.len();
        self.0.write_all(&raw(&post, "", length)).unwrap();
    }

    /// The whole answer.
    fn answer(&mut self) -> String {
        let (mut text, mut bytes) = (String::new(), [0; 4096]);
        while !text.ends_with("}}") {
            let length = self.0.read(&mut bytes).expect("an answer in time");
            assert!(length > 0, "closed after {text}");
            text += std::str::from_utf8(&bytes[..length]).unwrap();
        }
        text
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn w7_8_over_http_a_blocking_reader_delays_no_other_answer() {
    let (begins, begun) = mpsc::channel();
    let (opens, gate) = mpsc::channel();
    let gate = Arc::new(Mutex::new(gate));
    let blocks = running(move |_cx| {
        let (begins, gate) = (begins.clone(), gate.clone());
        async move {
            begins.send(()).unwrap();
            gate.lock().unwrap().recv_timeout(2 * LIMIT)?;
            Ok("passed")
        }
    });
    let serving = Serving::new(server([blocks, note()], Limits::default()), |http| http.path("/mcp")).await;
    for _ in 0..TIMES {
        let mut clients = [Client::of(&serving), Client::of(&serving), Client::of(&serving)];
        for client in &mut clients {
            client.send(NOTE);
            assert!(client.answer().contains("note"));
        }
        let [blocked, other, another] = &mut clients;
        blocked.send("docs://run");
        begun.recv_timeout(LIMIT).expect("it begins in time");
        other.send(NOTE);
        another.send(NOTE);
        assert!(other.answer().contains("note") && another.answer().contains("note"));
        opens.send(()).unwrap();
        assert!(blocked.answer().contains("passed"));
    }
    serving.stopped().await;
}
