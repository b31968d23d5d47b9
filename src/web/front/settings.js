// The data that the browser stores between visits, if it allows that: settings, a game in progress. Any
// other page of the same origin, another version or a person may have written them: what `fits` does not
// accept counts as not stored.
export const memory = {
  get(key, fits, otherwise = null) {
    try {
      const text = localStorage.getItem("tensai." + key);
      const value = text === null ? null : JSON.parse(text);
      return value !== null && fits(value) ? value : otherwise;
    } catch {
      return otherwise;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem("tensai." + key, JSON.stringify(value));
    } catch {
      /* not kept */
    }
  },
};

// Whether a stored value is one of those given, or a list whose items fit.
export const oneOf =
  (...values) =>
  (value) =>
    values.includes(value);
export const listOf = (fits) => (value) => Array.isArray(value) && value.every(fits);
export const isText = (value) => typeof value === "string";

const dark = matchMedia("(prefers-color-scheme: dark)");

// Applies the theme: the chosen one, or else the system's. `change` chooses the other one.
export function applyTheme(change = false) {
  const root = document.documentElement;
  const system = dark.matches ? "dark" : "light";
  let theme = memory.get("client.theme", oneOf("dark", "light"), system);
  if (change) {
    theme = root.dataset.theme === "dark" ? "light" : "dark";
    memory.set("client.theme", theme);
  }
  root.dataset.theme = theme;
}

dark.addEventListener("change", () => applyTheme());

export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
