// The two TypeScript clients: how each connects, and the modes in which it does.
//
// @modelcontextprotocol/client negotiates in one of three modes: `auto` probes, `pin` insists on 2026-07-28, `legacy` (its default)
// opens with initialize. @modelcontextprotocol/sdk 1.x knows no revision after 2025-11-25.
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { shell } from './check.mjs';

function negotiating(name, mode, revision) {
    const client = () => new ModernClient({ name: 'grange-modern', version: '1.0.0' }, { versionNegotiation: { mode } });
    return { name, revision, client };
}

export const modern = {
    name: 'modern',
    transports: { http: (url, fetch) => new ModernHttp(new URL(url), { fetch }), stdio: command => new ModernStdio(shell(command)) },
    modes: [
        negotiating('auto', 'auto', '2026-07-28'),
        negotiating('pin', { pin: '2026-07-28' }, '2026-07-28'),
        negotiating('legacy', 'legacy', '2025-11-25'),
    ],
};

export const legacy = {
    name: 'legacy',
    transports: {
        http: (url, fetch) => new StreamableHTTPClientTransport(new URL(url), { fetch }),
        stdio: command => new StdioClientTransport(shell(command)),
    },
    modes: [{ name: 'sdk', revision: '2025-11-25', client: () => new Client({ name: 'grange-legacy', version: '1.0.0' }) }],
};

/** Calls a tool and gives its text. @modelcontextprotocol/sdk takes a schema of the result before the options. */
export async function callTool(client, name, args, options) {
    const rest = client.getNegotiatedProtocolVersion ? [options] : [undefined, options];
    const { content, isError } = await client.callTool({ name, arguments: args }, ...rest);
    if (isError) throw new Error(`${name}: ${content[0]?.text}`);
    return content[0].text;
}
