// Changes: both TypeScript clients, in each of their modes, subscribe or listen, hear what changed, and then no more.
// node changes.mjs (--http URL | --stdio COMMAND)    (`fixture … --live`)
//
// What must come has HEAR_MS; silence is SILENCE_MS without a notification.
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { checkConnect, equal, everyMode, expectUnknown } from './check.mjs';
import { callTool, legacy, modern } from './clients.mjs';

const HEAR_MS = 3000;
const SILENCE_MS = 250;
// `Limits::notify_interval`: a listener is sent a change at once, further ones when it is over.
const FOLD_MS = 100;
// A transport waits so long for a process to end by itself before it sends SIGTERM.
const PATIENCE_MS = 2000;
const BURST = 50;
const options = { timeout: 20_000 };

const BETA = 'demo://beta';
const OTHERS = ['demo://beta/', 'demo://alpha/Read%20Me'];
const UNKNOWN = 'demo://nowhere';
const UPDATED = `resources/updated ${BETA}`;
const RELISTED = 'resources/list_changed';

const now = () => performance.now();

function same(got, expected, what) {
    if (!isDeepStrictEqual(got, expected)) throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
}

/** Waits for a condition; whether it held in time. */
async function holds(condition) {
    const deadline = now() + HEAR_MS;
    while (!(await condition())) {
        if (now() > deadline) return false;
        await sleep(5);
    }
    return true;
}

const touch = (client, uri) => callTool(client, 'touch', { uri }, options);
const relist = client => callTool(client, 'relist', {}, options);
const subscriptions = async client => JSON.parse(await callTool(client, 'counts', {}, options)).subscriptions;

/** The server forgets what a stream or a session held soon after its end, not before the client has closed it. */
async function expectNoSubscription(client) {
    let left;
    await holds(async () => (left = await subscriptions(client)) === 0);
    equal(left, 0, 'subscriptions left');
}

/** The status of each GET that a client has sent: the stream of its session, on revisions with a handshake. */
const streams = [];

async function noting(url, init) {
    const response = await fetch(url, init);
    if (init?.method === 'GET') streams.push(response.status);
    return response;
}

const listening = ({ transports, ...client }) => ({ ...client, transports: { ...transports, http: url => transports.http(url, noting) } });

/** One client, and what it has heard since it was last asked. */
class Listener {
    heard = [];
    errors = [];

    constructor({ client, transport }, revision, wire) {
        Object.assign(this, { client, transport, wire, isModern: revision === '2026-07-28' });
        client.onerror = error => this.errors.push(error.message);
        client.fallbackNotificationHandler = async ({ method, params }) => {
            const what = [method.replace('notifications/', ''), params?.uri].filter(Boolean).join(' ');
            this.heard.push({ at: now(), what });
        };
    }

    /** Exactly this is heard, and then silence. */
    async expect(expected) {
        await holds(() => this.heard.length >= expected.length);
        await sleep(SILENCE_MS);
        same(this.take(), expected, 'heard');
    }

    take() {
        return this.heard.splice(0).map(({ what }) => what);
    }

    /** Subscribes in the way of the era. Gives what the server granted, and what ends it. */
    async subscribe(uris) {
        if (this.isModern) return this.listen(uris);
        for (const uri of uris) await this.client.subscribeResource({ uri }, options);
        const stop = async () => {
            for (const uri of uris) await this.client.unsubscribeResource({ uri }, options);
        };
        return { granted: uris, stop };
    }

    async listen(uris) {
        const listen = await this.client.listen({ resourceSubscriptions: uris, resourcesListChanged: true }, options);
        const { resourceSubscriptions = [], ...rest } = listen.honoredFilter;
        same(rest, { resourcesListChanged: true }, 'acknowledged beside the URIs');
        const stop = async () => {
            await listen.close();
            equal(await listen.closed, 'local', 'end of the listen');
        };
        return { granted: resourceSubscriptions, stop };
    }

    async begin() {
        this.subscription = await this.subscribe([BETA]);
        same(this.subscription.granted, [BETA], 'granted');
        equal(await subscriptions(this.client), 1, 'subscriptions');
        return BETA;
    }

