//! The tower service, and in it **the one ordered list of what a request must pass**, however the service is mounted.
//!
//! The list is short of the engine's part: message, revision, headers, metadata, method and parameters are checked by
//! [`Server::accept`], in that order.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use grange_core::{Accepted, Job, Opening, Refusal, Server};
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, HOST, HeaderName, ORIGIN};
use http::request::Parts;
use http::{Method, Request, Response};
use http_body::Body;

use crate::auth::{Authenticator, Identity};
use crate::body::ResponseBody;
use crate::capacity::{Arriving, Place, Places};
use crate::check::media::{self, Accepts};
use crate::check::proxies;
use crate::config::{Authentication, Options};
use crate::exchange::{HttpExchange, find};
use crate::future::{Answering, ResponseFuture, State};
use crate::metadata::MetadataService;
use crate::read_body::{Collect, Limit};
use crate::rejection::{self, Allowed, Refused};
use crate::session_answer;
use crate::session_verbs::Bodiless;
use crate::sessions::store::{Sessions, Visit};
use crate::timed_job::Work;

/// The headers that the list asks of every request, beside Accept, which may come in several lines.
static ASKED: [HeaderName; 4] = [HOST, ORIGIN, CONTENT_TYPE, CONTENT_ENCODING];

/// What row 5 says of a request's content.
type Content = Result<(), Refused>;

/// Gives a server its HTTP service.
pub trait ServeHttp {
    /// A tower service that answers at whatever path it is mounted, for axum, plain hyper or anything else that speaks
    /// tower. It needs a tokio runtime with its clock.
    ///
    /// It has no address of its own, so it is careful: until [`HttpService::public_hosts`] or
    /// [`HttpService::behind_proxy`] is called, it answers only to this machine's own names (`localhost`, 127.0.0.0/8,
    /// `[::1]`).
    ///
    /// ```
    /// use grange_core::{Resource, Server};
    /// use grange_http::ServeHttp;
    ///
    /// let guide = Resource::builder().uri("docs://guide").name("guide").text("# Guide").build();
    /// let server = Server::builder("documentation", "1.0.0").resource(guide).build()?;
    /// let service = server.http_service().public_hosts(["mcp.example.com"]);
    /// // axum: Router::new().nest_service("/mcp", service)
    /// # Ok::<(), grange_core::BuildError>(())
    /// ```
    fn http_service(&self) -> HttpService;
}

impl ServeHttp for Server {
    fn http_service(&self) -> HttpService {
        HttpService::new(self.clone(), Options::default())
    }
}

/// A [`Server`] as a tower service. Cheap to clone; the clones share their bounds and their end.
///
/// It takes any request body and never fails: what is wrong with a request is an HTTP response.
#[derive(Clone)]
pub struct HttpService {
    shared: Arc<Shared>,
}

/// What the clones of a service, and all that it has in flight, share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) server: Server,
    pub(crate) options: Options,
    pub(crate) places: Arc<Places>,
    /// `None`: none are kept.
    pub(crate) sessions: Option<Arc<Sessions>>,
}

impl HttpService {
    pub(crate) fn new(server: Server, options: Options) -> Self {
        let keeps_sessions = options.sessions || server.sends_requests();
        let sessions = keeps_sessions.then(|| Arc::new(Sessions::new(server.limits())));
        Self { shared: Arc::new(Shared { server, options, places: Arc::default(), sessions }) }
    }

    /// The hosts that clients may address, exactly as their `Host` header has them: `mcp.example.com`, with a port
    /// where they use one. Replaces the default, which is this machine's own names.
    ///
    /// # Panics
    /// On what is no host, such as a URL.
    #[must_use]
    #[track_caller]
    pub fn public_hosts<H: AsRef<str>>(self, hosts: impl IntoIterator<Item = H>) -> Self {
        self.with(|options| hosts.into_iter().try_for_each(|host| options.guard.add_host(host.as_ref())))
    }

