//! Well-formed requests, each with its expected answer. **The nonce is in the id, and in the request itself where
//! possible**, so that another client's answer is detected.

use std::borrow::Cow;
use std::rc::Rc;
use std::time::Instant;

use grange_benches::soak::{
    COMPUTED, COMPUTED_BYTES, ECHO, FAILS, FIXED, KIB, LARGE, MIB, MILLISECONDS, NONCE, PANICS, PROGRESS, REFUSES,
    REJECTION, RESOURCES, TOOLS, WAIT, text,
};
use serde_json::{Value, json};

use crate::message::{Message, Sender};
use crate::random::Random;

/// A request and its expected answer.
#[derive(Clone)]
pub(crate) struct Question {
    pub(crate) message: Message,
    pub(crate) id: Value,
    pub(crate) nonce: String,
    pub(crate) expected: Expected,
    /// The expected status.
    pub(crate) status: u16,
    /// When it was created: it is not sent before.
    pub(crate) made: Instant,
}

/// The expected content of the answer.
#[derive(Clone)]
pub(crate) enum Expected {
    /// Contents of one item with this text.
    Contents { uri: Cow<'static, str>, text: Rc<str> },
    /// Contents of one item: the nonce and the long text.
    Computed(Rc<str>),
    /// The result of a tool: one block with the nonce, which is an error or none.
    Tool { failed: bool },
    /// An error of this code, with this message if that is known.
    Error { code: i64, message: Option<String>, data: Option<Value> },
    /// A list of entries with these names.
    List { of: &'static str, by: &'static str, names: &'static [&'static str] },
    /// Any result.
    Anything,
}

/// Creates questions, and has the long texts that are expected.
pub(crate) struct Questions {
    fixed: Rc<str>,
    large: Rc<str>,
    computed: Rc<str>,
    nonces: u64,
}

