// Keys for the whole page, and the dialog that lists them.

import { byId } from "./dom.js";

/** Set in the session storage of the tab where single keys are off: speech input may type them by chance. */
const storageKey = "apns-keys";

const isOff = () => sessionStorage.getItem(storageKey) !== null;

/** Whether a key that is pressed on an element may be text. */
const takesText = (element) =>
  element.closest?.("textarea, select, [contenteditable], input:not([type='checkbox'], [type='radio'])") ?? null;

function search() {
  const field = byId("filter-q");
  const focus = () => {
    field.focus();
    field.select();
  };
  if (field.checkVisibility()) {
    focus();
    return;
  }
  // After the router, which focuses the title of the view.
  window.addEventListener("hashchange", focus, { once: true });
  location.hash = "#/notifications";
}

function showKeys() {
  byId("keys-on").checked = !isOff();
  byId("keys-dialog").showModal();
}

export function startKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isOff() || takesText(event.target) !== null || document.querySelector("dialog[open]") !== null) return;
    if (event.key !== "/" && event.key !== "?") return;
    event.preventDefault();
    if (event.key === "/") search();
    else showKeys();
  });
  byId("keys-open").addEventListener("click", showKeys);
  byId("keys-close").addEventListener("click", () => byId("keys-dialog").close());
  byId("keys-on").addEventListener("change", (event) => {
    if (event.target.checked) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, "off");
  });
}
