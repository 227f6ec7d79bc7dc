//! The request body as one byte string: counted as it arrives, against a deadline.
//!
//! A body in one frame is not copied. `Content-Length` is trusted only to reject a body that is too long, and to reserve a few bytes.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use http_body::Body;
use pin_project_lite::pin_project;
use tokio::time::Sleep;

use crate::capacity::BodyBudget;
use crate::rejection::{Full, Limit, Rejection};

pin_project! {
    /// Reads one body.
    pub(crate) struct ReadBody<B> {
        #[pin]
        body: B,
        arrived: Arrived,
        rules: BodyRules,
        // Started when the body is first pending, so that one that has arrived already costs no timer.
        deadline: Option<Pin<Box<Sleep>>>,
    }
}

/// What one body may be.
pub(crate) struct BodyRules {
    pub(crate) limit: Limit,
    pub(crate) time: Duration,
    pub(crate) budget: BodyBudget,
    /// For the rejection of a body that is over the budget: how many requests may be in flight.
    pub(crate) in_flight: Full,
}

impl<B: Body> ReadBody<B> {
    pub(crate) fn new(body: B, rules: BodyRules) -> Self {
        Self { body, arrived: Arrived::Nothing, rules, deadline: None }
    }

    pub(crate) fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<Bytes, Rejection>> {
        loop {
            let mut this = self.as_mut().project();
            let limit = this.rules.limit;
            if exceeds(this.body.size_hint().lower(), limit.bytes.saturating_sub(this.arrived.len())) {
                return Poll::Ready(Err(Rejection::BodyTooLong(limit)));
            }
            if this.body.is_end_stream() {
                return Poll::Ready(Ok(this.arrived.take()));
            }
            match this.body.as_mut().poll_frame(cx) {
                Poll::Ready(None) => return Poll::Ready(Ok(this.arrived.take())),
                Poll::Ready(Some(Err(_))) => return Poll::Ready(Err(Rejection::BodyBroken)),
                Poll::Ready(Some(Ok(frame))) => {
                    let Ok(data) = frame.into_data() else { continue };
                    if data.remaining() > limit.bytes.saturating_sub(this.arrived.len()) {
                        return Poll::Ready(Err(Rejection::BodyTooLong(limit)));
                    }
                    this.arrived.push(data, this.body.size_hint().lower());
                }
                Poll::Pending => {
                    if !this.rules.budget.grow_to(this.arrived.len()) {
                        return Poll::Ready(Err(Rejection::Busy(this.rules.in_flight)));
                    }
                    let time = this.rules.time;
                    let deadline = this.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(time)));
                    return deadline.as_mut().poll(cx).map(|()| Err(Rejection::BodyTooSlow { limit: time }));
                }
            }
        }
    }
}

fn exceeds(announced: u64, room: usize) -> bool {
    usize::try_from(announced).map_or(true, |announced| announced > room)
}

/// What has arrived: mostly one frame, which then stays what it is.
enum Arrived {
    Nothing,
    One(Bytes),
    Several(BytesMut),
}

impl Arrived {
    /// Adds a frame; `coming` more bytes are announced.
    fn push(&mut self, mut data: impl Buf, coming: u64) {
        /// Most bytes that are reserved because a `Content-Length` announces them.
        const TRUSTED: usize = 64 * 1024;
        *self = match std::mem::replace(self, Self::Nothing) {
            Self::Nothing => Self::One(data.copy_to_bytes(data.remaining())),
            Self::One(first) => {
                let coming = usize::try_from(coming).unwrap_or(TRUSTED).min(TRUSTED);
                let mut all = BytesMut::with_capacity(first.len() + data.remaining() + coming);
                all.extend_from_slice(&first);
                bytes::BufMut::put(&mut all, data);
                Self::Several(all)
            }
            Self::Several(mut all) => {
                bytes::BufMut::put(&mut all, data);
                Self::Several(all)
            }
        };
    }

    fn len(&self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::One(bytes) => bytes.len(),
            Self::Several(bytes) => bytes.len(),
        }
    }

    fn take(&mut self) -> Bytes {
        match std::mem::replace(self, Self::Nothing) {
            Self::Nothing => Bytes::new(),
            Self::One(bytes) => bytes,
            Self::Several(bytes) => bytes.freeze(),
        }
    }
}
