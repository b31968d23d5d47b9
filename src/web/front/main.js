// Starts the page: the host, the views, keys, language and theme.
import { $ } from "../draw.js";
import { app } from "./app.js";
import { board } from "./board.js";
import { act, aim, listen } from "./dropper.js";
import { editor } from "./editor.js";
import { connect } from "./host.js";
import { live } from "./live.js";
import { play } from "./play.js";
import { applyTheme } from "./settings.js";
import { unshared, VIEWS } from "./share.js";
import { viewer } from "./viewer.js";
import { watch } from "./watch.js";
import { chooseLanguage, language, t, translate } from "./words.js";

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
    if (link.hash === "#" + name) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  app.say("");
  app.modes[name].enter();
}

// Follows the address: a view, or a shared position or game, which is analysed.
async function arrive() {
  const text = location.hash.slice(1);
  if (text === "" || VIEWS.includes(text)) {
    if (app.mode !== (text || "play")) view(text || "play");
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
  chooseLanguage(language() === "ja" ? "en" : "ja");
  app.modes[mode].leave();
  build();
  app.modes[mode].enter();
}

const isTyping = (target) => target.matches?.("textarea, select, input:not([type=checkbox]):not([type=radio]):not([type=range]):not([type=file])");

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || $("keys").open) return;
  if (isTyping(event.target)) return;
  // The space bar and Enter press a focused button, arrows choose among radio buttons.
  if ([" ", "Enter"].includes(event.key) && event.target.closest?.("button, a, summary, input:not([type=range]), label")) return;
  if (event.key.startsWith("Arrow") && event.target.closest?.("[role=radiogroup], [role=tablist], input[type=range]")) return;
  if (event.key === "?") { $("keys").showModal(); event.preventDefault(); return; }
  if (event.key === "t") { applyTheme(true); return; }
  if (app.modes[app.mode]?.key(event)) event.preventDefault();
});

for (const [id, name] of [["left", "left"], ["right", "right"], ["turnleft", "back"], ["turnright", "turn"], ["dropit", "drop"], ["skill", "skill"]]) {
  $(id).addEventListener("click", () => {
    if (play.match?.skip && app.mode === "play") { play.match.skip(); return; }
    act(name);
  });
}
for (const name of ["pointerenter", "focus"]) $("skill").addEventListener(name, () => aim(true));
for (const name of ["pointerleave", "blur"]) $("skill").addEventListener(name, () => aim(false));
// The animation of a turn is cut short by a click on a field.
for (const seat of [0, 1]) $("side" + seat).addEventListener("click", () => { if (app.mode === "play") play.match?.skip?.(); });
$("theme").addEventListener("click", () => applyTheme(true));
$("help").addEventListener("click", () => $("keys").showModal());
$("language").addEventListener("click", changeLanguage);
addEventListener("hashchange", arrive);

async function start() {
  applyTheme();
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
  await arrive();
  document.body.dataset.ready = "1";
}
start();
