// The data that the browser stores between visits, if it allows that: settings, a game in progress. Any
// other page of the same origin, another version or a person may have written them: what `fits` does not
// accept counts as not stored.
export const memory = {
  /**
   * The value of a key that fits, or another value.
   * @template T
   * @template {T | null} [O=null]
   * @param {string} key
   * @param {(value: unknown) => value is T} fits
   * @param {O} [otherwise]
   * @returns {T | O}
   */
  get(key, fits, otherwise = /** @type {O} */ (null)) {
    try {
      const text = localStorage.getItem("tensai." + key);
      const value = text === null ? null : JSON.parse(text);
      return value !== null && fits(value) ? value : otherwise;
    } catch {
      return otherwise;
    }
  },
  /**
   * @param {string} key
   * @param {unknown} value
   */
  set(key, value) {
    try {
      localStorage.setItem("tensai." + key, JSON.stringify(value));
    } catch {
      /* not kept */
    }
  },
  /**
   * Stores several values, all of them or none; returns whether they are stored.
   * @param {Record<string, unknown>} values
   */
  setAll(values) {
    /** @type {[string, string | null][]} */
    const before = [];
    try {
      for (const [key, value] of Object.entries(values)) {
        const name = "tensai." + key;
        before.push([name, localStorage.getItem(name)]);
        localStorage.setItem(name, JSON.stringify(value));
      }
      return true;
    } catch {
      // What was there fits again, once the last one of the new values is gone.
      for (const [name, text] of before.reverse()) {
        if (text === null) localStorage.removeItem(name);
        else localStorage.setItem(name, text);
      }
      return false;
    }
  },
};

/**
 * Whether a stored value is one of those given.
 * @template {string | number | boolean} const T
 * @param {...T} values
 * @returns {(value: unknown) => value is T}
 */
export const oneOf = (...values) => {
  const isOne = (/** @type {unknown} */ value) => values.some((one) => one === value);
  return /** @type {(value: unknown) => value is T} */ (isOne);
};

/**
 * Whether a stored value is a list whose items fit.
 * @template T
 * @param {(value: unknown) => value is T} fits
 * @returns {(value: unknown) => value is T[]}
 */
export const listOf = (fits) => {
  const isList = (/** @type {unknown} */ value) => Array.isArray(value) && value.every(fits);
  return /** @type {(value: unknown) => value is T[]} */ (isList);
};

/**
 * @param {unknown} value
 * @returns {value is string}
 */
export const isText = (value) => typeof value === "string";

const dark = matchMedia("(prefers-color-scheme: dark)");

// Applies the theme: the chosen one, or else the system's. `change` chooses the other one.
export function applyTheme(change = false) {
  const root = document.documentElement;
  const system = dark.matches ? "dark" : "light";
  /** @type {string} */
  let theme = memory.get("client.theme", oneOf("dark", "light")) ?? system;
  if (change) {
    theme = root.dataset.theme === "dark" ? "light" : "dark";
    memory.set("client.theme", theme);
  }
  root.dataset.theme = theme;
}

dark.addEventListener("change", () => applyTheme());

export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
