// What a browser lets pages of each origin ask and read of the `browser` example: the named one, strangers, a rebound name, and a
// page from the internet. Each request is the page's own `fetch`; what went over the network is the browser's to say.
import { equal } from '../clients/node/check.mjs';
import { connected, openPage, submit, unreadable } from './page-checks.mjs';
import { newContext, same, seen } from './expect.mjs';

/** Named to the example, and nowhere: the browser is given its page. */
export const INTERNET = new URL('https://app.example.com/');
export const KEY = 'a-key-for-the-browser-tests';
const REVISION = '2026-07-28';
const TIDE = 'docs://tide';
const META = { 'io.modelcontextprotocol/protocolVersion': REVISION, 'io.modelcontextprotocol/clientCapabilities': {} };
const HELLO = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'page', version: '1.0.0' },
};
/** All that a page learns of an answer that it may not read. */
const NOTHING = { refused: 'TypeError' };

/** A request as `fetch` takes it. */
function message(method, params, headers = {}) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
}

function modern(method, params = {}, headers = {}) {
    const mirrored = { 'mcp-protocol-version': REVISION, 'mcp-method': method, ...(params.uri && { 'mcp-name': params.uri }) };
    return message(method, { ...params, _meta: META }, { ...mirrored, ...headers });
}

const read = (uri, headers) => modern('resources/read', { uri }, headers);
const simple = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: read(TIDE).body };
const initialize = message('initialize', HELLO);
/** With the three ways to ask: the modern one, a handshake, and what needs no preflight. */
const WAYS = { read: read(TIDE), initialize, simple };

/** What a page's own `fetch` comes to. */
function fetched(page, url, init) {
    return page.evaluate(async ([url, init]) => {
        try {
            const answer = await fetch(url, init);
            const headers = Object.fromEntries(answer.headers);
            return { status: answer.status, type: answer.type, headers, text: await answer.text() };
        } catch ({ name }) {
            return { refused: name };
        }
    }, [url.href, init]);
}

/** A document of the page's origin that loads nothing more. */
const light = home => new URL('page.css', home);

/** Everything that is about origins and hosts. `open` is the example that asks for no key, `guarded` the one that does. */
export async function checkOrigins(report, browser, { home, open, guarded }) {
    await checkNamed(report, browser, { home, example: open });
    await checkGuarded(report, browser, { home, example: guarded });
    for (const [name, hostname, preflight] of [['loopback stranger', '127.0.0.1', 204], ['foreign stranger', 'evil.example', 403]]) {
        const url = new URL(home.url);
        url.hostname = hostname;
        await checkStranger(report, browser, { name, url, preflight, example: open });
    }
    for (const hostname of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example']) {
        await checkRebound(report, browser, { hostname, home, example: open });
    }
    await checkInternet(report, browser, { example: open });
}

async function checkNamed(report, browser, { home, example }) {
    const { page, traffic, end } = await openPage(browser, light(home.url));
    const refusals = {
        'no method': [{ method: 'GET' }, 405, /POST one JSON-RPC message/],
        'an Accept that rules out the answer': [read(TIDE, { accept: 'image/png' }), 406, /Accept must allow/],
        'another media type': [simple, 415, /application\/json/],
        'a header unlike the body': [read(TIDE, { 'mcp-method': 'tools/call' }), 400, /-32020/],
        'no JSON': [{ ...read(TIDE), body: '{' }, 400, /-32700/],
        'an unknown method': [modern('no/such'), 404, /-32601/],
        'an unknown resource': [read('docs://none'), 200, /-32602.*docs:\/\/none/],
        'an unknown resource, after a handshake': [message('resources/read', { uri: 'docs://none' }), 200, /-32002.*docs:\/\/none/],
    };
    for (const [name, [init, status, text]] of Object.entries(refusals)) {
        await report.check(`named origin: reads why ${name} is refused`, async () => {
            const answer = await fetched(page, example.url, init);
            equal(answer.status, status, `status of ${JSON.stringify(answer)}`);
            equal(answer.type, 'cors', 'type of the answer');
            if (!text.test(answer.text)) throw new Error(`expected ${text}, got ${answer.text}`);
            return String(status);
        });
    }
    await report.check('named origin: reads where the endpoint is that it missed', async () => {
        const answer = await fetched(page, new URL('/mpc', example.url), read(TIDE));
        equal(answer.status, 404, `status of ${JSON.stringify(answer)}`);
        if (!answer.text.includes('the endpoint is')) throw new Error(`it does not say where: ${answer.text}`);
        return String(answer.status);
    });
    await report.check('named origin: a method that no preflight allows is not sent', async () => {
        traffic.clear();
        same(await fetched(page, example.url, { method: 'DELETE' }), NOTHING, 'fetch');
        const sent = (await traffic.with(example.url, { least: 2, answered: 1 })).filter(({ sent }) => sent).map(({ method }) => method);
        same(sent, ['OPTIONS'], 'what left the browser');
    });
    await end();
}

