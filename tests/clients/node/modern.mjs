// @modelcontextprotocol/client in each of its negotiation modes: `auto` probes, `pin` insists on 2026-07-28,
// `legacy` (its default) opens with initialize.
// node modern.mjs (--http URL | --stdio COMMAND) --dir DIR
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { main, shell } from './check.mjs';

const transports = {
    http: url => new StreamableHTTPClientTransport(new URL(url)),
    stdio: command => new StdioClientTransport(shell(command)),
};

function negotiating(name, mode, revision) {
    const client = () => new Client({ name: 'grange-modern', version: '1.0.0' }, { versionNegotiation: { mode } });
    return { name, revision, client };
}

await main('modern', transports, [
    negotiating('auto', 'auto', '2026-07-28'),
    negotiating('pin', { pin: '2026-07-28' }, '2026-07-28'),
    negotiating('legacy', 'legacy', '2025-11-25'),
]);
