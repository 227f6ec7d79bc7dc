"""Real MCP clients and the official conformance suite against the examples of this repository.

python3 tests/clients/run.py --docs BINARY --fixture BINARY --tool-host BINARY --skills BINARY --auth BINARY
    --conformance-bin BINARY --axum BINARY --hyper BINARY --actix BINARY --poem BINARY [--only GROUPS]

Sets up what it needs (again only when a lock file changed), makes a folder of files with difficult names and contents,
serves it with `docs` over HTTP and stdio, and lets each client read all of it. The same clients list, read and complete the
templates of `fixture`, and subscribe to what changes in it. A client that offers files of its own calls the tools of
`tool_host`, one that verifies skills has `skills` serve them, and one that needs a token gets it from a real authorization
server and brings it to `example-auth`. The examples that mount the service in a web framework are held to one list. Every
driver prints a line a check and `N passed, N failed`; this adds them up. Only processes started here are ended, and no wait
is unbounded.
"""

import argparse
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

from corpus import write_corpus
from install import HERE, RMCP_CLIENT, VENV_PYTHON, SetupError, set_up
from processes import Tally, free_port, run_driver, serving

GROUPS = ["node", "python", "templates", "changes", "rmcp", "host", "skills", "oauth", "embeddings", "conformance"]
# The groups that need the fixture, with the flag that adds what they check.
FIXTURE = {"templates": "--templates", "changes": "--live"}
# The examples that mount the service, with what their driver is told of the framework.
EMBEDDINGS = {"axum": [], "hyper": [], "actix": [], "poem": ["--keeps-abandoned"]}
DRIVER_SECONDS = {
    "node": 180,
    "python": 240,
    "templates": 240,
    "changes": 240,
    "rmcp": 120,
    "host": 150,
    "skills": 120,
    "oauth": 150,
    "embeddings": 120,
    "conformance": 600,
}


def client_commands(group: str) -> dict[str, list[str]]:
    if group == "node":
        return {f"node {name}": ["node", str(HERE / f"node/{name}.mjs")] for name in ("modern", "legacy")}
    if group in FIXTURE:
        node, python = ["node", str(HERE / f"node/{group}.mjs")], [str(VENV_PYTHON), str(HERE / f"python/{group}.py")]
        return {f"node {group}": node, f"python {group}": python}
    return {"python": [str(VENV_PYTHON), str(HERE / "python/client.py")]}


def run_clients(tally: Tally, groups: list[str], docs: str) -> None:
    with tempfile.TemporaryDirectory(prefix="grange clients ") as folder:
        write_corpus(Path(folder))
        port = free_port()
        command = [docs, folder, "--addr", f"127.0.0.1:{port}"]
        with serving(tally, "docs http", command, port) as ready:
            if ready:
                drive(tally, groups, ["--http", f"http://127.0.0.1:{port}/mcp", "--dir", folder], "http")
        drive(tally, groups, ["--stdio", shlex.join([docs, folder, "--stdio"]), "--dir", folder], "stdio")


def run_fixture(tally: Tally, group: str, fixture: str) -> None:
    port = free_port()
    command = [fixture, "--http", f"127.0.0.1:{port}", FIXTURE[group]]
    with serving(tally, f"fixture {group} http", command, port) as ready:
        if ready:
            drive(tally, [group], ["--http", f"http://127.0.0.1:{port}/mcp"], "http")
    drive(tally, [group], ["--stdio", shlex.join([fixture, "--stdio", FIXTURE[group]])], "stdio")


def run_rmcp(tally: Tally, fixture: str) -> None:
    """The driver starts the fixture itself, once for templates and once for changes."""
    run_driver(tally, "rmcp", [str(RMCP_CLIENT), fixture], DRIVER_SECONDS["rmcp"])


def drive(tally: Tally, groups: list[str], arguments: list[str], wire: str) -> None:
    for group in groups:
        for name, command in client_commands(group).items():
            run_driver(tally, f"{name} {wire}", command + arguments, DRIVER_SECONDS[group])


def run_host(tally: Tally, binary: str) -> None:
    driver = ["node", str(HERE / "node/host.mjs")]
    port = free_port()
    with serving(tally, "tool_host http", [binary, "--http", f"127.0.0.1:{port}"], port) as ready:
        if ready:
            run_driver(tally, "node host http", driver + ["--http", f"http://127.0.0.1:{port}/mcp"], DRIVER_SECONDS["host"])
    run_driver(tally, "node host stdio", driver + ["--stdio", shlex.quote(binary)], DRIVER_SECONDS["host"])


