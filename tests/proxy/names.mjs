// The checks of names: which one a client addressed, who says so, and who is believed.
import { equal } from '../clients/node/check.mjs';
import { direct, json, read, text } from './client.mjs';
import { NAME, PUBLIC, startRecorder } from './servers.mjs';

export async function checkNames(report, theatre, wire) {
    await checkForwarded(report, theatre, wire);
    await checkTwoNames(report, theatre, wire);
    await checkTrust(report, theatre, wire);
}

/** What a client says of itself, and what arrives of it. */
async function checkForwarded(report, theatre, wire) {
    const recorder = await startRecorder();
    await theatre.face({ wire, ports: [recorder.port] }, async ({ client }) => {
        const arrived = async headers => {
            await client.ask(read('demo://beta', { headers }));
            return recorder.heads.at(-1).slice(1).map(line => /^([^:]+): ?(.*)$/.exec(line).slice(1));
        };
        const values = (head, wanted) => head.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value).join('|');
        await report.check(`${wire} overwrites what a client says of itself`, async () => {
            const lies = {
                'x-forwarded-host': 'evil.example',
                'x-forwarded-proto': 'gopher',
                'x-forwarded-for': '203.0.113.7',
                forwarded: 'host=evil.example;proto=http',
            };
            const head = await arrived(lies);
            const said = ['host', ...Object.keys(lies)].map(name => `${name}=${values(head, name)}`).join(' ');
            const truth = `host=${NAME} x-forwarded-host=${NAME} x-forwarded-proto=https x-forwarded-for=127.0.0.1 forwarded=`;
            equal(said, truth, 'headers that arrived');
            equal(head.filter(([, value]) => value.includes('evil')).join('; '), '', 'other headers with the name');
        });
        await report.check(`${wire} passes what the protocol needs`, async () => {
            const sent = {
                'mcp-param-user_id': '7',
                'mcp-param-user.name': 'x',
                'mcp-session-id': '0123',
                'last-event-id': '4-5',
                authorization: 'Bearer token',
                origin: `https://${NAME}`,
                traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
            };
            const head = await arrived(sent);
            for (const [name, value] of Object.entries(sent)) equal(values(head, name), value, name);
        });
    });
    recorder.stop();
}

/** nginx that lets in one name more than the server does, so that the server has to look for itself. */
async function checkTwoNames(report, theatre, wire) {
    const edits = [[`server_name ${NAME};`, `server_name ${NAME} other.example;`]];
    await theatre.play({ wire, edits }, async ({ client }) => {
        await report.check(`${wire} leaves names that it lets in to the server`, async () => {
            const lies = { 'x-forwarded-host': NAME, forwarded: `host=${NAME}` };
            for (const headers of [{}, lies]) {
                const answer = await client.ask({ ...read('demo://beta', { headers }), host: 'other.example' });
                equal(answer.status, 403, 'status');
                equal(json(answer).error.message.split(':')[0], 'host "other.example" is not allowed', 'refusal');
            }
            equal((await client.ask(read('demo://beta'))).status, 200, 'status for its own name');
        });
    });
}

/** A server that reads what nginx says of the client, under its public name. */
async function checkTrust(report, theatre, wire) {
    const here = headers => read('deploy://address', { headers });
    const lies = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', forwarded: 'host=evil.example' };
    const stage = (proxy, edits) => ({
        wire, example: 'deploy', name: PUBLIC, edits, flags: ['--public-host', PUBLIC, '--trusted-proxy', proxy],
    });
    await theatre.play(stage('127.0.0.1'), async ({ client, port }) => {
        await report.check(`${wire} tells a server that trusts it what the client addressed`, async () => {
            for (const headers of [{}, lies, { 'x-forwarded-host': `${PUBLIC}, evil.example` }]) {
                equal(text(await client.ask(here(headers))), `https://${PUBLIC}`, 'address');
            }
        });
        await report.check(`${wire} keeps from such a server what would be refused`, async () => {
            const answer = await direct(port, { ...here(lies), host: PUBLIC });
            equal(answer.status, 403, 'status of the lie, straight to the server');
        });
    });
    // Another name goes upstream in Host, as some proxies have it.
    const renamed = [['proxy_set_header Host $host;', 'proxy_set_header Host backend;']];
    for (const [proxy, status] of [['127.0.0.0/8', 200], ['10.0.0.0/8', 403]]) {
        await theatre.play(stage(proxy, renamed), async ({ client }) => {
            await report.check(`${wire} is believed in place of Host by who trusts ${proxy}: ${status}`, async () => {
                equal((await client.ask(here({}))).status, status, 'status');
            });
        });
    }
}
