// Skills as a host finds and verifies them: gray-matter, which reads YAML by js-yaml 3, over each of the two published clients.
// node skills.mjs --serve BINARY    (the skills example; started here, with directories made here)
//
// The host lists, and takes an entry only whole. It reads SKILL.md and compares size, SHA-256 and frontmatter with the entry,
// and passes the skill over if anything differs. So what the server lists without a warning has to pass here.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import matter from 'gray-matter';
import { z } from 'zod';
import { Report, equal } from './check.mjs';
import { different, doubtful, portable, refused } from './rows.mjs';

// Where a time without a zone is another instant than it is in UTC.
process.env.TZ = 'America/New_York';
const TIMEOUT_MS = 20_000;
const START_MS = 10_000;
const WHOLE_RUN_MS = 90_000;
const OTHERS = { 'references/steps.md': '# Steps\r\n1. Lock\r\n', 'assets/mark.bin': Buffer.from([0x89, 0, 0xff]), 'blank.txt': '' };

const { values } = parseArgs({ options: { serve: { type: 'string' } } });
if (!values.serve) {
    console.error('usage: node skills.mjs --serve BINARY');
    process.exit(2);
}
const report = new Report();
const folder = mkdtempSync(join(tmpdir(), 'grange-skills-'));
let server;
setTimeout(() => {
    report.fail('node skills', new Error(`not finished after ${WHOLE_RUN_MS / 1000} s`));
    clear();
    report.end();
}, WHOLE_RUN_MS).unref();

function clear() {
    server?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
}

/** Writes a skill a row, and gives { name, text, directory } of each. */
function write(kind, rows) {
    return rows.map((row, index) => {
        const name = `${kind}-${index + 1}`;
        const directory = join(folder, name);
        const text = row(name);
        for (const [path, content] of Object.entries({ 'SKILL.md': text, ...OTHERS })) {
            mkdirSync(dirname(join(directory, path)), { recursive: true });
            writeFileSync(join(directory, path), content);
        }
        return { name, text, directory };
    });
}

const shown = skill => `${skill.name} ${JSON.stringify(skill.text)}`;
const paths = skills => skills.map(skill => skill.directory);

/** Starts the example, waits for it to listen, and keeps what it warned of before. */
async function start(skills) {
    const child = spawn(values.serve, [...paths(skills), '--addr', '127.0.0.1:0'], { stdio: ['ignore', 'ignore', 'pipe'] });
    server = child;
    const warnings = [];
    const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
    for await (const line of createInterface({ input: child.stderr })) {
        const [, warning] = line.match(/^ *WARN (.*)/) ?? [];
        if (warning) warnings.push(warning);
        const [, url] = line.match(/^listening on (http:\S+)/) ?? [];
        if (url) {
            clearTimeout(late);
            child.stderr.resume();
            return { url, warnings };
        }
    }
    throw new Error('the server ended instead of listening');
}

// The host

/** Whether an entry of the list is whole; a bad one is dropped alone. */
function isEntry({ uri, frontmatter, resources }) {
    const isFile = file => file.uri && /^sha256:[0-9a-f]{64}$/.test(file.digest) && Number.isInteger(file.size) && file.size >= 0;
    return (
        /\/SKILL\.md$/.test(uri) &&
        typeof frontmatter?.name === 'string' &&
        frontmatter.name !== '' &&
        typeof frontmatter.description === 'string' &&
        (resources === 'dynamic' || (Array.isArray(resources) && resources.every(isFile))) &&
        uri.split('/').at(-2) === frontmatter.name
    );
}

/** What the host read is what was listed: strictly, but for a date that stands for a string of the same instant. */
function isSame(listed, read) {
    if (read instanceof Date) return typeof listed === 'string' && Date.parse(listed) === read.getTime();
    if (Array.isArray(read)) {
        return Array.isArray(listed) && listed.length === read.length && read.every((item, index) => isSame(listed[index], item));
    }
    if (read !== null && typeof read === 'object') {
        if (listed === null || typeof listed !== 'object' || Array.isArray(listed)) return false;
        const keys = Object.keys(read);
        return isDeepStrictEqual(keys.toSorted(), Object.keys(listed).toSorted()) && keys.every(key => isSame(listed[key], read[key]));
    }
    return isDeepStrictEqual(listed, read);
}

const sha256 = bytes => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

function checkBytes(bytes, listed) {
    equal(bytes.length, listed.size, `size of ${listed.uri}`);
    equal(sha256(bytes), listed.digest, `digest of ${listed.uri}`);
}

/** Why the host would pass the skill over; undefined if it would not. */
async function rejection(entry, read) {
    try {
        if (!isEntry(entry)) throw new Error('no entry');
        const { text } = await read(entry.uri);
        equal(typeof text, 'string', 'type of text');
        checkBytes(Buffer.from(text, 'utf8'), entry.resources.find(({ uri }) => uri === entry.uri));
        // With options nothing is taken from its cache.
        const { data } = matter(text, {});
        if (!isSame(entry.frontmatter, data)) throw new Error(`listed ${JSON.stringify(entry.frontmatter)}, read ${JSON.stringify(data)}`);
        return undefined;
    } catch (error) {
        return error.message;
    }
}

