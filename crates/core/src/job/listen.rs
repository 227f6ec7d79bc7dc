//! `subscriptions/listen` on a server whose resources do not change: the job acknowledges no notification, then holds the stream
//! until the client or the server ends it.

use std::task::{Context as TaskContext, Poll, Waker};

use super::event::JobEvent;
use super::handle::Job;
use super::work::Work;
use crate::era::{self, Era, Status};
use crate::rpc::{RequestId, Wire};
use crate::server::Server;
use crate::telemetry::RequestSpan;

/// One held stream.
///
/// ```text
/// New ──acknowledgment──▶ Held ──shutdown: result──▶ Closing ──cancelled notification──▶ Over
/// ```
struct Listen {
    server: Server,
    era: &'static Era,
    id: RequestId,
    state: State,
    ended: bool,
    waker: Option<Waker>,
    span: RequestSpan,
}

#[derive(Clone, Copy)]
enum State {
    New,
    Held,
    Closing,
    Over,
}

impl Job {
    /// A job that holds a stream.
    pub(crate) fn listen(server: Server, era: &'static Era, id: RequestId) -> Self {
        Self::new(Listen { server, era, id, state: State::New, ended: false, waker: None, span: RequestSpan::none() })
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

    fn handle_shutdown(&mut self) {
        self.ended = true;
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<JobEvent> {
        let id = self.id.token();
        let (next, said) = match self.state {
            State::New => (State::Held, JobEvent::Event(Wire::one(era::subscription_acknowledged(id)))),
            State::Held if self.ended => {
                let info = self.server.server_info(self.era.fields);
                (State::Closing, JobEvent::Event(Wire::one(era::subscription_ended(id, info))))
            }
            // Two pages of the specification define different ends. A client that gets the notification first treats the
            // end as abrupt, so the result is sent before it.
            State::Closing => (State::Over, JobEvent::Done(Wire::one(era::cancelled_notification(id)), Status::Ok)),
            State::Held | State::Over => {
                self.waker = Some(cx.waker().clone());
                return Poll::Pending;
            }
        };
        match &said {
            JobEvent::Event(wire) => self.span.said(wire),
            JobEvent::Done(wire, _) => self.span.answered(None, wire),
            JobEvent::Cancelled | JobEvent::Suspend => {}
        }
        self.state = next;
        Poll::Ready(said)
    }
}
