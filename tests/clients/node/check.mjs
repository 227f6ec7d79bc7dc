// The checks that the drivers share: one connection, every resource, one unknown URI; and the report of all.
//
// Error codes are taken from the message on the wire, because @modelcontextprotocol/client reports -32602
// for a -32002 that carries `data.uri`.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';

const TEXT = new Set(['.md', '.markdown', '.txt', '.svg']);
const BLOB = new Set(['.png', '.jpg', '.jpeg', '.gif', '.webp']);
const NOT_FOUND = { '2026-07-28': -32602, '2025-11-25': -32002 };
const TIMEOUT_MS = 20_000;
const WHOLE_RUN_MS = 150_000;

export const shell = command => ({ command: 'sh', args: ['-c', `exec ${command}`] });

/** Runs every mode of a client against the folder and the server that the command line names, prints the report, exits. */
export async function main(client) {
    const { values } = parseArgs({ options: { http: { type: 'string' }, stdio: { type: 'string' }, dir: { type: 'string' } } });
    if (!values.dir || Boolean(values.http) === Boolean(values.stdio)) {
        console.error(`usage: node ${client.name}.mjs (--http URL | --stdio COMMAND) --dir DIR`);
        process.exit(2);
    }
    const files = filesBelow(values.dir);
    const check = (report, name, connection, revision) => checkConnection(report, name, connection, revision, files);
    await everyMode(client.name, [client], values, check);
}

/** Runs a check of a connection, `check(report, name, connection, revision)`, for every mode of the clients; prints the report, exits. */
export async function everyMode(driver, clients, values, check) {
    const wire = values.http ? 'http' : 'stdio';
    const report = new Report();
    let connection;
    setTimeout(() => {
        report.fail(`node ${driver}`, new Error(`not finished after ${WHOLE_RUN_MS / 1000} s`));
        if (connection.transport.pid) process.kill(connection.transport.pid, 'SIGKILL');
        report.end();
    }, WHOLE_RUN_MS).unref();
    for (const { transports, modes } of clients) {
        for (const mode of modes) {
            connection = { client: mode.client(), transport: transports[wire](values[wire]) };
            await check(report, `node ${driver} ${mode.name} ${wire}`, connection, mode.revision);
        }
    }
    report.end();
}

/** `relative/path` → { sha256, text }, for each file that the docs example serves. */
function filesBelow(dir, prefix = '', found = new Map()) {
    for (const entry of readdirSync(join(dir, prefix), { withFileTypes: true })) {
        const path = prefix ? `${prefix}/${entry.name}` : entry.name;
        const extension = extname(entry.name);
        if (entry.isDirectory()) filesBelow(dir, path, found);
        else if (TEXT.has(extension) || BLOB.has(extension)) {
            found.set(path, { sha256: sha256(readFileSync(join(dir, path))), text: TEXT.has(extension) });
        }
    }
    return found;
}

async function checkConnection(report, name, connection, revision, files) {
    let resources = [];
    const { client } = connection;
    const wire = await checkConnect(report, name, connection, revision);
    if (!wire) return;
    await report.check(`${name}: list`, async () => {
        resources = await listAll(client);
        if (files.size === 0) throw new Error('no matching file on disk: nothing would be tested');
        const served = new Set(resources.map(resource => pathOf(resource.uri)));
        const quoted = paths => `[${paths.map(path => JSON.stringify(path)).join(', ')}]`;
        equal(quoted([...files.keys()].filter(path => !served.has(path))), '[]', 'files not listed');
        equal(quoted([...served].filter(path => !files.has(path))), '[]', 'listed without a file');
        equal(resources.length, files.size, 'number of resources');
        return `${resources.length} resources`;
    });
    await report.check(`${name}: read`, async () => {
        if (resources.length === 0) throw new Error('nothing listed');
        const wrong = [];
        for (const { uri } of resources) {
            try {
                compare(uri, await client.readResource({ uri }, { timeout: TIMEOUT_MS }), files.get(pathOf(uri)));
            } catch (error) {
                wrong.push(`${uri}: ${error.message}`);
            }
        }
        if (wrong.length) throw new Error(`${wrong.length} of ${resources.length} differ: ${wrong.slice(0, 5).join(' | ')}`);
        return `${resources.length} equal to their files`;
    });
    const folder = resources[0]?.uri.startsWith('docs:///') ? 'docs:///' : 'docs://';
    await checkUnknown(report, name, connection, wire, `${folder}no-such-folder/no-such-document.md`);
    await checkClose(report, name, connection);
}

