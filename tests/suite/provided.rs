//! Providers: which types are equal, duplicates, and the errors for missing ones.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use grange_core::{Context, HandlerFailure, ReadError, Resource, Server, ServerBuilder};
use grange_testkit::TestContext;
use serde_json::json;

use crate::raw;

#[derive(Clone)]
struct Db(&'static str);

trait Store: Send + Sync {
    fn name(&self) -> &'static str;
}

impl Store for Db {
    fn name(&self) -> &'static str {
        self.0
    }
}

/// The errors of `build()`.
fn errors(builder: ServerBuilder) -> Vec<String> {
    builder.build().err().map_or_else(Vec::new, |error| error.errors().iter().map(ToString::to_string).collect())
}

fn builder() -> ServerBuilder {
    Server::builder("t", "1")
}

async fn made(_cx: Context) -> io::Result<Db> {
    Ok(Db("made"))
}

async fn made_shared(_cx: Context) -> io::Result<Arc<Db>> {
    Ok(Arc::new(Db("made")))
}

#[test]
fn a_type_provided_twice_is_an_error() {
    let own = "provider of `suite::provided::Db`: it is provided twice: provide it once, or give one of the two a type of its own";
    for twice in [
        builder().provide_value(Db("a")).provide_value(Db("b")),
        builder().provide(made).provide(made),
        builder().provide_value(Db("a")).provide(made),
        builder().provide(made).provide_value(Db("a")),
    ] {
        assert_eq!(errors(twice), [own]);
    }
    for both in [
        builder().provide_value(Db("a")).provide_value(Arc::new(Db("b"))),
        builder().provide_value(Arc::new(Db("a"))).provide_value(Db("b")),
        builder().provide(made_shared).provide(made),
        builder().provide(made).provide_value(Arc::new(Db("a"))),
    ] {
        let errors = errors(both);
        let [error] = &errors[..] else { panic!("not one error: {errors:?}") };
        assert!(error.contains("alloc::sync::Arc<suite::provided::Db>"), "{error}");
        assert!(error.ends_with("both are one type to `cx.get`: provide one of them"), "{error}");
    }
    let thrice = builder().provide_value(1_u8).provide_value(2_u8).provide_value("a").provide_value("b");
    assert_eq!(errors(thrice).len(), 2, "all errors at once");
    let apart = builder().provide_value(1_u8).provide_value(1_u16).provide_value(Arc::new(1_u32)).provide(made);
    assert_eq!(errors(apart), [""; 0]);
}

/// The result or failure of a reader that runs `does`.
async fn read<F, Fut>(context: TestContext, does: F) -> Result<String, HandlerFailure>
where
    F: Fn(Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<String, ReadError>> + Send + 'static,
{
    let resource = Resource::builder().uri("docs://asks").name("asks").read(does).build();
    Ok(resource.read(context).await?.items()[0].as_text().unwrap().to_owned())
}

#[tokio::test]
async fn a_value_in_an_arc_is_available_as_the_value_and_as_the_arc() {
    let shared = Arc::new(Db("shared"));
    let given = shared.clone();
    let same = read(TestContext::new().provide_value(given.clone()), move |cx| {
        let given = given.clone();
        async move {
            let (inside, whole) = (cx.get::<Db>().await?, cx.get::<Arc<Db>>().await?);
            Ok(format!("{} {} {}", inside.0, Arc::ptr_eq(&inside, &whole), Arc::ptr_eq(&inside, &given)))
        }
    });
    assert_eq!(same.await.unwrap(), "shared true true");
    let store: Arc<dyn Store> = shared;
    let unsized_inside = read(TestContext::new().provide_value(store), |cx| async move {
        Ok(cx.get::<Arc<dyn Store>>().await?.name().to_owned())
    });
    assert_eq!(unsized_inside.await.unwrap(), "shared");
}

#[tokio::test]
async fn a_computed_arc_is_made_once_for_both_types() {
    let makes = Arc::new(AtomicUsize::new(0));
    let count = makes.clone();
    let context = TestContext::new().provide(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        async { Ok::<_, ReadError>(Arc::new(Db("made"))) }
    });
    let read = read(context, |cx| async move {
        let (inside, whole) = (cx.get::<Db>().await?, cx.get::<Arc<Db>>().await?);
        Ok(Arc::ptr_eq(&inside, &whole).to_string())
    });
    assert_eq!((&*read.await.unwrap(), makes.load(Ordering::SeqCst)), ("true", 1));
}

