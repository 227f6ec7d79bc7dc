// A host of MCP Apps in a web page: the published client and the published bridge, and what a host has to do itself.
// It decides nothing: checks.mjs drives it by the functions of `window.host`, one step of a view's life each.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AppBridge, PostMessageTransport, RESOURCE_MIME_TYPE, getToolUiResourceUri } from '@modelcontextprotocol/ext-apps/app-bridge';

const HOST = { name: 'grange-host', version: '1.0.0' };
const UI = 'io.modelcontextprotocol/ui';

/** What the view said, in order. */
const said = [];
let client;
let contents;
let bridge;
let result;

/** Connects the client; `mode` is how it negotiates the revision. Gives the revision. */
async function connect(mode) {
    const capabilities = { extensions: { [UI]: { mimeTypes: [RESOURCE_MIME_TYPE] } } };
    client = new Client(HOST, { capabilities, versionNegotiation: { mode } });
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', location.href));
    let revision;
    const settle = transport.setProtocolVersion.bind(transport);
    transport.setProtocolVersion = version => settle((revision = version));
    await client.connect(transport);
    return revision;
}

/** What the server says of a tool and of the view that it names, as the client gives it. */
async function describe(name) {
    const { tools } = await client.listTools();
    const { resources } = await client.listResources();
    const tool = tools.find(tool => tool.name === name);
    const uri = getToolUiResourceUri(tool);
    ({ contents } = await client.readResource({ uri }));
    return { tool, uri, entry: resources.find(resource => resource.uri === uri), contents, mimeType: RESOURCE_MIME_TYPE };
}

/** Calls the tool and opens the described view in a sandbox with the policy that its contents ask for; until initialized. */
async function open(name, args, sandbox) {
    const [{ text, _meta }] = contents;
    result = await client.callTool({ name, arguments: args });
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
    frame.classList.toggle('bordered', _meta?.ui?.prefersBorder === true);
    document.body.append(frame);
    window.addEventListener('message', ({ source, data }) => {
        if (source === frame.contentWindow && !data.method?.startsWith('ui/notifications/sandbox-')) said.push(data);
    });

    const context = { theme: 'light', displayMode: 'inline', availableDisplayModes: ['inline'] };
    bridge = new AppBridge(client, HOST, { serverTools: {}, serverResources: {} }, { hostContext: context });
    bridge.onsizechange = ({ height }) => (frame.style.height = `${height}px`);
    bridge.onsandboxready = () => bridge.sendSandboxResourceReady({ html: text });
    const initialized = new Promise(resolve => (bridge.oninitialized = resolve));
    await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
    frame.src = `${sandbox}?csp=${encodeURIComponent(JSON.stringify(_meta?.ui?.csp ?? {}))}`;
    await initialized;
    return { app: bridge.getAppVersion(), capabilities: bridge.getAppCapabilities() };
}

window.host = {
    connect,
    describe,
    open,
    said: () => said,
    call: (name, args) => client.callTool({ name, arguments: args }),
    read: async uri => (await client.readResource({ uri })).contents[0].text,
    sendInput: args => bridge.sendToolInput({ arguments: args }),
    sendResult: () => bridge.sendToolResult(result).then(() => result),
    setTheme: theme => bridge.setHostContext({ theme }),
    height: () => document.querySelector('iframe').clientHeight,
    close: async () => {
        const answer = await bridge.teardownResource({});
        document.querySelector('iframe').remove();
        await bridge.close();
        await client.close();
        return answer;
    },
};