// The checks

const clients = {
    modern: url => [
        new ModernClient({ name: 'grange-skills', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
        new ModernTransport(new URL(url)),
    ],
    legacy: url => [new Client({ name: 'grange-skills', version: '1.0.0' }), new StreamableHTTPClientTransport(new URL(url))],
};

/** Every entry by its skill's name, and how to read a file. */
async function connect(wire, url) {
    const [client, transport] = clients[wire](url);
    await client.connect(transport, { timeout: TIMEOUT_MS });
    const entries = new Map();
    let cursor;
    do {
        const params = cursor === undefined ? {} : { cursor };
        const list = await client.request({ method: 'skills/list', params }, z.looseObject({}), { timeout: TIMEOUT_MS });
        for (const entry of list.skills) entries.set(entry.frontmatter.name, entry);
        cursor = list.nextCursor;
    } while (cursor !== undefined);
    const read = async uri => (await client.readResource({ uri }, { timeout: TIMEOUT_MS })).contents[0];
    return { client, entries, read };
}

function none(wrong, of) {
    if (wrong.length) throw new Error(`${wrong.length} of ${of}: ${wrong.slice(0, 5).join(' | ')}`);
    return String(of);
}

async function checkWire(wire, url, sets) {
    let host;
    const connected = await report.check(`node skills ${wire}: list`, async () => {
        host = await connect(wire, url);
        equal(host.entries.size, Object.values(sets).flat().length, 'skills');
        return `${host.entries.size} skills`;
    });
    if (!connected) return;
    const judge = async (skills, isRight) => {
        const wrong = [];
        for (const skill of skills) {
            const reason = await rejection(host.entries.get(skill.name), host.read);
            if (!isRight(reason)) wrong.push(`${shown(skill)}: ${reason ?? 'accepted'}`);
        }
        return none(wrong, skills.length);
    };
    const isAccepted = reason => reason === undefined;
    await report.check(`node skills ${wire}: what is listed without a warning is accepted`, () => judge(sets.portable, isAccepted));
    await report.check(`node skills ${wire}: what is only doubtful is accepted`, () => judge(sets.doubtful, isAccepted));
    await report.check(`node skills ${wire}: what is read differently is passed over`, () => judge(sets.different, reason => reason !== undefined));
    await report.check(`node skills ${wire}: every file has its digest`, async () => {
        const files = [...host.entries.values()].flatMap(entry => entry.resources);
        for (const file of files) {
            const { text, blob } = await host.read(file.uri);
            checkBytes(text === undefined ? Buffer.from(blob, 'base64') : Buffer.from(text, 'utf8'), file);
        }
        equal(files.length, host.entries.size * (1 + Object.keys(OTHERS).length), 'files');
        return `${files.length} files`;
    });
    await host.client.close();
}

async function checkWarnings(warnings, sets) {
    const of = skill => warnings.filter(line => line.startsWith(`skill \`${skill.name}\`: SKILL.md: `));
    await report.check('node skills: only what is not read alike is warned of', async () => {
        const silent = sets.portable.filter(skill => of(skill).length > 0);
        return none(silent.map(skill => `${shown(skill)}: ${of(skill)}`), sets.portable.length);
    });
    await report.check('node skills: what is not read alike is warned of by its field', async () => {
        const all = [...sets.different, ...sets.doubtful];
        // By its line and the path of keys; a key is its own name.
        const isNamed = line => /: line [4-6]: (`v|the key `|.* on the first key of a mapping)/.test(line);
        return none(all.filter(skill => !of(skill).some(isNamed)).map(skill => `${shown(skill)}: ${of(skill)}`), all.length);
    });
}

async function checkRefused(skills) {
    await report.check('node skills: what no host reads does not start', async () => {
        const wrong = skills.filter(skill => {
            const arguments_ = [skill.directory, '--addr', '127.0.0.1:0'];
            const ended = spawnSync(values.serve, arguments_, { encoding: 'utf8', timeout: START_MS });
            const isTold = ended.stderr.includes(`skill \`${skill.name}\`: `) && !ended.stderr.includes('listening');
            return ended.status !== 1 || !isTold;
        });
        return none(wrong.map(shown), skills.length);
    });
}

const sets = { portable: write('portable', portable), different: write('different', different), doubtful: write('doubtful', doubtful) };
let listening;
if (await report.check('node skills: start', async () => { listening = await start(Object.values(sets).flat()); })) {
    await checkWarnings(listening.warnings, sets);
    for (const wire of Object.keys(clients)) await checkWire(wire, listening.url, sets);
}
await checkRefused(write('refused', refused));
clear();
report.end();
