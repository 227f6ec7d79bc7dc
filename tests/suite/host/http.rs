//! The fake host behind the real HTTP service: every behavior, with and without a `GET` stream, on every revision that
//! has sessions.

use std::collections::VecDeque;
use std::time::Duration;

use grange_core::{HostError, Revision};
use grange_http::{HttpService, ResponseBody};
use grange_testkit::{FakeHost, HostAct, HostBehavior, Stream};
use http::{Method, Response};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use super::{FILE, Found, ID, asking, legacy, lending};
use crate::http::drive::{self, Answer, Post};
use crate::schema;

/// A host with a session.
struct Talk {
    service: HttpService,
    session: String,
    revision: Revision,
    host: FakeHost,
    /// The `GET` stream, if the host has opened one.
    get: Option<Response<ResponseBody>>,
}

impl Talk {
    async fn connect(service: HttpService, revision: Revision, host: FakeHost, gets: bool) -> Self {
        let params = json!({
            "protocolVersion": revision.name(),
            "capabilities": host.client_capabilities(),
            "clientInfo": host.client_info(),
        });
        let opened = Post::legacy("initialize", &params).send(&service).await;
        let session = opened.headers["mcp-session-id"].to_str().unwrap().to_owned();
        let mut talk = Self { service, session, revision, host, get: None };
        assert_eq!(talk.send(&json!({ "method": "notifications/initialized", "jsonrpc": "2.0" })).await.status, 202);
        if gets {
            let get = talk.with_metadata(Post::of("").method(Method::GET).without("content-type"));
            talk.get = Some(get.header("accept", "text/event-stream").open(&talk.service).await);
            assert_eq!(talk.get.as_ref().unwrap().status(), 200);
        }
        talk
    }

    fn with_metadata(&self, post: Post) -> Post {
        let post = post.header("mcp-session-id", &self.session);
        if self.revision.has_version_header() {
            post.header("mcp-protocol-version", self.revision.name())
        } else {
            post
        }
    }

    async fn send(&self, message: &Value) -> Answer {
        self.with_metadata(Post::of(message.to_string())).send(&self.service).await
    }

    /// Calls `ask`, with the host answering the server's requests meanwhile. Returns the answer, if there is one.
    async fn ask(&mut self) -> Option<Value> {
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "ask" } });
        let mut response = self.with_metadata(Post::of(call.to_string())).open(&self.service).await;
        if response.headers()["content-type"] == "application/json" {
            return Some(Answer::of(response).await.json());
        }
        let mut pending = VecDeque::new();
        let mut rest = String::new();
        loop {
            while let Some(message) = pending.pop_front() {
                if answers(&message) {
                    return Some(message);
                }
                for act in self.host.act(Stream::Post(1), &message) {
                    match act {
                        HostAct::Send(message) => assert_eq!(self.send(&message).await.status, 202),
                        HostAct::DropStream => return None,
                        HostAct::EndSession => {
                            let delete =
                                self.with_metadata(Post::of("").method(Method::DELETE).without("content-type"));
                            assert_eq!(delete.send(&self.service).await.status, 204);
                        }
                        other => panic!("unexpected act: {other:?}"),
                    }
                }
            }
            rest.push_str(&drive::next(response.body_mut()).await?);
            while let Some((event, after)) = rest.split_once("\n\n") {
                pending.extend(self.message(event));
                rest = after.to_owned();
            }
        }
    }

    /// Whether the `GET` stream carried a message.
    async fn got_message_on_get_stream(&mut self) -> bool {
        let Some(get) = &mut self.get else { return false };
        while let Ok(Some(piece)) = timeout(Duration::from_millis(1), drive::next(get.body_mut())).await {
            if piece.contains("data: {") {
                return true;
            }
        }
        false
    }

    /// The message in one event, if it has one.
    fn message(&self, event: &str) -> Option<Value> {
        let data = event.lines().find_map(|line| line.strip_prefix("data: "))?;
        let message = serde_json::from_str(data).unwrap();
        let problems = schema::check(self.revision, "tools/call", &message);
        assert!(problems.is_empty(), "{message:.300} does not match the schema:\n{}", problems.join("\n"));
        Some(message)
    }
}

fn answers(message: &Value) -> bool {
    message["id"] == 1 && message.get("method").is_none()
}

fn files() -> FakeHost {
    FakeHost::new().file(ID, "text/plain", "hello")
}

fn reading() -> (HttpService, Found<Result<usize, HostError>>) {
    let (server, found) = asking(|host| async move { host.read_text(FILE).await.map(|text| text.len()) });
    (HttpService::new(server), found)
}

/// Checks the outcome in a tool for a host with that behavior.
async fn outcomes(behavior: HostBehavior, check: impl FnMut(Result<usize, HostError>)) {
    outcomes_on(legacy(), behavior, check).await;
}

