// Draws a position, or a step of a turn, on a canvas: both fields, their numbers, and the packs between
// them.
import { HEIGHT, index, ROWS, WIDTH } from "./draw.js";
import { look } from "./board.js";
import { playerName, t } from "./words.js";

/** @import { Node, Study } from "./study.js" */
/** @typedef {CanvasRenderingContext2D} Context */

// Pixels: a cell, the edge, the column of the packs, the lines of text above the fields.
const CELL = 20;
const EDGE = 12;
const MIDDLE = 64;
const HEAD = 46;
const FIELD = /** @type {const} */ ([WIDTH * CELL, ROWS * CELL]);
export const SIZE = /** @type {const} */ ([2 * FIELD[0] + MIDDLE + 2 * EDGE, HEAD + FIELD[1] + EDGE]);

const FONT = 'system-ui, "Segoe UI", "Hiragino Sans", "Noto Sans JP", sans-serif';
const LEFT = [EDGE, EDGE + FIELD[0] + MIDDLE]; // of each field
const PACKS = 5;

// The colors of the page as it is shown.
const NAMES = ["back", "card", "ink", "soft", "faint", "grid", "well", "first", "second", "danger", "ring", "stone"];

/** The colors of the page, light or dark. */
export function colors() {
  const style = getComputedStyle(document.documentElement);
  const names = [...NAMES, ...[...Array(9).keys()].map((at) => `n${at + 1}`)];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

/** Draws frames of one study on a canvas. */
export class Painter {
  /**
   * @param {Study} study
   * @param {number} [scale] pixels of the canvas for each of `SIZE`
   */
  constructor(study, scale = 1) {
    this.study = study;
    this.canvas = document.createElement("canvas");
    [this.canvas.width, this.canvas.height] = SIZE.map((size) => size * scale);
    this.context = /** @type {Context} */ (this.canvas.getContext("2d", { willReadFrequently: true }));
    this.context.scale(scale, scale);
    this.colors = colors();
    this.dark = document.documentElement.dataset.theme === "dark";
  }

  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   * @param {{ size: number, color: string, weight?: number, align?: CanvasTextAlign, most?: number }} look
   */
  text(text, x, y, { size, color, weight = 400, align = "left", most }) {
    const { context } = this;
    context.font = `${weight} ${size}px ${FONT}`;
    context.textAlign = align;
    context.textBaseline = "middle";
    context.fillStyle = color;
    context.fillText(text, x, y, most);
  }

  /**
   * @param {string} content
   * @param {number} x pixels from the left
   * @param {number} y pixels from the top
   * @param {number} size
   */
  block(content, x, y, size) {
    const { context } = this;
    context.fillStyle = content === "#" ? this.colors.stone : this.colors[`n${content}`];
    context.beginPath();
    context.roundRect(x + 1, y + 1, size - 2, size - 2, size * 0.2);
    context.fill();
    if (content === "#") return;
    const color = content > "5" ? "#fff" : "#17202c";
    this.text(content, x + size / 2, y + size / 2 + 0.5, { size: size * 0.66, color, weight: 700, align: "center" });
  }

  /**
   * @param {string} text
   * @param {number} left of the field
   * @param {number} seat
   */
  badge(text, left, seat) {
    const { context, colors } = this;
    context.font = `700 17px ${FONT}`;
    const width = context.measureText(text).width + 20,
      middle = left + FIELD[0] / 2;
    context.fillStyle = seat ? colors.second : colors.first;
    context.beginPath();
    context.roundRect(middle - width / 2, HEAD + 5, width, 25, 12.5);
    context.fill();
    const color = this.dark ? "#12151c" : "#fff";
    this.text(text, middle, HEAD + 18, { size: 17, color, weight: 700, align: "center" });
  }

  /** The name and the numbers of a player, after a node.
   * @param {Node} node
   * @param {number} seat */
  numbers(node, seat) {
    const { context, colors } = this,
      { score, stock, gauge } = node.players[seat],
      left = LEFT[seat];
    context.fillStyle = seat ? colors.second : colors.first;
    context.beginPath();
    // A disc for the left player, a diamond for the right one.
    const corners = [
      [6, 8],
      [13, 15],
      [6, 22],
      [-1, 15],
    ];
    if (seat) for (const [x, y] of corners) context.lineTo(left + x, y);
    else context.arc(left + 6, 15, 6, 0, 7);
    context.fill();
    const name = playerName(this.study.names, seat);
    this.text(name, left + 18, 15, { size: 14, color: colors.ink, weight: 650, most: FIELD[0] - 18 });
    const words = `${t("score")} ${score}   ${t("stock")} ${stock}   ${t("gauge")} ${gauge}`;
    this.text(words, left, 34, { size: 12, color: colors.soft, most: FIELD[0] });
  }

  /**
   * A field after the first steps of the turn that leads to `child`.
   * @param {Node} node
   * @param {Node | null} child
   * @param {number} step
   * @param {number} seat
   */
  field(node, child, step, seat) {
    const { context, colors } = this,
      left = LEFT[seat];
    const at = (/** @type {number} */ cell) =>
      /** @type {[number, number]} */ ([
        left + (cell % WIDTH) * CELL,
        HEAD + (ROWS - 1 - Math.floor(cell / WIDTH)) * CELL,
      ]);
    context.fillStyle = colors.card;
    context.fillRect(left, HEAD, ...FIELD);
    context.fillStyle = colors.grid;
    for (let x = 0; x <= WIDTH; x++) context.fillRect(left + x * CELL - (x === WIDTH ? 1 : 0), HEAD, 1, FIELD[1]);
    for (let y = 0; y <= ROWS; y++) context.fillRect(left, HEAD + y * CELL - (y === ROWS ? 1 : 0), FIELD[0], 1);
    context.fillStyle = colors.danger;
    context.fillRect(left, HEAD + (ROWS - HEIGHT) * CELL - 1, FIELD[0], 2);
    const { field, marks, rounds, linked } = look(node, child, step, seat);
    const marked = new Set(marks);
    [...field].forEach((content, cell) => {
      if (content === ".") return;
      context.globalAlpha = marked.size && !marked.has(cell) ? 0.4 : 1;
      this.block(content, ...at(cell), CELL);
    });
    context.globalAlpha = 1;
    context.strokeStyle = colors.ring;
    context.lineWidth = 2;
    for (const cell of marked) {
      const [x, y] = at(cell);
      context.strokeRect(x + 1, y + 1, CELL - 2, CELL - 2);
    }
    for (let end = 0; linked && end + 1 < marks.length; end += 2) this.link(at(marks[end]), at(marks[end + 1]));
    // The pack above the field.
    const shown = child?.shown;
    const hover = (step === 0 && shown?.hover[seat]) || "";
    for (let place = 0; place < hover.length; place += 3)
      this.block(hover[place + 2], ...at(index(hover, place)), CELL);
    const blown = shown?.steps[step - 1]?.[0] === "x" && shown.explosions[seat];
    if (rounds) this.badge(t("chain {}", rounds), left, seat);
    else if (blown) this.badge(t("skill: {}", blown), left, seat);
  }

  /** A line between two cells, which ends at the edges of their numbers.
   * @param {[number, number]} from
   * @param {[number, number]} to */
  link(from, to) {
    const { context } = this;
    const along = (/** @type {number} */ part) =>
      /** @type {[number, number]} */ ([0, 1].map((axis) => from[axis] + (to[axis] - from[axis]) * part + CELL / 2));
    context.lineWidth = 3;
    context.beginPath();
    context.moveTo(...along(0.32));
    context.lineTo(...along(0.68));
    context.stroke();
  }

  /**
   * Draws the position at a node, or after some steps of the turn that leads to `child`. The numbers are
   * those before the turn until its last step.
   * @param {Node} node
   * @param {Node | null} child
   * @param {number} step
   */
  draw(node, child = null, step = 0) {
    const { context, colors, study } = this;
    context.fillStyle = colors.back;
    context.fillRect(0, 0, ...SIZE);
    const isOver = child && step === child.shown?.steps.length;
    for (const seat of [0, 1]) {
      this.numbers(isOver ? child : node, seat);
      this.field(node, child, step, seat);
    }
    const middle = EDGE + FIELD[0] + MIDDLE / 2;
    const size = { size: 12, color: colors.soft, align: /** @type {const} */ ("center") };
    this.text(t("turn {}", node.turn), middle, HEAD + 10, size);
    for (let ahead = 0; ahead < PACKS; ahead++) {
      const cell = ahead ? 15 : 19;
      [...study.pack(node, ahead)].forEach((content, at) => {
        const [x, y] = [middle - cell + (at % 2) * cell, HEAD + 28 + ahead * 44 + (at < 2 ? 0 : cell)];
        if (content !== "0") this.block(content, x, y, cell);
      });
    }
  }
}
