// @modelcontextprotocol/sdk 1.x against a folder of files.
// node legacy.mjs (--http URL | --stdio COMMAND) --dir DIR
import { main } from './check.mjs';
import { legacy } from './clients.mjs';

await main(legacy);
