// Parts of panels.
import { $, element } from "../draw.js";
import { app } from "./app.js";
import { t } from "./words.js";

export function button(text, action, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", action);
  return made;
}

// A select of `[value, text]`.
export function select(options, value, attributes = {}) {
  const made = element("select", attributes, ...options.map(([key, text]) => element("option", { value: key }, text)));
  made.value = String(value);
  return made;
}

export const labelled = (text, ...controls) =>
  element("label", { class: "labelled" }, element("span", {}, text), ...controls);

export const card = (title, ...children) =>
  element("section", { class: "card" }, element("h2", {}, title), ...children.filter(Boolean));

export const row = (...children) => element("div", { class: "row" }, ...children.filter(Boolean));

// A table of rows; the first one is the head. A row may be `[cells, action]`.
export function table(head, rows, caption) {
  const cell = (tag) => (content) =>
    element(tag, tag === "th" ? { scope: "col" } : {}, ...(Array.isArray(content) ? content : [content]));
  return element(
    "table",
    {},
    element("caption", { class: "unseen" }, caption),
    element("thead", {}, element("tr", {}, ...head.map(cell("th")))),
    element("tbody", {}, ...rows.map((cells) => element("tr", {}, ...cells.map(cell("td"))))),
  );
}

// Gives a text to the person as a file.
export function download(name, text) {
  const link = element("a", { href: URL.createObjectURL(new Blob([text])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// Copies a text. If the browser does not allow that, the text is selected for the person to copy.
export async function copy(input) {
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
  } catch {
    if (!document.execCommand("copy")) {
      app.say(t("Press Ctrl+C to copy"));
      return;
    }
  }
  app.say(t("Copied"));
}

// Reads a number from an input, within its limits.
export function number(input, otherwise = 0) {
  const value = Math.trunc(Number(input.value));
  if (!Number.isFinite(value)) return otherwise;
  return Math.max(Number(input.min || -Infinity), Math.min(Number(input.max || Infinity), value));
}

// Values are in ojama; those from 100,000 on are the end of the game.
export const valued = (value) =>
  value === null || value === undefined
    ? "\u2013"
    : Math.abs(value) >= 1e5
      ? t(value > 0 ? "win" : "loss")
      : (value > 0 ? "+" : "") + value.toFixed(1);

export const percent = (part) => `${Math.round(part * 100)}\u00a0%`;

// Fills the panel. The focus stays at the control that had it, by its id.
export function fill(...cards) {
  const focused = document.activeElement?.id;
  $("panel").replaceChildren(...cards.filter(Boolean));
  if (focused && document.activeElement?.id !== focused)
    document.getElementById(focused)?.focus({ preventScroll: true });
}
