// The page of the `browser` example as its reader has it: what it lists, what it shows, how it says what went wrong, how it looks.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { equal } from '../clients/node/check.mjs';
import { newContext, runChecks, same, seen } from './expect.mjs';
import { nobody } from './servers.mjs';
import { Traffic } from './traffic.mjs';

const EXAMPLE = new URL('../../examples/browser/', import.meta.url);
/** Title, media type and, where a file has them, the contents. */
const LIST = [
    ['Getting started', 'text/markdown'],
    ['This page, <main> and all', 'text/html', 'index.html'],
    ['The tide of a day', 'image/svg+xml', 'resources/tide.svg'],
    ['The moon', 'image/png', 'resources/moon.png'],
    ['First bytes of a PNG', 'type not said'],
    ['How often this was read', 'text/plain'],
    ['Not written yet', 'text/markdown'],
];
const DRAFT = 'this page is still to be written';
/** For text of this size, by WCAG 2.2 (1.4.3). */
const CONTRAST = 4.5;

/** Opens the page of an origin in a context of its own. */
export async function openPage(browser, url) {
    const context = await newContext(browser, { viewport: { width: 960, height: 700 } });
    const page = await context.newPage();
    const traffic = await Traffic.of(page);
    await page.goto(url.href);
    return { page, traffic, end: () => context.close() };
}

/** Fills in the form and sends it with the Enter key. */
export async function submit(page, { url, key = '', mode }) {
    await page.fill('[name=url]', url.href);
    await page.fill('[name=key]', key);
    await page.selectOption('[name=mode]', mode);
    await page.press('[name=url]', 'Enter');
}

/** Runs the checks in a new page. `mode` is { name, value, revision }. */
export async function checkPage(report, browser, { home, example, mode, screenshots }) {
    const { page, traffic, end } = await openPage(browser, home.url);
    const problems = [];
    // The client of a revision with sessions asks for a stream of its own; that there is none is an answer as good as any.
    const noStream = message => message.location().url === example.url.href && message.text().includes('405');
    page.on('console', message => message.type() === 'error' && !noStream(message) && problems.push(message.text()));
    page.on('pageerror', error => problems.push(error.message));
    const state = { page, traffic, home, example, mode, screenshots, problems };
    await runChecks(report, `page ${mode.name}`, CHECKS, GATES, state);
    await end();
}