    /// Says that a proxy in front checks `Host`, so that any is served. `Origin` is checked all the same.
    #[must_use]
    pub fn behind_proxy(self) -> Self {
        self.with(|options| {
            options.guard.waive_host();
            Ok(())
        })
    }

    /// Proxies in front, by address or network (`10.0.0.7`, `10.0.0.0/8`): what they say with `X-Forwarded-Host` and
    /// `X-Forwarded-Proto` is what the client addressed. The host is then checked instead of `Host`, against
    /// [`public_hosts`](Self::public_hosts), and readers find both as [`Addressed`](crate::Addressed). From anybody else these
    /// headers are ignored.
    ///
    /// The proxy must set both itself, whatever the client sent. The application says who is at the other end of the
    /// connection, with [`PeerAddr`](crate::PeerAddr).
    ///
    /// # Panics
    /// On what is neither an address nor a network.
    #[must_use]
    #[track_caller]
    pub fn trusted_proxies<P: AsRef<str>>(self, proxies: impl IntoIterator<Item = P>) -> Self {
        self.with(|options| proxies.into_iter().try_for_each(|proxy| options.proxies.add(proxy.as_ref())))
    }

    /// More origins whose pages may send requests, exactly as browsers write them: `https://app.example.com`.
    ///
    /// # Panics
    /// On what is no origin, such as a URL with a path.
    #[must_use]
    #[track_caller]
    pub fn allow_origins<O: AsRef<str>>(self, origins: impl IntoIterator<Item = O>) -> Self {
        self.with(|options| origins.into_iter().try_for_each(|origin| options.guard.add_origin(origin.as_ref())))
    }

    /// Lets pages of these origins read the answers, exactly as browsers write them: `https://app.example.com`. They may then send
    /// requests too, as with [`allow_origins`](Self::allow_origins).
    ///
    /// # Panics
    /// On what is no origin, such as a URL with a path.
    #[must_use]
    #[track_caller]
    pub fn cors<O: AsRef<str>>(self, origins: impl IntoIterator<Item = O>) -> Self {
        self.with(|options| origins.into_iter().try_for_each(|origin| options.add_cors(origin.as_ref())))
    }

    /// Denies every request that this does not know the sender of, before its body is read. What it says of the sender is in the
    /// request's extensions, for readers and tools; sessions belong to its principal.
    #[must_use]
    pub fn authenticator(self, authenticator: impl Authenticator) -> Self {
        self.with(|options| {
            options.authenticator = Some(Authentication(Arc::new(authenticator)));
            Ok(())
        })
    }

    /// The service of the document that tells clients how to get a token, to be mounted at the `paths` of the authenticator's
    /// [`ResourceMetadata`](crate::ResourceMetadata); `None` if it has none.
    pub fn metadata_service(&self) -> Option<MetadataService> {
        let metadata = self.shared.options.authenticator.as_ref()?.0.metadata()?;
        Some(MetadataService::new(metadata.body))
    }

    /// Keeps sessions for clients whose protocol revision has them, even if nothing of the server needs any: clients can then
    /// cancel a request by its id and come back to a stream that they lost. A server that sends requests to clients keeps
    /// them without being asked.
    ///
    /// A session lives in this process: with several behind a balancer, each client must come back to the same one. Where
    /// requests are authenticated, say who each is from with a [`Principal`](crate::Principal).
    ///
    /// ```
    /// # use grange_core::Server;
    /// # use grange_http::ServeHttp;
    /// let server = Server::builder("documentation", "1.0.0").build()?;
    /// let service = server.http_service().sessions();
    /// # Ok::<(), grange_core::BuildError>(())
    /// ```
    #[must_use]
    pub fn sessions(mut self) -> Self {
        let shared = Arc::make_mut(&mut self.shared);
        shared.options.sessions = true;
        let limits = shared.server.limits();
        shared.sessions.get_or_insert_with(|| Arc::new(Sessions::new(limits)));
        self
    }

