// Parts of a panel that fold. Which of them are open is remembered.
import { element } from "./draw.js";
import { isText, listOf, memory } from "./settings.js";

const KEY = "client.unfolded";

/** @returns {string[]} */
const unfolded = () => memory.get(KEY, listOf(isText)) ?? [];

/**
 * A part that shows its title alone until it is opened. `name` is the same for all parts of one idea.
 * @param {string} name
 * @param {string} title
 * @param {...(Node | string | null | false)} children
 */
export function fold(name, title, ...children) {
  const isOpen = unfolded().includes(name);
  const part = element(
    "details",
    { class: "fold", "data-fold": name, ...(isOpen ? { open: "" } : {}) },
    element("summary", {}, title),
    ...children.filter((child) => child !== null && child !== false),
  );
  part.addEventListener("toggle", () => {
    const others = unfolded().filter((other) => other !== name);
    memory.set(KEY, part.open ? [...others, name] : others);
  });
  return part;
}

/**
 * A card of parts that fold.
 * @param {...(HTMLElement | null)} parts
 */
export const folds = (...parts) =>
  element("section", { class: "card folds" }, ...parts.filter((part) => part !== null));
