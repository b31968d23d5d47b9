// Starts the page whose host knows the rules, a server or the page's own worker: to play, watch, analyse and
// solve puzzles.
import { $ } from "./draw.js";
import { alone, notReceived } from "./alone.js";
import { isRun } from "./alone_run.js";
import { analyseMode } from "./analyse_mode.js";
import { app } from "./app.js";
import { board } from "./board.js";
import { act, aim, endAnimation, listen } from "./dropper.js";
import { editor } from "./editor.js";
import { files } from "./files.js";
import { controls } from "./controls.js";
import { connect } from "./host.js";
import { kept } from "./kept.js";
import { live } from "./live.js";
import { start, view } from "./main.js";
import { play } from "./play.js";
import { puzzles } from "./puzzles.js";
import { reviews } from "./reviews.js";
import { unshared, VIEWS } from "./share.js";
import { unfinished } from "./unfinished.js";
import { watch } from "./watch.js";

// Follows the address: a view, or a shared position or game, which is analysed.
async function arrive() {
  const text = location.hash.slice(1);
  if (text === "" || VIEWS.includes(text)) {
    // A running match is what the page was opened for.
    const shown = text || (app.hello.live ? "watch" : "play");
    if (app.mode !== shown) view(shown);
    return;
  }
  if (alone.receive("#" + text)) {
    if (app.mode === "alone") alone.enter();
    else view("alone");
    return;
  }
  if (isRun("#" + text)) {
    view("alone");
    app.say(notReceived("#" + text), true);
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

// The buttons of the pack in hand.
function hold() {
  for (const [id, name] of [
    ["left", "left"],
    ["right", "right"],
    ["turnleft", "back"],
    ["turnright", "turn"],
    ["dropit", "drop"],
    ["skill", "skill"],
  ]) {
    $(id).addEventListener("click", () => {
      if (!endAnimation()) act(name);
    });
  }
  for (const name of ["pointerenter", "focus"]) $("skill").addEventListener(name, () => aim(true));
  for (const name of ["pointerleave", "blur"]) $("skill").addEventListener(name, () => aim(false));
}

// The animation of a turn is cut short by a click on a field.
for (const seat of [0, 1]) $("side" + seat).addEventListener("click", endAnimation);
// A page that is loaded again does not give back what the clock has run down.
addEventListener("pagehide", () => {
  const { match } = play;
  if (match?.round && match.hasClock) match.store();
  kept.keep();
});

// Another tab may have begun or ended a game meanwhile.
addEventListener("visibilitychange", async () => {
  if (document.hidden || app.mode !== "play" || play.match) return;
  const before = unfinished.last?.id;
  await unfinished.look();
  if (unfinished.last?.id !== before) play.render();
});

// From the list of keys to the choice of other ones.
$("tocontrols").addEventListener("click", () => {
  /** @type {HTMLDialogElement} */ ($("keys")).close();
  controls.open();
});

hold();
files.listen();
Object.assign(app.modes, { play, watch, analyse: analyseMode, puzzles, alone });
watch.cards = [() => files.cards(), () => watch.list(), () => watch.about(), () => live.cards()];
reviews.onDone = () => kept.keep();
start({
  host: connect({ ...JSON.parse($("config").textContent), worker: $("worker")?.textContent ?? "" }),
  arrive,
  build() {
    board.sides.forEach((side, seat) => {
      listen(seat, side.field);
      editor.listen(seat, side.field);
    });
  },
  begin: () => play.still(),
  async ready() {
    live.start();
    await Promise.all([kept.restore(), unfinished.look()]);
  },
});