    /// How often a comment goes out on an event stream, so that proxies do not take it for dead. Default 15 s.
    ///
    /// # Panics
    /// On 0.
    #[must_use]
    #[track_caller]
    pub fn keep_alive(self, every: Duration) -> Self {
        self.with(|options| options.set_keep_alive(every))
    }

    /// How long a request body may take to arrive. Default 30 s.
    ///
    /// # Panics
    /// On 0.
    #[must_use]
    #[track_caller]
    pub fn read_timeout(self, time: Duration) -> Self {
        self.with(|options| options.set_read_timeout(time))
    }

    /// Ends the held streams of this service and its clones, each with its last messages: for an application that shuts
    /// down gracefully and would otherwise wait for streams that nobody closes. Other requests go on to their answers.
    ///
    /// ```
    /// # use grange_core::Server;
    /// # use grange_http::ServeHttp;
    /// # let server = Server::builder("documentation", "1.0.0").build()?;
    /// let service = server.http_service();
    /// let streams = service.clone();
    /// let shutdown = async move {
    ///     // … wait for the signal, then:
    ///     streams.end_streams();
    /// };
    /// // axum::serve(listener, app.nest_service("/mcp", service)).with_graceful_shutdown(shutdown)
    /// # drop(shutdown);
    /// # Ok::<(), grange_core::BuildError>(())
    /// ```
    pub fn end_streams(&self) {
        self.shared.places.end();
    }

    #[cfg(feature = "serve")]
    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    #[track_caller]
    fn with(mut self, change: impl FnOnce(&mut Options) -> Result<(), String>) -> Self {
        if let Err(mistake) = change(&mut Arc::make_mut(&mut self.shared).options) {
            panic!("{mistake}");
        }
        self
    }

    /// Starts a request: the head is checked at once, the rest is the future's. `proxied`: a trusted proxy sent it.
    pub(crate) fn respond<B: Body>(&self, request: Request<B>, proxied: bool) -> ResponseFuture<B> {
        let (head, body) = request.into_parts();
        let grant = self.shared.options.cors.grant(&head.headers);
        ResponseFuture::new(self.shared.receive(head, body, proxied), grant)
    }
}

#[cfg(feature = "serve")]
impl HttpService {
    /// The answer at a path where nothing is served: the door is the same, and so is who may read what it says.
    pub(crate) fn respond_elsewhere<B: Body>(
        &self,
        request: Request<B>,
        proxied: bool,
        served: &str,
    ) -> ResponseFuture<B> {
        let (mut head, _) = request.into_parts();
        let grant = self.shared.options.cors.grant(&head.headers);
        let state = self.shared.check_door(&mut head, proxied).and_then(|_| {
            let preflight = self.shared.preflight(&head).filter(|_| head.method == Method::OPTIONS);
            let missed = || Refused::Path { asked: head.uri.path().to_owned(), served: served.to_owned() };
            preflight.map(State::answered).ok_or_else(missed)
        });
        let state = state.unwrap_or_else(State::refused);
        ResponseFuture::new(state, grant)
    }
}

/// **The rows of the list that need no body, in the contract's order; the first that fails answers.** They stand in two parts, since
/// who asks may take a while to find out.
impl Shared {
    /// Rows 1 to 3.
    fn receive<B: Body>(self: &Arc<Self>, mut head: Parts, body: B, proxied: bool) -> State<B> {
        let content = match self.check_door(&mut head, proxied) {
            Ok(content) => content,
            Err(refused) => return State::refused(refused),
        };
        if head.method == Method::OPTIONS
            && let Some(response) = self.preflight(&head)
        {
            return State::answered(response);
        }
        let Some(authentication) = &self.options.authenticator else { return self.admit(head, body, content) };
        let mut authenticating = authentication.0.authenticate(&head);
        // Mostly it is known at once. Whoever has to be waited for is asked again by the task that waits.
        let now = authenticating.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        let asking = Asking { shared: self.clone(), head, body, content };
        match now {
            Poll::Ready(Ok(identity)) => asking.known(identity),
            Poll::Ready(Err(denied)) => State::refused(Refused::Denied(denied)),
            Poll::Pending => State::authenticating(authenticating, self.options.read_timeout, Box::new(asking)),
        }
    }

