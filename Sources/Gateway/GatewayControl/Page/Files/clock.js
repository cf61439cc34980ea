// The world's clock: shows and changes it.

import { call } from "./api.js";
import { byId, setText, toast } from "./dom.js";

let mode = "real";
/** The gateway's time when it was last received, and the page's time at that moment. */
let [told, at] = [0, 0];
let onTick = () => {};

const now = () => (mode === "manual" ? told : told + (performance.now() - at));

function take(clock) {
  mode = clock.mode;
  [told, at] = [Date.parse(clock.now), performance.now()];
  const choice = byId("clock-form").elements.mode;
  if (!byId("clock-form").contains(document.activeElement)) choice.value = mode;
  draw();
}

function draw() {
  if (at === 0) return;
  const text = new Date(now()).toISOString();
  setText(byId("clock-time"), text.slice(11, 19));
  setText(byId("clock-day"), `${text.slice(0, 10)} UTC`);
  setText(byId("clock-mode"), mode === "manual" ? "Stopped until it is changed" : "Follows the machine's clock");
  setText(byId("clock-chip-time"), text.slice(11, 19));
  setText(byId("clock-chip-mode"), mode === "manual" ? "manual" : "UTC");
  byId("clock-chip").classList.toggle("is-manual", mode === "manual");
  onTick(text.slice(11, 16));
}

export async function loadClock() {
  take(await call("GET", "/clock"));
}

export function clockEvent(data) {
  take(JSON.parse(data));
}

async function advance(by) {
  setText(byId("clock-problem"), "");
  try {
    take(await call("POST", "/clock/advance", { by }));
    toast(`The clock was advanced by ${by}`);
  } catch (error) {
    setText(byId("clock-problem"), error.message);
  }
}

export function startClock({ onTime }) {
  onTick = onTime;
  for (const button of document.querySelectorAll("[data-advance]")) {
    button.addEventListener("click", () => advance(button.dataset.advance));
  }
  byId("advance-form").addEventListener("submit", (event) => {
    event.preventDefault();
    advance(byId("advance-by").value.trim());
  });
  byId("clock-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    setText(byId("clock-problem"), "");
    const data = new FormData(event.target);
    const body = { mode: data.get("mode") };
    if (data.get("now") !== "") body.now = new Date(`${data.get("now")}Z`).toISOString();
    try {
      take(await call("PUT", "/clock", body));
      toast(body.mode === "manual" ? "The clock is manual" : "The clock is real");
      byId("clock-now").value = "";
    } catch (error) {
      setText(byId("clock-problem"), error.message);
    }
  });
  setInterval(() => {
    if (!document.hidden) draw();
  }, 500);
}
