// The broadcast channels of the world with their stored messages, its apps and its keys.

import { call } from "./api.js";
import { showExample } from "./commands.js";
import { byId, h, replace, throttled } from "./dom.js";
import { summary } from "./journal.js";
import { count, dayAndTime, shown } from "./text.js";

const maximum = 200;

export async function loadRegistry() {
  const [channels, apps, keys] = await Promise.all([
    call("GET", `/channels?limit=${maximum}`),
    call("GET", "/apps"),
    call("GET", "/keys"),
  ]);
  if (byId("channels-commands").childElementCount === 0) {
    showExample("channels-commands", "apns channels create --gateway local", null);
  }
  byId("channels-empty").hidden = channels.channels.length > 0;
  byId("channels-box").hidden = channels.channels.length === 0;
  replace(byId("channels"), ...channels.channels.map(channelRow));
  replace(
    byId("apps"),
    ...apps.apps
      .slice(0, maximum)
      .map((app) => row([app.topic, h("code", {}, shown(app["team-id"])), app.capabilities.join(", ")])),
  );
  replace(
    byId("keys"),
    ...keys.keys
      .slice(0, maximum)
      .map((key) =>
        row([
          h("code", {}, shown(key["key-id"])),
          h("code", {}, shown(key["team-id"])),
          key.kind === "topic" ? `topics ${key.topics.join(", ")}` : "team",
          key.environments.join(", "),
          key.revoked ? "revoked" : "valid",
        ]),
      ),
  );
  replace(byId("known-topics"), ...apps.apps.slice(0, maximum).map((app) => h("option", { value: app.topic })));
}

/** The first cell is the header of the row. */
function row(cells) {
  return h(
    "tr",
    {},
    ...cells.map((cell, index) =>
      h(index === 0 ? "th" : "td", index === 0 ? { scope: "row" } : {}, typeof cell === "string" ? shown(cell) : cell),
    ),
  );
}

function channelRow(channel) {
  const { stored } = channel;
  return row([
    h("code", {}, shown(channel["apns-channel-id"])),
    channel.topic,
    channel["message-storage-policy"] === 1 ? "the most recent message" : "no message",
    count(channel.subscribers),
    stored === null
      ? "nothing"
      : h(
          "a",
          { href: `#/notifications/${encodeURIComponent(stored["apns-unique-id"])}` },
          shown(`${summary(stored.payload ?? null) || "a message"}, until ${dayAndTime(stored.expires).slice(0, 16)}`),
        ),
  ]);
}

/** Apps, keys or channels may have changed. */
export const registryEvent = throttled(500, () => loadRegistry().catch(() => {}));
