"""The Python `mcp` client in each of its modes: `auto` probes, a pinned revision does not, `legacy` opens with initialize.

python client.py (--http URL | --stdio COMMAND) --dir DIR
"""

import argparse
import base64
import hashlib
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

import anyio
from mcp import Client, MCPError, StdioServerParameters

TEXT = {".md", ".markdown", ".txt", ".svg"}
BLOB = {".png", ".jpg", ".jpeg", ".gif", ".webp"}
NOT_FOUND = {"2026-07-28": -32602, "2025-11-25": -32002}
MODES = [("auto", "2026-07-28"), ("2026-07-28", "2026-07-28"), ("legacy", "2025-11-25")]
TIMEOUT_SECONDS = 20
MODE_SECONDS = 60


@dataclass
class Report:
    passed: int = 0
    failed: int = 0

    async def check(self, name: str, run: Callable[[], Awaitable[str]]) -> None:
        try:
            detail = await run()
        except Exception as error:
            self.fail(name, error)
        else:
            print(f"ok   {name} ({detail})", flush=True)
            self.passed += 1

    def fail(self, name: str, error: BaseException) -> None:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        print(f"FAIL {name}: {reason[:2000]}", flush=True)
        self.failed += 1


@dataclass
class Checks:
    client: Client
    revision: str
    files: dict[str, Path]
    uris: list[str] = field(default_factory=list)

    async def connected(self) -> str:
        expect(self.client.protocol_version, self.revision, "negotiated revision")
        return self.revision

    async def listing(self) -> str:
        cursor = None
        for _ in range(1000):
            page = await self.client.list_resources(cursor=cursor)
            self.uris += [str(resource.uri) for resource in page.resources]
            cursor = page.next_cursor
            if cursor is None:
                break
        else:
            raise ValueError("resources/list does not end")
        if not self.files:
            raise ValueError("no matching file on disk: nothing would be tested")
        served = {path_of(uri) for uri in self.uris}
        expect(sorted(self.files.keys() - served), [], "files not listed")
        expect(sorted(served - self.files.keys()), [], "listed without a file")
        expect(len(self.uris), len(self.files), "number of resources")
        return f"{len(self.uris)} resources"

    async def reading(self) -> str:
        if not self.uris:
            raise ValueError("nothing listed")
        wrong = []
        for uri in self.uris:
            try:
                result = await self.client.read_resource(uri)
                compare(uri, result.contents, self.files[path_of(uri)])
            except Exception as error:
                wrong.append(f"{uri}: {type(error).__name__} {error}")
        if wrong:
            raise ValueError(f"{len(wrong)} of {len(self.uris)} differ: {' | '.join(wrong[:5])}")
        return f"{len(self.uris)} equal to their files"

    async def unknown_resource(self) -> str:
        prefix = "docs:///" if self.uris and self.uris[0].startswith("docs:///") else "docs://"
        uri = prefix + "no-such-folder/no-such-document.md"
        try:
            await self.client.read_resource(uri)
        except MCPError as error:
            expect(error.code, NOT_FOUND[self.revision], "error code")
            expect((error.data or {}).get("uri"), uri, "error data.uri")
            return str(error.code)
        raise ValueError("expected an error, got a result")


def files_below(root: Path) -> dict[str, Path]:
    """`relative/path` of each file that the docs example serves."""
    served = (path for path in root.rglob("*") if path.is_file() and path.suffix in TEXT | BLOB)
    return {path.relative_to(root).as_posix(): path for path in served}


def path_of(uri: str) -> str:
    """`docs://a/b%20c` and `docs:///a/b%20c` both name the file `a/b c`."""
    if not uri.startswith("docs://"):
        raise ValueError(f"not a docs:// URI: {uri}")
    segments = uri.removeprefix("docs://").removeprefix("/").split("/")
    return "/".join(unquote(segment, errors="strict") for segment in segments)


def compare(uri: str, contents: list, file: Path) -> None:
    expect(len(contents), 1, "content items")
    item = contents[0]
    expect(str(item.uri), uri, "content uri")
    kind = "text" if file.suffix in TEXT else "blob"
    expect([name for name in ("text", "blob") if getattr(item, name, None) is not None], [kind], "payload")
    got = item.text.encode() if kind == "text" else base64.b64decode(item.blob, validate=True)
    expect(sha256(got), sha256(file.read_bytes()), "SHA-256")


def expect(got: object, expected: object, what: str) -> None:
    if got != expected:
        raise ValueError(f"{what}: expected {expected}, got {got}")


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


async def check_mode(report: Report, name: str, server, mode: str, revision: str, files: dict[str, Path]) -> None:
    try:
        with anyio.fail_after(MODE_SECONDS):
            async with Client(server, mode=mode, read_timeout_seconds=TIMEOUT_SECONDS) as client:
                checks = Checks(client, revision, files)
                await report.check(f"{name}: connect", checks.connected)
                await report.check(f"{name}: list", checks.listing)
                await report.check(f"{name}: read", checks.reading)
                await report.check(f"{name}: unknown resource", checks.unknown_resource)
    except Exception as error:
        report.fail(f"{name}: connect or close", error)


async def main() -> int:
    parser = argparse.ArgumentParser()
    wire = parser.add_mutually_exclusive_group(required=True)
    wire.add_argument("--http", metavar="URL")
    wire.add_argument("--stdio", metavar="COMMAND")
    parser.add_argument("--dir", required=True, type=Path)
    args = parser.parse_args()
    files = files_below(args.dir)
    report = Report()
    for mode, revision in MODES:
        server = args.http or StdioServerParameters(command="sh", args=["-c", f"exec {args.stdio}"])
        label = "pin" if mode == revision else mode
        await check_mode(report, f"python {label} {'http' if args.http else 'stdio'}", server, mode, revision, files)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(anyio.run(main))
