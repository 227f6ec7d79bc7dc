// The `apps` and `browser` examples in a real browser: the published host side of MCP Apps opens a view, and a page of another origin
// reads resources with the published client, each in both eras of the protocol.
// node run.mjs --apps BINARY --browser BINARY [--chromium BINARY] [--screenshots FOLDER]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { Report, equal } from '../clients/node/check.mjs';
import { checkView } from './checks.mjs';
import { INTERNET, KEY, checkOrigins } from './origin-checks.mjs';
import { checkPage } from './page-checks.mjs';
import { startExample, startHost, startPage, startSandbox } from './servers.mjs';

/** Against hanging: on a machine that does nothing else the run takes a quarter of it. */
const WHOLE_RUN_MS = 90_000;
const VIEW_MODES = [
    { name: 'modern', negotiation: { pin: '2026-07-28' }, revision: '2026-07-28' },
    { name: 'legacy', negotiation: 'legacy', revision: '2025-11-25' },
];
/** `headers` are those that a page may send with leave only. */
const PAGE_MODES = [
    { name: 'modern', value: '2026-07-28', revision: '2026-07-28', headers: ['content-type', 'mcp-method', 'mcp-name', 'mcp-protocol-version'] },
    { name: 'legacy', value: 'legacy', revision: '2025-11-25', headers: ['content-type', 'mcp-protocol-version'] },
];
/** What is not on this machine is no part of the test: no name is looked up, nothing is sent home. Names below `.example` are here. */
const ALONE = [
    '--host-resolver-rules=MAP *.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-quic',
    '--disable-sync',
    '--no-first-run',
];

const options = {
    apps: { type: 'string' },
    browser: { type: 'string' },
    chromium: { type: 'string', default: process.env.CHROMIUM ?? '/usr/bin/chromium' },
    screenshots: { type: 'string', default: fileURLToPath(new URL('../../target/browser', import.meta.url)) },
};
const { values } = parseArgs({ options });
if (!values.apps || !values.browser) {
    console.error('usage: node run.mjs --apps BINARY --browser BINARY [--chromium BINARY] [--screenshots FOLDER]');
    process.exit(2);
}
const { screenshots } = values;
mkdirSync(screenshots, { recursive: true });

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
    ends.apps = await start(startExample(values.apps));
    ends.host = await start(startHost(ends.apps.url));
    ends.sandbox = await start(startSandbox());
    ends.home = await start(startPage());
    const named = ['--origin', ends.home.url.origin];
    ends.open = await start(startExample(values.browser, ...named, '--origin', INTERNET.origin));
    ends.guarded = await start(startExample(values.browser, ...named, '--sessions', '--key', KEY));
    const browser = await chromium.launch({ executablePath: values.chromium, args: ALONE });
    ends.browser = await start({ launched: browser, stop: () => browser.close() });
    return `Chromium ${browser.version()}`;
});
if (ends.browser) {
    const { host, sandbox, home, open, guarded, browser: { launched } } = ends;
    for (const mode of VIEW_MODES) await checkView(report, launched, { host, sandbox, mode, screenshot: join(screenshots, 'apps.png') });
    const whole = (name, checking) => checking.catch(error => report.fail(`${name}: not run to its end`, error));
    for (const mode of PAGE_MODES) {
        await whole(`page ${mode.name}`, checkPage(report, launched, { home, example: open, mode, screenshots }));
    }
    await whole('origins', checkOrigins(report, launched, { home, open, guarded }));
    await report.check('browser: stop', async () => {
        for (const name of ['apps', 'open', 'guarded']) equal(await ends[name].stop(), 'status 0', `end of the example (${name})`);
    });
}
await Promise.allSettled(started.map(({ stop }) => stop()));
report.end();
