// @modelcontextprotocol/sdk 1.x, which knows no revision after 2025-11-25.
// node legacy.mjs (--http URL | --stdio COMMAND) --dir DIR
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { main, shell } from './check.mjs';

const transports = {
    http: url => new StreamableHTTPClientTransport(new URL(url)),
    stdio: command => new StdioClientTransport(shell(command)),
};

const client = () => new Client({ name: 'grange-legacy', version: '1.0.0' });

await main('legacy', transports, [{ name: 'sdk', revision: '2025-11-25', client }]);
