// Templates and completion: both TypeScript clients, in each of their modes, against the fixture.
// node templates.mjs (--http URL | --stdio COMMAND)    (`fixture … --templates`)
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { checkClose, checkConnect, checkUnknown, equal, everyMode } from './check.mjs';
import { callTool, legacy, modern } from './clients.mjs';

const TIMEOUT_MS = 20_000;
const options = { timeout: TIMEOUT_MS };

const LISTED = [
    {
        uriTemplate: 'demo://items/{id}',
        name: 'item',
        title: 'Item',
        description: 'One item.',
        mimeType: 'application/json',
        annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' },
        icons: [{ src: 'https://example.com/item.png', mimeType: 'image/png', sizes: ['48x48'] }],
        _meta: { 'com.example/kind': 'item' },
    },
    { uriTemplate: 'demo://files/{+path}', name: 'files', mimeType: 'application/vnd.demo.file+json' },
    { uriTemplate: 'demo://items/{id}/notes', name: 'notes', mimeType: 'application/vnd.demo.notes+json' },
    { uriTemplate: 'demo://search{?q,limit}', name: 'search', mimeType: 'application/json' },
    { uriTemplate: 'demo://{country}/{city}', name: 'city' },
];

/** URI, template and values of what is read. */
const READ = [
    ['demo://items/7', 'item', { id: 7 }],
    ['demo://items/%37/notes', 'notes', { id: 7 }],
    ['demo://files/a%20b/%2520%C2%A7+.md', 'files', { path: 'a b/%20§+.md' }],
    ['demo://search?limit=5&q=a%20b%2Fc', 'search', { q: 'a b/c', limit: 5 }],
    ['demo://search', 'search', {}],
    ['demo://Chad/N%27Djamena', 'city', { country: 'Chad', city: "N'Djamena" }],
];

/** URIs that no reader may see: a value that leaves its segment, of another type, twice in the query. */
const UNREAD = ['demo://files/a/%2e%2e/b', 'demo://files/a%2Fb', 'demo://items/-7', 'demo://search?q=1&q=2'];

const ids = (...values) => ({ values, hasMore: false });
const first = (count, value) => Array.from({ length: count }, (_, index) => value(index));

/** Template, variable, what is typed, values of others; and what completes it. */
const COMPLETED = [
    ['demo://items/{id}', 'id', '99', undefined, ids('99', ...first(10, index => `99${index}`))],
    ['demo://items/{id}', 'id', '', undefined, { values: first(100, index => `${index + 1}`), total: 1000, hasMore: true }],
    ['demo://search{?q,limit}', 'q', '14', undefined, ids('w014', 'w114', ...first(10, index => `w14${index}`))],
    ['demo://search{?q,limit}', 'limit', '1', undefined, ids()],
    ['demo://{country}/{city}', 'country', 'CH', undefined, ids('Chad', 'China', 'Macho', 'Echo')],
    ['demo://{country}/{city}', 'city', '', { country: 'Chad' }, ids('Abeche', 'Mongo', 'Ati')],
    ['demo://{country}/{city}', 'city', '', undefined, ids('nowhere')],
];

function same(got, expected, what) {
    if (!isDeepStrictEqual(got, expected)) throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
}

/** How often readers of templates ran. */
const reads = async client => JSON.parse(await callTool(client, 'counts', {}, options)).reads;

async function list(client) {
    const { resourceTemplates } = await client.listResourceTemplates(undefined, options);
    same(resourceTemplates, LISTED, 'templates');
    const { resources } = await client.listResources(undefined, options);
    const items = resources.map(({ uri }) => uri).filter(uri => uri.includes('{') || uri.includes('/items/'));
    equal(items.join(), 'demo://items/1', 'templates and their instances among the resources, beside the fixed one');
    return `${resourceTemplates.length} templates`;
}

async function read(client) {
    const before = await reads(client);
    for (const [uri, template, values] of READ) {
        const { contents } = await client.readResource({ uri }, options);
        const { mimeType } = LISTED.find(({ name }) => name === template);
        const [{ text, ...item }] = contents;
        const meta = template === 'item' ? { _meta: { 'com.example/from': 'template' } } : {};
        same(item, { uri, ...(mimeType && { mimeType }), ...meta }, `contents of ${uri}`);
        same(JSON.parse(text), { template, values, version: 0 }, `text of ${uri}`);
    }
    const { contents } = await client.readResource({ uri: 'demo://items/1' }, options);
    equal(contents[0].text, 'fixed one', 'the fixed resource before the template');
    equal((await reads(client)) - before, READ.length, 'runs of readers');
    return `${READ.length + 1} URIs`;
}

async function complete(client) {
    const before = await reads(client);
    for (const [uri, name, value, others, expected] of COMPLETED) {
        const context = others && { context: { arguments: others } };
        const { completion } = await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value }, ...context }, options);
        same(completion, expected, `${name} of ${uri} from ${JSON.stringify(value)}`);
    }
    equal((await reads(client)) - before, 0, 'runs of readers');
    return `${COMPLETED.length} completions`;
}

async function leaveUnread(client) {
    const before = await reads(client);
    for (const uri of UNREAD) {
        const outcome = await client.readResource({ uri }, options).then(() => 'a result', () => 'an error');
        equal(outcome, 'an error', `answer to ${uri}`);
    }
    equal((await reads(client)) - before, 0, 'runs of readers');
    return `${UNREAD.length} URIs`;
}

async function check(report, name, connection, revision) {
    const { client } = connection;
    const wire = await checkConnect(report, name, connection, revision);
    if (!wire) return;
    await report.check(`${name}: list`, () => list(client));
    await report.check(`${name}: read`, () => read(client));
    await report.check(`${name}: complete`, () => complete(client));
    await report.check(`${name}: no reader runs for what is not safe`, () => leaveUnread(client));
    // A reader's own "not found", and a value that leaves its segment.
    await checkUnknown(report, name, connection, wire, 'demo://items/1001');
    await checkUnknown(report, `${name} escape`, connection, wire, 'demo://files/a%2F..%2Fb');
    await checkClose(report, name, connection);
}

const { values } = parseArgs({ options: { http: { type: 'string' }, stdio: { type: 'string' } } });
if (Boolean(values.http) === Boolean(values.stdio)) {
    console.error('usage: node templates.mjs (--http URL | --stdio COMMAND)');
    process.exit(2);
}
await everyMode('templates', [modern, legacy], values, check);
