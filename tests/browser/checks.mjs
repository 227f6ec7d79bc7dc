// One view from its declaration to its end, in a page of a real browser: each check is one thing that a host relies on.
import { equal } from '../clients/node/check.mjs';
import { newContext, runChecks, same, seen, within } from './expect.mjs';

const TOOL = 'forecast';
const VIEW = 'ui://forecast/view';
const LEGEND = 'docs://forecast/legend';
const MIME_TYPE = 'text/html;profile=mcp-app';
const NEEDS = { csp: { connectDomains: ['https://api.example.com'] }, prefersBorder: true };
const DECLARED = 'https://api.example.com/';
const UNDECLARED = 'https://elsewhere.example.com/';
const POLICY =
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "font-src 'none'; media-src 'self' data:; connect-src https://api.example.com; frame-src 'none'; base-uri 'self'; " +
    "object-src 'none'";
/** The last day but one, so that the button gives one more forecast and then an error of the tool. */
const ASKED = { city: 'Utrecht', day: 5 };

/** Runs all checks in a new page of the host. `mode` is { name, negotiation, revision }. */
export async function checkView(report, browser, { host, sandbox, mode, screenshot }) {
    const context = await newContext(browser, { viewport: { width: 480, height: 400 } });
    const page = await context.newPage();
    const problems = [];
    // The client of a revision with sessions asks for a stream of its own; that there is none is an answer as good as any.
    const noStream = message => message.location().url === `${host.url}mcp` && message.text().includes('405');
    page.on('console', message => message.type() === 'error' && !noStream(message) && problems.push(message.text()));
    page.on('pageerror', error => problems.push(error.message));
    const state = { page, host, sandbox, mode, screenshot, problems, reached: await answerElsewhere(context) };
    await runChecks(report, `browser ${mode.name}`, CHECKS, GATES, state);
    await context.close();
}

/** Answers both foreign origins without a network, and notes what was asked: only the policy can keep a view from them. */
async function answerElsewhere(context) {
    const reached = [];
    const answer = route => {
        reached.push(route.request().url());
        return route.fulfill({ status: 200, headers: { 'access-control-allow-origin': '*' }, body: 'answered' });
    };
    for (const origin of [DECLARED, UNDECLARED]) await context.route(`${origin}**`, answer);
    return reached;
}

const CHECKS = {
    'the client connects': connect,
    'the client lists the tool and reads its view': describe,
    'the tool names its view in both forms': async ({ described: { tool, uri } }) => {
        equal(tool._meta?.ui?.resourceUri, VIEW, '_meta.ui.resourceUri');
        equal(tool._meta?.['ui/resourceUri'], VIEW, '_meta["ui/resourceUri"]');
        equal(uri, VIEW, 'what the bridge takes from them');
    },
    'the media type is exact': async ({ described: { entry, contents, mimeType } }) => {
        equal(entry?.mimeType, MIME_TYPE, 'media type of the list entry');
        equal(contents[0].mimeType, MIME_TYPE, 'media type of the contents');
        equal(mimeType, MIME_TYPE, 'media type that the bridge looks for');
    },
    'the list entry and the contents ask for the same': async ({ described: { entry, contents } }) => {
        same(entry?._meta?.ui, NEEDS, '_meta.ui of the list entry');
        same(contents[0]._meta?.ui, NEEDS, '_meta.ui of the contents');
        same(contents.map(({ uri }) => uri), [VIEW], 'contents');
    },
    'the view initializes': open,
    'the view shows what the tool was asked': async ({ page, view }) => {
        await seen(view, '#said', 'Waiting for the host.');
        await page.evaluate(args => window.host.sendInput(args), ASKED);
        await seen(view, '#said', 'Asked for Utrecht, day 5.');
        equal(await view.locator('#next').isDisabled(), true, 'whether the button waits for a result');
    },
    'the view shows what the tool gave': async state => {
        const { structuredContent } = await state.page.evaluate(() => window.host.sendResult());
        equal(structuredContent.day, ASKED.day, 'day of the result');
        await shows(state, structuredContent);
    },
    'the button calls the tool through the host': async state => {
        await state.view.locator('#next').click();
        const { city, day } = ASKED;
        const answer = await state.page.evaluate(args => window.host.call('forecast', args), { city, day: day + 1 });
        await shows(state, answer.structuredContent);
        const wanted = { name: TOOL, arguments: { city, day: day + 1 } };
        // The view's, and this check's own.
        same(calls(state), [{ name: TOOL, arguments: ASKED }, wanted, wanted], 'calls that went to the server');
    },
    'the view shows an error of the tool': async ({ view }) => {
        await view.locator('#next').click();
        await seen(view, '#said', 'There is no forecast for day 7: ask for 0, today, to 6.');
        await seen(view, '#city', 'Utrecht, day 6');
    },
    'the view reads a resource through the host': async ({ page, view, host }) => {
        await view.locator('summary').click();
        await view.waitForFunction(() => document.getElementById('legend').textContent !== '');
        const reads = host.wire.filter(({ method }) => method === 'resources/read').map(({ params }) => params.uri);
        same(reads, [LEGEND], 'reads that went to the server');
        await seen(view, '#legend', await page.evaluate(uri => window.host.read(uri), LEGEND));
    },
    'the view has the height that it asked for': async ({ page, view }) => {
        const wanted = await view.evaluate(() => document.documentElement.offsetHeight);
        await page.waitForFunction(height => window.host.height() === height, wanted);
        return `${wanted} px`;
    },
    'the view takes the theme of the host': async ({ page, view }) => {
        for (const theme of ['light', 'dark', 'light']) {
            await page.evaluate(theme => window.host.setTheme(theme), theme);
            await view.waitForFunction(theme => document.documentElement.style.colorScheme === theme, theme);
        }
    },
    'nothing went wrong on the way': async ({ page, problems, reached, screenshot }) => {
        same(problems, [], 'errors in the console');
        same(reached, [], 'foreign origins reached so far');
        await page.screenshot({ path: screenshot });
        return screenshot;
    },
    'the policy is the declared one': async ({ header }) => equal(header, POLICY, 'Content-Security-Policy'),
    'the declared origin can be fetched': async ({ view, reached }) => {
        same(await fetched(view, `${DECLARED}now`), { body: 'answered' }, 'fetch');
        same(reached, [`${DECLARED}now`], 'foreign origins reached');
    },
    'an undeclared origin cannot be fetched': async ({ view, reached }) => {
        const refused = { directive: 'connect-src', uri: `${UNDECLARED}now` };
        same(await fetched(view, `${UNDECLARED}now`), { refused }, 'fetch');
        same(reached, [`${DECLARED}now`], 'foreign origins reached');
    },
    'the view answers before it is removed': async ({ page }) => {
        same(await page.evaluate(() => window.host.close()), {}, 'answer to ui/resource-teardown');
        equal(page.frames().length, 1, 'frames left');
    },
};

