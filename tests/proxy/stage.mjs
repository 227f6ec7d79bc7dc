// A stage: servers, nginx before them and a client of one wire, started for some checks and ended after them in any case.
import { Client } from './client.mjs';
import { NAME, freePort, startExample, startNginx } from './servers.mjs';

/** What all stages share: the folder and the programs. */
export class Theatre {
    constructor(folder, programs) {
        Object.assign(this, { folder, programs });
    }

    /** Plays `run` with `servers` of one kind behind nginx, over one wire. */
    async play({ wire, example = 'fixture', flags, servers = 1, ...front }, run) {
        const mine = [];
        const start = async port => mine[mine.push(await startExample(this.programs[example], port, flags)) - 1];
        try {
            const ports = [];
            for (let number = 0; number < servers; number++) {
                ports.push(await freePort());
                await start(ports[number]);
            }
            const [server] = mine;
            const again = () => start(ports[0]);
            await this.face({ wire, ports, ...front }, stage => run({ ...stage, server, again }));
        } finally {
            await Promise.all(mine.map(server => server.stop()));
        }
    }

    /** The same before ports at which something listens already. */
    async face({ wire, ports, name = NAME, edits }, run) {
        const nginx = await startNginx(this.programs.nginx, this.folder, { ports, name, edits });
        const clients = [];
        const connect = (options = {}) => {
            const { ca } = this.folder;
            return clients[clients.push(new Client(wire, { port: nginx.port, ca, servername: name, host: name, ...options })) - 1];
        };
        try {
            await run({ wire, ports, port: ports[0], nginx, connect, client: connect() });
        } finally {
            for (const client of clients) client.close();
            await nginx.stop();
        }
    }
}
