// Starts the page: the host, the views, keys, language and theme.
import { $ } from "./draw.js";
import { app } from "./app.js";
import { board } from "./board.js";
import { act, aim, listen } from "./dropper.js";
import { editor } from "./editor.js";
import { connect } from "./host.js";
import { live } from "./live.js";
import { play } from "./play.js";
import { review } from "./review.js";
import { applyTheme } from "./settings.js";
import { unshared, VIEWS } from "./share.js";
import { sound } from "./sound.js";
import { viewer } from "./viewer.js";
import { watch } from "./watch.js";
import { chooseLanguage, language, translate } from "./words.js";

const config = JSON.parse($("config").textContent);
const workerSource = $("worker")?.textContent ?? "";

// Shows a view.
function view(name) {
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

// Follows the address: a view, or a shared position or game, which is analysed.
async function arrive() {
  const text = location.hash.slice(1);
  if (text === "" || VIEWS.includes(text)) {
    // A running match is what the page was opened for.
    const shown = text || (app.hello.live ? "watch" : "play");
    if (app.mode !== shown) view(shown);
    return;
  }
  try {
    const study = await unshared("#" + text);
    app.open(study);
    view("analyse");
  } catch (error) {
    if (!app.mode) view("play");
    app.fail(error);
  }
}

function toggleSound() {
  sound.toggle();
  $("sound").setAttribute("aria-pressed", sound.isOn);
}

// Builds the sides again, in the language that is chosen.
function build() {
  translate();
  board.build();
  board.sides.forEach((side, seat) => {
    listen(seat, side.field);
    editor.listen(seat, side.field);
  });
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

for (const [id, name] of [
  ["left", "left"],
  ["right", "right"],
  ["turnleft", "back"],
  ["turnright", "turn"],
  ["dropit", "drop"],
  ["skill", "skill"],
]) {
  $(id).addEventListener("click", () => {
    if (play.match?.skip && app.mode === "play") {
      play.match.skip();
      return;
    }
    act(name);
  });
}
for (const name of ["pointerenter", "focus"]) $("skill").addEventListener(name, () => aim(true));
for (const name of ["pointerleave", "blur"]) $("skill").addEventListener(name, () => aim(false));
// The animation of a turn is cut short by a click on a field.
for (const seat of [0, 1])
  $("side" + seat).addEventListener("click", () => {
    if (app.mode === "play") play.match?.skip?.();
  });
$("theme").addEventListener("click", () => applyTheme(true));
$("sound").addEventListener("click", toggleSound);
$("help").addEventListener("click", () => $("keys").showModal());
$("language").addEventListener("click", changeLanguage);
addEventListener("hashchange", arrive);
// A page that is loaded again does not give back what the clock has run down.
addEventListener("pagehide", () => {
  const { match } = play;
  if (match?.round && match.hasClock) match.store();
});

async function start() {
  applyTheme();
  $("sound").setAttribute("aria-pressed", sound.isOn);
  build();
  viewer.listen();
  watch.listen();
  app.host = connect({ ...config, worker: workerSource });
  // The empty fields are shown before the host has answered.
  play.still();
  try {
    app.hello = await app.host.request("hello");
    $("version").textContent = `tensai ${app.hello.version} \u00b7 ${app.hello.backend}`;
    live.start();
  } catch (error) {
    app.fail(error);
    return;
  }
  await watch.restore();
  review.onDone = () => watch.keep();
  await arrive();
  document.body.dataset.ready = "1";
}
start();