async function checkGuarded(report, browser, { home, example }) {
    const { page, traffic, end } = await openPage(browser, home.url);
    const bearer = key => ({ authorization: `Bearer ${key}` });
    const check = (name, run) => report.check(`key and session: ${name}`, run);
    await check('a page reads the challenge of a 401', async () => {
        const wrong = await fetched(page, example.url, read(TIDE, bearer('another')));
        equal(wrong.status, 401, 'status with a wrong key');
        const challenge = wrong.headers['www-authenticate'];
        if (!challenge?.startsWith('Bearer error="invalid_token"')) throw new Error(`WWW-Authenticate: ${challenge}`);
        const none = await fetched(page, example.url, read(TIDE));
        equal(none.status, 401, 'status without a key');
        equal(none.headers['www-authenticate'], 'Bearer', 'WWW-Authenticate without a key');
        return challenge;
    });
    await check('the preflight asks for Authorization and needs none', async () => {
        const [preflight] = (await traffic.with(example.url)).filter(({ method }) => method === 'OPTIONS');
        equal(preflight.status, 204, 'status');
        const asked = preflight.sent['access-control-request-headers'].split(',');
        equal(asked.includes('authorization'), true, `whether Authorization is among ${asked}`);
        equal(preflight.sent.authorization, undefined, 'Authorization of the preflight');
    });
    await check('a page reads the id of its session, uses it and ends it', async () => {
        const opened = await fetched(page, example.url, { ...initialize, headers: { ...initialize.headers, ...bearer(KEY) } });
        const id = opened.headers?.['mcp-session-id'];
        if (!id) throw new Error(`no mcp-session-id in ${JSON.stringify(opened)}`);
        const inside = { ...bearer(KEY), 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
        const tide = message('resources/read', { uri: TIDE }, inside);
        equal((await fetched(page, example.url, tide)).status, 200, 'status in the session');
        equal((await fetched(page, example.url, { method: 'DELETE', headers: inside })).status, 204, 'status of its end');
        equal((await fetched(page, example.url, tide)).status, 404, 'status after its end');
    });
    await check('the page says why it is refused', async () => {
        for (const mode of ['auto', REVISION, 'legacy']) {
            await submit(page, { url: example.url, mode });
            await seen(page, '#problem', 'Refused with 401: a token is required: send it as `Authorization: Bearer …` (Bearer)');
        }
        await submit(page, { url: example.url, key: 'another', mode: 'auto' });
        await page.locator('#problem', { hasText: 'invalid_token' }).waitFor();
    });
    await check('the page reads with its key, and ends its session when it leaves', async () => {
        await submit(page, { url: example.url, key: KEY, mode: 'legacy' });
        await seen(page, '#status', connected({ revision: '2025-11-25' }));
        traffic.clear();
        await submit(page, { url: example.url, key: KEY, mode: REVISION });
        await seen(page, '#status', connected({ revision: REVISION }));
        const ended = (await traffic.with(example.url)).find(({ method }) => method === 'DELETE');
        equal(ended?.status, 204, 'status of DELETE');
        if (!ended.sent['mcp-session-id']) throw new Error('DELETE names no session');
    });
    await end();
}

/** A page of an origin that nobody named. `preflight` is how the example answers one: a loopback origin may ask, and not read. */
async function checkStranger(report, browser, { name, url, preflight, example }) {
    const { page, traffic, end } = await openPage(browser, url);
    const check = (what, run) => report.check(`${name}: ${what}`, run);
    for (const [way, init] of Object.entries(WAYS)) {
        await check(`reads nothing (${way})`, async () => {
            traffic.clear();
            same(await fetched(page, example.url, init), NOTHING, 'fetch');
            const exchanges = await traffic.with(example.url, { answered: 1 });
            const answered = exchanges.filter(({ got }) => got).map(({ method, status }) => `${method} ${status}`);
            const wanted = way === 'simple' ? `POST ${preflight === 204 ? 415 : 403}` : `OPTIONS ${preflight}`;
            same(answered, [wanted], 'what the example answered');
            for (const { got } of exchanges.filter(({ got }) => got)) {
                equal(got['access-control-allow-origin'], undefined, 'Access-Control-Allow-Origin');
            }
            return wanted;
        });
    }
    await check('the page says what may be wrong', async () => {
        for (const mode of ['auto', REVISION, 'legacy']) {
            await submit(page, { url: example.url, mode });
            await seen(page, '#problem', unreadable(url));
        }
    });
    await check('a sandboxed frame, whose origin is null, reads nothing', async () => {
        const told = await page.evaluate(({ url, init }) => {
            const frame = document.createElement('iframe');
            frame.setAttribute('sandbox', 'allow-scripts');
            const ask = `fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).then(answer => answer.text(), ({ name }) => name)`;
            frame.srcdoc = `<script>${ask}.then(told => parent.postMessage([origin, told], '*'))</script>`;
            const heard = new Promise(resolve => addEventListener('message', ({ data }) => resolve(data), { once: true }));
            document.body.append(frame);
            return heard;
        }, { url: example.url.href, init: WAYS.read });
        same(told, ['null', 'TypeError'], 'origin, and what its fetch came to');
    });
    await end();
}

/**
 * DNS rebinding: a page of a foreign name whose address has become 127.0.0.1, with the port of the example. To the browser it has
 * one origin with the example, so that no CORS stands between them.
 */
async function checkRebound(report, browser, { hostname, home, example }) {
    const at = url => Object.assign(new URL(url), { hostname });
    const { page, end } = await openPage(browser, at(example.url));
    const check = (what, run) => report.check(`rebound ${hostname}: ${what}`, run);
    await check('the browser takes it for the same origin', async () => {
        equal(await page.evaluate(() => origin), at(example.url).origin, 'origin');
    });
    for (const [way, init] of Object.entries({ ...WAYS, get: { method: 'GET' } })) {
        await check(`is refused by its Host (${way})`, async () => {
            const answer = await fetched(page, at(example.url), init);
            equal(answer.status, 403, 'status');
            equal(answer.type, 'basic', 'type of the answer, which the page can read');
            if (!answer.text.includes('is not allowed: name it with `.public_hosts(')) throw new Error(answer.text);
            return `${answer.status}: host`;
        });
    }
    await end();
    await check('the same request reads where the name is this machine\'s', async () => {
        const local = await openPage(browser, example.url);
        const answer = await fetched(local.page, example.url, WAYS.read);
        await local.end();
        equal(answer.status, 200, 'status');
        equal(JSON.parse(answer.text).result.contents[0].uri, TIDE, 'what was read');
    });
    await check('a server that does not look at Host is read', async () => {
        const other = await openPage(browser, at(light(home.url)));
        const answer = await fetched(other.page, at(new URL('page.js', home.url)), {});
        await other.end();
        same([answer.status, answer.type], [200, 'basic'], 'status and type');
    });
}

/** A page that came over https from elsewhere, and asks a server on the user's own machine. */
async function checkInternet(report, browser, { example }) {
    const context = await newContext(browser);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    // The page alone is given to the browser in this way; what it asks of the example goes over the network.
    await session.send('Fetch.enable', { patterns: [{ urlPattern: `${INTERNET}*` }] });
    session.on('Fetch.requestPaused', ({ requestId }) => {
        const responseHeaders = [{ name: 'content-type', value: 'text/html' }];
        return session.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body: '' });
    });
    const blocked = [];
    await session.send('Network.enable');
    session.on('Network.loadingFailed', ({ corsErrorStatus }) => blocked.push(corsErrorStatus?.corsError));
    await page.goto(INTERNET.href);
    await report.check('from the internet: the browser asks the user first', async () => {
        same(await fetched(page, example.url, WAYS.read), NOTHING, 'fetch');
        equal(blocked[0], 'LocalNetworkAccessPermissionDenied', 'why');
    });
    await report.check('from the internet: with the user\'s leave it reads, http or not', async () => {
        await context.grantPermissions(['local-network-access'], { origin: INTERNET.origin });
        const answer = await fetched(page, example.url, WAYS.read);
        equal(answer.status, 200, `status of ${JSON.stringify(answer)}`);
        equal(JSON.parse(answer.text).result.contents[0].uri, TIDE, 'what was read');
    });
    await context.close();
}
