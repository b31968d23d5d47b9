// A game alone: 30 packs, one field, and the longest chain. A run can be told in a short text: the seed of its
// packs, and a letter for each action.
import { EMPTY } from "./draw.js";
import { app } from "./app.js";
import { dateOf } from "./days.js";
import { isText, memory } from "./settings.js";
import { randomSeed, Study } from "./study.js";
import { t } from "./words.js";

/** @import { Node } from "./study.js" */
/** @import { Step } from "./study.js" */
/** @import { Both } from "./draw.js" */

/** The packs of a game alone. */
export const PACKS = 30;

// Seeds up to this one are dates, such as 20261129: the packs of that day. Others are greater.
const LAST_DATE = 99_991_231;
const SKILL = "S";
const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";
const ROTATIONS = 4;

/** The seed of the packs of a day. @param {number} day days since 1970 */
export const seedOfDay = (day) => Number(dateOf(day).replaceAll("-", ""));

/** A seed of packs that belong to no day. */
export const freeSeed = () => LAST_DATE + 1 + (randomSeed() % 4_000_000_000);

/**
 * The packs of a seed, in words.
 * @param {number} seed
 */
export function packsName(seed) {
  const date = /^(\d{4})(\d\d)(\d\d)$/.exec(String(seed));
  return date && seed <= LAST_DATE ? t("Packs of {}", date.slice(1).join("-")) : t("Packs {}", seed);
}

/** @param {string} action */
function letterOf(action) {
  if (action === SKILL) return SKILL;
  const [column, rotation] = action.split(" ").map(Number);
  return LETTERS[column * ROTATIONS + rotation];
}

/** @param {string} letter */
function actionOf(letter) {
  const at = LETTERS.indexOf(letter);
  return letter === SKILL ? SKILL : `${Math.floor(at / ROTATIONS)} ${at % ROTATIONS}`;
}

/**
 * Two characters that a text which is cut off or changed hardly has.
 * @param {string} text
 */
function checkOf(text) {
  const sum = [...text].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 36 ** 2, 0);
  return sum.toString(36).padStart(2, "0");
}

/**
 * The text of a run, as the fragment of an address: seed, actions and check.
 * @param {number} seed
 * @param {string[]} actions
 */
export function textOf(seed, actions) {
  const text = `${seed}-${actions.map(letterOf).join("")}`;
  return `#alone=${text}-${checkOf(text)}`;
}

/** Whether a text is meant as a run, whole or not. @param {string} text */
export const isRun = (text) => text.includes("#alone=");

/**
 * The run in a text, also within other words, or `null`.
 * @param {string} text
 */
export function runOf(text) {
  const parts = `(\\d{1,10})-([0-9a-zS]{1,${PACKS}})`;
  const found = new RegExp(`#alone=(${parts})-([0-9a-z]{2})(?![0-9A-Za-z])`).exec(text);
  if (!found || Number(found[2]) >= 2 ** 32 || found[4] !== checkOf(found[1])) return null;
  return { seed: Number(found[2]), actions: [...found[3]].map(actionOf) };
}

// The key of the run that is not over, as its text.
const UNFINISHED = "client.alone.run";

/** The run that is not over, which outlives the page. */
export const unfinishedRun = {
  get() {
    return runOf(memory.get(UNFINISHED, isText, ""));
  },

  /** @param {number} seed @param {string[]} actions */
  keep(seed, actions) {
    memory.set(UNFINISHED, actions.length > 0 ? textOf(seed, actions) : "");
  },

  forget() {
    memory.set(UNFINISHED, "");
  },
};

/**
 * What a run has reached.
 * @param {Node} node
 */
export function reached(node) {
  const turns = node.path.flatMap(({ shown }) => (shown ? [shown] : []));
  const chain = Math.max(0, ...turns.map(({ chains }) => chains[0]));
  const sent = turns.reduce((sum, one) => sum + one.sent[0], 0);
  return { chain, sent, turn: turns.findIndex(({ chains }) => chain > 0 && chains[0] === chain) };
}

