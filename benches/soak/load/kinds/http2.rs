//! HTTP/2: many concurrent requests on one connection, some of which are reset. Each gets its own answer.

use std::fmt::Display;
use std::net::SocketAddr;
use std::time::Instant;

use bytes::Bytes;
use h2::Reason;
use h2::client::SendRequest;
use http::Request;
use tokio::net::TcpStream;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{sleep, timeout};

use crate::failure::{Failure, Flow};
use crate::http1::{Answer, HANG, Head};
use crate::message::{Message, Sender};
use crate::oracle::judge;
use crate::question::Question;
use crate::worker::Worker;

/// Longer than a reset takes, shorter than a request may run.
const LONG: u64 = 3000;

/// Opens one connection with several streams.
pub(super) async fn streams(worker: &mut Worker) -> Flow {
    let (client, _) = connect(worker.shared.address).await?;
    let count = worker.random.between(2, 16);
    let mut asking = JoinSet::new();
    for _ in 0..count {
        worker.shared.pace.turn().await;
        let client = client.clone();
        if worker.random.chance(15) {
            let question = worker.make(|questions, _| questions.wait(Sender::Modern, LONG));
            let pause = worker.random.milliseconds(0, 60);
            asking.spawn_local(async move {
                let (response, mut stream) = client.send(&question.message).await?;
                sleep(pause).await;
                stream.send_reset(Reason::CANCEL);
                drop(response);
                Ok("reset")
            });
        } else {
            let question = worker.any(Sender::Modern);
            asking.spawn_local(async move { client.ask(&question).await });
        }
    }
    while let Some(asked) = asking.join_next().await {
        let outcome = asked.map_err(|error| Failure::wrong(error.to_string()))??;
        worker.note(outcome);
    }
    Ok(())
}

/// Drops the connection while all its streams run, some of them with unread data.
pub(super) async fn dropped(worker: &mut Worker) -> Flow {
    let (client, driven) = connect(worker.shared.address).await?;
    let mut waiting = Vec::new();
    for _ in 0..worker.random.between(1, 6) {
        worker.shared.pace.turn().await;
        let question = worker.make(|questions, random| match random.between(0, 2) {
            0 => questions.computed(Sender::Modern),
            1 => questions.wait(Sender::Modern, LONG),
            _ => questions.wait_with_progress(Sender::Modern, LONG),
        });
        waiting.push(client.send(&question.message).await?);
    }
    sleep(worker.random.milliseconds(0, 60)).await;
    driven.abort();
    worker.note("disconnected");
    Ok(())
}

/// A connection, and the task that drives it until all its handles are dropped.
pub(crate) async fn connect(address: SocketAddr) -> Flow<(Multiplexed, AbortHandle)> {
    let opened = Instant::now();
    let broken = |error: &dyn Display| Failure::lost(format!("no HTTP/2 connection: {error}"), opened);
    let stream = TcpStream::connect(address).await.map_err(|error| broken(&error))?;
    let (client, connection) = h2::client::handshake(stream).await.map_err(|error| broken(&error))?;
    let driven = tokio::spawn(connection).abort_handle();
    Ok((Multiplexed { client, opened }, driven))
}

/// The same, whose streams get no window. The caller drives it.
pub(super) async fn connect_without_window(address: SocketAddr) -> Flow<(Multiplexed, Driven)> {
    let opened = Instant::now();
    let broken = |error: &dyn Display| Failure::lost(format!("no HTTP/2 connection: {error}"), opened);
    let stream = TcpStream::connect(address).await.map_err(|error| broken(&error))?;
    let mut builder = h2::client::Builder::new();
    let opening = builder.initial_window_size(0).handshake(stream);
    let (client, connection) = opening.await.map_err(|error| broken(&error))?;
    Ok((Multiplexed { client, opened }, connection))
}

/// What drives a connection.
pub(super) type Driven = h2::client::Connection<TcpStream, Bytes>;

/// A connection with many concurrent requests.
#[derive(Clone)]
pub(crate) struct Multiplexed {
    client: SendRequest<Bytes>,
    /// When it was opened. The server's timers for it cannot have started earlier.
    opened: Instant,
}

pub(super) type Sent = (h2::client::ResponseFuture, h2::SendStream<Bytes>);

impl Multiplexed {
    /// Sends a question and checks the answer.
    pub(crate) async fn ask(self, question: &Question) -> Flow<&'static str> {
        let opened = self.opened;
        let answered = async {
            let (response, _) = self.send(&question.message).await?;
            receive(response)
                .await
                .map_err(|error| Failure::lost(format!("an answer broke off over HTTP/2: {error}"), opened))
        };
        let answer =
            timeout(HANG, answered).await.map_err(|_| Failure::wrong("no data within the limit, over HTTP/2"))?;
        Ok(judge(question, &answer?)?.name())
    }

    pub(super) async fn send(&self, message: &Message) -> Flow<Sent> {
        let broken = |error| Failure::lost(format!("a request could not be sent over HTTP/2: {error}"), self.opened);
        let mut request = Request::builder().method(message.method).uri("http://127.0.0.1/mcp");
        for (name, value) in &message.headers {
            request = request.header(*name, value);
        }
        let request = request.body(()).map_err(|error| Failure::wrong(error.to_string()))?;
        let mut client = self.client.clone().ready().await.map_err(broken)?;
        let (response, mut stream) = client.send_request(request, false).map_err(broken)?;
        stream.send_data(message.body.clone().into(), true).map_err(broken)?;
        Ok((response, stream))
    }
}

async fn receive(response: h2::client::ResponseFuture) -> Result<Answer, h2::Error> {
    let (head, mut stream) = response.await?.into_parts();
    let mut body = Vec::new();
    while let Some(data) = stream.data().await {
        let data = data?;
        body.extend_from_slice(&data);
        stream.flow_control().release_capacity(data.len())?;
    }
    let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = head.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
    Ok(Answer { head: Head::new(head.status.as_u16(), headers), body })
}
