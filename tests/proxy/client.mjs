// A client of two wires, HTTP/1.1 and HTTP/2 over TLS, that shows what arrives when: heads, pieces, ends and breaks; and what
// it sends: the messages of both eras.
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';

export const MODERN = '2026-07-28';
export const LEGACY = '2025-11-25';
const ANSWER_MS = 20_000;

/** One client; `h1` keeps one connection for requests that follow each other, `h2` has one for all. */
export class Client {
    constructor(wire, { port, ca, servername, host }) {
        Object.assign(this, { wire, port, ca, servername, host });
        if (wire === 'h2') this.session = this.#connect();
        else this.agent = new https.Agent({ keepAlive: true, ALPNProtocols: ['http/1.1'] });
    }

    #connect() {
        const { port, ca, servername } = this;
        const session = http2.connect(`https://127.0.0.1:${port}`, { ca, servername });
        this.alpn = () => session.alpnProtocol;
        session.on('error', () => {});
        return session;
    }

    /**
     * Sends a request and gives its exchange once the head of the answer is there. A `body` is sent at once; without one and with
     * `open` the request stays open, for `exchange.request` to write to.
     */
    send({ method = 'POST', path = '/mcp', host = this.host, headers = {}, body, open = false }) {
        return this.wire === 'h2'
            ? this.#sendH2(method, path, host, headers, body, open)
            : this.#sendH1(method, path, host, headers, body, open);
    }

    #sendH1(method, path, host, headers, body, open) {
        const { port, ca, servername, agent } = this;
        const target = { host: '127.0.0.1', port, ca, servername, agent };
        const request = https.request({ ...target, method, path, headers: { host, ...headers, ...length(body) } });
        this.alpn = () => request.socket?.alpnProtocol;
        return overHttp1(request, body, open);
    }

    #sendH2(method, path, host, headers, body, open) {
        const head = { ':method': method, ':path': path, ':authority': host, ...headers, ...length(body) };
        const request = this.session.request(head, { endStream: false });
        const exchange = new Exchange(request, () => request.close(http2.constants.NGHTTP2_CANCEL));
        request.on('response', ({ ':status': status, ...answer }) => exchange.head(status, answer));
        request.on('data', piece => exchange.piece(piece));
        request.on('end', () => exchange.end());
        request.on('close', () => exchange.break(`closed with code ${request.rstCode}`));
        return exchange.begin(body, open);
    }

    /** The same message, answered whole. */
    async ask(what) {
        const exchange = await this.send(what);
        return exchange.whole();
    }

    close() {
        this.session?.destroy();
        this.agent?.destroy();
    }
}

/** A request in the clear, straight to a server. */
export async function direct(port, { method = 'POST', path = '/mcp', host = `127.0.0.1:${port}`, headers = {}, body }) {
    const target = { host: '127.0.0.1', port, agent: false };
    const request = http.request({ ...target, method, path, headers: { host, ...headers, ...length(body) } });
    return (await overHttp1(request, body, false)).whole();
}

function overHttp1(request, body, open) {
    const exchange = new Exchange(request, () => request.destroy());
    request.on('response', response => {
        exchange.head(response.statusCode, response.headers);
        response.on('data', piece => exchange.piece(piece));
        response.on('end', () => exchange.end());
        response.on('error', error => exchange.break(error.message));
        response.on('close', () => exchange.break('closed early'));
    });
    return exchange.begin(body, open);
}

function length(body) {
    return body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
}

/** A request and its answer. `ended` is '' as long as it goes on, then `whole` or how it broke. */
class Exchange {
    status;
    headers;
    ended = '';
    #pieces = [];
    #taken = 0;
    #seen = 0;
    #text = '';
    #waiting = [];

    constructor(request, stop) {
        this.request = request;
        this.stop = stop;
    }

    /** Sends the body, unless it stays open, and waits for the head. */
    async begin(body, open) {
        this.request.on('error', error => this.break(error.message));
        if (open) return this;
        this.request.end(body);
        return this.answered();
    }

    /** Resolves with the exchange once the head is there; rejects if there will be none. */
    async answered() {
        await this.#until(() => this.status !== undefined, 'the head of the answer');
        return this;
    }

    /** The next message of an event stream. Comments are counted on the way. */
    async event() {
        let found;
        await this.#until(() => (found = this.#takeEvent()) !== undefined, 'the next event');
        return found;
    }

