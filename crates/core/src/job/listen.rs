//! `subscriptions/listen`: decides what the client may subscribe to, acknowledges that, then holds the stream and sends each change until the client
//! or the server ends it.

use std::sync::Arc;
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::{Duration, Instant};

use super::decisions::{Ask, Decisions};
use super::event::JobEvent;
use super::handle::Job;
use super::work::Work;
use crate::changes::{Hub, Listener, Lists, Recipient};
use crate::era::{self, Era, Status};
use crate::rpc::{RequestId, Wire};
use crate::server::Server;
use crate::telemetry::RequestSpan;

/// The longest time in which it is decided what a client may subscribe to. Clients wait for a minute.
const DECISION_TIME: Duration = Duration::from_secs(30);

/// One held stream.
///
/// ```text
/// Deciding ──decided, or too late: acknowledgment──▶ Held ──shutdown: changes that wait, result──▶ Closing
///                                                     └──revoked──▶ Closing ──cancelled notification──▶ Over
/// ```
struct Listen {
    server: Server,
    era: &'static Era,
    id: RequestId,
    state: State,
    ended: bool,
    waker: Option<Waker>,
    span: RequestSpan,
    lists: Lists,
    /// `None`: nothing in this server changes.
    hub: Option<Arc<Hub>>,
    recipient: Recipient,
}

enum State {
    Deciding {
        decisions: Decisions,
        /// When it is too late; known once the driver has passed the time.
        due: Option<Instant>,
        is_due: bool,
    },
    Held(Option<Listener>),
    Closing,
    Over,
}

/// What a client asks to be notified of.
pub(crate) struct Listening {
    pub(crate) lists: Lists,
    pub(crate) uris: Vec<String>,
    /// `None`: nothing in this server changes.
    pub(crate) hub: Option<Arc<Hub>>,
    pub(crate) recipient: Recipient,
    pub(crate) ask: Ask,
}

impl Job {
    /// A job that holds a stream.
    pub(crate) fn listen(server: Server, era: &'static Era, id: RequestId, listening: Listening) -> Self {
        let Listening { lists, uris, hub, recipient, ask } = listening;
        let uris = if hub.is_some() { uris } else { Vec::new() };
        let state = State::Deciding { decisions: Decisions::new(uris, ask), due: None, is_due: false };
        let span = RequestSpan::none();
        Self::new(Listen { server, era, id, state, ended: false, waker: None, span, lists, hub, recipient })
    }
}

impl Listen {
    /// Listens to what was granted, and then acknowledges it: a client that reads after that misses no change.
    fn acknowledge(&mut self, granted: impl Iterator<Item = String>) -> Wire {
        let id = self.id.token();
        let Some(hub) = &self.hub else {
            self.state = State::Held(None);
            return Wire::one(era::subscription_acknowledged(id, Lists::default(), &[""; 0]));
        };
        let listener = Listener::new(hub, self.recipient.clone(), self.lists, true);
        let honored: Vec<_> = granted.filter(|uri| listener.subscribe(hub.key(uri), true).is_ok()).collect();
        let lists = Lists::of(|list| self.lists.contains(list) && hub.declares(list));
        let acknowledged = Wire::one(era::subscription_acknowledged(id, lists, &honored));
        self.state = State::Held(Some(listener));
        acknowledged
    }

    /// The next message of a held stream.
    fn next(&mut self, cx: &TaskContext<'_>) -> Option<JobEvent> {
        let State::Held(listener) = &self.state else { return None };
        let id = self.id.token();
        let listener = listener.as_ref();
        let notice = match listener {
            Some(listener) if self.ended => listener.take_last(),
            Some(listener) => listener.poll(cx.waker()),
            None => None,
        };
        if let Some(notice) = notice {
            return Some(JobEvent::Event(Wire::one(era::change(&notice, Some(id)))));
        }
        if listener.is_some_and(Listener::is_revoked) {
            // Without the result: a client that gets it takes the subscription for done.
            self.state = State::Over;
            return Some(JobEvent::Done(Wire::one(era::cancelled_notification(id)), Status::Ok));
        }
        if !self.ended {
            return None;
        }
        let info = self.server.server_info(self.era.fields);
        let ended = Wire::one(era::subscription_ended(id, info));
        self.state = State::Closing;
        Some(JobEvent::Event(ended))
    }
}

impl Work for Listen {
    fn name(&self) -> &'static str {
        "listen"
    }

    fn needs_stream(&self) -> bool {
        true
    }

    fn is_cancelled_by_disconnect(&self) -> bool {
        true
    }

    fn set_span(&mut self, span: RequestSpan) {
        self.span = span;
    }

    fn set_peer(&mut self, peer: Arc<dyn std::any::Any + Send + Sync>) {
        if let State::Deciding { decisions, .. } = &mut self.state {
            decisions.set_peer(&peer);
        }
    }

    fn set_permits(&mut self, permits: Arc<dyn crate::permits::Permits>) {
        if let State::Deciding { decisions, .. } = &mut self.state {
            decisions.set_permits(&permits);
        }
    }

    fn poll_timeout(&mut self, now: Instant) -> Option<Instant> {
        match &mut self.state {
            State::Deciding { decisions, due, .. } => {
                if due.is_none() {
                    *due = now.checked_add(DECISION_TIME);
                }
                due.iter().copied().chain(decisions.poll_timeout(now)).min()
            }
            State::Held(Some(listener)) => listener.poll_timeout(now),
            State::Held(None) | State::Closing | State::Over => None,
        }
    }

    fn handle_timeout(&mut self, now: Instant) {
        match &mut self.state {
            State::Deciding { decisions, due, is_due } => {
                decisions.handle_timeout(now);
                *is_due = due.is_some_and(|due| due <= now);
            }
            State::Held(Some(listener)) => listener.handle_timeout(now),
            State::Held(None) | State::Closing | State::Over => {}
        }
    }

    fn handle_shutdown(&mut self) {
        self.ended = true;
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<JobEvent> {
        let said = match &mut self.state {
            State::Deciding { decisions, is_due, .. } => {
                if decisions.poll(cx).is_ready() || *is_due || self.ended {
                    let granted = decisions.take();
                    Some(JobEvent::Event(self.acknowledge(granted)))
                } else {
                    None
                }
            }
            State::Held(_) => self.next(cx),
            // Two pages of the specification define different ends. A client that gets the notification first treats the
            // end as abrupt, so the result is sent before it.
            State::Closing => {
                self.state = State::Over;
                Some(JobEvent::Done(Wire::one(era::cancelled_notification(self.id.token())), Status::Ok))
            }
            State::Over => None,
        };
        match &said {
            Some(JobEvent::Event(wire)) => self.span.said(wire),
            Some(JobEvent::Done(wire, _)) => self.span.answered(None, wire),
            Some(JobEvent::Cancelled | JobEvent::Suspend) => {}
            None => self.waker = Some(cx.waker().clone()),
        }
        said.map_or(Poll::Pending, Poll::Ready)
    }
}
