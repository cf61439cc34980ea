// Starts the page: the choice of view, the connection to the gateway, the control token.

import { call, follow, keepToken, onTokenWanted, world } from "./api.js";
import { loadBudgets, settingsEvent, startBudgets } from "./budgets.js";
import { loadRegistry, registryEvent } from "./channels.js";
import { clockEvent, loadClock, startClock } from "./clock.js";
import { composeEnvelope, composeFor, startCompose, startForm } from "./compose.js";
import {
  deviceEvent, devicesMissed, loadDevices, lookAtDevices, revealDevice, setDeviceTime, startDevices,
} from "./devices.js";
import { announce, byId, confirm, h, replace, setText, toast } from "./dom.js";
import { faultEvent, loadFaults, startFaults } from "./faults.js";
import { startKeys } from "./keys.js";
import {
  loadNotifications, notificationEvent, notificationsMissed, openNotification, startNotifications,
} from "./notifications.js";
import { plain } from "./text.js";

const views = {
  notifications: "Notifications",
  devices: "Devices",
  send: "Send",
  faults: "Faults",
  clock: "Clock",
  channels: "Channels",
};

let view = "";

/** The view that the address names, and the item in it. */
function route() {
  const [name, item] = location.hash.replace(/^#\/?/, "").split("/");
  let decoded = null;
  try {
    decoded = item === undefined || item === "" ? null : decodeURIComponent(item);
  } catch {
    decoded = item;
  }
  return { name: name in views ? name : "notifications", item: decoded };
}

async function follows(isFirst = false) {
  const { name, item } = route();
  const isOther = name !== view;
  view = name;
  for (const key of Object.keys(views)) {
    byId(`view-${key}`).hidden = key !== name;
    const link = byId(`nav-${key}`);
    if (key === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (isOther) byId(`nav-${name}`).scrollIntoView({ block: "nearest", inline: "nearest" });
  document.title = `${views[name]} · ${world === null ? "APNs gateway" : plain(world)}`;
  if (isOther && !isFirst) {
    byId(`${name}-title`).focus();
    window.scrollTo(0, 0);
  }
  if (name === "notifications") await openNotification(item);
  else if (name === "devices") {
    await guarded(loadDevices);
    if (item !== null) revealDevice(item);
  } else if (name === "faults") await guarded(loadFaults);
  else if (name === "clock") await guarded(() => Promise.all([loadClock(), loadBudgets()]));
  else if (name === "channels") await guarded(loadRegistry);
  else if (name === "send") {
    if (item === null) await startForm();
    else await composeFor(item);
  }
}

async function guarded(work) {
  try {
    await work();
  } catch (error) {
    toast(error.message, "bad");
  }
}

const states = {
  connecting: "Connecting",
  connected: "Live",
  broken: "Reconnecting",
  refused: "Refused",
};
let isCutOff = false;
let brokenSince = null;
let whenBroken = 0;

function showState(state, why) {
  const box = byId("connection");
  if (state === "connected") {
    clearTimeout(whenBroken);
    if (isCutOff) {
      notificationsMissed();
      devicesMissed();
      faultEvent();
      guarded(loadClock);
      if (brokenSince !== null && performance.now() - brokenSince > 1500) announce("The gateway answers again");
    }
    isCutOff = false;
    brokenSince = null;
    box.dataset.state = state;
    setText(byId("connection-text"), states[state]);
    return;
  }
  if (state === "broken") isCutOff = true;
  if (state === "connecting" && isCutOff) return;
  brokenSince ??= performance.now();
  // A listener that falls behind is disconnected and reconnects at once; that is not shown.
  clearTimeout(whenBroken);
  whenBroken = setTimeout(
    () => {
      box.dataset.state = state;
      setText(byId("connection-text"), states[state]);
      if (state === "broken") announce("The gateway does not answer; trying again");
      if (state === "refused") toast(why, "bad");
    },
    state === "broken" ? 1000 : 0,
  );
}

const registryNames = new Set(["app", "key", "reset"]);

function onEvent(name, data) {
  if (name === "settings") return settingsEvent(data);
  if (name.startsWith("world-")) return guarded(loadWorlds);
  if (name === "clock") clockEvent(data);
  else if (name.startsWith("fault-")) faultEvent();
  else if (!name.startsWith("device-") && name !== "app" && name !== "key") notificationEvent(name, data);
  if (name.startsWith("device-") || view === "devices") {
    if (name !== "clock" && !name.startsWith("fault-") && name !== "journal-emptied") deviceEvent(name, data);
  }
  if (view === "faults" && name === "notification") faultEvent();
  if (registryNames.has(name) || view === "channels") registryEvent();
  if (name === "reset") {
    guarded(() => Promise.all([loadClock(), loadBudgets()]));
    faultEvent();
  }
}

/** Asks for the control token; the caller waits for it. */
function startToken() {
  const dialog = byId("token-dialog");
  let waiting = [];
  onTokenWanted((wasWrong) => {
    setText(byId("token-problem"), wasWrong ? "The gateway does not accept this token." : "");
    if (!dialog.open) dialog.showModal();
    return new Promise((resolve) => waiting.push(resolve));
  });
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  byId("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    keepToken(byId("token").value);
    byId("token").value = "";
    dialog.close();
    const resolved = waiting;
    waiting = [];
    for (const resolve of resolved) resolve();
  });
}

/** The default world. */
const standardWorld = "default";

/** Lists the worlds; a single one needs no selection. */
async function loadWorlds() {
  const { worlds } = await call("GET", "/worlds?limit=1000", undefined, { isOfGateway: true });
  const names = new Set([standardWorld, ...worlds.map((one) => one.name), world ?? standardWorld]);
  const choice = byId("world");
  choice.hidden = names.size < 2;
  if (choice.options.length === names.size) return;
  replace(choice, ...[...names].map((name) => h("option", { value: name }, name)));
  choice.value = world ?? standardWorld;
}

function startWorlds() {
  const choice = byId("world");
  choice.addEventListener("focus", () => guarded(loadWorlds));
  choice.addEventListener("change", () => {
    const path = choice.value === standardWorld ? "/" : `/w/${encodeURIComponent(choice.value)}`;
    location.assign(path + location.hash.split("/").slice(0, 2).join("/"));
  });
  guarded(loadWorlds);
}

function start() {
  startToken();
  startWorlds();
  startNotifications({
    onOpen: (id, { isStep, takesFocus }) => {
      const hash = id === null ? "#/notifications" : `#/notifications/${encodeURIComponent(id)}`;
      if (location.hash !== hash) history[isStep ? "pushState" : "replaceState"](null, "", hash);
      guarded(() => openNotification(id));
      if (takesFocus) byId("detail-title").focus();
    },
    onSendAgain: (envelope) => {
      composeEnvelope(envelope);
      location.hash = "#/send";
    },
  });
  startDevices();
  startFaults();
  startClock({ onTime: setDeviceTime });
  startBudgets();
  startCompose();
  startKeys();
  byId("reset").addEventListener("click", async () => {
    const question = "Reset everything to the initial state? This includes journal, devices, faults and clock.";
    if (!(await confirm(question, "Reset"))) return;
    await guarded(async () => {
      await call("POST", "/reset");
      toast("The gateway was reset");
    });
  });
  byId("confirm-dialog").addEventListener("click", (event) => {
    const value = event.target.closest("button")?.value;
    if (value !== undefined) byId("confirm-dialog").close(value);
  });
  window.addEventListener("hashchange", () => follows());
  setInterval(lookAtDevices, 5000);
  guarded(loadClock);
  guarded(loadNotifications).then(() => follows(true));
  guarded(loadFaults);
  follow("/events", { signal: new AbortController().signal, onState: showState, onEvent, awaits: true });
}

start();
