// A stage: servers, nginx before them and a client of one wire, started for some checks and ended after them in any case.
import { Client } from './client.mjs';
import { NAME, freePort, startExample, startNginx } from './servers.mjs';

/** What all stages share: the folder, the programs, and what to end if the whole run takes too long. */
export class Theatre {
    started = new Set();

    constructor(folder, programs) {
        Object.assign(this, { folder, programs });
    }

    async start(starting) {
        const started = await starting;
        this.started.add(started);
        return started;
    }

    async stop(started, signal) {
        this.started.delete(started);
        return started.stop(signal);
    }

    example(port, { example = 'fixture', flags = [] } = {}) {
        return this.start(startExample(this.programs[example], port, flags));
    }

    /** Plays `run` with `servers` of one kind behind nginx, over one wire. */
    async play({ wire, example, flags, servers = 1, ...front }, run) {
        const mine = [];
        try {
            const ports = [];
            for (let number = 0; number < servers; number++) {
                ports.push(await freePort());
                mine.push(await this.example(ports[number], { example, flags }));
            }
            const [server] = mine;
            const again = async () => mine[mine.push(await this.example(ports[0], { example, flags })) - 1];
            await this.face({ wire, ports, ...front }, stage => run({ ...stage, server, again }));
        } finally {
            await Promise.all(mine.map(server => this.stop(server)));
        }
    }

    /** The same before ports at which something listens already. */
    async face({ wire, ports, name = NAME, edits }, run) {
        const nginx = await this.start(startNginx(this.programs.nginx, this.folder, { ports, name, edits }));
        const clients = [];
        const connect = (options = {}) => {
            const { ca } = this.folder;
            return clients[clients.push(new Client(wire, { port: nginx.port, ca, servername: name, host: name, ...options })) - 1];
        };
        try {
            await run({ wire, ports, port: ports[0], nginx, connect, client: connect() });
        } finally {
            for (const client of clients) client.close();
            // At once: a graceful end would wait for what a failed check left open.
            await this.stop(nginx);
        }
    }

    async end() {
        await Promise.allSettled([...this.started].map(started => this.stop(started, 'SIGKILL')));
    }
}
