//! Declares resource templates.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use grange_uri::{UnknownQuery, Values};
use serde::Serialize;

use super::definition::{Code, TemplateDefinition};
use super::list_page::{Entries, ListPage};
use crate::define::{
    AsyncCode, CompleteRequest, Context, Declared, ExpandError, ExtensionData, ExtensionParts, FromVariables,
    HandlerFailure, ReadError, ReadOutcome,
};
use crate::model::{Annotations, CacheScope, Completion, Icon, IntoCompletion, IntoContents, Metadata, Target, Text};
use crate::primitive::completion::Completer;
use crate::primitive::resource::{BoxRead, checked, listing_setters};

/// A declared resource template: one reader for all resources whose URIs match (2026-07-28 server/resources, "Resource templates").
///
/// | form | value | as in |
/// |---|---|---|
/// | `{v}` | one segment of the path, or a piece of one | `orders://{id}`, `docs://{name}.md` |
/// | `{+v}` | one or more segments | `files://root/{+path}` |
/// | `{/v*}` | any number of segments, as a list | `repo://{name}{/path*}` |
/// | `{?a,b}` | values of the query, each of which may be absent | `shop://search{?q,limit}` |
///
/// Values are decoded, and safe: a segment is never empty, `.` or `..`, and has no `/`, `\` or control character. A URI whose values do
/// not fit the arguments of the reader is an unknown resource.
///
/// ```
/// use grange_core::{ReadError, Server, Template};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Order {
///     id: u64,
/// }
///
/// let order = Template::builder()
///     .uri("orders://{id}")
///     .name("order")
///     .mime_type("application/json")
///     .read(|_cx, Order { id }| async move {
///         if id < 1000 { Ok(format!("{{\"id\":{id}}}")) } else { Err(ReadError::not_found()) }
///     })
///     .build();
/// let server = Server::builder("shop", "1.0.0").template(order).build()?;
/// # Ok::<(), grange_core::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Template(Arc<TemplateDefinition>);

impl Template {
    /// Starts a definition. `uri`, `name` and `read` are required.
    pub fn builder() -> TemplateBuilder {
        TemplateBuilder { definition: TemplateDefinition::default() }
    }

    /// Starts a definition from a copy of this one. Each setting replaces the copied one.
    pub fn to_builder(&self) -> TemplateBuilder {
        TemplateBuilder { definition: (*self.0).clone() }
    }

    /// The template of the URIs, as it is listed.
    pub fn uri_template(&self) -> &str {
        &self.0.common.listing.uri
    }

    /// The URI of the resource with these values: the exact inverse of matching.
    ///
    /// The values are any type that serde writes: a struct or a map with a value for each variable, in which `None` is an absent value of
    /// the query; and where the template has one variable, a text, an integer, an enum without data, or another type that serde writes
    /// as a text. Unreserved characters stay as they are, and all others are percent-encoded.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// use grange_core::Template;
    /// use serde::Serialize;
    ///
    /// #[derive(Serialize)]
    /// struct OrderId {
    ///     id: u64,
    /// }
    ///
    /// let order = Template::builder().uri("orders://{id}").name("order").build();
    /// assert_eq!(order.uri(&OrderId { id: 7 })?, "orders://7");
    /// assert_eq!((order.uri(&7)?, order.uri("a b")?), ("orders://7".to_owned(), "orders://a%20b".to_owned()));
    ///
    /// let search = Template::builder().uri("shop://search{?q,limit}").name("search").build();
    /// assert_eq!(search.uri(&BTreeMap::from([("q", "tea"), ("limit", "5")]))?, "shop://search?q=tea&limit=5");
    /// assert_eq!(search.uri(&())?, "shop://search");
    ///
    /// // A read of `files://v1.2.md` would get `v1` and `2.md`.
    /// let file = Template::builder().uri("files://{name}.{ext}").name("file").build();
    /// assert!(file.uri(&BTreeMap::from([("name", "v1.2"), ("ext", "md")])).is_err());
    /// # Ok::<(), grange_core::ExpandError>(())
    /// ```
    ///
    /// # Errors
    /// A value is missing, has no variable, is no text, or cannot be in a URI of this template; or a read would get other values back.
    pub fn uri<A: Serialize + ?Sized>(&self, values: &A) -> Result<String, ExpandError> {
        self.0.expand(values)
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.0.common.listing.name
    }

