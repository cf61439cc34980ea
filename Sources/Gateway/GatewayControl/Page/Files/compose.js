// The form that sends a notification: headers, payload with line numbers, findings while typing, the verdict.

import { call, callText } from "./api.js";
import { byId, h, icon, replace, setText, settled, toast } from "./dom.js";
import { base64, memberSource, prettyLines } from "./json.js";
import { findingNode, isOfHeader } from "./payload.js";
import { count, counted, shortToken, shown } from "./text.js";

/** Samples by name: push type, priority and payload. */
const samples = {
  alert: [
    "alert",
    "10",
    { aps: { alert: { title: "New lead", body: "Acme Corp. asks for a call back" }, sound: "default" } },
  ],
  silent: [
    "background",
    "5",
    { aps: { "content-available": 1 }, type: "ACCOUNT_UPDATE", accountId: "001000000000001AAA" },
  ],
  badge: ["alert", "5", { aps: { badge: 3 } }],
  critical: [
    "alert",
    "10",
    {
      aps: {
        alert: "The server room is too hot",
        sound: { critical: 1, name: "alarm.caf", volume: 1 },
        "interruption-level": "critical",
      },
    },
  ],
  voip: ["voip", "10", { aps: {}, caller: "Jane Appleseed" }],
  liveactivity: [
    "liveactivity",
    "10",
    {
      aps: {
        timestamp: 1700000000,
        event: "update",
        "content-state": { progress: 0.4 },
        alert: { title: "On its way", body: "Two stops left" },
      },
    },
  ],
};

const headerNames = [
  "token", "apns-topic", "apns-push-type", "apns-priority", "apns-expiration", "apns-collapse-id", "apns-id",
  "apns-channel-id",
];

/** The envelope of the form, with the exact payload of the text field. */
function envelope() {
  const body = {};
  for (const name of headerNames) {
    const value = byId("compose").elements[name].value.trim();
    if (value !== "") body[name] = value;
  }
  body["payload-base64"] = base64(byId("payload").value);
  return body;
}

let asked = 0;

const check = settled(250, async () => {
  asked += 1;
  const own = asked;
  let result;
  try {
    result = await call("POST", "/validate", envelope());
  } catch (error) {
    if (own === asked) setText(byId("findings-state"), `Not checked: ${error.message}`);
    return;
  }
  if (own !== asked) return;
  drawFindings(result);
});

function drawFindings({ findings, "payload-bytes": bytes, "maximum-payload-bytes": maximum }) {
  const tally = ["error", "warning", "note"]
    .map((severity) => [severity, findings.filter((finding) => finding.severity === severity).length])
    .filter(([, number]) => number > 0)
    .map(([severity, number]) => counted(number, severity));
  setText(byId("findings-state"), tally.length === 0 ? "Nothing found" : tally.join(", "));
  const limit = typeof maximum === "number" ? ` of ${count(maximum)}` : "";
  setText(byId("payload-size"), `${count(bytes)}${limit} bytes`);
  byId("payload-size").classList.toggle("is-over", typeof maximum === "number" && bytes > maximum);
  const order = { error: 0, warning: 1, note: 2 };
  const sorted = findings.toSorted((left, right) => order[left.severity] - order[right.severity]);
  replace(byId("findings"), ...sorted.map(findingItem));
  const worst = new Map();
  for (const finding of sorted.toReversed()) if (finding.line !== undefined) worst.set(finding.line, finding.severity);
  drawGutter(worst);
}

function findingItem(finding) {
  if (finding.line === undefined) {
    const place = isOfHeader(finding) ? finding.pointer : "payload";
    return h("li", {}, h("span", { class: "place" }, shown(place)), findingNode(finding, "span"));
  }
  return h(
    "li",
    {},
    h("button", { type: "button", class: "place", onclick: () => select(finding) }, `line ${finding.line}`),
    findingNode(finding, "span"),
  );
}

/** Selects what a finding is about. Columns count characters, the field's selection counts UTF-16. */
function select(finding) {
  const field = byId("payload");
  const lines = field.value.split("\n");
  const place = (line, column) => {
    const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    return before + Array.from(lines[line - 1] ?? "").slice(0, column - 1).join("").length;
  };
  field.focus();
  field.setSelectionRange(place(finding.line, finding.column), place(finding["end-line"], finding["end-column"]));
}

let marks = new Map();

