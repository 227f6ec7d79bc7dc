// The `auth` example before a real authorization server (npm oidc-provider) and the published clients: the whole OAuth flow of
// each, step-up, bad tokens, metadata, and an issuer that goes down.
// node_modules/.bin/node run.mjs --serve BINARY    (the example; started here, as is the issuer. Its own Node.js: see README)
import { parseArgs } from 'node:util';
import { Report, equal } from '../node/check.mjs';
import { CLIENTS, Wire } from './clients.mjs';
import { checkFlow } from './flow.mjs';
import { Issuer } from './issuer.mjs';
import { checkIssuerDown, checkMetadata } from './metadata.mjs';
import { Server, freePort } from './server.mjs';
import { checkTokens } from './tokens.mjs';

const WHOLE_RUN_MS = 120_000;
const OLDEST_NODE = 22;

const { values } = parseArgs({ options: { serve: { type: 'string' } } });
if (!values.serve) {
    console.error('usage: node_modules/.bin/node run.mjs --serve BINARY');
    process.exit(2);
}
if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    console.error(`oidc-provider needs Node.js ${OLDEST_NODE}, this is ${process.versions.node}: run it with node_modules/.bin/node`);
    process.exit(2);
}
const report = new Report();
let server;
setTimeout(() => {
    report.fail('oauth', new Error(`not finished after ${WHOLE_RUN_MS / 1000} s`));
    server?.kill();
    report.end();
}, WHOLE_RUN_MS).unref();

async function main() {
    const port = await freePort();
    const issuer = await Issuer.start(`http://127.0.0.1:${port}/mcp`);
    server = await Server.start(values.serve, issuer.url, port);
    const scene = { issuer, server, wire: new Wire(), binary: values.serve };
    await checkMetadata(report, scene);
    let token;
    for (const client of CLIENTS) token = (await checkFlow(report, scene, client)) ?? token;
    if (!token) throw new Error('no client got a token: nothing more can be checked');
    const good = await checkTokens(report, scene, token);
    await checkIssuerDown(report, scene, good);
    await report.check('oauth server: stop', async () => {
        equal(await server.stop(), 0, 'status after SIGTERM');
    });
}

await main().catch(error => {
    report.fail('oauth', error);
    server?.kill();
});
report.end();
