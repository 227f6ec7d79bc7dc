//! HTTP/2: many requests at once on one connection, some of them reset. Each gets its own answer.

use bytes::Bytes;
use h2::Reason;
use h2::client::SendRequest;
use http::Request;
use tokio::net::TcpStream;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{sleep, timeout};

use crate::http1::{Answer, HANG, Head};
use crate::message::{Message, Speaker};
use crate::oracle::judge;
use crate::question::Question;
use crate::trouble::{Flow, Trouble, wrong};
use crate::worker::Worker;

/// Longer than it takes to reset, shorter than a request may run.
const LONG: u64 = 3000;

/// One connection with several streams.
pub(super) async fn streams(worker: &mut Worker) -> Flow {
    let (client, _) = connect(worker.world.address).await?;
    let count = worker.random.between(2, 16);
    let mut asking = JoinSet::new();
    for _ in 0..count {
        worker.world.pace.turn().await;
        let client = client.clone();
        if worker.random.chance(15) {
            let question = worker.make(|questions, _| questions.wait(Speaker::Modern, LONG));
            let pause = worker.random.milliseconds(0, 60);
            asking.spawn_local(async move {
                let (response, mut stream) = send(client, &question.message).await?;
                sleep(pause).await;
                stream.send_reset(Reason::CANCEL);
                drop(response);
                Ok("reset")
            });
        } else {
            let question = worker.any(Speaker::Modern);
            asking.spawn_local(async move { ask(client, &question).await });
        }
    }
    while let Some(asked) = asking.join_next().await {
        let outcome = asked.map_err(|error| Trouble::wrong(error.to_string()))??;
        worker.note(outcome);
    }
    Ok(())
}

/// The connection is lost while all its streams run.
pub(super) async fn dropped(worker: &mut Worker) -> Flow {
    let (client, driven) = connect(worker.world.address).await?;
    let mut waiting = Vec::new();
    for _ in 0..worker.random.between(1, 6) {
        worker.world.pace.turn().await;
        let question = worker.make(|questions, _| questions.told_wait(Speaker::Modern, LONG));
        waiting.push(send(client.clone(), &question.message).await?);
    }
    sleep(worker.random.milliseconds(0, 60)).await;
    driven.abort();
    worker.note("disconnected");
    Ok(())
}

/// A connection, and the task that drives it until nobody has it any more.
pub(crate) async fn connect(address: std::net::SocketAddr) -> Flow<(SendRequest<Bytes>, AbortHandle)> {
    let lost = |error: &dyn std::fmt::Display| Trouble::wrong(format!("no HTTP/2 connection: {error}"));
    let stream = TcpStream::connect(address).await.map_err(|error| lost(&error))?;
    let (client, connection) = h2::client::handshake(stream).await.map_err(|error| lost(&error))?;
    let driven = tokio::spawn(connection).abort_handle();
    Ok((client, driven))
}

/// Asks, and judges the answer.
pub(crate) async fn ask(client: SendRequest<Bytes>, question: &Question) -> Flow<&'static str> {
    let began = std::time::Instant::now();
    let answered = async {
        let (response, _) = send(client, &question.message).await?;
        receive(response).await
    };
    let Ok(answer) = timeout(HANG, answered).await else { return wrong("silence beyond the bound, over HTTP/2") };
    let answer = answer.map_err(|trouble| match trouble {
        Trouble::Wrong(what) => Trouble::lost(what, began),
        late @ Trouble::Late(_) => late,
    })?;
    Ok(judge(question, &answer)?.name())
}

type Sent = (h2::client::ResponseFuture, h2::SendStream<Bytes>);

async fn send(client: SendRequest<Bytes>, message: &Message) -> Flow<Sent> {
    let broken = |error: h2::Error| Trouble::wrong(format!("a request could not be sent over HTTP/2: {error}"));
    let mut request = Request::builder().method(message.method).uri("http://127.0.0.1/mcp");
    for (name, value) in &message.headers {
        request = request.header(*name, value);
    }
    let request = request.body(()).map_err(|error| Trouble::wrong(error.to_string()))?;
    let mut client = client.ready().await.map_err(broken)?;
    let (response, mut stream) = client.send_request(request, false).map_err(broken)?;
    stream.send_data(message.body.clone().into(), true).map_err(broken)?;
    Ok((response, stream))
}

async fn receive(response: h2::client::ResponseFuture) -> Flow<Answer> {
    let broken = |error: h2::Error| Trouble::wrong(format!("an answer broke off over HTTP/2: {error}"));
    let (head, mut stream) = response.await.map_err(broken)?.into_parts();
    let mut body = Vec::new();
    while let Some(data) = stream.data().await {
        let data = data.map_err(broken)?;
        body.extend_from_slice(&data);
        stream.flow_control().release_capacity(data.len()).map_err(broken)?;
    }
    let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = head.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
    Ok(Answer { head: Head::new(head.status.as_u16(), headers), body })
}
