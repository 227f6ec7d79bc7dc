"""Real MCP clients and the official conformance suite against the examples of this repository.

python3 tests/clients/run.py --docs BINARY --fixture BINARY --tool-host BINARY --skills BINARY --auth BINARY
    --conformance-bin BINARY --axum BINARY --hyper BINARY --actix BINARY --poem BINARY [--only GROUPS]

Sets up what it needs (again only when a lock file changed), makes a folder of files with difficult names and contents,
serves it with `docs` over HTTP and stdio, and lets each client read all of it. The same clients list, read and complete the
templates of `fixture`. A client that offers files of its own calls the tools of `tool_host`, one that verifies skills has
`skills` serve them, and one that needs a token gets it from a real authorization server and brings it to `example-auth`. The
examples that mount the service in a web framework are held to one list. Every driver prints a line a check and `N passed, N
failed`; this adds them up. Only processes started here are ended, and no wait is unbounded.
"""

import argparse
import contextlib
import hashlib
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from corpus import write_corpus

HERE = Path(__file__).resolve().parent
GROUPS = ["node", "python", "templates", "host", "skills", "oauth", "embeddings", "conformance"]
# Packages that need a newer Node.js than the machine's, and bring it.
OWN_NODE = {"oauth", "conformance"}
# Groups with a driver in Python.
PYTHON = {"python", "templates"}
# The examples that mount the service, with what their driver is told of the framework.
EMBEDDINGS = {"axum": [], "hyper": [], "actix": [], "poem": ["--keeps-abandoned"]}
SETUP_SECONDS = 900
START_SECONDS = 15
STOP_SECONDS = 15
DRIVER_SECONDS = {
    "node": 180,
    "python": 240,
    "templates": 240,
    "host": 150,
    "skills": 120,
    "oauth": 150,
    "embeddings": 120,
    "conformance": 600,
}
VENV_PYTHON = HERE / "python/.venv/bin/python"


class Tally:
    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0

    def ok(self, name: str) -> None:
        print(f"ok   {name}", flush=True)
        self.passed += 1

    def fail(self, name: str, reason: str) -> None:
        print(f"FAIL {name}: {reason}", flush=True)
        self.failed += 1


class SetupError(Exception):
    """The machine or the arguments lack something; the message says what to do."""


# Set-up


def set_up(group: str) -> None:
    if group in OWN_NODE:
        set_up_own_node(HERE / group)
        return
    if group != "python":
        set_up_node()
    if group in PYTHON:
        set_up_python()


def set_up_node() -> None:
    version = tool_version("node", "install Node.js 20 or newer")
    if version < 20:
        raise SetupError(f"node is version {version}: install Node.js 20 or newer")
    npm_ci(HERE / "node")


def set_up_own_node(package: Path) -> None:
    npm_ci(package)
    binary = package / "node_modules/.bin/node"
    try:
        subprocess.run([binary, "--version"], check=True, capture_output=True, timeout=30)
    except (OSError, subprocess.SubprocessError) as error:
        remedy = f"allow npm to run install scripts, remove {package / 'node_modules'}, run again"
        raise SetupError(f"the npm package `node` carries no binary that runs ({error}): {remedy}") from None


def npm_ci(package: Path) -> None:
    tool_version("npm", "install npm 9 or newer (it comes with Node.js)")
    lock = digest(package / "package.json", package / "package-lock.json")
    with stamped(package / "node_modules/.grange-stamp", lock) as current:
        if not current:
            command = ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]
            set_up_step(command, package, "check that npm reaches its registry")


