// The other ends: nginx with the example's configuration, the examples of this repository, a recorder in place of a server,
// and what the system knows of their connections. Each is started with a way to end it, by its own handle.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const SITE = new URL('../../examples/deploy/nginx.conf', import.meta.url);
const START_MS = 10_000;
const STOP_MS = 10_000;
const POLL_MS = 10;
/** The fixture lets in the names of this machine and no other, so the public name is one of them where it serves. */
export const NAME = 'localhost';
/** The public name of the example's configuration. */
export const PUBLIC = 'mcp.example.com';

export const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

/** Waits until something holds, which it is asked again and again. */
export async function until(holds, what, milliseconds = START_MS) {
    for (const late = Date.now() + milliseconds; ; ) {
        const found = await holds();
        if (found) return found;
        if (Date.now() > late) throw new Error(`${what}: not in ${milliseconds} ms`);
        await pause(POLL_MS);
    }
}

const given = new Set();

/** A port that nobody listens on, out of those that the system gives to no connection by itself, and never the same twice. */
export async function freePort() {
    for (;;) {
        const port = 20_000 + Math.floor(Math.random() * 12_000);
        if (given.has(port)) continue;
        given.add(port);
        const server = createServer();
        const isFree = await new Promise(resolve => {
            server.on('error', () => resolve(false)).listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
        });
        if (isFree) return port;
    }
}

function accepts(port) {
    return new Promise(resolve => {
        const socket = connect(port, '127.0.0.1');
        socket.on('connect', () => resolve(!socket.destroy().connecting)).on('error', () => resolve(false));
    });
}

const running = new Set();
let isOver = false;

/** Ends every program that still runs, and lets no other start. */
export async function endAll() {
    isOver = true;
    await Promise.allSettled([...running].map(program => program.stop('SIGKILL')));
}

/** A started program: `ended` resolves with how, `said` is what it wrote. */
class Program {
    said = '';

