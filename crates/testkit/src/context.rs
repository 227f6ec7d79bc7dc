//! The context for reading a resource directly, with the test's own providers.

use grange_core::{Context, Providers, ReadError};

/// The context for a read outside a server: `resource.read(&TestContext::new())`.
///
/// Such a read has no authentication and no validation. It sees only the providers that the test sets, so a value of
/// the same type replaces, for example, the server's real database.
///
/// ```
/// use grange_core::Resource;
/// use grange_testkit::TestContext;
///
/// struct Db(&'static str);
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let row = Resource::builder()
///     .uri("rows://1")
///     .name("row")
///     .read(|cx| async move { Ok(cx.get::<Db>().await?.0.to_owned()) })
///     .build();
/// let contents = row.read(&TestContext::new().provide_value(Db("from the test"))).await?;
/// assert_eq!(contents.items()[0].as_text(), Some("from the test"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct TestContext {
    providers: Providers,
}

impl TestContext {
    /// A context without providers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Provides a value, by its type. Replaces the provider of that type.
    #[must_use]
    pub fn provide_value<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.providers.value(value);
        self
    }

    /// Provides a computed value, by its type. `make` runs when the read first gets the value, at most once per read.
    /// Replaces the provider of that type.
    #[must_use]
    pub fn provide<T, E, F, Fut>(mut self, make: F) -> Self
    where
        T: Send + Sync + 'static,
        E: Into<ReadError>,
        F: Fn(Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T, E>> + Send + 'static,
    {
        self.providers.computed(make);
        self
    }
}

impl From<&TestContext> for Context {
    fn from(context: &TestContext) -> Self {
        Self::detached(context.providers.clone())
    }
}

impl From<TestContext> for Context {
    fn from(context: TestContext) -> Self {
        Self::detached(context.providers)
    }
}
