//! All of CI: one list of steps, cheapest first, each with its time. Stops at the first failure; leaves nothing out
//! without saying so.

use std::time::{Duration, Instant};

use crate::process::{Failure, Outcome, execute};
use crate::project::Project;
use crate::{bench, browser, cases, dependencies, features, fuzz, proxy, soak, tests_run, tools};

/// One step of CI.
struct Step {
    name: &'static str,
    what: &'static str,
    run: fn(&Project) -> Outcome,
}

/// What asks for no build comes first, then what only type-checks, then one debug build that the rest shares.
const STEPS: &[Step] = &[
    Step { name: "tools", what: "the programs that the rest needs", run: tools::check },
    Step { name: "format", what: "the sources are formatted", run: format },
    Step { name: "dependencies", what: "counts, duplicates, the core's tree, licences", run: dependencies::run },
    Step { name: "clippy", what: "no warning, the fuzz targets included", run: clippy },
    Step { name: "docs", what: "the documentation builds without a warning", run: docs },
    Step { name: "features", what: "every feature alone type-checks", run: features::run },
    Step { name: "test", what: "all tests, doctests and structural rules", run: tests_run::workspace },
    Step { name: "test-bare", what: "the engine and the transports without their features", run: tests_run::bare },
    Step { name: "fuzz", what: "the fuzz targets over their seeds and many mutations of them", run: fuzz::smoke },
    Step { name: "examples", what: "the examples build", run: examples },
    Step { name: "cases", what: "black-box cases against the fixture example", run: cases::run },
    Step { name: "clients", what: "real clients and the conformance suite", run: clients },
    Step { name: "browser", what: "a view, and a page of another origin, in a real browser", run: browser::run },
    Step { name: "proxy", what: "behind a real nginx, as the deployment guide configures it", run: proxy::run },
    Step {
        name: "soak",
        what: "a server under a mixed load stays flat, loses no answer and crosses none",
        run: soak::step,
    },
    Step { name: "instructions", what: "no request takes more instructions than its limit", run: bench::instructions },
];

/// The only step that may be left out, and only by its own flag.
const CASES: &str = "cases";

/// Runs all steps, or the named ones.
fn run_steps(project: &Project, chosen: &[&Step]) -> Outcome {
    let mut times = Vec::new();
    for step in chosen {
        println!("\n== {}: {}", step.name, step.what);
        let began = Instant::now();
        let outcome = (step.run)(project);
        times.push((step.name, began.elapsed()));
        if let Err(failure) = outcome {
            print_times(&times);
            println!("step `{}` failed", step.name);
            return Err(failure.or_repeat(format!("cargo xtask ci {}", step.name)));
        }
        println!("-- {}: ok, {:.1} s", step.name, began.elapsed().as_secs_f64());
    }
    print_times(&times);
    Ok(())
}

pub(crate) fn run(project: &Project, arguments: &[String]) -> Outcome {
    let without_cases = arguments.iter().any(|argument| argument == "--without-cases");
    let names: Vec<&String> = arguments.iter().filter(|argument| *argument != "--without-cases").collect();
    if let Some(unknown) = names.iter().find(|name| !STEPS.iter().any(|step| step.name == **name)) {
        return Err(Failure::new(format!("there is no step `{unknown}`: see `cargo xtask steps`")));
    }
    let is_chosen = |step: &&Step| names.is_empty() || names.iter().any(|name| *name == step.name);
    let left_out = |step: &Step| without_cases && step.name == CASES;
    let chosen: Vec<&Step> = STEPS.iter().filter(is_chosen).filter(|step| !left_out(step)).collect();
    if without_cases {
        cases::may_be_left_out()?;
    }
    run_steps(project, &chosen)?;
    if without_cases {
        println!("not run: {CASES} (--without-cases)");
    }
    Ok(())
}

pub(crate) fn list() {
    for step in STEPS {
        println!("{:<14}{}", step.name, step.what);
    }
}

fn print_times(times: &[(&str, Duration)]) {
    println!();
    for (name, time) in times {
        println!("{:>8.1} s  {name}", time.as_secs_f64());
    }
    println!("{:>8.1} s  in all", times.iter().map(|(_, time)| time.as_secs_f64()).sum::<f64>());
}

fn format(project: &Project) -> Outcome {
    execute(&mut project.cargo("fmt --all --check"))?;
    execute(&mut project.cargo("fmt --manifest-path fuzz/Cargo.toml --check"))
}

fn clippy(project: &Project) -> Outcome {
    execute(&mut project.cargo("clippy --workspace --all-targets -- -D warnings"))?;
    execute(&mut fuzz::cargo(project, "clippy --all-targets --features libfuzzer -- -D warnings"))
}

fn docs(project: &Project) -> Outcome {
    execute(project.cargo("doc --workspace --no-deps").env("RUSTDOCFLAGS", "-D warnings"))
}

/// The same features as in the step `test`, which has built most of them already.
fn examples(project: &Project) -> Outcome {
    execute(&mut project.cargo("build --workspace --examples --bins"))
}

fn clients(project: &Project) -> Outcome {
    let mut command = project.command("python3");
    command.args(["tests/clients/run.py", "--docs", &Project::example("docs")]);
    command.args(["--tool-host", &Project::example("tool_host"), "--skills", &Project::example("skills")]);
    command.args(["--auth", &Project::example_package("auth")]);
    command.args(["--axum", &Project::example("axum"), "--hyper", &Project::example("hyper")]);
    command.args(["--actix", &Project::example_package("actix"), "--poem", &Project::example_package("poem")]);
    execute(command.args(["--conformance-bin", &Project::example("conformance")]))
}
