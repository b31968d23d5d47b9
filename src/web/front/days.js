// What there is once a day, and how many days in a row a person has done it.
import { isText, listOf, memory } from "./settings.js";
import { t } from "./words.js";

const DAY_MS = 86_400_000;

/** The days since 1970, here: a day ends at midnight of the person. */
export const today = () => Math.floor((Date.now() - 60_000 * new Date().getTimezoneOffset()) / DAY_MS);

/**
 * The date of a day, as `2026-11-29`.
 * @param {number} day
 */
export const dateOf = (day) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** @typedef {{ day: number, streak: number, longest?: number }} Days the last day, and days in a row up to it */

/**
 * @param {any} one
 * @returns {one is Days}
 */
export const isDays = (one) =>
  Number.isInteger(one?.day) &&
  Number.isInteger(one?.streak) &&
  one.streak >= 0 &&
  Number.isInteger(one.longest ?? 0) &&
  (one.longest ?? 0) >= 0;

const NEVER = { day: 0, streak: 0 };

/** Days in a row, kept under a key of the browser's memory. */
class Streak {
  /** @param {string} key */
  constructor(key) {
    this.key = key;
  }

  /** @returns {Days} */
  get kept() {
    return memory.get(this.key, isDays, NEVER);
  }

  /** The days in a row up to today, or up to yesterday as long as today is not done. */
  get length() {
    const { day, streak } = this.kept;
    return day >= today() - 1 ? streak : 0;
  }

  /** The most days in a row so far. */
  get longest() {
    const { streak, longest = 0 } = this.kept;
    return Math.max(streak, longest);
  }

  /** The days in a row, in words. */
  get text() {
    const { length } = this;
    return length === 1 ? t("solved on 1 day in a row") : t("solved on {} days in a row", length);
  }

  get isDone() {
    return this.kept.day === today();
  }

  /** Counts today, once. */
  count() {
    if (this.isDone) return;
    const streak = this.length + 1;
    memory.set(this.key, { day: today(), streak, longest: Math.max(streak, this.longest) });
  }
}

/** The puzzle of the day. */
export const puzzleStreak = new Streak("client.daily");

/**
 * The keys of the puzzles that the person has solved.
 * @returns {string[]}
 */
export const solvedPuzzles = () => memory.get("client.solved", listOf(isText), []);
