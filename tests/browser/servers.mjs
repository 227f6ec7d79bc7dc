// What the browser meets: the examples and the origin of the page, as a user starts them; around a view, the origin of the
// host's page and that of its sandbox.
//
// The host's page reaches the example through its own origin, because `apps` answers no page of another: the proxy sends on
// what the published client in the page wrote, with the example's `Host`, and writes down each message.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript', mjs: 'text/javascript' };
const START_MS = 10_000;
const STOP_MS = 10_000;
/** An origin and nothing else: no space, quote, comma or semicolon can leave its directive. */
const ORIGIN = /^(https?|wss?):\/\/[^\s;,'"]+$/;

const PAGE = fileURLToPath(new URL('../../examples/browser/serve.mjs', import.meta.url));

/** Starts an example on a port that the system chooses; gives where it listens and how to end it. */
export function startExample(binary, ...args) {
    return started(binary, ['--addr', '127.0.0.1:0', ...args], /listening on (http:[^\s,]+)/);
}

/** The origin of the `browser` example's page, served by what a user serves it with. */
export function startPage() {
    return started(process.execPath, [PAGE, '0'], /open (http:\S+)/);
}

/** Starts a program, and waits for it to say where it listens. */
async function started(program, args, says) {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = new Promise(resolve => {
        child.on('error', error => resolve(error.message));
        child.on('exit', (status, signal) => resolve(signal ?? `status ${status}`));
    });
    const listening = new Promise(resolve => {
        createInterface(child.stderr).on('line', line => {
            console.error(`${basename(program)} said: ${line}`);
            const [, url] = says.exec(line) ?? [];
            if (url) resolve(new URL(url));
        });
    });
    const stop = async () => {
        child.kill('SIGTERM');
        const how = await Promise.race([ended, after(STOP_MS, 'still running')]);
        child.kill('SIGKILL');
        return how;
    };
    const url = await Promise.race([listening, ended, after(START_MS, 'silent')]);
    if (url instanceof URL) return { url, stop };
    child.kill('SIGKILL');
    throw new Error(`${program} did not say where it listens: ${url}`);
}

/** The origin of the host's page, with the example behind `/mcp`. `wire` has every message that went to the example. */
export async function startHost(example) {
    const wire = [];
    const origin = await listen(async (incoming, answer) => {
        const { pathname } = new URL(incoming.url, 'http://host');
        if (pathname === '/mcp') return forward(example, wire, incoming, answer);
        return serve(answer, pathname.startsWith('/modules/') ? `node_${pathname.slice(1)}` : `page${pathname}`);
    });
    return { ...origin, wire };
}

/** The sandbox's own origin. The policy is a header, which no page can take back. */
export async function startSandbox() {
    return listen(async (incoming, answer) => {
        const declared = new URL(incoming.url, 'http://sandbox').searchParams.get('csp');
        return serve(answer, 'page/sandbox.html', { 'content-security-policy': policy(JSON.parse(declared)) });
    });
}

/** The policy for a view that declared this (2026-01-26 "Host Behavior" and "Sandbox proxy"): what is not named is refused. */
export function policy({ connectDomains, resourceDomains, frameDomains, baseUriDomains }) {
    const directive = (name, always, declared = []) => {
        const sources = [...always, ...declared.filter(origin => ORIGIN.test(origin))];
        return `${name} ${sources.length ? sources.join(' ') : "'none'"}`;
    };
    return [
        "default-src 'none'",
        directive('script-src', ["'self'", "'unsafe-inline'"], resourceDomains),
        directive('style-src', ["'self'", "'unsafe-inline'"], resourceDomains),
        directive('img-src', ["'self'", 'data:'], resourceDomains),
        directive('font-src', [], resourceDomains),
        directive('media-src', ["'self'", 'data:'], resourceDomains),
        directive('connect-src', [], connectDomains),
        directive('frame-src', [], frameDomains),
        directive('base-uri', baseUriDomains ? [] : ["'self'"], baseUriDomains),
        "object-src 'none'",
    ].join('; ');
}

/** Where nobody listens any more. */
export async function nobody() {
    const { url, stop } = await listen(async () => {});
    stop();
    return new URL('/mcp', url);
}

async function listen(handle) {
    const server = createServer((incoming, answer) => {
        handle(incoming, answer).catch(error => answer.writeHead(500).end(String(error)));
    });
    await new Promise((resolve, reject) => server.listen(0, '127.0.0.1', resolve).on('error', reject));
    return { url: `http://127.0.0.1:${server.address().port}/`, stop: () => server.closeAllConnections() ?? server.close() };
}

async function serve(answer, path, headers = {}) {
    try {
        const body = await readFile(new URL(path, import.meta.url));
        const type = TYPES[path.split('.').at(-1)] ?? 'application/octet-stream';
        answer.writeHead(200, { 'content-type': type, 'cache-control': 'no-store', ...headers }).end(body);
    } catch {
        answer.writeHead(404).end();
    }
}

async function forward(example, wire, incoming, answer) {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (body.length) wire.push(JSON.parse(body));
    const headers = { ...incoming.headers, host: example.host };
    const onward = request(example, { method: incoming.method, headers }, reply => {
        answer.writeHead(reply.statusCode, reply.headers);
        reply.pipe(answer);
    });
    onward.on('error', error => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end(String(error))));
    answer.on('close', () => onward.destroy());
    onward.end(body);
}

function after(milliseconds, what) {
    return new Promise(resolve => setTimeout(resolve, milliseconds, what).unref());
}
