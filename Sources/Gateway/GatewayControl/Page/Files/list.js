// A list of any length; only the visible rows are in the document.
//
// The keyboard focus stays on the list itself, whatever is added; aria-activedescendant names the active row.

import { h } from "./dom.js";

const margin = 6;

export class VirtualList {
  #box;
  #spacer;
  #rowHeight = 0;
  #rows = new Map();
  #spare = [];
  #isDrawn = true;
  #countOf;
  #rowAt;
  #idAt;
  #indexOf;
  #draw;
  #onActive;
  #onOpen;
  #onEnd;
  #active = null;

  /**
   * `box` is the element that scrolls. `count()` is the number of rows, `make` gives an empty row, `draw(row, index)`
   * fills it, `idAt(index)` is the stable id of what stands there and `indexOf(id)` its place (-1 for none).
   * `onActive(id)` hears that the active row changed, `onOpen(id, isByKey)` that it was chosen, `onEnd` that the last
   * rows are in sight.
   */
  constructor(box, { count, make, draw, idAt, indexOf, onActive, onOpen, onEnd }) {
    this.#box = box;
    this.#countOf = count;
    this.#rowAt = make;
    this.#draw = draw;
    this.#idAt = idAt;
    this.#indexOf = indexOf;
    this.#onActive = onActive;
    this.#onOpen = onOpen;
    this.#onEnd = onEnd;
    this.#spacer = h("div", { class: "spacer", role: "presentation" });
    box.append(this.#spacer);
    box.addEventListener("scroll", () => this.refresh(), { passive: true });
    box.addEventListener("keydown", (event) => this.#key(event));
    box.addEventListener("click", (event) => this.#click(event));
    new ResizeObserver(() => {
      this.#rowHeight = 0;
      this.refresh();
    }).observe(box);
  }

  get active() {
    return this.#active;
  }

  /** Whether the newest rows are visible. */
  get isAtTop() {
    return this.#box.scrollTop < this.#height / 2;
  }

  get #height() {
    if (this.#rowHeight === 0) {
      this.#rowHeight = parseFloat(getComputedStyle(this.#box).getPropertyValue("--row")) || 36;
    }
    return this.#rowHeight;
  }

  /** The rows have changed; `added` are new at the top since the last call. */
  update(added = 0) {
    const isAnchored = added > 0 && !this.isAtTop;
    this.#spacer.style.height = `${this.#countOf() * this.#height}px`;
    if (isAnchored) this.#box.scrollTop += added * this.#height;
    this.refresh();
  }

  /** Draws once before the next frame, however often it is called. */
  refresh() {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    requestAnimationFrame(() => this.#paint());
  }

  setActive(id) {
    this.#active = id;
    this.refresh();
  }

  scrollToTop() {
    this.#box.scrollTop = 0;
    this.refresh();
  }

  reveal(id) {
    const index = this.#indexOf(id);
    if (index < 0) return;
    const [top, height] = [index * this.#height, this.#height];
    const { scrollTop, clientHeight } = this.#box;
    if (top < scrollTop) this.#box.scrollTop = top;
    else if (top + height > scrollTop + clientHeight) this.#box.scrollTop = top + height - clientHeight;
    this.refresh();
  }

  #paint() {
    this.#isDrawn = true;
    const height = this.#height;
    // Rows may have gone since this was planned.
    const count = this.#countOf();
    this.#spacer.style.height = `${count * height}px`;
    const first = Math.max(0, Math.floor(this.#box.scrollTop / height) - margin);
    const last = Math.min(count, Math.ceil((this.#box.scrollTop + this.#box.clientHeight) / height) + margin);
    const wanted = new Map();
    for (let index = first; index < last; index += 1) wanted.set(this.#idAt(index), index);
    for (const [id, row] of this.#rows) {
      if (wanted.has(id)) continue;
      this.#rows.delete(id);
      this.#spare.push(row);
    }
    for (const [id, index] of wanted) {
      let row = this.#rows.get(id);
      if (row === undefined) {
        row = this.#spare.pop() ?? this.#rowAt();
        row.id = `row-${id}`;
        row.dataset.id = id;
        this.#rows.set(id, row);
      }
      row.style.transform = `translateY(${index * height}px)`;
      row.setAttribute("aria-setsize", count);
      row.setAttribute("aria-posinset", index + 1);
      row.setAttribute("aria-selected", id === this.#active);
      this.#draw(row, index);
    }
    for (const row of this.#spare) row.remove();
    this.#spare = [];
    // A screen reader reads the rows in the order of the document.
    let place = this.#spacer.firstElementChild;
    for (const id of wanted.keys()) {
      const row = this.#rows.get(id);
      if (row === place) place = place.nextElementSibling;
      else this.#spacer.insertBefore(row, place);
    }
    if (this.#active !== null && this.#rows.has(this.#active)) {
      this.#box.setAttribute("aria-activedescendant", `row-${this.#active}`);
    } else {
      this.#box.removeAttribute("aria-activedescendant");
    }
    if (last >= count && count > 0) this.#onEnd();
  }

  #key(event) {
    const count = this.#countOf();
    if (event.altKey || event.ctrlKey || event.metaKey || count === 0) return;
    const page = Math.max(1, Math.floor(this.#box.clientHeight / this.#height) - 1);
    const now = this.#active === null ? -1 : this.#indexOf(this.#active);
    const steps = {
      ArrowDown: now + 1,
      ArrowUp: now - 1,
      PageDown: now + page,
      PageUp: now - page,
      Home: 0,
      End: Infinity,
    };
    if (event.key in steps) {
      event.preventDefault();
      const index = Math.min(Math.max(0, steps[event.key]), count - 1);
      this.#active = this.#idAt(index);
      this.reveal(this.#active);
      this.#onActive(this.#active);
    } else if ((event.key === "Enter" || event.key === " ") && now >= 0) {
      event.preventDefault();
      this.#onOpen(this.#active, true);
    }
  }

  #click(event) {
    const id = event.target.closest("[data-id]")?.dataset.id;
    if (id === undefined) return;
    this.setActive(id);
    this.#onOpen(id, false);
  }
}
