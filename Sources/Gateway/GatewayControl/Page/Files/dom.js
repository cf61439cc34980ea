// Creates elements. Text only becomes text nodes: nothing here turns a string into HTML.

const svgSpace = "http://www.w3.org/2000/svg";

/** An element with properties, attributes and children; `on…` properties are listeners, null leaves one out. */
export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same for SVG. */
export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS(svgSpace, tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** An icon of the sprite in index.html; screen readers skip it. */
export function icon(name) {
  return svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: `#icon-${name}` }));
}

export const byId = (id) => document.getElementById(id);

/** Sets text only if it changed, so that it is not drawn or read out again without need. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Replaces the children of an element. */
export function replace(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
}

let announcement = 0;

/** Has a screen reader read a message when it is idle; a newer message replaces a waiting one. */
export function announce(text) {
  clearTimeout(announcement);
  announcement = setTimeout(() => setText(byId("announcer"), text), 100);
}

/** Shows the result of an action for a while and has it read out. */
export function toast(text, kind = "good") {
  const box = byId("toasts");
  const note = h("div", { class: `toast ${kind}` }, icon(kind === "bad" ? "cross" : "check"), h("span", {}, text));
  box.append(note);
  while (box.childElementCount > 3) box.firstElementChild.remove();
  setTimeout(() => note.remove(), kind === "bad" ? 12000 : 5000);
  announce(text);
}

/** Asks for confirmation before something is deleted. */
export function confirm(question, action) {
  const dialog = byId("confirm-dialog");
  setText(byId("confirm-question"), question);
  setText(byId("confirm-yes"), action);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

/** Has the browser save a file with this name. */
export function save(name, parts, type) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Runs `work` at most once in `milliseconds`, and once more if it was called in between. */
export function throttled(milliseconds, work) {
  let timer = 0;
  let running = false;
  let again = false;
  async function run() {
    timer = 0;
    running = true;
    again = false;
    try {
      await work();
    } finally {
      running = false;
      if (again) timer = setTimeout(run, milliseconds);
    }
  }
  return () => {
    if (running) again = true;
    else if (timer === 0) timer = setTimeout(run, milliseconds);
  };
}

/** Runs `work` once no call has come for `milliseconds`. */
export function settled(milliseconds, work) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
}
