// The whole way of one published client, from a request without a token to a resource that needs a larger one, each leg judged
// by what went over the wire. Part of run.mjs; runs only with it.
import { createHash } from 'node:crypto';
import { equal } from '../node/check.mjs';
import { Store } from './clients.mjs';
import { BASE, NOTES, PERSON } from './issuer.mjs';
import { Person } from './person.mjs';
import { challenge } from './server.mjs';

const TIMEOUT_MS = 20_000;
const WELL_KNOWN = '/.well-known/oauth-protected-resource/mcp';
const AUTHORIZATION_SERVER = '/.well-known/oauth-authorization-server';

const listed = entries => entries.map(({ method, path, url, status }) => `${method} ${path ?? url} ${status}`).join(', ');
const only = (entries, what) => (equal(entries.length, 1, `requests for ${what}`), entries[0]);

/** Checks one client; gives the token that it got first, or undefined. */
export async function checkFlow(report, { issuer, server, wire }, client) {
    const flow = new Flow(issuer, server, wire, client);
    const check = (name, run) => report.check(`oauth ${client.name}: ${name}`, run);
    const went =
        (await check('a connection without a token is refused', () => flow.refused())) &&
        (await check('the challenge leads to the metadata, and that to the issuer', () => flow.discovered())) &&
        (await check('registers', () => flow.registered())) &&
        (await check('asks for a code: PKCE, resource, scope', () => flow.sent(client.first))) &&
        (await check('comes back with a code of this issuer, and gets a token', () => flow.returned())) &&
        (await check('connects with the token', () => flow.connected())) &&
        (await check('reads who it is', () => flow.whoami()));
    const token = flow.store.kept.tokens?.access_token;
    if (went) {
        await check('a resource that needs a scope more is refused with 403', () => flow.tooWeak()) &&
            (await check('asks for the larger scope by itself', () => flow.sent(client.larger))) &&
            (await check('comes back with a code for the larger scope', () => flow.returned())) &&
            (await check('reads the resource on the same connection', () => flow.notes()));
        await check('each request had its token in the one header', () => flow.tokens());
    }
    await flow.connection?.client.close().catch(() => {});
    return went ? token : undefined;
}

class Flow {
    store = new Store();
    person = new Person();

    constructor(issuer, server, wire, client) {
        Object.assign(this, { issuer, server, wire, client });
        this.mark();
        this.begin = this.at;
    }

    /** What comes from here on belongs to the next leg. */
    mark() {
        this.at = { issuer: this.issuer.record.length, wire: this.wire.record.length };
    }

    toServer(start = this.server.url) {
        return this.wire.since(this.at.wire, start);
    }

    /** A legacy client asks for a stream of its own besides, whenever it comes to it. */
    posts() {
        return this.toServer().filter(({ method }) => method === 'POST');
    }

    toIssuer(path) {
        return this.issuer.since(this.at.issuer).filter(entry => entry.path === path);
    }

    async connect() {
        this.connection = this.client.open(this.server.url, this.store);
        const { client, transport } = this.connection;
        const settle = transport.setProtocolVersion?.bind(transport);
        transport.setProtocolVersion = version => {
            this.revision = version;
            settle?.(version);
        };
        await client.connect(transport, { timeout: TIMEOUT_MS });
    }

    read(uri) {
        return this.connection.client.readResource({ uri }, { timeout: TIMEOUT_MS });
    }

    /** What a client does that has no token for it: it throws that it is unauthorized, and has sent its person somewhere. */
    async mustBeSent(run) {
        this.mark();
        delete this.store.kept.sentTo;
        const outcome = await run().then(() => 'was let in', error => error);
        if (!this.client.isRefused(outcome)) throw new Error(`expected the client to say that it is unauthorized: ${outcome?.stack ?? outcome}`);
        if (!this.store.kept.sentTo) throw new Error('the client sent its person nowhere');
    }

    async refused() {
        await this.mustBeSent(() => this.connect());
        const first = only(this.posts(), 'the endpoint');
        equal(first.token, null, 'Authorization');
        equal(first.status, 401, 'status');
        this.challenge = challenge(first.challenge);
        equal(this.challenge.scheme, 'Bearer', 'scheme');
        equal(this.challenge.error, undefined, 'error of a request without credentials');
        equal(this.challenge.scope, BASE, 'scope');
        equal(this.challenge.resource_metadata, this.server.origin + WELL_KNOWN, 'resource_metadata');
        return first.challenge;
    }

