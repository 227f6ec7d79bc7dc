// A real authorization server on loopback (npm oidc-provider) with one person, `alice`, who signs in and agrees to everything.
// Part of run.mjs; runs only with it.
//
// It makes JSON Web Tokens whose audience is the resource that was asked for (RFC 8707), registers whoever asks (RFC 7591), and
// keeps a record of what came in.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Provider, errors } from 'oidc-provider';

export const PERSON = 'alice';
export const BASE = 'me:read';
export const NOTES = 'notes:read';

export class Issuer {
    /** { method, path, agent, query, body, status } of each request, in the order of the answers. */
    record = [];
    keyId = randomUUID();
    key = generateKeyPairSync('rsa', { modulusLength: 2048 });

    /** Listens, and makes tokens for that resource alone. */
    static async start(resource) {
        const issuer = new Issuer();
        issuer.server = createServer();
        issuer.server.listen(0, '127.0.0.1');
        await once(issuer.server, 'listening');
        issuer.url = `http://127.0.0.1:${issuer.server.address().port}`;
        issuer.server.on('request', issuer.provider(resource).callback());
        return issuer;
    }

    /** Nothing answers at its address any more. */
    async stop() {
        this.server.close();
        this.server.closeAllConnections();
        await once(this.server, 'close');
    }

    provider(resource) {
        const signing = { ...this.key.privateKey.export({ format: 'jwk' }), kid: this.keyId, use: 'sig', alg: 'RS256' };
        const provider = new Provider(this.url, {
            jwks: { keys: [signing] },
            cookies: { keys: [randomUUID()] },
            pkce: { required: () => true },
            // What a client may register for. The published clients register for what the first challenge names, and this issuer
            // would hold them to it: were the other scope in this list, no client could ever step up to it.
            scopes: ['offline_access', BASE],
            features: {
                devInteractions: { enabled: false },
                registration: { enabled: true },
                resourceIndicators: { enabled: true, getResourceServerInfo: (_, asked) => resourceServer(asked, resource) },
            },
            interactions: { url: (_, { uid }) => `/interaction/${uid}` },
            findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, email: `${id}@example.com` }) }),
            ttl: { AccessToken: 600, Grant: 3600, Interaction: 600, RefreshToken: 3600, Session: 3600 },
        });
        provider.use((ctx, next) => this.keep(ctx, next));
        provider.use((ctx, next) => (ctx.path.startsWith('/interaction/') ? agree(provider, ctx) : next()));
        return provider;
    }

    async keep(ctx, next) {
        await next();
        const { method, path, status } = ctx;
        const query = new URL(ctx.originalUrl, this.url).searchParams;
        this.record.push({ method, path, agent: ctx.get('user-agent'), query, body: ctx.oidc?.body, status });
    }

    /** What came since the record was that long, from clients or (with its name) from the server under test. */
    since(mark, isFrom = agent => !agent.startsWith('grange-')) {
        return this.record.slice(mark).filter(({ agent }) => isFrom(agent));
    }
}

function resourceServer(asked, resource) {
    if (asked !== resource) throw new errors.InvalidTarget();
    return { scope: `${BASE} ${NOTES}`, audience: asked, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } };
}

/** Stands for both pages: signs the person in, and grants what is asked. */
async function agree(provider, { req, res }) {
    const { prompt, params, session, grantId } = await provider.interactionDetails(req, res);
    if (prompt.name === 'login') {
        return await provider.interactionFinished(req, res, { login: { accountId: PERSON } }, { mergeWithLastSubmission: false });
    }
    const known = grantId && (await provider.Grant.find(grantId));
    const grant = known ?? new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
    const { missingOIDCScope, missingResourceScopes } = prompt.details;
    if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '));
    for (const [indicator, scopes] of Object.entries(missingResourceScopes ?? {})) {
        grant.addResourceScope(indicator, [...scopes].join(' '));
    }
    const consent = { grantId: await grant.save() };
    return await provider.interactionFinished(req, res, { consent }, { mergeWithLastSubmission: true });
}
