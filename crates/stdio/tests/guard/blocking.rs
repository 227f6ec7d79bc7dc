//! W7.8 on the process's own streams, with two workers: a reader that blocks delays no other.

use std::io::{BufRead, BufReader, Read, Write};

use serde_json::{Value, json};

use super::{Test, answers, read, start};

pub(super) const TESTS: &[Test] = &[
    ("w7_8_others_are_answered_while_a_reader_blocks", w7_8_others_are_answered_while_a_reader_blocks),
    ("w7_8_progress_arrives_while_a_reader_blocks", w7_8_progress_arrives_while_a_reader_blocks),
    (
        "w7_8_a_cancellation_arrives_while_every_worker_is_blocked",
        w7_8_a_cancellation_arrives_while_every_worker_is_blocked,
    ),
];

/// Sends each of `inputs` after the number of answers that it names was read, and the first one after `begun` lines on stderr. Returns
/// the answers.
fn talk(inputs: &[(&str, usize)], begun: usize) -> Vec<Value> {
    let mut child = start("workers");
    let (mut requests, mut answers) = (child.stdin.take().unwrap(), answers(&mut child));
    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut said = Vec::new();
    for (at, (input, expected)) in inputs.iter().enumerate() {
        if at == 1 {
            errors.by_ref().take(begun).for_each(|line| drop(line.unwrap()));
        }
        requests.write_all(input.as_bytes()).unwrap();
        for _ in 0..*expected {
            let mut line = String::new();
            answers.read_line(&mut line).unwrap();
            said.push(serde_json::from_str(&line).unwrap());
        }
    }
    drop(requests);
    let mut rest = String::new();
    answers.read_to_string(&mut rest).unwrap();
    assert_eq!((rest.as_str(), child.wait().unwrap().code()), ("", Some(0)));
    said
}

fn sorted(said: &[Value]) -> Vec<i64> {
    let mut ids: Vec<i64> = said.iter().map(|said| said["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    ids
}

/// The first goes on only after the others were answered.
fn w7_8_others_are_answered_while_a_reader_blocks() {
    for order in [["blocks", "quick", "quick"], ["quick", "blocks", "quick"], ["quick", "quick", "blocks"]] {
        let requests: String = order.iter().zip(1..).map(|(name, id)| read(id, name)).collect();
        let blocks = order.iter().zip(1..).find(|(name, _)| **name == "blocks").unwrap().1;
        let said = talk(&[(&requests, 2), (&read(4, "opens"), 2)], 1);
        let others: Vec<i64> = (1..=3).filter(|id| *id != blocks).collect();
        assert_eq!((sorted(&said[..2]), sorted(&said[2..])), (others, vec![blocks, 4]));
    }
}

fn w7_8_progress_arrives_while_a_reader_blocks() {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": 7,
    });
    let params = json!({ "name": "steps", "arguments": {}, "_meta": meta });
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params });
    let said = talk(&[(&read(1, "blocks"), 0), (&format!("{call}\n"), 6), (&read(3, "opens"), 2)], 1);
    let steps: Vec<_> = said[..5].iter().map(|said| said["params"]["progress"].as_f64().unwrap()).collect();
    assert_eq!((steps, &said[5]["id"], sorted(&said[6..])), (vec![1.0, 2.0, 3.0, 4.0, 5.0], &json!(2), vec![1, 3]));
}

/// Both workers are blocked; fixed resources are answered, and the cancelled reader frees its worker.
fn w7_8_a_cancellation_arrives_while_every_worker_is_blocked() {
    let ping = json!({ "jsonrpc": "2.0", "id": 3, "method": "ping" });
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    let begin = format!("{}{}", read(1, "deaf"), read(2, "blocks"));
    let said = talk(&[(&begin, 0), (&format!("{ping}\n{cancel}\n{}", read(1, "quick")), 2), (&read(4, "opens"), 2)], 2);
    assert_eq!((sorted(&said[..2]), sorted(&said[2..])), (vec![1, 3], vec![2, 4]));
    assert_eq!(said.iter().find(|said| said["id"] == 1).unwrap()["result"]["contents"][0]["text"], "quick");
}
