// The checks of ends: a client that goes away, a server that ends, dies or comes back, and an nginx that reads its configuration
// again.
import { equal } from '../clients/node/check.mjs';
import { LEGACY, legacy, listen, read, text } from './client.mjs';
import { connections, ESTABLISHED, PUBLIC, until, wasClosedBy } from './servers.mjs';

/** How long the slow resource takes. */
const SLOW_MS = 2_000;
/** Longer than nginx waits here, and not as long as the server does. */
const IDLE_MS = 20_000;
const IMPATIENT = [['keepalive_timeout 60s;', 'keepalive_timeout 2s;']];
const STREAM = { accept: 'text/event-stream' };
const COMMENTS = ['--keep-alive-ms', '100'];

export async function checkEnds(report, theatre, wire) {
    await checkGone(report, theatre, wire);
    await checkShutdown(report, theatre, wire);
    await checkRestart(report, theatre, wire);
    await checkReload(report, theatre, wire);
}

/**
 * A request that meets the closing of its connection is lost. With the example's times, 60 s and 75 s, it is nginx that closes, so
 * there is none. Here nginx does so sooner.
 */
export async function checkIdle(report, theatre) {
    await theatre.play({ wire: 'h1', edits: IMPATIENT }, async ({ client, port }) => {
        await report.check('nginx closes an idle connection before the server does', async () => {
            await client.ask(read('demo://beta'));
            const [kept, ...others] = connections(port, ESTABLISHED);
            equal(others.length, 0, 'other connections');
            const began = Date.now();
            await until(() => connections(port, ESTABLISHED).size === 0, 'the connection is closed', IDLE_MS);
            equal(wasClosedBy(kept, port), true, 'closed by nginx');
            return `after ${((Date.now() - began) / 1000).toFixed(1)} s`;
        });
    });
}

/** Leaves a read alone once its reader runs; nginx closes its connection to the server in return. */
async function leave({ client, nginx, port }, request, isRunning) {
    const path = nginx.path();
    const exchange = await client.send({ headers: request.headers, path, open: true });
    exchange.request.end(request.body);
    await isRunning(exchange);
    exchange.stop();
    const [{ status }] = await nginx.logged(path);
    equal(status, request.headers.accept === STREAM.accept ? 200 : 499, 'status that nginx logged');
    await until(() => connections(port, ESTABLISHED).size === 0, 'nginx closes its connection to the server');
}

/** The server logs how each request ended, and the reader that it runs. Left alone, the report would take 30 s and end well. */
async function checkGone(report, theatre, wire) {
    const outcomes = server => [...server.said.matchAll(/uri="deploy:\/\/report".* outcome="(\w+)"/g)].map(([, outcome]) => outcome).join();
    const stage = { wire, example: 'deploy', name: PUBLIC, flags: ['--public-host', PUBLIC] };
    for (const [kind, options] of Object.entries({ JSON: {}, 'an event stream': STREAM })) {
        await theatre.play(stage, ({ server, ...stage }) =>
            report.check(`${wire} stops the work for a client that left ${kind}`, async () => {
                const isRunning = async exchange => {
                    if (options === STREAM) await exchange.answered();
                    await until(() => server.said.includes('working on the report'), 'the reader runs');
                };
                await leave(stage, read('deploy://report', options), isRunning);
                equal(await until(() => outcomes(server), 'the server logs the end of the request'), 'cancelled', 'outcome');
            }),
        );
    }
    await theatre.play({ wire }, ({ server, ...stage }) =>
        report.check(`${wire} goes on for a legacy client, as its revision demands`, async () => {
            const request = legacy({ id: 1, method: 'resources/read', params: { uri: 'demo://slow' } }, STREAM);
            request.headers['mcp-protocol-version'] = LEGACY;
            const began = Date.now();
            // An event stream says at once that its reader runs.
            await leave(stage, request, exchange => exchange.answered());
            // A server that ends waits for its readers.
            equal(await server.stop(), 'status 0', 'end of the server');
            const took = Date.now() - began;
            if (took < SLOW_MS) throw new Error(`the server ended after ${took} ms: the reader was stopped`);
            return `${took} ms`;
        }),
    );
}

async function checkShutdown(report, theatre, wire) {
    await theatre.play({ wire }, async ({ client, nginx, server, port }) => {
        await report.check(`${wire} passes the last messages of a server that ends`, async () => {
            const held = await client.send(listen());
            await held.event();
            const path = nginx.path();
            const streaming = client.send({ ...read('demo://slow', STREAM), path });
            const answering = client.send({ ...read('demo://slow'), path });
            // Whatever fails meanwhile, they are looked at below or not at all.
            for (const sent of [streaming, answering]) sent.catch(() => {});
            await until(() => connections(port, ESTABLISHED).size === 3, 'nginx connects to the server for each of them');
            const ended = server.stop();

            equal((await held.event()).result.resultType, 'complete', 'result of the held stream');
            equal((await held.event()).method, 'notifications/cancelled', 'last message of the held stream');
            equal(await held.over(), 'whole', 'end of the held stream');
            const stream = await streaming;
            equal((await stream.event()).result.contents[0].text, 'slow', 'contents in the stream');
            equal(await stream.over(), 'whole', 'end of the stream');
            equal(text(await (await answering).whole()), 'slow', 'contents in JSON');
            equal(await ended, 'status 0', 'end of the server');
            const logged = await nginx.logged(path, 2);
            equal(logged.map(({ status }) => status).join(), '200,200', 'statuses that nginx logged');
        });
    });
}

async function checkRestart(report, theatre, wire) {
    await theatre.play({ wire }, async ({ client, server, again }) => {
        const status = async () => (await client.ask(read('demo://beta'))).status;
        await report.check(`${wire} answers 502 while there is no server, and goes on when it is back`, async () => {
            equal(await status(), 200, 'before');
            equal(await server.stop(), 'status 0', 'end of the server');
            equal(`${await status()} ${await status()}`, '502 502', 'meanwhile');
            server = await again();
            equal(`${await status()} ${await status()}`, '200 200', 'afterwards');
        });
        await report.check(`${wire} breaks off what a server that dies has not answered`, async () => {
            const held = await client.send(listen());
            await held.event();
            const answer = await client.send({ headers: read('demo://slow').headers, open: true });
            answer.request.end(read('demo://slow').body);
            equal(await status(), 200, 'before');
            await server.stop('SIGKILL');
            const how = await held.over();
            if (how === 'whole') throw new Error('the stream looks whole');
            equal((await answer.answered()).status, 502, 'status of the answer');
            await again();
            equal(`${await status()} ${await status()}`, '200 200', 'afterwards');
            return how;
        });
    });
}

async function checkReload(report, theatre, wire) {
    await theatre.play({ wire, flags: COMMENTS }, async ({ client, connect, nginx }) => {
        await report.check(`${wire} keeps a stream while nginx reads its configuration again`, async () => {
            const held = await client.send(listen());
            await held.event();
            const [old] = nginx.workers();
            nginx.reload();
            await until(() => nginx.workers().some(worker => worker !== old), 'a new worker starts');
            await until(() => nginx.notices().includes('gracefully shutting down'), 'the old worker is told to end');
            equal(text(await connect().ask(read('demo://beta'))), 'b', 'contents from the new worker');
            await held.comments(10);
            equal(held.ended, '', 'end of the stream');
            if (!nginx.workers().includes(old)) throw new Error('the old worker is gone');
            held.stop();
            client.close();
            await until(() => !nginx.workers().includes(old), 'the old worker ends after its last stream');
        });
    });
}
