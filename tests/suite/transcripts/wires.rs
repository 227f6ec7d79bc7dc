//! The two real transports as wires for transcripts, without a socket: an in-memory duplex with the stdio driver, and
//! the HTTP service called directly.
//!
//! The server is done when the runtime has no work left: on the paused clock a time-out elapses exactly then.

use std::time::Duration;

use bytes::Bytes;
use grange_core::{Revision, Server};
use grange_http::{HttpService, ResponseBody};
use grange_testkit::ClientHeaders;
use grange_testkit::transcript::{Answer, Wire};
use http::{Request, Response, header};
use http_body_util::{BodyExt as _, Full};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use tokio::time::timeout;
use tower_service::Service as _;

/// Shorter than any timer of the server.
const QUIET: Duration = Duration::from_millis(1);

/// A server on a pipe.
pub(super) struct PipeWire {
    requests: WriteHalf<DuplexStream>,
    answers: Lines<BufReader<ReadHalf<DuplexStream>>>,
}

impl PipeWire {
    pub(super) fn new(server: &Server) -> Self {
        let (client, ours) = tokio::io::duplex(1 << 20);
        let (read, write) = tokio::io::split(ours);
        tokio::spawn(server.clone().listen(grange_stdio::pipe(read, write)));
        let (answers, requests) = tokio::io::split(client);
        Self { requests, answers: BufReader::new(answers).lines() }
    }
}

impl Wire for PipeWire {
    async fn exchange(&mut self, message: &str) -> Answer {
        self.requests.write_all(format!("{message}\n").as_bytes()).await.unwrap();
        let mut messages = Vec::new();
        while let Ok(line) = timeout(QUIET, self.answers.next_line()).await {
            messages.push(line.unwrap().expect("the server must not close the pipe"));
        }
        Answer { status: None, messages }
    }
}

/// The HTTP service, and a client without a session.
pub(super) struct HttpWire {
    service: HttpService,
    headers: ClientHeaders,
}

impl HttpWire {
    pub(super) fn new(server: &Server, revision: Revision) -> Self {
        Self { service: HttpService::new(server.clone()), headers: ClientHeaders::new(revision) }
    }
}

impl Wire for HttpWire {
    async fn exchange(&mut self, message: &str) -> Answer {
        let mut request = Request::post("/mcp")
            .header(header::HOST, "localhost")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json, text/event-stream");
        for (name, value) in self.headers.of(message.as_bytes()) {
            request = request.header(name, value);
        }
        let request = request.body(Full::new(Bytes::from(message.to_owned()))).unwrap();
        let response = self.service.call(request).await.unwrap();
        let status = Some(response.status().as_u16());
        Answer { status, messages: messages(response).await }
    }
}

/// The messages of a response: the body itself, or the data of its events.
async fn messages(response: Response<ResponseBody>) -> Vec<String> {
    let kind = response.headers().get(header::CONTENT_TYPE).map(|kind| kind.to_str().unwrap().to_owned());
    let mut body = response.into_body();
    let mut bytes = Vec::new();
    while let Ok(Some(frame)) = timeout(QUIET, body.frame()).await {
        bytes.extend_from_slice(&frame.unwrap().into_data().unwrap());
    }
    let text = String::from_utf8(bytes).unwrap();
    match kind.as_deref() {
        None => {
            assert_eq!(text, "");
            Vec::new()
        }
        Some("application/json") => vec![text],
        Some("text/event-stream") => {
            text.lines().filter_map(|line| Some(line.strip_prefix("data:")?.trim_start().to_owned())).collect()
        }
        Some(other) => panic!("a body of {other}"),
    }
}