/// One kind of question. Those with large answers and those that wait have low weights.
type Row = (u64, fn(&mut Questions, Sender<'_>, &mut Random) -> Question);

const ROWS: [Row; 18] = [
    (20, |questions, sender, _| {
        let text = questions.fixed.clone();
        questions.read(sender, FIXED, 0, Expected::Contents { uri: FIXED.into(), text })
    }),
    (20, |questions, sender, _| questions.echo(sender)),
    (10, |questions, sender, _| questions.item(sender)),
    (20, |questions, sender, _| questions.call(sender, "echo", 0, Expected::Tool { failed: false })),
    (1, |questions, sender, _| {
        let text = questions.large.clone();
        questions.read(sender, LARGE, 0, Expected::Contents { uri: LARGE.into(), text })
    }),
    (1, |questions, sender, _| {
        let text = questions.computed.clone();
        questions.read(sender, COMPUTED, 0, Expected::Computed(text))
    }),
    (4, |questions, sender, random| questions.wait(sender, random.between(0, 30))),
    (4, |questions, sender, random| {
        questions.call(sender, "wait", random.between(0, 30), Expected::Tool { failed: false })
    }),
    (4, |questions, sender, random| questions.progress(sender, random.between(0, 30))),
    (4, |questions, sender, random| {
        let time = random.between(0, 30);
        questions.with_progress(sender, |questions| {
            questions.call(sender, "progress", time, Expected::Tool { failed: false })
        })
    }),
    (4, |questions, sender, _| questions.call(sender, "fail", 0, Expected::Tool { failed: true })),
    (4, |questions, sender, _| questions.read(sender, FAILS, 0, internal())),
    (3, |questions, sender, _| questions.read(sender, PANICS, 0, internal())),
    (3, |questions, sender, _| questions.call(sender, "panic", 0, internal())),
    (4, |questions, sender, _| questions.rejected(sender)),
    (4, |questions, sender, _| questions.unknown(sender)),
    (4, |questions, sender, random| questions.list(sender, random.chance(50))),
    (4, |questions, sender, _| questions.hello(sender)),
];

fn internal() -> Expected {
    Expected::Error { code: -32603, message: Some("Internal error".to_owned()), data: None }
}

impl Questions {
    pub(crate) fn new() -> Self {
        Self { fixed: text(KIB).into(), large: text(MIB).into(), computed: text(COMPUTED_BYTES).into(), nonces: 0 }
    }

    /// The number of nonces so far: one per exchange.
    pub(crate) fn count(&self) -> u64 {
        self.nonces
    }

    /// A new nonce.
    pub(crate) fn nonce(&mut self) -> String {
        self.nonces += 1;
        format!("n{}", self.nonces)
    }

    /// A random question.
    pub(crate) fn any(&mut self, sender: Sender<'_>, random: &mut Random) -> Question {
        let all = ROWS.iter().map(|row| row.0).sum::<u64>();
        let mut left = random.between(0, all - 1);
        for (weight, row) in &ROWS {
            if left < *weight {
                return row(self, sender, random);
            }
            left -= weight;
        }
        self.echo(sender)
    }

    /// A read that returns the nonce.
    pub(crate) fn echo(&mut self, sender: Sender<'_>) -> Question {
        self.read_nonce(sender, ECHO, 0)
    }

    /// The same of a template.
    pub(crate) fn item(&mut self, sender: Sender<'_>) -> Question {
        let nonce = self.nonce();
        let uri = format!("soak://items/{nonce}");
        let expected = Expected::Contents { uri: uri.clone().into(), text: nonce.as_str().into() };
        self.named(sender, nonce, "resources/read", json!({ "uri": uri }), expected)
    }

    /// The same after some time.
    pub(crate) fn wait(&mut self, sender: Sender<'_>, milliseconds: u64) -> Question {
        self.read_nonce(sender, WAIT, milliseconds)
    }

    /// The same with progress before.
    pub(crate) fn progress(&mut self, sender: Sender<'_>, milliseconds: u64) -> Question {
        self.with_progress(sender, |questions| questions.read_nonce(sender, PROGRESS, milliseconds))
    }

    /// A wait that first sends progress, so that the client knows that it runs.
    pub(crate) fn wait_with_progress(&mut self, sender: Sender<'_>, milliseconds: u64) -> Question {
        self.with_progress(sender, |questions| questions.wait(sender, milliseconds))
    }

    /// A tool that returns the nonce.
    pub(crate) fn tool(&mut self, sender: Sender<'_>, name: &'static str, milliseconds: u64) -> Question {
        self.call(sender, name, milliseconds, Expected::Tool { failed: false })
    }

    /// A read of the whole long text, computed for each read.
    pub(crate) fn computed(&mut self, sender: Sender<'_>) -> Question {
        let text = self.computed.clone();
        self.read(sender, COMPUTED, 0, Expected::Computed(text))
    }

    /// The same text, fixed.
    pub(crate) fn large(&mut self, sender: Sender<'_>) -> Question {
        let text = self.large.clone();
        self.read(sender, LARGE, 0, Expected::Contents { uri: LARGE.into(), text })
    }

    /// A request with this expected answer.
    pub(crate) fn ask(&mut self, sender: Sender<'_>, method: &str, params: Value, expected: Expected) -> Question {
        let nonce = self.nonce();
        self.named(sender, nonce, method, params, expected)
    }

    fn named(
        &mut self,
        sender: Sender<'_>,
        nonce: String,
        method: &str,
        params: Value,
        expected: Expected,
    ) -> Question {
        // Half of the ids are numbers, half strings; both are unique.
        let id = if self.nonces.is_multiple_of(2) { json!(self.nonces) } else { json!(nonce) };
        Question {
            message: sender.request(&id, method, params),
            id,
            nonce,
            expected,
            status: 200,
            made: Instant::now(),
        }
    }

    fn read(&mut self, sender: Sender<'_>, uri: &'static str, milliseconds: u64, expected: Expected) -> Question {
        let nonce = self.nonce();
        self.read_as(sender, nonce, uri, milliseconds, expected)
    }

    fn read_nonce(&mut self, sender: Sender<'_>, uri: &'static str, milliseconds: u64) -> Question {
        let nonce = self.nonce();
        let expected = Expected::Contents { uri: uri.into(), text: nonce.as_str().into() };
        self.read_as(sender, nonce, uri, milliseconds, expected)
    }

    fn read_as(
        &mut self,
        sender: Sender<'_>,
        nonce: String,
        uri: &str,
        milliseconds: u64,
        expected: Expected,
    ) -> Question {
        let params = json!({ "uri": uri, "_meta": { NONCE: nonce, MILLISECONDS: milliseconds } });
        self.named(sender, nonce, "resources/read", params, expected)
    }

    fn call(&mut self, sender: Sender<'_>, tool: &str, milliseconds: u64, expected: Expected) -> Question {
        let nonce = self.nonce();
        let arguments = json!({ NONCE: nonce, MILLISECONDS: milliseconds });
        let params = json!({ "name": tool, "arguments": arguments });
        self.named(sender, nonce, "tools/call", params, expected)
    }

    /// The same question with a progress token, which is its id.
    fn with_progress(&mut self, sender: Sender<'_>, ask: impl FnOnce(&mut Self) -> Question) -> Question {
        let question = ask(self);
        let mut message: Value = serde_json::from_slice(&question.message.body).unwrap_or_default();
        message["params"]["_meta"]["progressToken"] = question.id.clone();
        let method = message["method"].as_str().unwrap_or_default().to_owned();
        let message = sender.request(&question.id, &method, message["params"].take());
        Question { message, ..question }
    }

    fn rejected(&mut self, sender: Sender<'_>) -> Question {
        let mut question = self.read(sender, REFUSES, 0, Expected::Anything);
        let message = Some(question.nonce.clone());
        question.expected = Expected::Error { code: REJECTION, message, data: None };
        question
    }

    /// A read of an unknown resource with the nonce in its name.
    fn unknown(&mut self, sender: Sender<'_>) -> Question {
        let nonce = self.nonce();
        let uri = format!("soak://unknown/{nonce}");
        let code = if sender.is_modern() { -32602 } else { -32002 };
        let message = Some("Resource not found".to_owned());
        let expected = Expected::Error { code, message, data: Some(json!({ "uri": uri })) };
        self.named(sender, nonce, "resources/read", json!({ "uri": uri }), expected)
    }

    fn list(&mut self, sender: Sender<'_>, tools: bool) -> Question {
        let (method, of, by, names): (_, _, _, &[_]) = if tools {
            ("tools/list", "tools", "name", &TOOLS)
        } else {
            ("resources/list", "resources", "uri", &RESOURCES)
        };
        self.ask(sender, method, json!({}), Expected::List { of, by, names })
    }

    /// A method of the own era, or in one of three cases one that this era does not have.
    fn hello(&mut self, sender: Sender<'_>) -> Question {
        let (own, other) = if sender.is_modern() { ("server/discover", "ping") } else { ("ping", "no/such/method") };
        if self.nonces.is_multiple_of(3) {
            let expected = Expected::Error { code: -32601, message: None, data: None };
            let status = if sender.is_modern() { 404 } else { 200 };
            return Question { status, ..self.ask(sender, other, json!({}), expected) };
        }
        self.ask(sender, own, json!({}), Expected::Anything)
    }
}