    constructor(name, binary, args) {
        if (isOver) throw new Error(`${name} is not started: the run is over`);
        this.name = name;
        const env = { ...process.env, RUST_LOG: 'info' };
        this.child = spawn(binary, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
        for (const output of [this.child.stdout, this.child.stderr]) output.on('data', piece => (this.said += piece));
        this.ended = new Promise(resolve => {
            this.child.on('error', error => resolve(error.message));
            this.child.on('exit', (status, signal) => resolve(signal ?? `status ${status}`));
        });
        running.add(this);
        this.ended.then(() => running.delete(this));
    }

    async listening(port) {
        const ended = this.ended.then(how => {
            throw new Error(`${this.name} ended at its start: ${how}\n${this.said.slice(-2000)}`);
        });
        ended.catch(() => {});
        await Promise.race([until(() => accepts(port), `${this.name} listens on port ${port}`), ended]);
        return this;
    }

    /** Ends it, and says how it ended; what does not end is killed and said to be `still running`. */
    async stop(signal = 'SIGTERM') {
        this.child.kill(signal);
        const how = await Promise.race([this.ended, pause(STOP_MS).then(() => 'still running')]);
        this.child.kill('SIGKILL');
        return how;
    }
}

/** One of this repository's examples, over HTTP. */
export async function startExample(binary, port, flags = []) {
    const example = new Program(binary.split('/').at(-1), binary, ['--http', `127.0.0.1:${port}`, ...flags]);
    return example.listening(port);
}

/** A folder for one nginx and all it writes, with a certificate that is valid for a day. */
export class Folder {
    constructor() {
        this.path = mkdtempSync(join(tmpdir(), 'grange-proxy-'));
        const names = [NAME, PUBLIC].map(name => `DNS:${name}`).join();
        const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=${names}`, '-days', '1'];
        const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', this.at('key.pem')];
        const made = spawnSync('openssl', ['req', '-x509', ...key, ...subject, '-out', this.at('certificate.pem')]);
        if (made.error || made.status) throw new Error(`openssl: ${made.error ?? made.stderr}; install it (Debian: openssl)`);
        this.ca = readFileSync(this.at('certificate.pem'));
    }

    at(name) {
        return join(this.path, name);
    }

    remove() {
        rmSync(this.path, { recursive: true });
    }
}

/**
 * A real nginx with the example's configuration before `ports`. Changed in the copy are the name, the addresses and the files, and
 * what `edits` says: pairs of a text that has to be there, and another.
 */
export async function startNginx(binary, folder, { ports, name = NAME, edits = [] }) {
    const port = await freePort();
    const prefix = folder.at(`nginx-${port}`);
    mkdirSync(prefix);
    writeFileSync(join(prefix, 'site.conf'), site(folder, prefix, port, ports, name, edits));
    writeFileSync(join(prefix, 'nginx.conf'), around(prefix));
    const nginx = new Nginx(binary, prefix, port);
    return nginx.listening(port);
}

class Nginx extends Program {
    #paths = 0;

    constructor(binary, prefix, port) {
        super('nginx', binary, ['-p', prefix, '-e', 'error.log', '-c', join(prefix, 'nginx.conf')]);
        Object.assign(this, { prefix, port });
    }

    /** At once: a graceful end would wait for what a failed check left open. Workers do not outlive it in any case. */
    async stop() {
        const workers = this.workers();
        const how = await super.stop('SIGTERM');
        if (how === 'still running') workers.forEach(killIfThere);
        return how;
    }

    reload() {
        this.child.kill('SIGHUP');
    }

    workers() {
        const { pid } = this.child;
        const list = `/proc/${pid}/task/${pid}/children`;
        return existsSync(list) ? readFileSync(list, 'utf8').split(' ').filter(word => word.trim()).map(Number) : [];
    }

    /** The endpoint, in a spelling that no other request has. */
    path() {
        return `/mcp?${++this.#paths}`;
    }

    /** What was logged of the requests for it: of each one only after its answer has gone, so they are waited for. */
    async logged(path, times = 1) {
        const mine = () => this.#lines('access.log').filter(Boolean).map(parseLog).filter(({ request }) => request.split(' ')[1] === path);
        await until(() => mine().length >= times, `nginx logs ${times} requests for ${path}`);
        return mine();
    }

    errors() {
        return this.#lines('error.log').filter(line => /\[(alert|crit|emerg|error)\]/.test(line));
    }

    notices() {
        return this.#lines('error.log').join('\n');
    }

    #lines(name) {
        const file = join(this.prefix, name);
        return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    }
}

function killIfThere(pid) {
    try {
        process.kill(pid, 'SIGKILL');
    } catch (error) {
        if (error.code !== 'ESRCH') throw error;
    }
}

function site(folder, prefix, port, upstreams, name, edits) {
    const servers = upstreams.map(upstream => `server 127.0.0.1:${upstream};`).join('\n    ');
    const changes = [
        [/^ *listen \[::\]:443 .*\n/gm, '', 2],
        [/listen 443 /g, `listen 127.0.0.1:${port} `, 2],
        [/mcp\.example\.com/g, name, 4],
        [`/etc/ssl/certs/${name}.pem`, folder.at('certificate.pem'), 1],
        [`/etc/ssl/private/${name}.key`, folder.at('key.pem'), 1],
        ['/var/log/nginx/grange.log', join(prefix, 'access.log'), 1],
        ['server 127.0.0.1:8787;', servers, 1],
        ...edits.map(([from, to]) => [from, to, 1]),
    ];
    return changes.reduce((text, [from, to, times]) => {
        const found = text.split(from).length - 1;
        if (found !== times) throw new Error(`nginx.conf: ${from} is there ${found} times, not ${times}`);
        return text.replaceAll(from, () => to);
    }, readFileSync(SITE, 'utf8'));
}

/** What Debian's nginx.conf is around the site: as little as it takes, everything in one folder, no service. */
function around(prefix) {
    const { uid, username } = userInfo();
    const user = uid === 0 ? `user ${username};` : '';
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${prefix}/${name};`);
    return `
daemon off;
${user}
pid ${prefix}/nginx.pid;
error_log ${prefix}/error.log notice;
worker_processes 1;
events { worker_connections 512; }
http {
    access_log off;
    ${temporary.join(' ')}
    include ${prefix}/site.conf;
}
`;
}

function parseLog(line) {
    const [, request, status, time, rest] = /"(.*?)" (\d+) \d+ ([\d.]+) (.*)$/.exec(line);
    const members = Object.fromEntries([...rest.matchAll(/(\w+)=([^=]+?)(?= \w+=|$)/g)].map(([, name, value]) => [name, value]));
    return { request, status: Number(status), took: Number(time), upstream: members };
}

/** In place of a server: writes down each head that arrives, and answers 200. */
export async function startRecorder() {
    const heads = [];
    const server = createServer(socket => {
        let text = '';
        socket.on('error', () => {});
        socket.on('data', piece => {
            text += piece;
            const end = text.indexOf('\r\n\r\n');
            if (end < 0) return;
            heads.push(text.slice(0, end).split('\r\n'));
            socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
        });
    });
    await new Promise((resolve, reject) => server.listen(0, '127.0.0.1', resolve).on('error', reject));
    return { heads, port: server.address().port, stop: () => server.close() };
}

/** The rows of the system's table of connections, as its states are numbered: 01 is established, 06 waits after it closed first. */
function rows() {
    const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
    return lines.map(line => line.trim().split(/\s+/)).map(([, local, remote, state]) => ({ local, remote, state }));
}

const LISTENING = '0A';
const CLOSED_FIRST = '06';
const address = port => `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;

/** The other ends of the connections to a port of 127.0.0.1, of any state since they were opened, or of one. */
export function connections(port, wanted) {
    const here = address(port);
    const known = rows().filter(({ state }) => state !== LISTENING && (wanted === undefined || state === wanted));
    const to = known.filter(({ remote }) => remote === here).map(({ local }) => local);
    return new Set([...to, ...known.filter(({ local }) => local === here).map(({ remote }) => remote)]);
}

export const ESTABLISHED = '01';

/** Whether it was the other end of such a connection that closed it first. */
export function wasClosedBy(other, port) {
    return rows().some(({ local, remote, state }) => local === other && remote === address(port) && state === CLOSED_FIRST);
}
