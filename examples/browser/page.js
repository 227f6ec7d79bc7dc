// Connects to an MCP server of another origin, lists its resources and shows what a reader picks. Contents come from elsewhere:
// they are put into the page as text or as images, and never as HTML.
import { Client, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const form = document.getElementById('connection');
const said = document.getElementById('status');
const problem = document.getElementById('problem');
const list = document.getElementById('list');
const contents = document.getElementById('contents');

/** What the page shows at present. Whatever answers later than something newer was asked for is dropped. */
let turn = 0;
let connection;
/** What the status says while nothing is under way. */
let summary = 'Not connected.';
/** Whether the last request got no answer that this page may read. */
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

/** Runs one action of the reader, and says how it goes. */
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

/** Ends what was open, if anything; a server that keeps sessions is told, and one that is gone need not answer. */
async function end({ client, transport } = {}) {
    await transport?.terminateSession().catch(() => {});
    await client?.close();
}

/** As `fetch`, and keeps in mind how it went: a client that then tries another way tells of that one. */
async function reach(...request) {
    isUnreadable = true;
    const answer = await fetch(...request);
    isUnreadable = false;
    return answer;
}

/** Sends the key with each request. A page can read why it was refused because `.cors(…)` exposes `WWW-Authenticate`. */
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
            // On a phone they are below the list.
            contents.scrollIntoView({ block: 'nearest' });
        }),
    );
    return make('li', '', button);
}

/** One item of contents: an image, a text, or how many bytes it has. */
function shown({ mimeType = '', text, blob }, title) {
    if (mimeType.startsWith('image/')) {
        const image = make('img');
        image.src = blob === undefined ? `data:${mimeType},${encodeURIComponent(text)}` : `data:${mimeType};base64,${blob}`;
        image.alt = title;
        return image;
    }
    return blob === undefined ? make('pre', text) : make('p', `${atob(blob).length} bytes that are no text.`);
}

/** Says what a reader can do about it. */
function explain(error) {
    // A browser tells a page no more, whether a server is not there or does not let it read.
    if (isUnreadable) return `No answer that this page may read: is the server there, and does it say .cors(["${location.origin}"])?`;
    return error instanceof SdkHttpError ? refusal(error.status, error.data.text) : error.message;
}

/** A refusal is JSON with a message, if an MCP server wrote it. */
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
