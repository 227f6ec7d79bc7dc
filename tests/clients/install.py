"""What the drivers need: packages of npm, Python and Rust by their lock files. The first two again only when one changed."""

import contextlib
import hashlib
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Packages that need a newer Node.js than the machine's, and bring it.
OWN_NODE = {"oauth", "conformance"}
# Groups with a driver in Python.
PYTHON = {"python", "templates", "changes"}
SETUP_SECONDS = 900
VENV_PYTHON = HERE / "python/.venv/bin/python"
RMCP_CLIENT = HERE / "rmcp/target/debug/grange-rmcp-client"


class SetupError(Exception):
    """The machine or the arguments lack something; the message says what to do."""


def set_up(group: str) -> None:
    if group in OWN_NODE:
        set_up_own_node(HERE / group)
        return
    if group == "rmcp":
        set_up_rmcp()
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


def set_up_rmcp() -> None:
    folder = HERE / "rmcp"
    command = ["cargo", "build", "--quiet", "--locked", "--target-dir", str(folder / "target")]
    set_up_step(command, folder, "check that cargo reaches its registry")


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
