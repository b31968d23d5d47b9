// The games that are not over, as the browser keeps them: the tabs of the page do not overwrite each other's games,
// and a game that one tab plays is not continued in another one.
import { isText, listOf, memory, oneOf } from "./settings.js";

/** @import { GameData } from "../../../target/front/api" */
/** @import { Both } from "./draw.js" */

/** The contest's clock of a game, in milliseconds. */
export const GAME_MS = 180_000;

// The most games that are kept: one of each of so many tabs.
const MOST = 4;

/**
 * A game as the browser keeps it.
 * @typedef {object} Kept
 * @property {string} [id]
 * @property {GameData} game
 * @property {Both<string>} seats
 * @property {boolean} [clock]
 * @property {Both<number> | null} [left]
 * @property {Both<number> | null} [spent]
 * @property {number[] | null} [lost]
 */

const isTime = (/** @type {unknown} */ time) => typeof time === "number" && time >= 0 && time <= GAME_MS;
const isNone = (/** @type {unknown} */ value) => value === null || value === undefined;

/**
 * @param {(one: unknown) => boolean} fits
 * @param {unknown} value
 */
const isPair = (fits, value) => Array.isArray(value) && value.length === 2 && value.every(fits);

/**
 * @param {any} value
 * @returns {value is Kept}
 */
function isKept(value) {
  const { id, game, seats, left, spent, lost } = value;
  return (
    Array.isArray(game?.actions) &&
    isText(id ?? "") &&
    isPair(isText, seats) &&
    (isNone(left) || isPair(isTime, left)) &&
    (isNone(spent) || isPair(isTime, spent)) &&
    (isNone(lost) || (listOf(oneOf(0, 1))(lost) && lost.length > 0))
  );
}

const isList = listOf(isKept);

/** @param {unknown} value @returns {value is Kept | Kept[]} */
const isStored = (value) => isList(value) || isKept(value);

// The name of the lock that a tab holds while it has a game open.
const PREFIX = "tensai game ";

export const unfinished = {
  /** @type {Set<string | undefined>} the games that other tabs have open */
  elsewhere: new Set(),
  /** @type {string | null} the game that this tab has open */
  own: null,
  /** @type {(() => void) | null} */
  release: null,

  // The kept games, the latest first. Their seats are not known until the host has answered, and the host checks
  // the games themselves.
  /** @returns {Kept[]} */
  get all() {
    const stored = memory.get("client.game", isStored, []);
    return Array.isArray(stored) ? stored : [stored];
  },

  /** The game that can go on in this tab, or `null`. */
  get last() {
    return this.all.find(({ id, game }) => game.actions.length > 0 && !this.elsewhere.has(id)) ?? null;
  },

  /** @param {Kept} kept */
  put(kept) {
    memory.set("client.game", [kept, ...this.others(kept.id)].slice(0, MOST));
  },

  /** @param {string | undefined} id */
  remove(id) {
    memory.set("client.game", this.others(id));
  },

  /** @param {string | undefined} id */
  others(id) {
    return this.all.filter((one) => one.id !== id);
  },

  /**
   * Tells other tabs that this one has a game open, or none. Where the browser has no locks, every tab continues
   * any game.
   * @param {string | null} id
   */
  hold(id) {
    this.release?.();
    this.release = null;
    this.own = id;
    if (id === null) return;
    /** @type {Promise<void>} */
    const held = new Promise((resolve) => {
      this.release = resolve;
    });
    navigator.locks?.request(PREFIX + id, () => held).catch(() => {});
  },

  // Finds out what other tabs have open.
  async look() {
    /** @type {LockInfo[]} */
    let held = [];
    try {
      held = (await navigator.locks?.query())?.held ?? [];
    } catch {
      // A page that was opened from a disk may be refused.
    }
    const ids = held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []));
    this.elsewhere = new Set(ids.filter((id) => id !== this.own));
  },
};
