// A real nginx with the configuration of the deployment guide before the examples of this repository, over HTTP/1.1 and HTTP/2.
// node run.mjs --fixture BINARY --tool-host BINARY --deploy BINARY [--nginx BINARY] [--only h1|h2]
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { Report } from '../clients/node/check.mjs';
import { checkEnds, checkIdle } from './ends.mjs';
import { checkProbes, checkRequests } from './requests.mjs';
import { Folder, endAll } from './servers.mjs';
import { Theatre } from './stage.mjs';
import { checkStreams } from './streams.mjs';

const WHOLE_RUN_MS = 150_000;
const WIRES = ['h1', 'h2'];

const { values } = parseArgs({
    options: {
        fixture: { type: 'string' },
        'tool-host': { type: 'string' },
        deploy: { type: 'string' },
        nginx: { type: 'string', default: process.env.NGINX || '/usr/sbin/nginx' },
        only: { type: 'string' },
    },
});
if (!values.fixture || !values['tool-host'] || !values.deploy) {
    console.error('usage: node run.mjs --fixture BINARY --tool-host BINARY --deploy BINARY [--nginx BINARY] [--only h1|h2]');
    process.exit(2);
}
const missing = problem => {
    console.error(problem);
    process.exit(2);
};
const asked = spawnSync(values.nginx, ['-v'], { encoding: 'utf8' });
if (asked.error) missing(`${asked.error.message}: install nginx (Debian: nginx-light), or name it with --nginx`);
if (spawnSync('openssl', ['version']).error) missing('openssl does not run: install it (Debian: openssl)');
console.log(asked.stderr.trim());

const report = new Report();
const folder = new Folder();
const { nginx, fixture, deploy, 'tool-host': toolHost } = values;
const theatre = new Theatre(folder, { nginx, fixture, deploy, toolHost });
const end = async () => {
    await endAll();
    folder.remove();
    report.end();
};
const giveUp = async error => {
    report.fail('proxy', error);
    await end();
};
setTimeout(() => giveUp(new Error(`not finished after ${WHOLE_RUN_MS / 1000} s`)), WHOLE_RUN_MS).unref();
// Nothing that was started outlives a mistake in a check.
process.once('unhandledRejection', giveUp).once('uncaughtException', giveUp);

const attempt = (name, part, wire) => part(report, theatre, wire).catch(error => report.fail(name, error));
const wires = WIRES.filter(wire => !values.only || wire === values.only);
// Streams and ends mostly wait, so they go beside the requests.
const parts = [[checkRequests], [checkStreams, checkEnds]];
const runs = wires.flatMap(wire => parts.map(async list => {
    for (const part of list) await attempt(`${wire} ${part.name}`, part, wire);
}));
await Promise.all([attempt('idle', checkIdle), attempt('probes', checkProbes), ...runs]);
await end();
