// @modelcontextprotocol/client in each of its negotiation modes against a folder of files.
// node modern.mjs (--http URL | --stdio COMMAND) --dir DIR
import { main } from './check.mjs';
import { modern } from './clients.mjs';

await main(modern);
