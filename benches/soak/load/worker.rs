//! One client, which carries out one piece of work after another. In between it keeps one connection and one session.

use std::pin::Pin;
use std::rc::Rc;
use std::time::{Duration, Instant};

use grange_core::Revision;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::http1::{Answer, Connection, HANG};
use crate::message::{LEGACY, Message, Session, Speaker};
use crate::oracle::{Outcome, in_time, json as read_json, judge, rejected};
use crate::question::{Question, Questions};
use crate::random::Random;
use crate::trouble::{Flow, Trouble, wrong};
use crate::world::World;

/// The work of a client for one kind of load.
pub(crate) type Work = for<'a> fn(&'a mut Worker) -> Pin<Box<dyn Future<Output = Flow> + 'a>>;

/// The client.
pub(crate) struct Worker {
    pub(crate) world: Rc<World>,
    pub(crate) random: Random,
    kind: &'static str,
    connection: Option<Connection>,
    session: Option<Session>,
}

impl Worker {
    pub(crate) fn new(world: Rc<World>, random: Random) -> Self {
        Self { world, random, kind: "", connection: None, session: None }
    }

    /// Carries out one piece of work of the named kind, and records its outcome.
    pub(crate) async fn carry_out(&mut self, kind: &'static str, work: Work) {
        self.kind = kind;
        let began = Instant::now();
        let done = timeout(3 * HANG, work(self)).await;
        let done = done.unwrap_or_else(|_| wrong("it hangs"));
        self.world.tally.borrow_mut().note_time(kind, began.elapsed());
        if let Err(trouble) = done {
            self.connection = None;
            self.session = None;
            self.world.tally.borrow_mut().note_trouble(kind, trouble);
        }
    }

    pub(crate) fn note(&self, outcome: &'static str) {
        self.world.tally.borrow_mut().note(self.kind, outcome);
    }

    /// Creates a question.
    pub(crate) fn make<T>(&mut self, make: impl FnOnce(&mut Questions, &mut Random) -> T) -> T {
        make(&mut self.world.questions.borrow_mut(), &mut self.random)
    }

    pub(crate) fn any(&mut self, speaker: Speaker<'_>) -> Question {
        let mut question = self.make(|questions, random| questions.any(speaker, random));
        // Most clients accept both; some accept only one.
        match self.random.between(0, 19) {
            0 => question.message = question.message.with("accept", Some("text/event-stream")),
            1 => question.message = question.message.with("accept", Some("application/json")),
            _ => {}
        }
        question
    }

    pub(crate) async fn open(&self) -> Flow<Connection> {
        Connection::open(self.world.address).await
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
        self.world.pace.turn().await;
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
        let said = read_json(&answer.body)?;
        let is_ours = said["id"] == id && said["result"]["protocolVersion"] == revision.name();
        let Some(session) = answer.head.header("mcp-session-id").filter(|_| is_ours && answer.head.status == 200)
        else {
            return wrong(format!("no handshake of {}: {said}", revision.name()));
        };
        let session = Session { id: session.to_owned(), revision };
        let told = self.tell(&session, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await?;
        Ok(if told == Outcome::Answered { Ok(session) } else { Err(told) })
    }

    /// Posts a message without an answer; repeats it while the server is busy.
    pub(crate) async fn tell(&mut self, session: &Session, message: &Value) -> Flow<Outcome> {
        const TRIES: u32 = 100;
        let post = Speaker::Legacy(session).post(message);
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
    pub(crate) async fn notify_in_use(&mut self, session: &Session, message: &Value) -> Flow<bool> {
        match self.tell(session, message).await? {
            Outcome::Answered => Ok(true),
            Outcome::Busy => Ok(false),
            outcome => Err(Trouble::wrong(format!("{} while the session is in use", outcome.name()))),
        }
    }
}
