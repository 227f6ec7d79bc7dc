"""Templates and completion: the Python `mcp` client in each of its modes against the fixture.

python templates.py (--http URL | --stdio COMMAND)    (`fixture … --templates`)
"""

import argparse
import json
import sys
from dataclasses import dataclass

import anyio
from client import MODE_SECONDS, MODES, NOT_FOUND, TIMEOUT_SECONDS, Report, expect
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import ResourceTemplateReference

# uriTemplate, name and mimeType, in the order in which they are listed.
LISTED = [
    ("demo://items/{id}", "item", "application/json"),
    ("demo://files/{+path}", "files", "application/vnd.demo.file+json"),
    ("demo://items/{id}/notes", "notes", "application/vnd.demo.notes+json"),
    ("demo://search{?q,limit}", "search", "application/json"),
    ("demo://{country}/{city}", "city", None),
]
MIME_TYPES = {name: mime_type for _, name, mime_type in LISTED}

# URI, template and values of what is read.
READ = [
    ("demo://items/7", "item", {"id": 7}),
    ("demo://items/%37/notes", "notes", {"id": 7}),
    ("demo://files/a%20b/%2520%C2%A7+.md", "files", {"path": "a b/%20§+.md"}),
    ("demo://search?limit=5&q=a%20b%2Fc", "search", {"q": "a b/c", "limit": 5}),
    ("demo://search", "search", {}),
    ("demo://Chad/N%27Djamena", "city", {"country": "Chad", "city": "N'Djamena"}),
]

# URIs that no reader may see: a value that leaves its segment, of another type, twice in the query.
UNREAD = [
    "demo://files/a/%2e%2e/b",
    "demo://files/a%2F..%2Fb",
    "demo://items/-7",
    "demo://search?q=1&q=2",
]

# Template, variable, what is typed, values of others; and the values, the total, whether there are more.
COMPLETED = [
    ("demo://items/{id}", "id", "99", None, (["99", *map(str, range(990, 1000))], None, False)),
    ("demo://items/{id}", "id", "", None, ([*map(str, range(1, 101))], 1000, True)),
    ("demo://search{?q,limit}", "q", "14", None, (["w014", "w114", *(f"w{n}" for n in range(140, 150))], None, False)),
    ("demo://search{?q,limit}", "limit", "1", None, ([], None, False)),
    ("demo://{country}/{city}", "country", "CH", None, (["Chad", "China", "Macho", "Echo"], None, False)),
    ("demo://{country}/{city}", "city", "", {"country": "Chad"}, (["Abeche", "Mongo", "Ati"], None, False)),
    ("demo://{country}/{city}", "city", "", None, (["nowhere"], None, False)),
]


@dataclass
class Checks:
    client: Client
    revision: str

    async def connected(self) -> str:
        expect(self.client.protocol_version, self.revision, "negotiated revision")
        return self.revision

    async def listing(self) -> str:
        page = await self.client.list_resource_templates()
        listed = [(each.uri_template, each.name, each.mime_type) for each in page.resource_templates]
        expect(listed, LISTED, "templates")
        return f"{len(listed)} templates"

    async def reading(self) -> str:
        before = await self.reads()
        for uri, template, values in READ:
            (item,) = (await self.client.read_resource(uri)).contents
            expect(str(item.uri), uri, "content uri")
            expect(item.mime_type, MIME_TYPES[template], f"mimeType of {uri}")
            expect(json.loads(item.text), {"template": template, "values": values, "version": 0}, f"text of {uri}")
        (item,) = (await self.client.read_resource("demo://items/1")).contents
        expect(item.text, "fixed one", "the fixed resource before the template")
        expect(await self.reads() - before, len(READ), "runs of readers")
        return f"{len(READ) + 1} URIs"

    async def completing(self) -> str:
        before = await self.reads()
        for uri, name, value, others, expected in COMPLETED:
            reference = ResourceTemplateReference(uri=uri)
            completion = (await self.client.complete(reference, {"name": name, "value": value}, others)).completion
            got = (completion.values, completion.total, completion.has_more)
            expect(got, expected, f"{name} of {uri} from {value!r}")
        expect(await self.reads() - before, 0, "runs of readers")
        return f"{len(COMPLETED)} completions"

    async def unsafe(self) -> str:
        before = await self.reads()
        for uri in UNREAD:
            await self.expect_unknown(uri)
        expect(await self.reads() - before, 0, "runs of readers")
        return f"{len(UNREAD)} URIs"

    async def unknown(self) -> str:
        return await self.expect_unknown("demo://items/1001")

    async def expect_unknown(self, uri: str) -> str:
        try:
            await self.client.read_resource(uri)
        except MCPError as error:
            expect(error.code, NOT_FOUND[self.revision], f"error code of {uri}")
            expect((error.data or {}).get("uri"), uri, "error data.uri")
            return str(error.code)
        raise ValueError(f"expected an error, got a result for {uri}")

    async def reads(self) -> int:
        """How often readers of templates ran."""
        return json.loads((await self.client.call_tool("counts")).content[0].text)["reads"]


async def check_mode(report: Report, name: str, server, mode: str, revision: str) -> None:
    try:
        with anyio.fail_after(MODE_SECONDS):
            async with Client(server, mode=mode, read_timeout_seconds=TIMEOUT_SECONDS) as client:
                checks = Checks(client, revision)
                await report.check(f"{name}: connect", checks.connected)
                await report.check(f"{name}: list", checks.listing)
                await report.check(f"{name}: read", checks.reading)
                await report.check(f"{name}: complete", checks.completing)
                await report.check(f"{name}: no reader runs for what is not safe", checks.unsafe)
                await report.check(f"{name}: unknown resource", checks.unknown)
    except Exception as error:
        report.fail(f"{name}: connect or close", error)


async def main() -> int:
    parser = argparse.ArgumentParser()
    wire = parser.add_mutually_exclusive_group(required=True)
    wire.add_argument("--http", metavar="URL")
    wire.add_argument("--stdio", metavar="COMMAND")
    args = parser.parse_args()
    report = Report()
    for mode, revision in MODES:
        server = args.http or StdioServerParameters(command="sh", args=["-c", f"exec {args.stdio}"])
        label = "pin" if mode == revision else mode
        name = f"python templates {label} {'http' if args.http else 'stdio'}"
        await check_mode(report, name, server, mode, revision)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(anyio.run(main))
