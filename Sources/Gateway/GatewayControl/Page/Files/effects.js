// The form for the effect of a fault rule: a choice of effect, and fields for what it takes.

import { h, replace } from "./dom.js";

let count = 0;

const input = (name, label, properties) => ({
  name,
  label,
  make: () => h("input", { autocomplete: "off", spellcheck: "false", ...properties }),
});
const number = (name, label, properties) => input(name, label, { type: "number", min: 0, ...properties });
const choice = (name, label, ...words) => ({
  name,
  label,
  make: () => h("select", {}, ...words.map(([value, text]) => h("option", { value }, text))),
});
/** A field that is there only while the field `kind` has a value. */
const when = (kind, value, field) => ({ ...field, isFor: (values) => values[kind] === value });

const moment = choice(
  "moment", "Moment", ["before", "before it is judged"], ["after", "after it is judged"],
);
const reason = (placeholder) => input("reason", "Reason", { list: "reasons", placeholder });

const delayKinds = [
  ["fixed", "always the same"], ["uniform", "between two times"], ["log-normal", "as on a network"],
];

/** The fields of a delay, and how they become its JSON and the reverse. */
function delay(label, { isEndless = true, others = [] } = {}) {
  const endless = isEndless ? [["never", "without end"]] : [];
  return {
    fields: [
      choice("kind", label, ...others, ...delayKinds, ...endless),
      when("kind", "fixed", input("time", "Time", { placeholder: "200ms, 5s, 10m" })),
      when("kind", "uniform", input("from", "From", { placeholder: "10ms" })),
      when("kind", "uniform", input("to", "To", { placeholder: "2s" })),
      when("kind", "log-normal", input("median", "Median", { placeholder: "40ms" })),
      when("kind", "log-normal", number("sigma", "Sigma", { step: "any", placeholder: "0.8" })),
    ],
    read(values) {
      const { kind, time, from, to, median, sigma } = values;
      if (kind === "uniform") return { uniform: [from, to] };
      if (kind === "log-normal") return { "log-normal": { median, sigma: numeric(sigma) } };
      return kind === "fixed" ? time : kind;
    },
    write(value) {
      if (value === "never") return { kind: "never" };
      if (typeof value === "string") return { kind: "fixed", time: value };
      if ("uniform" in value) return { kind: "uniform", from: value.uniform[0], to: value.uniform[1] };
      return { kind: "log-normal", ...value["log-normal"] };
    },
  };
}

/** A number, or null for an empty field: the gateway then says what is missing. */
const numeric = (text) => (text === "" ? null : Number(text));

/** The members that are set. */
const only = (members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== ""));

const plainMoment = {
  fields: [moment],
  read: ({ moment }) => (moment === "after" ? "after" : true),
  write: (value) => ({ moment: value === "after" ? "after" : "before" }),
};
const plainTrue = { fields: [], read: () => true, write: () => ({}) };
const plainNumber = (label, properties) => ({
  fields: [number("number", label, properties)],
  read: ({ number }) => numeric(number),
  write: (value) => ({ number: value }),
});

