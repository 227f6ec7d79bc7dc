// A browser without a screen: follows redirects, keeps cookies, and stops where the client's callback would be opened.
// Part of run.mjs; runs only with it.

/** Nothing listens there: the browser stops before. */
export const CALLBACK = 'http://127.0.0.1/callback';
const MOST_REDIRECTS = 12;

export class Person {
    cookies = new Map();

    /** Goes where a client sends it; gives the URL that it comes back with. */
    async visit(url) {
        let next = String(url);
        for (let redirects = 0; redirects < MOST_REDIRECTS; redirects++) {
            if (next.startsWith(CALLBACK)) return new URL(next);
            const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
            const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
            for (const line of response.headers.getSetCookie()) this.keep(line);
            const location = response.headers.get('location');
            if (!location) throw new Error(`${next.split('?')[0]} answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
            next = new URL(location, next).href;
        }
        throw new Error(`more than ${MOST_REDIRECTS} redirects`);
    }

    keep(line) {
        const [pair, ...attributes] = line.split(';');
        const [name, value] = pair.split(/=(.*)/s);
        const isGone = attributes.some(attribute => /^\s*expires=Thu, 01 Jan 1970/i.test(attribute));
        if (isGone) this.cookies.delete(name);
        else this.cookies.set(name, value);
    }
}
