// The list of notifications with its filter, and the counts above it.

import { call } from "./api.js";
import { RateChart, seconds } from "./chart.js";
import { curl, sendCommand, showExample } from "./commands.js";
import { refreshDetail, showNotification, shownNotification, startDetail } from "./detail.js";
import { announce, byId, confirm, h, icon, save, setText, settled, throttled, toast } from "./dom.js";
import { Journal } from "./journal.js";
import { VirtualList } from "./list.js";
import { clockTime, count, counted, plain, shortToken, shown } from "./text.js";

const journal = new Journal();
let list;
let isPaused = false;
let missed = 0;
let unread = 0;
let news = { count: 0, refused: 0 };

const marks = { accepted: "check", refused: "cross", unprocessed: "warning" };

/** Navigates to a notification; set by the router. */
let go = () => {};

const isWide = () => matchMedia("(min-width: 60rem)").matches;

function makeRow() {
  const row = h("div", { class: "row", role: "option" });
  for (const name of ["time", "mark", "status", "type", "topic", "to", "text", "stage"]) {
    row.append(h("span", { class: `cell ${name}` }));
  }
  return row;
}

function drawRow(row, index) {
  const entry = journal.at(index);
  const key = `${entry.id} ${entry.stage}`;
  if (row.dataset.drawn === key) return;
  row.dataset.drawn = key;
  row.className = `row ${entry.outcome}`;
  const [time, mark, status, type, topic, to, text, stage] = row.children;
  setText(time, clockTime(entry.time));
  mark.replaceChildren(icon(marks[entry.outcome] ?? "info"));
  setText(status, entry.status === null ? entry.outcome : `${entry.outcome} ${entry.status}`);
  type.replaceChildren(...shown(entry.type || entry.request.replaceAll("-", " ") || "no push type"));
  topic.replaceChildren(...shown(entry.topic || "no topic"));
  setText(to, entry.to === "" ? "no device" : shortToken(entry.to));
  const findings = entry.errors + entry.warnings;
  text.replaceChildren(
    ...(entry.reason === null ? [] : [h("code", {}, ...shown(entry.reason)), " "]),
    ...(findings === 0
      ? []
      : [h("span", { class: entry.errors > 0 ? "badge error" : "badge warning" }, counted(findings, "finding")), " "]),
    ...shown(entry.text.replaceAll(/\s+/g, " ")),
  );
  setText(stage, entry.stage);
  stage.className = `cell stage stage-${entry.stage}`;
}

function filterOfForm() {
  const filter = {};
  for (const [name, value] of new FormData(byId("filter"))) {
    if (value.trim() !== "") filter[name] = value.trim();
  }
  return filter;
}

async function applyFilter() {
  setText(byId("filter-problem"), "");
  const filter = filterOfForm();
  byId("filter-clear").hidden = Object.keys(filter).length === 0;
  const more = ["reason", "topic", "token", "push-type", "collapse-id", "apns-id", "channel-id", "request", "since"];
  const inUse = more.filter((name) => name in filter).length;
  setText(byId("filter-more-count"), inUse === 0 ? "" : ` (${inUse})`);
  try {
    await journal.setFilter(filter);
    list.scrollToTop();
    announce(`${counted(journal.total, "notification")} found`);
  } catch (error) {
    setText(byId("filter-problem"), error.message);
  }
}

function drawState() {
  const isEmpty = journal.count === 0;
  if (!isEmpty) hasExample = false;
  else if (!hasExample) drawExample();
  byId("list-empty").hidden = !isEmpty;
  setText(
    byId("list-empty-text"),
    journal.isFiltered ? "Nothing in the journal matches the filter." : "Nothing has been sent yet.",
  );
  byId("list-empty-help").hidden = journal.isFiltered;
  byId("export").hidden = isEmpty;
  const loaded = count(journal.count);
  setText(
    byId("list-state"),
    isEmpty
      ? ""
      : journal.isFiltered
        ? `${counted(journal.total, "match", "matches")}`
        : journal.isCutOff
          ? `the newest ${loaded}; a filter finds older ones`
          : `${loaded}${journal.hasMore ? " loaded, more below" : " in the list"}`,
  );
  const waiting = isPaused ? missed : unread;
  const button = byId("list-new");
  button.hidden = waiting === 0 || (!isPaused && list.isAtTop);
  setText(button, isPaused ? `${count(waiting)} came in while paused` : `${count(waiting)} new above`);
}