def run_skills(tally: Tally, binary: str) -> None:
    """The driver serves what it made itself; what it started ends with it."""
    run_driver(tally, "node skills", ["node", str(HERE / "node/skills.mjs"), "--serve", binary], DRIVER_SECONDS["skills"])


def run_oauth(tally: Tally, binary: str) -> None:
    """The driver starts the issuer, and the example for it; what it started ends with it."""
    driver = [str(HERE / "oauth/node_modules/.bin/node"), str(HERE / "oauth/run.mjs"), "--serve", binary]
    run_driver(tally, "oauth", driver, DRIVER_SECONDS["oauth"])


def run_embeddings(tally: Tally, binaries: dict[str, str]) -> None:
    """The driver starts each server itself, since it has to see how it ends."""
    for name, told in EMBEDDINGS.items():
        driver = ["node", str(HERE / "node/embedded.mjs"), "--serve", binaries[name], "--name", name]
        run_driver(tally, f"node embedded {name}", driver + told, DRIVER_SECONDS["embeddings"])


def run_conformance(tally: Tally, binary: str) -> None:
    port = free_port()
    with serving(tally, "conformance http", [binary, "--http", f"127.0.0.1:{port}"], port) as ready:
        if ready:
            gate = [sys.executable, str(HERE / "conformance/gate.py"), "--url", f"http://127.0.0.1:{port}/mcp"]
            run_driver(tally, "conformance", gate, DRIVER_SECONDS["conformance"])


# Command line


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--docs", help="the `docs` example; needed by node and python")
    parser.add_argument("--fixture", help="the `fixture` example; needed by templates, changes and rmcp")
    parser.add_argument("--tool-host", help="the `tool_host` example; needed by host")
    parser.add_argument("--skills", help="the `skills` example; needed by skills")
    parser.add_argument("--auth", help="the `auth` example; needed by oauth")
    for name in EMBEDDINGS:
        parser.add_argument(f"--{name}", help=f"the `{name}` example; needed by embeddings")
    parser.add_argument("--conformance-bin", help="the `conformance` example; needed by conformance")
    parser.add_argument("--only", default=",".join(GROUPS), help="comma-separated, of: " + ", ".join(GROUPS))
    args = parser.parse_args()
    args.only = args.only.split(",")
    if unknown := set(args.only) - set(GROUPS):
        parser.error(f"--only: unknown {', '.join(sorted(unknown))}; choose of {', '.join(GROUPS)}")
    if set(args.only) & {"node", "python"}:
        args.docs = executable(parser, "--docs", args.docs)
    if set(args.only) & {*FIXTURE, "rmcp"}:
        args.fixture = executable(parser, "--fixture", args.fixture)
    if "host" in args.only:
        args.tool_host = executable(parser, "--tool-host", args.tool_host)
    if "skills" in args.only:
        args.skills = executable(parser, "--skills", args.skills)
    if "oauth" in args.only:
        args.auth = executable(parser, "--auth", args.auth)
    if "embeddings" in args.only:
        args.embeddings = {name: executable(parser, f"--{name}", getattr(args, name)) for name in EMBEDDINGS}
    if "conformance" in args.only:
        args.conformance_bin = executable(parser, "--conformance-bin", args.conformance_bin)
    return args


def executable(parser: argparse.ArgumentParser, option: str, path: str | None) -> str:
    if path is None:
        parser.error(f"{option} is needed for these groups")
    if found := shutil.which(str(Path(path).resolve())):
        return found
    parser.error(f"{option}: no executable at {path}; build the examples first")


def main() -> int:
    args = arguments()
    tally = Tally()
    try:
        for group in args.only:
            set_up(group)
    except SetupError as error:
        print(f"set-up failed: {error}", file=sys.stderr)
        return 2
    clients = [group for group in args.only if group in ("node", "python")]
    if clients:
        run_clients(tally, clients, args.docs)
    for group in FIXTURE:
        if group in args.only:
            run_fixture(tally, group, args.fixture)
    if "rmcp" in args.only:
        run_rmcp(tally, args.fixture)
    if "host" in args.only:
        run_host(tally, args.tool_host)
    if "skills" in args.only:
        run_skills(tally, args.skills)
    if "oauth" in args.only:
        run_oauth(tally, args.auth)
    if "embeddings" in args.only:
        run_embeddings(tally, args.embeddings)
    if "conformance" in args.only:
        run_conformance(tally, args.conformance_bin)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 0 if tally.passed and not tally.failed else 1


if __name__ == "__main__":
    sys.exit(main())
