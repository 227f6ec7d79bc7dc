//! Serves skills: directories with a `SKILL.md`, which hosts find by name, verify by digest and read file by file.
//!
//! ```sh
//! cargo run --example skills --features skills                          # two of its own, on http://127.0.0.1:8787/mcp
//! cargo run --example skills --features skills -- ~/skills/tasks --addr 127.0.0.1:9000
//! cargo run --example skills --features skills -- ~/skills/* --stdio
//! ```
//!
//! Its own skills are checked by the compiler and embedded in the program; those of a path are read at the start. Files that are left
//! out, and what some hosts would ignore, are warnings on standard error; `--include PATTERN` adds files that were left out.

use grange::skills::{Skill, Skills};
use grange::{Server, http, skill, stdio};

const USAGE: &str = "usage: skills [DIR]… [--include PATTERN]… [--addr ADDR | --stdio]";

#[derive(Default)]
struct Options {
    directories: Vec<String>,
    include: Vec<String>,
    addr: Option<String>,
    stdio: bool,
}

#[tokio::main]
async fn main() -> grange::Result<()> {
    let options = options().unwrap_or_else(|problem| {
        eprintln!("{problem}\n{USAGE}");
        std::process::exit(2);
    });
    let read = |directory: &String| options.include.iter().fold(Skill::from_dir(directory), Skill::include);
    let skills: Vec<Skill> = match &options.directories[..] {
        [] => vec![skill!("examples/skills/release-notes"), changelog()],
        directories => directories.iter().map(read).collect(),
    };
    // `build()` writes its warnings to standard error, since this program installs no log.
    let server = Server::builder("skills", "1.0.0").extension(Skills::new(skills).directory_read()).build()?;
    if options.stdio {
        return server.listen(stdio()).await;
    }
    let addr = options.addr.unwrap_or_else(|| "127.0.0.1:8787".to_owned());
    server.listen(http(addr).announce()).await
}

fn options() -> Result<Options, String> {
    let mut options = Options::default();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--stdio" => options.stdio = true,
            "--addr" => options.addr = Some(args.next().ok_or("--addr needs an address, as in 127.0.0.1:8787")?),
            "--include" => options.include.push(args.next().ok_or("--include needs a pattern, as in **/_rels/.rels")?),
            option if option.starts_with('-') => return Err(format!("unknown option {option}")),
            directory => options.directories.push(directory.to_owned()),
        }
    }
    Ok(options)
}

/// A skill that the program generates, under a prefix.
fn changelog() -> Skill {
    let skill_md = format!(
        "---\nname: changelog\ndescription: What changed in this server, up to version {}.\n---\n\nRead references/changes.md.\n",
        env!("CARGO_PKG_VERSION"),
    );
    let changes = include_str!("../CHANGELOG.md").to_owned();
    Skill::new("grange/changelog", [("SKILL.md", skill_md), ("references/changes.md", changes)])
}
