//! A batch over HTTP: its requests run under the limits of single ones, and one array answers them. On a pipe each member is a job of its
//! own.
//!
//! **One request is one unit of every limit.** The permit of the HTTP request is that of one running member; others run beside it only
//! under permits of their own. The rest waits, undispatched, for at most the time of one request.

use std::any::Any;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::{Duration, Instant};

use super::event::JobEvent;
use super::handle::Job;
use super::work::Work;
use crate::era::Status;
use crate::permits::Permits;
use crate::rejection::Rejection;
use crate::rpc::{Code, IdToken, Wire, write_error};

/// Dispatches the requests of a batch, each when its turn comes.
pub(crate) trait Members: Send {
    /// Dispatches the request at this place.
    fn start(&mut self, place: usize) -> Member;

    /// The error for the request at this place, which has waited for too long.
    fn reject(&mut self, place: usize) -> Member;

    /// The error in place of the answer at this place, for which there is no room.
    fn without_room(&self, place: usize) -> Member;
}

/// A member of a batch: its job, or the outcome.
pub(crate) enum Member {
    /// A request that is not dispatched yet.
    Waiting,
    Running(Job),
    Answered(Wire),
    Cancelled,
}

/// One batch. Answers are in the order of the requests.
struct Batch {
    members: Vec<Running>,
    requests: Box<dyn Members>,
    /// The next member that may have to be started.
    next: usize,
    peer: Option<Arc<dyn Any + Send + Sync>>,
    permits: Option<Arc<dyn Permits>>,
    /// How long members may wait.
    patience: Duration,
    /// When those that still wait are rejected; known once the job was told the time.
    due: Option<Instant>,
}

/// A member, and the permit that it runs under if that is not the batch's own.
struct Running {
    member: Member,
    permit: Option<Box<dyn Any + Send>>,
}

impl Job {
    /// A job that answers with one array. Members may wait for `patience`.
    pub(crate) fn batch(members: Vec<Member>, requests: Box<dyn Members>, patience: Duration) -> Self {
        let members = members.into_iter().map(|member| Running { member, permit: None }).collect();
        Self::new(Batch { members, requests, next: 0, peer: None, permits: None, patience, due: None })
    }
}

impl Batch {
    fn running(&mut self) -> impl Iterator<Item = &mut Job> {
        self.members.iter_mut().filter_map(Running::job)
    }

    /// Dispatches members as far as there are permits, a few in each poll. Returns whether more could be dispatched at once.
    fn start_members(&mut self, waker: &Waker) -> bool {
        /// In one poll, so that a batch does not hold up the thread.
        const STARTED: usize = 8;
        for _ in 0..STARTED {
            while self.members.get(self.next).is_some_and(|each| !matches!(each.member, Member::Waiting)) {
                self.next += 1;
            }
            let is_own_free = !self.members.iter().any(Running::uses_own_permit);
            if self.next >= self.members.len() {
                return false;
            }
            let permit = match &self.permits {
                Some(permits) if !is_own_free => match permits.try_permit(self.peer.as_deref(), waker) {
                    Some(permit) => Some(permit),
                    None => return false,
                },
                _ => None,
            };
            let mut member = self.requests.start(self.next);
            if let Member::Running(job) = &mut member {
                self.peer.iter().for_each(|peer| job.set_peer(peer.clone()));
                self.permits.iter().for_each(|permits| job.set_permits(permits.clone()));
            }
            self.members[self.next] = Running { member, permit };
            self.members[self.next].release();
            self.hold(self.next);
        }
        self.is_waiting()
    }

    /// Counts an answer as long as the batch keeps it, and then as long as it waits to be sent. Of a batch small answers count too.
    fn hold(&mut self, place: usize) {
        let (Some(permits), Member::Answered(wire)) = (&self.permits, &mut self.members[place].member) else { return };
        let bytes = wire.owned();
        if bytes == 0 || wire.is_guarded() {
            return;
        }
        match permits.hold(self.peer.as_deref(), bytes) {
            Some(guard) => *wire = std::mem::take(wire).guarded(guard),
            None => self.members[place].member = self.requests.without_room(place),
        }
    }

    /// Rejects the members that still wait.
    fn reject_waiting(&mut self) {
        for (place, each) in self.members.iter_mut().enumerate() {
            if matches!(each.member, Member::Waiting) {
                each.member = self.requests.reject(place);
            }
        }
    }

    fn is_waiting(&self) -> bool {
        self.members.iter().any(|each| matches!(each.member, Member::Waiting))
    }

