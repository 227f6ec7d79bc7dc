//! Opening the address of the small server, with the remedy in the error if that fails.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;

use tokio::net::TcpListener;

/// Opens the first of the addresses that can be opened.
pub(crate) async fn open(address: &str, resolved: &[SocketAddr]) -> io::Result<TcpListener> {
    TcpListener::bind(resolved).await.map_err(|error| explained(address, resolved.first().copied(), error))
}

/// The same error, of the same kind, with the address and the remedy in its text.
fn explained(address: &str, resolved: Option<SocketAddr>, source: io::Error) -> io::Error {
    let text = explanation(address, resolved, &source);
    io::Error::new(source.kind(), NotOpened { text, source })
}

fn explanation(address: &str, resolved: Option<SocketAddr>, error: &io::Error) -> String {
    let with_port = |port| resolved.map_or("127.0.0.1:0".parse(), |known| Ok(SocketAddr::new(known.ip(), port)));
    let shown = |port| with_port(port).map_or_else(|_| address.to_owned(), |other: SocketAddr| other.to_string());
    match error.kind() {
        ErrorKind::AddrInUse => format!(
            "the address {address} is in use: stop the process that listens there, or choose another port, such as {} for \
             any free one",
            shown(0)
        ),
        ErrorKind::PermissionDenied if resolved.is_some_and(|known| (1..1024).contains(&known.port())) => format!(
            "the address {address} may not be opened by this user, since ports below 1024 are reserved: choose a higher \
             one, such as {}, or let the program have it (on Linux the capability CAP_NET_BIND_SERVICE)",
            shown(8787)
        ),
        ErrorKind::PermissionDenied => format!(
            "the system does not let this process listen at {address}: choose another port, such as {} for any free one, or \
             change the rule that forbids it",
            shown(0)
        ),
        ErrorKind::AddrNotAvailable => format!(
            "the address {address} is none of this machine's: listen on one that it has, or on 0.0.0.0 or [::] for all of \
             them"
        ),
        _ => match remedy(error) {
            Some(remedy) => format!("the address {address} could not be opened: {error}: {remedy}"),
            None => format!("the address {address} could not be opened: {error}"),
        },
    }
}

/// The remedy where the limit on open files is reached, of which each connection is one.
pub(crate) fn remedy(error: &io::Error) -> Option<&'static str> {
    /// POSIX: of this process, and of the whole system. The numbers are the same on all that we know.
    const TOO_MANY: [i32; 2] = [24, 23];
    let is_full = cfg!(unix) && error.raw_os_error().is_some_and(|number| TOO_MANY.contains(&number));
    is_full.then_some("raise the limit on open files (`ulimit -n`), or lower `.max_connections(…)`")
}

/// Why an address was not opened.
#[derive(Debug)]
struct NotOpened {
    text: String,
    source: io::Error,
}

impl fmt::Display for NotOpened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Error for NotOpened {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(address: &str, error: io::Error) -> String {
        let error = explained(address, address.parse().ok(), error);
        let source = error.get_ref().and_then(Error::source).and_then(|source| source.downcast_ref::<io::Error>());
        assert_eq!(source.map(io::Error::kind), Some(error.kind()), "the error of the system is the source");
        error.to_string()
    }

    #[test]
    fn each_error_of_opening_an_address_has_its_remedy() {
        assert_eq!(
            text("127.0.0.1:8787", ErrorKind::AddrInUse.into()),
            "the address 127.0.0.1:8787 is in use: stop the process that listens there, or choose another port, such as \
             127.0.0.1:0 for any free one"
        );
        assert!(text("[::1]:80", ErrorKind::AddrInUse.into()).contains("such as [::1]:0 for"));
        assert!(text("localhost:80", ErrorKind::AddrInUse.into()).contains("such as 127.0.0.1:0 for"));
        let reserved = text("0.0.0.0:80", ErrorKind::PermissionDenied.into());
        assert!(reserved.contains("0.0.0.0:80 ") && reserved.contains("0.0.0.0:8787"), "{reserved}");
        let forbidden = text("0.0.0.0:8080", ErrorKind::PermissionDenied.into());
        assert!(forbidden.contains("0.0.0.0:8080") && !forbidden.contains("1024"), "{forbidden}");
        let foreign = text("192.0.2.1:80", ErrorKind::AddrNotAvailable.into());
        assert!(foreign.contains("192.0.2.1:80 is none of this machine's"), "{foreign}");
        let other = text("127.0.0.1:80", ErrorKind::Unsupported.into());
        assert!(other.starts_with("the address 127.0.0.1:80 could not be opened: "), "{other}");
    }

    #[cfg(unix)]
    #[test]
    fn the_error_of_too_many_open_files_names_the_limit() {
        for number in [23, 24] {
            let text = text("127.0.0.1:80", io::Error::from_raw_os_error(number));
            assert!(text.contains("127.0.0.1:80") && text.contains("`ulimit -n`"), "{text}");
        }
        assert_eq!(remedy(&io::Error::from_raw_os_error(111)), None);
    }
}
