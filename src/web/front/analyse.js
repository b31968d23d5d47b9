// The analysis of the node that is shown: when it runs, what is kept of it, and what the fields show.
import { $, WIDTH } from "./draw.js";
import { app } from "./app.js";
import { board } from "./board.js";
import { memory, oneOf } from "./settings.js";
import { choicesOf, playLine } from "./variations.js";
import { viewer } from "./viewer.js";
import { t } from "./words.js";

/** @import { Analysis } from "../../../target/front/api" */
/** @import { Node } from "./study.js" */
/** An analysis as a node keeps it: with its simulated drops, and the action that was played.
 * @typedef {Analysis & { nodes: number, played: string | null }} Kept */

/** Simulated drops of an analysis.
 * @type {[number, string][]} */
export const STRENGTHS = [
  [100_000, "quick"],
  [500_000, "normal"],
  [3_000_000, "deep"],
  [20_000_000, "very deep"],
];

// Milliseconds for which a turn is shown before it is analysed by itself: who steps through a game
// starts no searches.
const REST_MS = 300;

/**
 * The deepest analysis of a seat at a node.
 * @param {Node} node
 * @param {number} seat
 * @returns {Kept | null}
 */
function deepest(node, seat) {
  const all = /** @type {Kept[]} */ (Object.values(node.analyses)).filter((one) => one.seat === seat);
  return all.reduce((best, one) => (best && best.nodes > one.nodes ? best : one), /** @type {Kept | null} */ (null));
}

/**
 * The win probability of the left player at a node: by an analysis, or else by a review.
 * @param {Node} node
 * @returns {number | null}
 */
export function chanceOfLeft(node) {
  for (const of of [deepest, (/** @type {Node} */ one, /** @type {number} */ seat) => one.reviews[seat]]) {
    for (const seat of [0, 1]) {
      const chance = of(node, seat)?.chance;
      if (chance !== undefined && chance !== null) return seat ? 1 - chance : chance;
    }
  }
  return null;
}

export const analysis = {
  seat: /** @type {0 | 1} */ (memory.get("client.seat", oneOf(0, 1), 0)),
  nodes: /** @type {number} */ (memory.get("client.nodes", oneOf(...STRENGTHS.map(([nodes]) => nodes)), 500_000)),
  isAuto: /** @type {boolean} */ (memory.get("client.auto", oneOf(true, false), true)), // it runs by itself
  isShown: /** @type {boolean} */ (memory.get("client.best", oneOf(true, false), true)), // the best action is marked
  running: /** @type {AbortController | null} */ (null),
  notes: "", // which notes are shown on the fields: "triggers" or none
  later: /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined),

  /** @returns {Kept | null} */
  get result() {
    return app.study ? deepest(app.study.at, this.seat) : null;
  },

  // Whether the shown turn has been analysed with the chosen strength.
  get isDone() {
    return (this.result?.nodes ?? 0) >= this.nodes;
  },

  // The next strength beyond that of the result; `undefined` after the last one.
  get deeper() {
    return STRENGTHS.find(([nodes]) => nodes > (this.result?.nodes ?? 0));
  },

  // Whether the shown turn has something to analyse, and the host searches: not while it shows a match.
  get isPossible() {
    const { at } = viewer.study;
    return !at.over && viewer.study.pack(at) !== "" && !app.hello.live;
  },

  stop() {
    clearTimeout(this.later);
    this.running?.abort();
    this.running = null;
  },

  /**
   * Analyses the shown turn. If nobody has asked for it, a busy host is no error.
   * @param {number | null} [drops] the chosen strength, if none are given
   */
  async run(drops = null, isAsked = true) {
    this.stop();
    if (!this.isPossible) return;
    const { study } = viewer,
      node = study.at,
      nodes = drops ?? this.nodes,
      { seat } = this;
    const running = new AbortController();
    this.running = running;
    app.refresh();
    // A worker answers nothing else while it searches: what is tried meanwhile must be known before.
    for (const one of [0, 1]) choicesOf(study, node, one).catch(() => {});
    try {
      // The value of the played action is then exact too.
      const played = node.children[0]?.actions[seat] ?? null;
      const params = { position: study.position(node), seat, nodes, lines: 5, ...(played ? { played } : {}) };
      const result = await app.host.request("analyse", params, {
        signal: running.signal,
        onProgress: (/** @type {{ nodes?: number }} */ { nodes: count }) => this.progress(count),
      });
      node.analyses[`${seat} ${nodes}`] = { ...result, nodes, played };
    } catch (error) {
      const { code } = /** @type {{ code?: string }} */ (error);
      if (isAsked || code !== "busy") app.fail(error);
    }
    if (this.running !== running) return;
    this.running = null;
    app.refresh();
    this.showBest();
  },

  /** @param {number | undefined} count */
  progress(count) {
    const output = $("progress");
    if (output && count !== undefined) output.textContent = t("{} drops", count.toLocaleString());
  },

  // Another turn is shown, or another seat or strength is chosen.
  moved() {
    this.stop();
    if (this.isAuto && !this.isDone && this.isPossible)
      this.later = setTimeout(() => {
        if (!viewer.playing) this.run(null, false);
      }, REST_MS);
    app.refresh();
    this.showBest();
  },

  /** @param {boolean} isAuto */
  setAuto(isAuto) {
    this.isAuto = isAuto;
    memory.set("client.auto", isAuto);
    this.moved();
  },

  /** @param {boolean} isShown */
  setShown(isShown) {
    this.isShown = isShown;
    memory.set("client.best", isShown);
    this.showBest();
  },

  // Marks where the chosen action lands, while its turn is shown before any step of it.
  async showBest() {
    const { study } = viewer,
      { at } = study,
      { seat, result, isShown } = this;
    for (const one of [0, 1]) board.ghost(one, null);
    if (!isShown || !result || board.step) return;
    try {
      const choices = await choicesOf(study, at, seat);
      const isSame = app.study === study && study.at === at && this.result === result && this.isShown;
      if (!isSame || app.mode !== "analyse" || board.step) return;
      board.ghost(seat, choices.find((one) => one.action === result.chosen) ?? null);
    } catch (error) {
      app.fail(error);
    }
  },

  /**
   * Plays a line as a variation and goes to its first turn. Without `others`, the other player answers
   * as in the game, as far as it goes.
   * @param {number} seat
   * @param {string[]} actions
   * @param {string[]} [others]
   */
  async follow(seat, actions, others) {
    this.stop();
    const { study } = viewer,
      node = study.at;
    try {
      const nodes = await playLine(study, node, seat, actions, others);
      if (app.study !== study || study.at !== node) return;
      study.tip = nodes[nodes.length - 1].last;
      viewer.go(nodes[1] ?? node);
    } catch (error) {
      app.fail(error);
    }
  },

  // Stops, and removes the notes and the best action from the fields.
  leave() {
    this.stop();
    for (const seat of [0, 1]) {
      board.note(seat, null);
      board.ghost(seat, null);
    }
  },

  // Writes the chains of triggers on the cells where they would land.
  showNotes() {
    const { result } = this;
    for (const side of [0, 1]) {
      const seat = side ? 1 - this.seat : this.seat;
      const notes = new Map();
      for (const { cell, block, chain } of this.notes && result ? result.triggers[side].slice(0, 6) : []) {
        const at = cell[1] * WIDTH + cell[0];
        if (!notes.has(at)) notes.set(at, `${block}:${chain}`);
      }
      board.note(seat, notes.size ? notes : null);
    }
  },
};
