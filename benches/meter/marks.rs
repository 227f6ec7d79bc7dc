//! Compares the results of the bench beside the repository, as ratios, with their marks.
//!
//! The bench reports the CPU time per request, in µs, of every server in the same rounds; the minimum of each is used.
//! A missed mark is printed and is not an error: times depend on the machine and the hour.

use std::fs;

use serde_json::Value;

use crate::Result;

const FLOOR: &str = "floor-parse";
const RMCP: &str = "rmcp";

/// The mark of a load: the maximum as a multiple of the floor, the minimum factor below rmcp, the maximum in µs.
#[derive(Default)]
struct Mark {
    load: &'static str,
    server: &'static str,
    floor: Option<f64>,
    rmcp: Option<f64>,
    microseconds: Option<f64>,
}

fn marks() -> Vec<Mark> {
    let fixed = |load, floor, rmcp| Mark { load, server: "product", floor: Some(floor), rmcp, ..Mark::default() };
    let computed = |load, floor, rmcp| Mark { load, server: "computed", floor, rmcp, ..Mark::default() };
    vec![
        fixed("read-1k", 1.15, Some(3.5)),
        Mark { load: "read-1k-c1", server: "product", ..Mark::default() },
        fixed("read-1k@10k", 1.15, Some(3.5)),
        fixed("list-10", 1.15, Some(3.5)),
        fixed("list-1000", 1.10, None),
        fixed("list-10000", 1.10, None),
        fixed("text-1m", 1.10, None),
        fixed("blob-1m", 1.10, None),
        fixed("text-16m", 1.10, None),
        computed("read-1k", Some(1.30), None),
        computed("text-1m", None, Some(2.5)),
        computed("blob-1m", None, Some(2.5)),
        Mark { load: "stdio", server: "product", rmcp: Some(10.0), microseconds: Some(2.5), ..Mark::default() },
    ]
}

pub(crate) fn run(results: &str) -> Result<()> {
    let results: Value = serde_json::from_slice(&fs::read(results)?)?;
    println!("| load | server | floor | rmcp | tower | CPU µs | × floor | rmcp ÷ | mark | |");
    println!("|---|---|---:|---:|---:|---:|---:|---:|---|---|");
    for mark in marks() {
        let cost = |server: &str| least(&results, mark.load, server);
        let Some(own) = cost(mark.server) else { continue };
        let (over_floor, under_rmcp) = (cost(FLOOR).map(|floor| own / floor), cost(RMCP).map(|rmcp| rmcp / own));
        let cells = [cost(FLOOR), cost(RMCP), cost("tower"), Some(own)].map(|cost| cell(cost, 1));
        let ratios = [over_floor, under_rmcp].map(|ratio| cell(ratio, 2));
        let verdict = if mark.holds(over_floor, under_rmcp, own) { "" } else { "missed" };
        let (load, server) = (mark.load, mark.server);
        println!(
            "| {load} | {server} | {} | {} | {} | {verdict} |",
            cells.join(" | "),
            ratios.join(" | "),
            mark.text()
        );
    }
    Ok(())
}

impl Mark {
    fn holds(&self, over_floor: Option<f64>, under_rmcp: Option<f64>, own: f64) -> bool {
        let at_most =
            |mark: Option<f64>, found: Option<f64>| mark.is_none_or(|mark| found.is_some_and(|found| found <= mark));
        let at_least =
            |mark: Option<f64>, found: Option<f64>| mark.is_none_or(|mark| found.is_some_and(|found| found >= mark));
        at_most(self.floor, over_floor) && at_least(self.rmcp, under_rmcp) && at_most(self.microseconds, Some(own))
    }

    fn text(&self) -> String {
        let floor = self.floor.map(|mark| format!("≤ {mark:.2} × floor"));
        let rmcp = self.rmcp.map(|mark| format!("rmcp ÷ ≥ {mark:.1}"));
        let microseconds = self.microseconds.map(|mark| format!("≤ {mark:.1} µs"));
        [floor, rmcp, microseconds].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// The minimum CPU time per request of a server under a load, in µs.
fn least(results: &Value, load: &str, server: &str) -> Option<f64> {
    let rounds = results["res"][load][server].as_array()?;
    rounds.iter().filter_map(|round| round["cpu_us_per_req"].as_f64()).min_by(f64::total_cmp)
}

fn cell(figure: Option<f64>, digits: usize) -> String {
    figure.map_or_else(|| "–".to_owned(), |figure| format!("{figure:.digits$}"))
}