    async hear() {
        for (const uri of OTHERS) await touch(this.client, uri);
        await this.expect([]);
        await touch(this.client, BETA);
        await this.expect([UPDATED]);
        return `1 of ${OTHERS.length + 1} touched`;
    }

    /** A burst is folded, and what comes last comes after its last change. */
    async hearBurst() {
        const begin = now();
        await Promise.all(Array.from({ length: BURST - 1 }, () => touch(this.client, BETA)));
        const last = now();
        await touch(this.client, BETA);
        const most = 2 + Math.floor((now() - begin) / FOLD_MS);
        const wasLast = await holds(() => this.heard.some(({ at }) => at >= last));
        await sleep(SILENCE_MS);
        const heard = this.take();
        equal(wasLast, true, `a notification after the last change, beside ${heard.length}`);
        same([...new Set(heard)], [UPDATED], 'heard');
        if (heard.length > most) throw new Error(`${heard.length} notifications for ${BURST} touches, at most ${most} were due`);
        return `${heard.length} for ${BURST} touches`;
    }

    async hearRelisted() {
        const before = await this.uris();
        await relist(this.client);
        await this.expect([RELISTED]);
        same(await this.uris(), before, 'listed again');
        equal(before.includes(BETA), true, 'listed');
        return `${before.length} listed again`;
    }

    async uris() {
        return (await this.client.listResources(undefined, options)).resources.map(({ uri }) => uri);
    }

    /** List changes go on where they were not asked for either: on revisions with a handshake. */
    async stop() {
        if (!this.subscription) throw new Error('nothing was subscribed');
        await this.subscription.stop();
        await expectNoSubscription(this.client);
        await touch(this.client, BETA);
        await relist(this.client);
        await this.expect(this.isModern ? [] : [RELISTED]);
    }

    /** A listen leaves out what is unknown; a subscription is refused with the code of a read. */
    async refuse() {
        if (!this.isModern) {
            const code = await expectUnknown(this.wire, UNKNOWN, () => this.subscribe([UNKNOWN]));
            equal(await subscriptions(this.client), 0, 'subscriptions');
            return code;
        }
        const { granted, stop } = await this.subscribe([UNKNOWN, BETA]);
        same(granted, [BETA], 'granted');
        equal(await subscriptions(this.client), 1, 'subscriptions');
        await stop();
        await expectNoSubscription(this.client);
        return 'left out';
    }

    /** Closes with a subscription that nobody ended: nothing of it is left. */
    async close(url) {
        await this.subscribe([BETA]);
        same(this.errors, [], 'errors of the client');
        const begin = now();
        await this.transport.terminateSession?.();
        await this.client.close();
        if (!url) {
            const took = Math.round(now() - begin);
            if (took >= PATIENCE_MS) throw new Error(`the server did not end by itself: ${took} ms`);
            return `${took} ms`;
        }
        same(streams.splice(0), this.isModern ? [] : [200], 'GET streams');
        await expectNothingLeft(url);
    }
}

async function expectNothingLeft(url) {
    const client = modern.modes[0].client();
    await client.connect(modern.transports.http(url), options);
    await expectNoSubscription(client).finally(() => client.close());
}

async function check(report, name, connection, revision) {
    const wire = await checkConnect(report, name, connection, revision);
    if (!wire) return;
    const listener = new Listener(connection, revision, wire);
    await report.check(`${name}: subscribe`, () => listener.begin());
    await report.check(`${name}: hear what changed`, () => listener.hear());
    await report.check(`${name}: hear a burst`, () => listener.hearBurst());
    await report.check(`${name}: hear of the list`, () => listener.hearRelisted());
    await report.check(`${name}: unsubscribe`, () => listener.stop());
    await report.check(`${name}: unknown resource`, () => listener.refuse());
    await report.check(`${name}: close`, () => listener.close(values.http));
}

const { values } = parseArgs({ options: { http: { type: 'string' }, stdio: { type: 'string' } } });
if (Boolean(values.http) === Boolean(values.stdio)) {
    console.error('usage: node changes.mjs (--http URL | --stdio COMMAND)');
    process.exit(2);
}
await everyMode('changes', [modern, legacy].map(listening), values, check);
