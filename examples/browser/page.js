// Connects to an MCP server of another origin, lists its resources and shows the one that the user selects. Contents are not trusted:
// they are put into the page as text or as images, never as HTML.
import { Client, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const form = document.getElementById('connection');
const said = document.getElementById('status');
const problem = document.getElementById('problem');
const list = document.getElementById('list');
const contents = document.getElementById('contents');

/** What the page shows. A response that arrives after a newer request was sent is dropped. */
let turn = 0;
let connection;
/** The status while no request is in flight. */
let summary = 'Not connected.';
/** Whether the last request got no response that this page may read. */
let isUnreadable = false;

form.addEventListener('submit', event => {
    event.preventDefault();
    const { url, key, mode } = Object.fromEntries(new FormData(form));
    attempt(`Connecting to ${url}…`, async isCurrent => {
        list.replaceChildren();
        contents.replaceChildren();
        await end(connection);
        connection = undefined;
        summary = 'Not connected.';
        const opened = await connect(url, key, mode);
        if (!isCurrent()) return end(opened);
        connection = opened;
        const { client } = opened;
        const { resources } = await client.listResources();
        if (!isCurrent()) return;
        const { name, version } = client.getServerVersion() ?? { name: 'a server', version: 'without a name' };
        list.replaceChildren(...resources.map(resource => entry(client, resource)));
        return `${name} ${version}, protocol ${client.getNegotiatedProtocolVersion()}: ${resources.length} resources.`;
    });
});

/** Runs one action of the user, and shows its status. */
async function attempt(begun, action) {
    const mine = ++turn;
    const isCurrent = () => mine === turn;
    said.textContent = begun;
    problem.hidden = true;
    try {
        const done = await action(isCurrent);
        if (!isCurrent()) return;
        summary = done ?? summary;
    } catch (error) {
        if (!isCurrent()) return;
        problem.textContent = explain(error);
        problem.hidden = false;
    }
    said.textContent = summary;
}

async function connect(url, key, mode) {
    const pinned = mode === 'auto' || mode === 'legacy' ? mode : { pin: mode };
    const client = new Client({ name: 'grange-page', version: '1.0.0' }, { versionNegotiation: { mode: pinned } });
    const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: authorization(key), fetch: reach });
    await client.connect(transport);
    return { client, transport };
}

/** Closes the open client, if there is one, and ends its session. An error of the server is ignored. */
async function end({ client, transport } = {}) {
    await transport?.terminateSession().catch(() => {});
    await client?.close();
}

/** Like `fetch`; also notes whether it failed, since the client may report the error of a later attempt instead. */
async function reach(...request) {
    isUnreadable = true;
    const answer = await fetch(...request);
    isUnreadable = false;
    return answer;
}

/** Sends the key with each request. The page can read why it was rejected, because `.cors(…)` exposes `WWW-Authenticate`. */
function authorization(key) {
    return {
        token: async () => key || undefined,
        onUnauthorized: async ({ response }) => {
            const challenge = response.headers.get('www-authenticate') ?? 'with no challenge that this page may read';
            throw new Error(`${refusal(401, await response.text())} (${challenge})`);
        },
    };
}

function entry(client, { uri, name, title, mimeType }) {
    const button = make('button', '', make('span', title ?? name), make('small', mimeType ?? 'type not said'));
    button.type = 'button';
    button.addEventListener('click', () =>
        attempt(`Reading ${uri}…`, async isCurrent => {
            list.querySelector('[aria-current]')?.removeAttribute('aria-current');
            button.setAttribute('aria-current', 'true');
            contents.replaceChildren(make('h2', title ?? name), make('small', uri));
            const read = await client.readResource({ uri });
            if (!isCurrent()) return;
            contents.append(...read.contents.map(item => shown(item, title ?? name)));
            // On a phone the contents are below the list.
            contents.scrollIntoView({ block: 'nearest' });
        }),
    );
    return make('li', '', button);
}

/** One item of contents: an image, a text, or the number of bytes. */
function shown({ mimeType = '', text, blob }, title) {
    if (mimeType.startsWith('image/')) {
        const image = make('img');
        image.src = blob === undefined ? `data:${mimeType},${encodeURIComponent(text)}` : `data:${mimeType};base64,${blob}`;
        image.alt = title;
        return image;
    }
    return blob === undefined ? make('pre', text) : make('p', `${atob(blob).length} bytes that are no text.`);
}

/** The text for an error, with what the user can do. */
function explain(error) {
    // The browser does not tell the page whether there is no server, or one that does not let it read.
    if (isUnreadable) return `No answer that this page may read: is the server there, and does it say .cors(["${location.origin}"])?`;
    return error instanceof SdkHttpError ? refusal(error.status, error.data.text) : error.message;
}

/** A rejection by an MCP server is JSON with a message. */
function refusal(status, text) {
    try {
        return `Refused with ${status}: ${JSON.parse(text).error.message}`;
    } catch {
        return `Refused with ${status}.`;
    }
}

function make(name, text = '', ...children) {
    const element = document.createElement(name);
    element.textContent = text;
    element.append(...children);
    return element;
}
