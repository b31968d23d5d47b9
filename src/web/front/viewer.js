// Plays a study like a video: turns, steps of a turn, speed.
import { $ } from "./draw.js";
import { app } from "./app.js";
import { board, SPEEDS } from "./board.js";
import { ending } from "./seats.js";
import { memory } from "./settings.js";
import { lineOf, timeline } from "./timeline.js";
import { t } from "./words.js";

/** @import { Node, Study } from "./study.js" */

export const viewer = {
  playing: false,
  /** @type {(() => void) | null} called after another node is shown, and when the game is paused */
  onMove: null,
  /** @type {(() => void) | null} called after a node or another step of its turn is shown */
  onShow: null,

  // The study that is shown. The views of games have one as soon as they are entered.
  get study() {
    return /** @type {Study} */ (app.study);
  },

  /**
   * Shows a node after `step` steps of the next turn.
   * @param {Node} node
   */
  go(node, step = 0) {
    const { study } = this;
    const moved = study.at !== node;
    study.go(node);
    board.isPlaying = false;
    board.show(study, node, step);
    if (timeline.tip !== study.tip) timeline.draw(study);
    timeline.at(study, board.step);
    const steps = study.next(node)?.shown?.steps.length ?? 0;
    const parts = [node.over && node.parent ? t("After turn {}", node.turn - 1) : t("Turn {}", node.turn)];
    if (board.step) parts.push(t("step {} of {}", board.step, steps));
    if (node.over) parts.push(ending(node.over, study.names));
    else if (node === study.recorded && study.outcome?.text) parts.push(study.outcome.text, ...study.outcome.faults);
    if (node === study.recorded) parts.push(...[study.problem, study.warning].filter((text) => text !== null));
    $("status").setAttribute("aria-live", this.playing ? "off" : "polite");
    app.say(parts.join(" \u00b7 "));
    if (moved) this.onMove?.();
    this.onShow?.();
  },

  // A step forward; returns whether there was one.
  on() {
    const { study } = this,
      next = study.next(study.at);
    if (!next) return false;
    if (board.step < (next.shown?.steps.length ?? 0)) {
      this.go(study.at, board.step + 1);
      return true;
    }
    this.go(next);
    return true;
  },

  less() {
    const { study } = this,
      { at } = study;
    if (board.step > 0) this.go(at, board.step - 1);
    else if (at.parent) this.go(at.parent, at.shown?.steps.length);
  },

  /** @param {number} turns forward, or back if it is negative */
  by(turns) {
    this.pause();
    const line = lineOf(this.study),
      place = line.indexOf(this.study.at);
    if (turns < 0 && board.step) this.go(this.study.at);
    else this.go(line[Math.max(0, Math.min(line.length - 1, place + turns))]);
  },

  /** @param {number} place in the line that is followed; -1 is the last one */
  to(place) {
    this.pause();
    const line = lineOf(this.study),
      last = line.length - 1;
    this.go(line[place < 0 ? last : Math.min(place, last)]);
  },

  async play() {
    const { study } = this;
    if (!study.next(study.at)) this.go(study.root);
    this.playing = true;
    this.buttons();
    while (this.playing && app.study === study) {
      const next = study.next(study.at);
      if (!next) break;
      const shown =
        SPEEDS[board.speed] >= 8
          ? await new Promise((resolve) => setTimeout(() => resolve(true), 2400 / SPEEDS[board.speed]))
          : await board.animate(next);
      if (!shown || !this.playing) return;
      this.go(next);
    }
    this.pause();
  },

  pause() {
    if (!this.playing) return;
    this.playing = false;
    board.stop();
    this.buttons();
    this.onMove?.();
  },

  /** @param {number} by */
  faster(by) {
    board.speed = Math.max(0, Math.min(SPEEDS.length - 1, board.speed + by));
    memory.set("client.speed", board.speed);
    this.buttons();
  },

  plan() {
    this.pause();
    board.planning = !board.planning;
    this.buttons();
    if (app.study) this.go(this.study.at);
  },

  buttons() {
    $("plan").setAttribute("aria-pressed", String(board.planning));
    $("run").textContent = this.playing ? "\u275a\u275a" : "\u25b6\ufe0e";
    $("run").setAttribute("aria-label", t(this.playing ? "Pause" : "Run"));
    $("speed").textContent = SPEEDS[board.speed] + "\u00d7";
  },

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, string>} */
    const keys = {
      ArrowLeft: "back",
      ArrowRight: "on",
      ",": "less",
      ".": "more",
      Home: "first",
      End: "last",
      " ": "run",
      "+": "faster",
      "=": "faster",
      "-": "slower",
      p: "plan",
    };
    const name =
      event.shiftKey && event.key.startsWith("Arrow")
        ? { ArrowLeft: "less", ArrowRight: "more", ArrowUp: "", ArrowDown: "" }[event.key]
        : keys[event.key];
    if (!name || !app.study) return false;
    acts[name]();
    return true;
  },

  listen() {
    for (const [id, act] of Object.entries(acts)) $(id).addEventListener("click", act);
    const seek = /** @type {HTMLInputElement} */ ($("seek"));
    seek.addEventListener("input", () => this.to(Number(seek.value)));
  },
};

/** What the buttons of the time line and their keys do.
 * @type {Record<string, () => void>} */
const acts = {
  first: () => viewer.to(0),
  last: () => viewer.to(-1),
  back: () => viewer.by(-1),
  on: () => viewer.by(1),
  less: () => {
    viewer.pause();
    viewer.less();
  },
  more: () => {
    viewer.pause();
    viewer.on();
  },
  run: () => (viewer.playing ? viewer.pause() : viewer.play()),
  plan: () => viewer.plan(),
  slower: () => viewer.faster(-1),
  faster: () => viewer.faster(1),
};
