//! The memory and the time that large sets take. In a binary of its own, since it counts what is allocated.

#![allow(clippy::unwrap_used, reason = "what cannot be unwrapped here fails the test")]

use std::task::Poll;
use std::time::{Duration, Instant};

use bytes::Bytes;
use grange_core::{Action, Connection, Entry, JobEvent, Resource, Server, Shelf, Template};

fn note(n: usize) -> Resource {
    let name = format!("note {n}");
    Resource::builder()
        .uri(format!("notes://note/{n:07}"))
        .name(name)
        .mime_type("text/plain")
        .text(format!("{n}"))
        .build()
}

/// The shortest of a few runs: what else the machine does only adds to it.
fn shortest(mut run: impl FnMut()) -> Duration {
    let times = (0..5).map(|_| {
        let began = Instant::now();
        run();
        began.elapsed()
    });
    times.min().unwrap()
}

#[test]
fn l4_6_a_shelf_of_100_000_resources_is_small_and_changes_fast() {
    const RESOURCES: usize = 100_000;
    const ENTRY: u64 = 1024;
    let shelf = Shelf::new();
    let memory = allocation_counter::measure(|| shelf.replace((0..RESOURCES).map(|n| note(2 * n))).unwrap());
    let bytes = u64::try_from(memory.bytes_current).unwrap() / RESOURCES as u64;
    let mut odd = 1;
    let insert = shortest(|| {
        odd += 24_690;
        shelf.insert(note(odd)).unwrap();
    });
    let find = shortest(|| assert!(shelf.get("notes://note/0123456").is_some()));
    println!("{bytes} bytes a resource; an insert takes {insert:?}, a look-up {find:?}");
    assert!(bytes < ENTRY, "{bytes} bytes");
    assert!(insert < Duration::from_millis(50), "{insert:?}");
    assert!(find < Duration::from_millis(1), "{find:?}");
}

/// A client of a pipe that only looks for the next cursor.
struct Walker(Connection);

impl Walker {
    fn page(&mut self, cursor: Option<&str>) -> String {
        let cursor = cursor.map(|cursor| format!(r#""cursor":"{cursor}","#)).unwrap_or_default();
        let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
        let request = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{{{cursor}{meta}}}}}"#);
        self.0.handle_frame(&Bytes::from(request));
        let answer = match self.0.poll_action().unwrap() {
            Action::Send(answer) => answer,
            Action::Start(ticket, mut job) => {
                let Poll::Ready(JobEvent::Done(answer, _)) = job.poll_now() else { panic!("a page waits for nothing") };
                self.0.handle_done(ticket);
                answer
            }
            Action::Cancel(_) => panic!("nothing is cancelled"),
        };
        String::from_utf8(answer.into_bytes().to_vec()).unwrap()
    }
}

fn next(page: &str) -> Option<&str> {
    let (_, rest) = page.rsplit_once("\"nextCursor\":\"")?;
    Some(rest.split_once('"').unwrap().0)
}

#[test]
fn l5_5_a_million_rows_are_walked_and_nothing_is_kept() {
    /// A build without optimization walks a part.
    const ROWS: u64 = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
    let list = Template::builder().uri("rows://{n}").name("row").read(|_, n: u64| async move { Ok(n.to_string()) });
    let list = list.list(|_, page| async move {
        let after = page.after().and_then(|after| after.parse().ok()).unwrap_or(0);
        let rows: Vec<u64> = (after + 1..=ROWS).take(page.limit()).collect();
        Ok(page.entries(&rows, |n| (*n, Entry::new(n.to_string()))).next(rows.last().filter(|n| **n < ROWS)))
    });
    let mut walker = Walker(Connection::new(Server::builder("rows", "1.0.0").template(list.build()).build().unwrap()));
    let (mut rows, mut cursor) = (0, None);
    let first = shortest(|| drop(walker.page(None)));
    let memory = allocation_counter::measure(|| {
        loop {
            let page = walker.page(cursor.as_deref());
            rows += page.matches("\"uri\":").count();
            let Some(next) = next(&page).map(str::to_owned) else { break };
            cursor = Some(next);
        }
    });
    let at_end = shortest(|| drop(walker.page(cursor.as_deref())));
    println!(
        "{ROWS} rows: at most {} bytes, {} left; a page takes {first:?} at first, {at_end:?} at last",
        memory.bytes_max, memory.bytes_current
    );
    assert_eq!(rows as u64, ROWS);
    assert!(memory.bytes_max < 8 << 20, "{} bytes", memory.bytes_max);
    assert!(at_end <= first * 2, "{first:?}, then {at_end:?}");
}
