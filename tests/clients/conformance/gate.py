"""The official conformance suite, held to a pinned result.

The suite exits 0 on warnings, on skipped checks and on scenarios that do not apply, so this reads each checks.json and
demands no FAILURE, no WARNING, no SKIPPED but those listed, and exactly the number of SUCCESS in PINNED.

python3 gate.py --url URL
"""

import argparse
import collections
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
NODE = HERE / "node_modules/.bin/node"
SUITE = HERE / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
SCENARIO_SECONDS = 90

REVISIONS = {"legacy": "2025-11-25", "modern": "2026-07-28"}
# Scenarios of the skills extension, which is of no revision: the suite has to be told to run them.
EXTENSION = "sep-2640-"
PINNED = [
    # wire, scenario, SUCCESS: the scenario's own checks and, over the suite's own connection, wire-schema-valid
    ("legacy", "server-initialize", 3),
    ("legacy", "ping", 2),
    ("legacy", "resources-list", 2),
    ("legacy", "resources-read-text", 2),
    ("legacy", "resources-read-binary", 2),
    ("legacy", "resources-templates-read", 2),
    ("legacy", "dns-rebinding-protection", 2),
    ("legacy", "server-session-lifecycle", 3),
    ("legacy", "tools-list", 3),
    ("legacy", "tools-call-simple-text", 2),
    ("legacy", "tools-call-image", 2),
    ("legacy", "tools-call-audio", 2),
    ("legacy", "tools-call-embedded-resource", 2),
    ("legacy", "tools-call-mixed-content", 2),
    ("legacy", "tools-call-error", 2),
    ("legacy", "tools-call-with-progress", 2),
    ("legacy", "json-schema-2020-12", 8),
    # Nothing streams here: that each stream works is INFO.
    ("legacy", "server-sse-multiple-streams", 1),
    ("legacy", "server-sse-polling", 3),
    ("legacy", "sep-2640-skills-enumeration", 30),
    ("legacy", "sep-2640-skills-manifest", 6),
    ("legacy", "sep-2640-skills-directory", 7),
    ("modern", "resources-list", 2),
    ("modern", "resources-read-text", 2),
    ("modern", "resources-read-binary", 2),
    ("modern", "resources-templates-read", 2),
    ("modern", "sep-2164-resource-not-found", 4),
    ("modern", "dns-rebinding-protection", 2),
    ("modern", "tools-list", 4),
    ("modern", "tools-call-simple-text", 2),
    ("modern", "tools-call-image", 2),
    ("modern", "tools-call-audio", 2),
    ("modern", "tools-call-embedded-resource", 2),
    ("modern", "tools-call-mixed-content", 2),
    ("modern", "tools-call-error", 2),
    ("modern", "tools-call-with-progress", 2),
    ("modern", "json-schema-2020-12", 8),
    ("modern", "server-sse-multiple-streams", 1),
    ("modern", "http-header-validation", 14),
    ("modern", "http-custom-header-server-validation", 10),
    ("modern", "server-stateless", 28),
    ("modern", "sep-2640-skills-enumeration", 32),
    ("modern", "sep-2640-skills-manifest", 6),
    ("modern", "sep-2640-skills-directory", 7),
]
# Checks that are SKIPPED, by wire and scenario.
SKIPPED = {
    # About change notifications, which this server does not declare.
    ("modern", "server-stateless"): {
        "sep-2575-server-sends-prompts-list-changed-on-subscription",
        "sep-2575-server-sends-tools-list-changed-on-subscription",
    },
    # Results carry no cache hints before 2026-07-28.
    ("legacy", "sep-2640-skills-enumeration"): {
        "sep-2640-skills-get-cache-attributes",
        "sep-2640-skills-list-cache-attributes",
    },
}


def run_scenario(url: str, wire: str, scenario: str, folder: str) -> list[dict]:
    """The checks of one scenario; raises ValueError when there is no single, complete result."""
    command = [NODE, SUITE, "server", "--url", url, "--scenario", scenario, "--spec-version", REVISIONS[wire], "-o", folder]
    if scenario.startswith(EXTENSION):
        command.append("--force")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SCENARIO_SECONDS)
    except subprocess.TimeoutExpired:
        raise ValueError(f"not finished after {SCENARIO_SECONDS} s") from None
    results = list(Path(folder).glob("*/checks.json"))
    if len(results) != 1:
        said = " ".join((done.stdout + done.stderr).split())[-500:]
        raise ValueError(f"expected one checks.json, found {len(results)} (exit {done.returncode}): {said}")
    checks = json.loads(results[0].read_text(encoding="utf-8"))
    allowed = SKIPPED.get((wire, scenario), set())
    skipped = {check["id"] for check in checks if check["status"] == "SKIPPED"}
    if skipped != allowed:
        raise ValueError(f"skipped: {sorted(skipped)}, expected {sorted(allowed)}")
    bad = [check for check in checks if check["status"] not in ("SUCCESS", "INFO", "SKIPPED")]
    if bad:
        raise ValueError(" | ".join(f"{check['status']} {check['id']}: {check.get('errorMessage', '')}" for check in bad))
    if done.returncode != 0:
        raise ValueError(f"exit {done.returncode}")
    return checks


def judge(url: str, wire: str, scenario: str, pinned: int) -> str:
    with tempfile.TemporaryDirectory(prefix="grange-conformance-") as folder:
        checks = run_scenario(url, wire, scenario, folder)
    success = collections.Counter(check["id"] for check in checks if check["status"] == "SUCCESS")
    if success.total() != pinned:
        raise ValueError(f"expected {pinned} SUCCESS, got {success.total()}: {', '.join(sorted(success))}")
    return f"{pinned} SUCCESS"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    args = parser.parse_args()
    if not NODE.exists() or not SUITE.exists():
        sys.exit(f"the suite is not installed: run `npm ci` in {HERE}")
    passed = failed = 0
    for wire, scenario, pinned in PINNED:
        try:
            detail = judge(args.url, wire, scenario, pinned)
        except (ValueError, KeyError) as error:
            print(f"FAIL conformance {wire} {scenario}: {' '.join(str(error).split())[:2000]}", flush=True)
            failed += 1
        else:
            print(f"ok   conformance {wire} {scenario} ({detail})", flush=True)
            passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
