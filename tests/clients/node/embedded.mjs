// One example that mounts the service in a web framework, held to what holds however it is mounted: both TypeScript clients,
// then plain HTTP for what clients do not do, then two ends of the server.
// node embedded.mjs --serve BINARY [--name NAME] [--keeps-abandoned]
//
// --keeps-abandoned: the framework's own server goes on with a request whose client has gone, which no service can change. It is then
// checked that it does, so that the flag goes when the framework is mended.
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Report, checkClose, checkConnect, checkUnknown, equal } from './check.mjs';
import { legacy, modern, send, served } from './plain.mjs';

const GUIDE = { uri: 'docs://getting-started', mimeType: 'text/markdown', text: '# Getting started\n' };
const SALES = { uri: 'reports://sales', text: 'Sales are 200 in all.\n' };
/** How long the reader of SALES waits, and what is surely less. */
const QUERY_MS = 5000;
const CANCELLED_MS = 4000;
const LIMIT = 4 * 1024 * 1024;
const STOP_MS = 5000;
const TIMEOUT_MS = 20_000;
const WHOLE_RUN_MS = 100_000;
const JSON_ONLY = { accept: 'application/json' };
const STREAM_ONLY = { accept: 'text/event-stream' };

const { values } = parseArgs({
    options: { serve: { type: 'string' }, name: { type: 'string' }, 'keeps-abandoned': { type: 'boolean' } },
});
if (!values.serve) {
    console.error('usage: node embedded.mjs --serve BINARY [--name NAME] [--keeps-abandoned]');
    process.exit(2);
}
const name = `embedded ${values.name ?? basename(values.serve)}`;
const report = new Report();
setTimeout(() => {
    report.fail(name, new Error(`not finished after ${WHOLE_RUN_MS / 1000} s`));
    report.end();
}, WHOLE_RUN_MS).unref();

const check = (what, run) => report.check(`${name}: ${what}`, run);

// Clients

async function checkClients(url) {
    const pinned = mode => new ModernClient({ name: 'grange-embedded', version: '1.0.0' }, { versionNegotiation: { mode } });
    const clients = [
        ['client pin', '2026-07-28', pinned({ pin: '2026-07-28' }), new ModernTransport(url)],
        ['client legacy', '2025-11-25', pinned('legacy'), new ModernTransport(url)],
        ['sdk', '2025-11-25', new LegacyClient({ name: 'grange-embedded', version: '1.0.0' }), new LegacyTransport(url)],
    ];
    for (const [who, revision, client, transport] of clients) {
        await checkClient(`${name} ${who}`, { client, transport }, revision);
    }
}

async function checkClient(who, connection, revision) {
    const wire = await checkConnect(report, who, connection, revision);
    if (!wire) return;
    const { client } = connection;
    await report.check(`${who}: list`, async () => {
        const { resources, nextCursor } = await client.listResources(undefined, { timeout: TIMEOUT_MS });
        equal(resources.map(({ uri }) => uri).join(), `${GUIDE.uri},${SALES.uri}`, 'URIs');
        equal(nextCursor, undefined, 'next cursor');
    });
    await report.check(`${who}: read`, async () => {
        const { contents } = await client.readResource({ uri: GUIDE.uri }, { timeout: TIMEOUT_MS });
        equal(contents.length, 1, 'content items');
        for (const [member, value] of Object.entries(GUIDE)) equal(contents[0][member], value, member);
    });
    await checkUnknown(report, who, connection, wire, 'docs://no-such-document');
    await checkClose(report, who, connection);
}

// Plain HTTP

const read = (uri, headers) => modern('resources/read', { uri }, headers);
const textOf = answer => JSON.parse(answer.text).result.contents[0].text;

function checkRefusal(answer, status) {
    equal(answer.status, status, 'status');
    equal(JSON.parse(answer.text).jsonrpc, '2.0', 'jsonrpc of the refusal');
}

