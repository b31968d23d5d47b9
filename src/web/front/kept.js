// Studies that outlive a reload: the open games and the one that is analysed, with their variations and
// reviews.
import { app } from "./app.js";
import { both } from "./draw.js";
import { isReview } from "./reviews.js";
import { isText, listOf, memory } from "./settings.js";
import { Study } from "./study.js";
import { watch } from "./watch.js";

/** @import { ReviewedTurn } from "../../../target/front/api" */
/** @import { Both } from "./draw.js" */
/** @import { Host, HostError } from "./host.js" */
/** @import { Node } from "./study.js" */
/** @import { OpenGame } from "./watch.js" */
/** @typedef {Both<ReviewedTurn | null>} Reviews */
/**
 * A turn of a variation: the number of the node before it, among the nodes of the game and those of the
 * branches before.
 * @typedef {{ from: number, actions: [string, string], reviews: Reviews }} Branch
 */
/**
 * `main` and `at` are the numbers of the last node of the main line and of the node that was shown.
 * @typedef {object} Kept
 * @property {any} game
 * @property {any[]} info
 * @property {string | null} warning
 * @property {Reviews[]} reviews
 * @property {(number | null)[]} accuracy
 * @property {Branch[]} branches
 * @property {number} main
 * @property {number} at
 */

/** @typedef {Kept & { kind: string, file: string, isAnalysed?: boolean }} KeptGame */

// The most characters of the games that are kept; a browser has room for five million.
const MOST_KEPT = 2_000_000;

// The most turns of variations of a game that are kept: the host plays each of them again.
const MOST_BRANCHES = 400;

/**
 * A study as plain data.
 * @param {Study} study
 * @returns {Kept}
 */
function keptOf(study) {
  const base = study.recorded ?? study.end;
  const nodes = /** @type {Node[]} */ (base.path);
  const numbers = new Map(nodes.map((node, at) => [node, at]));
  /** @type {Branch[]} */
  const branches = [];
  const waiting = [study.root];
  for (let node = waiting.shift(); node && branches.length < MOST_BRANCHES; node = waiting.shift()) {
    waiting.push(...node.children);
    if (!node.parent || numbers.has(node)) continue;
    branches.push({ from: numbers.get(node.parent) ?? 0, actions: node.actions, reviews: node.reviews });
    numbers.set(node, numbers.size);
  }
  return {
    game: study.game(base),
    info: study.info,
    warning: study.warning,
    reviews: nodes.map((node) => node.reviews),
    accuracy: study.end.accuracy,
    branches,
    main: numbers.get(study.end) ?? nodes.length - 1,
    at: numbers.get(study.at) ?? 0,
  };
}

/**
 * Whether a stored value, which may be anything, has the form of a study.
 * @param {any} one
 * @returns {one is Kept}
 */
const isKept = (one) => Array.isArray(one?.game?.actions);

const isBranch = (/** @type {any} */ one) =>
  Number.isInteger(one?.from) && listOf(isText)(one.actions) && one.actions.length === 2;

const isOffline = (/** @type {unknown} */ error) => /** @type {HostError} */ (error).code === "offline";

/** @param {any} reviews */
const reviewed = (reviews) => both((seat) => (isReview(reviews?.[seat]) ? reviews[seat] : null));

/**
 * The accuracies of both players, as a browser has stored them.
 * @param {Kept["accuracy"]} accuracy
 * @returns {Both<number | null>}
 */
const accuracies = (accuracy) => both((seat) => (Number.isFinite(accuracy?.[seat]) ? accuracy[seat] : null));

/**
 * The study of the game of plain data that a browser has stored, without its variations.
 * @param {Host} host
 * @param {Kept} one
 * @returns {Promise<Study>}
 */
async function gameOf(host, { game, info, warning, reviews, accuracy, at }) {
  const study = await Study.of(host, game, Array.isArray(info) ? info : []);
  study.warning = isText(warning) ? warning : null;
  const nodes = /** @type {Node[]} */ ([...study.end.path]);
  nodes.forEach((node, index) => {
    node.reviews = reviewed(reviews?.[index]);
  });
  study.end.accuracy = accuracies(accuracy);
  study.go(nodes[at] ?? study.root);
  return study;
}

