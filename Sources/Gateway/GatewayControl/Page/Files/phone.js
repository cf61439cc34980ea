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

/** The `aps` of a notification; empty if it has none. */
function apsOf(entry) {
  const aps = entry.payload?.aps;
  return typeof aps === "object" && aps !== null ? aps : {};
}

/** The name of the app, taken from its topic. */
const appOf = (topic) => topic.replace(/\.(voip|complication|push-type\..*)$/, "").split(".").at(-1);

/** What the device plays for a notification; empty for nothing. A passive one is silent. */
function soundOf(aps) {
  const { sound } = aps;
  if (aps["interruption-level"] === "passive") return "";
  if (typeof sound === "string") return sound;
  if (typeof sound !== "object" || sound === null || typeof sound.name !== "string") return "";
  return sound.critical === 1 ? `${sound.name}, critical` : sound.name;
}

/** The number on the app's icon: that of the newest notification that has one; none for 0. */
function badgeOf(delivered) {
  const numbers = delivered.map((entry) => apsOf(entry).badge);
  return numbers.find((badge) => Number.isSafeInteger(badge) && badge >= 0) ?? 0;
}

/** The content of a notification's banner. */
function bannerOf(entry) {
  const aps = apsOf(entry);
  const { alert } = aps;
  const app = appOf(entry["apns-topic"] ?? "");
  const banner = { app, title: "", subtitle: "", body: "", isSilent: false, extra: [] };
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
  if (soundOf(aps) !== "") banner.extra.push(`sound ${soundOf(aps)}`);
  if (typeof aps["interruption-level"] === "string") banner.extra.push(aps["interruption-level"]);
  if (typeof aps.event === "string") banner.extra.push(`event ${aps.event}`);
  return banner;
}

const appIcon = (app) => h("span", { class: "app-icon", "aria-hidden": "true" }, (plain(app)[0] ?? "?").toUpperCase());

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
      appIcon(banner.app),
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
  /** Whether the page receives the deliveries; false while it connects. */
  #isConnected = false;
  #inbox = { waiting: [], delivered: [] };
  node;
  #lookAgain;

  constructor(device, { time }) {
    this.#device = device;
    this.#build(time);
    this.update(device);
    this.refresh = throttled(300, () => this.#load());
    this.#lookAgain = throttled(200, () => this.#look());
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
    parts.badge = h("span", { class: "app-badge", hidden: true });
    parts.sound = h("p", { class: "phone-sound", hidden: true });
    const app = appOf(this.#device.topic);
    const dock = h("div", { class: "dock" }, h("span", { class: "dock-app" }, appIcon(app), parts.badge), parts.sound);
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
        dock,
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
    else if (this.#listeners > 0) facts.push(counted(this.#listeners, "connection"));
    else facts.push("not connected");
    if (device.channels.length > 0) facts.push(counted(device.channels.length, "channel"));
    return facts.join(" · ");
  }

  #drawNote() {
    const { installed, online } = this.#device;
    const isEmpty = this.#inbox.delivered.length === 0;
    let note = "";
    if (!installed) note = "The app is uninstalled.";
    else if (!online) note = "Offline: what is sent waits.";
    else if (this.#isConnected) note = isEmpty ? "Deliveries come here. None yet." : "Deliveries come here.";
    else if (this.#connection !== null) note = "Connecting.";
    else if (this.#listeners > 0) note = "Deliveries go to apns device or another page, and are shown here too.";
    else if (isEmpty) note = "Not connected: what is sent waits. Take deliveries here, or run apns device.";
    else note = "Not connected any more: these were delivered before, and what is sent now waits.";
    setText(this.#parts.note, note);
  }

  /** How many connections the device has; the page knows of its own before the gateway tells. */
  get #listeners() {
    return Math.max(this.#device.listeners, this.#isConnected ? 1 : 0);
  }

  /** Reads the device again: connections come and go without an event. */
  async #look() {
    try {
      this.update(await call("GET", this.#path + this.#query));
    } catch {
      // It is read again with all devices.
    }
  }

  /** The icon of the app with its badge, and what the newest notification plays. */
  #drawDock(delivered) {
    const { badge, sound } = this.#parts;
    const number = this.#device.kind === "app" ? badgeOf(delivered) : 0;
    badge.hidden = number === 0;
    replace(badge, h("span", { class: "visually-hidden" }, "Badge "), count(number));
    const played = delivered.length === 0 ? "" : soundOf(apsOf(delivered[0]));
    sound.hidden = played === "";
    replace(sound, icon("sound"), h("span", {}, "Plays ", shown(cut(played, 40))));
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
    if (inbox.delivered.length > 0 && this.#listeners === 0) this.#lookAgain();
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
    this.#drawDock(inbox.delivered);
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
        this.#isConnected = state === "connected";
        if (this.#isConnected) this.refresh();
        this.#lookAgain();
        this.#drawNote();
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
    if (this.#isConnected) this.#device = { ...this.#device, listeners: Math.max(0, this.#device.listeners - 1) };
    this.#isConnected = false;
    this.update(this.#device);
    this.#lookAgain();
  }
}
