// The rows of the notification list: what each row holds, and how new, older and missed notifications are added.

import { call, callText } from "./api.js";
import { elementSources, memberSource } from "./json.js";
import { cut } from "./text.js";

/** The maximum number of rows; a row takes a few hundred bytes. */
export const maximumRows = 100_000;
const pageSize = 200;
/** How many pages are read to close a gap before the list is reloaded. */
const maximumPages = 5;

/** The text of a notification in one line. */
export function summary(payload) {
  if (payload === null || typeof payload !== "object") return "";
  const aps = payload.aps !== null && typeof payload.aps === "object" ? payload.aps : {};
  const { alert } = aps;
  if (typeof alert === "string") return cut(alert, 160);
  if (alert !== null && typeof alert === "object") {
    const texts = [alert.title ?? alert["title-loc-key"], alert.subtitle, alert.body ?? alert["loc-key"]];
    const found = texts.filter((text) => typeof text === "string" && text !== "");
    if (found.length > 0) return cut(found.join(" · "), 160);
  }
  if (typeof aps.event === "string") return `Live Activity: ${cut(aps.event, 40)}`;
  const own = Object.keys(payload).filter((key) => key !== "aps");
  const kind = aps["content-available"] === 1 ? "silent" : "";
  return cut([kind, own.join(", ")].filter((text) => text !== "").join(": "), 160);
}

function row(entry) {
  const findings = entry.findings ?? [];
  return {
    id: entry["apns-unique-id"],
    time: entry.received,
    outcome: entry.outcome,
    status: entry.status,
    reason: entry.reason,
    stage: entry.stage ?? "",
    request: entry.request ?? "",
    type: entry["apns-push-type"] ?? "",
    topic: entry["apns-topic"] ?? "",
    to: entry.token ?? entry["apns-channel-id"] ?? "",
    errors: findings.filter((finding) => finding.severity === "error").length,
    warnings: findings.filter((finding) => finding.severity === "warning").length,
    text: summary(entry.payload ?? null),
  };
}

/** The journal as the list shows it: newest first, filtered by the gateway. */
export class Journal {
  /** Oldest first, so that new rows are appended. */
  #rows = [];
  #byID = new Map();
  #next = null;
  #loading = false;
  #generation = 0;
  #filter = {};
  /** How often the event stream was interrupted, and how many of these gaps are closed. */
  #gaps = 0;
  #closedGaps = 0;
  /** How many entries of the gateway's journal match the filter. */
  total = 0;
  /** Whether rows of late events may be above newer ones. */
  isUnsure = false;
  /** Whether older rows were dropped, because there are too many. */
  isCutOff = false;
  /** Called with the number of rows that were added at the top. */
  onChange = () => {};

  get count() {
    return this.#rows.length;
  }

