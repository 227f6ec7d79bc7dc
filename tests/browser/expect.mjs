// What the checks have in common: running them in order, comparing, waiting.
import { isDeepStrictEqual, stripVTControlCharacters } from 'node:util';
import { equal } from '../clients/node/check.mjs';

export const WAIT_MS = 5_000;
/** For a page with its modules, of which there are more than a hundred. */
const LOAD_MS = 20_000;

/** A context of its own, whose waits are bounded. */
export async function newContext(browser, options) {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(WAIT_MS);
    context.setDefaultNavigationTimeout(LOAD_MS);
    return context;
}

/** Runs checks in their order on one state; what follows a failed gate says nothing new and is left out. */
export async function runChecks(report, prefix, checks, gates, state) {
    for (const [name, run] of Object.entries(checks)) {
        const held = await report.check(`${prefix}: ${name}`, async () => run(state).catch(plain));
        if (!held && gates.has(run)) break;
    }
}

export function same(got, expected, what) {
    if (!isDeepStrictEqual(got, expected)) {
        throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
    }
}

/** Waits for the text to be there and to be seen. */
export async function seen(view, selector, text) {
    const found = view.locator(selector);
    try {
        await found.filter({ hasText: text, visible: true }).waitFor();
    } catch {
        const hidden = (await found.isVisible()) ? '' : 'hidden ';
        throw new Error(`${selector}: expected to see ${text}, got ${hidden}${await found.innerText()}`);
    }
    equal(await found.innerText(), text, selector);
}

export async function within(promise, what) {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`${what}: not within ${WAIT_MS} ms`)), WAIT_MS);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** The same error, without colours. */
function plain(error) {
    throw new Error(stripVTControlCharacters(error.message));
}