    discovered() {
        equal(listed(this.toServer(this.server.origin).slice(1)), `GET ${this.challenge.resource_metadata} 200`, 'requests to the server after the refusal');
        const asked = this.issuer.since(this.at.issuer).filter(({ path }) => path.includes('/.well-known/'));
        equal(listed(asked), `GET ${AUTHORIZATION_SERVER} 200`, 'metadata of the issuer');
        equal(this.store.kept.discovery.authorizationServerMetadata.issuer, this.issuer.url, 'issuer in its metadata');
        return `${this.challenge.resource_metadata}, ${this.issuer.url}${AUTHORIZATION_SERVER}`;
    }

    registered() {
        const registration = only(this.toIssuer('/reg'), 'a registration');
        equal(registration.status, 201, 'status');
        equal(registration.body.scope, this.client.first, 'scope that the client registers for');
        return `as ${registration.body.application_type}, for scope ${registration.body.scope}`;
    }

    /** The URL that the client sends its person to. */
    sent(scope) {
        const { sentTo, state, client } = this.store.kept;
        const said = name => {
            const values = sentTo.searchParams.getAll(name);
            equal(values.length, 1, `values of ${name}`);
            return values[0];
        };
        equal(sentTo.origin + sentTo.pathname, `${this.issuer.url}/auth`, 'authorization endpoint');
        equal(said('resource'), this.store.kept.discovery.resourceMetadata.resource, 'resource, byte for byte as in the metadata');
        equal(said('resource'), this.server.url, 'resource');
        equal(said('response_type'), 'code', 'response_type');
        equal(said('code_challenge_method'), 'S256', 'code_challenge_method');
        equal(said('client_id'), client.client_id, 'client_id');
        equal(said('state'), state, 'state');
        equal(said('scope'), scope, 'scope');
        return `scope ${scope}`;
    }

    /** The person agrees; the client takes the code that comes back to the token endpoint. */
    async returned() {
        this.mark();
        const { sentTo, state } = this.store.kept;
        const back = await this.person.visit(sentTo);
        equal(back.searchParams.get('error'), null, `error, described as "${back.searchParams.get('error_description')}"`);
        equal(back.searchParams.get('state'), state, 'state');
        equal(back.searchParams.get('iss'), this.issuer.url, 'iss of the response');
        await this.client.finish(this.connection.transport, back);
        const authorization = only(this.toIssuer('/auth'), 'authorization');
        const exchange = only(this.toIssuer('/token'), 'a token');
        equal(exchange.status, 200, 'status of the token endpoint');
        equal(exchange.body.grant_type, 'authorization_code', 'grant_type');
        equal(exchange.body.resource, this.server.url, 'resource of the token request');
        const hashed = createHash('sha256').update(exchange.body.code_verifier).digest('base64url');
        equal(hashed, authorization.query.get('code_challenge'), 'S256 of the verifier');
        equal(exchange.body.client_secret ?? null, null, 'client_secret of a public client');
        return `token for ${this.store.kept.tokens.scope}`;
    }

    async connected() {
        this.mark();
        await this.connection.client.close().catch(() => {});
        await this.connect();
        equal(this.revision, this.client.revision, 'negotiated revision');
        equal(this.toServer().filter(({ status }) => status === 401).length, 0, 'refused requests');
        return this.revision;
    }

    async whoami() {
        const { contents } = await this.read('whoami://me');
        equal(contents.length, 1, 'items');
        equal(contents[0].text, PERSON, 'subject, and nothing else of the token');
        return contents[0].text;
    }

    async tooWeak() {
        await this.mustBeSent(() => this.read('notes://private'));
        const refused = only(this.posts(), 'the endpoint');
        equal(refused.status, 403, 'status');
        const said = challenge(refused.challenge);
        equal(said.scheme, 'Bearer', 'scheme');
        equal(said.error, 'insufficient_scope', 'error');
        equal(said.scope, `${BASE} ${NOTES}`, 'scope');
        equal(said.resource_metadata, this.challenge.resource_metadata, 'resource_metadata');
        return refused.challenge;
    }

    async notes() {
        this.mark();
        const { contents } = await this.read('notes://private');
        equal(contents[0].text.split('\n')[0], '# Notes', 'text');
        equal((await this.read('whoami://me')).contents[0].text, PERSON, 'subject, read with the larger token');
        equal(this.posts().map(({ status }) => status).join(), '200,200', 'statuses');
    }

    /** OAuth 2.1, section 5.1.1, and the specification: the header on every request, the query never. */
    tokens() {
        const sent = this.wire.since(this.begin.wire, this.server.url);
        const [first, ...others] = sent;
        equal(first.token, null, 'token of the first request');
        const bare = others.filter(({ token }) => !/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/.test(token ?? ''));
        equal(listed(bare), '', 'requests without a token in the header');
        equal(listed(sent.filter(({ url }) => url !== this.server.url)), '', 'requests to the endpoint with more in the URL');
        return `${others.length} requests`;
    }
}
