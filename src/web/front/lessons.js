// Six small positions that teach the game. Each is a puzzle of the form that `tensai record puzzles` writes; a test
// plays each solution.
import { isTouch } from "./keys.js";
import { sentences, t } from "./words.js";

/** @import { PuzzleData } from "../../../target/front/api" */

/** @typedef {PuzzleData & { title: string, text: string }} Lesson a puzzle with words */

const EMPTY_SIDE = { field: "", stock: 0, gauge: 0, score: 0 };

/**
 * What is to be done in a lesson, with one pack.
 * @typedef {object} Task
 * @property {PuzzleData["kind"]} kind
 * @property {number} [goal]
 * @property {string} pack
 * @property {string} solution
 * @property {number} [stock]
 * @property {number} [gauge]
 */

/**
 * How something is done by keys and the mouse, or by a finger.
 * @param {string} keys
 * @param {string} touch
 */
const hands = (keys, touch) => (isTouch() ? touch : keys);

/**
 * A lesson: its title, its text, and the position of the player.
 * @param {number} number
 * @param {string} title
 * @param {string} text
 * @param {Task} task
 * @param {string[]} rows
 * @returns {Lesson}
 */
function lesson(number, title, text, { kind, goal = 0, pack, solution, stock = 0, gauge = 0 }, rows) {
  const player = { field: rows.join("\n"), stock, gauge, score: 0 };
  return {
    title,
    text,
    id: `lesson-${number}`,
    kind,
    goal,
    packs: 1,
    difficulty: 1,
    solutions: 0,
    solution: [solution],
    position: { turn: 0, packs: pack, players: [player, EMPTY_SIDE] },
  };
}

/** @type {Lesson[]} */
export const LESSONS = [
  lesson(
    1,
    "Make ten",
    "Two blocks next to each other that sum to 10 vanish. The 7 lies there: drop the 3 beside it. " +
      hands(
        "Move with the arrow keys, the mouse or the buttons. Turn with the up arrow or a button, drop with " +
          "the down arrow, a click or the button.",
        "Tap a column of the field or drag to move the pack. Tap above the dashed line to turn it. Tap the " +
          "same column again to drop it. The buttons do the same.",
      ),
    { kind: "chain", goal: 1, pack: "1031", solution: "5 2" },
    [".......7.."],
  ),
  lesson(
    2,
    "Diagonals count",
    "Neighbours touch also at a corner. The 8 is between two 6s: a 2 that lands beside the lower 6 " +
      "touches the 8 diagonally.",
    { kind: "chain", goal: 1, pack: "0121", solution: "2 2" },
    ["....6.....", "....8.....", "....6....."],
  ),
  lesson(
    3,
    "A chain",
    "What lies above vanished blocks falls, and may make ten again: that is a chain. The badge over the " +
      "field says how long it is. Find the place for a chain of 3.",
    { kind: "chain", goal: 3, pack: "9926", solution: "4 0" },
    ["...1174..."],
  ),
  lesson(
    4,
    "Ojama",
    "Chains from 2 on send ojama into the other player\u2019s stock. From a stock of 10 on, a row of them " +
      "falls each turn, and ojama never vanish. A row falls now, and column 4 is full: shorten it, or lose.",
    { kind: "survive", pack: "0636", solution: "2 2", stock: 10 },
    [
      "....8.....",
      "....8.....",
      "....6.....",
      "....8.....",
      "....8.....",
      "....6.....",
      "....8.....",
      "....6.....",
      "....6.....",
      "....8.....",
      "....8.....",
      "....6.....",
      "....8.....",
      "....6.....",
      ".68.7...8.",
      "68688.6868",
    ],
  ),
  lesson(
    5,
    "The skill",
    "Each turn with a chain fills your gauge by 8; at 80 the skill is ready. It replaces the drop: every " +
      "5 explodes with all its neighbours, except ojama. No drop saves you here. " +
      hands("Press e, or the button Skill.", "Tap the button Skill."),
    { kind: "survive", pack: "0868", solution: "S", stock: 10, gauge: 80 },
    [
      "...868....",
      "...888....",
      "...586....",
      "...665....",
      "...688....",
      "...868....",
      "...566....",
      "...886....",
      "...685....",
      "...668....",
      "...586....",
      "...668....",
      "...866....",
      "...885....",
      ".68586..8.",
      "6868686868",
    ],
  ),
  lesson(
    6,
    "The danger line",
    "A column that is over the dashed line at the end of a turn loses. Nothing can vanish here: find the " +
      "place that is low enough.",
    { kind: "survive", pack: "0686", solution: "6 0" },
    [
      ".6.6.6...6",
      "6868686..8",
      "8888888..8",
      "8686868..6",
      "6868686..8",
      "8686868..6",
      "6666666..6",
      "68686868.8",
      "8888888888",
      "8686868686",
      "6868686868",
      "8686868686",
      "6666666666",
      "6868686868",
      "8888888888",
      "8686868686",
    ],
  ),
];

/**
 * The title and the text of a lesson in the chosen language.
 * @param {{ title: string, text: string }} lesson
 */
export const words = ({ title, text }) => ({ title: t(title), text: sentences(text) });