const CHECKS = {
    'the page connects': connect,
    'the list shows titles and media types': async ({ page }) => {
        const entries = await page.locator('#list button').all();
        const shown = await Promise.all(entries.map(entry => entry.locator('> *').allInnerTexts()));
        same(shown, LIST.map(([title, type]) => [title, type]), 'list');
        equal(await page.locator('main').count(), 1, 'elements made of a title');
    },
    'each text is shown as it was sent': async state => {
        for (const [title, type, file] of LIST.filter(([title, type]) => type.startsWith('text/') && title !== 'Not written yet')) {
            const { text } = await open(state, title);
            const shown = await state.page.locator('#contents pre').textContent();
            equal(shown, text, title);
            if (file) equal(shown, await readFile(new URL(file, EXAMPLE), 'utf8'), `${title}, beside its file`);
        }
    },
    'computed contents are computed again': async state => {
        const count = async () => Number(/^read (\d+) times$/.exec((await open(state, 'How often this was read')).text)[1]);
        const first = await count();
        equal(await count(), first + 1, 'reads');
    },
    'markup stays text': async state => {
        await open(state, 'This page, <main> and all');
        const elements = await state.page.locator('#contents *').evaluateAll(found => found.map(({ localName }) => localName));
        same(elements, ['h2', 'small', 'pre'], 'elements of the contents');
        equal(await state.page.locator('main, form').count(), 2, 'elements of the page');
    },
    'each image is shown': async state => {
        for (const [title, width] of [['The tide of a day', 240], ['The moon', 96]]) {
            await open(state, title);
            const [, , file] = LIST.find(([other]) => other === title);
            const image = state.page.locator('#contents img');
            await image.evaluate(async found => found.decode());
            equal(await image.evaluate(found => found.naturalWidth), width, `${title}: width`);
            equal(await image.getAttribute('alt'), title, 'alternative text');
            const bytes = await image.evaluate(async found => [...new Uint8Array(await (await fetch(found.src)).arrayBuffer())]);
            same(Buffer.from(bytes).toString('base64'), (await readFile(new URL(file, EXAMPLE))).toString('base64'), title);
        }
    },
    'other bytes are counted': async state => {
        await open(state, 'First bytes of a PNG');
        equal(await state.page.locator('#contents p').innerText(), '8 bytes that are no text.', 'contents');
    },
    'an error of a reader is told, until something else goes well': async state => {
        await choose(state.page, 'Not written yet');
        await seen(state.page, '#problem', DRAFT);
        await open(state, 'The moon');
        equal(await state.page.locator('#problem').isVisible(), false, 'whether the error is still there');
    },
    'of two asked for at once, the last is shown': async ({ page, mode }) => {
        await page.evaluate(() => [0, 3].forEach(place => document.querySelectorAll('#list button')[place].click()));
        await seen(page, '#status', connected(mode));
        same(await page.locator('#contents > *').evaluateAll(all => all.map(({ localName }) => localName)), ['h2', 'small', 'img'], 'elements');
        equal(await page.locator('#contents h2').innerText(), 'The moon', 'heading');
    },
    'a keyboard is enough': async ({ page }) => {
        await page.focus('[name=url]');
        const focused = () => page.evaluate(() => document.activeElement.innerText.split('\n')[0]);
        for (let presses = 0; (await focused()) !== LIST[0][0]; presses++) {
            if (presses > 10) throw new Error(`the list is not reached with ${presses} presses of Tab`);
            await page.keyboard.press('Tab');
        }
        const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
        equal(outline, 'solid', 'mark of the focus');
        await page.keyboard.press('Enter');
        await seen(page, '#contents h2', LIST[0][0]);
        equal(await page.locator('[aria-current]').count(), 1, 'entries marked as the current one');
    },
    'it fits a phone, and is legible by day and by night': async state => {
        const { page, screenshots } = state;
        await choose(page, 'Not written yet');
        await seen(page, '#problem', DRAFT);
        const least = [];
        for (const [colorScheme, isDark] of [['light', false], ['dark', true]]) {
            await page.emulateMedia({ colorScheme });
            least.push(await leastContrast(page, isDark));
        }
        await page.setViewportSize({ width: 400, height: 800 });
        await open(state, 'This page, <main> and all');
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        if (wide > 400) throw new Error(`at a width of 400 px the page is ${wide} px wide`);
        const top = await page.locator('#contents h2').evaluate(found => found.getBoundingClientRect().top);
        if (top > 700) throw new Error(`at a height of 800 px the contents begin at ${top}`);
        await page.screenshot({ path: join(screenshots, 'browser-narrow.png') });
        await page.emulateMedia({ colorScheme: 'light' });
        await page.setViewportSize({ width: 960, height: 700 });
        await open(state, 'The tide of a day');
        await page.locator('#contents img').evaluate(async found => found.decode());
        await page.screenshot({ path: join(screenshots, 'browser.png') });
        return `least contrast ${least.map(ratio => ratio.toFixed(1)).join(' and ')}; ${join(screenshots, 'browser.png')}`;
    },
    'preflights were asked and answered': checkPreflights,
    'every answer names this origin, and no other': async ({ traffic, home, example }) => {
        const answers = await traffic.with(example.url);
        for (const { method, status, got } of answers) {
            const what = `${method} ${status}`;
            equal(got['access-control-allow-origin'], home.url.origin, `${what}: Access-Control-Allow-Origin`);
            equal(got['access-control-expose-headers'], 'mcp-session-id, www-authenticate', `${what}: Access-Control-Expose-Headers`);
            equal(got['access-control-allow-credentials'], undefined, `${what}: Access-Control-Allow-Credentials`);
            if (!got.vary?.split(', ').includes('origin')) throw new Error(`${what}: Vary is ${got.vary}, without origin`);
        }
        return `${answers.length} answers`;
    },
    'nothing went wrong on the way': async ({ problems }) => same(problems, [], 'errors in the console'),
    'a server that is gone is told': async ({ page, mode, home }) => {
        await submit(page, { url: await nobody(), mode: mode.value });
        await seen(page, '#problem', unreadable(home.url));
        await seen(page, '#status', 'Not connected.');
        equal(await page.locator('#list button').count(), 0, 'entries left of the server before');
    },
};

