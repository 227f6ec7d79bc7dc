//! Runs every target with its seeds and a fixed number of mutations of them. `FUZZ_ROUNDS` sets another number.

use std::path::Path;
use std::time::Instant;
use std::{env, fs};

use grange_fuzz::mutate::{Random, mutate};

const ROUNDS: usize = 5_000;

/// The seeds of a target, in a stable order.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new("seeds").join(target);
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Prints the input if the target panics.
struct Fed<'a>(&'a [u8]);

impl Drop for Fed<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the input was: {}", self.0.escape_ascii());
        }
    }
}

fn smoke(name: &str, target: fn(&[u8])) {
    let seeds = seeds(name);
    assert!(!seeds.is_empty(), "no seeds for {name}");
    let rounds = env::var("FUZZ_ROUNDS").ok().map_or(ROUNDS, |rounds| rounds.parse().unwrap());
    let began = Instant::now();
    let mut random = Random::new(0);
    for seed in &seeds {
        let _fed = Fed(seed);
        target(seed);
    }
    for round in 0..rounds {
        let data = mutate(&seeds[round % seeds.len()], &seeds, &mut random);
        let _fed = Fed(&data);
        target(&data);
    }
    println!("{name}: {} seeds, {rounds} mutations, {:.1} s", seeds.len(), began.elapsed().as_secs_f64());
}

#[test]
fn answer() {
    smoke("answer", grange_fuzz::answer);
}

#[test]
fn batch() {
    smoke("batch", grange_fuzz::batch);
}

#[test]
fn message() {
    smoke("message", grange_fuzz::message);
}

#[test]
fn header() {
    smoke("header", grange_fuzz::header);
}

#[test]
fn proxy() {
    smoke("proxy", grange_fuzz::proxy);
}

#[test]
fn uri() {
    smoke("uri", grange_fuzz::uri);
}

#[test]
fn session() {
    smoke("session", grange_fuzz::session);
}

#[test]
fn skill() {
    smoke("skill", grange_fuzz::skill);
}

#[test]
fn pattern() {
    smoke("pattern", grange_fuzz::pattern);
}

#[test]
fn template() {
    smoke("template", grange_fuzz::template);
}

#[test]
fn token() {
    smoke("token", grange_fuzz::token);
}