    fn preflight(&self, head: &Parts) -> Option<Response<ResponseBody>> {
        let credentials = self.options.authenticator.as_ref().map(|authentication| authentication.0.header());
        self.options.cors.preflight(head, self.methods(), credentials.as_ref())
    }

    /// Gives what row 5 will say, which is looked at in the same pass.
    fn check_door(&self, head: &mut Parts, proxied: bool) -> Result<Content, Refused> {
        let [host, origin, content_type, encoding] = find(&head.headers, &ASKED);
        let guard = &self.options.guard;
        let addressed = if proxied { proxies::addressed(&head.headers)? } else { None };
        let meant = addressed.as_ref().map(|addressed| &addressed.host);
        guard.check_host(head, host, meant)?; // row 1
        guard.check_origin(origin)?; // row 2
        let content = media::check_content(content_type, encoding);
        if let Some(addressed) = addressed {
            head.extensions.insert(addressed);
        }
        Ok(content)
    }

    /// Rows 4 to 7, and those of a request without a body.
    fn admit<B: Body>(self: &Arc<Self>, head: Parts, body: B, content: Content) -> State<B> {
        match self.check_method(&head.method) {
            Ok(true) => {}
            Ok(false) => return State::bodiless(Bodiless::new(self.clone(), head)), // rows 6 and 9
            Err(refused) => return State::refused(refused),                         // row 4
        }
        match content.and_then(|()| self.admit_message(head)) {
            // row 5
            Ok(admitted) => {
                let (limit, time) = (self.body_limit(&admitted.head), self.options.read_timeout);
                State::reading(Collect::new(body, limit, time, Arriving::new(self)), admitted) // row 7
            }
            Err(refused) => State::refused(refused),
        }
    }

    fn admit_message(self: &Arc<Self>, head: Parts) -> Result<Admitted, Refused> {
        let accepts = Accepts::of(&head.headers)?; // row 6
        let limit = self.server.limits().requests_in_flight;
        // Nobody's body is read who will not be worked on. **The place itself is taken once the body is there**: a sender that is
        // slow holds up nobody else.
        if self.places.has_request_place(limit) {
            Ok(Admitted { shared: self.clone(), head, accepts })
        } else {
            Err(Refused::Busy { limit })
        }
    }

    fn methods(&self) -> &'static str {
        if self.sessions.is_some() { "GET, POST, DELETE" } else { "POST" }
    }

    /// The methods that a client may use, of those that keep to row 9 as well.
    fn allowed(&self) -> Allowed {
        match self.sessions {
            None => Allowed::Post,
            Some(_) if self.server.sends_requests() => Allowed::PostDeleteGet,
            Some(_) => Allowed::PostDelete,
        }
    }

    /// Whether the request has a message, or is one of those that are for sessions alone.
    fn check_method(&self, method: &Method) -> Result<bool, Refused> {
        match method {
            _ if *method == Method::POST => Ok(true),
            _ if self.sessions.is_some() && Bodiless::takes(method) => Ok(false),
            method => Err(Refused::Method { method: method.clone(), allowed: self.allowed() }),
        }
    }

    /// Keeps what a handshake opened, if there is room.
    fn open(&self, head: &Parts, opening: Opening, accepts: Accepts) -> Response<ResponseBody> {
        match self.sessions.as_ref().map(|sessions| sessions.open(head, opening.conversation().clone())) {
            Some(Ok(id)) => rejection::opened(opening.accept().0, id, accepts, &self.options),
            Some(Err(full)) => rejection::too_many_sessions(full, &opening),
            None => rejection::answer(opening.accept().0, &Refusal::None, accepts, &self.options),
        }
    }

    /// An answer to a request of ours may be longer than other messages.
    fn body_limit(&self, head: &Parts) -> Limit {
        let limits = self.server.limits();
        let awaited = self.sessions.as_ref().is_some_and(|sessions| sessions.awaits_answer(head));
        if awaited && limits.answer_bytes > limits.message_bytes {
            Limit { bytes: limits.answer_bytes, setting: "Limits::answer_bytes" }
        } else {
            Limit { bytes: limits.message_bytes, setting: "Limits::message_bytes" }
        }
    }
}

