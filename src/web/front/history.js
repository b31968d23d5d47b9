// The games that a person has played in this browser: results by opponent, and the games themselves.
import { both } from "./draw.js";
import { isText, listOf, memory, oneOf } from "./settings.js";

/** @import { GameData } from "../../../target/front/api" */
/** @import { Node, Study } from "./study.js" */

// The most games that are kept with their turns, and the most that are kept as results; the oldest are dropped
// first.
const GAMES = 100,
  RESULTS = 2_000;

/**
 * A game of a person. Its id is that of the match, or null in files of earlier versions.
 * @typedef {object} Entry
 * @property {string} date
 * @property {string | null} [id]
 * @property {GameData | null} game null if only the result is kept
 * @property {string[]} seats
 * @property {boolean} [clock]
 * @property {number | null} winner
 * @property {boolean} isOver whether the game was played to its end
 * @property {number} turns
 * @property {[number, number]} chains
 * @property {[number, number]} sent
 */

const isPair = (/** @type {unknown} */ value) =>
  Array.isArray(value) && value.length === 2 && value.every((one) => Number.isFinite(one) && one >= 0);

/**
 * @param {any} one
 * @returns {one is Entry}
 */
export const isEntry = (one) =>
  (one?.game === null || Array.isArray(one?.game?.actions)) &&
  isText(one.date) &&
  isText(one.id ?? "") &&
  listOf(isText)(one.seats) &&
  one.seats.length === 2 &&
  one.seats.includes("person") &&
  !Number.isNaN(Date.parse(one.date)) &&
  (one.winner === null || oneOf(0, 1)(one.winner)) &&
  isPair(one.chains) &&
  isPair(one.sent) &&
  Number.isInteger(one.turns) &&
  typeof one.isOver === "boolean";

/**
 * The number of a level's seat, or null.
 * @param {string} seat
 */
export const levelOf = (seat) => (/^level[1-9]$/.test(seat) ? Number(seat.slice(5)) : null);

/**
 * Both lists without what is in both, the latest first; only the latest games keep their turns. Of a game that
 * is in both, the one with more turns is kept: it went on.
 * @param {Entry[]} list
 * @param {Entry[]} others
 */
export function merged(list, others) {
  /** @type {Map<string, Entry>} */
  const byGame = new Map();
  for (const one of [...list, ...others]) {
    const key = one.id ?? one.date,
      known = byGame.get(key);
    if (!known || one.turns > known.turns || (known.game === null && one.turns === known.turns)) byGame.set(key, one);
  }
  const all = [...byGame.values()].sort((a, b) => Date.parse(b.date) - Date.parse(a.date));
  return all.slice(0, RESULTS).map((one, at) => (at < GAMES ? one : { ...one, game: null }));
}

/**
 * Longest chains and sums of sent ojama by seat, on the way to a node.
 * @param {Node} node
 */
export function totals(node) {
  const turns = node.path.flatMap(({ shown }) => (shown ? [shown] : []));
  const chains = both((seat) => Math.max(0, ...turns.map((shown) => shown.chains[seat])));
  const sent = both((seat) => turns.reduce((sum, shown) => sum + shown.sent[seat], 0));
  return { chains, sent };
}

export const history = {
  get list() {
    return memory.get("client.history", listOf(isEntry), []);
  },

  /**
   * Keeps a game; `winner` is a seat, or null for a draw and for a game that was left.
   * @param {{ study: Study, node: Node, seats: string[], hasClock: boolean, id?: string | null }} match
   * @param {number | null} winner
   * @param {boolean} isOver
   */
  add({ study, node, seats, hasClock, id = null }, winner, isOver) {
    if (!seats.includes("person") || node.path.length < 6) return;
    /** @type {Entry} */
    const entry = {
      date: new Date().toISOString(),
      id,
      game: study.game(node),
      seats,
      clock: hasClock,
      winner,
      isOver,
      turns: node.turn,
      ...totals(node),
    };
    // A game that went on, after *Undo* or at a later visit, counts once.
    const others = this.list.filter((one) => id === null || one.id !== id);
    memory.set("client.history", merged([entry], others));
  },

  /**
   * The level that a person without a choice of its own plays next: one more after two wins of the last
   * three games against a level, one less after three losses.
   * @param {number} highest
   */
  suggested(highest) {
    const games = this.list.filter(({ isOver, seats }) => isOver && seats.some((seat) => levelOf(seat)));
    if (!games.length) return 1;
    const level = (/** @type {Entry} */ { seats }) => Math.max(...seats.map((seat) => levelOf(seat) ?? 0));
    const last = level(games[0]);
    const recent = games.filter((one) => level(one) === last).slice(0, 3);
    const won = recent.filter(({ winner, seats }) => winner !== null && seats[winner] === "person").length;
    if (won >= 2) return Math.min(highest, last + 1);
    return recent.length === 3 && won === 0 ? Math.max(1, last - 1) : last;
  },

  /** The results by opponent: its seat, the games, those that were won, and the longest own chain. */
  byOpponent() {
    /** @type {Map<string, { won: number, played: number, chain: number }>} */
    const rows = new Map();
    for (const { seats, winner, chains, isOver } of this.list) {
      if (!isOver || seats.every((seat) => seat === "person")) continue;
      const own = seats.indexOf("person"),
        opponent = seats[1 - own];
      const sum = rows.get(opponent) ?? { won: 0, played: 0, chain: 0 };
      rows.set(opponent, {
        won: sum.won + (winner === own ? 1 : 0),
        played: sum.played + 1,
        chain: Math.max(sum.chain, chains[own]),
      });
    }
    return [...rows].sort(([a], [b]) => a.localeCompare(b));
  },
};
