//! All of CI: one list of steps, cheapest first, each with its time. Stops at the first failure; leaves nothing out
//! without saying so.

use std::time::{Duration, Instant};

use crate::need::{CARGO, CLIPPY, CXX, GIT, NODE, NPM, Need, PYTHON, RUSTFMT, VENV};
use crate::process::{Failure, Outcome, execute};
use crate::project::Project;
use crate::tools;
use crate::{bench, browser, cases, dependencies, features, fuzz, proxy, public_api, soak, tests_run};

/// One step of CI.
struct Step {
    name: &'static str,
    what: &'static str,
    /// The programs that it runs.
    needs: &'static [&'static Need],
    run: fn(&Project) -> Outcome,
}

const fn step(
    name: &'static str,
    what: &'static str,
    needs: &'static [&'static Need],
    run: fn(&Project) -> Outcome,
) -> Step {
    Step { name, what, needs, run }
}

/// What asks for no build comes first, then what only type-checks, then one debug build that the rest shares.
const STEPS: &[Step] = &[
    step("tools", "the programs that the rest needs", &[&CARGO], show_tools),
    step("format", "the sources are formatted", &[&RUSTFMT], format),
    step("dependencies", "counts, duplicates, the core's tree, licences", &[&PYTHON, &VENV], dependencies::run),
    step("clippy", "no warning, the fuzz targets included", &[&CLIPPY, &CXX], clippy),
    step(
        "docs",
        "no warning in the documentation, the public items as they are listed",
        &[&CXX, &GIT],
        public_api::run,
    ),
    step("features", "every feature alone type-checks", &[&CXX], features::run),
    step("test", "all tests, doctests and structural rules", &[&CXX, &GIT], tests_run::workspace),
    step("test-bare", "the engine and the transports without their features", &[&CXX], tests_run::bare),
    step("fuzz", "the fuzz targets over their seeds and many mutations of them", &[&CXX], fuzz::smoke),
    step("examples", "the examples build", &[&CXX], examples),
    step("cases", "black-box cases against the fixture example", &[&PYTHON], cases::run),
    step("clients", "real clients and the conformance suite", &[&PYTHON, &VENV, &NODE, &NPM], clients),
    step("browser", "a view, and a page of another origin, in a real browser", browser::NEEDS, browser::run),
    step("proxy", "behind a real nginx, as the deployment guide configures it", proxy::NEEDS, proxy::run),
    step("soak", "a server under a mixed load stays flat, loses no answer and crosses none", &[&CXX], soak::step),
    step("instructions", "no request takes more instructions than its limit", bench::NEEDS, bench::instructions),
];

const INSTALL: &str = "--install";

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

/// All steps, or the named ones. Their programs are looked for before the first begins; `--install` gets those that are
/// missing.
pub(crate) fn run(project: &Project, arguments: &[String]) -> Outcome {
    let may_install = arguments.iter().any(|argument| argument == INSTALL);
    let names: Vec<&str> = arguments.iter().map(String::as_str).filter(|argument| *argument != INSTALL).collect();
    if let Some(unknown) = names.iter().find(|name| !STEPS.iter().any(|step| step.name == **name)) {
        let known = "see `cargo xtask steps`; the only flag is `--install`";
        return Err(Failure::new(format!("there is no step `{unknown}`: {known}")));
    }
    let chosen: Vec<&Step> = STEPS.iter().filter(|step| names.is_empty() || names.contains(&step.name)).collect();
    tools::prepare(project, &needs(&chosen), may_install)?;
    run_steps(project, &chosen)
}

/// What these steps need, some of it more than once. The step `tools` stands for all.
fn needs(chosen: &[&Step]) -> Vec<&'static Need> {
    let is_for_all = chosen.iter().any(|step| step.name == "tools");
    let of_all = STEPS.iter().filter(|_| is_for_all);
    chosen.iter().copied().chain(of_all).flat_map(|step| step.needs).copied().collect()
}

fn show_tools(project: &Project) -> Outcome {
    let all: Vec<&Step> = STEPS.iter().collect();
    tools::show(project, &needs(&all))
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

/// The same features as in the step `test`, which has built most of them already.
fn examples(project: &Project) -> Outcome {
    execute(&mut project.cargo("build --workspace --examples --bins"))
}

fn clients(project: &Project) -> Outcome {
    let mut command = project.command("python3");
    command.args(["tests/clients/run.py", "--docs", &Project::example("docs")]);
    command.args(["--fixture", &Project::example("fixture")]);
    command.args(["--tool-host", &Project::example("tool_host"), "--skills", &Project::example("skills")]);
    command.args(["--auth", &Project::example_package("auth")]);
    command.args(["--axum", &Project::example("axum"), "--hyper", &Project::example("hyper")]);
    command.args(["--actix", &Project::example_package("actix"), "--poem", &Project::example_package("poem")]);
    execute(command.args(["--conformance-bin", &Project::example("conformance")]))
}

#[cfg(test)]
mod tests {
    use super::{STEPS, Step, needs, run};
    use crate::project::Project;

    fn chosen(names: &[&str]) -> Vec<&'static Step> {
        STEPS.iter().filter(|step| names.contains(&step.name)).collect()
    }

    #[test]
    fn a_step_asks_for_its_own_programs_and_the_first_for_all() {
        let of = |names: &[&str]| needs(&chosen(names)).iter().map(|need| need.name).collect::<Vec<_>>();
        assert_eq!(of(&["cases"]), ["python3"]);
        assert!(of(&["features"]) == ["c++"]);
        for name in ["chromium", "nginx", "valgrind", "node", "cargo clippy", "c++", "git", "venv of python3"] {
            assert!(of(&["tools"]).contains(&name), "{name}");
        }
    }

    #[test]
    fn what_is_no_step_is_refused_before_anything_runs() {
        let refused = run(&Project::find(), &["--without-cases".to_owned()]).unwrap_err().to_string();
        assert!(refused.contains("there is no step `--without-cases`"), "{refused}");
    }
}
