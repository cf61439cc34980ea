// The fault rules: those in force, and a form to add one.

import { call } from "./api.js";
import { commandNode, curl, showExample } from "./commands.js";
import { byId, confirm, h, replace, setText, throttled, toast } from "./dom.js";
import { EffectForm, effectName } from "./effects.js";
import { dayAndTime, shortToken, shown } from "./text.js";

/** The templates: a description and its effect. */
const templates = [
  ["Refuse: too many requests", { refuse: { status: 429, reason: "TooManyRequests" } }],
  ["Refuse: unregistered", { refuse: { status: 410, reason: "Unregistered" } }],
  ["Refuse: service unavailable", { refuse: { status: 503, reason: "ServiceUnavailable" } }],
  [
    "Refuse, and allow one stream",
    { refuse: { status: 429, reason: "TooManyRequests", "max-concurrent-streams": 1 } },
  ],
  ["Delay the answer by 200 ms", { delay: "200ms" }],
  ["Delay between 10 ms and 2 s", { delay: { uniform: ["10ms", "2s"] } }],
  ["Delay as on a busy network", { delay: { "log-normal": { median: "40ms", sigma: 0.8 } } }],
  ["Never answer", { silence: true }],
  ["Reset the stream (REFUSED_STREAM)", { reset: 7 }],
  ["Send GOAWAY", { goaway: { reason: "Shutdown", "last-stream": "this", twice: false, close: true } }],
  ["Close the connection", { disconnect: true }],
  ["Leave the connection half open", { "half-open": true }],
  ["Allow one stream at a time", { "max-concurrent-streams": 1 }],
  ["Close the window", { window: 0 }],
  ["Accept, and lose it", { lose: true }],
  ["Deliver it twice", { duplicate: 2 }],
  ["Take the device offline for a while", { offline: "5m" }],
  ["Uninstall the app, noticed late", { uninstall: "1h" }],
  ["Send the answer byte by byte", { "slow-body": "5s" }],
  ["Keep new connections waiting", { "slow-accept": "2s" }],
];

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** An effect as text, with each time in milliseconds, because the gateway gives them in other units. */
function canonical(effect) {
  return JSON.stringify(effect, (_, value) => {
    const time = /^(\d+)(ms|s|m|h|d)$/.exec(value);
    return time === null ? value : Number(time[1]) * units[time[2]];
  });
}

const matchNames = ["token", "topic", "push-type"];

export async function loadFaults() {
  const { faults } = await call("GET", "/faults");
  if (byId("faults-commands").childElementCount === 0) {
    showExample("faults-commands", null, curl("/faults", JSON.stringify({ effect: templates[0][1], count: 1 })));
  }
  byId("faults-empty").hidden = faults.length > 0;
  byId("faults-clear").hidden = faults.length === 0;
  setText(byId("nav-faults-count"), faults.length === 0 ? "" : String(faults.length));
  byId("nav-faults-count").hidden = faults.length === 0;
  const held = document.activeElement?.dataset?.fault ?? null;
  replace(byId("faults"), ...faults.map(faultNode));
  if (held === null) return;
  const again = byId("faults").querySelector(`[data-fault="${CSS.escape(held)}"]`);
  (again ?? byId("faults-title")).focus();
}

const reload = throttled(300, () => loadFaults().catch(() => {}));

/** A rule was added, removed or used up, or may have been applied. */
export function faultEvent() {
  reload();
}

function faultNode(fault) {
  const title = templates.find(([, effect]) => canonical(effect) === canonical(fault.effect))?.[0];
  return h(
    "li",
    { class: "fault" },
    h(
      "div",
      {},
      h("p", { class: "fault-title" }, title ?? effectName(fault.effect)),
      h("code", { class: "fault-effect" }, shown(JSON.stringify(fault.effect))),
      h("p", { class: "quiet" }, shown(`${matchText(fault.match)} · ${useText(fault)}`)),
    ),
    h(
      "button",
      {
        type: "button",
        "data-fault": fault.id,
        "aria-label": `Remove the rule ${title ?? effectName(fault.effect)}`,
        onclick: () => remove(fault.id),
      },
      "Remove",
    ),
  );
}

function matchText(match) {
  const parts = Object.entries(match).map(([name, value]) => {
    if (name === "headers") return `headers ${JSON.stringify(value)}`;
    return `${name} ${name === "token" ? shortToken(value) : value}`;
  });
  return parts.length === 0 ? "every request" : parts.join(", ");
}

function useText(fault) {
  const parts = [fault.count === undefined ? `hit ${fault.used} times` : `hit ${fault.used} of ${fault.count} times`];
  if (fault.probability < 1) parts.unshift(`${Math.round(fault.probability * 1000) / 10} % of them`);
  if (fault.until !== undefined) parts.push(`until ${dayAndTime(fault.until)}`);
  return parts.join(" · ");
}

async function remove(id) {
  try {
    await call("DELETE", `/faults/${encodeURIComponent(id)}`);
    toast("The fault rule is removed");
    await loadFaults();
    byId("faults-title").focus();
  } catch (error) {
    toast(error.message, "bad");
  }
}

/** The rule in the form. */
function ruleOfForm(form, effect) {
  const data = new FormData(form);
  const text = (name) => String(data.get(name) ?? "").trim();
  const rule = { effect };
  const match = Object.fromEntries(matchNames.map((name) => [name, text(name)]).filter(([, value]) => value !== ""));
  if (Object.keys(match).length > 0) rule.match = match;
  const share = text("probability");
  if (share !== "" && Number(share) !== 100) rule.probability = Number(share) / 100;
  if (text("count") !== "") rule.count = Number(text("count"));
  if (text("until") !== "") rule.until = new Date(`${text("until")}Z`).toISOString();
  return rule;
}

export function startFaults() {
  const form = byId("fault-form");
  const choice = byId("fault-template");
  const effects = new EffectForm(byId("fault-effect"), byId("fault-fields"));
  const own = h("option", { value: "" }, "Your own");
  replace(choice, ...templates.map(([name], index) => h("option", { value: index }, name)), own);
  const fill = () => {
    if (choice.value !== "") effects.effect = templates[choice.value][1];
  };
  const rule = () => ruleOfForm(form, effects.effect);
  const drawCommand = () => {
    replace(byId("fault-command"), commandNode(curl("/faults", JSON.stringify(rule())), "Command that adds the rule"));
  };
  form.addEventListener("input", (event) => {
    if (event.target.closest("#fault-fields, #fault-effect") !== null) choice.value = "";
  });
  // After what the fields themselves do.
  form.addEventListener("change", (event) => {
    if (event.target === choice) fill();
    drawCommand();
  });
  fill();
  drawCommand();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const problem = byId("fault-problem");
    setText(problem, "");
    try {
      await call("POST", "/faults", rule());
      toast("The fault rule is active");
      await loadFaults();
    } catch (error) {
      setText(problem, error.message);
    }
  });
  byId("faults-clear").addEventListener("click", async () => {
    if (!(await confirm("Remove all fault rules?", "Remove all"))) return;
    try {
      await call("DELETE", "/faults");
      toast("All fault rules are removed");
      await loadFaults();
      byId("faults-title").focus();
    } catch (error) {
      toast(error.message, "bad");
    }
  });
}