    /// Completes one variable directly, for tests: without a transport, without authentication, and **without validation of the values**,
    /// which may be more than a client gets. A variable without a completer has no values.
    ///
    /// # Errors
    /// The failure of the completer, or that the request names no variable.
    pub async fn complete(
        &self,
        context: impl Into<Context>,
        request: CompleteRequest,
    ) -> Result<Completion, HandlerFailure> {
        let is_known = self.pattern().is_ok_and(|it| it.variables().iter().any(|each| each.name() == request.name()));
        if !is_known {
            let problem = format!("`{}` is no variable of the uri `{}`", request.name(), self.uri_template());
            return Err(HandlerFailure::InvalidArguments(problem));
        }
        let Some((name, completer)) = self.0.completers.find(request.name()) else { return Ok(Completion::default()) };
        let reference = self.0.common.listing.uri.clone();
        let target = Target::Completion { reference, argument: name.clone() };
        Ok(completer.complete(context.into().for_target(target), request).await?)
    }

    pub(super) fn pattern(&self) -> Result<&grange_uri::Template, &grange_uri::TemplateError> {
        self.0.pattern()
    }

    pub(super) fn definition(&self) -> &TemplateDefinition {
        &self.0
    }
}

impl Declared for Template {
    const NOUN: &'static str = "template";

    fn key(&self) -> &str {
        self.uri_template()
    }

    fn problems(&self) -> Vec<String> {
        self.0.problems()
    }

    fn duplicate(&self, first: &Self) -> String {
        let names = format!("`{}` and `{}`", first.name(), self.name());
        format!("the uri is declared twice, by {names}: give each template its own")
    }

    fn parts(&self) -> &ExtensionParts {
        &self.0.common.parts
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Template")
            .field("uri_template", &self.uri_template())
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}

/// Builds a [`Template`]; see [`Template::builder`].
#[must_use]
pub struct TemplateBuilder {
    definition: TemplateDefinition,
}

impl TemplateBuilder {
    /// The template of the URIs: [`Template`] has the forms of variables.
    pub fn uri(mut self, uri: impl Into<Text>) -> Self {
        self.definition.common.listing.uri = uri.into();
        self
    }

    listing_setters!(definition.common);

    /// What a name in the query means that the template does not have. Default: the URI does not match.
    pub fn unknown_query(mut self, unknown_query: UnknownQuery) -> Self {
        self.definition.unknown_query = unknown_query;
        self
    }

    /// The reader, which runs for each read: async code with the context and the values of the variables, which returns a
    /// `Result<C, ReadError>`, where `C` is [`IntoContents`].
    ///
    /// The values are any type that serde reads: a struct with a field for each variable, in which a variable of the query is an `Option`
    /// or has a default, or a map; and where the template has one variable, a `String`, a number, an enum without data, or another
    /// type that serde reads from a text. Contents without a URI of their own get the requested one, byte for byte.
    pub fn read<F, A, Fut, O>(mut self, reader: F) -> Self
    where
        F: Fn(Context, A) -> Fut + Send + Sync + 'static,
        A: FromVariables,
        Fut: AsyncCode<Output = O> + Send + 'static,
        O: ReadOutcome,
        O::Contents: IntoContents,
    {
        let reader = move |cx, values: &Values, is_single| -> BoxRead {
            let Some(arguments) = A::from_variables(values, is_single) else {
                return Box::pin(std::future::ready(Err(ReadError::not_found())));
            };
            let reading = reader(cx, arguments);
            Box::pin(async move { reading.await.into_result().map(IntoContents::into_contents) })
        };
        self.definition.code = Some(Code { reader: Arc::new(reader), problems: A::problems });
        self
    }

    /// Decides whether a client may subscribe to changes of a resource: async code with the context and the values, as
    /// [`read`](Self::read) has them, which returns a `Result<bool, ReadError>`; `false` makes the resource unknown to that client. Without it
    /// the reader runs for each subscription, and its contents are dropped.
    pub fn check<F, A, Fut, O>(mut self, check: F) -> Self
    where
        F: Fn(Context, A) -> Fut + Send + Sync + 'static,
        A: FromVariables,
        Fut: AsyncCode<Output = O> + Send + 'static,
        O: ReadOutcome<Contents = bool>,
    {
        let reader = move |cx, values: &Values, is_single| -> BoxRead {
            match A::from_variables(values, is_single) {
                Some(arguments) => checked(check(cx, arguments)),
                None => Box::pin(std::future::ready(Err(ReadError::not_found()))),
            }
        };
        self.definition.check = Some(Code { reader: Arc::new(reader), problems: A::problems });
        self
    }

