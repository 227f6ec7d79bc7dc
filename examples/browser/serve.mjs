// The origin of the page: serves this folder's page and the modules that it imports. It does not use the MCP server.
// node serve.mjs [PORT]          default 8000; 0 lets the system choose. `npm ci` first, or `npm start` for both.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const HERE = new URL('./', import.meta.url);
const TYPES = { css: 'text/css', html: 'text/html; charset=utf-8', js: 'text/javascript', mjs: 'text/javascript' };
/** The only files that are served. */
const PAGE = /^\/(index\.html|page\.css|page\.js|node_modules\/[\w@.\/-]+\.m?js)$/;

if (!existsSync(new URL('node_modules/@modelcontextprotocol/client/', HERE))) {
    console.error('the client is not installed: run `npm ci` here, or `npm start`, which does it first');
    process.exit(1);
}

const server = createServer(async (request, response) => {
    // Parsing removes `..` from a path, so that no path leads out of this folder.
    const { pathname } = new URL(request.url, 'http://page');
    const [, path] = PAGE.exec(pathname === '/' ? '/index.html' : pathname) ?? [];
    const body = path && (await readFile(new URL(path, HERE)).catch(() => undefined));
    if (!body) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[path.split('.').at(-1)], 'cache-control': 'no-cache' }).end(body);
});
server.on('error', error => {
    console.error(`${error.message}: name another port, as in \`node serve.mjs 8001\`, and the same to the server`);
    process.exit(1);
});
server.listen(Number(process.argv[2] ?? 8000), '127.0.0.1', () => {
    console.error(`open http://localhost:${server.address().port}/`);
});
