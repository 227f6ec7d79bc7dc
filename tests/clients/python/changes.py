"""Changes: the Python `mcp` client in each of its modes subscribes or listens, hears what changed, and then no more.

python changes.py (--http URL | --stdio COMMAND)    (`fixture … --live`)

What must come has HEAR_SECONDS; silence is SILENCE_SECONDS without a notification.
"""

import argparse
import json
import sys
import time
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import anyio
from client import MODE_SECONDS, MODES, NOT_FOUND, TIMEOUT_SECONDS, Report, expect
from mcp import Client, MCPDeprecationWarning, MCPError, StdioServerParameters
from mcp.client.session import IncomingMessage
from mcp.client.subscriptions import ResourceUpdated, Subscription
from mcp.types import ResourceUpdatedNotification

HEAR_SECONDS = 3
SILENCE_SECONDS = 0.25
# `Limits::notify_interval`: a listener is sent a change at once, further ones when it is over.
FOLD_SECONDS = 0.1
# The transport waits so long for a process to end by itself before it sends SIGTERM.
PATIENCE_SECONDS = 2
BURST = 50

BETA = "demo://beta"
OTHERS = ["demo://beta/", "demo://alpha/Read%20Me"]
UNKNOWN = "demo://nowhere"
UPDATED = f"resources/updated {BETA}"
RELISTED = "resources/list_changed"


async def holds(condition: Callable[[], Awaitable[bool]]) -> bool:
    """Waits for a condition; whether it held in time."""
    deadline = time.monotonic() + HEAR_SECONDS
    while not await condition():
        if time.monotonic() > deadline:
            return False
        await anyio.sleep(0.005)
    return True


async def call(client: Client, name: str, **arguments: str) -> str:
    result = await client.call_tool(name, arguments)
    if result.is_error:
        raise ValueError(f"{name}: {result.content[0].text}")
    return result.content[0].text


async def subscriptions(client: Client) -> int:
    return json.loads(await call(client, "counts"))["subscriptions"]


async def expect_no_subscription(client: Client) -> None:
    """The server forgets what a stream or a session held soon after its end, not before the client has closed it."""

    async def none_left() -> bool:
        return await subscriptions(client) == 0

    await holds(none_left)
    expect(await subscriptions(client), 0, "subscriptions left")


@dataclass
class Ear:
    """What a client has heard since it was last asked, with the times."""

    heard: list[tuple[float, str]] = field(default_factory=list)

    async def hear(self, message: IncomingMessage) -> None:
        if isinstance(message, Exception):
            what = f"{type(message).__name__}: {message}"
        else:
            uri = [message.params.uri] if isinstance(message, ResourceUpdatedNotification) else []
            what = " ".join([message.method.removeprefix("notifications/"), *map(str, uri)])
        self.heard.append((time.monotonic(), what))

    async def expect(self, expected: list[str]) -> None:
        """Exactly this is heard, and then silence."""

        async def enough() -> bool:
            return len(self.heard) >= len(expected)

        await holds(enough)
        await anyio.sleep(SILENCE_SECONDS)
        expect(self.take(), expected, "heard")

    def take(self) -> list[str]:
        taken = [what for _, what in self.heard]
        self.heard.clear()
        return taken


