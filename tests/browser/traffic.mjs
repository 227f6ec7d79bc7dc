// What went over the network for one page, as the browser itself tells it (DevTools protocol, domain `Network`): preflights too,
// which no page can see, and the headers of answers that the page may not read.
//
// Nothing is intercepted: a browser whose requests are intercepted answers preflights by itself.

import { WAIT_MS } from './expect.mjs';

/** Everything that one page asked for. Exchanges are { id, url, method, cause, sent, status, got, failed, refused }. */
export class Traffic {
    #exchanges = new Map();
    #waiting = new Set();
    #session;

    static async of(page) {
        const traffic = new Traffic();
        traffic.#session = await page.context().newCDPSession(page);
        traffic.#listen({
            requestWillBeSent: ({ request: { url, method }, initiator }) => ({ url, method, cause: initiator.requestId }),
            // Only now has it left the browser.
            requestWillBeSentExtraInfo: ({ headers }) => ({ sent: lowered(headers) }),
            responseReceivedExtraInfo: ({ statusCode, headers }) => ({ status: statusCode, got: lowered(headers) }),
            loadingFinished: () => ({ finished: true }),
            loadingFailed: ({ errorText, corsErrorStatus }) => ({ failed: errorText, refused: corsErrorStatus?.corsError }),
        });
        await traffic.#session.send('Network.enable');
        return traffic;
    }

    #listen(events) {
        for (const [name, read] of Object.entries(events)) {
            this.#session.on(`Network.${name}`, event => {
                const known = this.#exchanges.get(event.requestId) ?? { id: event.requestId };
                this.#exchanges.set(event.requestId, Object.assign(known, read(event)));
                for (const look of this.#waiting) look();
            });
        }
    }

    /** Forgets what was so far. */
    clear() {
        this.#exchanges.clear();
    }

    /**
     * The exchanges with this address, once all of them are over, as many are there as `least` says, and as many of them were
     * answered as `answered` says. What was sent and answered is told apart from the rest, and may come last.
     */
    async with(url, { least = 1, answered = 0 } = {}) {
        const found = () => [...this.#exchanges.values()].filter(exchange => exchange.url === url.href);
        const isOver = ({ sent, got, finished, failed }) => (finished ? sent && got : failed && (got || !sent));
        const areThere = () => found().length >= least && found().filter(({ got }) => got).length >= answered;
        await this.#until(() => areThere() && found().every(isOver), () => JSON.stringify(found()));
        return found();
    }

    /** What an exchange was answered with. */
    async body({ id }) {
        const { body, base64Encoded } = await this.#session.send('Network.getResponseBody', { requestId: id });
        return base64Encoded ? Buffer.from(body, 'base64').toString() : body;
    }

    #until(holds, described) {
        return new Promise((resolve, reject) => {
            const over = setTimeout(() => {
                this.#waiting.delete(look);
                reject(new Error(`not over after ${WAIT_MS} ms: ${described()}`));
            }, WAIT_MS);
            const look = () => {
                if (!holds()) return;
                clearTimeout(over);
                this.#waiting.delete(look);
                resolve();
            };
            this.#waiting.add(look);
            look();
        });
    }
}

/** A header that came in several lines has them joined, as `Headers` in a page has it. */
function lowered(headers) {
    const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.replaceAll('\n', ', ')]);
    return Object.fromEntries(entries);
}