const GATES = new Set([connect]);

async function connect({ page, traffic, example, mode }) {
    traffic.clear();
    await submit(page, { url: example.url, mode: mode.value });
    await seen(page, '#status', connected(mode));
    return mode.revision;
}

/** What the page says of the connection. */
export function connected({ revision }) {
    return `documentation 1.0.0, protocol ${revision}: ${LIST.length} resources.`;
}

/** What the page says where a browser tells it nothing. */
export function unreadable({ origin }) {
    return `No answer that this page may read: is the server there, and does it say .cors(["${origin}"])?`;
}

async function choose(page, title) {
    await page.locator('#list button', { has: page.getByText(title, { exact: true }) }).click();
}

/** Opens one entry of the list and gives what the server sent for it, as it came over the network. */
async function open({ page, traffic, example, mode }, title) {
    const before = (await traffic.with(example.url)).length;
    await choose(page, title);
    await page.locator('#status', { hasText: ' resources.' }).waitFor();
    equal(await page.locator('#contents h2').innerText(), title, 'heading of the contents');
    const read = (await traffic.with(example.url, { least: before + 1 })).findLast(({ method }) => method === 'POST');
    const answer = JSON.parse(await traffic.body(read));
    equal(answer.result.contents.length, 1, `${title}: items, with ${mode.name}`);
    return answer.result.contents[0];
}

async function checkPreflights({ traffic, home, example, mode }) {
    const all = await traffic.with(example.url);
    const preflights = all.filter(({ method }) => method === 'OPTIONS');
    const posts = all.filter(({ method }) => method === 'POST');
    if (preflights.length === 0) throw new Error('the browser asked for no permission');
    const allowed = new Set();
    for (const { cause, sent, status, got } of preflights) {
        equal(status, 204, 'status');
        equal(sent.origin, home.url.origin, 'Origin');
        const request = all.find(({ id }) => id === cause);
        equal(sent['access-control-request-method'], request.method, 'Access-Control-Request-Method');
        equal(got['access-control-allow-methods'], 'POST', 'Access-Control-Allow-Methods');
        for (const name of got['access-control-allow-headers'].split(', ')) allowed.add(name);
        const asked = sent['access-control-request-headers'].split(',');
        same(asked.filter(name => !allowed.has(name)), [], 'headers asked for and not allowed');
    }
    // The browser keeps an answer, so that it need not ask about each header.
    same(mode.headers.filter(name => !posts.some(({ sent }) => name in sent)), [], 'headers that were not sent');
    same(mode.headers.filter(name => !allowed.has(name)), [], 'headers sent without leave');
    return `${preflights.length} for ${posts.length} messages`;
}

/** The least contrast of a text with what is behind it. Fails below what is legible, and where a scheme is not the wanted one. */
async function leastContrast(page, isDark) {
    const texts = ['h1', 'label', 'input', 'select', 'form button', '#status', '#problem', 'li span', 'li small', '#contents h2', '#contents small'];
    const measured = await page.evaluate(texts => {
        const linear = part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        const channels = colour => colour.match(/[\d.]+/g).map(Number);
        const luminance = colour => {
            const [red, green, blue] = channels(colour).map(part => linear(part / 255));
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const behind = element => {
            const colour = getComputedStyle(element).backgroundColor;
            return channels(colour)[3] === 0 ? behind(element.parentElement) : luminance(colour);
        };
        return texts.map(selector => {
            const element = document.querySelector(selector);
            const [low, high] = [luminance(getComputedStyle(element).color), behind(element)].sort((one, other) => one - other);
            return { selector, ratio: (high + 0.05) / (low + 0.05), paper: behind(document.body) };
        });
    }, texts);
    equal(measured[0].paper < 0.2, isDark, 'whether the page is dark');
    const poor = measured.filter(({ ratio }) => ratio < CONTRAST).map(({ selector, ratio }) => `${selector} ${ratio.toFixed(1)}`);
    same(poor, [], `texts with a contrast below ${CONTRAST}`);
    return Math.min(...measured.map(({ ratio }) => ratio));
}