async fn outcomes_on(
    revisions: impl IntoIterator<Item = Revision>,
    behavior: HostBehavior,
    mut check: impl FnMut(Result<usize, HostError>),
) {
    for revision in revisions {
        for gets in [false, true] {
            let (service, found) = reading();
            let mut talk = Talk::connect(service, revision, files().behavior(behavior), gets).await;
            let answer = talk.ask().await;
            if answer.is_none() {
                // After this time a client without a connection counts as disconnected.
                sleep(Duration::from_secs(6)).await;
            }
            check(found.one());
            assert!(!talk.got_message_on_get_stream().await, "{revision} {behavior:?}");
            let requests = talk.host.requests().count();
            assert_eq!(requests, 1, "{revision} {behavior:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b2_4_b7_3_requests_use_the_stream_of_the_call_with_and_without_a_get_stream() {
    outcomes(HostBehavior::Proper, |outcome| assert_eq!(outcome, Ok(5))).await;
}

#[tokio::test(start_paused = true)]
async fn b7_7_requests_to_a_silent_host_time_out() {
    for behavior in [HostBehavior::NeverAnswers, HostBehavior::AnswersUnknownId, HostBehavior::AnswersTextId] {
        let began = tokio::time::Instant::now();
        outcomes(behavior, |outcome| assert_eq!(outcome, Err(HostError::Timeout(Duration::from_secs(30))))).await;
        assert!(began.elapsed() >= Duration::from_secs(300), "ten calls, each of thirty seconds");
    }
}

#[tokio::test(start_paused = true)]
async fn b7_7_a_second_answer_is_ignored() {
    outcomes(HostBehavior::AnswersTwice, |outcome| assert_eq!(outcome, Ok(5))).await;
}

#[tokio::test(start_paused = true)]
async fn b7_7_a_malformed_result_is_an_invalid_response() {
    for behavior in
        [HostBehavior::EmptyResult, HostBehavior::WrongContents, HostBehavior::BothPayloads, HostBehavior::BadBase64]
    {
        outcomes(behavior, |outcome| assert!(matches!(outcome, Err(HostError::InvalidResponse(_))), "{outcome:?}"))
            .await;
    }
}

#[tokio::test(start_paused = true)]
async fn b7_7_an_error_without_data_has_its_type() {
    for (code, expected) in [
        (-32002, HostError::NotFound { uri: None }),
        (-32004, HostError::RateLimited { retry_after: None }),
        (-32005, HostError::TooLarge { uri: None, size: None, max_size: None }),
    ] {
        outcomes(HostBehavior::ErrorWithoutData(code), |outcome| assert_eq!(outcome, Err(expected.clone()))).await;
    }
    outcomes(HostBehavior::NotImplemented, |outcome| assert_eq!(outcome, Err(HostError::NotImplemented))).await;
}

#[tokio::test(start_paused = true)]
async fn b7_7_a_file_over_the_advertised_size_arrives_within_the_servers_limit() {
    let newest = legacy().last();
    outcomes_on(newest, HostBehavior::TooLong, |outcome| assert_eq!(outcome, Ok(10 * 1024 * 1024 + 1))).await;
}

#[tokio::test(start_paused = true)]
async fn b7_7_a_host_that_drops_the_stream_is_disconnected() {
    outcomes(HostBehavior::DropsStream, |outcome| assert_eq!(outcome, Err(HostError::Disconnected))).await;
}

#[tokio::test(start_paused = true)]
async fn b7_7_the_end_of_the_session_cancels_the_call() {
    for revision in legacy() {
        for gets in [false, true] {
            let (server, _, ends) = lending();
            let mut talk = Talk::connect(HttpService::new(server), revision, files(), gets).await;
            let service = talk.service.clone();
            let delete = talk.with_metadata(Post::of("").method(Method::DELETE).without("content-type"));
            let (answer, deleted) = tokio::join!(talk.ask(), async {
                sleep(Duration::from_secs(1)).await;
                delete.send(&service).await.status
            });
            assert_eq!((answer, deleted), (None, 204));
            sleep(Duration::from_millis(1)).await;
            assert_eq!(ends.take(), ["dropped"]);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b7_8_a_modern_client_with_the_block_gets_no_request() {
    let (service, found) = reading();
    for extensions in [json!({}), files().client_capabilities().unwrap()["extensions"].clone()] {
        let mut call = Post::modern("tools/call", json!({ "name": "ask", "arguments": {} })).header("mcp-name", "ask");
        let mut body: Value = serde_json::from_slice(&call.body).unwrap();
        body["params"]["_meta"][drive::CAPABILITIES_KEY] = json!({ "extensions": extensions });
        call = call.body(body.to_string());
        let answer = call.send(&service).await;
        assert!(answer.is_json(), "{answer:?}");
        assert!(matches!(found.one(), Err(HostError::CapabilityMissing { .. })));
    }
}
