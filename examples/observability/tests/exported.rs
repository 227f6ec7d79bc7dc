//! The exported metrics and spans: the example runs as a process, with a collector in the test.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Longer than anything here takes; only a failing test waits for it.
const LIMIT: Duration = Duration::from_secs(60);
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

/// The running example, which ends with the test.
struct Example {
    process: Child,
    said: BufReader<ChildStderr>,
    server: String,
    metrics: String,
}

impl Example {
    fn start(collector: &str) -> Result<Self> {
        let mut process = Command::new(env!("CARGO_BIN_EXE_example-observability"))
            .args(["127.0.0.1:0", "127.0.0.1:0"])
            .env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{collector}"))
            .env("OTEL_BSP_SCHEDULE_DELAY", "50")
            .env("NO_PROXY", "127.0.0.1")
            .env_remove("RUST_LOG")
            .stderr(Stdio::piped())
            .spawn()?;
        let mut said = BufReader::new(process.stderr.take().ok_or("it has a standard error")?);
        let metrics = address(&mut said, "metrics on ")?;
        let server = address(&mut said, "serving on ")?;
        Ok(Self { process, said, server, metrics })
    }

    fn read(&self, uri: &str, meta: &Value, traceparent: &str) -> Result<Value> {
        let params = json!({ "uri": uri, "_meta": meta });
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": params }).to_string();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\naccept: application/json\r\n\
             traceparent: {traceparent}\r\nauthorization: Bearer hunter2\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
            self.server,
            body.len()
        );
        Ok(serde_json::from_str(&exchange(&self.server, &(head + &body))?)?)
    }

    fn metrics(&self) -> Result<String> {
        let head = format!("GET /metrics HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", self.metrics);
        exchange(&self.metrics, &head)
    }

    /// Ends it, and returns its log.
    fn stop(mut self) -> Result<String> {
        let ended = Command::new("kill").arg(self.process.id().to_string()).status()?;
        assert!(ended.success(), "kill");
        assert!(self.process.wait()?.success(), "it ends by itself, and well");
        let mut logged = String::new();
        self.said.read_to_string(&mut logged)?;
        Ok(logged)
    }
}

impl Drop for Example {
    fn drop(&mut self) {
        // A failed test leaves it running; one that passed has ended it.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The address in the line that it prints when it listens.
fn address(said: &mut impl BufRead, before: &str) -> Result<String> {
    let mut line = String::new();
    while said.read_line(&mut line)? > 0 {
        if let Some((_, url)) = line.split_once(before) {
            let address = url.trim().strip_prefix("http://").and_then(|url| url.split('/').next());
            return Ok(address.ok_or("a URL")?.to_owned());
        }
        line.clear();
    }
    Err(format!("it ended without saying {before:?}").into())
}

/// The body of the answer to one request, after which the connection ends.
fn exchange(address: &str, request: &str) -> Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(LIMIT))?;
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or("an HTTP response")?;
    assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
    Ok(body.to_owned())
}

/// A collector that accepts every export, and passes the spans on.
fn collector() -> Result<(String, Receiver<Value>)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream);
            while let Ok(export) = export(&mut reader) {
                assert!(sender.send(export).is_ok());
            }
        }
    });
    Ok((address, receiver))
}

fn export(reader: &mut BufReader<TcpStream>) -> Result<Value> {
    let mut length = 0;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse()?;
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    reader.get_mut().write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}")?;
    Ok(serde_json::from_slice(&body)?)
}

fn spans(export: &Value) -> Vec<Value> {
    let all = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    let scopes = all(export, "resourceSpans").into_iter().flat_map(|resource| all(&resource, "scopeSpans"));
    scopes.flat_map(|scope| all(&scope, "spans")).collect()
}

fn attribute(span: &Value, name: &str) -> Value {
    let found = span["attributes"].as_array().and_then(|all| all.iter().find(|attribute| attribute["key"] == name));
    found.map(|attribute| attribute["value"].clone()).unwrap_or_default()
}

#[test]
fn requests_are_counted_and_are_in_the_client_s_trace() -> Result<()> {
    let (collector, exports) = collector()?;
    let example = Example::start(&collector)?;
    let other = "00-11111111111111111111111111111111-2222222222222222-01";
    let parent = format!("00-{TRACE}-{PARENT}-01");
    let guide = example.read("docs://guide", &json!({ "traceparent": parent }), other)?;
    assert_eq!(guide["result"]["contents"][0]["text"], "# Guide\n");
    let stock = example.read("docs://stock", &json!({}), &parent)?;
    assert_eq!(stock["error"], json!({ "code": -32603, "message": "Internal error" }));

    let mut seen = Vec::new();
    while seen.len() < 2 {
        seen.extend(spans(&exports.recv_timeout(LIMIT)?));
    }
    for (span, uri, outcome) in [(&seen[0], "docs://guide", "ok"), (&seen[1], "docs://stock", "error")] {
        assert_eq!((&span["name"], &span["kind"]), (&json!("resources/read"), &json!(2)), "{span}");
        assert_eq!((&span["traceId"], &span["parentSpanId"]), (&json!(TRACE), &json!(PARENT)), "{span}");
        assert_eq!(attribute(span, "uri")["stringValue"], uri, "{span}");
        assert_eq!(attribute(span, "outcome")["stringValue"], outcome, "{span}");
        assert!(attribute(span, "duration_ms")["doubleValue"].as_f64().is_some_and(|took| took >= 0.0), "{span}");
    }
    assert_eq!(attribute(&seen[1], "code")["intValue"], "-32603");
    let exported = Value::from(seen).to_string();
    // The author's error is only in the author's log: as an event in the span of the failed read.
    assert!(!exported.contains("# Guide") && !exported.contains("hunter2"), "{exported}");

    let metrics = example.metrics()?;
    for sample in [
        "grange_requests_total{method=\"resources/read\",revision=\"2025-03-26\",outcome=\"ok\",code=\"\"} 1",
        "grange_requests_total{method=\"resources/read\",revision=\"2025-03-26\",outcome=\"error\",code=\"-32603\"} 1",
        "grange_request_seconds_bucket{method=\"resources/read\",outcome=\"ok\",le=\"+Inf\"} 1",
        "# HELP grange_received_bytes_total",
    ] {
        assert!(metrics.contains(sample), "{sample}\n{metrics}");
    }
    let logged = example.stop()?;
    assert!(logged.contains("read failed") && logged.contains("the database says no"), "{logged}");
    assert!(!logged.contains("hunter2") && !metrics.contains("docs://"), "{logged}");
    Ok(())
}
