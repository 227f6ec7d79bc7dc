// Tokens that must not be let in, made from one that the issuer really issued, most of them with the issuer's real key; and the
// same token unharmed beside each, which must. Part of run.mjs; runs only with it.
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { equal } from '../node/check.mjs';
import { BASE, PERSON } from './issuer.mjs';
import { challenge } from './server.mjs';

const WIRES = ['modern', 'legacy'];
/** More than the clocks of issuer and server may be apart. */
const LONG = 120;

const encoded = value => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const decoded = part => JSON.parse(Buffer.from(part, 'base64url'));
const now = () => Math.floor(Date.now() / 1000);

/** Makes tokens with the header and the claims of an issued one, and what is said otherwise. */
export class Forge {
    constructor(issuer, issued) {
        const [header, claims] = issued.split('.').slice(0, 2).map(decoded);
        Object.assign(this, { issuer, issued, header, claims });
    }

    make(claims = {}, header = {}, signed = text => sign('RSA-SHA256', text, this.issuer.key.privateKey)) {
        const text = `${encoded({ ...this.header, ...header })}.${encoded({ ...this.claims, ...claims })}`;
        return `${text}.${signed(Buffer.from(text)).toString('base64url')}`;
    }

    /** Signed with a secret that everybody knows: the public key, in these bytes. */
    shared(secret) {
        return this.make({}, { alg: 'HS256' }, text => createHmac('sha256', secret).update(text).digest());
    }

    /** Each with a word that the refusal must say, so that nothing is refused for another reason than its own. */
    bad() {
        const { publicKey } = this.issuer.key;
        const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
        const good = this.make();
        const [header, , signature] = good.split('.');
        const jwk = { ...publicKey.export({ format: 'jwk' }), kid: this.issuer.keyId, use: 'sig', alg: 'RS256' };
        return {
            'expired': [this.make({ exp: now() - LONG }), 'expired'],
            'not yet valid': [this.make({ nbf: now() + LONG }), 'not valid yet'],
            'issued in the future': [this.make({ iat: now() + LONG }), 'in the future'],
            'without an end': [this.make({ exp: undefined }), "'exp'"],
            'for another audience': [this.make({ aud: 'https://other.example.com/mcp' }), 'audience'],
            'for this audience with a slash more': [this.make({ aud: `${this.claims.aud}/` }), 'audience'],
            'of another issuer': [this.make({ iss: 'https://other.example.com' }), 'another issuer'],
            'of this issuer with a slash more': [this.make({ iss: `${this.claims.iss}/` }), 'another issuer'],
            'of nobody': [this.make({ sub: undefined }), "'sub'"],
            'unsigned (alg none)': [this.make({}, { alg: 'none' }, () => Buffer.alloc(0)), 'algorithm'],
            'without its signature': [good.slice(0, good.lastIndexOf('.') + 1), 'signature'],
            'HS256 with the public key as PEM': [this.shared(publicKey.export({ type: 'spki', format: 'pem' })), 'algorithm'],
            'HS256 with the public key as JWK': [this.shared(JSON.stringify(jwk)), 'algorithm'],
            'of an unknown key id': [this.make({}, { kid: 'nobody' }), 'key of the token is unknown'],
            'of another key under the right id': [this.make({}, {}, text => sign('RSA-SHA256', text, stranger)), 'signature'],
            'of another key that it brings along': [this.make({}, { jwk }, text => sign('RSA-SHA256', text, stranger)), 'signature'],
            'with claims that were exchanged': [[header, encoded({ ...this.claims, sub: 'mallory' }), signature].join('.'), 'signature'],
            'of another purpose': [this.make({}, { typ: 'logout+jwt' }), 'another type'],
            'opaque': ['3f2c9a', 'no JWT'],
        };
    }
}

/** The good token is let in, and its read is counted: so a refusal below can be told from a server that lets nobody in. */
async function isLetIn(server, token) {
    for (const wire of WIRES) {
        const before = await server.reads(token);
        const { status, value } = await server.read('whoami://me', { authorization: [`Bearer ${token}`], wire });
        equal(status, 200, `status of the good token, ${wire}`);
        equal(value, PERSON, `subject, ${wire}`);
        equal((await server.reads(token)) - before, 1, `readers that ran for the good token, ${wire}`);
    }
}

/** Refused as the contract says, in both forms of a request, and without any reader. */
async function isRefused(server, good, attempt, expected, secrets) {
    for (const wire of WIRES) {
        const before = await server.reads(good);
        const { status, challenges, body, headers } = await server.read('whoami://me', { ...attempt, wire });
        equal(status, expected.status, `status, ${wire}`);
        equal(challenges.length, 1, `challenges, ${wire}`);
        const said = challenge(challenges[0]);
        equal(said.scheme, 'Bearer', 'scheme');
        equal(said.error, expected.error, 'error');
        equal(said.resource_metadata, `${server.origin}/.well-known/oauth-protected-resource/mcp`, 'resource_metadata');
        equal(said.scope, BASE, 'scope');
        if (expected.word && !said.error_description?.includes(expected.word)) throw new Error(`refused for "${said.error_description}"`);
        equal(headers['content-type'], 'application/json', 'Content-Type');
        equal(JSON.parse(body).error.code, -32600, 'code of the body');
        if (secrets.some(secret => (body + challenges[0]).includes(secret))) throw new Error('the answer repeats the token');
        equal((await server.reads(good)) - before, 0, `readers that ran, ${wire}`);
    }
    return challenges(expected);
}

const challenges = ({ status, error, word }) => [status, error, word].filter(Boolean).join(', ');

export async function checkTokens(report, { issuer, server }, issued) {
    const forge = new Forge(issuer, issued);
    const good = forge.make();
    await report.check('oauth token as issued: let in', () => isLetIn(server, issued));
    await report.check('oauth token signed anew: let in', () => isLetIn(server, good));
    const refused = (name, attempt, expected, secrets) =>
        report.check(`oauth token ${name}: refused, and no reader runs`, () => isRefused(server, good, attempt, expected, secrets));
    for (const [name, [token, word]] of Object.entries(forge.bad())) {
        await refused(name, { authorization: [`Bearer ${token}`] }, { status: 401, error: 'invalid_token', word }, [token]);
    }
    const several = { status: 400, error: 'invalid_request', word: 'several credentials' };
    const expired = forge.make({ exp: now() - LONG });
    await refused('in the query', { query: `?access_token=${good}` }, { status: 401 }, [good]);
    await refused('under another scheme', { authorization: [`Basic ${good}`] }, { status: 401 }, [good]);
    await refused('in two headers', { authorization: [`Bearer ${good}`, `Bearer ${good}`] }, several, [good]);
    await refused('in a second header', { authorization: [`Bearer ${expired}`, `Bearer ${good}`] }, several, [good, expired]);
    await refused('beside a password', { authorization: ['Basic YTpi', `Bearer ${good}`] }, several, [good]);
    await refused('twice in one header', { authorization: [`Bearer ${good}, Bearer ${good}`] }, { status: 401, error: 'invalid_token' }, [good]);
    await report.check('oauth token after all that: let in', () => isLetIn(server, good));
    return good;
}
