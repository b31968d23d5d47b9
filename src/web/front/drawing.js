// A drawing of a position: what it has, and what a content that is put into a cell does to a field.
import { EMPTY, HEIGHT, WIDTH } from "./draw.js";

/** @import { Both } from "./draw.js" */
/** @import { Player } from "./study.js" */
/** What is drawn.
 * @typedef {{ fields: Both<string>, players: Both<Player>, turn: number, packs: string }} Drawing */
/** A drawing with the names of its players, and the drawings before the changes that *Undo* takes back, the last
 * one at the end, each with the control that has changed it.
 * @typedef {Drawing & { names: Both<string>, before: (Drawing & { control: string | null })[] }} Draft */

export const CONTENTS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "#", "."];

/**
 * The cells of all pairs of neighbours that sum to 10, pair by pair.
 * @param {string} field
 */
export function tens(field) {
  /** @type {number[]} */
  const pairs = [];
  for (let at = 0; at < field.length; at++) {
    const x = at % WIDTH;
    /** @type {[number, boolean][]} */
    const neighbours = [
      [1, x < WIDTH - 1],
      [WIDTH - 1, x > 0],
      [WIDTH, true],
      [WIDTH + 1, x < WIDTH - 1],
    ];
    for (const [by, isInside] of neighbours) {
      if (isInside && Number(field[at]) + Number(field[at + by]) === 10) pairs.push(at, at + by);
    }
  }
  return pairs;
}

// A field without what stands above the danger line.
export const belowDanger = (/** @type {string} */ field) => field.slice(0, WIDTH * HEIGHT).padEnd(EMPTY.length, ".");

/**
 * Both players again, so that a change of one drawing is none of another.
 * @param {Both<Player>} players
 * @returns {Both<Player>}
 */
export const copied = ([first, second]) => [{ ...first }, { ...second }];

/**
 * A field with a content in a cell. Cells lie on each other: what is put above a column comes to rest on
 * it, and what is above an emptied cell moves down.
 * @param {string} field
 * @param {number} at
 * @param {string} content
 */
export function placed(field, at, content) {
  const x = at % WIDTH,
    y = Math.floor(at / WIDTH),
    cells = [...field];
  const column = [];
  for (let row = 0; row < HEIGHT; row++) if (cells[row * WIDTH + x] !== ".") column.push(cells[row * WIDTH + x]);
  if (content === ".") column.splice(y, 1);
  else if (y < column.length) column[y] = content;
  else if (column.length < HEIGHT) column.push(content);
  for (let row = 0; row < HEIGHT; row++) cells[row * WIDTH + x] = column[row] ?? ".";
  return cells.join("");
}
