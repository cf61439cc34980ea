// One notification: what the gateway decided and why, its headers, its payload, its life.

import { Problem, callText } from "./api.js";
import { canUseLocal, copy, curl, sendCommand } from "./commands.js";
import { byId, h, icon, replace, setText, throttled } from "./dom.js";
import { memberSource } from "./json.js";
import { findingNode, isOfHeader, payloadNode } from "./payload.js";
import { count, counted, dayAndTime, plain, shown } from "./text.js";

const headerNames = [
  "apns-topic", "apns-push-type", "apns-priority", "apns-expiration", "apns-collapse-id", "apns-id", "apns-request-id",
  "apns-channel-id",
];
const envelopeNames = ["token", ...headerNames, "payload", "payload-base64"];
/** Of a notification that is sent again: it gets an id of its own. */
const againNames = envelopeNames.filter((name) => name !== "apns-id" && name !== "apns-request-id");
const outcomes = { accepted: "Accepted", refused: "Refused", unprocessed: "Not processed" };

let current = null;
let drawn = null;
let answer = "";

/** The id of the notification that is shown; null for none. */
export const shownNotification = () => current;

/** Shows the notification with this apns-unique-id, or nothing for null. */
export async function showNotification(id) {
  current = id;
  byId("split").classList.toggle("has-detail", id !== null);
  byId("detail-empty").hidden = id !== null;
  byId("detail-body").hidden = id === null;
  if (id === null) {
    drawn = null;
    return;
  }
  await load();
}

/** Something happened to the notification that is shown. */
export const refreshDetail = throttled(250, async () => {
  if (current !== null) await load();
});

async function load() {
  const id = current;
  let text;
  try {
    text = await callText("GET", `/notifications/${encodeURIComponent(id)}`);
  } catch (error) {
    if (!(error instanceof Problem) || id !== current) return;
    drawn = null;
    setText(byId("detail-title"), error.status === 404 ? "Not in the journal" : error.title);
    replace(byId("detail-content"), h("p", { class: "quiet" }, error.message));
    return;
  }
  if (id !== current) return;
  answer = text;
  const entry = JSON.parse(text);
  if (drawn !== id) {
    drawn = id;
    draw(entry, text);
  }
  drawLife(entry);
}

function draw(entry, text) {
  const kind = entry["apns-push-type"];
  const isSent = ["notification", "broadcast"].includes(entry.request ?? "notification");
  for (const id of ["detail-again", "detail-curl"]) byId(id).hidden = !isSent;
  byId("detail-send").hidden = !isSent || !canUseLocal;
  setText(byId("detail-title"), entry.request ? entry.request.replaceAll("-", " ") : plain(kind ?? "Notification"));
  const findings = entry.findings ?? [];
  const ofPayload = findings.filter((finding) => !isOfHeader(finding));
  const ofHeaders = findings.filter(isOfHeader);
  replace(
    byId("detail-content"),
    verdict(entry),
    part("Life", h("ol", { class: "life", id: "life" })),
    "payload-bytes" in entry && (memberSource(text, "payload") ?? memberSource(text, "payload-base64")) !== null
      ? part(
          "Payload",
          h("p", { class: "quiet" }, `${count(entry["payload-bytes"])} bytes${findingsText(ofPayload)}`),
          payloadNode(text, ofPayload),
        )
      : null,
    part("Headers", headers(entry, ofHeaders)),
  );
}

function findingsText(findings) {
  return findings.length === 0 ? ", nothing found in it" : `, ${counted(findings.length, "finding")}`;
}

function part(title, ...children) {
  return h("section", { class: "part" }, h("h3", {}, title), ...children);
}

function verdict(entry) {
  const isGood = entry.outcome === "accepted";
  return h(
    "div",
    { class: `verdict ${entry.outcome}` },
    h(
      "p",
      { class: "verdict-head" },
      icon(isGood ? "check" : entry.outcome === "refused" ? "cross" : "warning"),
      h("strong", {}, outcomes[entry.outcome] ?? entry.outcome),
      entry.status === null ? null : h("span", { class: "status" }, String(entry.status)),
      entry.reason === null ? null : h("code", {}, shown(entry.reason)),
    ),
    h("p", {}, shown(entry.why)),
    entry.fault ? h("p", {}, `Fault rule ${entry.fault.id}: `, shown(entry.fault.why)) : null,
    h("p", { class: "quiet" }, "Rule ", h("code", {}, entry.rule)),
  );
}

function headers(entry, findings) {
  const rows = [];
  const add = (name, value, isKnown = true) => {
    const own = findings.filter((finding) => finding.pointer === name);
    if (value === undefined && own.length === 0) return;
    rows.push(
      h(
        "div",
        {},
        h("dt", {}, name),
        h(
          "dd",
          {},
          value === undefined
            ? h("span", { class: "quiet" }, "absent")
            : h("span", { class: isKnown ? "value" : "value quiet" }, shown(value)),
          ...own.map((finding) => findingNode(finding)),
        ),
      ),
    );
  };
  for (const name of headerNames) add(name, entry[name]);
  add("device token", entry.token);
  add("apns-unique-id", entry["apns-unique-id"], false);
  add("received", dayAndTime(entry.received) + " UTC", false);
  add("environment", entry.environment, false);
  add("sent by", sender(entry), false);
  return h("dl", { class: "facts" }, ...rows);
}

function sender(entry) {
  if (entry["sent-by"] === "control") return "the control API, without a provider token";
  if (entry["key-id"] === undefined) return entry.verified ? "a client certificate" : "an unverified sender";
  return `key ${entry["key-id"]}, team ${entry["team-id"]}${entry.verified ? "" : ", not verified"}`;
}

function drawLife(entry) {
  const list = byId("life");
  const life = entry.life ?? [];
  if (list === null || list.dataset.count === String(life.length)) return;
  list.dataset.count = life.length;
  replace(
    list,
    ...life.map((line) =>
      h(
        "li",
        { class: `stage-${line.stage}` },
        h("time", { datetime: line.at }, line.at.slice(11, 23)),
        h("strong", {}, line.stage),
        h("span", {}, shown(line.why)),
      ),
    ),
  );
}

/** The envelope of the notification that is shown, in the form for sending it again. */
export function shownEnvelope(names = envelopeNames) {
  if (current === null || answer === "") return null;
  const members = names
    .map((name) => [name, memberSource(answer, name)])
    .filter(([, source]) => source !== null)
    .map(([name, source]) => `${JSON.stringify(name)}:${source}`);
  return `{${members.join(",")}}`;
}

export function startDetail({ onSendAgain, onClose }) {
  const onCopy = (id, name, names, text) =>
    byId(id).addEventListener("click", () => {
      const envelope = shownEnvelope(names);
      if (envelope !== null) copy(text(envelope), name);
    });
  onCopy("detail-copy", "The envelope", envelopeNames, (envelope) => envelope);
  onCopy("detail-curl", "The curl command", againNames, (envelope) => curl("/notifications", envelope));
  onCopy("detail-send", "The apns send command", againNames, (envelope) => {
    const { outcome, findings = [] } = JSON.parse(answer);
    const isChecked = outcome === "accepted" && findings.every((finding) => finding.severity !== "error");
    return sendCommand(envelope, isChecked);
  });
  byId("detail-again").addEventListener("click", () => {
    const envelope = shownEnvelope();
    if (envelope !== null) onSendAgain(envelope);
  });
  byId("detail-close").addEventListener("click", onClose);
  byId("detail").addEventListener("keydown", (event) => {
    if (event.key === "Escape") onClose();
  });
}