    /// The array, once every member has an outcome.
    fn answer(&mut self) -> JobEvent {
        let answers = self.members.drain(..).filter_map(|each| match each.member {
            Member::Answered(wire) => Some(wire),
            Member::Waiting | Member::Running(_) | Member::Cancelled => None,
        });
        let answers: Vec<_> = answers.collect();
        if answers.is_empty() {
            return JobEvent::Cancelled;
        }
        // Errors that are not counted yet: many together are large.
        let uncounted = answers.iter().filter(|answer| !answer.is_guarded()).map(Wire::owned).sum();
        let wire = Wire::array(answers);
        match &self.permits {
            Some(permits) if uncounted > Wire::SLICED => match permits.hold(self.peer.as_deref(), uncounted) {
                Some(guard) => JobEvent::Done(wire.guarded(guard), Status::Ok),
                None => JobEvent::Done(without_room(None), Status::Busy),
            },
            _ => JobEvent::Done(wire, Status::Ok),
        }
    }
}

/// The error in place of an answer for which there is no room.
pub(crate) fn without_room(id: Option<IdToken<'_>>) -> Wire {
    let rejection = Rejection::NoRoomForAnswer;
    Wire::one(write_error(id, Code::BUSY, &rejection.message(), None))
}

impl Running {
    fn job(&mut self) -> Option<&mut Job> {
        if let Member::Running(job) = &mut self.member { Some(job) } else { None }
    }

    fn uses_own_permit(&self) -> bool {
        matches!(self.member, Member::Running(_)) && self.permit.is_none()
    }

    /// Returns the permit of a member that does not run.
    fn release(&mut self) {
        if !matches!(self.member, Member::Running(_)) {
            self.permit = None;
        }
    }

    /// Polls a member that runs. Events that are not its last are the batch's.
    fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<Option<JobEvent>> {
        let Some(job) = self.job() else { return Poll::Ready(None) };
        self.member = match job.poll(cx) {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(JobEvent::Done(wire, _)) => Member::Answered(wire),
            Poll::Ready(JobEvent::Cancelled) => Member::Cancelled,
            Poll::Ready(event @ (JobEvent::Event(_) | JobEvent::Suspend)) => return Poll::Ready(Some(event)),
        };
        self.release();
        Poll::Ready(None)
    }
}

impl Work for Batch {
    fn name(&self) -> &'static str {
        "batch"
    }

    fn set_peer(&mut self, peer: Arc<dyn Any + Send + Sync>) {
        self.peer = Some(peer);
    }

    fn set_permits(&mut self, permits: Arc<dyn Permits>) {
        self.permits = Some(permits);
    }

    fn poll_timeout(&mut self, now: Instant) -> Option<Instant> {
        if self.due.is_none() {
            self.due = now.checked_add(self.patience);
        }
        let due = self.due.filter(|_| self.is_waiting());
        self.running().filter_map(|job| job.poll_timeout(now)).chain(due).min()
    }

    fn handle_timeout(&mut self, now: Instant) {
        self.running().for_each(|job| job.handle_timeout(now));
        if self.due.is_some_and(|due| due <= now) {
            self.reject_waiting();
        }
    }

    fn is_waiting_for_client(&self) -> bool {
        self.members.iter().any(|each| matches!(&each.member, Member::Running(job) if job.is_waiting_for_client()))
    }

    fn handle_disconnect(&mut self) {
        self.running().for_each(Job::handle_disconnect);
    }

    fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<JobEvent> {
        if self.members.is_empty() {
            return Poll::Pending; // It has answered.
        }
        let has_more = self.start_members(cx.waker());
        let (mut is_pending, mut has_finished) = (false, false);
        for place in 0..self.members.len() {
            let each = &mut self.members[place];
            let was_running = matches!(each.member, Member::Running(_));
            match each.poll(cx) {
                Poll::Pending => is_pending = true,
                Poll::Ready(None) if was_running => {
                    has_finished = true;
                    self.hold(place);
                }
                Poll::Ready(None) => {}
                Poll::Ready(Some(event)) => {
                    // The members behind it are polled next time.
                    cx.waker().wake_by_ref();
                    return Poll::Ready(event);
                }
            }
        }
        if !is_pending && !self.is_waiting() {
            return Poll::Ready(self.answer());
        }
        if has_more || (has_finished && self.is_waiting()) || !is_pending {
            cx.waker().wake_by_ref();
        }
        Poll::Pending
    }
}