/** By key: its name, its group, its fields, and how their values become the effect's JSON and the reverse. */
const effects = {
  refuse: {
    name: "Refuse with a reason",
    group: "Answers",
    fields: [
      reason("TooManyRequests"),
      number("status", "Status", { min: 400, max: 599, placeholder: "that of the reason" }),
      number("streams", "Stream limit with it", { placeholder: "unchanged" }),
    ],
    read: (values) =>
      only({
        status: numeric(values.status), reason: values.reason, "max-concurrent-streams": numeric(values.streams),
      }),
    write: (value) => ({ ...value, streams: value["max-concurrent-streams"] }),
  },
  delay: { name: "Delay the answer", group: "Answers", ...delay("Delay") },
  silence: { name: "Never answer", group: "Answers", ...plainMoment },
  "slow-body": { name: "Send the answer byte by byte", group: "Answers", ...delay("Duration") },
  reset: {
    name: "Reset the stream",
    group: "Streams and connections",
    fields: [number("code", "Error code", { placeholder: "7 is REFUSED_STREAM" }), moment],
    read: ({ code, moment }) => (moment === "after" ? { code: numeric(code), after: true } : numeric(code)),
    write: (value) =>
      typeof value === "number"
        ? { code: value, moment: "before" }
        : { code: value.code, moment: value.after ? "after" : "before" },
  },
  goaway: {
    name: "Send GOAWAY",
    group: "Streams and connections",
    fields: [
      reason("Shutdown"),
      choice(
        "last", "Last stream", ["this", "this request"], ["previous", "the one before: not processed"], ["all", "2^31-1"],
      ),
      choice("close", "Closes", ["true", "when all is answered"], ["false", "not"], ["now", "at once"]),
      choice("twice", "Frames", ["false", "one"], ["true", "two, the first with 2^31-1"]),
      number("code", "Error code", { placeholder: "0" }),
    ],
    read: (values) =>
      only({
        reason: values.reason, "last-stream": values.last, twice: values.twice === "true",
        close: values.close === "now" ? "now" : values.close === "true", code: numeric(values.code),
      }),
    write: (value) => ({
      ...value, last: value["last-stream"] ?? "this", close: String(value.close ?? true),
      twice: String(value.twice ?? false),
    }),
  },
  disconnect: {
    name: "Close the connection",
    group: "Streams and connections",
    fields: [moment, choice("how", "How", ["false", "in order"], ["true", "with a reset of TCP"])],
    read: ({ moment, how }) => {
      if (how === "true") return { after: moment === "after", reset: true };
      return moment === "after" ? "after" : true;
    },
    write: (value) => ({
      moment: value === "after" || value.after === true ? "after" : "before", how: String(value.reset === true),
    }),
  },
  "half-open": { name: "Leave the connection half open", group: "Streams and connections", ...plainMoment },
  "max-concurrent-streams": {
    name: "Limit the streams", group: "Streams and connections", ...plainNumber("Streams", { placeholder: "1" }),
  },
  window: {
    name: "Limit the window",
    group: "Streams and connections",
    fields: [
      number("bytes", "Bytes", { placeholder: "0 closes it" }),
      input("for", "For", { placeholder: "until it is removed" }),
    ],
    read: (values) =>
      values.for === "" ? numeric(values.bytes) : { bytes: numeric(values.bytes), for: values.for },
    write: (value) => (typeof value === "number" ? { bytes: value } : value),
  },
  "slow-accept": { name: "Keep new connections waiting", group: "Streams and connections", ...delay("Duration") },
  lose: { name: "Accept, and lose it", group: "Devices", ...plainTrue },
  duplicate: {
    name: "Deliver it several times", group: "Devices", ...plainNumber("Times", { min: 2, max: 100, placeholder: "2" }),
  },
  offline: (() => {
    const base = delay("For", { isEndless: false, others: [["true", "until it is set online"]] });
    return {
      name: "Take the device offline",
      group: "Devices",
      fields: base.fields,
      read: (values) => (values.kind === "true" ? true : base.read(values)),
      write: (value) => (value === true ? { kind: "true" } : base.write(value)),
    };
  })(),
  uninstall: { name: "Uninstall the app, noticed later", group: "Devices", ...delay("Noticed after") },
};

/** The name of an effect, as the form has it. */
export const effectName = (effect) => effects[Object.keys(effect)[0]]?.name ?? Object.keys(effect)[0];

export class EffectForm {
  #choice;
  #box;
  /** The controls of the chosen effect, by the names of its fields. */
  #controls = new Map();
  #fields = [];

  /** `choice` is a select for the effects, `box` the element for the fields; both are in a form. */
  constructor(choice, box) {
    this.#choice = choice;
    this.#box = box;
    const groups = new Set(Object.values(effects).map((effect) => effect.group));
    for (const group of groups) {
      const own = Object.entries(effects).filter(([, effect]) => effect.group === group);
      const names = own.map(([key, { name }]) => h("option", { value: key }, name));
      choice.append(h("optgroup", { label: group }, ...names));
    }
    choice.addEventListener("change", () => this.#show());
    box.addEventListener("input", () => this.#hide());
    this.#show();
  }

  get #values() {
    return Object.fromEntries([...this.#controls].map(([name, control]) => [name, control.value.trim()]));
  }

  #show(values = {}) {
    this.#fields = effects[this.#choice.value].fields;
    this.#controls.clear();
    const labels = this.#fields.map((field) => {
      count += 1;
      const control = field.make();
      control.id = `effect-${field.name}-${count}`;
      control.dataset.field = field.name;
      const value = values[field.name];
      if (value !== undefined) control.value = value;
      this.#controls.set(field.name, control);
      return h("label", { class: "field", for: control.id }, field.label, control);
    });
    replace(this.#box, ...labels);
    this.#box.hidden = labels.length === 0;
    this.#hide();
  }

  /** Hides the fields that another field makes meaningless. */
  #hide() {
    const values = this.#values;
    for (const { name, isFor } of this.#fields) {
      if (isFor !== undefined) this.#controls.get(name).closest("label").hidden = !isFor(values);
    }
  }

  /** The effect as the API takes it. */
  get effect() {
    const key = this.#choice.value;
    return { [key]: effects[key].read(this.#values) };
  }

  set effect(effect) {
    const [key, value] = Object.entries(effect)[0];
    this.#choice.value = key;
    this.#show(effects[key].write(value));
  }
}