  get isFiltered() {
    return Object.keys(this.#filter).length > 0;
  }

  /**
   * Whether events were missed and not read yet. New ones are not added until then: `catchUp` looks for the rows from
   * before the gap, and a row that came after it does not show that the gateway still has those.
   */
  get isBehind() {
    return this.#closedGaps < this.#gaps;
  }

  get hasMore() {
    return this.#next !== null;
  }

  /** Counted from the newest. */
  at(index) {
    return this.#rows[this.#rows.length - 1 - index];
  }

  /** -1 if it is not in the list. Rows are numbered without gaps. */
  indexOf(id) {
    const found = this.#byID.get(id);
    return found === undefined ? -1 : this.#rows.length - 1 - (found.order - this.#rows[0].order);
  }

  get(id) {
    return this.#byID.get(id);
  }

  /** Reloads the list with this filter, whose keys are query parameters of the API. */
  async setFilter(filter) {
    this.#filter = filter;
    await this.reload();
  }

  async reload() {
    this.#generation += 1;
    const generation = this.#generation;
    const gaps = this.#gaps;
    const page = await this.#page(null);
    if (generation !== this.#generation) return;
    this.#closedGaps = gaps;
    this.#clear();
    this.#takeNewest(page.notifications);
    this.#next = page.next;
    this.total = page.total;
    this.onChange(0);
  }

  clear() {
    this.#generation += 1;
    this.#clear();
    this.onChange(0);
  }

  #clear() {
    this.#rows = [];
    this.#byID.clear();
    this.#next = null;
    this.total = 0;
    this.isCutOff = false;
  }

  /** The event stream was interrupted; `catchUp` reads what was missed. */
  interrupted() {
    this.#gaps += 1;
  }

  /** Adds a notification that was just judged; only for a list without a filter that is not behind. */
  push(entry) {
    if (this.#byID.has(entry["apns-unique-id"])) return 0;
    this.#append(row(entry));
    this.total += 1;
    return 1;
  }

  /** Something happened to a notification; returns whether it is in the list. */
  stage(id, stage) {
    const found = this.#byID.get(id);
    if (found === undefined) return false;
    found.stage = stage;
    return true;
  }

  /** Reads everything newer than the newest row. */
  async catchUp() {
    const generation = this.#generation;
    const gaps = this.#gaps;
    const pages = [];
    let cursor = null;
    for (let count = 0; count < maximumPages; count += 1) {
      const page = await this.#page(cursor);
      if (generation !== this.#generation) return;
      pages.push(page);
      const known = page.notifications.findIndex((entry) => this.#byID.has(entry["apns-unique-id"]));
      if (known >= 0 || page.next === null) {
        if (known < 0 && this.#rows.length > 0) this.#clear();
        this.#catchUpWith(pages, gaps);
        return;
      }
      cursor = page.next;
    }
    // Too far behind: the rows in between are read when the user scrolls there.
    this.#clear();
    this.#next = pages.at(-1).next;
    this.#catchUpWith(pages, gaps);
  }

  #catchUpWith(pages, gaps) {
    this.#closedGaps = gaps;
    const before = this.#rows.length;
    this.#takeNewest(pages.flatMap((page) => page.notifications));
    this.total = pages[0].total;
    // Events that arrived before these pages, or arrive later, may be older or newer than what was read.
    this.isUnsure = true;
    this.onChange(this.#rows.length - before);
  }

  /** Reloads the list if the newest row is not the gateway's newest. Called when no event has come for a while. */
  async verify() {
    if (!this.isUnsure) return;
    const generation = this.#generation;
    const page = await this.#page(null, 1);
    if (generation !== this.#generation) return;
    this.isUnsure = false;
    if (page.notifications[0]?.["apns-unique-id"] !== this.at(0)?.id) await this.reload();
  }

  /** Takes entries, newest first; existing rows are updated. */
  #takeNewest(entries) {
    for (const entry of entries.toReversed()) {
      const known = this.#byID.get(entry["apns-unique-id"]);
      if (known === undefined) this.#append(row(entry));
      else known.stage = entry.stage ?? known.stage;
    }
  }

  #append(added) {
    added.order = this.#rows.length === 0 ? 0 : this.#rows.at(-1).order + 1;
    this.#rows.push(added);
    this.#byID.set(added.id, added);
    // Removed in batches, because each removal moves the whole list.
    if (this.#rows.length < maximumRows + maximumRows / 10) return;
    for (const gone of this.#rows.splice(0, this.#rows.length - maximumRows)) this.#byID.delete(gone.id);
    this.#next = null;
    this.isCutOff = true;
  }

  /** Reads the next older page, if there is one. */
  async loadOlder() {
    if (this.#next === null || this.#loading || this.#rows.length >= maximumRows) return;
    this.#loading = true;
    const generation = this.#generation;
    try {
      const page = await this.#page(this.#next);
      if (generation !== this.#generation) return;
      const unknown = page.notifications.filter((entry) => !this.#byID.has(entry["apns-unique-id"]));
      const older = unknown.map(row).toReversed();
      const first = this.#rows[0]?.order ?? 0;
      for (const [index, added] of older.entries()) {
        added.order = first - older.length + index;
        this.#byID.set(added.id, added);
      }
      this.#rows = older.concat(this.#rows);
      this.#next = page.next;
      this.onChange(0);
    } finally {
      this.#loading = false;
    }
  }

  async #page(cursor, limit = pageSize) {
    return call("GET", this.#address(cursor, limit));
  }

  #address(cursor, limit) {
    const query = new URLSearchParams({ ...this.#filter, limit });
    if (cursor !== null) query.set("cursor", cursor);
    return `/notifications?${query}`;
  }

  /**
   * The newest `maximum` entries that match the filter as JSON texts, so that numbers keep their digits. What is newer
   * than the newest row, as while the list is paused, is left out.
   */
  async sources(maximum) {
    const found = [];
    const newest = this.at(0)?.id;
    let isReached = newest === undefined;
    for (let cursor = null; found.length < maximum; ) {
      const text = await callText("GET", this.#address(cursor, 1000));
      const page = JSON.parse(text);
      const ids = page.notifications.map((entry) => entry["apns-unique-id"]);
      const first = isReached ? 0 : ids.indexOf(newest);
      isReached ||= first >= 0;
      if (isReached) found.push(...elementSources(memberSource(text, "notifications")).slice(first));
      if (page.next === null) break;
      cursor = page.next;
    }
    return found.slice(0, maximum);
  }
}