/** What to send to while no device is registered. */
const exampleToken = "ab12".repeat(16);

let hasExample = false;

/** Shows the commands that send a first notification. */
async function drawExample() {
  hasExample = true;
  let [token, topic] = [exampleToken, "com.example.agent"];
  try {
    const [{ devices }, { apps }] = await Promise.all([call("GET", "/devices?limit=1"), call("GET", "/apps")]);
    token = devices[0]?.token ?? token;
    topic = devices[0]?.topic ?? apps[0]?.topic ?? topic;
  } catch {
    // The example works for a gateway with its usual settings.
  }
  const envelope = JSON.stringify({
    token, "apns-topic": topic, "apns-push-type": "alert", payload: { aps: { alert: "Hello" } },
  });
  showExample("list-commands", sendCommand(envelope, true), curl("/notifications", envelope));
}

/** How many notifications an export has at most. */
const maximumExport = 10_000;

async function exportShown() {
  try {
    const lines = await journal.sources(maximumExport);
    const name = `notifications-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}.ndjson`;
    save(name, lines.map((line) => line + "\n"), "application/x-ndjson");
    toast(`${counted(lines.length, "notification")} exported${lines.length === maximumExport ? ", the newest" : ""}`);
  } catch (error) {
    toast(error.message, "bad");
  }
}

const catchUp = throttled(800, () => journal.catchUp().catch(() => {}));
const verify = settled(1000, () => journal.verify().catch(() => {}));

const tellNews = throttled(8000, async () => {
  const { count: total, refused } = news;
  news = { count: 0, refused: 0 };
  if (total === 0 || byId("view-notifications").hidden) return;
  announce(`${counted(total, "new notification")}${refused > 0 ? `, ${count(refused)} refused` : ""}`);
});

/** An event of the gateway. `data` is its text, parsed only if needed. */
export function notificationEvent(name, data) {
  if (name === "notification") {
    missed += isPaused ? 1 : 0;
    const entry = isPaused || journal.isFiltered || journal.isBehind ? null : JSON.parse(data);
    news.count += 1;
    if (entry?.outcome === "refused") news.refused += 1;
    tellNews();
    if (entry !== null) {
      const added = journal.push(entry);
      pending += added;
      redraw();
      if (journal.isUnsure) verify();
    } else if (!isPaused) {
      catchUp();
    } else {
      redraw();
    }
    return;
  }
  if (name === "journal-emptied" || name === "reset") {
    journal.clear();
    showNotification(null);
    return;
  }
  const life = JSON.parse(data);
  if (life["apns-unique-id"] === undefined) return;
  if (journal.stage(life["apns-unique-id"], life.stage)) redraw();
  if (life["apns-unique-id"] === shownNotification()) refreshDetail();
}

let pending = 0;
let isDrawing = false;

/** Shows what was received since the last frame. */
function redraw() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    if (!list.isAtTop) unread += pending;
    list.update(pending);
    pending = 0;
    drawState();
  });
}

/** The event stream was interrupted. */
export function notificationsMissed() {
  journal.interrupted();
  if (!isPaused) catchUp();
  if (shownNotification() !== null) refreshDetail();
}

/** Shows the notification with this id, or none. */
export async function openNotification(id) {
  list.setActive(id);
  if (id !== null) list.reveal(id);
  await showNotification(id);
}