    /// Code that completes a variable while a user types its value: async code with the context and the request, which returns a
    /// `Result<C, ReadError>`, where `C` is [`IntoCompletion`]: a `Vec` or an array of values, or a [`Completion`](crate::Completion).
    ///
    /// The values go out in their order, each once, and at most 100. One that the variable cannot carry is left out, and `on_error`
    /// gets it. **What is typed is a client's input**: use it as a bound parameter of a query, and limit the rows.
    ///
    /// ```
    /// use grange_core::Template;
    /// let city = Template::builder()
    ///     .uri("cities://{country}/{city}")
    ///     .name("city")
    ///     .complete_from("country", ["Chad", "China"])
    ///     .complete("city", |_cx, typed| async move {
    ///         let cities = if typed.other("country") == Some("Chad") { vec!["Abeche", "Ati", "Mongo"] } else { vec![] };
    ///         Ok(cities.into_iter().filter(|city| city.starts_with(typed.value())).collect::<Vec<_>>())
    ///     })
    ///     .read(|_cx, (): ()| async move { Ok("a city") })
    ///     .build();
    /// ```
    pub fn complete<F, Fut, O>(mut self, variable: impl Into<Text>, code: F) -> Self
    where
        F: Fn(Context, CompleteRequest) -> Fut + Send + Sync + 'static,
        Fut: AsyncCode<Output = O> + Send + 'static,
        O: ReadOutcome,
        O::Contents: IntoCompletion,
    {
        self.definition.completers.insert(variable.into(), Completer::code(code));
        self
    }

    /// A list of values that completes a variable. A client gets those that begin with what is typed, then those that contain it, each in
    /// their order; the case of ASCII letters does not matter.
    pub fn complete_from(mut self, variable: impl Into<Text>, values: impl IntoIterator<Item: ToString>) -> Self {
        self.definition.completers.insert(variable.into(), Completer::list(values));
        self
    }

    /// Code that lists the resources of the template, page by page: async code with the context and the [`ListPage`], which returns a
    /// `Result<Entries, ReadError>`. They are then entries of the list of resources, behind the fixed ones and the shelves.
    ///
    /// The code runs as a reader does: with the identity of the caller, providers, a time limit. **`page.after()` is a client's input**: it is
    /// the key behind which a page starts, for a bound parameter of a query, and never a number of rows to skip. A resource that is fixed or
    /// on a shelf is listed as that. More entries than `page.limit()`, the token of the page itself as the next one, an entry twice or with
    /// mistakes are a failure of the page: the client gets `Internal error`, and `on_error` names the URI.
    ///
    /// ```
    /// use grange_core::{Entry, Server, Template};
    ///
    /// let order = Template::builder()
    ///     .uri("orders://{id}")
    ///     .name("order")
    ///     .read(|_cx, id: u64| async move { Ok(format!("order {id}")) })
    ///     .list(|_cx, page| async move {
    ///         // SELECT id FROM orders WHERE id > ? ORDER BY id LIMIT ?
    ///         let after = page.after().and_then(|id| id.parse().ok()).unwrap_or(0);
    ///         let rows: Vec<u64> = (after + 1..=2500).take(page.limit()).collect();
    ///         Ok(page.entries(&rows, |id| (*id, Entry::new(id.to_string()))).next(rows.last()))
    ///     })
    ///     .build();
    /// let server = Server::builder("shop", "1.0.0").template(order).build()?;
    /// # Ok::<(), grange_core::BuildError>(())
    /// ```
    pub fn list<F, Fut, O>(mut self, code: F) -> Self
    where
        F: Fn(Context, ListPage) -> Fut + Send + Sync + 'static,
        Fut: AsyncCode<Output = O> + Send + 'static,
        O: ReadOutcome<Contents = Entries>,
    {
        self.definition.list = Some(Arc::new(move |context, page| {
            let listing = code(context, page);
            Box::pin(async move { listing.await.into_result() })
        }));
        self
    }

    /// Freezes the definition. The server's `build()` checks it.
    pub fn build(mut self) -> Template {
        self.definition.common.merge_parts();
        // Not that of the template that was copied.
        self.definition.parsed = OnceLock::new();
        Template(Arc::new(self.definition))
    }
}
