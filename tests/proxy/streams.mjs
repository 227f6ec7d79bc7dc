// The checks of event streams: each event arrives when it is said, shown by what can only follow it, and comments keep a silent
// stream alive for longer than nginx waits.
import { equal } from '../clients/node/check.mjs';
import { handshake, legacy, listen, read, text } from './client.mjs';

const READ = 'ai.nimblebrain/resources/read';
const FILE = 'files://fl_0123456789abcdef01234567';
const HOST = {
    extensions: { 'ai.nimblebrain/host-resources': { read: { enabled: true, range: false, maxSize: 1024 }, schemes: ['files'] } },
};
/** nginx waits for 1 s; the slow resource takes 2. */
const IMPATIENT = [['proxy_read_timeout 75s;', 'proxy_read_timeout 1s;']];
const COMMENTS = ['--keep-alive-ms', '100'];

export async function checkStreams(report, theatre, wire) {
    await theatre.play({ wire, flags: COMMENTS }, async ({ client, nginx }) => {
        await report.check(`${wire} gives the first event of a stream that does not end`, async () => {
            const stream = await client.send(listen());
            const { method } = await stream.event();
            equal(method, 'notifications/subscriptions/acknowledged', 'first event');
            equal(stream.ended, '', 'end');
            await stream.comments(5);
            equal(stream.ended, '', 'end after five comments');
            equal(stream.headers['x-accel-buffering'], undefined, 'header that is for nginx alone');
            stream.stop();
        });
        await report.check(`${wire} waits for a slow answer`, async () => {
            const path = nginx.path();
            equal(text(await client.ask({ ...read('demo://slow'), path })), 'slow', 'contents');
            const [{ took }] = await nginx.logged(path);
            return `${took} s`;
        });
    });
    await checkConversation(report, theatre, wire);
    await checkImpatience(report, theatre, wire);
}

/** The tool asks for a file, is put off, asks again and gets it: three events, each sent after the answer to the one before. */
async function checkConversation(report, theatre, wire) {
    await theatre.play({ wire, example: 'toolHost' }, async ({ client }) => {
        await report.check(`${wire} passes each event before the next can be said`, async () => {
            const session = await handshake(client, HOST);
            const params = { name: 'summarize', arguments: { file_uri: FILE } };
            const call = await client.send(legacy({ id: 1, method: 'tools/call', params }, { session }));
            const answer = message => client.ask(legacy(message, { session }));

            const first = await call.event();
            equal(`${first.method} ${first.params.uri}`, `${READ} ${FILE}`, 'first event');
            await answer({ id: first.id, error: { code: -32004, message: 'Rate limited', data: { retryAfterMs: 5 } } });
            const second = await call.event();
            equal(second.method, READ, 'second event');
            const contents = [{ uri: FILE, mimeType: 'text/plain', text: 'of four words here' }];
            equal((await answer({ id: second.id, result: { contents } })).status, 202, 'status of the answer');
            const last = await call.event();
            equal(last.result.structuredContent.words, 4, 'words');
            equal(await call.over(), 'whole', 'end');
        });
        await report.check(`${wire} opens the stream of a session before it has anything to say`, async () => {
            const session = await handshake(client, HOST);
            const headers = { accept: 'text/event-stream', 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
            const stream = await client.send({ method: 'GET', headers });
            equal(`${stream.status} ${stream.ended}`, '200 ', 'status and end');
            stream.stop();
        });
    });
}

async function checkImpatience(report, theatre, wire) {
    const slow = read('demo://slow', { accept: 'text/event-stream' });
    await theatre.play({ wire, flags: COMMENTS, edits: IMPATIENT }, async ({ client }) => {
        await report.check(`${wire} keeps a silent stream by its comments`, async () => {
            const stream = await client.send(slow);
            await stream.comments(10);
            equal((await stream.event()).result.contents[0].text, 'slow', 'contents');
            equal(await stream.over(), 'whole', 'end');
        });
    });
    await theatre.play({ wire, edits: IMPATIENT }, async ({ client, nginx }) => {
        await report.check(`${wire} cuts off a stream without comments`, async () => {
            const stream = await client.send(slow);
            const ended = await stream.over();
            if (ended === 'whole') throw new Error('the stream came to its end');
            return ended;
        });
        await report.check(`${wire} gives up on a slow answer when its time is over`, async () => {
            const answer = await client.ask(read('demo://slow'));
            equal(`${answer.status} ${answer.headers['content-type']}`, '504 text/html', 'answer of nginx');
            const timeouts = nginx.errors().filter(line => line.includes('upstream timed out'));
            equal(timeouts.length, 2, 'timeouts that nginx logged, with that of the stream');
        });
    });
}
