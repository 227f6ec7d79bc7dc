// The checks of requests and plain answers: what comes through whole, what nginx adds and takes away, and who refuses what.
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { equal } from '../clients/node/check.mjs';
import { direct, handshake, json, legacy, modern, read, text } from './client.mjs';
import { checkNames } from './names.mjs';
import { NAME, connections, pause } from './servers.mjs';

const ALPN = { h1: 'http/1.1', h2: 'h2' };
const RESOURCES = 11;
const BIG = createHash('sha256');
for (let line = 0; line < 655_360; line++) BIG.update(`${String(line).padStart(15, '0')}\n`);
const BIG_SHA256 = BIG.digest('hex');
const SEQUENCE = 50;
const MIB = 1024 * 1024;

const sha256 = text => createHash('sha256').update(text).digest('hex');

function holds(condition, what) {
    if (!condition) throw new Error(what);
}

export async function checkRequests(report, theatre, wire) {
    const flags = ['--big', '--sessions'];
    await theatre.play({ wire, flags }, async stage => {
        for (const [name, check] of Object.entries(answers)) await report.check(`${wire} ${name}`, () => check(stage));
        for (const [name, check] of Object.entries(refusals)) await report.check(`${wire} ${name}`, () => check(stage));
        await report.check(`${wire} logs no error but of a body that is too long`, async () => {
            const errors = stage.nginx.errors();
            const others = errors.filter(line => !line.includes('client intended to send too large body'));
            equal(others.join('; '), '', 'other errors');
            equal(errors.length, 1, 'errors');
        });
    });
    await checkNames(report, theatre, wire);
    await checkSlowBodies(report, theatre, wire);
    await checkSeveral(report, theatre, wire);
}

const answers = {
    'answers over the protocol that was agreed on': async ({ wire, client }) => {
        equal(text(await client.ask(read('demo://alpha/Read%20Me'))), 'hi', 'contents');
        equal(client.alpn(), ALPN[wire], 'ALPN');
        return client.alpn();
    },
    'lists': async ({ client }) => {
        const { resources } = json(await client.ask(modern('resources/list'))).result;
        equal(resources.length, RESOURCES, 'resources');
    },
    'keeps a legacy session from its handshake to its end': async ({ client }) => {
        const session = await handshake(client);
        holds(session, 'no Mcp-Session-Id');
        const list = await client.ask(legacy({ id: 1, method: 'resources/list' }, { session }));
        equal(json(list).result.resources.length, RESOURCES, 'resources');
        const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
        const get = await client.ask({ method: 'GET', headers: { ...headers, accept: 'text/event-stream' } });
        equal(`${get.status} ${get.headers.allow}`, '405 POST, DELETE', 'GET without anything to push');
        equal((await client.ask({ method: 'DELETE', headers })).status, 204, 'DELETE');
        const late = await client.ask(legacy({ id: 2, method: 'resources/list' }, { session }));
        equal(`${late.status} ${json(late).error.message}`, '404 Session not found', 'after the end');
    },
    'passes 10 MiB unbroken, with their length': async ({ client }) => {
        const answer = await client.ask(read('demo://big'));
        equal(answer.headers['content-encoding'], undefined, 'Content-Encoding');
        equal(Number(answer.headers['content-length']), answer.bytes.length, 'Content-Length');
        equal(sha256(text(answer)), BIG_SHA256, 'SHA-256');
        return `${answer.bytes.length} bytes`;
    },
    'compresses JSON for a client that takes it': async ({ client }) => {
        const answer = await client.ask(read('demo://big', { headers: { 'accept-encoding': 'gzip' } }));
        equal(answer.headers['content-encoding'], 'gzip', 'Content-Encoding');
        equal(answer.headers.vary, 'Accept-Encoding', 'Vary');
        const bytes = gunzipSync(answer.bytes);
        equal(sha256(text({ bytes })), BIG_SHA256, 'SHA-256');
        return `${answer.bytes.length} of ${bytes.length} bytes`;
    },
    'compresses no event stream': async ({ client }) => {
        const options = { accept: 'text/event-stream', headers: { 'accept-encoding': 'gzip' } };
        const exchange = await client.send(read('demo://big', options));
        equal(exchange.headers['content-type'], 'text/event-stream', 'Content-Type');
        equal(exchange.headers['content-encoding'], undefined, 'Content-Encoding');
        equal(sha256((await exchange.event()).result.contents[0].text), BIG_SHA256, 'SHA-256');
        equal(await exchange.over(), 'whole', 'end');
    },
    'passes the longest headers': async ({ client }) => {
        const uri = `demo://${'x'.repeat(30_000)}`;
        const answer = await client.ask(read(uri));
        equal(json(answer).error.data.uri.length, uri.length, 'URI in the error');
    },
    'repeats requests over the connections that it has': async ({ client, port }) => {
        const before = connections(port).size;
        for (let number = 0; number < SEQUENCE; number++) await client.ask(read('demo://beta'));
        const opened = connections(port).size - before;
        holds(opened <= 2, `${SEQUENCE} requests opened ${opened} connections to the server`);
        return `${SEQUENCE} requests, ${connections(port).size} connections since the start`;
    },
};

