// Starts the page: the views, keys, language and theme. `rules_page.js` and `games_page.js` begin with it
// and add what their hosts can do.
import { $ } from "./draw.js";
import { app } from "./app.js";
import { board } from "./board.js";
import { applyTheme } from "./settings.js";
import { sound } from "./sound.js";
import { viewer } from "./viewer.js";
import { chooseLanguage, language, translate } from "./words.js";

// What a page has beside this: its host; `arrive`, which follows the address; and, where there is one,
// `build`, called when the sides are built, `begin` before the host has answered, `ready` after it.
let parts = null;

// Shows a view.
export function view(name) {
  if (app.mode) app.modes[app.mode].leave();
  app.mode = name;
  document.body.dataset.mode = name;
  document.body.classList.remove("playing", "studying", "setup", "editing");
  document.body.dataset.large = "";
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === "#" + name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  app.say("");
  app.modes[name].enter();
}

function toggleSound() {
  sound.toggle();
  $("sound")?.setAttribute("aria-pressed", sound.isOn);
}

// Builds the sides again, in the language that is chosen.
function build() {
  translate();
  board.build();
  parts.build?.();
  viewer.buttons();
}

function changeLanguage() {
  const { mode } = app;
  app.say("");
  chooseLanguage(language() === "ja" ? "en" : "ja");
  app.modes[mode].leave();
  build();
  app.modes[mode].enter();
}

const isTyping = (target) =>
  target.matches?.("textarea, select, input:not([type=checkbox]):not([type=radio]):not([type=range]):not([type=file])");

// Keys that mean something again while they are held: they move on by one. A letter, the space bar or
// Enter, held or stuck, acts once.
const REPEATED = /^(Arrow.*|[aAdD,.+=-]|Delete|Backspace)$/;

// A button that was pressed by the mouse or a finger gives the keyboard back to the game: the space bar
// would press it again. Such a click has a number, one by a key has none.
addEventListener("click", (event) => {
  const focused = document.activeElement;
  if (event.detail === 0 || !focused?.matches(PRESSED) || focused.closest("dialog")) return;
  focused.blur();
});
const PRESSED = "button, a, summary, input[type=checkbox], input[type=radio], input[type=range]";

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || $("keys").open) return;
  if (isTyping(event.target)) return;
  // The space bar and Enter press a focused button, arrows choose among radio buttons.
  if (
    [" ", "Enter"].includes(event.key) &&
    event.target.closest?.("button, a, summary, input:not([type=range]), label")
  )
    return;
  if (event.key.startsWith("Arrow") && event.target.closest?.("[role=radiogroup], [role=tablist], input[type=range]"))
    return;
  if (event.repeat && !REPEATED.test(event.key)) {
    event.preventDefault();
    return;
  }
  if (event.key === "?") {
    $("keys").showModal();
    event.preventDefault();
    return;
  }
  if (event.key === "t") {
    applyTheme(true);
    return;
  }
  if (event.key === "m") {
    toggleSound();
    return;
  }
  if (app.modes[app.mode]?.key(event)) event.preventDefault();
});

$("theme").addEventListener("click", () => applyTheme(true));
$("sound")?.addEventListener("click", toggleSound);
$("help").addEventListener("click", () => $("keys").showModal());
$("language").addEventListener("click", changeLanguage);
addEventListener("hashchange", () => parts.arrive());
export async function start(pageParts) {
  parts = pageParts;
  applyTheme();
  $("sound")?.setAttribute("aria-pressed", sound.isOn);
  build();
  viewer.listen();
  app.host = parts.host;
  // The empty fields are shown before the host has answered.
  parts.begin?.();
  try {
    app.hello = await app.host.request("hello");
    $("version").textContent = [`tensai ${app.hello.version}`, app.hello.backend].filter(Boolean).join(" \u00b7 ");
  } catch (error) {
    app.fail(error);
    return;
  }
  await parts.ready?.();
  await parts.arrive();
  document.body.dataset.ready = "1";
}
