// HTTP/1.1 without a client library's help, for embedded.mjs: a server that is started and stopped, requests that end early,
// late or never. Not a driver; it checks nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';

const MODERN = '2026-07-28';
const META = 'io.modelcontextprotocol';
const START_MS = 15_000;
const ANSWER_MS = 15_000;

/** A request of 2026-07-28 as `send` takes it, with the headers that mirror its body. */
export function modern(method, params, headers) {
    const _meta = { [`${META}/protocolVersion`]: MODERN, [`${META}/clientCapabilities`]: {} };
    const mirrored = { 'mcp-protocol-version': MODERN, 'mcp-method': method, ...(params.uri && { 'mcp-name': params.uri }) };
    return message({ id: 1, method, params: { ...params, _meta } }, { ...mirrored, ...headers });
}

/** A request of 2025-11-25, or a notification if it has no parameters. */
export function legacy(method, params) {
    return message({ ...(params && { id: 1, params }), method }, { 'mcp-protocol-version': '2025-11-25' });
}

function message(members, headers) {
    const both = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
    return { method: 'POST', headers: both, body: JSON.stringify({ jsonrpc: '2.0', ...members }) };
}

/**
 * Sends a request: `body` at once with its length, or `pieces` in chunks, each written once the one before has left. With
 * `unended` the body stays without its end. Gives a promise of the whole answer, which fails if the answer breaks off, and has
 * `head` and `first` (the first bytes) as promises of their own, `isOpen()`, and `leave()`.
 */
export function send(url, { method, path = new URL(url).pathname, headers = {}, body, pieces, unended, keepAlive }) {
    const agent = keepAlive ? new Agent({ keepAlive: true }) : false;
    const length = body !== undefined && !unended ? { 'content-length': Buffer.byteLength(body) } : {};
    const request = httpRequest(url, { method, path, agent, headers: { ...length, ...headers } });
    let socket;
    request.once('socket', found => (socket = found));
    const head = inTime(once(request, 'response').then(([response]) => response), 'no answer', request);
    const first = head.then(response => inTime(once(response, 'data').then(([data]) => String(data)), 'no data', request));
    const whole = head.then(collect);
    for (const promise of [head, first, whole]) promise.catch(() => {});
    request.on('error', () => {}); // `head` has it.
    write(request, { body, pieces, unended });
    return Object.assign(whole, {
        head,
        first,
        isOpen: () => Boolean(socket) && !socket.destroyed && !socket.readableEnded,
        leave: () => request.destroy(),
    });
}

async function write(request, { body, pieces = [], unended }) {
    request.flushHeaders();
    for (const piece of body === undefined ? pieces : [body]) {
        await new Promise(resolve => request.write(piece, resolve));
    }
    if (!unended) request.end();
}

async function collect(response) {
    response.setEncoding('utf8');
    let text = '';
    for await (const data of response) text += data;
    if (!response.complete) throw new Error('the answer broke off');
    return { status: response.statusCode, headers: response.headers, text };
}

async function inTime(promise, problem, request) {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => {
            reject(new Error(`${problem} within ${ANSWER_MS / 1000} s`));
            request.destroy();
        }, ANSWER_MS);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Starts a server at a free port and reads its URL from what it says. It ends with this process at the latest. */
export async function served(binary) {
    const server = spawn(binary, ['127.0.0.1:0'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const kill = () => server.kill('SIGKILL');
    process.once('exit', kill);
    const exit = once(server, 'exit');
    exit.catch(() => {});
    const url = await Promise.race([
        said(server.stderr, /^serving on (http:\/\/\S+)\n/m),
        exit.then(([status]) => Promise.reject(new Error(`${binary} ended with status ${status} instead of serving`))),
        timedOut(START_MS, `${binary} did not serve in time`),
    ]);
    return { url, connect: () => connection(url), stop: limit => stop(server, exit, limit) };
}

function said(stream, pattern) {
    let text = '';
    stream.setEncoding('utf8');
    return new Promise(resolve => {
        // Read to its end, so that the server never waits for us.
        stream.on('data', data => {
            text += data;
            const found = text.match(pattern);
            if (found) resolve(found[1]);
        });
    });
}

function timedOut(limit, problem) {
    return new Promise((_, reject) => setTimeout(() => reject(new Error(problem)), limit).unref());
}

/** A connection that says nothing. */
async function connection(url) {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port });
    socket.on('error', () => {});
    await once(socket, 'connect');
    return { isOpen: () => !socket.destroyed && !socket.readableEnded };
}

/** Sends SIGTERM; gives how long it took to end with status 0. */
async function stop(server, exit, limit) {
    const began = performance.now();
    server.kill('SIGTERM');
    const [status, signal] = await Promise.race([exit, timedOut(limit, `still running ${limit / 1000} s after SIGTERM`)]);
    if (status !== 0) throw new Error(`ended with ${signal ?? `status ${status}`}`);
    return `${Math.round(performance.now() - began)} ms`;
}