const refusals = {
    'keeps other names out': async ({ client, connect }) => {
        for (const host of ['evil.example', '127.0.0.1', `${NAME}.evil.example`]) {
            const { status } = await client.ask({ ...read('demo://beta'), host });
            equal(status, 421, `status for ${host}`);
        }
        const unknown = connect({ servername: 'evil.example' });
        const outcome = await unknown.ask(read('demo://beta')).then(() => 'an answer', error => error.message);
        holds(/unrecognized.name|did not come/i.test(outcome), `handshake for another name: ${outcome}`);
    },
    'leaves origins to the server': async ({ client }) => {
        for (const origin of ['https://evil.example', 'null', `https://${NAME}.evil.example`]) {
            const answer = await client.ask(read('demo://beta', { headers: { origin } }));
            equal(answer.status, 403, `status for ${origin}`);
            holds(json(answer).error.message.startsWith(`origin "${origin}" is`), `${answer.bytes}`);
        }
        equal((await client.ask(read('demo://beta', { headers: { origin: `https://${NAME}` } }))).status, 200, 'own origin');
    },
    'lets the server refuse what is too long': async ({ client, nginx }) => {
        const { headers } = read('demo://beta');
        for (const announced of [true, false]) {
            const body = 'x'.repeat(5 * MIB);
            const path = nginx.path();
            const exchange = await client.send({ path, headers, body: announced ? body : undefined, open: !announced });
            if (!announced) exchange.request.end(body);
            const answer = await (await exchange.answered()).whole();
            equal(answer.status, 413, 'status');
            holds(/longer than 4194304 bytes.*Limits::message_bytes/.test(json(answer).error.message), `${answer.bytes}`);
            const [{ upstream }] = await nginx.logged(path);
            equal(upstream.status, '413', 'status of the server');
        }
    },
    'refuses itself only what no limit of the server allows': async ({ client, nginx }) => {
        const headers = { ...read('demo://beta').headers, 'content-length': 33 * MIB };
        const path = nginx.path();
        const exchange = await client.send({ path, headers, open: true });
        exchange.request.flushHeaders?.();
        await exchange.answered();
        equal(`${exchange.status} ${exchange.headers['content-type']}`, '413 text/html', 'answer');
        exchange.stop();
        const [{ upstream }] = await nginx.logged(path);
        equal(upstream.status, '-', 'status of the server');
    },
};