export function startNotifications({ onOpen, onSendAgain }) {
  go = onOpen;
  const box = byId("list");
  list = new VirtualList(box, {
    count: () => journal.count,
    make: makeRow,
    draw: drawRow,
    idAt: (index) => journal.at(index).id,
    indexOf: (id) => journal.indexOf(id),
    // Wide screens show both; on a narrow one the detail would cover the list.
    onActive: settled(150, (id) => {
      if (isWide()) go(id, { isStep: false, takesFocus: false });
    }),
    onOpen: (id, isByKey) => go(id, { isStep: true, takesFocus: isByKey || !isWide() }),
    onEnd: () => journal.loadOlder().catch(() => {}),
  });
  journal.onChange = (added) => {
    pending += added;
    redraw();
    if (journal.isUnsure) verify();
  };
  box.addEventListener("scroll", () => {
    if (!list.isAtTop || unread === 0) return;
    unread = 0;
    drawState();
  });
  const filter = byId("filter");
  const search = settled(250, applyFilter);
  filter.addEventListener("input", search);
  filter.addEventListener("submit", (event) => {
    event.preventDefault();
    applyFilter();
  });
  byId("filter-clear").addEventListener("click", () => {
    filter.reset();
    byId("filter-q").focus();
    applyFilter();
  });
  byId("list-new").addEventListener("click", () => {
    if (isPaused) setPaused(false);
    list.scrollToTop();
    box.focus();
  });
  byId("pause").addEventListener("click", () => setPaused(!isPaused));
  byId("export").addEventListener("click", exportShown);
  byId("journal-empty").addEventListener("click", async () => {
    const question = "Empty the journal? All its entries are deleted; notifications that wait for devices stay.";
    if (!(await confirm(question, "Empty the journal"))) return;
    try {
      await call("DELETE", "/notifications");
      toast("The journal is empty");
    } catch (error) {
      toast(error.message, "bad");
    }
  });
  startDetail({
    onSendAgain,
    onClose: () => {
      go(null, { isStep: true, takesFocus: false });
      box.focus();
    },
  });
  const chart = new RateChart(byId("chart"), byId("chart-rows"));
  followCounts(chart);
}

function setPaused(value) {
  isPaused = value;
  missed = 0;
  const button = byId("pause");
  button.setAttribute("aria-pressed", value);
  setText(byId("pause-text"), value ? "Paused" : "Pause");
  if (!value) catchUp();
  drawState();
}

export async function loadNotifications() {
  try {
    await journal.reload();
  } finally {
    drawState();
  }
}

/**
 * Counts come from the gateway once a second, so that they are right however many events were missed. After a break,
 * and when the page opens, the chart begins with what the gateway has of the seconds before.
 */
function followCounts(chart) {
  let last = null;
  const read = async () => {
    if (!document.hidden && !byId("view-notifications").hidden) {
      try {
        const isFirst = last === null;
        const counts = await call("GET", isFirst ? `/counts?seconds=${seconds}` : "/counts");
        const refused = Object.values(counts.refused).reduce((sum, number) => sum + number, 0);
        const now = { accepted: counts.accepted, refused, unprocessed: counts.unprocessed, time: performance.now() };
        setText(byId("count-accepted"), count(now.accepted));
        setText(byId("count-refused"), count(now.refused));
        setText(byId("count-unprocessed"), count(now.unprocessed));
        drawReasons(counts.refused);
        if (isFirst) chart.restart(counts["per-second"]);
        else chart.add(last, now);
        setText(byId("count-rate"), chart.rateText);
        last = now;
      } catch {
        last = null;
      }
    } else {
      last = null;
    }
    setTimeout(read, 1000);
  };
  read();
}

function drawReasons(refused) {
  const top = Object.entries(refused)
    .sort((left, right) => right[1] - left[1])
    .slice(0, 3);
  setText(byId("count-reasons"), top.map(([reason, number]) => `${plain(reason)} ${count(number)}`).join(", "));
}
