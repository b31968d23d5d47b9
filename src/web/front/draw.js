// Fields on the page. A field is a text of 190 characters, row by row from the bottom.
export const WIDTH = 10;
export const ROWS = 19;
export const HEIGHT = 16;
export const SKILL_GAUGE = 80; // the gauge that the skill needs
export const EMPTY = ".".repeat(WIDTH * ROWS);
export const LETTERS = "abcdefghijklmnopqrs";

/**
 * @template T
 * @typedef {[T, T]} Both what both seats have, by the seat's number
 */

/**
 * What both seats have.
 * @template T
 * @param {(seat: number) => T} make
 * @returns {Both<T>}
 */
export const both = (make) => [make(0), make(1)];

/**
 * The element of an id that the page always has.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export const $ = (id) => /** @type {T} */ (document.getElementById(id));

/** @typedef {Record<string, string | number | boolean>} Attributes */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * Sets a custom property of an element's style.
 * @param {HTMLElement} of
 * @param {string} name
 * @param {string | number} value
 */
const style = (of, name, value) => of.style.setProperty(name, String(value));

/**
 * The blocks of a pack, of its four digits.
 * @param {string} cells
 */
export function packBlocks(cells) {
  return [...cells].flatMap((content, at) => {
    if (content === "0") return [];
    const block = element("div", { class: "cell", "data-c": content }, content);
    style(block, "--x", at % 2);
    style(block, "--y", at < 2 ? 1 : 0);
    return [block];
  });
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} attributes
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

/**
 * The place, row by row from the bottom, of the two letters of a text from `at` on.
 * @param {string} text
 * @param {number} at
 */
export const index = (text, at) => LETTERS.indexOf(text[at + 1]) * WIDTH + Number(text[at]);

/**
 * Returns the field after changes, each a place and a content.
 * @param {string} field
 * @param {string | null | undefined} changes
 */
export function changed(field, changes) {
  if (!changes) return field;
  const cells = [...field];
  for (let at = 0; at < changes.length; at += 3) cells[index(changes, at)] = changes[at + 2];
  return cells.join("");
}

/**
 * The places in a text of places.
 * @param {string} text
 */
export function places(text) {
  const found = [];
  for (let at = 0; at < text.length; at += 2) found.push(index(text, at));
  return found;
}

/**
 * The columns of a field that are over the danger line.
 * @param {string} field
 */
export const columnsOver = (field) => [...Array(WIDTH).keys()].filter((x) => field[WIDTH * HEIGHT + x] !== EMPTY[0]);

/**
 * Fills the `{}` of a text in order.
 * @param {string} text
 * @param {...unknown} values
 * @returns {string}
 */
export const filled = (text, ...values) => text.replaceAll("{}", () => String(values.shift()));

/**
 * What a side shows: its field, the marked places, the pack above it, and a badge. Cells that differ
 * from the field `ghost`, or from that of `plan`, are dashed.
 * @typedef {object} Look
 * @property {string} field
 * @property {Iterable<number>} [marks]
 * @property {boolean} [linked] whether the marks are pairs
 * @property {string} hover
 * @property {string | null} [badge]
 * @property {{ rounds: ArrayLike<string | number>, from: string } | null} [plan]
 * @property {string | null} [ghost]
 */

/** One side of the page: a player's numbers and its field. `label` returns the words of a text. */
export class Side {
  /**
   * @param {HTMLElement} root
   * @param {number} seat
   * @param {(text: string, ...values: unknown[]) => string} label
   */
  constructor(root, seat, label = filled) {
    this.root = root;
    this.label = label;
    this.name = element("b");
    this.won = element("span", { class: "won" });
    this.clock = element("span", { class: "clock", title: label("time left") });
    this.who = element("div", { class: "who" }, element("i"), this.name, this.won, this.clock);
    const sum = (/** @type {string} */ name) => {
      const bar = element("i");
      const value = element("strong");
      const note = element("span");
      const title = element("small", {}, label(name), note);
      const box = element("div", { class: name }, title, value, element("div", { class: "bar" }, bar));
      return { bar, value, note, box };
    };
    this.score = element("strong");
    this.stock = sum("stock");
    this.gauge = sum("gauge");
    const score = element("div", { class: "score" }, element("small", {}, label("score")), this.score);
    const sums = element("div", { class: "sums" }, score, this.stock.box, this.gauge.box);
    this.field = element("div", { class: "field", role: "img", id: "field" + seat });
    /** @type {HTMLElement[]} */
    this.cells = [];
    for (let at = 0; at < WIDTH * ROWS; at++) {
      const cell = element("div", { class: "cell", "data-c": ".", "aria-hidden": "true" });
      style(cell, "--x", at % WIDTH);
      style(cell, "--y", Math.floor(at / WIDTH));
      this.cells.push(cell);
      this.field.append(cell);
    }
    this.hover = element("div");
    this.links = svg("svg", { class: "bonds", viewBox: `0 0 ${WIDTH} ${ROWS}` });
    this.badge = element("div", { class: "badge" });
    // It may be longer than its box: by the focus, keys can scroll it.
    this.info = element("div", { class: "info", tabindex: "0", role: "group", "aria-label": label("this turn") });
    this.field.append(this.hover, this.links, this.badge);
    // The numbers of the columns, as actions name them.
    const columns = element(
      "div",
      { class: "columns", "aria-hidden": "true" },
      ...[...Array(WIDTH).keys()].map((x) => element("span", {}, String(x))),
    );
    root.replaceChildren(this.who, sums, this.field, columns, this.info);
    this.now = EMPTY;
  }