/** What the application's middleware puts on every answer. */
const checkMiddleware = answer => equal(answer.headers['x-content-type-options'], 'nosniff', "the middleware's header");

async function checkPlaces(url) {
    await check('route of its own', async () => {
        const answer = await send(url, { method: 'GET', path: '/' });
        equal(answer.status, 200, 'status');
        equal(answer.text, '2 of 2 connections are free\n', 'page');
        checkMiddleware(answer);
    });
    await check('middleware around the service', async () => {
        const answers = [await send(url, read(GUIDE.uri)), await send(url, { method: 'PUT' })];
        equal(answers.map(answer => answer.status).join(), '200,405', 'statuses');
        answers.forEach(checkMiddleware);
    });
    await check('with a slash and without', async () => {
        for (const path of ['/mcp', '/mcp/']) {
            const answer = await send(url, { ...read(GUIDE.uri), path });
            equal(`${path} ${answer.status}`, `${path} 200`, 'status');
            equal(textOf(answer), GUIDE.text, 'text');
        }
    });
    await check('length of an answer', async () => {
        const { headers, text } = await send(url, read(GUIDE.uri));
        equal(headers['content-length'], String(Buffer.byteLength(text)), 'Content-Length');
        equal(headers['transfer-encoding'], undefined, 'Transfer-Encoding');
    });
    await check('empty answer', async () => {
        const answer = await send(url, legacy('notifications/initialized', undefined));
        equal(`${answer.status} '${answer.text}' ${answer.headers['content-length']}`, "202 '' 0", 'answer');
    });
}

async function checkDoor(url) {
    await check('foreign Host', async () => {
        checkRefusal(await send(url, read(GUIDE.uri, { host: 'rebound.example.com' })), 403);
        equal((await send(url, read(GUIDE.uri, { host: 'localhost' }))).status, 200, 'status for localhost');
    });
    await check('foreign Origin', async () => {
        checkRefusal(await send(url, read(GUIDE.uri, { origin: 'https://rebound.example.com' })), 403);
        equal((await send(url, read(GUIDE.uri, { origin: 'http://localhost:3000' }))).status, 200, 'status for localhost');
    });
    await check('other methods', async () => {
        for (const method of ['PUT', 'GET', 'DELETE']) {
            const answer = await send(url, { ...read(GUIDE.uri), method });
            checkRefusal(answer, 405);
            equal(answer.headers.allow, 'POST', `Allow for ${method}`);
        }
    });
}

async function checkBodies(url) {
    await check('as long as it may be', async () => {
        const request = read(GUIDE.uri);
        const answer = await send(url, { ...request, body: request.body + ' '.repeat(LIMIT - request.body.length) });
        equal(answer.status, 200, 'status');
        equal(textOf(answer), GUIDE.text, 'text');
    });
    await check('announced too long', async () => {
        const request = read(GUIDE.uri, { 'content-length': LIMIT + 1 });
        checkRefusal(await send(url, { ...request, unended: true }), 413);
    });
    await check('too long as it comes', async () => {
        const request = read(GUIDE.uri);
        const pieces = [request.body, ' '.repeat(LIMIT - request.body.length), ' '];
        checkRefusal(await send(url, { ...request, body: undefined, pieces, unended: true }), 413);
    });
    await check('in pieces', async () => {
        const request = read(GUIDE.uri);
        const pieces = [...request.body];
        const answer = await send(url, { ...request, body: undefined, pieces });
        equal(answer.status, 200, 'status');
        equal(textOf(answer), GUIDE.text, 'text');
    });
}

// Clients that go away

async function freeConnections(url) {
    const page = await send(url, { method: 'GET', path: '/' });
    return Number(page.text.match(/^(\d) of 2 connections are free\n$/)?.[1]);
}

async function until(url, free, deadline) {
    while ((await freeConnections(url)) !== free) {
        if (performance.now() > deadline) throw new Error(`not ${free} connections free in time`);
        await pause(20);
    }
}

