//! Announces where the server listens: in the log, and on standard error where a person reads that and no log.

use std::io::{self, IsTerminal, Write};

use tracing::level_filters::LevelFilter;

use super::listener::BoundAddress;

/// Announces where the server listens: as a log event, and on standard error if no subscriber is installed and it is a terminal, or if
/// `always` is set. **Never on standard output**, which belongs to the author.
pub(crate) fn announce(address: &BoundAddress, path: &str, always: bool) {
    let url = url(address, path);
    tracing::info!(target: "grange", url, "listening");
    let is_watched = tracing::dispatcher::has_been_set() && LevelFilter::current() != LevelFilter::OFF;
    if is_printed(always, is_watched, || io::stderr().is_terminal()) {
        print(format!("listening on {url}\n"));
    }
}

/// The URL of the endpoint. That of a Unix socket is written as nginx and other clients of such sockets have it.
fn url(address: &BoundAddress, path: &str) -> String {
    let path = path.strip_suffix('/').filter(|path| !path.is_empty()).unwrap_or(path);
    match address {
        BoundAddress::Tcp(address) => format!("http://{address}{path}"),
        #[cfg(unix)]
        BoundAddress::Unix(Some(file)) => format!("http://unix:{}:{path}", file.display()),
        #[cfg(unix)]
        BoundAddress::Unix(None) => format!("http://unix:(unnamed):{path}"),
    }
}

fn is_printed(always: bool, is_watched: bool, is_read_by_a_person: impl FnOnce() -> bool) -> bool {
    always || (!is_watched && is_read_by_a_person())
}

/// On a thread of its own, so that a standard error that is not read does not block the server.
fn print(line: String) {
    let print = move || {
        // If it cannot be written, there is no other address for it.
        let _ = io::stderr().lock().write_all(line.as_bytes());
    };
    let _ = std::thread::Builder::new().name("grange announce".to_owned()).spawn(print);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_url_has_the_address_or_the_file_of_the_socket() {
        let tcp = BoundAddress::Tcp("127.0.0.1:8787".parse().expect("an address"));
        assert_eq!(url(&tcp, "/mcp/"), "http://127.0.0.1:8787/mcp");
        assert_eq!(url(&tcp, "/"), "http://127.0.0.1:8787/");
        assert_eq!(
            url(&BoundAddress::Unix(Some("/run/grange.sock".into())), "/mcp"),
            "http://unix:/run/grange.sock:/mcp"
        );
        assert_eq!(url(&BoundAddress::Unix(None), "/mcp"), "http://unix:(unnamed):/mcp");
    }

    #[test]
    fn a_line_is_printed_on_a_terminal_without_a_subscriber_and_where_the_author_wants_it() {
        for (always, is_watched, is_terminal, expected) in [
            (false, false, true, true),
            (false, false, false, false),
            (false, true, true, false),
            (true, false, false, true),
            (true, true, false, true),
        ] {
            assert_eq!(is_printed(always, is_watched, || is_terminal), expected, "{always} {is_watched} {is_terminal}");
        }
    }
}
