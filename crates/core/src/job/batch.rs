//! The requests of a batch over HTTP: run together, answered in one array.

use std::task::{Context as TaskContext, Poll};
use std::time::Duration;

use super::{Job, Said};
use crate::era::Refusal;
use crate::rpc::Wire;
use crate::server::Accepted;

/// One batch. Answers are in the order of the requests.
pub(super) struct Batch {
    members: Vec<Member>,
}

enum Member {
    Running(Job),
    Answered(Wire),
}

impl Batch {
    pub(super) fn new(members: Vec<Accepted>) -> Self {
        let members = members.into_iter().filter_map(|member| match member {
            Accepted::Run(job) => Some(Member::Running(job)),
            Accepted::Send(wire, _) => Some(Member::Answered(wire)),
            Accepted::Silent => None,
        });
        Self { members: members.collect() }
    }

    fn running(&mut self) -> impl Iterator<Item = &mut Job> {
        self.members.iter_mut().filter_map(|member| match member {
            Member::Running(job) => Some(job),
            Member::Answered(_) => None,
        })
    }

    pub(super) fn time_limit(&self) -> Option<Duration> {
        let limits = self.members.iter().filter_map(|member| match member {
            Member::Running(job) => job.time_limit(),
            Member::Answered(_) => None,
        });
        limits.max()
    }

    pub(super) fn expire(&mut self) {
        self.running().for_each(Job::expire);
    }

    pub(super) fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<Said> {
        let mut pending = false;
        for member in &mut self.members {
            let Member::Running(job) = member else { continue };
            match job.poll(cx) {
                Poll::Pending => pending = true,
                Poll::Ready(Said::Done(wire, _)) => *member = Member::Answered(wire),
                Poll::Ready(Said::Event(wire)) => {
                    // The job is to be polled again, and this poll has something to say already.
                    cx.waker().wake_by_ref();
                    return Poll::Ready(Said::Event(wire));
                }
            }
        }
        if pending {
            return Poll::Pending;
        }
        let answers = self.members.drain(..).map(|member| match member {
            Member::Answered(wire) => wire.into_bytes(),
            Member::Running(_) => unreachable!("nothing is pending"),
        });
        let mut out = vec![b'['];
        for (index, answer) in answers.enumerate() {
            if index > 0 {
                out.push(b',');
            }
            out.extend_from_slice(&answer);
        }
        out.push(b']');
        Poll::Ready(Said::Done(Wire::one(out), Refusal::None))
    }
}