/**
 * A study of the packs of a seed; its second player has an empty field in each turn, and never plays.
 * @param {number} seed
 */
export async function studyOf(seed) {
  const { game } = await app.host.request("new_game", { seed });
  return new Study(app.host, { packs: game.packs.slice(0, 4 * PACKS), names: ["Player", ""] });
}

/**
 * Plays an action after the last node of a study. The host plays a game of two players: the other one begins with
 * an empty field each turn, so that its pack changes nothing.
 * @param {Study} study
 * @param {string} action
 */
export async function played(study, action) {
  const node = study.at,
    start = study.position(node);
  const page = await app.host.request("show", {
    game: { packs: start.packs, start, actions: [[action, "0 0"]], names: study.names },
  });
  if (!page.legal) throw Object.assign(new Error(page.problem ?? ""), { code: "illegal" });
  const [turn] = page.turns;
  const own = (/** @type {Both<number>} */ pair) => /** @type {Both<number>} */ ([pair[0], 0]);
  // The schema has the steps of a turn without the types of their three parts.
  const steps = /** @type {Step[]} */ (turn.steps).filter(([, changes, marks]) => changes[0] || marks[0]);
  node.children = [];
  const child = study.follow(node, {
    ...turn,
    actions: [action, ""],
    hover: [turn.hover[0], ""],
    steps: steps.map(([kind, changes, marks]) => [kind, [changes[0], ""], [marks[0], ""]]),
    stocks: [0, 0],
    gauges: own(turn.gauges),
    scores: own(turn.scores),
    chains: own(turn.chains),
    sent: own(turn.sent),
    explosions: own(turn.explosions),
  });
  child.fields[1] = EMPTY;
  child.over = page.over ?? null;
  return child;
}

/** @typedef {{ seed: number, actions: string[], chain: number, sent: number, date: string }} Result */

/**
 * @param {any} one
 * @returns {one is Result}
 */
export const isResult = (one) =>
  Number.isInteger(one?.seed) &&
  Array.isArray(one.actions) &&
  one.actions.every(
    (/** @type {unknown} */ action) => typeof action === "string" && /^(S|[0-8] [0-3])$/.test(action),
  ) &&
  runOf(textOf(one.seed, one.actions)) !== null &&
  Number.isInteger(one.chain) &&
  Number.isInteger(one.sent) &&
  !Number.isNaN(Date.parse(one.date));

/**
 * Whether a result is better than another one: the longer chain, or else more ojama.
 * @param {{ chain: number, sent: number }} one
 * @param {{ chain: number, sent: number } | null | undefined} other
 */
export const isBetter = (one, other) =>
  !other || one.chain > other.chain || (one.chain === other.chain && one.sent > other.sent);

// The most packs whose best result is kept.
const KEPT = 400;

/** The best result on each seed, the latest first. */
export const results = {
  /** @returns {Result[]} */
  get list() {
    const isList = (/** @type {unknown} */ value) => Array.isArray(value) && value.every(isResult);
    return memory.get("client.alone", /** @type {(value: unknown) => value is Result[]} */ (isList), []);
  },

  /** @param {number} seed */
  of(seed) {
    return this.list.find((one) => one.seed === seed) ?? null;
  },

  /** The best result of all. */
  get best() {
    return this.list.reduce((most, one) => (isBetter(one, most) ? one : most), /** @type {Result | null} */ (null));
  },

  /** Keeps a result if it is the best on its packs; returns whether it is. @param {Result} result */
  add(result) {
    const isBest = isBetter(result, this.of(result.seed));
    if (isBest) memory.set("client.alone", merged(this.list, [result]));
    return isBest;
  },
};

/**
 * Both lists: of each seed the better result, the latest first.
 * @param {Result[]} list
 * @param {Result[]} others
 */
export function merged(list, others) {
  /** @type {Map<number, Result>} */
  const bySeed = new Map();
  for (const one of [...list, ...others]) if (isBetter(one, bySeed.get(one.seed))) bySeed.set(one.seed, one);
  return [...bySeed.values()].sort((a, b) => b.date.localeCompare(a.date)).slice(0, KEPT);
}
