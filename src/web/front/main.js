// Starts the page: the views, keys, language and theme. `rules_page.js` and `games_page.js` begin with it
// and add what their hosts can do.
import { $ } from "./draw.js";
import { app } from "./app.js";
import { board } from "./board.js";
import { keys } from "./keys.js";
import { applyTheme } from "./settings.js";
import { sound } from "./sound.js";
import { viewer } from "./viewer.js";
import { chooseLanguage, language, translate } from "./words.js";

/** @import { Host } from "./host.js" */

/**
 * What a page has beside this.
 * @typedef {object} PageParts
 * @property {Host} host
 * @property {() => unknown} arrive follows the address
 * @property {() => void} [build] is called when the sides have been built
 * @property {() => void} [begin] is called before the host has answered
 * @property {() => unknown} [ready] is called when it has
 */

/** @type {PageParts} set at the start */
let parts;

/**
 * Shows a view.
 * @param {string} name
 */
export function view(name) {
  if (app.mode) app.modes[app.mode].leave();
  app.mode = name;
  document.body.dataset.mode = name;
  document.body.classList.remove("playing", "studying", "setup", "editing");
  document.body.dataset.large = "";
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("nav a"))) {
    if (link.hash === "#" + name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  app.say("");
  app.title();
  app.modes[name].enter();
}

function toggleSound() {
  sound.toggle();
  $("sound")?.setAttribute("aria-pressed", String(sound.isOn));
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
  app.title();
  app.modes[mode].enter();
}

/** @type {HTMLDialogElement} */
const help = $("keys");

/** @param {Element} target */
const isTyping = (target) =>
  target.matches?.("textarea, select, input:not([type=checkbox]):not([type=radio]):not([type=range]):not([type=file])");

// Keys that mean something again while they are held: they move on by one. A letter, the space bar or
// Enter, held or stuck, acts once.
const REPEATED = /^(Arrow.*|[aAdD,.+=-]|Delete|Backspace)$/;

// A button that was pressed by the mouse or a finger gives the keyboard back to the game: the space bar
// would press it again. Such a click has a number, one by a key has none.
addEventListener("click", (event) => {
  const focused = document.activeElement;
  if (event.detail === 0 || !(focused instanceof HTMLElement) || !focused.matches(PRESSED) || focused.closest("dialog"))
    return;
  focused.blur();
});
// An error belongs to the action before. Keys that move a pack leave it in sight, and so does the end of typing: the
// message would go, and the button that is being clicked would move away.
for (const [type, acting] of Object.entries({
  click: "#panel button, #panel summary, #deck button, .field, nav a",
  change: "select, input[type=checkbox], input[type=radio], input[type=file]",
  drop: "*",
}))
  addEventListener(
    type,
    ({ target }) => {
      if (target instanceof Element && target.closest(acting)) app.forget();
    },
    { capture: true },
  );
const PRESSED = "button, a, summary, input[type=checkbox], input[type=radio], input[type=range]";

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || help.open) return;
  // The target of a key is the window only where a script makes it one.
  const target = /** @type {Element} */ (event.target);
  if (isTyping(target)) return;
  // The space bar and Enter press a focused button, arrows choose among radio buttons.
  if ([" ", "Enter"].includes(event.key) && target.closest?.("button, a, summary, input:not([type=range]), label"))
    return;
  if (event.key.startsWith("Arrow") && target.closest?.("[role=radiogroup], [role=tablist], input[type=range]")) return;
  if (event.repeat && !REPEATED.test(event.key) && !keys.isMove(event.key)) {
    event.preventDefault();
    return;
  }
  if (event.key === "?") {
    help.showModal();
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
  if (!keys.isMove(event.key)) app.forget();
  if (app.modes[app.mode]?.key(event)) event.preventDefault();
});

$("theme").addEventListener("click", () => applyTheme(true));
$("sound")?.addEventListener("click", toggleSound);
$("help").addEventListener("click", () => help.showModal());
$("language").addEventListener("click", changeLanguage);
addEventListener("hashchange", () => parts.arrive());
/** @param {PageParts} pageParts */
export async function start(pageParts) {
  parts = pageParts;
  applyTheme();
  $("sound")?.setAttribute("aria-pressed", String(sound.isOn));
  build();
  viewer.listen();
  app.host = parts.host;
  // The empty fields are shown before the host has answered.
  parts.begin?.();
  try {
    const hello = await app.host.request("hello");
    app.hello = hello;
    $("version").textContent = [`tensai ${hello.version}`, hello.backend].filter(Boolean).join(" \u00b7 ");
  } catch (error) {
    app.fail(error);
    return;
  }
  await parts.ready?.();
  await parts.arrive();
  document.body.dataset.ready = "1";
}