/** Connects, and gives what is seen on the wire from then on: `revision`, and the last `error`. Nothing if it failed. */
export async function checkConnect(report, name, { client, transport }, revision) {
    const wire = {};
    const connected = await report.check(`${name}: connect`, async () => {
        const settle = transport.setProtocolVersion?.bind(transport);
        transport.setProtocolVersion = version => {
            wire.revision = version;
            settle?.(version);
        };
        await client.connect(transport, { timeout: TIMEOUT_MS });
        const deliver = transport.onmessage;
        transport.onmessage = (message, ...rest) => {
            if (message.error) wire.error = message.error;
            deliver?.call(transport, message, ...rest);
        };
        equal(wire.revision, revision, 'negotiated revision');
        return revision;
    });
    if (connected) return wire;
    await client.close().catch(() => {});
}

/** Asks for what is not there: the code of the era, and the URI as it was sent. */
export async function checkUnknown(report, name, { client }, wire, uri) {
    const read = () => client.readResource({ uri }, { timeout: TIMEOUT_MS });
    await report.check(`${name}: unknown resource`, () => expectUnknown(wire, uri, read));
}

/** What is asked is refused as an unknown resource; gives the code. */
export async function expectUnknown(wire, uri, ask) {
    wire.error = undefined;
    const outcome = await ask().then(() => 'a result', () => 'an error');
    equal(outcome, 'an error', 'answer');
    equal(wire.error?.code, NOT_FOUND[wire.revision], 'error code');
    equal(wire.error?.data?.uri, uri, 'error data.uri');
    return String(wire.error.code);
}

export async function checkClose(report, name, { client, transport }) {
    await report.check(`${name}: close`, async () => {
        await transport.terminateSession?.();
        await client.close();
    });
}

async function listAll(client) {
    const resources = [];
    let cursor;
    for (let page = 0; page < 1000; page++) {
        const result = await client.listResources(cursor === undefined ? undefined : { cursor }, { timeout: TIMEOUT_MS });
        resources.push(...result.resources);
        cursor = result.nextCursor;
        if (cursor === undefined) return resources;
    }
    throw new Error('resources/list does not end');
}

/** `docs://a/b%20c` and `docs:///a/b%20c` both name the file `a/b c`. */
function pathOf(uri) {
    if (!uri.startsWith('docs://')) throw new Error(`not a docs:// URI: ${uri}`);
    return uri.slice('docs://'.length).replace(/^\//, '').split('/').map(decodeURIComponent).join('/');
}

function compare(uri, { contents }, file) {
    equal(contents.length, 1, 'content items');
    const [item] = contents;
    equal(item.uri, uri, 'content uri');
    equal(typeof item.text, file.text ? 'string' : 'undefined', 'type of text');
    equal(typeof item.blob, file.text ? 'undefined' : 'string', 'type of blob');
    const bytes = Buffer.from(file.text ? item.text : item.blob, file.text ? 'utf8' : 'base64');
    if (!file.text) equal(bytes.toString('base64'), item.blob, 'base64 with padding');
    equal(sha256(bytes), file.sha256, 'SHA-256');
}

export function equal(got, expected, what) {
    if (got !== expected) throw new Error(`${what}: expected ${expected}, got ${got}`);
}

function sha256(bytes) {
    return createHash('sha256').update(bytes).digest('hex');
}

export class Report {
    passed = 0;
    failed = 0;

    async check(name, run) {
        try {
            const detail = await run();
            console.log(`ok   ${name}${detail ? ` (${detail})` : ''}`);
            this.passed++;
            return true;
        } catch (error) {
            this.fail(name, error);
            return false;
        }
    }

    fail(name, error) {
        console.log(`FAIL ${name}: ${String(error?.message ?? error).replace(/\s+/g, ' ').slice(0, 2000)}`);
        this.failed++;
    }

    end() {
        process.exitCode = this.failed ? 1 : 0;
        process.stdout.write(`${this.passed} passed, ${this.failed} failed\n`, () => process.exit());
    }
}