def set_up_python() -> None:
    lock = digest(HERE / "python/requirements.txt") + f" {sys.version_info.major}.{sys.version_info.minor}"
    venv = HERE / "python/.venv"
    with stamped(venv / ".grange-stamp", lock) as current:
        if not current:
            shutil.rmtree(venv, ignore_errors=True)
            set_up_step([sys.executable, "-m", "venv", str(venv)], HERE, "install the venv module (Debian: python3-venv)")
            pip = [str(VENV_PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            requirements = ["--require-hashes", "--only-binary", ":all:", "-r", str(HERE / "python/requirements.txt")]
            set_up_step(pip + requirements, HERE, "check that pip reaches its index")


@contextlib.contextmanager
def stamped(stamp: Path, wanted: str) -> Iterator[bool]:
    """Yields whether the stamp is current, and writes it when the body succeeded."""
    current = stamp.exists() and stamp.read_text() == wanted
    yield current
    if not current:
        stamp.write_text(wanted)


def digest(*files: Path) -> str:
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def set_up_step(command: list[str], folder: Path, remedy: str) -> None:
    print(f"set-up: {shlex.join(command[:4])} … in {folder.name}/", file=sys.stderr, flush=True)
    try:
        subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr, timeout=SETUP_SECONDS)
    except (OSError, subprocess.SubprocessError) as error:
        raise SetupError(f"{shlex.join(command)}: {error}; {remedy}") from None


def tool_version(name: str, remedy: str) -> int:
    """The major version of a tool on PATH."""
    try:
        done = subprocess.run([name, "--version"], check=True, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        raise SetupError(f"`{name} --version` fails ({error}): {remedy}") from None
    return int(re.sub(r"^v", "", done.stdout.strip()).split(".")[0])


# Servers


@contextlib.contextmanager
def serving(tally: Tally, name: str, command: list[str], port: int) -> Iterator[bool]:
    """Runs a server for the body; yields whether it accepts connections; afterwards it has to end on SIGTERM."""
    with tempfile.TemporaryFile() as log:
        failed_before = tally.failed
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        try:
            problem = wait_for_port(server, port)
            if problem:
                tally.fail(f"{name}: start", problem)
            yield not problem
        finally:
            stop(tally, name, server)
            if tally.failed > failed_before:
                show_tail(name, log)


def wait_for_port(server: subprocess.Popen, port: int) -> str | None:
    """What went wrong, or None once the port accepts."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            return "the server ended instead of listening"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return None
        except OSError:
            time.sleep(0.05)
    return f"port not accepting after {START_SECONDS} s"


def stop(tally: Tally, name: str, server: subprocess.Popen) -> None:
    if server.poll() is not None:
        tally.fail(f"{name}: stop", f"the server had ended by itself, status {server.returncode}")
        return
    server.send_signal(signal.SIGTERM)
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
        tally.fail(f"{name}: stop", f"still running {STOP_SECONDS} s after SIGTERM")
    else:
        tally.ok(f"{name}: stop (status {server.returncode} after SIGTERM)")


def show_tail(name: str, log) -> None:
    log.seek(0)
    for line in log.read().decode(errors="replace").splitlines()[-20:]:
        print(f"{name} said: {line}", file=sys.stderr)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


# Drivers


def run_driver(tally: Tally, name: str, command: list[str], seconds: int) -> None:
    """Runs a driver in its own process group, echoes its check lines, and holds it to its own final count."""
    direct = os.environ | {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1", "PYTHONIOENCODING": "utf-8"}
    driver = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, encoding="utf-8", start_new_session=True, env=direct
    )
    try:
        output, _ = driver.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        end_group(driver)
        output, _ = driver.communicate()
        tally.fail(f"{name}: finish", f"not finished after {seconds} s")
    lines = output.splitlines()
    checks = [line for line in lines if line.startswith(("ok   ", "FAIL "))]
    for line in checks:
        print(line, flush=True)
    failed = sum(line.startswith("FAIL ") for line in checks)
    passed = len(checks) - failed
    tally.passed += passed
    tally.failed += failed
    if not checks or lines[-1] != f"{passed} passed, {failed} failed" or (driver.returncode == 0) != (failed == 0):
        tally.fail(f"{name}: report", f"incomplete or inconsistent, status {driver.returncode}")


def end_group(driver: subprocess.Popen) -> None:
    """Ends the driver and the stdio server it spawned: they are the only members of a group made here."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(driver.pid, signal.SIGKILL)


def client_commands(group: str) -> dict[str, list[str]]:
    if group == "node":
        return {f"node {name}": ["node", str(HERE / f"node/{name}.mjs")] for name in ("modern", "legacy")}
    if group == "templates":
        node, python = ["node", str(HERE / "node/templates.mjs")], [str(VENV_PYTHON), str(HERE / "python/templates.py")]
        return {"node templates": node, "python templates": python}
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


def run_templates(tally: Tally, fixture: str) -> None:
    port = free_port()
    command = [fixture, "--http", f"127.0.0.1:{port}", "--templates"]
    with serving(tally, "fixture http", command, port) as ready:
        if ready:
            drive(tally, ["templates"], ["--http", f"http://127.0.0.1:{port}/mcp"], "http")
    drive(tally, ["templates"], ["--stdio", shlex.join([fixture, "--stdio", "--templates"])], "stdio")


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
    parser.add_argument("--fixture", help="the `fixture` example; needed by templates")
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
    if "templates" in args.only:
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
    if "templates" in args.only:
        run_templates(tally, args.fixture)
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
