// One device as a phone: a screen with its notifications, its switches, and what waits for it.

import { call, follow } from "./api.js";
import { confirm, h, icon, replace, setText, throttled, toast } from "./dom.js";
import { summary } from "./journal.js";
import { clockTime, count, counted, cut, plain, shortToken, shown } from "./text.js";

const appStates = ["foreground", "background", "suspended", "terminated", "force-quit"];
const switches = ["online", "awake", "power", "data", "refresh", "allowed", "here"];
const maximumBanners = 20;
/** How many notifications are requested; more than are shown, because newer ones hide some. */
const maximumDelivered = 100;

/** How many phones may take deliveries in this page: a browser opens at most six connections to a server. */
const maximumConnections = 3;
let connections = 0;

/** The content of a notification's banner. */
function bannerOf(entry) {
  const payload = entry.payload ?? {};
  const aps = payload !== null && typeof payload.aps === "object" && payload.aps !== null ? payload.aps : {};
  const { alert } = aps;
  const app = (entry["apns-topic"] ?? "").replace(/\.(voip|complication|push-type\..*)$/, "").split(".").at(-1);
  const banner = { app: app ?? "", title: "", subtitle: "", body: "", isSilent: false, extra: [] };
  if (typeof alert === "string") banner.body = alert;
  else if (alert !== null && typeof alert === "object") {
    const localized = (key, args) => {
      const own = Array.isArray(alert[args]) ? alert[args].join(", ") : "";
      return typeof alert[key] === "string" ? `${alert[key]}${own === "" ? "" : ` (${own})`}` : "";
    };
    banner.title = String(alert.title ?? localized("title-loc-key", "title-loc-args"));
    banner.subtitle = String(alert.subtitle ?? localized("subtitle-loc-key", "subtitle-loc-args"));
    banner.body = String(alert.body ?? localized("loc-key", "loc-args"));
  }
  if (banner.title + banner.subtitle + banner.body === "") {
    banner.isSilent = true;
    banner.body = summary(entry.payload ?? null) || (entry["apns-push-type"] ?? "no payload");
  }
  if (typeof aps.badge === "number") banner.extra.push(`badge ${aps.badge}`);
  if (typeof aps.sound === "string") banner.extra.push(`sound ${aps.sound}`);
  else if (aps.sound !== undefined) banner.extra.push("critical sound");
  if (typeof aps["interruption-level"] === "string") banner.extra.push(aps["interruption-level"]);
  if (typeof aps.event === "string") banner.extra.push(`event ${aps.event}`);
  return banner;
}

function lines(text) {
  return cut(text, 600)
    .split("\n")
    .flatMap((line, index) => (index === 0 ? shown(line) : ["\n", ...shown(line)]));
}

function bannerNode(entry) {
  const banner = bannerOf(entry);
  return h(
    "li",
    { class: banner.isSilent ? "banner silent" : "banner" },
    h(
      "a",
      { href: `#/notifications/${encodeURIComponent(entry["apns-unique-id"])}` },
      h("span", { class: "app-icon", "aria-hidden": "true" }, (plain(banner.app)[0] ?? "?").toUpperCase()),
      h(
        "span",
        { class: "banner-text" },
        h(
          "span",
          { class: "banner-head" },
          h("span", {}, banner.isSilent ? `${plain(cut(banner.app, 24))} · silent` : plain(cut(banner.app, 24))),
          h("time", { datetime: entry.delivered ?? null }, clockTime(entry.delivered).slice(0, 5)),
        ),
        banner.title === "" ? null : h("strong", {}, lines(banner.title)),
        banner.subtitle === "" ? null : h("span", {}, lines(banner.subtitle)),
        banner.body === "" ? null : h("span", { class: "banner-body" }, lines(banner.body)),
        banner.extra.length === 0 ? null : h("span", { class: "banner-extra" }, shown(banner.extra.join(" · "))),
      ),
    ),
  );
}

/** Why an entry waits, and until when. */
function waitingText(entry) {
  const until = entry["held-until"] ?? entry.expires;
  const reason = entry["held-for"] ? `held for ${entry["held-for"].replaceAll("-", " ")} ` : "";
  return `${reason}until ${until.slice(0, 16).replace("T", " ")}`;
}

/** A switch with a label; `change` gets the new state. */
function switchNode(text, change) {
  const input = h("input", { type: "checkbox", role: "switch", onchange: () => change(input.checked) });
  const track = h("span", { class: "track", "aria-hidden": "true" });
  return { input, node: h("label", { class: "switch" }, input, track, text) };
}