/// A request whose sender is being found out.
pub(crate) struct Asking<B> {
    shared: Arc<Shared>,
    head: Parts,
    body: B,
    content: Content,
}

impl<B: Body> Asking<B> {
    /// What comes after row 3.
    pub(crate) fn known(mut self, identity: Identity) -> State<B> {
        identity.enter(&mut self.head);
        self.shared.admit(self.head, self.body, self.content)
    }
}

/// A request that has a message.
pub(crate) struct Admitted {
    shared: Arc<Shared>,
    head: Parts,
    accepts: Accepts,
}

/// What comes of a request.
pub(crate) enum Next<B> {
    Answer(Response<ResponseBody>),
    Run(Answering),
    /// Boxed, since few requests get here and what is returned is copied for each.
    State(Box<State<B>>),
    /// The same in a session, where it runs by itself.
    Wait(session_answer::Answering),
}

impl Admitted {
    /// The rest of the list, which is the engine's: rows 8 to 15. For row 9 it asks the exchange.
    pub(crate) fn accept<B>(self, body: &Bytes) -> Next<B> {
        let Self { shared, head, accepts } = self;
        let limit = shared.server.limits().requests_in_flight;
        let Some(place) = Place::request(&shared, limit) else {
            return Next::Answer(Refused::Busy { limit }.into_response());
        };
        let exchange = HttpExchange::new(&head, accepts, shared.sessions.as_ref());
        let accepted = shared.server.accept(body, &exchange);
        match accepted {
            Accepted::Open(opening) => Next::Answer(shared.open(&head, opening, accepts)),
            Accepted::Send(wire, refusal) => Next::Answer(rejection::answer(wire, &refusal, accepts, &shared.options)),
            Accepted::Silent => Next::Answer(rejection::silent()),
            Accepted::Run(job) => {
                let visit = exchange.into_visit();
                job.set_peer(Arc::new(head));
                Self::run(job, place, visit, accepts)
            }
        }
    }

    fn run<B>(job: Job, place: Place, visit: Option<Visit>, accepts: Accepts) -> Next<B> {
        let shared = place.shared();
        match visit {
            Some(visit) => Next::Wait(session_answer::Answering::start(job, place, visit, accepts)),
            None if !job.needs_stream() => Next::Run(Answering::new(Work::new(job, place), accepts)),
            None if !accepts.stream => Next::Answer(Refused::NeedsStream.into_response()),
            None => {
                let limit = shared.server.limits().streams;
                match Place::stream(shared, limit) {
                    Some(held) => Next::Answer(rejection::stream(ResponseBody::stream(Work::new(job, held).into()))),
                    None => Next::Answer(Refused::TooManyStreams { limit }.into_response()),
                }
            }
        }
    }
}

impl<B: Body> tower_service::Service<Request<B>> for HttpService {
    type Response = Response<ResponseBody>;
    type Error = Infallible;
    type Future = ResponseFuture<B>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> ResponseFuture<B> {
        let proxied = self.shared.options.proxies.trust_sender(request.extensions());
        self.respond(request, proxied)
    }
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpService").field("server", &self.shared.server).finish_non_exhaustive()
    }
}
