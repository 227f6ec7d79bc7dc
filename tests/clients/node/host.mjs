// @modelcontextprotocol/sdk 1.x as a host that offers its files (`ai.nimblebrain/host-resources`) to the tool_host example.
// node host.mjs (--http URL | --stdio COMMAND)
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { Report, equal, shell } from './check.mjs';

const READ = 'ai.nimblebrain/resources/read';
const LIST = 'ai.nimblebrain/resources/list';
const OFFER = {
    read: { enabled: true, range: false, maxSize: 10_485_760 },
    list: { enabled: true },
    write: { enabled: false },
    schemes: ['files'],
};
const TEXT = 'files://fl_0123456789abcdef01234567';
const BLOB = 'files://fl_abcdef0123456789abcdef01';
const TIMEOUT_MS = 20_000;
const WHOLE_RUN_MS = 120_000;

const { values } = parseArgs({ options: { http: { type: 'string' }, stdio: { type: 'string' } } });
const report = new Report();
setTimeout(() => {
    report.fail('node host', new Error(`not finished after ${WHOLE_RUN_MS / 1000} s`));
    report.end();
}, WHOLE_RUN_MS).unref();

/** Answers GET as a server without a stream of its own would. */
const withoutGet = (url, init) =>
    init?.method === 'GET' ? Promise.resolve(new Response(null, { status: 405 })) : fetch(url, init);

const wires = values.http
    ? {
          http: () => new StreamableHTTPClientTransport(new URL(values.http)),
          'http without GET': () => new StreamableHTTPClientTransport(new URL(values.http), { fetch: withoutGet }),
      }
    : { stdio: () => new StdioClientTransport(shell(values.stdio)) };

/** A connected client; `read` and `list` answer the server's requests, `asked` has their parameters. */
async function connect(transport, { offer = OFFER, read, list } = {}) {
    const extensions = offer ? { 'ai.nimblebrain/host-resources': offer } : {};
    const client = new Client({ name: 'grange-host', version: '1.0.0' }, { capabilities: { extensions } });
    const asked = [];
    const handle = (method, answer) => {
        const request = z.object({ method: z.literal(method), params: z.looseObject({}).optional() });
        client.setRequestHandler(request, async ({ params }, extra) => {
            asked.push({ method, params });
            return await answer(params, extra);
        });
    };
    handle(READ, read ?? file);
    handle(LIST, list ?? (() => ({ resources: [{ uri: TEXT, name: 'notes.md', mimeType: 'text/markdown' }] })));
    await client.connect(transport, { timeout: TIMEOUT_MS });
    const call = (name, args, options) =>
        client.callTool({ name, arguments: args }, undefined, { timeout: TIMEOUT_MS, ...options });
    return { client, asked, call };
}

function file({ uri }) {
    if (uri === TEXT) return { contents: [{ uri, mimeType: 'text/markdown', text: '# Notes\nof four words' }] };
    if (uri === BLOB) return { contents: [{ uri, mimeType: 'image/png', blob: 'iVBORw==' }] };
    throw new McpError(-32002, 'Resource not found', { uri });
}

const text = result => result.content[0].text;

const checks = {
    'reads a file by its URI': async transport => {
        const { client, asked, call } = await connect(transport);
        const result = await call('summarize', { file_uri: TEXT });
        equal(JSON.stringify(result.structuredContent), '{"first_line":"# Notes","source":"host","words":5}', 'summary');
        equal(JSON.stringify(asked), JSON.stringify([{ method: READ, params: { uri: TEXT } }]), 'asked');
        return client;
    },
    'tells the model what the host refused': async transport => {
        const { client, call } = await connect(transport);
        for (const [uri, said] of [[BLOB, 'is not text'], ['files://fl_none', 'has no file'], ['https://example.com/', 'does not read']]) {
            const result = await call('summarize', { file_uri: uri });
            equal(result.isError, true, `isError for ${uri}`);
            if (!text(result).includes(said)) throw new Error(`${uri}: ${text(result)}`);
        }
        return client;
    },
    'asks again when the rate is limited': async transport => {
        let refusals = 2;
        const read = params => {
            if (refusals-- > 0) throw new McpError(-32004, 'Rate limited', { retryAfterMs: 5 });
            return file(params);
        };
        const { client, asked, call } = await connect(transport, { read });
        equal((await call('summarize', { file_uri: TEXT })).structuredContent.source, 'host', 'source');
        equal(asked.length, 3, 'requests');
        return client;
    },
    'lists with a filter': async transport => {
        const { client, asked, call } = await connect(transport);
        equal(text(await call('list_files', { mime_type: 'text/markdown' })), `notes.md: ${TEXT}`, 'list');
        await call('list_files', {});
        const filtered = { _meta: { filter: { mimeType: 'text/markdown' } } };
        equal(JSON.stringify(asked.map(({ params }) => params)), JSON.stringify([filtered, {}]), 'parameters');
        return client;
    },
    'takes the text inline from a host without files': async transport => {
        const { client, asked, call } = await connect(transport, { offer: null });
        const refused = await call('summarize', { file_uri: TEXT });
        equal(refused.isError, true, 'isError');
        if (!text(refused).includes('Pass the content as `text`')) throw new Error(text(refused));
        equal((await call('summarize', { text: 'a b' })).structuredContent.source, 'inline', 'source');
        equal(asked.length, 0, 'requests');
        return client;
    },
    'keeps answers apart that come in any order': async transport => {
        const waiting = [];
        const read = ({ uri }) => new Promise(resolve => {
            waiting.push(() => resolve({ contents: [{ uri, text: uri }] }));
            if (waiting.length === 5) waiting.reverse().forEach(answer => answer());
        });
        const { client, call } = await connect(transport, { read });
        const uris = [0, 1, 2, 3, 4].map(number => `files://fl_${number}`);
        const results = await Promise.all(uris.map(uri => call('summarize', { file_uri: uri })));
        equal(results.map(result => result.structuredContent.first_line).join(), uris.join(), 'answers');
        return client;
    },
    'withdraws its request when the call is cancelled': async transport => {
        const stop = new AbortController();
        let withdrawn;
        const told = new Promise(resolve => (withdrawn = resolve));
        const read = (_, { signal }) => {
            signal.addEventListener('abort', () => withdrawn());
            stop.abort();
            return new Promise(() => {});
        };
        const { client, call } = await connect(transport, { read });
        const outcome = await call('summarize', { file_uri: TEXT }, { signal: stop.signal }).catch(() => 'cancelled');
        equal(outcome, 'cancelled', 'call');
        const late = new Promise((_, reject) => setTimeout(() => reject(new Error('the server did not withdraw it')), 10_000));
        await Promise.race([told, late]);
        return client;
    },
};

for (const [wire, transport] of Object.entries(wires)) {
    for (const [name, check] of Object.entries(checks)) {
        await report.check(`node host ${wire}: ${name}`, async () => {
            const connection = transport();
            try {
                await check(connection);
            } finally {
                await connection.terminateSession?.();
                await connection.close();
            }
        });
    }
}
report.end();
