// Commands for a terminal that do what the page does. The control token is in none of them: a variable stands for it.

import { apiAddress, hasToken, world } from "./api.js";
import { byId, h, replace, toast } from "./dom.js";
import { memberSource } from "./json.js";
import { escaped, isPlain } from "./text.js";

const options = {
  "token": "--token",
  "apns-channel-id": "--channel",
  "apns-topic": "--topic",
  "apns-push-type": "--push-type",
  "apns-priority": "--priority",
  "apns-expiration": "--expiration",
  "apns-collapse-id": "--collapse-id",
};

/** A word for a POSIX shell, in single quotes where it needs them. */
const word = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** `apns send` finds a gateway on its own machine only, and there the default world. */
export const canUseLocal = world === null && ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);

/** A request to the control API; `body` is JSON text. */
export function curl(path, body) {
  const token = hasToken() ? ' -H "Authorization: Bearer $APNS_GATEWAY_CONTROL_TOKEN"' : "";
  return `curl -sSi${token} ${word(apiAddress(path))} -d ${word(escaped(body))}`;
}

/**
 * `apns send` for an envelope, given as JSON text. One that options cannot give is sent as a batch.
 *
 * `isChecked` is whether the command checks it before it sends.
 */
export function sendCommand(envelope, isChecked) {
  const values = JSON.parse(envelope);
  const payload = memberSource(envelope, "payload");
  const check = isChecked ? "" : " --skip-validation";
  const words = Object.entries(options)
    .filter(([name]) => values[name] !== undefined)
    .map(([name, option]) => `${option} ${word(String(values[name]))}`);
  const fits = Object.keys(values).every((name) => {
    if (name === "payload") return payload.startsWith("{");
    const text = String(values[name]);
    return name in options && text !== "" && !text.startsWith("-") && isPlain(text);
  });
  if (!fits || payload === null || values["apns-push-type"] === undefined || !isToken(values.token)) {
    return `printf '%s\\n' ${word(escaped(envelope))} | apns send --gateway local${check} --batch -`;
  }
  return `apns send --gateway local${check} ${words.join(" ")} --payload ${word(escaped(payload))}`;
}

const isToken = (token) => token === undefined || /^([0-9a-f]{2})+$/i.test(token);

/** Puts a text on the clipboard; `name` says what it is. */
export async function copy(text, name) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${name} was copied`);
  } catch {
    toast("The browser does not allow the page to copy", "bad");
  }
}

/** A command with a button that copies it. */
export function commandNode(command, name = "The command") {
  return h(
    "div",
    { class: "command" },
    h("pre", { tabindex: "0", role: "region", "aria-label": name }, command),
    h("button", { type: "button", "aria-label": `Copy: ${name}`, onclick: () => copy(command, name) }, "Copy"),
  );
}

/** Shows in an element what to paste for an empty list: `local` where that reaches this world, and `request`. */
export function showExample(id, local, request) {
  replace(
    byId(id),
    local === null || !canUseLocal ? null : commandNode(local, "Command with apns"),
    request === null ? null : commandNode(request, "Command with curl"),
  );
}