/**
 * Adds the stored variations to a game. What is not right in them is left out.
 * @param {Study} study
 * @param {Kept} one
 */
async function addBranches(study, one) {
  const { accuracy, main, at } = one;
  const nodes = /** @type {Node[]} */ ([...study.end.path]);
  const branches = Array.isArray(one.branches) ? one.branches.slice(0, MOST_BRANCHES) : [];
  for (const branch of branches) {
    if (!isBranch(branch) || !nodes[branch.from]) break;
    try {
      const node = await study.play(nodes[branch.from], branch.actions);
      node.reviews = reviewed(branch.reviews);
      nodes.push(node);
    } catch (error) {
      if (isOffline(error)) throw error;
      break;
    }
  }
  if (nodes[main]) study.promote(nodes[main]);
  study.end.accuracy = accuracies(accuracy);
  study.go(nodes[at] ?? study.root);
}

/**
 * Whether a stored value has the form of an open game.
 * @param {any} one
 * @returns {one is KeptGame}
 */
const isKeptGame = (one) => isKept(one) && "kind" in one && isText(one.kind) && "file" in one && isText(one.file);

/**
 * What tells an open game from others, in whatever state its variations and reviews are.
 * @param {KeptGame} game
 */
const idOf = ({ kind, file, game: { packs, actions } }) => JSON.stringify([kind, file, packs, actions]);

export const kept = {
  analysed: /** @type {OpenGame | null} */ (null), // the open game that was analysed at the last visit
  /** @type {Map<OpenGame, KeptGame>} the games whose variations nobody has asked for since the last visit */
  folded: new Map(),
  /** @type {Set<string>} the games that this tab of the page has or had open */
  known: new Set(),
  isRestored: false, // until then the list of open games is not whole, and is not kept

  // Keeps the open games, as many of the latest ones as there is room for, and the one that is analysed.
  keep() {
    if (!this.isRestored) return;
    const entries = [];
    const analysed = app.mode === "analyse" ? app.study : (this.analysed?.study ?? null);
    const own = watch.games.flatMap((game) => {
      const { study, kind, file } = game;
      if (kind === "sample" || !study) return [];
      return [{ ...(this.folded.get(game) ?? keptOf(study)), kind, file, isAnalysed: study === analysed }];
    });
    for (const entry of own) this.known.add(idOf(entry));
    // What another tab of the page has opened meanwhile stays.
    const others = this.stored.filter((entry) => !this.known.has(idOf(entry)));
    let room = MOST_KEPT;
    for (const entry of [...others, ...own].reverse()) {
      room -= JSON.stringify(entry).length;
      if (room < 0) break;
      entries.unshift(entry);
    }
    memory.set("client.opened", entries);
    if (app.mode !== "analyse" || !analysed) return;
    const other = entries.some(({ isAnalysed }) => isAnalysed) ? null : keptOf(analysed);
    if (JSON.stringify(other).length < room) memory.set("client.analysed", other);
  },

  /** @returns {KeptGame[]} */
  get stored() {
    return memory.get("client.opened", listOf(isKeptGame)) ?? [];
  },

  // Opens the games of the last visit again. What the host refuses is left out.
  async restore() {
    for (const entry of this.stored) {
      this.known.add(idOf(entry));
      try {
        const game = watch.add(await gameOf(app.host, entry), entry.kind, entry.file);
        this.folded.set(game, entry);
        if (entry.isAnalysed) this.analysed = game;
      } catch (error) {
        if (isOffline(error)) return;
      }
    }
    this.isRestored = true;
    app.refresh();
  },

  /**
   * Adds the variations of the last visit to a game, once.
   * @param {OpenGame} game
   */
  async unfold(game) {
    const entry = this.folded.get(game);
    if (!entry || !game.study) return;
    await addBranches(game.study, entry);
    this.folded.delete(game);
  },

  // Opens the study that was analysed last, if there is one.
  async reopen() {
    const other = memory.get("client.analysed", isKept),
      { analysed } = this;
    if (analysed) await this.unfold(analysed);
    let study = analysed?.study ?? null;
    if (!study && other) {
      study = await gameOf(app.host, other);
      await addBranches(study, other);
    }
    if (study && !app.study) app.open(study);
  },
};