const GATES = new Set([connect, describe, open]);

async function connect({ page, host, mode }) {
    await page.goto(`${host.url}host.html`);
    await page.waitForFunction(() => window.host !== undefined);
    const revision = await page.evaluate(negotiation => window.host.connect(negotiation), mode.negotiation);
    equal(revision, mode.revision, 'negotiated revision');
    return revision;
}

async function describe(state) {
    state.described = await state.page.evaluate(name => window.host.describe(name), TOOL);
}

async function open(state) {
    const { page, host, sandbox } = state;
    host.wire.length = 0;
    page.on('response', response => {
        if (response.url().startsWith(sandbox.url)) state.header = response.headers()['content-security-policy'];
    });
    const opening = page.evaluate(wanted => window.host.open(...wanted), [TOOL, ASKED, sandbox.url]);
    const { app, capabilities } = await within(opening, 'ui/notifications/initialized');
    same(app, { name: 'forecast', version: '1.0.0' }, 'who the view is');
    same(capabilities, { availableDisplayModes: ['inline'] }, 'what the view can do');
    const [first, second] = await page.evaluate(() => window.host.said());
    same([first.method, first.params.protocolVersion], ['ui/initialize', '2026-01-26'], 'first message');
    equal(second.method, 'ui/notifications/initialized', 'second message');
    same(calls(state), [{ name: TOOL, arguments: ASKED }], 'calls that went to the server');
    // The view may speak before the driver has heard of its frame.
    const isView = frame => frame.url() === 'about:srcdoc';
    state.view = page.frames().find(isView) ?? (await page.waitForEvent('framenavigated', isView));
    equal(await state.view.evaluate(() => window.origin), 'null', 'origin of the view');
}

/** The calls that went to the server, without what the client adds to each. */
function calls({ host }) {
    const sent = host.wire.filter(({ method }) => method === 'tools/call');
    return sent.map(({ params: { name, arguments: args } }) => ({ name, arguments: args }));
}

async function shows({ view }, { city, day, sky, low, high }) {
    await seen(view, '#city', `${city}, day ${day}`);
    await seen(view, '#sky', sky);
    await seen(view, '#degrees', `${low} °C to ${high} °C`);
    // A function and no text to evaluate, everywhere: the policy of the view forbids `eval`.
    await view.waitForFunction(() => document.getElementById('said').textContent === '');
}

/** What a fetch by the view comes to: a body, or what the policy refused. */
function fetched(view, url) {
    const fetching = view.evaluate(async url => {
        const violation = new Promise(resolve => document.addEventListener('securitypolicyviolation', resolve, { once: true }));
        try {
            return { body: await (await fetch(url)).text() };
        } catch {
            const { effectiveDirective: directive, blockedURI: uri } = await violation;
            return { refused: { directive, uri } };
        }
    }, url);
    return within(fetching, `fetch of ${url}`);
}
