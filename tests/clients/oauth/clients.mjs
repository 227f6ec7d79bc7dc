// The published clients, what each keeps of a flow, and a record of all that they send and get.
// Part of run.mjs; runs only with it.
import { randomUUID } from 'node:crypto';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport, UnauthorizedError as ModernUnauthorized } from '@modelcontextprotocol/client';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CALLBACK } from './person.mjs';

const INFO = { name: 'grange-oauth', version: '1.0.0' };

/** What a host keeps for a client: its registration, its tokens, and what belongs to the flow under way. */
export class Store {
    redirectUrl = CALLBACK;
    clientMetadata = {
        client_name: 'Grange OAuth tests',
        redirect_uris: [CALLBACK],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
    };
    kept = {};
    state = () => (this.kept.state = randomUUID());
    clientInformation = () => this.kept.client;
    saveClientInformation = client => void (this.kept.client = client);
    tokens = () => this.kept.tokens;
    saveTokens = tokens => void (this.kept.tokens = tokens);
    redirectToAuthorization = url => void (this.kept.sentTo = url);
    saveCodeVerifier = verifier => void (this.kept.verifier = verifier);
    codeVerifier = () => this.kept.verifier;
    saveDiscoveryState = found => void (this.kept.discovery = found);
    discoveryState = () => this.kept.discovery;
}

/** A connection that is to be made: the client, and the transport that it goes through. */
function modern(name, mode, revision) {
    return {
        name: `client 2.4.0 ${name}`,
        revision,
        // It asks for refresh tokens where the issuer has them, and steps up to what it asked for before and what the challenge names.
        first: 'me:read offline_access',
        larger: 'me:read notes:read offline_access',
        open: (url, store) => ({
            client: new ModernClient(INFO, { versionNegotiation: { mode } }),
            transport: new ModernTransport(new URL(url), { authProvider: store }),
        }),
        finish: (transport, { searchParams }) => transport.finishAuth(searchParams),
        isRefused: error => error instanceof ModernUnauthorized,
    };
}

export const CLIENTS = [
    modern('auto', 'auto', '2026-07-28'),
    modern('pin', { pin: '2026-07-28' }, '2026-07-28'),
    modern('legacy', 'legacy', '2025-11-25'),
    {
        name: 'sdk 1.32.2',
        revision: '2025-11-25',
        // It asks for what the challenge names, and nothing else.
        first: 'me:read',
        larger: 'me:read notes:read',
        open: (url, store) => ({
            client: new Client(INFO),
            transport: new StreamableHTTPClientTransport(new URL(url), { authProvider: store }),
        }),
        finish: (transport, { searchParams }) => transport.finishAuth(searchParams.get('code')),
        isRefused: error => error instanceof UnauthorizedError,
    },
];

/** Puts itself before `fetch`, which both clients send everything through. */
export class Wire {
    record = [];

    constructor() {
        const send = globalThis.fetch;
        globalThis.fetch = async (input, init = {}) => {
            const entry = { method: init.method ?? 'GET', url: String(input?.url ?? input), token: new Headers(init.headers).get('authorization') };
            this.record.push(entry);
            const response = await send(input, init);
            entry.status = response.status;
            entry.challenge = response.headers.get('www-authenticate');
            return response;
        };
    }

    /** What was sent there since the record was that long. */
    since(mark, start) {
        return this.record.slice(mark).filter(({ url }) => url.startsWith(start));
    }
}
