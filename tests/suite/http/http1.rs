//! HTTP/1 specifics: offers to upgrade, expectations, and the encoding of heads and bodies.

use bytes::Bytes;
use grange_core::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::drive::{Post, note, server};
use super::sockets::{Serving, raw, read_all, soon};

const CLOSE: &str = "connection: close\r\n";

async fn serving() -> Serving {
    Serving::new(server([note()], Limits::default()), |http| http).await
}

/// The response to a request that ends the connection.
async fn exchange(serving: &Serving, sent: &[u8]) -> String {
    let mut stream = serving.connect().await;
    soon(stream.write_all(sent)).await.unwrap();
    read_all(&mut stream).await
}

fn is_read(answer: &str) -> bool {
    answer.starts_with("HTTP/1.1 200 ") && answer.contains(r#""text":"note""#)
}

/// The bytes of a read whose body has the chunked encoding.
fn in_chunks(chunked: &[u8]) -> Vec<u8> {
    let post = Post { body: Bytes::new(), ..Post::read() };
    let head = raw(&post, &format!("{CLOSE}transfer-encoding: chunked\r\nx-"), 0);
    [&head, chunked].concat()
}

async fn up_to_the_end_of_a_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(soon(stream.read_u8()).await.unwrap());
    }
    String::from_utf8(head).unwrap()
}

#[tokio::test]
async fn w5_4_an_offer_to_upgrade_is_ignored() {
    let serving = serving().await;
    let post = Post::read();
    for offer in [
        "upgrade: h2c\r\nconnection: upgrade, http2-settings\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n",
        "upgrade: h2c\r\nconnection: upgrade\r\n",
        "upgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13\r\n",
        "upgrade: TLS/1.2, h2c\r\nconnection: upgrade\r\n",
        "upgrade: websocket\r\n",
        "connection: upgrade\r\n",
    ] {
        let twice = [raw(&post, offer, post.body.len()), raw(&post, CLOSE, post.body.len())].concat();
        let answers = exchange(&serving, &twice).await;
        assert_eq!(answers.matches("HTTP/1.1 200 ").count(), 2, "{offer}: {answers}");
        assert_eq!(answers.matches(r#""text":"note""#).count(), 2, "{offer}: {answers}");
    }
    serving.stopped().await;
}

#[tokio::test]
async fn w5_4_a_client_that_expects_100_continue_gets_it() {
    let serving = serving().await;
    let post = Post::read();
    for expects in ["expect: 100-continue\r\n", "Expect: 100-Continue\r\n"] {
        let whole = raw(&post, &format!("{CLOSE}{expects}"), post.body.len());
        let (head, body) = whole.split_at(whole.len() - post.body.len());
        let mut stream = serving.connect().await;
        stream.write_all(head).await.unwrap();
        assert!(up_to_the_end_of_a_head(&mut stream).await.starts_with("HTTP/1.1 100 "), "{expects}");
        stream.write_all(body).await.unwrap();
        assert!(is_read(&read_all(&mut stream).await), "{expects}");
    }
    serving.stopped().await;
}

/// A client need not send the body of a request that is rejected by its head.
#[tokio::test]
async fn w5_4_a_client_that_expects_100_continue_gets_a_rejection_first() {
    let serving = serving().await;
    for (post, status) in [
        (Post::read().header("origin", "https://evil.example"), 403),
        (Post::read().header("content-type", "text/plain"), 415),
        (Post::read().header("accept", "text/html"), 406),
    ] {
        let whole = raw(&post, &format!("{CLOSE}expect: 100-continue\r\n"), post.body.len());
        let mut stream = serving.connect().await;
        stream.write_all(&whole[..whole.len() - post.body.len()]).await.unwrap();
        let head = up_to_the_end_of_a_head(&mut stream).await;
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{head}");
    }
    serving.stopped().await;
}

#[tokio::test]
async fn w5_4_a_chunked_body_may_have_any_valid_syntax() {
    let serving = serving().await;
    let body = Post::read().body;
    let (first, rest) = body.split_at(26);
    let framed = |sizes: [String; 2], last: &str| {
        [sizes[0].as_bytes(), b"\r\n", first, b"\r\n", sizes[1].as_bytes(), b"\r\n", rest, b"\r\n", last.as_bytes()]
            .concat()
    };
    let (one, two) = (first.len(), rest.len());
    for chunked in [
        framed([format!("{one:x}"), format!("{two:x}")], "0\r\n\r\n"),
        framed([format!("{one:X}"), format!("{two:X}")], "0\r\n\r\n"),
        framed([format!("000{one:x}"), format!("000{two:x}")], "000\r\n\r\n"),
        framed([format!("{one:x};a=1"), format!("{two:x};b=\"c;d\"")], "0;e\r\n\r\n"),
        framed([format!("{one:x}"), format!("{two:x}")], "0\r\nx-checksum: 1\r\nx-other: 2\r\n\r\n"),
    ] {
        let answer = exchange(&serving, &in_chunks(&chunked)).await;
        assert!(is_read(&answer), "{}: {answer}", String::from_utf8_lossy(&chunked));
    }
    serving.stopped().await;
}

#[tokio::test]
async fn w5_4_an_http_1_0_client_gets_no_chunks() {
    let serving = serving().await;
    for accept in ["application/json, text/event-stream", "application/json"] {
        let post = Post::read().header("accept", accept);
        for lines in ["", CLOSE] {
            let sent = String::from_utf8(raw(&post, lines, post.body.len())).unwrap();
            let answer = exchange(&serving, sent.replacen(" HTTP/1.1\r\n", " HTTP/1.0\r\n", 1).as_bytes()).await;
            assert!(answer.starts_with("HTTP/1.0 200 ") && answer.contains(r#""text":"note""#), "{answer}");
            assert!(!answer.contains("transfer-encoding"), "{answer}");
        }
    }
    serving.stopped().await;
}

#[tokio::test]
async fn w5_4_empty_lines_before_a_request_and_names_in_capitals_are_read() {
    let serving = serving().await;
    let post = Post::read();
    let sent = String::from_utf8(raw(&post, CLOSE, post.body.len())).unwrap();
    let (head, body) = sent.split_once("\r\n\r\n").unwrap();
    let capitals = head.split("\r\n").map(|line| match line.split_once(": ") {
        Some((name, value)) => format!("{}:{value} \t", name.to_uppercase()),
        None => line.to_owned(),
    });
    let capitals = format!("{}\r\n\r\n{body}", capitals.collect::<Vec<_>>().join("\r\n"));
    for sent in [format!("\r\n{sent}"), format!("\r\n\r\n{sent}"), capitals] {
        let answer = exchange(&serving, sent.as_bytes()).await;
        assert!(is_read(&answer), "{sent}: {answer}");
    }
    serving.stopped().await;
}
