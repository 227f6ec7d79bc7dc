// The `apps` example in a real browser: the published host side of MCP Apps opens its view, once per era of the protocol.
// node run.mjs --apps BINARY [--chromium BINARY] [--screenshot FILE]
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { Report, equal } from '../clients/node/check.mjs';
import { checkView } from './checks.mjs';
import { startExample, startHost, startSandbox } from './servers.mjs';

const WHOLE_RUN_MS = 50_000;
const MODES = [
    { name: 'modern', negotiation: { pin: '2026-07-28' }, revision: '2026-07-28' },
    { name: 'legacy', negotiation: 'legacy', revision: '2025-11-25' },
];
/** What is not on this machine is no part of the test: no name is looked up, nothing is sent home. */
const ALONE = [
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-quic',
    '--disable-sync',
    '--no-first-run',
];

const options = {
    apps: { type: 'string' },
    chromium: { type: 'string', default: process.env.CHROMIUM ?? '/usr/bin/chromium' },
    screenshot: { type: 'string', default: fileURLToPath(new URL('../../target/browser/apps.png', import.meta.url)) },
};
const { values } = parseArgs({ options });
if (!values.apps) {
    console.error('usage: node run.mjs --apps BINARY [--chromium BINARY] [--screenshot FILE]');
    process.exit(2);
}
mkdirSync(dirname(values.screenshot), { recursive: true });

const report = new Report();
const started = [];
setTimeout(async () => {
    report.fail('browser', new Error(`not finished after ${WHOLE_RUN_MS / 1000} s`));
    await Promise.allSettled(started.map(({ stop }) => stop()));
    report.end();
}, WHOLE_RUN_MS).unref();

const start = async starting => started[started.push(await starting) - 1];
const ends = {};
await report.check('browser: start', async () => {
    ends.example = await start(startExample(values.apps));
    ends.host = await start(startHost(ends.example.url));
    ends.sandbox = await start(startSandbox());
    const browser = await chromium.launch({ executablePath: values.chromium, args: ALONE });
    ends.browser = await start({ launched: browser, stop: () => browser.close() });
    return `Chromium ${browser.version()}`;
});
if (ends.browser) {
    const { host, sandbox, browser: { launched } } = ends;
    for (const mode of MODES) await checkView(report, launched, { host, sandbox, mode, screenshot: values.screenshot });
    await report.check('browser: stop', async () => equal(await ends.example.stop(), 'status 0', 'end of the example'));
}
await Promise.allSettled(started.map(({ stop }) => stop()));
report.end();
