//! The body of a response: complete byte strings, the event stream of a job, or an event stream of a session.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll};
use std::vec;

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

use crate::lock::inside;
use crate::session_stream::SessionStream;
use crate::stream::JobStream;

/// The body of a response. Dropping it before its end tells the reader or tool that the client is gone.
pub struct ResponseBody(Kind);

enum Kind {
    /// Mostly one byte string; the length is known and becomes `Content-Length`.
    Fixed {
        first: Bytes,
        rest: vec::IntoIter<Bytes>,
    },
    /// Only the body's owner has the mutex, so it is never locked: it makes the body `Sync`, as some frameworks require.
    Stream(Mutex<Box<JobStream>>),
    Session(Mutex<Box<SessionStream>>),
}

impl ResponseBody {
    pub(crate) fn fixed(parts: impl IntoIterator<Item = Bytes>) -> Self {
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_default();
        Self(Kind::Fixed { first, rest: parts.collect::<Vec<_>>().into_iter() })
    }

    pub(crate) fn stream(stream: JobStream) -> Self {
        Self(Kind::Stream(Mutex::new(Box::new(stream))))
    }

    pub(crate) fn session(stream: SessionStream) -> Self {
        Self(Kind::Session(Mutex::new(Box::new(stream))))
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let polled = match &mut self.get_mut().0 {
            Kind::Fixed { first, rest } if first.is_empty() => Poll::Ready(rest.next()),
            Kind::Fixed { first, .. } => Poll::Ready(Some(std::mem::take(first))),
            Kind::Stream(stream) => inside(stream).poll(cx),
            Kind::Session(stream) => inside(stream).poll(cx),
        };
        polled.map(|data| data.map(|data| Ok(Frame::data(data))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Kind::Fixed { first, rest } => first.is_empty() && rest.as_slice().is_empty(),
            Kind::Stream(_) | Kind::Session(_) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Kind::Fixed { first, rest } => {
                let length = first.len() + rest.as_slice().iter().map(Bytes::len).sum::<usize>();
                SizeHint::with_exact(length as u64)
            }
            Kind::Stream(_) | Kind::Session(_) => SizeHint::default(),
        }
    }
}

impl fmt::Debug for ResponseBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::Fixed { .. } => "ResponseBody(fixed)",
            Kind::Stream(_) | Kind::Session(_) => "ResponseBody(stream)",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::ResponseBody;

    #[test]
    fn every_framework_takes_the_body() {
        fn takes<T: Send + Sync + Unpin + 'static>() {}
        takes::<ResponseBody>();
    }
}