@dataclass
class Checks:
    client: Client
    revision: str
    ear: Ear
    held: AsyncExitStack = field(default_factory=AsyncExitStack)
    stream: Subscription | None = None

    @property
    def is_modern(self) -> bool:
        return self.revision == "2026-07-28"

    async def connected(self) -> str:
        expect(self.client.protocol_version, self.revision, "negotiated revision")
        return self.revision

    @asynccontextmanager
    async def subscribed(self, *uris: str) -> AsyncIterator[list[str]]:
        """Subscribes in the way of the era for the body; yields what the server granted."""
        if self.is_modern:
            async with self.client.listen(resource_subscriptions=uris, resources_list_changed=True) as listen:
                expect(listen.honored.resources_list_changed, True, "acknowledged beside the URIs")
                self.stream = listen
                yield listen.honored.resource_subscriptions or []
            return
        for uri in uris:
            await self.client.subscribe_resource(uri)
        yield list(uris)
        for uri in uris:
            await self.client.unsubscribe_resource(uri)

    async def beginning(self) -> str:
        expect(await self.held.enter_async_context(self.subscribed(BETA)), [BETA], "granted")
        expect(await subscriptions(self.client), 1, "subscriptions")
        return BETA

    async def hearing(self) -> str:
        for uri in OTHERS:
            await call(self.client, "touch", uri=uri)
        await self.ear.expect([])
        await call(self.client, "touch", uri=BETA)
        await self.ear.expect([UPDATED])
        if self.stream:
            with anyio.fail_after(HEAR_SECONDS):
                expect(await anext(self.stream), ResourceUpdated(BETA), "event of the listen")
        return f"1 of {len(OTHERS) + 1} touched"

    async def burst(self) -> str:
        """A burst is folded, and what comes last comes after its last change."""
        begin = time.monotonic()
        async with anyio.create_task_group() as tasks:
            for _ in range(BURST - 1):
                tasks.start_soon(lambda: call(self.client, "touch", uri=BETA))
        last = time.monotonic()
        await call(self.client, "touch", uri=BETA)
        most = 2 + int((time.monotonic() - begin) / FOLD_SECONDS)

        async def after_last() -> bool:
            return any(at >= last for at, _ in self.ear.heard)

        was_last = await holds(after_last)
        await anyio.sleep(SILENCE_SECONDS)
        heard = self.ear.take()
        expect(was_last, True, f"a notification after the last change, beside {len(heard)}")
        expect(set(heard), {UPDATED}, "heard")
        if len(heard) > most:
            raise ValueError(f"{len(heard)} notifications for {BURST} touches, at most {most} were due")
        return f"{len(heard)} for {BURST} touches"

    async def relisted(self) -> str:
        before = await self.uris()
        await call(self.client, "relist")
        await self.ear.expect([RELISTED])
        expect(await self.uris(), before, "listed again")
        expect(BETA in before, True, "listed")
        return f"{len(before)} listed again"

    async def uris(self) -> list[str]:
        return [str(resource.uri) for resource in (await self.client.list_resources()).resources]

    async def ending(self) -> str:
        """List changes go on where they were not asked for either: on revisions with a handshake."""
        await self.held.aclose()
        await expect_no_subscription(self.client)
        await call(self.client, "touch", uri=BETA)
        await call(self.client, "relist")
        expected = [] if self.is_modern else [RELISTED]
        await self.ear.expect(expected)
        return f"{len(expected)} heard"

    async def refused(self) -> str:
        """A listen leaves out what is unknown; a subscription is refused with the code of a read."""
        if not self.is_modern:
            return await self.expect_unknown()
        async with self.subscribed(UNKNOWN, BETA) as granted:
            expect(granted, [BETA], "granted")
            expect(await subscriptions(self.client), 1, "subscriptions")
        await expect_no_subscription(self.client)
        return "left out"

    async def expect_unknown(self) -> str:
        try:
            await self.client.subscribe_resource(UNKNOWN)
        except MCPError as error:
            expect(error.code, NOT_FOUND[self.revision], "error code")
            expect((error.data or {}).get("uri"), UNKNOWN, "error data.uri")
            expect(await subscriptions(self.client), 0, "subscriptions")
            return str(error.code)
        raise ValueError("expected an error, got a result")


async def run_checks(report: Report, name: str, checks: Checks) -> None:
    await report.check(f"{name}: connect", checks.connected)
    await report.check(f"{name}: subscribe", checks.beginning)
    await report.check(f"{name}: hear what changed", checks.hearing)
    await report.check(f"{name}: hear a burst", checks.burst)
    await report.check(f"{name}: hear of the list", checks.relisted)
    await report.check(f"{name}: unsubscribe", checks.ending)
    await report.check(f"{name}: unknown resource", checks.refused)


async def check_mode(report: Report, name: str, server: str | StdioServerParameters, mode: str, revision: str) -> None:
    ear = Ear()
    settings = {"mode": mode, "read_timeout_seconds": TIMEOUT_SECONDS, "message_handler": ear.hear}
    try:
        with anyio.fail_after(MODE_SECONDS):
            async with Client(server, **settings) as client:
                await run_checks(report, name, Checks(client, revision, ear))

            async def closing() -> str:
                return await close_subscribed(server, settings, revision)

            await report.check(f"{name}: close", closing)
    except Exception as error:
        report.fail(f"{name}: connect or close", error)


async def close_subscribed(server: str | StdioServerParameters, settings: dict, revision: str) -> str:
    """A client that goes without ending its subscription: nothing of it is left."""
    async with Client(server, **settings) as client:
        if revision == "2026-07-28":
            # Leaving the listen is how this client closes it, so it goes while the stream is open.
            listen = client.listen(resource_subscriptions=[BETA])
            await listen.__aenter__()
        else:
            await client.subscribe_resource(BETA)
        expect(await subscriptions(client), 1, "subscriptions")
        begin = time.monotonic()
    took = time.monotonic() - begin
    if not isinstance(server, str):
        if took >= PATIENCE_SECONDS:
            raise ValueError(f"the server did not end by itself: {took:.1f} s")
        return f"{took * 1000:.0f} ms"
    async with Client(server, read_timeout_seconds=TIMEOUT_SECONDS) as client:
        await expect_no_subscription(client)
    return "0 left"


async def main() -> int:
    parser = argparse.ArgumentParser()
    wire = parser.add_mutually_exclusive_group(required=True)
    wire.add_argument("--http", metavar="URL")
    wire.add_argument("--stdio", metavar="COMMAND")
    args = parser.parse_args()
    report = Report()
    # Of resources/subscribe, which the revisions with a handshake have.
    warnings.simplefilter("ignore", MCPDeprecationWarning)
    for mode, revision in MODES:
        server = args.http or StdioServerParameters(command="sh", args=["-c", f"exec {args.stdio}"])
        label = "pin" if mode == revision else mode
        name = f"python changes {label} {'http' if args.http else 'stdio'}"
        await check_mode(report, name, server, mode, revision)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(anyio.run(main))