#[tokio::test]
async fn a_cycle_through_an_arc_is_a_cycle() {
    let context = TestContext::new().provide(|cx: Context| async move {
        let inside = cx.get::<Db>().await?;
        Ok::<_, ReadError>(inside)
    });
    let failure = read(context, |cx| async move { Ok(cx.get::<Db>().await?.0.to_owned()) }).await.unwrap_err();
    assert!(
        matches!(failure, HandlerFailure::ProviderCycle(name) if name.ends_with("Arc<suite::provided::Db>")),
        "{failure}"
    );
}

#[tokio::test]
async fn a_test_replaces_a_provider_of_the_same_type() {
    let name = |context: TestContext| read(context, |cx| async move { Ok(cx.get::<Db>().await?.0.to_owned()) });
    let first = TestContext::new().provide_value(Db("first"));
    assert_eq!(name(first.clone().provide_value(Db("second"))).await.unwrap(), "second");
    assert_eq!(name(first.clone().provide_value(Arc::new(Db("shared")))).await.unwrap(), "shared");
    assert_eq!(name(first.provide(made_shared).provide_value(Db("last"))).await.unwrap(), "last");
}

#[tokio::test]
async fn a_missing_provider_error_names_the_resource_and_similar_types() {
    let asks = |cx: Context| async move { Ok(cx.get::<Db>().await?.0.to_owned()) };
    let failure = read(TestContext::new(), asks).await.unwrap_err();
    assert_eq!(
        failure.to_string(),
        "no provider for `suite::provided::Db`, which resource `docs://asks` asks for: add `.provide_value(…)` or \
         `.provide(…)` of that type to the server"
    );
    let similar = TestContext::new().provide_value(Mutex::new(Db("a"))).provide_value(5_u8);
    let failure = read(similar, asks).await.unwrap_err();
    let ends = "did you mean `std::sync::poison::mutex::Mutex<suite::provided::Db>`, which is provided?";
    assert!(failure.to_string().ends_with(ends), "{failure}");
    assert!(matches!(failure, HandlerFailure::MissingProvider { wanted, .. } if wanted.ends_with("Db")));
    let through = TestContext::new().provide(|cx: Context| async move {
        cx.get::<Db>().await?;
        Ok::<_, ReadError>(1_u8)
    });
    let failure = read(through, |cx| async move { Ok(cx.get::<u8>().await?.to_string()) }).await.unwrap_err();
    let by = "which the provider of `u8`, for resource `docs://asks`, asks for";
    assert!(failure.to_string().contains(by), "{failure}");
}

#[tokio::test]
async fn a_failed_provider_is_named_and_its_public_errors_are_unchanged() {
    let asks = |cx: Context| async move { Ok(cx.get::<Db>().await?.0.to_owned()) };
    let broken = TestContext::new().provide(|_| async { Err::<Db, _>(io::Error::other("refused")) });
    let failure = read(broken, asks).await.unwrap_err();
    assert_eq!(failure.to_string(), "the provider of `suite::provided::Db` failed: refused");
    let HandlerFailure::Provider { error, .. } = failure else { panic!("{failure}") };
    assert!(error.downcast_ref::<io::Error>().is_some(), "the original");
    let told = TestContext::new().provide(|_| async { Err::<Db, _>(ReadError::public(7, "closed")) });
    assert!(matches!(read(told, asks).await.unwrap_err(), HandlerFailure::Public { code: 7, .. }));
}

#[test]
fn a_missing_provider_is_reported_at_the_read_and_not_by_build() {
    let reported = Arc::new(Mutex::new(String::new()));
    let note = reported.clone();
    let asks = Resource::builder().uri("docs://asks").name("asks");
    let asks = asks.read(|cx| async move { Ok(cx.get::<Db>().await?.0.to_owned()) }).build();
    let server = builder().resource(asks).on_error(move |failure, _| *note.lock().unwrap() = failure.to_string());
    let answer = raw::modern(&server.build().unwrap(), "resources/read", json!({ "uri": "docs://asks" }));
    assert_eq!(answer.json()["error"], json!({ "code": -32603, "message": "Internal error" }));
    assert!(reported.lock().unwrap().contains("which resource `docs://asks` asks for"));
}
