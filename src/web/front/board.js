// Both fields with their numbers, and the packs that come next.
import {
  $,
  both,
  changed,
  element,
  EMPTY,
  falls,
  index,
  LETTERS,
  packBlocks,
  places,
  Side,
  SKILL_GAUGE,
  WIDTH,
} from "./draw.js";
import { saidBy } from "./bot_info.js";
import { Reading } from "./reading.js";
import { isCalm, memory, oneOf } from "./settings.js";
import { sound } from "./sound.js";
import { Study } from "./study.js";
import { playerName, t } from "./words.js";

/** @import { BotInfo } from "../../../target/front/api" */
/** @import { Both, Look } from "./draw.js" */
/** @import { Host } from "./host.js" */
/** @import { Choice, Node, Step } from "./study.js" */

/**
 * A side of the page with the state of its player, such as that it thinks.
 * @typedef {Side & { state: HTMLElement }} Seat
 */

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
/** @type {Record<string, number>} milliseconds that a step is shown, by its kind, at the speed 1 */
export const PAUSES = { 0: 300, r: 380, d: 320, x: 420, m: 460, f: 300 };

const clock = (/** @type {number} */ time) => {
  const tenths = Math.max(0, Math.floor(time / 100)),
    minutes = Math.floor(tenths / 600);
  return `${minutes}:${((tenths % 600) / 10).toFixed(1).padStart(4, "0")}`;
};

const seconds = (/** @type {number} */ time) => (time / 1000).toFixed(time < 10000 ? 2 : 1) + "\u00a0s";

/** @param {string} action */
export const spoken = (action) => (action === "S" ? t("skill") : t("column {}, rotation {}", ...action.split(" ")));

// How the number of a chain comes up with each round, and how a field takes a row of ojama.
const POP = [{ transform: "scale(1.45)" }, { transform: "none" }];
const THUD = ["none", "none", "translateY(5px)", "translateY(-2px)", "none"].map((transform) => ({ transform }));

/**
 * A seat's field and marks after the first `step` steps of the turn that leads to `child`.
 * @param {Node} node
 * @param {Node | null} child
 * @param {number} step
 * @param {number} seat
 */
export function look(node, child, step, seat) {
  let field = node.fields[seat];
  /** @type {number[]} */
  let marks = [];
  let kind = "0";
  let before = field;
  /** @type {number[]} */
  let gone = [];
  let rounds = 0;
  const steps = /** @type {Step[]} */ (child?.shown?.steps ?? []);
  for (const [next, changes, marked] of steps.slice(0, step)) {
    [kind, before, gone] = [next, field, marks];
    field = changed(field, changes[seat]);
    marks = places(marked[seat] ?? "");
    if (kind === "m" && marks.length) rounds++;
  }
  return { field, marks, kind, before, gone: new Set(gone), rounds, linked: kind === "m" };
}

/**
 * The chain that an engine plans, played by the rules: its packs, and the round of each block. The badge has
 * the chain that the engine expects as well, if it is another one.
 * @param {string} field
 * @param {NonNullable<BotInfo["plan"]>} plan
 * @param {number | null | undefined} expected
 * @returns {Look}
 */
function planned(field, plan, expected) {
  /** @type {number[]} */
  const rounds = [];
  for (let at = 0; at < plan.rounds.length; at += 4)
    rounds[index(plan.rounds, at)] = Number(plan.rounds.slice(at + 2, at + 4));
  return {
    field: changed(field, plan.changes),
    marks: [],
    hover: "",
    badge:
      expected == null || expected === plan.chain
        ? t("plan: chain {}", plan.chain)
        : t("plan: chain {}, the engine says {}", plan.chain, expected),
    plan: { from: field, rounds },
  };
}

