// The page's client of the control API: addresses, requests and event streams.

const tokenKey = "apns-control-token";

/** The world that the page's address names; null for the default world. */
export const world = /^\/w\/([^/]+)\/?$/.exec(location.pathname)?.[1] ?? null;

/** The address of an API path, in the world of this page or for the gateway as a whole. */
const address = (path, isOfGateway) => `${world === null || isOfGateway ? "" : `/w/${world}`}/api${path}`;

/** The whole address of an API path of this page's world, for a command. */
export const apiAddress = (path) => location.origin + address(path);

export const hasToken = () => sessionStorage.getItem(tokenKey) !== null;

/** An error answer of the gateway. */
export class Problem extends Error {
  constructor(status, title, detail) {
    super(detail || title);
    this.status = status;
    this.title = title;
  }
}

/** Asks for the control token and waits for it; set by the module that shows the dialog. */
let askForToken = async () => {};
export function onTokenWanted(ask) {
  askForToken = ask;
}

export function keepToken(token) {
  sessionStorage.setItem(tokenKey, token);
}

function authorization() {
  const token = sessionStorage.getItem(tokenKey);
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

async function request(method, path, body, options) {
  for (;;) {
    let response;
    try {
      response = await fetch(address(path, options?.isOfGateway), {
        method,
        headers: { ...authorization(), ...options?.headers },
        body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
        signal: options?.signal,
        cache: "no-store",
      });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Problem(0, "No answer", "the gateway does not answer; is it still running?");
    }
    if (response.status === 401) {
      await askForToken(sessionStorage.getItem(tokenKey) !== null);
      continue;
    }
    if (response.ok) return response;
    throw await problem(response);
  }
}

async function problem(response) {
  const text = await response.text();
  try {
    const details = JSON.parse(text);
    return new Problem(response.status, details.title ?? "", details.detail ?? text);
  } catch {
    return new Problem(response.status, response.statusText, text);
  }
}

/** The text of an answer; a body that is not a string is sent as JSON. */
export async function callText(method, path, body, options) {
  return (await request(method, path, body, options)).text();
}

/** The JSON value of an answer; null if it has no body. */
export async function call(method, path, body, options) {
  const text = await callText(method, path, body, options);
  return text === "" ? null : JSON.parse(text);
}

/** How long a stream may be silent before it counts as broken; the gateway sends a heartbeat every 15 seconds. */
const patience = 40_000;

/**
 * Follows a stream of server-sent events until `signal` ends it, and reconnects after each break.
 *
 * `onState` gets `connecting`, `connected` and `broken`; `onEvent` gets a name, the data as text and the id. With
 * `awaits` a stream that does not exist yet counts as broken, because its world may be created later.
 */
export async function follow(path, { signal, onState, onEvent, resumes = false, awaits = false }) {
  let lastID = null;
  let wait = 500;
  while (!signal.aborted) {
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    signal.addEventListener("abort", stop);
    // A page in the browser's back/forward cache would keep its connection, and connections to a server are limited.
    window.addEventListener("pagehide", stop);
    let alive = setTimeout(stop, patience);
    try {
      onState("connecting");
      const headers = resumes && lastID !== null ? { "Last-Event-ID": lastID } : {};
      const response = await request("GET", path, undefined, { signal: attempt.signal, headers });
      onState("connected");
      wait = 500;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        clearTimeout(alive);
        alive = setTimeout(stop, patience);
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop();
        for (const block of blocks) {
          const event = parsed(block);
          if (event === null) continue;
          if (event.id !== null) lastID = event.id;
          onEvent(event.name, event.data);
        }
      }
    } catch (error) {
      const isRefused = error instanceof Problem && error.status >= 400 && error.status < 500;
      if (isRefused && !(awaits && error.status === 404)) {
        onState("refused", error.message);
        return;
      }
    } finally {
      clearTimeout(alive);
      signal.removeEventListener("abort", stop);
      window.removeEventListener("pagehide", stop);
      attempt.abort();
    }
    if (signal.aborted) return;
    onState("broken");
    await pause(wait, signal);
    wait = Math.min(wait * 2, 5000);
  }
}

function parsed(block) {
  if (block.startsWith(":")) return null;
  const event = { name: "message", id: null, data: "" };
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const field = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") event.name = value;
    else if (field === "id") event.id = value;
    else if (field === "data") event.data += value;
  }
  return event.data === "" ? null : event;
}

function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
