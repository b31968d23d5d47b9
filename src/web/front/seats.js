// Who may play at a seat, and how games end, in words.
import { app } from "./app.js";
import { playerName, t } from "./words.js";

/** @import { Both } from "./draw.js" */

/**
 * @param {string} one
 * @param {string} other
 * @returns {[string, string]}
 */
const pair = (one, other) => [one, other];

/**
 * Who may play, and the words for it. Seats are named `person`, `level1` to `level9`, or by an engine.
 * @returns {[string, string][]}
 */
export const seatOptions = () => [
  ["person", t("A person")],
  ...app.hello.levels.map((_, at) => pair(`level${at + 1}`, t("tensai, level {}", at + 1))),
  ["greedy", t("greedy")],
  ["random", t("random")],
  ...app.hello.engines.map((name) => pair("engine:" + name, name)),
];

/** @param {string} seat */
export const isPerson = (seat) => seat === "person";

/**
 * The name of the player at a seat, as a record has it.
 * @param {string} seat
 * @param {number} at
 */
export const nameOf = (seat, at) => {
  if (isPerson(seat)) return at === 0 ? "Player" : "Player 2";
  return seat.startsWith("level") ? `tensai level ${seat.slice(5)}` : seat.replace(/^engine:/, "");
};

/**
 * The parameters of `decide` for an engine. A bot of the server gets the time that it has left.
 * @param {string} seat
 * @param {{ session: string, seed: number }} match
 * @param {number | null} leftMs
 */
export function asked(seat, { session, seed }, leftMs) {
  if (seat.startsWith("level")) return { engine: "tensai", level: Number(seat.slice(5)) };
  if (!seat.startsWith("engine:")) return { engine: seat, seed };
  const time = leftMs === null ? {} : { time_ms: Math.max(1, Math.round(leftMs)) };
  return { engine: seat.slice("engine:".length), session, ...time };
}

/** @type {Record<string, string>} */
const REASONS = {
  "danger-line": "danger line",
  "last-turn": "last turn",
  adjudication: "adjudication",
  "no-packs": "no packs",
  fault: "fault",
  time: "time ran out",
  "turn-time": "the 20 seconds of a turn ran out",
};

/**
 * The end of a game in words.
 * @param {{ winner?: number | null, reason: string } | null} over
 * @param {Both<string>} names
 */
export function ending(over, names) {
  if (!over) return "";
  const { winner, reason } = over;
  const who = winner === null || winner === undefined ? t("Draw") : t("{} wins", playerName(names, winner));
  return `${reason === "no-packs" ? t("The packs are used up") : who} \u2013 ${t(REASONS[reason] ?? reason)}`;
}