  /** @param {Look} look */
  show({ field, marks = [], linked, hover, badge, plan, ghost }) {
    const marked = new Set(marks);
    const rounds = plan?.rounds;
    const from = ghost ?? plan?.from;
    let tallest = 0;
    for (let at = 0; at < field.length; at++) {
      const cell = this.cells[at];
      const content = field[at];
      if (cell.dataset.c !== content) {
        cell.dataset.c = content;
        cell.textContent = content === "." || content === "#" ? "" : content;
      }
      if (content !== ".") tallest = Math.floor(at / WIDTH) + 1;
      if (marked.has(at)) cell.dataset.m = "1";
      else delete cell.dataset.m;
      const round = rounds?.[at];
      if (round) cell.dataset.r = String(round);
      else delete cell.dataset.r;
      cell.classList.toggle("ghost", Boolean(from && from[at] !== content));
    }
    this.field.classList.toggle("marking", marked.size > 0);
    this.field.classList.toggle("planning", Boolean(plan));
    this.field.classList.toggle("near", tallest >= HEIGHT - 2);
    this.field.setAttribute("aria-label", this.label("field, highest column {} of {} rows", tallest, HEIGHT));
    this.hover.replaceChildren(...this.pack(hover));
    this.links.replaceChildren(...this.lines(linked ? [...marks] : []));
    this.badge.replaceChildren(...(badge ? [element("b", {}, badge)] : []));
    this.now = field;
  }

  /** @param {string} changes */
  pack(changes) {
    const blocks = [];
    for (let at = 0; at < changes.length; at += 3) {
      const block = element("div", { class: "over", "data-c": changes[at + 2] }, changes[at + 2]);
      style(block, "--x", changes[at]);
      style(block, "--y", LETTERS.indexOf(changes[at + 1]));
      blocks.push(block);
    }
    return blocks;
  }

  /** @param {number[]} ends */
  lines(ends) {
    const lines = [];
    const x = (/** @type {number} */ at) => (at % WIDTH) + 0.5;
    const y = (/** @type {number} */ at) => ROWS - Math.floor(at / WIDTH) - 0.5;
    for (let at = 0; at + 1 < ends.length; at += 2) {
      const [a, b] = [ends[at], ends[at + 1]];
      // The line ends at the edges of the blocks, so that it does not cover the numbers.
      const along = (/** @type {(at: number) => number} */ of, /** @type {number} */ part) =>
        of(a) + (of(b) - of(a)) * part;
      lines.push(svg("line", { x1: along(x, 0.32), y1: along(y, 0.32), x2: along(x, 0.68), y2: along(y, 0.68) }));
    }
    return lines;
  }

  /**
   * Animates falling cells: `rows` has the number of rows that each cell falls. Nothing moves if the
   * viewer's system asks for reduced motion.
   * @param {Map<number, number>} rows
   * @param {number} pace
   */
  fall(rows, pace) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const size = this.cells[0].getBoundingClientRect().height + 2;
    for (const [at, count] of rows) {
      const from = { transform: `translateY(${-count * size}px)` };
      const time = Math.min(320, 90 + 22 * count) / pace;
      this.cells[at].animate([from, { transform: "none" }], { duration: time, easing: "cubic-bezier(.4,0,.9,.6)" });
    }
  }
}

/**
 * Returns the number of rows that each cell falls between two steps, for the animation only.
 * @param {string} kind the kind of the step
 * @param {string} before
 * @param {string} after
 * @param {Set<number>} gone the places that the step emptied
 * @returns {Map<number, number>}
 */
export function falls(kind, before, after, gone) {
  const rows = new Map();
  for (let x = 0; x < WIDTH; x++) {
    const column = (/** @type {string} */ field) =>
      [...Array(ROWS).keys()].map((y) => y * WIDTH + x).filter((at) => field[at] !== ".");
    const [old, now] = [column(before), column(after)];
    const stays = kind === "x" || kind === "f" ? old.filter((at) => !gone.has(at)) : old;
    now.forEach((at, place) => {
      const top = kind === "r" ? ROWS : ROWS - 2 + place - stays.length;
      const from = place < stays.length ? Math.floor(stays[place] / WIDTH) : top;
      const count = from - Math.floor(at / WIDTH);
      if (count > 0) rows.set(at, count);
    });
  }
  return rows;
}
