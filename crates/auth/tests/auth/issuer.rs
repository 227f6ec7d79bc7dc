//! An issuer on this machine: documents at paths, with a count of requests; it can delay its answers and go down. And a clock for
//! tests.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::signer::{NOW, Signer, at};

pub(crate) const KEYS: &str = "/keys";

/// Stops when it is dropped.
pub(crate) struct Issuer {
    pub(crate) url: String,
    shared: Arc<Shared>,
    open: watch::Sender<bool>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    documents: Mutex<HashMap<String, String>>,
    asked: AtomicUsize,
    down: Mutex<bool>,
}

impl Issuer {
    /// Publishes nothing yet.
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::<Shared>::default();
        let (open, gate) = watch::channel(true);
        let serving = shared.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, serving.clone(), gate.clone()));
            }
        });
        Self { url, shared, open, task }
    }

    /// Publishes keys at [`KEYS`].
    pub(crate) fn publish_keys(&self, signers: &[&Signer]) {
        let keys: Vec<Value> = signers.iter().map(|signer| signer.jwk()).collect();
        self.publish(KEYS, json!({ "keys": keys }).to_string());
    }

    pub(crate) fn publish(&self, path: &str, document: impl Into<String>) {
        self.shared.documents.lock().unwrap().insert(path.to_owned(), document.into());
    }

    pub(crate) fn keys_url(&self) -> String {
        format!("{}{KEYS}", self.url)
    }

    /// The number of requests.
    pub(crate) fn asked(&self) -> usize {
        self.shared.asked.load(Ordering::SeqCst)
    }

    /// Answers 503 to everything, or serves again.
    pub(crate) fn set_down(&self, down: bool) {
        *self.shared.down.lock().unwrap() = down;
    }

    /// Holds answers back, or sends them.
    pub(crate) fn set_open(&self, open: bool) {
        self.open.send_replace(open);
    }
}

impl Drop for Issuer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(mut stream: TcpStream, shared: Arc<Shared>, mut gate: watch::Receiver<bool>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    shared.asked.fetch_add(1, Ordering::SeqCst);
    let _ = gate.wait_for(|open| *open).await;
    let path = String::from_utf8(head).unwrap().split(' ').nth(1).unwrap().to_owned();
    let document = shared.documents.lock().unwrap().get(&path).cloned();
    let (status, body) = match document {
        _ if *shared.down.lock().unwrap() => ("503 Service Unavailable", String::new()),
        Some(document) => ("200 OK", document),
        None => ("404 Not Found", String::new()),
    };
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    let _ = stream.write_all((head + &body).as_bytes()).await;
}

/// Stands at [`NOW`] until it is put forward.
#[derive(Clone)]
pub(crate) struct Clock(Arc<AtomicU64>);

impl Clock {
    pub(crate) fn new() -> Self {
        Self(Arc::new(AtomicU64::new(NOW)))
    }

    pub(crate) fn forward(&self, seconds: u64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }

    pub(crate) fn back(&self, seconds: u64) {
        self.0.fetch_sub(seconds, Ordering::SeqCst);
    }

    pub(crate) fn seconds(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }

    pub(crate) fn hands(&self) -> impl Fn() -> SystemTime + Send + Sync + 'static {
        let clock = self.clone();
        move || at(clock.seconds())
    }
}
