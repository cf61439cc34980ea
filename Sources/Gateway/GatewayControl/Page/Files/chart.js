// The number of notifications in each second of the last two minutes, as columns and as a table.

import { h, replace, setText, svg } from "./dom.js";
import { count, counted } from "./text.js";

/** How many seconds the chart shows. */
export const seconds = 120;
const kinds = ["accepted", "refused", "unprocessed"];
const [width, height] = [480, 56];

export class RateChart {
  #box;
  #rows;
  #columns = [];
  #top;
  #rate = 0;
  #ticks = 0;
  /** The count of each kind per second, oldest first. */
  #samples = [];

  /** `box` is the element for the chart, `rows` is the body of the table. */
  constructor(box, rows) {
    this.#box = box;
    this.#rows = rows;
    const columns = svg("g");
    for (let index = 0; index < seconds; index += 1) {
      const own = kinds.map((kind) => {
        const place = { x: (index * width) / seconds, width: width / seconds - 1, height: 0 };
        const column = svg("rect", { class: kind, ...place });
        columns.append(column);
        return column;
      });
      this.#columns.push(own);
    }
    this.#top = h("span", { class: "chart-top", "aria-hidden": "true" });
    const picture = { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img" };
    replace(box, svg("svg", { ...picture, "aria-label": "No notifications yet" }, columns), this.#top);
  }

  /** Shows these seconds in place of all others, the oldest first; the last one ends now. */
  restart(samples) {
    this.#samples = samples.slice(-seconds);
    const last = this.#samples.at(-1);
    this.#rate = last === undefined ? 0 : kinds.reduce((sum, kind) => sum + last[kind], 0);
    this.#ticks = 0;
    this.#draw();
  }

  /** Adds the difference of two readings of the counts, about a second apart. */
  add(before, now) {
    const length = Math.max(0.2, (now.time - before.time) / 1000);
    const sample = Object.fromEntries(kinds.map((kind) => [kind, Math.max(0, now[kind] - before[kind])]));
    this.#samples.push(sample);
    if (this.#samples.length > seconds) this.#samples.shift();
    this.#rate = kinds.reduce((sum, kind) => sum + sample[kind], 0) / length;
    this.#draw();
  }

  get rateText() {
    return this.#rate < 10 ? String(Math.round(this.#rate * 10) / 10) : count(Math.round(this.#rate));
  }

  #draw() {
    const sums = this.#samples.map((sample) => kinds.reduce((sum, kind) => sum + sample[kind], 0));
    const highest = niceTop(Math.max(1, ...sums));
    setText(this.#top, `${count(highest)}/s`);
    const offset = seconds - this.#samples.length;
    for (const [index, columns] of this.#columns.entries()) {
      const sample = this.#samples[index - offset];
      let y = height;
      for (const [place, kind] of kinds.entries()) {
        const value = sample === undefined ? 0 : sample[kind];
        const tall = value === 0 ? 0 : Math.max(1.5, (value / highest) * height);
        y -= tall;
        columns[place].setAttribute("y", y);
        columns[place].setAttribute("height", tall);
      }
    }
    // Without this, a screen reader on the chart reads out every change.
    if (this.#ticks % 10 === 0) this.#tell();
    this.#ticks += 1;
  }

  #tell() {
    const total = (kind) => this.#samples.reduce((sum, sample) => sum + sample[kind], 0);
    const all = kinds.reduce((sum, kind) => sum + total(kind), 0);
    this.#box.firstElementChild.setAttribute(
      "aria-label",
      `${counted(all, "notification")} in the last ${this.#samples.length} seconds: ` +
        kinds.map((kind) => `${count(total(kind))} ${kind}`).join(", "),
    );
    const rows = [];
    for (let end = this.#samples.length; end > 0; end -= 10) {
      const part = this.#samples.slice(Math.max(0, end - 10), end);
      const cells = kinds.map((kind) => h("td", {}, count(part.reduce((sum, sample) => sum + sample[kind], 0))));
      rows.push(h("tr", {}, h("th", { scope: "row" }, `${this.#samples.length - end} s ago`), ...cells));
    }
    replace(this.#rows, ...rows);
  }
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is at least `value`. */
function niceTop(value) {
  const unit = 10 ** Math.floor(Math.log10(value));
  return unit * [1, 2, 5, 10].find((step) => step * unit >= value);
}