    /** Waits for so many comments in all. */
    comments(number) {
        const count = () => this.#all().toString('utf8').split('\n').filter(line => line.startsWith(':')).length;
        return this.#until(() => count() >= number, `${number} comments`);
    }

    async over() {
        try {
            await this.#until(() => this.ended !== '', 'the end');
        } catch (error) {
            if (this.ended === '') throw error;
        }
        return this.ended;
    }

    async whole() {
        equalEnd(await this.over());
        return { status: this.status, headers: this.headers, bytes: this.#all() };
    }

    head(status, headers) {
        this.status = status;
        this.headers = headers;
        this.#wake();
    }

    piece(piece) {
        this.#pieces.push(piece);
        this.#wake();
    }

    end() {
        this.ended ||= 'whole';
        this.#wake();
    }

    break(how) {
        this.ended ||= how || 'broken';
        this.#wake();
    }

    #all() {
        return Buffer.concat(this.#pieces);
    }

    /** An event is looked for only once a line has ended: a message of many pieces is one line. */
    #takeEvent() {
        const isLine = this.#pieces.slice(this.#seen).some(piece => piece.includes('\n'));
        this.#seen = this.#pieces.length;
        if (isLine) {
            this.#text += Buffer.concat(this.#pieces.slice(this.#taken)).toString('utf8');
            this.#taken = this.#seen;
        }
        for (;;) {
            const end = this.#text.indexOf('\n\n');
            if (end < 0) return undefined;
            const lines = this.#text.slice(0, end).split('\n');
            this.#text = this.#text.slice(end + 2);
            const data = lines.filter(line => line.startsWith('data:')).map(line => line.slice(5).trim()).join('\n');
            if (data) return JSON.parse(data);
        }
    }

    #wake() {
        for (const wake of this.#waiting.splice(0)) wake();
    }

    /** Waits until something holds; fails when it no longer can, or after a time that no healthy run takes. */
    async #until(holds, what) {
        const late = Date.now() + ANSWER_MS;
        while (!holds()) {
            if (this.ended) throw new Error(`${what} did not come: ${this.ended}, ${this.#all().toString('utf8').slice(0, 300)}`);
            const left = late - Date.now();
            if (left <= 0) throw new Error(`${what} did not come in ${ANSWER_MS} ms`);
            await new Promise(resolve => {
                const timer = setTimeout(resolve, left);
                this.#waiting.push(() => resolve(clearTimeout(timer)));
            });
        }
    }
}

function equalEnd(ended) {
    if (ended !== 'whole') throw new Error(`the answer broke off: ${ended}`);
}

/** A request of the modern era, with its mirrored headers. */
export function modern(method, params = {}, { accept = 'application/json, text/event-stream', headers = {} } = {}) {
    const meta = {
        'io.modelcontextprotocol/protocolVersion': MODERN,
        'io.modelcontextprotocol/clientCapabilities': {},
    };
    const name = params.uri ?? params.name;
    return {
        headers: {
            'content-type': 'application/json',
            accept,
            'mcp-protocol-version': MODERN,
            'mcp-method': method,
            ...(name === undefined ? {} : { 'mcp-name': name }),
            ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
    };
}

export const read = (uri, options) => modern('resources/read', { uri }, options);
export const listen = options => modern('subscriptions/listen', { notifications: {} }, options);

/** A message of a session, or the request that opens one. */
export function legacy(message, { session, accept = 'application/json, text/event-stream' } = {}) {
    const known = session ? { 'mcp-session-id': session, 'mcp-protocol-version': LEGACY } : {};
    return {
        headers: { 'content-type': 'application/json', accept, ...known },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    };
}

/** Shakes hands; gives the id of the session. */
export async function handshake(client, capabilities = {}) {
    const params = { protocolVersion: LEGACY, capabilities, clientInfo: { name: 'proxy', version: '1.0.0' } };
    const opened = await client.ask(legacy({ id: 0, method: 'initialize', params }));
    if (opened.status !== 200) throw new Error(`initialize: ${opened.status} ${opened.bytes}`);
    const session = opened.headers['mcp-session-id'];
    await client.ask(legacy({ method: 'notifications/initialized' }, { session }));
    return session;
}

export const json = ({ bytes }) => JSON.parse(bytes.toString('utf8'));
/** What a read gave. */
export const text = answer => json(answer).result.contents[0].text;
