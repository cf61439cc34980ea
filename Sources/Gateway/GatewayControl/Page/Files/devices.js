// The devices of the world as phones.

import { call } from "./api.js";
import { curl, showExample } from "./commands.js";
import { byId, h, replace, setText, throttled, toast } from "./dom.js";
import { Phone } from "./phone.js";
import { counted } from "./text.js";

const pageSize = 12;
const phones = new Map();
let next = null;
let total = 0;
let time = "";

/** Reloads the first page of devices. */
export async function loadDevices() {
  const page = await call("GET", `/devices?limit=${pageSize}`);
  const isThere = new Set(page.devices.map((device) => device.token));
  for (const [token, phone] of phones) {
    if (isThere.has(token)) continue;
    phone.disconnect();
    phone.node.remove();
    phones.delete(token);
  }
  for (const device of page.devices) take(device);
  ({ next, total } = page);
  drawState();
}

/** Devices are in the order of their registration. */
function take(device) {
  const known = phones.get(device.token);
  if (known !== undefined) {
    known.update(device);
    known.refresh();
    return;
  }
  const phone = new Phone(device, { time });
  phones.set(device.token, phone);
  byId("devices").append(phone.node);
}

async function loadMore() {
  const page = await call("GET", `/devices?limit=${pageSize}&cursor=${next}`);
  for (const device of page.devices) take(device);
  ({ next, total } = page);
  drawState();
}

function drawState() {
  if (phones.size === 0) drawExample();
  byId("devices-empty").hidden = phones.size > 0;
  byId("devices-more").hidden = next === null;
  const part = phones.size === total ? "" : `${phones.size} of `;
  setText(byId("devices-state"), part + counted(total, "device"));
  replace(byId("known-devices"), ...[...phones.values()].map((phone) => h("option", { value: phone.token })));
}

/** Shows the commands that make a first device. */
function drawExample() {
  if (byId("devices-commands").childElementCount > 0) return;
  const body = JSON.stringify({ topic: "com.example.agent" });
  showExample("devices-commands", `apns device --control ${location.origin}`, curl("/devices", body));
}

/** Something happened to many devices at once, or to one that is not shown. */
const reload = throttled(500, () => loadDevices().catch(() => {}));

export function deviceEvent(name, data) {
  if (name === "reset") {
    reload();
    return;
  }
  const event = JSON.parse(data);
  if (name.startsWith("device-")) {
    const phone = phones.get(event.token);
    if (phone !== undefined) {
      phone.update(event);
      phone.refresh();
    } else if (name === "device-registered") {
      reload();
    }
    return;
  }
  // A delivery, or a notification that registered its device.
  const phone = phones.get(event.token);
  if (phone !== undefined) phone.refresh();
  else if (name === "notification" && event.outcome === "accepted" && phones.size < pageSize) reload();
}

export function devicesMissed() {
  reload();
}

/** Listeners connect and disconnect without an event, so visible devices are polled while the view is open. */
export function lookAtDevices() {
  if (!document.hidden && !byId("view-devices").hidden) reload();
}

export function setDeviceTime(text) {
  time = text;
  for (const phone of phones.values()) phone.setTime(text);
}

/** Shows one device, if it exists. */
export function revealDevice(token) {
  const phone = phones.get(token);
  if (phone === undefined) return;
  phone.node.scrollIntoView({ block: "nearest" });
}

export function startDevices() {
  byId("devices-more").addEventListener("click", () => loadMore().catch((error) => toast(error.message, "bad")));
  byId("register").addEventListener("submit", async (event) => {
    event.preventDefault();
    const problem = byId("register-problem");
    setText(problem, "");
    const body = {};
    for (const [name, value] of new FormData(event.target)) if (value.trim() !== "") body[name] = value.trim();
    try {
      const device = await call("POST", "/devices", body);
      toast("The device is registered");
      await loadDevices();
      revealDevice(device.token);
      byId("register-token").value = "";
    } catch (error) {
      setText(problem, error.message);
    }
  });
}
