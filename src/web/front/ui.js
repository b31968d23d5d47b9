// Parts of panels.
import { $, element } from "./draw.js";
import { app } from "./app.js";
import { t } from "./words.js";

/** @import { Attributes } from "./draw.js" */

/** @typedef {Node | string} Content */

/**
 * A part of a panel, or nothing.
 * @typedef {Content | false | null | undefined | 0 | ""} Part
 */

/**
 * @param {Part} part
 * @returns {part is Content}
 */
const isThere = (part) => Boolean(part);

/**
 * @param {Content} text
 * @param {(event: MouseEvent) => unknown} action
 * @param {Attributes} attributes
 */
export function button(text, action, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", action);
  return made;
}

/**
 * A select of `[value, text]`.
 * @param {readonly (readonly [string | number, string])[]} options
 * @param {string | number} value
 * @param {Attributes} attributes
 */
export function select(options, value, attributes = {}) {
  const made = element("select", attributes, ...options.map(([key, text]) => element("option", { value: key }, text)));
  made.value = String(value);
  // As the preset value, which `fill` compares.
  for (const option of made.options) option.defaultSelected = option.selected;
  return made;
}

/**
 * @param {string} text
 * @param {...Content} controls
 */
export const labelled = (text, ...controls) =>
  element("label", { class: "labelled" }, element("span", {}, text), ...controls);

/**
 * @param {Content} title
 * @param {...Part} children
 */
export const card = (title, ...children) =>
  element("section", { class: "card" }, element("h2", {}, title), ...children.filter(isThere));

/** @param {...Part} children */
export const row = (...children) => element("div", { class: "row" }, ...children.filter(isThere));

/**
 * A table with a head.
 * @param {Content[]} head
 * @param {(Content | Content[])[][]} rows
 * @param {string} caption
 */
export function table(head, rows, caption) {
  const cell = (/** @type {"td" | "th"} */ tag) => (/** @type {Content | Content[]} */ content) =>
    element(tag, tag === "th" ? { scope: "col" } : {}, ...(Array.isArray(content) ? content : [content]));
  return element(
    "table",
    {},
    element("caption", { class: "unseen" }, caption),
    element("thead", {}, element("tr", {}, ...head.map(cell("th")))),
    element("tbody", {}, ...rows.map((cells) => element("tr", {}, ...cells.map(cell("td"))))),
  );
}

/**
 * Gives data to the person as a file.
 * @param {string} name
 * @param {BlobPart} content
 */
export function download(name, content) {
  const link = element("a", { href: URL.createObjectURL(new Blob([content])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * Copies a text. If the browser does not allow that, the text is selected for the person to copy.
 * @param {HTMLInputElement} input
 */
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

/**
 * Reads a number from an input, within its limits.
 * @param {HTMLInputElement} input
 * @param {number} otherwise
 */
export function number(input, otherwise = 0) {
  const value = Math.trunc(Number(input.value));
  if (!Number.isFinite(value)) return otherwise;
  return Math.max(
    Number(input.min || Number.NEGATIVE_INFINITY),
    Math.min(Number(input.max || Number.POSITIVE_INFINITY), value),
  );
}

/**
 * Values are in ojama; those from 100,000 on are the end of the game.
 * @param {number | null | undefined} value
 */
export const valued = (value) =>
  value === null || value === undefined
    ? "\u2013"
    : Math.abs(value) >= 1e5
      ? t(value > 0 ? "win" : "loss")
      : (value > 0 ? "+" : "") + value.toFixed(1);

/** @param {number} part 0 to 1 */
export const percent = (part) => `${Math.round(part * 100)}\u00a0%`;

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Control */

/** The controls of the panel in which a person types or chooses, by their ids. */
const controls = () =>
  new Map(
    [.../** @type {NodeListOf<Control>} */ ($("panel").querySelectorAll(TYPED))].map((control) => [
      control.id,
      control,
    ]),
  );
const TYPED = "textarea[id], select[id], input[id]:not([type=checkbox], [type=radio], [type=range], [type=file])";

/** What a control shows before a person changes it. @param {Control} control */
const preset = (control) =>
  "defaultValue" in control
    ? control.defaultValue
    : ([...control.options].find(({ defaultSelected }) => defaultSelected) ?? control.options[0])?.value;

/**
 * Fills the panel. The focus stays at the control that had it, by its id; what a person has typed and chosen stays
 * where the page shows the same control with the same preset value, and what was unfolded stays so.
 * @param {...Part} cards
 */
export function fill(...cards) {
  const focused = document.activeElement?.id;
  const before = controls();
  const unfolded = [...$("panel").querySelectorAll("details[id][open]")].map(({ id }) => id);
  $("panel").replaceChildren(...cards.filter(isThere));
  for (const [id, control] of controls()) {
    const old = before.get(id);
    if (old && old !== control && old.value !== preset(old) && preset(old) === preset(control))
      control.value = old.value;
  }
  for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
  if (focused && document.activeElement?.id !== focused)
    document.getElementById(focused)?.focus({ preventScroll: true });
}