export class Phone {
  #device;
  #parts = {};
  #connection = null;
  #inbox = { waiting: [], delivered: [] };
  node;

  constructor(device, { time }) {
    this.#device = device;
    this.#build(time);
    this.update(device);
    this.refresh = throttled(300, () => this.#load());
    this.#load();
  }

  get token() {
    return this.#device.token;
  }

  get #path() {
    return `/devices/${this.#device.token}`;
  }

  get #query() {
    return `?environment=${encodeURIComponent(this.#device.environment)}`;
  }

  #build(time) {
    const parts = this.#parts;
    const token = this.#device.token;
    const name = `phone-${token}`;
    parts.online = switchNode("Online", (value) => this.#patch({ online: value }));
    parts.power = switchNode("Low Power Mode", (value) => this.#patch({ "low-power": value }));
    parts.data = switchNode("Low Data Mode", (value) => this.#patch({ "low-data": value }));
    parts.refresh = switchNode("Background App Refresh", (value) => this.#patch({ "background-refresh": value }));
    parts.allowed = switchNode("Notifications", (value) => this.#patch({ notifications: value }));
    parts.awake = switchNode("Awake", (value) => this.#patch({ awake: value }));
    parts.here = switchNode("Take deliveries here", (value) => this.#setConnected(value));
    parts.state = h(
      "select",
      { onchange: () => this.#patch({ "app-state": parts.state.value }) },
      ...appStates.map((state) => h("option", { value: state }, state)),
    );
    parts.budget = h("input", {
      list: "budget-choices", autocomplete: "off", spellcheck: "false", placeholder: "3/1h",
      onchange: () => this.#patch({ budget: parts.budget.value.trim() }),
    });
    const button = (text, work, kind) =>
      h("button", { type: "button", class: kind ?? null, onclick: () => work.call(this) }, text);
    parts.reinstall = button("Reinstall", () => this.#changeToken("reinstall", "The app was installed again"));
    parts.restore = button("Restore from backup", () => this.#changeToken("restore", "A backup was restored"));
    parts.uninstall = button("Uninstall", this.#uninstall, "danger");
    parts.facts = h("p", { class: "quiet phone-facts" });
    parts.time = h("span", { class: "phone-time" }, time);
    parts.signs = h("span", { class: "phone-signs" });
    parts.banners = h("ul", { class: "banners" });
    parts.screen = h("div", { class: "screen", tabindex: "0", role: "region", "aria-label": "Screen" }, parts.banners);
    parts.note = h("p", { class: "screen-note" });
    parts.waiting = h("ul", { class: "waiting" });
    parts.waitingText = h("h4", {}, "Nothing waits for it");
    this.node = h(
      "article",
      { class: "device", "aria-labelledby": name },
      h(
        "div",
        { class: "phone" },
        h("div", { class: "phone-bar" }, parts.time, parts.signs),
        parts.screen,
        parts.note,
      ),
      h(
        "div",
        { class: "device-side" },
        h("h3", { id: name }, h("code", { title: plain(token) }, shortToken(token))),
        h("p", { class: "device-topic" }, shown(this.#device.topic)),
        parts.facts,
        h("div", { class: "switches" }, ...switches.map((name) => parts[name].node)),
        h("label", { class: "field" }, "App", parts.state),
        h("label", { class: "field" }, "Budget", parts.budget),
        h("div", { class: "device-waiting" }, parts.waitingText, parts.waiting),
        h(
          "div",
          { class: "buttons" },
          h("a", { class: "button", href: `#/send/${token}` }, "Send to it"),
          parts.reinstall,
          parts.restore,
          parts.uninstall,
        ),
      ),
    );
  }

  /** Shows the new state of the device. */
  update(device) {
    this.#device = device;
    const parts = this.#parts;
    const isInstalled = device.installed;
    parts.online.input.checked = device.online;
    parts.power.input.checked = device["low-power"];
    parts.data.input.checked = device["low-data"];
    parts.refresh.input.checked = device["background-refresh"];
    parts.state.value = device["app-state"];
    parts.allowed.input.checked = device.notifications;
    parts.awake.input.checked = device.awake;
    if (document.activeElement !== parts.budget) parts.budget.value = device.budget;
    const controls = [...switches.map((name) => parts[name].input), parts.state, parts.budget];
    for (const control of controls) control.disabled = !isInstalled;
    for (const part of [parts.reinstall, parts.restore, parts.uninstall]) part.hidden = !isInstalled;
    setText(parts.facts, this.#facts(device));
    this.node.classList.toggle("is-offline", !device.online);
    this.node.classList.toggle("is-gone", !isInstalled);
    const signs = [
      device.online ? ["signal", "online"] : ["offline", "offline"],
      device["low-power"] ? ["battery-low", "low power"] : ["battery", "power"],
    ];
    replace(parts.signs, ...signs.map(([name]) => icon(name)));
    this.#drawNote();
  }

  #facts(device) {
    const facts = [device.kind, device.environment];
    if (device["registered-by"] === "use") facts.push("registered by its first use");
    if (!device.installed) facts.push("uninstalled");
    else if (device.listeners > 0) facts.push(counted(device.listeners, "connection"));
    else facts.push("not connected");
    if (device.channels.length > 0) facts.push(counted(device.channels.length, "channel"));
    return facts.join(" · ");
  }

  #drawNote() {
    const { installed, online, listeners } = this.#device;
    const isEmpty = this.#inbox.delivered.length === 0;
    let note = "";
    if (!installed) note = "The app is uninstalled.";
    else if (!online) note = "Offline.";
    else if (listeners === 0) note = "Not connected: notifications wait. Take deliveries here, or run apns device.";
    else if (isEmpty) note = "No notifications.";
    setText(this.#parts.note, note);
    this.#parts.note.hidden = note === "";
  }

  setTime(text) {
    setText(this.#parts.time, text);
  }

  async #load() {
    let inbox;
    try {
      inbox = await call("GET", `${this.#path}/notifications${this.#query}&limit=${maximumDelivered}`);
    } catch {
      return;
    }
    const before = JSON.stringify(this.#inbox);
    if (before === JSON.stringify(inbox)) return;
    this.#inbox = inbox;
    const parts = this.#parts;
    // The keyboard focus stays on its banner.
    const held = document.activeElement?.closest(".banner a")?.hash ?? null;
    // A device shows one notification per collapse id.
    const seen = inbox.delivered.filter((entry) => entry["hidden-by"] === undefined);
    replace(parts.banners, ...seen.slice(0, maximumBanners).map(bannerNode));
    if (held !== null) {
      for (const link of parts.banners.querySelectorAll("a")) {
        if (link.hash === held) link.focus();
      }
    }
    const waiting = inbox.waiting.length;
    setText(parts.waitingText, waiting === 0 ? "Nothing waits for it" : `${count(waiting)} waiting`);
    replace(
      parts.waiting,
      ...inbox.waiting.slice(-5).map((entry) =>
        h(
          "li",
          {},
          h(
            "a",
            { href: `#/notifications/${encodeURIComponent(entry["apns-unique-id"])}` },
            shown(cut(bannerOf(entry).title || bannerOf(entry).body, 60)),
          ),
          h("span", { class: "quiet" }, waitingText(entry)),
        ),
      ),
    );
    this.#drawNote();
  }

  async #patch(change) {
    try {
      this.update(await call("PATCH", this.#path + this.#query, change));
    } catch (error) {
      toast(error.message, "bad");
      this.#parts.budget.value = this.#device.budget;
      this.update(this.#device);
    }
  }

  async #uninstall() {
    const question = `Uninstall the app from ${shortToken(this.token)}? Later sends get 410 Unregistered.`;
    if (!(await confirm(question, "Uninstall"))) return;
    try {
      await call("DELETE", this.#path + this.#query);
      toast("The app is uninstalled");
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  /** The app gets a new device token; the old one gets 410 from now on. */
  async #changeToken(change, done) {
    this.disconnect();
    try {
      const device = await call("POST", `${this.#path}/${change}${this.#query}`);
      toast(`${done}; its device token is now ${shortToken(device.token)}`);
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  /** Makes the page the device's connection, as `apns device` does. */
  #setConnected(value) {
    if (!value) {
      this.disconnect();
      return;
    }
    if (connections >= maximumConnections) {
      this.#parts.here.input.checked = false;
      toast(`A browser has few connections, so at most ${maximumConnections} phones take deliveries here`, "bad");
      return;
    }
    connections += 1;
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    follow(`${this.#path}/deliveries${this.#query}`, {
      signal,
      resumes: true,
      onEvent: () => this.refresh(),
      onState: (state, why) => {
        if (state === "connected") this.refresh();
        if (state !== "refused") return;
        toast(why, "bad");
        this.disconnect();
      },
    });
  }

  disconnect() {
    if (this.#connection === null) return;
    this.#connection.abort();
    this.#connection = null;
    connections -= 1;
    this.#parts.here.input.checked = false;
  }
}