function drawGutter(worst = marks) {
  marks = worst;
  const lines = byId("payload").value.split("\n").length;
  const gutter = byId("payload-gutter");
  replace(
    gutter,
    ...Array.from({ length: Math.min(lines, 5000) }, (_, index) =>
      h("span", { class: worst.has(index + 1) ? `mark ${worst.get(index + 1)}` : null }, String(index + 1)),
    ),
  );
  gutter.scrollTop = byId("payload").scrollTop;
}

function changed() {
  drawGutter();
  check();
}

function pretty(source) {
  return prettyLines(source)
    .map((line) => "  ".repeat(line.depth) + line.parts.map((part) => part.text).join(""))
    .join("\n");
}

/** Fills the form with an envelope, given as JSON text. */
export function composeEnvelope(text) {
  const values = JSON.parse(text);
  for (const name of headerNames) {
    byId("compose").elements[name].value = name === "apns-id" ? "" : String(values[name] ?? "");
  }
  const payload = memberSource(text, "payload");
  byId("payload").value = payload === null ? "" : pretty(payload);
  byId("compose-sample").value = "";
  forgetResult();
  changed();
}

/** Fills in the target device. */
export async function composeFor(token) {
  const fields = byId("compose").elements;
  fields.token.value = token;
  try {
    const device = await call("GET", `/devices/${encodeURIComponent(token)}`);
    fields["apns-topic"].value = device.topic;
  } catch {
    // A device token that is not registered is allowed too: the verdict tells.
  }
  changed();
}

function forgetResult() {
  replace(byId("compose-result"));
}

/** Fills in the device and the app if there is only one. */
export async function startForm() {
  const fields = byId("compose").elements;
  if (fields.token.value !== "" || fields["apns-topic"].value !== "") return;
  try {
    const [{ apps }, { devices }] = await Promise.all([call("GET", "/apps"), call("GET", "/devices?limit=50")]);
    replace(byId("known-devices"), ...devices.map((device) => h("option", { value: device.token })));
    if (devices.length > 0) {
      fields.token.value = devices[0].token;
      fields["apns-topic"].value = devices[0].topic;
    } else if (apps.length > 0) {
      fields["apns-topic"].value = apps[0].topic;
    }
    changed();
  } catch {
    // The form also works without them.
  }
}

export function startCompose() {
  const form = byId("compose");
  const payload = byId("payload");
  const useSample = () => {
    const sample = samples[byId("compose-sample").value];
    if (sample === undefined) return;
    const fields = form.elements;
    [fields["apns-push-type"].value, fields["apns-priority"].value] = sample;
    const topic = fields["apns-topic"].value.replace(/\.(voip|push-type\.liveactivity)$/, "");
    const suffix = { voip: ".voip", liveactivity: ".push-type.liveactivity" }[sample[0]] ?? "";
    if (topic !== "") fields["apns-topic"].value = topic + suffix;
    payload.value = JSON.stringify(sample[2], null, 2);
    changed();
  };
  byId("compose-sample").addEventListener("change", useSample);
  form.addEventListener("input", changed);
  payload.addEventListener("scroll", () => (byId("payload-gutter").scrollTop = payload.scrollTop), { passive: true });
  byId("payload-format").addEventListener("click", () => {
    try {
      JSON.parse(payload.value);
    } catch {
      toast("The payload is not JSON, so it was left as it is", "bad");
      return;
    }
    payload.value = pretty(payload.value);
    changed();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    setText(byId("compose-problem"), "");
    try {
      drawResult(JSON.parse(await callText("POST", "/notifications", envelope())));
    } catch (error) {
      setText(byId("compose-problem"), error.message);
    }
  });
  useSample();
}

function drawResult(entry) {
  const isGood = entry.outcome === "accepted";
  replace(
    byId("compose-result"),
    h(
      "div",
      { class: `verdict ${entry.outcome}` },
      h(
        "p",
        { class: "verdict-head" },
        icon(isGood ? "check" : entry.outcome === "refused" ? "cross" : "warning"),
        h("strong", {}, isGood ? "Accepted" : entry.outcome === "refused" ? "Refused" : "Not processed"),
        entry.status === null ? null : h("span", { class: "status" }, String(entry.status)),
        entry.reason === null ? null : h("code", {}, shown(entry.reason)),
        h("a", { href: `#/notifications/${entry["apns-unique-id"]}` }, "Show it"),
      ),
      h("p", {}, shown(entry.fault?.why ?? entry.life.at(-1)?.why ?? entry.why)),
      entry.token === undefined
        ? null
        : h("p", { class: "quiet" }, `To ${shortToken(entry.token)}, now ${entry.stage ?? ""}`),
    ),
  );
}
