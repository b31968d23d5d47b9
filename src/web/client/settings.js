// The data that the browser stores between visits, if it allows that: settings, a game in progress.
export const memory = {
  get(key, otherwise = null) {
    try {
      const text = localStorage.getItem("tensai." + key);
      return text === null ? otherwise : JSON.parse(text);
    } catch {
      return otherwise;
    }
  },
  set(key, value) {
    try { localStorage.setItem("tensai." + key, JSON.stringify(value)); } catch { /* not kept */ }
  },
};

const dark = matchMedia("(prefers-color-scheme: dark)");

// Applies the theme: the chosen one, or else the system's. `change` chooses the other one.
export function applyTheme(change = false) {
  const root = document.documentElement;
  const system = dark.matches ? "dark" : "light";
  let theme = memory.get("client.theme") ?? system;
  if (change) {
    theme = root.dataset.theme === "dark" ? "light" : "dark";
    memory.set("client.theme", theme);
  }
  root.dataset.theme = theme;
}

dark.addEventListener("change", () => applyTheme());

export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
