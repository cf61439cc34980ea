// The form with the delivery budgets of the world.

import { call } from "./api.js";
import { byId, h, replace, setText, toast } from "./dom.js";

let names = [];

function take(budgets) {
  const form = byId("budgets-form");
  if (names.join() !== Object.keys(budgets).join()) {
    names = Object.keys(budgets);
    const input = (name) => h("input", { name, required: true, list: "budget-values", autocomplete: "off" });
    replace(byId("budgets"), ...names.map((name) => h("label", { class: "field" }, name, input(name))));
  }
  // A value that the user is editing is kept.
  if (form.contains(document.activeElement)) return;
  for (const name of names) form.elements[name].value = budgets[name];
}

export async function loadBudgets() {
  take((await call("GET", "/settings")).budgets);
}

/** The settings of the world were changed. */
export function settingsEvent(settings) {
  take(settings.budgets);
}

export function startBudgets() {
  byId("budgets-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    setText(byId("budgets-problem"), "");
    const budgets = Object.fromEntries([...new FormData(event.target)].map(([name, value]) => [name, value.trim()]));
    try {
      await call("PATCH", "/settings", { budgets });
      toast("The budgets are set");
    } catch (error) {
      setText(byId("budgets-problem"), error.message);
    }
  });
}
