// Plays a study like a video: turns, steps of a turn, speed.
import { $ } from "./draw.js";
import { app } from "./app.js";
import { board, SPEEDS } from "./board.js";
import { ending } from "./ending.js";
import { memory } from "./settings.js";
import { lineOf, timeline } from "./timeline.js";
import { t } from "./words.js";

export const viewer = {
  playing: false,
  /** @type {(() => void) | null} called after another node is shown */
  onMove: null,
  /** @type {(() => void) | null} called after a node or another step of its turn is shown */
  onShow: null,

  get study() {
    return app.study;
  },

  // Shows a node after `step` steps of the next turn.
  go(node, step = 0) {
    const { study } = this;
    const moved = study.at !== node;
    study.go(node);
    board.isPlaying = false;
    board.show(study, node, step);
    if (timeline.tip !== study.tip) timeline.draw(study);
    timeline.at(study, board.step);
    const {
      study: { names },
    } = this;
    const steps = study.next(node)?.shown.steps.length ?? 0;
    const parts = [node.over && node.parent ? t("After turn {}", node.turn - 1) : t("Turn {}", node.turn)];
    if (board.step) parts.push(t("step {} of {}", board.step, steps));
    if (node.over) parts.push(ending(node.over, names));
    else if (node === study.recorded && study.outcome?.text) parts.push(study.outcome.text, ...study.outcome.faults);
    if (node === study.recorded) parts.push(...[study.problem, study.warning].filter(Boolean));
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
    if (board.step < next.shown.steps.length) {
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
    else if (at.parent) this.go(at.parent, at.shown.steps.length);
  },

  by(turns) {
    this.pause();
    const line = lineOf(this.study),
      place = line.indexOf(this.study.at);
    if (turns < 0 && board.step) this.go(this.study.at);
    else this.go(line[Math.max(0, Math.min(line.length - 1, place + turns))]);
  },

  to(place) {
    this.pause();
    const line = lineOf(this.study);
    this.go(line.at(Math.min(place, line.length - 1)));
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
    board.run++;
    this.buttons();
  },

  faster(by) {
    board.speed = Math.max(0, Math.min(SPEEDS.length - 1, board.speed + by));
    memory.set("client.speed", board.speed);
    this.buttons();
  },

  plan() {
    this.pause();
    board.planning = !board.planning;
    this.buttons();
    if (this.study) this.go(this.study.at);
  },

  buttons() {
    $("plan").setAttribute("aria-pressed", board.planning);
    $("run").textContent = this.playing ? "\u275a\u275a" : "\u25b6\ufe0e";
    $("run").setAttribute("aria-label", t(this.playing ? "Pause" : "Run"));
    $("speed").textContent = SPEEDS[board.speed] + "\u00d7";
  },

  acts: {
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
  },

  key(event) {
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
        ? { ArrowLeft: "less", ArrowRight: "more" }[event.key]
        : keys[event.key];
    if (!name || !this.study) return false;
    this.acts[name]();
    return true;
  },

  listen() {
    for (const [id, act] of Object.entries(this.acts)) $(id).addEventListener("click", act);
    $("seek").addEventListener("input", () => this.to(Number($("seek").value)));
  },
};
