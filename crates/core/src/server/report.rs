//! Reports failures to the author: to `on_error` if it is set, else to the log if there is a subscriber, else to standard error.
//!
//! **The one line of I/O of the engine is here**, in [`standard_error`]. Without it, a driver or an embedding that does not pass reports
//! on would hide every failure. Nothing depends on the line. Its amount is bounded: for one kind of failure of one target, the first
//! ten are written, and then those at each power of two.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::mem::{Discriminant, discriminant};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use tracing::subscriber::NoSubscriber;

use crate::define::{Context, HandlerFailure};
use crate::lock::lock;
use crate::model::{Target, Text};

pub(crate) type OnError = Box<dyn Fn(&HandlerFailure, &Context) + Send + Sync>;

/// Writes reports where there is neither `on_error` nor a log: one or more lines, each with its line end.
type Sink = Box<dyn Fn(&str) + Send + Sync>;

/// How many failures of one kind and target are written before only those at powers of two are.
const ALL_OF: u64 = 10;
/// How many pairs of kind and target are counted separately. Later pairs are counted together, by kind.
const APART: usize = 1000;
/// The longest text of an error that is not cut, in bytes.
const LONGEST: usize = 4000;

/// Reports the failures and warnings of one server.
pub(super) struct Reporter {
    on_error: Option<OnError>,
    sink: Sink,
    /// How often each kind of failure of each target went to the sink.
    seen: Mutex<HashMap<(Discriminant<HandlerFailure>, Target), u64>>,
}

impl Reporter {
    pub(super) fn new(on_error: Option<OnError>) -> Self {
        Self { on_error, sink: Box::new(standard_error), seen: Mutex::default() }
    }

    /// Reports a failure. This runs author code, such as `on_error` or the error's `Display`; a panic in it is caught.
    pub(super) fn failure(&self, failure: &HandlerFailure, context: &Context) {
        let target = context.target();
        let told = catch_unwind(AssertUnwindSafe(|| match &self.on_error {
            Some(on_error) => on_error(failure, context),
            None if has_log() => log(failure, target),
            None => self.say(failure, target, lines),
        }));
        if told.is_err() {
            self.say(failure, target, |_, target, _| {
                format!("grange: {target} failed, and so did the report of it: the message stands above\n")
            });
        }
    }

    /// Reports one warning of `build()`.
    pub(super) fn warning(&self, warning: &str) {
        drop(catch_unwind(AssertUnwindSafe(|| {
            if has_log() {
                tracing::warn!(target: "grange", "{warning}");
            } else {
                (self.sink)(&format!("grange: warning: {}\n", shown(warning)));
            }
        })));
    }

    fn say(&self, failure: &HandlerFailure, target: &Target, lines: fn(&HandlerFailure, &Target, u64) -> String) {
        let count = self.count(failure, target);
        if count <= ALL_OF || count.is_power_of_two() {
            (self.sink)(&lines(failure, target, count));
        }
    }

    /// How often the target failed in this way, this time included.
    fn count(&self, failure: &HandlerFailure, target: &Target) -> u64 {
        let mut seen = lock(&self.seen);
        let mut key = (discriminant(failure), target.clone());
        if seen.len() >= APART && !seen.contains_key(&key) {
            key.1 = Target::Nothing;
        }
        let count = seen.entry(key).or_insert(0);
        *count += 1;
        *count
    }
}

/// Whether this thread has a subscriber. A subscriber that filters these events out counts too: the author chose that.
fn has_log() -> bool {
    tracing::dispatcher::get_default(|dispatch| !dispatch.is::<NoSubscriber>())
}

/// Logs one event with all fields.
fn log(failure: &HandlerFailure, target: &Target) {
    let (uri, tool, what) = (target.uri().map(Text::as_str), target.tool().map(Text::as_str), target.work());
    let (extension, method) = target.extension().unzip();
    let (reference, argument) = target.completion().unzip();
    let causes = Some(failure.causes().join(": ")).filter(|causes| !causes.is_empty());
    if let Some(warning) = warning_of(failure) {
        tracing::warn!(target: "grange", uri, tool, reference, argument, %failure, "{warning}");
    } else {
        let template = target.list().map(Text::as_str);
        tracing::error!(
            target: "grange", uri, tool, template, extension, method, reference, argument, %failure, causes, "{what} failed"
        );
    }
}

/// What happened, if the request was answered in spite of it.
fn warning_of(failure: &HandlerFailure) -> Option<&'static str> {
    match failure {
        HandlerFailure::InvalidCompletion(_) => Some("values left out"),
        HandlerFailure::LargeReply(_) => Some("large answer"),
        _ => None,
    }
}

/// The lines for a failure, the `count`th of its kind: the target and the error on one line, the causes below.
fn lines(failure: &HandlerFailure, target: &Target, count: u64) -> String {
    let mut said = match failure {
        _ if warning_of(failure).is_some() => format!("grange: warning: {target}: {}", shown(&failure.to_string())),
        // The panic hook has written the message.
        HandlerFailure::Panicked(_) => format!("grange: {target} panicked: the message stands above"),
        _ => format!("grange: {target} failed: {}", shown(&failure.to_string())),
    };
    if count >= ALL_OF {
        let _ = write!(said, " ({count} times so far; further reports are rarer)");
    }
    for cause in failure.causes() {
        let _ = write!(said, "\n  caused by: {}", shown(&cause));
    }
    said.push('\n');
    said
}

/// The text of an error, cut and escaped: it can neither begin a line that looks like a report, nor control a terminal.
fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len().min(LONGEST));
    for c in text.chars() {
        if shown.len() > LONGEST {
            shown.push('…');
            break;
        }
        match c {
            '\n' => shown.push_str("\n    "),
            '\t' => shown.push(c),
            c if c.is_control() => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
    }
    shown
}

/// Writes all lines at once. An error of standard error is ignored; `eprint!` would panic.
fn standard_error(lines: &str) {
    let _ = io::stderr().lock().write_all(lines.as_bytes());
}

#[cfg(test)]
mod tests;
