"""Servers and drivers as processes of their own, and what their checks came to. No wait is unbounded."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

START_SECONDS = 15
STOP_SECONDS = 15


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