export const board = {
  /** @type {Seat[]} */
  sides: [],
  /** @type {Reading[]} */
  readings: [],
  /** Shown before anything else is done. */
  study: /** @type {Study} */ (/** @type {unknown} */ (null)),
  node: /** @type {Node} */ (/** @type {unknown} */ (null)),
  step: 0,
  speed: memory.get("client.speed", oneOf(...SPEEDS.keys()), 2),
  run: 0, // the number of the animation that runs
  planning: false, // whether the plans in the `info` of engines are shown
  isPlaying: false, // whether a game is played: what has been played from here on before is not shown
  /** @type {Both<Choice | null>} by seat: the choice of a hint */
  hints: [null, null],
  /** @type {Both<Choice | null>} by seat: the choice whose blocks stand as a second ghost */
  best: [null, null],
  /** @type {Both<Map<number, string> | null>} by seat: cells with a note, and its text */
  marked: [null, null],

  /** @type {(() => void) | null} ends the animation of the turn that is played at once */
  skip: null,

  // Builds both sides, again after a change of the language.
  build() {
    this.sides = both((seat) => {
      const side = new Side($("side" + seat), seat, t);
      const state = element("span", { class: "state" });
      side.won.after(state);
      return Object.assign(side, { state });
    });
    this.readings = both((seat) => new Reading(t(seat ? "Right field" : "Left field")));
    this.readings.forEach(({ root }, seat) => this.sides[seat].field.after(root));
    if (this.study) this.show(this.study, this.node, this.step);
  },

  // Ends what is animated, where it is.
  stop() {
    this.run++;
    this.skip = null;
  },

  /**
   * Shows empty fields, until a game is begun.
   * @param {Host} host
   */
  empty(host) {
    const study = new Study(host, { packs: "" });
    this.isPlaying = true;
    this.show(study, study.root);
  },

  /**
   * Shows a node, after `step` steps of the turn that follows it.
   * @param {Study} study
   * @param {Node} node
   */
  show(study, node, step = 0) {
    this.stop();
    Object.assign(this, { study, node, step });
    const child = this.following;
    this.step = Math.min(step, child?.shown?.steps.length ?? 0);
    for (const seat of [0, 1]) {
      this.draw(seat, node, child, this.step);
      this.readings[seat].read(this.sides[seat].now);
    }
    this.packs();
  },

  // The node that follows the one that is shown.
  get following() {
    return this.isPlaying ? null : this.study.next(this.node);
  },

  /**
   * Draws a side after `step` steps of the turn that leads to `child`; blocks fall if a `pace` is given.
   * @param {number} seat
   * @param {Node} node
   * @param {Node | null} child
   * @param {number} step
   */
  draw(seat, node, child, step, pace = 0) {
    const side = this.sides[seat],
      seen = look(node, child, step, seat),
      shown = child?.shown;
    const waits = !shown || (step > 0 && seen.kind !== "r") || (this.isPlaying && step === 0);
    const blown = shown?.explosions[seat] && (seen.kind === "d" || seen.kind === "x");
    const badge = blown ? t("skill: {}", shown.explosions[seat]) : seen.rounds ? t("chain {}", seen.rounds) : "";
    const info = this.planning && step === 0 ? shown?.info?.[seat] : null;
    if (info?.plan) side.show(planned(seen.field, info.plan, info.plan_chain));
    else side.show({ ...seen, hover: waits || !shown ? "" : shown.hover[seat], badge });
    if (pace && step > 0 && pace < 8) side.fall(falls(seen.kind, seen.before, seen.field, seen.gone), pace);
    side.badge.style.setProperty("--rounds", String(Math.min(20, seen.rounds)));
    if (pace && !isCalm()) {
      if (seen.kind === "m" && seen.rounds) side.badge.firstElementChild?.animate(POP, 220);
      if (seen.kind === "r" && seen.before !== seen.field) side.field.animate(THUD, 480 / pace);
    }
    if (!pace) this.numbers(seat, node, child);
    else if (child) this.counts(seat, node, child, seen);
    this.notes(seat);
  },

  /**
   * The score while a chain runs: it grows with each round, up to the score after the turn.
   * @param {number} seat
   * @param {Node} node
   * @param {Node} child
   * @param {{ rounds: number }} seen
   */
  counts(seat, node, child, { rounds }) {
    const before = node.players[seat].score,
      after = child.players[seat].score,
      all = child.shown?.chains[seat];
    if (!rounds || !all) return;
    this.sides[seat].score.textContent = String(Math.round(before + (after - before) * Math.min(1, rounds / all)));
  },

  /**
   * Shows ojama on their way to the stock of the other player.
   * @param {number} seat
   * @param {number} count
   */
  async send(seat, count) {
    if (!count || isCalm()) return;
    const from = this.sides[seat].badge.getBoundingClientRect();
    const to = this.sides[1 - seat].stock.value.getBoundingClientRect();
    const flying = element("b", { class: "flying by" + seat, "aria-hidden": "true" }, String(count));
    document.body.append(flying);
    const at = (/** @type {DOMRect} */ { left, top, width }, /** @type {number} */ scale) => ({
      transform: `translate(${left + width / 2}px, ${top}px) scale(${scale})`,
    });
    try {
      await flying.animate([at(from, 1.3), at(to, 0.8)], { duration: 650, easing: "cubic-bezier(.5,0,.3,1)" }).finished;
    } finally {
      flying.remove();
    }
  },

  /**
   * @param {number} seat
   * @param {Node} node
   * @param {Node | null} child
   */
  numbers(seat, node, child) {
    const side = this.sides[seat],
      { study } = this,
      { score, stock, gauge } = node.players[seat];
    side.name.textContent = playerName(study.names, seat);
    const winner = node === study.recorded ? study.outcome?.winner : null;
    side.won.textContent = winner === seat && !study.outcome?.cut ? t("won") : "";
    const time = study.clock[seat];
    side.clock.textContent = time === null ? "" : clock(node.leftMs?.[seat] ?? time);
    side.score.textContent = String(score);
    side.stock.value.textContent = String(stock);
    side.stock.bar.style.width = Math.min(100, stock) + "%";
    const rows = Math.floor(stock / 10);
    side.stock.note.textContent = rows === 0 ? "" : rows === 1 ? t("1 row falls") : t("{} rows fall", rows);
    side.gauge.value.textContent = String(gauge);
    side.gauge.bar.style.width = gauge + "%";
    side.gauge.note.textContent = gauge >= SKILL_GAUGE ? t("ready") : "";
    side.gauge.box.classList.toggle("ready", gauge >= SKILL_GAUGE);
    side.info.replaceChildren(...this.words(seat, child));
  },

  /**
   * @param {number} seat
   * @param {number | null} left
   */
  time(seat, left) {
    this.sides[seat].clock.textContent = left === null ? "" : clock(left);
  },

  /**
   * The result of a player's action in a turn, and what its engine says; all of it while plans are shown.
   * @param {number} seat
   * @param {Node | null} child
   */
  words(seat, child) {
    if (!child?.shown) return [];
    const { actions, chains, sent, info } = child.shown;
    const parts = [chains[seat] ? t("chain {}", chains[seat]) : "", sent[seat] ? t("sends {}", sent[seat]) : ""];
    if (child.thinkMs[seat]) parts.push(seconds(child.thinkMs[seat]));
    const acts = element(
      "p",
      {},
      element("b", {}, actions[seat] === "S" ? t("skill") : actions[seat]),
      " " + parts.filter(Boolean).join(" \u00b7 "),
    );
    return [acts, ...saidBy(info?.[seat], this.planning).map((line) => element("p", {}, line))];
  },

  /**
   * Shows the state of a player beside its name.
   * @param {number} seat
   * @param {string} text
   */
  state(seat, text, isUrgent = false) {
    const { state } = this.sides[seat];
    state.classList.toggle("urgent", isUrgent && text !== "");
    if (state.textContent !== text) state.textContent = text;
  },

  /**
   * Shows what a choice would do: where its blocks land, and the first blocks that vanish.
   * @param {number} seat
   * @param {Choice} choice
   * @param {string} hover
   */
  preview(seat, choice, hover) {
    const side = this.sides[seat],
      base = this.node.fields[seat];
    let field = base;
    /** @type {number[]} */
    let marks = [];
    /** @type {number[]} */
    let exploding = [];
    for (const [kind, changes, marked] of /** @type {[string, string, string][]} */ (choice.steps)) {
      if (kind === "m") {
        marks = places(marked);
        break;
      }
      if (kind === "x" || kind === "f") break;
      field = changed(field, changes);
      if (kind === "d" && marked) exploding = places(marked);
    }
    const parts = [];
    if (choice.chain) parts.push(t("chain {}", choice.chain));
    if (choice.loses) parts.push(t("loses"));
    side.field.classList.add("preview");
    // The badge is on the half of the field that the pack does not hang over.
    const column = Math.min(...[...hover.matchAll(/(\d)[a-s]./g)].map(([, x]) => Number(x)));
    side.badge.dataset.half = !hover ? "both" : column < 5 ? "right" : "left";
    side.show({
      field,
      ghost: base,
      marks: exploding.length ? exploding : marks,
      linked: !exploding.length,
      hover,
      badge: parts.join(" \u00b7 "),
    });
    side.field.classList.toggle("losing", choice.loses);
  },

  /**
   * Shows a field without a preview again.
   * @param {number} seat
   */
  clear(seat) {
    const side = this.sides[seat];
    side.field.classList.remove("preview", "losing");
    if (this.node) this.draw(seat, this.node, this.following, this.following ? this.step : 0);
  },

  /**
   * Shows where a hint puts its blocks, or no hint.
   * @param {number} seat
   * @param {Choice | null | undefined} choice
   */
  hint(seat, choice) {
    const { cells } = this.sides[seat];
    for (const cell of cells) delete cell.dataset.h;
    this.hints[seat] = choice ?? null;
    for (const [x, y, symbol] of cellsOf(choice)) cells[y * WIDTH + x].dataset.h = symbol;
  },

  /**
   * Shows where another choice would put its blocks, such as the best action of an analysis, under the
   * pack that is moved; `null` removes them. They stay until they are changed.
   * @param {number} seat
   * @param {Choice | null} choice
   */
  ghost(seat, choice) {
    const { cells } = this.sides[seat];
    for (const cell of cells) delete cell.dataset.g;
    this.best[seat] = choice;
    for (const [x, y, symbol] of cellsOf(choice)) cells[y * WIDTH + x].dataset.g = symbol;
  },

  /**
   * Fills the bar between the fields: the left player's part of the win probability, from 0 to 1, with
   * its text; `null` hides the bar.
   * @param {number | null} part
   */
  evaluate(part, text = "") {
    const bar = $("evaluation");
    bar.hidden = part === null;
    if (part === null) return;
    bar.style.setProperty("--part", String(part));
    bar.lastElementChild?.replaceChildren(text);
    bar.setAttribute("aria-label", text);
  },

  /**
   * Shows what a player can reach in a line at its field; an empty text hides the line.
   * @param {number} seat
   * @param {string} text
   */
  reach(seat, text) {
    const line = $("reach");
    line.hidden = text === "";
    line.dataset.seat = String(seat);
    if (line.textContent !== text) line.textContent = text;
  },

  /**
   * Notes on cells, such as the chain that a trigger sets off.
   * @param {number} seat
   * @param {Map<number, string> | null} notes
   */
  note(seat, notes) {
    this.marked[seat] = notes;
    this.notes(seat);
  },

  /** @param {number} seat */
  notes(seat) {
    const notes = this.marked[seat];
    this.sides[seat].cells.forEach((cell, at) => {
      const note = notes?.get(at);
      if (note === undefined) delete cell.dataset.note;
      else cell.dataset.note = note;
    });
  },

  /**
   * Plays the turn that leads to `child`, from its first step on; resolves when it has been shown,
   * with whether nothing else was shown meanwhile. Without a pace, at the speed of recorded games. While a game
   * is played, `skip` ends it.
   * @param {Node} child
   */
  async animate(child, pace = 0) {
    pace ||= SPEEDS[this.speed];
    const run = ++this.run,
      node = child.parent,
      steps = /** @type {Step[]} */ (child.shown?.steps ?? []);
    if (!node) return true;
    let isSkipped = false;
    let wake = () => {};
    const skip = () => {
      isSkipped = true;
      wake();
    };
    if (this.isPlaying) this.skip = skip;
    for (let step = 1; step <= steps.length; step++) {
      this.step = step;
      for (const seat of [0, 1]) this.draw(seat, node, child, step, pace);
      const kinds = steps.slice(0, step).map(([one]) => one),
        kind = kinds[step - 1];
      const isSkill = kinds.filter((one) => one === "d").length === 1 && child.actions.includes("S");
      if (this.isPlaying) sound.step(kind, kinds.filter((one) => one === "m").length, isSkill);
      await /** @type {Promise<void>} */ (
        new Promise((resolve) => {
          wake = resolve;
          setTimeout(resolve, PAUSES[kind] / pace);
        })
      );
      if (isSkipped || this.run !== run) break;
    }
    if (this.skip === skip) this.skip = null;
    return this.run === run;
  },

  // The packs from the node's turn on.
  packs() {
    const { study, node } = this;
    const packs = [...Array(8).keys()].map((ahead) => study.pack(node, ahead)).filter(Boolean);
    $("packs").replaceChildren(
      ...packs.map((cells, ahead) => element("li", {}, packImage(cells, t("turn {}", node.turn + ahead)))),
    );
    $("turn").textContent = t("turn {}", node.turn);
  },
};

/**
 * A pack of four digits as an image.
 * @param {string} cells
 * @param {string} name
 */
function packImage(cells, name) {
  return element(
    "div",
    { class: "pack", role: "img", "aria-label": `${name}: ${[...cells].join(" ")}` },
    ...packBlocks(cells),
  );
}

/**
 * The cells of a choice: column, row and number of each block.
 * @param {Choice | null | undefined} choice
 */
const cellsOf = (choice) => /** @type {[number, number, string][]} */ (choice?.cells ?? []);

/**
 * The pack above a field, as changes of a field, from the cells where its blocks come to rest.
 * @param {Choice["cells"]} cells
 */
export function hoverOf(cells) {
  const heights = /** @type {Map<number, number>} */ (new Map());
  return [.../** @type {[number, number, string][]} */ (cells)]
    .sort((a, b) => a[1] - b[1])
    .map(([x, , symbol]) => {
      const y = heights.get(x) ?? EMPTY.length / 10 - 2;
      heights.set(x, y + 1);
      return `${x}${LETTERS[y]}${symbol}`;
    })
    .join("");
}