/** Starts the slow read, leaves once it runs, and tells how long the reader held its connection. */
async function abandon(url, request) {
    await until(url, 2, performance.now() + TIMEOUT_MS);
    const began = performance.now();
    const exchange = send(url, request);
    exchange.catch(() => {});
    const running = until(url, 1, began + CANCELLED_MS);
    await Promise.race([running, exchange.then(() => running.then(() => Promise.reject(new Error('answered at once'))))]);
    if (request.headers.accept === STREAM_ONLY.accept) await exchange.head;
    exchange.leave();
    await until(url, 2, began + TIMEOUT_MS);
    return performance.now() - began;
}

async function checkAbandoned(url) {
    const cancelled = [['answer', JSON_ONLY], ['stream', STREAM_ONLY]].map(([what, accept]) => [what, read(SALES.uri, accept)]);
    const finished = [['answer of 2025-11-25', legacy('resources/read', { uri: SALES.uri })]];
    if (values['keeps-abandoned']) finished.push(...cancelled.splice(0));
    for (const [what, request] of cancelled) {
        await check(`client leaves its ${what}: cancelled`, async () => {
            const held = await abandon(url, request);
            if (held > CANCELLED_MS) throw new Error(`the reader went on for ${Math.round(held)} ms`);
        });
    }
    for (const [what, request] of finished) {
        await check(`client leaves its ${what}: finished`, async () => {
            const held = await abandon(url, request);
            if (held < QUERY_MS) throw new Error(`the reader ended after ${Math.round(held)} ms`);
        });
    }
}

// Ends

/** The messages of an event stream, comments left out. */
const messages = text => text.split('\n').filter(line => line.startsWith('data: ')).map(line => JSON.parse(line.slice(6)));

async function checkStreamAndEnd(server) {
    const { url } = server;
    const idle = send(url, { method: 'GET', path: '/', keepAlive: true });
    await idle;
    const silent = await server.connect();
    const listening = send(url, modern('subscriptions/listen', { notifications: { resourcesListChanged: true } }, STREAM_ONLY));
    listening.catch(() => {});
    const isOpen = await check('event stream: first message at once', async () => {
        const { statusCode, headers } = await listening.head;
        equal(`${statusCode} ${headers['content-type']}`, '200 text/event-stream', 'head');
        const [first] = messages(await listening.first);
        equal(first?.method, 'notifications/subscriptions/acknowledged', 'first message');
    });
    await check('SIGTERM: ends with status 0', async () => {
        equal(idle.isOpen(), true, 'the idle connection is open');
        equal(silent.isOpen(), true, 'the silent connection is open');
        equal(listening.isOpen(), true, 'the stream is open');
        return server.stop(STOP_MS);
    });
    if (!isOpen) return;
    await check('SIGTERM: the stream has its last messages', async () => {
        const [, ...last] = messages((await listening).text);
        equal(last.length, 2, 'messages after the first');
        equal(`${last[0].id} ${last[0].result?.resultType}`, '1 complete', 'result');
        equal(`${last[1].method} ${last[1].params?.requestId}`, 'notifications/cancelled 1', 'last message');
    });
}

async function checkAnswerAndEnd(server) {
    const { url } = server;
    await check('SIGTERM: what is in flight is answered', async () => {
        const reading = send(url, read(SALES.uri, JSON_ONLY));
        reading.catch(() => {});
        await until(url, 1, performance.now() + CANCELLED_MS);
        const [took, answer] = await Promise.all([server.stop(QUERY_MS + STOP_MS), reading]);
        equal(textOf(answer), SALES.text, 'text');
        return took;
    });
}

try {
    const server = await served(values.serve);
    await checkClients(new URL(server.url));
    await checkPlaces(server.url);
    await checkDoor(server.url);
    await checkBodies(server.url);
    await checkAbandoned(server.url);
    await checkStreamAndEnd(server);
    await checkAnswerAndEnd(await served(values.serve));
} catch (error) {
    report.fail(name, error);
}
report.end();
