// The example under test as a process, and requests to it that no client library touches.
// Part of run.mjs; runs only with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const START_MS = 15_000;
const ANSWER_MS = 10_000;
const MODERN = '2026-07-28';
const META = 'io.modelcontextprotocol';

export async function freePort() {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address();
    probe.close();
    await once(probe, 'close');
    return port;
}

export class Server {
    /** Starts the example, and comes back once it listens. `resource` is its endpoint's URL unless it is given. */
    static async start(binary, issuer, port, resource) {
        const server = new Server();
        server.origin = `http://127.0.0.1:${port}`;
        server.url = `${server.origin}/mcp`;
        const named = resource ? ['--resource', resource] : [];
        server.child = spawn(binary, ['--addr', `127.0.0.1:${port}`, '--issuer', issuer, ...named], { stdio: ['ignore', 'ignore', 'pipe'] });
        const late = setTimeout(() => server.child.kill('SIGKILL'), START_MS);
        for await (const line of createInterface({ input: server.child.stderr })) {
            if (!line.startsWith('listening on ')) continue;
            clearTimeout(late);
            server.child.stderr.resume();
            return server;
        }
        throw new Error('the server ended instead of listening');
    }

    /** Ends it the way a supervisor does; gives the exit status. */
    async stop() {
        this.child.kill('SIGTERM');
        const late = setTimeout(() => this.child.kill('SIGKILL'), START_MS);
        const [status] = this.child.exitCode === null ? await once(this.child, 'exit') : [this.child.exitCode];
        clearTimeout(late);
        return status;
    }

    kill() {
        this.child.kill('SIGKILL');
    }

    /** Reads a resource. `authorization` has one header line an entry; `wire` is `modern` or `legacy`. */
    async read(uri, { authorization = [], wire = 'legacy', query = '' } = {}) {
        const params = wire === 'modern' ? { uri, _meta: { [`${META}/protocolVersion`]: MODERN, [`${META}/clientCapabilities`]: {} } } : { uri };
        const marks = wire === 'modern' ? ['mcp-protocol-version', MODERN, 'mcp-method', 'resources/read', 'mcp-name', uri] : [];
        const lines = authorization.flatMap(value => ['authorization', value]);
        const headers = ['content-type', 'application/json', 'accept', 'application/json, text/event-stream', ...marks, ...lines];
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params });
        const answer = await ask('POST', this.url + query, headers, body);
        return { ...answer, value: JSON.parse(answer.body).result?.contents[0].text };
    }

    /** How often a reader ran that is not this count's own. */
    async reads(token) {
        const { status, value } = await this.read('stats://reads', { authorization: [`Bearer ${token}`] });
        if (status !== 200) throw new Error(`the count of reads answered ${status}`);
        return Number(value);
    }
}

/** One request with exactly these header lines. */
export async function ask(method, url, headers = [], body = '') {
    const { host } = new URL(url);
    const lines = ['host', host, 'content-length', String(Buffer.byteLength(body)), 'connection', 'close', ...headers];
    const sent = request(url, { method, headers: lines, agent: false, timeout: ANSWER_MS });
    sent.on('timeout', () => sent.destroy(new Error(`no answer in ${ANSWER_MS} ms`)));
    sent.end(body);
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const piece of response.setEncoding('utf8')) text += piece;
    const challenges = response.rawHeaders.filter((_, index) => response.rawHeaders[index - 1]?.toLowerCase() === 'www-authenticate' && index % 2);
    return { status: response.statusCode, headers: response.headers, challenges, body: text };
}

/** A challenge by the grammar of RFC 9110: its scheme, and its parameters, of which none may come twice. */
export function challenge(text) {
    const [, scheme, rest] = /^([!#$%&'*+.^_`|~\w-]+)(?: +(.*))?$/s.exec(text ?? '') ?? [];
    if (!scheme) throw new Error(`no challenge: ${text}`);
    const parameters = {};
    let left = rest ?? '';
    while (left) {
        const [whole, name, quoted, token] = /^([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~\w-]+))(?:, *|$)/.exec(left) ?? [];
        if (!whole) throw new Error(`no parameter of a challenge: ${left}`);
        if (name in parameters) throw new Error(`${name} comes twice: ${text}`);
        parameters[name] = quoted?.replace(/\\(.)/g, '$1') ?? token;
        left = left.slice(whole.length);
    }
    return { scheme, ...parameters };
}