/** The guide says which probes fit: what a plain GET gets, straight from a server. */
export async function checkProbes(report, theatre) {
    const KNOWN = '/.well-known/oauth-protected-resource';
    for (const [flags, status, known] of [[[], 405, 404], [['--sessions'], 400, 404], [['--auth'], 401, 200]]) {
        await theatre.play({ wire: 'h1', flags }, async ({ port }) => {
            await report.check(`a probe by GET is answered as the guide says (${flags.join() || 'no flags'})`, async () => {
                const get = (path, host) => direct(port, { method: 'GET', path, host });
                equal((await get('/mcp')).status, status, 'the endpoint');
                equal((await get('/mcp', '10.0.0.7:8787')).status, 403, 'the endpoint, addressed by an address');
                equal((await get('/healthz')).status, 404, 'another path');
                equal((await get(KNOWN, known === 200 ? '10.0.0.7:8787' : undefined)).status, known, 'the document for clients');
            });
        });
    }
}

async function checkSlowBodies(report, theatre, wire) {
    const { headers, body } = read('demo://beta');
    const sendSlowly = async (client, path) => {
        const exchange = await client.send({ path, headers: { ...headers, 'content-length': body.length }, open: true });
        for (const at of [0, 20, 40]) {
            exchange.request.write(body.slice(at, at + 20));
            await pause(100);
        }
        return exchange;
    };
    await theatre.play({ wire }, async ({ client, nginx, port }) => {
        await report.check(`${wire} keeps a slow body from the server until it is whole`, async () => {
            const before = connections(port).size;
            const path = nginx.path();
            const exchange = await sendSlowly(client, path);
            equal(connections(port).size, before, 'connections to the server while the body arrives');
            exchange.request.end(body.slice(60));
            equal(text(await (await exchange.answered()).whole()), 'b', 'contents');
            const [{ took, upstream }] = await nginx.logged(path);
            equal(connections(port).size, before + 1, 'connections to the server after the end of the body');
            return `${upstream.time} s at the server, ${took} s in all`;
        });
    });
    const edits = [['client_body_timeout 30s;', 'client_body_timeout 500ms;']];
    await theatre.play({ wire, edits }, async ({ client, nginx }) => {
        await report.check(`${wire} gives up on a body that stops`, async () => {
            const path = nginx.path();
            const exchange = await sendSlowly(client, path);
            const ended = await exchange.over();
            holds(ended !== 'whole' || exchange.status === 408, `the answer is whole: ${exchange.status}`);
            const [{ status, upstream }] = await nginx.logged(path);
            equal(`${status} ${upstream.status}`, '408 -', 'logged');
        });
    });
}

/** Two servers that know nothing of each other. */
async function checkSeveral(report, theatre, wire) {
    const inTurn = async ({ client }, times) => {
        const session = await handshake(client);
        const answers = [];
        for (let id = 1; id <= times; id++) {
            answers.push((await client.ask(legacy({ id, method: 'resources/list' }, { session }))).status);
        }
        return answers.filter(status => status === 404).length;
    };
    await theatre.play({ wire, servers: 2, flags: ['--sessions'] }, async stage => {
        await report.check(`${wire} asks any server what needs no session`, async () => {
            const path = stage.nginx.path();
            for (let number = 0; number < 6; number++) {
                equal(text(await stage.client.ask({ ...read('demo://beta'), path })), 'b', 'contents');
            }
            const logged = await stage.nginx.logged(path, 6);
            const used = new Set(logged.map(({ upstream }) => upstream.upstream));
            equal(used.size, 2, 'servers that answered');
        });
        await report.check(`${wire} loses sessions without affinity`, async () => {
            const lost = await inTurn(stage, 6);
            holds(lost > 0, 'every request of the session found its server');
            return `${lost} of 6`;
        });
        await report.check(`${wire} passes over a server that is down`, async () => {
            equal(await stage.server.stop(), 'status 0', 'end of one of the two');
            for (let number = 0; number < 6; number++) equal(text(await stage.client.ask(read('demo://beta'))), 'b', 'contents');
        });
    });
    const edits = [['# hash $remote_addr consistent;', 'hash $remote_addr consistent;']];
    await theatre.play({ wire, servers: 2, flags: ['--sessions'], edits }, async stage => {
        await report.check(`${wire} keeps sessions with affinity`, async () => equal(await inTurn(stage, 6), 0, 'lost requests'));
    });
}
