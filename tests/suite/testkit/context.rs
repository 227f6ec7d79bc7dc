//! Direct reads with a `TestContext`, and providers in them.

use std::io;

use grange_core::{Context, HandlerFailure, ReadError, Resource};
use grange_testkit::TestContext;

use super::{Notes, resource};

struct Db(String);

fn from_db() -> Resource {
    resource("row").read(|cx: Context| async move { Ok(cx.get::<Db>().await?.0.clone()) }).build()
}

async fn text(resource: &Resource, context: &TestContext) -> Result<String, HandlerFailure> {
    let contents = resource.read(context).await?;
    Ok(contents.items()[0].as_text().unwrap().to_owned())
}

#[tokio::test]
async fn a_fixed_resource_reads_as_its_contents() {
    let contents = resource("guide").mime_type("text/plain").text("# Guide").build().read(&TestContext::new()).await;
    let contents = contents.unwrap();
    assert_eq!(contents.items()[0].as_text(), Some("# Guide"));
    assert_eq!(contents.items()[0].uri(), Some("docs://guide"));
}

#[tokio::test]
async fn a_direct_read_is_raw() {
    let invalid = resource("invalid").read(|_cx| async { Ok(grange_core::Item::text("no uri", "x")) }).build();
    assert_eq!(text(&invalid, &TestContext::new()).await.unwrap(), "x");
}

#[tokio::test]
async fn a_test_replaces_the_servers_providers() {
    let first = TestContext::new().provide_value(Db("one".into()));
    let second = first.clone().provide(|_cx| async { Ok::<_, io::Error>(Db("two".into())) });
    assert_eq!(text(&from_db(), &first).await.unwrap(), "one");
    assert_eq!(text(&from_db(), &second).await.unwrap(), "two");
}

#[tokio::test]
async fn a_missing_provider_is_named() {
    let failure = text(&from_db(), &TestContext::new()).await.unwrap_err();
    assert!(matches!(failure, HandlerFailure::MissingProvider { wanted, .. } if wanted.ends_with("Db")), "{failure}");
}

#[tokio::test]
async fn a_failed_provider_fails_the_read() {
    let context = TestContext::new().provide(|_cx| async { Err::<Db, _>(io::Error::other("no connection")) });
    let failure = text(&from_db(), &context).await.unwrap_err();
    assert!(failure.to_string().ends_with("Db` failed: no connection"), "{failure}");
}

#[tokio::test]
async fn providers_are_lazy_and_run_once_per_read() {
    let notes = Notes::default();
    let made = notes.clone();
    let context = TestContext::new().provide(move |_cx| {
        made.add("made");
        async { Ok::<_, io::Error>(Db("once".into())) }
    });
    let lazy = resource("lazy").read(|_cx| async { Ok("nothing asked") }).build();
    text(&lazy, &context).await.unwrap();
    assert_eq!(notes.take(), [""; 0]);

    let twice = resource("twice").read(|cx: Context| async move {
        let (first, second) = (cx.get::<Db>().await?, cx.get::<Db>().await?);
        Ok(if std::sync::Arc::ptr_eq(&first, &second) { "the same" } else { "two" })
    });
    let twice = twice.build();
    assert_eq!(text(&twice, &context).await.unwrap(), "the same");
    assert_eq!(notes.take(), ["made"]);
    text(&twice, &context).await.unwrap();
    assert_eq!(notes.take(), ["made"]);
}

#[tokio::test]
async fn providers_that_wait_for_each_other_are_an_error() {
    struct One;
    struct Two;
    let context = TestContext::new()
        .provide(|cx: Context| async move { cx.get::<Two>().await.map(|_| One) })
        .provide(|cx: Context| async move { cx.get::<One>().await.map(|_| Two) });
    let cyclic = resource("cyclic").read(|cx: Context| async move { cx.get::<One>().await.map(|_| "") }).build();
    let failure = text(&cyclic, &context).await.unwrap_err();
    assert!(matches!(failure, HandlerFailure::ProviderCycle(_)), "{failure}");
}

#[tokio::test]
async fn failures_of_a_reader_are_returned_unchanged() {
    let gone = resource("gone").read(|_cx| async { Err::<String, _>(ReadError::not_found()) }).build();
    assert!(matches!(text(&gone, &TestContext::new()).await, Err(HandlerFailure::NotFound)));
    let reserved = resource("x").read(|_cx| async { Err::<String, _>(ReadError::public(-32_000, "mine")) }).build();
    assert!(matches!(
        text(&reserved, &TestContext::new()).await,
        Err(HandlerFailure::ReservedCode { code: -32_000, .. })
    ));
}
