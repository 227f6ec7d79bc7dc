// The document by which clients find the issuer, and what becomes of a server whose issuer has gone.
// Part of run.mjs; runs only with it.
import { equal } from '../node/check.mjs';
import { BASE, PERSON } from './issuer.mjs';
import { Server, ask, freePort } from './server.mjs';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const PAGE = ['origin', 'https://app.example.com'];

async function isServed(url, expected) {
    const { status, headers, body } = await ask('GET', url, PAGE);
    equal(status, 200, 'status');
    equal(headers['content-type'], 'application/json', 'Content-Type');
    equal(headers['access-control-allow-origin'], '*', 'Access-Control-Allow-Origin');
    const { resource, authorization_servers, scopes_supported, bearer_methods_supported } = JSON.parse(body);
    equal(resource, expected.resource, 'resource, byte for byte');
    equal(JSON.stringify(authorization_servers), JSON.stringify([expected.issuer]), 'authorization_servers');
    equal(JSON.stringify(scopes_supported), JSON.stringify([BASE]), 'scopes_supported');
    equal(JSON.stringify(bearer_methods_supported), '["header"]', 'bearer_methods_supported');
    return url;
}

export async function checkMetadata(report, { issuer, server, binary }) {
    const expected = { resource: server.url, issuer: issuer.url };
    await report.check('oauth metadata: at the path of the endpoint', () => isServed(`${server.origin}${WELL_KNOWN}/mcp`, expected));
    await report.check('oauth metadata: at the root', () => isServed(`${server.origin}${WELL_KNOWN}`, expected));
    await report.check('oauth metadata: at no other path', async () => {
        for (const path of ['/other', '/mcp/', '/mcp/more']) {
            equal((await ask('GET', `${server.origin}${WELL_KNOWN}${path}`)).status, 404, `status at ${path}`);
        }
    });
    await report.check('oauth metadata: a page may ask with the header that clients send', async () => {
        const preflight = [...PAGE, 'access-control-request-method', 'GET', 'access-control-request-headers', 'mcp-protocol-version'];
        const { status, headers } = await ask('OPTIONS', `${server.origin}${WELL_KNOWN}/mcp`, preflight);
        equal(status, 204, 'status');
        equal(headers['access-control-allow-origin'], '*', 'Access-Control-Allow-Origin');
        const allowed = headers['access-control-allow-headers'].split(/, */);
        equal(allowed.includes('mcp-protocol-version'), true, 'mcp-protocol-version is allowed');
    });
    await report.check('oauth metadata: a resource is not put into another form', async () => {
        const port = await freePort();
        const resource = `http://LocalHost:${port}/Public/%7Emcp`;
        const other = await Server.start(binary, issuer.url, port, resource);
        try {
            await isServed(`${other.origin}${WELL_KNOWN}/Public/%7Emcp`, { ...expected, resource });
        } finally {
            other.kill();
        }
        return resource;
    });
}

/** Ends the issuer. */
export async function checkIssuerDown(report, { issuer, server, binary }, token) {
    const authorization = [`Bearer ${token}`];
    await report.check('oauth keys: fetched by the metadata of the issuer', () => {
        const asked = issuer.since(0, agent => agent.startsWith('grange-')).map(({ path }) => path);
        equal(asked.slice(0, 2).join(), '/.well-known/oauth-authorization-server,/jwks', 'what the server asked for first');
        // One pair for the first token, and none sooner than 30 seconds after for one with an unknown key.
        equal(asked.length % 2 === 0 && asked.length <= 6, true, `few requests (${asked.length})`);
        return `${asked.length} requests`;
    });
    await issuer.stop();
    await report.check('oauth issuer down: it is', async () => {
        const outcome = await ask('GET', `${issuer.url}/jwks`).then(({ status }) => status, error => error.code);
        equal(outcome, 'ECONNREFUSED', 'answer of the issuer');
    });
    for (const wire of ['modern', 'legacy']) {
        await report.check(`oauth issuer down: a good token is served (${wire})`, async () => {
            const { status, value } = await server.read('whoami://me', { authorization, wire });
            equal(status, 200, 'status');
            equal(value, PERSON, 'subject');
        });
    }
    await report.check('oauth issuer down: a server that never saw its keys lets nobody in', async () => {
        const other = await Server.start(binary, issuer.url, await freePort(), server.url);
        try {
            const { status, challenges, value } = await other.read('whoami://me', { authorization });
            equal(status, 503, 'status');
            equal(challenges.length, 0, 'challenges');
            equal(value, undefined, 'text');
        } finally {
            other.kill();
        }
        return '503';
    });
}
