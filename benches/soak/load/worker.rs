//! One client, which carries out one piece of work after another. In between it keeps one connection and one session.

use std::pin::Pin;
use std::rc::Rc;
use std::time::{Duration, Instant};

use grange_core::Revision;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::failure::{Failure, Flow, wrong};
use crate::http1::{Answer, Connection, HANG};
use crate::message::{LEGACY, Message, Sender, Session};
use crate::oracle::{Outcome, in_time, json as read_json, judge, rejected};
use crate::question::{Question, Questions};
use crate::random::Random;
use crate::shared::Shared;

/// The work of a client for one kind of load.
pub(crate) type Work = for<'a> fn(&'a mut Worker) -> Pin<Box<dyn Future<Output = Flow> + 'a>>;

/// The client.
pub(crate) struct Worker {
    pub(crate) shared: Rc<Shared>,
    pub(crate) random: Random,
    kind: &'static str,
    connection: Option<Connection>,
    session: Option<Session>,
}

impl Worker {
    pub(crate) fn new(shared: Rc<Shared>, random: Random) -> Self {
        Self { shared, random, kind: "", connection: None, session: None }
    }

    /// Carries out one piece of work of the named kind, and records its outcome.
    pub(crate) async fn carry_out(&mut self, kind: &'static str, work: Work) {
        self.kind = kind;
        let began = Instant::now();
        let done = timeout(3 * HANG, work(self)).await;
        let done = done.unwrap_or_else(|_| wrong("it hangs"));
        self.shared.counts.borrow_mut().note_time(kind, began.elapsed());
        if let Err(failure) = done {
            self.connection = None;
            self.session = None;
            self.shared.counts.borrow_mut().note_failure(kind, failure);
        }
    }

    pub(crate) fn note(&self, outcome: &'static str) {
        self.shared.counts.borrow_mut().note(self.kind, outcome);
    }

    /// Creates a question.
    pub(crate) fn make<T>(&mut self, make: impl FnOnce(&mut Questions, &mut Random) -> T) -> T {
        make(&mut self.shared.questions.borrow_mut(), &mut self.random)
    }

    pub(crate) fn any(&mut self, sender: Sender<'_>) -> Question {
        let mut question = self.make(|questions, random| questions.any(sender, random));
        // Most clients accept both; some accept only one.
        match self.random.between(0, 19) {
            0 => question.message = question.message.with("accept", Some("text/event-stream")),
            1 => question.message = question.message.with("accept", Some("application/json")),
            _ => {}
        }
        question
    }

    pub(crate) async fn open(&self) -> Flow<Connection> {
        Connection::open(self.shared.address).await
    }

    /// The kept connection, or a new one.
    pub(crate) async fn connection(&mut self) -> Flow<Connection> {
        match self.connection.take().filter(Connection::is_fresh) {
            Some(connection) => Ok(connection),
            None => self.open().await,
        }
    }

    pub(crate) fn keep(&mut self, connection: Connection) {
        self.connection = Some(connection);
    }

    /// Waits for its turn, sends the request, and reads the answer.
    pub(crate) async fn exchange(&self, connection: &mut Connection, message: &Message) -> Flow<Answer> {
        self.shared.pace.turn().await;
        connection.send(&message.to_bytes()).await?;
        let answer = connection.answer().await?;
        in_time(&answer.head, connection.began())?;
        Ok(answer)
    }

    /// Sends a question and checks the answer.
    pub(crate) async fn ask(&mut self, question: &Question) -> Flow<Outcome> {
        let mut connection = self.connection().await?;
        let answer = self.exchange(&mut connection, &question.message).await?;
        self.keep(connection);
        let outcome = judge(question, &answer)?;
        self.note(outcome.name());
        Ok(outcome)
    }

    /// The kept session, or a new one; `None` if the limit is reached.
    pub(crate) async fn session(&mut self) -> Flow<Option<Session>> {
        if self.session.is_none() {
            let revision = *self.random.pick(&LEGACY);
            self.session = self.open_session(revision).await?.ok();
        }
        Ok(self.session.clone())
    }

    /// Removes the kept session, which has ended.
    pub(crate) fn forget_session(&mut self) {
        self.session = None;
    }

    /// Opens a session, or returns the rejection.
    pub(crate) async fn open_session(&mut self, revision: Revision) -> Flow<Result<Session, Outcome>> {
        let id = json!(self.make(|questions, _| questions.nonce()));
        let mut connection = self.connection().await?;
        let answer = self.exchange(&mut connection, &Message::initialize(&id, revision)).await?;
        self.keep(connection);
        if let Some(outcome) = rejected(&answer.head, &answer.body)? {
            if outcome == Outcome::NoRoom && read_json(&answer.body)?["id"] != id {
                return wrong("a rejected handshake without its id");
            }
            self.note(outcome.name());
            return Ok(Err(outcome));
        }
        let received = read_json(&answer.body)?;
        let is_ours = received["id"] == id && received["result"]["protocolVersion"] == revision.name();
        let Some(session) = answer.head.header("mcp-session-id").filter(|_| is_ours && answer.head.status == 200)
        else {
            return wrong(format!("no handshake of {}: {received}", revision.name()));
        };
        let session = Session { id: session.to_owned(), revision };
        let outcome =
            self.post_message(&session, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await?;
        Ok(if outcome == Outcome::Answered { Ok(session) } else { Err(outcome) })
    }

    /// Posts a message without an answer; repeats it while the server is busy.
    pub(crate) async fn post_message(&mut self, session: &Session, message: &Value) -> Flow<Outcome> {
        const TRIES: u32 = 100;
        let post = Sender::Legacy(session).post(message);
        for _ in 0..TRIES {
            let mut connection = self.connection().await?;
            let answer = self.exchange(&mut connection, &post).await?;
            self.keep(connection);
            match rejected(&answer.head, &answer.body)? {
                None if answer.head.status == 202 && answer.body.is_empty() => {
                    self.note("told");
                    return Ok(Outcome::Answered);
                }
                None => return wrong(format!("status {} to {message}", answer.head.status)),
                Some(Outcome::Busy) => {
                    self.note(Outcome::Busy.name());
                    sleep(Duration::from_millis(10)).await;
                }
                Some(outcome) => {
                    self.note(outcome.name());
                    return Ok(outcome);
                }
            }
        }
        Ok(Outcome::Busy)
    }

    /// The same for a session in use, which must exist.
    pub(crate) async fn post_in_use(&mut self, session: &Session, message: &Value) -> Flow<bool> {
        match self.post_message(session, message).await? {
            Outcome::Answered => Ok(true),
            Outcome::Busy => Ok(false),
            outcome => Err(Failure::wrong(format!("{} while the session is in use", outcome.name()))),
        }
    }
}
