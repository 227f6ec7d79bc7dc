//! A batch over HTTP: its requests run concurrently, and one array answers them. On a pipe each member is a job of its own.

use std::any::Any;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};
use std::time::Instant;

use super::event::JobEvent;
use super::handle::Job;
use super::work::Work;
use crate::era::Status;
use crate::rpc::Wire;

/// One batch. Answers are in the order of the requests.
struct Batch {
    members: Vec<Member>,
}

/// A member of a batch: its job, or the outcome.
pub(crate) enum Member {
    Running(Job),
    Answered(Wire),
    Cancelled,
}

impl Job {
    /// A job that answers with one array.
    pub(crate) fn batch(members: Vec<Member>) -> Self {
        Self::new(Batch { members })
    }
}

impl Batch {
    fn running(&mut self) -> impl Iterator<Item = &mut Job> {
        self.members.iter_mut().filter_map(|member| match member {
            Member::Running(job) => Some(job),
            Member::Answered(_) | Member::Cancelled => None,
        })
    }
}

impl Work for Batch {
    fn name(&self) -> &'static str {
        "batch"
    }

    fn set_peer(&self, peer: Arc<dyn Any + Send + Sync>) {
        for member in &self.members {
            if let Member::Running(job) = member {
                job.set_peer(peer.clone());
            }
        }
    }

    fn poll_timeout(&mut self, now: Instant) -> Option<Instant> {
        self.running().filter_map(|job| job.poll_timeout(now)).min()
    }

    fn handle_timeout(&mut self, now: Instant) {
        self.running().for_each(|job| job.handle_timeout(now));
    }

    fn is_waiting_for_client(&self) -> bool {
        self.members.iter().any(|member| matches!(member, Member::Running(job) if job.is_waiting_for_client()))
    }

    fn handle_disconnect(&mut self) {
        self.running().for_each(Job::handle_disconnect);
    }

    fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<JobEvent> {
        let mut pending = false;
        for member in &mut self.members {
            let Member::Running(job) = member else { continue };
            match job.poll(cx) {
                Poll::Pending => pending = true,
                Poll::Ready(JobEvent::Done(wire, _)) => *member = Member::Answered(wire),
                Poll::Ready(JobEvent::Cancelled) => *member = Member::Cancelled,
                Poll::Ready(said @ (JobEvent::Event(_) | JobEvent::Suspend)) => {
                    // This poll returns the event, and the members must be polled again.
                    cx.waker().wake_by_ref();
                    return Poll::Ready(said);
                }
            }
        }
        if pending {
            return Poll::Pending;
        }
        let answers = self.members.drain(..).filter_map(|member| match member {
            Member::Answered(wire) => Some(wire.into_bytes()),
            Member::Running(_) | Member::Cancelled => None,
        });
        let answers: Vec<_> = answers.collect();
        if answers.is_empty() {
            return Poll::Ready(JobEvent::Cancelled);
        }
        let mut out = vec![b'['];
        for (index, answer) in answers.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            out.extend_from_slice(answer);
        }
        out.push(b']');
        Poll::Ready(JobEvent::Done(Wire::one(out), Status::Ok))
    }
}
