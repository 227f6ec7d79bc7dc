//! A tower service as an actix-web handler: the head is converted, both bodies are streamed.
//!
//! **No body is collected**: the service's own limits and times apply to the request's body, events are sent as they come, and when a
//! client disconnects, the future or the body is dropped, by which the service notices it. The conversion is needed because actix-web
//! has version 0.2 of the `http` crate. Nothing here knows MCP.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_web::body::{BodySize, MessageBody};
use actix_web::error::PayloadError;
use actix_web::http::header::CONTENT_LENGTH;
use actix_web::http::{StatusCode, Version};
use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use futures_core::Stream;
use http_body::{Body, Frame, SizeHint};
use tower_service::Service;

/// Calls a service that is always ready with a request, and converts its response.
pub(crate) async fn call<S, B>(mut service: S, request: &HttpRequest, payload: web::Payload) -> HttpResponse
where
    S: Service<http::Request<Payload>, Response = http::Response<B>, Error = Infallible>,
    B: Body<Data = Bytes, Error = Infallible> + Unpin + 'static,
{
    let payload = Payload::new(request, payload);
    match head(request).body(payload) {
        Ok(request) => {
            let Ok(response) = service.call(request).await;
            answer(response)
        }
        Err(_) => HttpResponse::BadRequest().finish(),
    }
}

/// Values of middleware about the caller, such as a `Principal`, are put into the extensions here.
fn head(request: &HttpRequest) -> http::request::Builder {
    let version = match request.version() {
        Version::HTTP_10 => http::Version::HTTP_10,
        Version::HTTP_2 => http::Version::HTTP_2,
        _ => http::Version::HTTP_11,
    };
    let head = http::Request::builder().method(request.method().as_str()).uri(request.uri().to_string());
    let headers = request.headers().iter();
    headers.fold(head.version(version), |head, (name, value)| head.header(name.as_str(), value.as_bytes()))
}

fn answer<B>(response: http::Response<B>) -> HttpResponse
where
    B: Body<Data = Bytes, Error = Infallible> + Unpin + 'static,
{
    let (head, body) = response.into_parts();
    let status = StatusCode::from_u16(head.status.as_u16()).expect("the same numbers are legal in both versions");
    let mut response = HttpResponse::build(status);
    for (name, value) in &head.headers {
        response.append_header((name.as_str(), value.as_bytes()));
    }
    response.body(Answer(body))
}

/// The body of a request, as it arrives.
pub(crate) struct Payload {
    stream: web::Payload,
    /// The bytes that are still to arrive, if the client announced a length.
    left: Option<u64>,
}

impl Payload {
    fn new(request: &HttpRequest, stream: web::Payload) -> Self {
        let length = request.headers().get(CONTENT_LENGTH);
        let left = length.and_then(|length| length.to_str().ok()?.parse().ok());
        Self { stream, left }
    }
}

impl Body for Payload {
    type Data = Bytes;
    type Error = PayloadError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, PayloadError>>> {
        let polled = ready!(Pin::new(&mut self.stream).poll_next(cx));
        if let (Some(Ok(data)), Some(left)) = (&polled, &mut self.left) {
            *left = left.saturating_sub(data.len() as u64);
        }
        Poll::Ready(polled.map(|data| data.map(Frame::data)))
    }

    fn size_hint(&self) -> SizeHint {
        self.left.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}

/// The body of a response, as it is produced.
struct Answer<B>(B);

impl<B: Body<Data = Bytes, Error = Infallible> + Unpin> MessageBody for Answer<B> {
    type Error = Infallible;

    /// Known lengths become `Content-Length`.
    fn size(&self) -> BodySize {
        self.0.size_hint().exact().map_or(BodySize::Stream, BodySize::Sized)
    }

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        loop {
            let Some(Ok(frame)) = ready!(Pin::new(&mut self.0).poll_frame(cx)) else { return Poll::Ready(None) };
            // actix-web sends no trailers.
            if let Ok(data) = frame.into_data() {
                return Poll::Ready(Some(Ok(data)));
            }
        }
    }
}
