// Fields on the page. A field is a text of 190 characters, row by row from the bottom.
//
// An ES module, so that other pages can use it. The page of games has it as a part of its script.
export const WIDTH = 10;
export const ROWS = 19;
export const HEIGHT = 16;
export const SKILL_GAUGE = 80; // the gauge that the skill needs
export const EMPTY = ".".repeat(WIDTH * ROWS);
export const LETTERS = "abcdefghijklmnopqrs";

export const $ = (id) => document.getElementById(id);

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// The blocks of a pack, of its four digits.
export function packBlocks(cells) {
  return [...cells].flatMap((content, at) => {
    if (content === "0") return [];
    const block = element("div", { class: "cell", "data-c": content }, content);
    block.style.setProperty("--x", at % 2);
    block.style.setProperty("--y", at < 2 ? 1 : 0);
    return [block];
  });
}

export function svg(tag, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

export const index = (text, at) => LETTERS.indexOf(text[at + 1]) * WIDTH + Number(text[at]);

// Returns the field after changes, each a place and a content.
export function changed(field, changes) {
  if (!changes) return field;
  const cells = [...field];
  for (let at = 0; at < changes.length; at += 3) cells[index(changes, at)] = changes[at + 2];
  return cells.join("");
}

// The places in a text of places.
export function places(text) {
  const found = [];
  for (let at = 0; at < text.length; at += 2) found.push(index(text, at));
  return found;
}

// Fills the `{}` of a text in order.
export const filled = (text, ...values) => text.replaceAll("{}", () => values.shift());

// One side of the page: a player's numbers and its field. `label` returns the words of a text.
export class Side {
  constructor(root, seat, label = filled) {
    this.root = root;
    this.label = label;
    const part = (name, ...children) => (this[name] = element("div", { class: name }, ...children));
    const tag = (name, of, attributes) => (this[name] = element(of, attributes));
    part(
      "who",
      element("i"),
      tag("name", "b"),
      tag("won", "span", { class: "won" }),
      tag("clock", "span", { class: "clock", title: label("time left") }),
    );
    const sum = (name, title) => {
      const bar = element("i"),
        value = element("strong"),
        note = element("span");
      this[name] = {
        bar,
        value,
        note,
        box: element(
          "div",
          { class: name },
          element("small", {}, title, note),
          value,
          element("div", { class: "bar" }, bar),
        ),
      };
      return this[name].box;
    };
    const score = element("div", { class: "score" }, element("small", {}, label("score")), tag("score", "strong"));
    const sums = element("div", { class: "sums" }, score, sum("stock", label("stock")), sum("gauge", label("gauge")));
    this.field = element("div", { class: "field", role: "img", id: "field" + seat });
    this.cells = [];
    for (let at = 0; at < WIDTH * ROWS; at++) {
      const cell = element("div", { class: "cell", "data-c": ".", "aria-hidden": "true" });
      cell.style.setProperty("--x", at % WIDTH);
      cell.style.setProperty("--y", Math.floor(at / WIDTH));
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

  // Shows a field: its content, the marked places, the pack above it, and a badge. Cells that
  // differ from the field `ghost`, or from that of `plan`, are dashed.
  show({ field, marks, linked, hover, badge, plan, ghost }) {
    const marked = new Set(marks),
      rounds = plan ? plan.rounds : null,
      from = ghost ?? plan?.from;
    let tallest = 0;
    for (let at = 0; at < field.length; at++) {
      const cell = this.cells[at],
        content = field[at];
      if (cell.dataset.c !== content) {
        cell.dataset.c = content;
        cell.textContent = content === "." || content === "#" ? "" : content;
      }
      if (content !== ".") tallest = Math.floor(at / WIDTH) + 1;
      if (marked.has(at)) cell.dataset.m = "1";
      else delete cell.dataset.m;
      const round = rounds?.[at];
      if (round) cell.dataset.r = round;
      else delete cell.dataset.r;
      cell.classList.toggle("ghost", Boolean(from && from[at] !== content));
    }
    this.field.classList.toggle("marking", marked.size > 0);
    this.field.classList.toggle("planning", Boolean(plan));
    this.field.classList.toggle("near", tallest >= HEIGHT - 2);
    this.field.setAttribute("aria-label", this.label("field, highest column {} of {} rows", tallest, HEIGHT));
    this.hover.replaceChildren(...this.pack(hover));
    this.links.replaceChildren(...this.lines(linked ? marks : []));
    this.badge.replaceChildren(...(badge ? [element("b", {}, badge)] : []));
    this.now = field;
  }

  pack(changes) {
    const blocks = [];
    for (let at = 0; at < changes.length; at += 3) {
      const block = element("div", { class: "over", "data-c": changes[at + 2] }, changes[at + 2]);
      block.style.setProperty("--x", changes[at]);
      block.style.setProperty("--y", LETTERS.indexOf(changes[at + 1]));
      blocks.push(block);
    }
    return blocks;
  }

  lines(ends) {
    const lines = [],
      x = (at) => (at % WIDTH) + 0.5,
      y = (at) => ROWS - Math.floor(at / WIDTH) - 0.5;
    for (let at = 0; at + 1 < ends.length; at += 2) {
      const [a, b] = [ends[at], ends[at + 1]];
      // The line ends at the edges of the blocks, so that it does not cover the numbers.
      const along = (of, part) => of(a) + (of(b) - of(a)) * part;
      lines.push(svg("line", { x1: along(x, 0.32), y1: along(y, 0.32), x2: along(x, 0.68), y2: along(y, 0.68) }));
    }
    return lines;
  }

  // Animates falling cells: `rows` has the number of rows that each cell falls. Nothing moves if
  // the viewer's system asks for reduced motion.
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

// Returns the number of rows that each cell falls between two steps, for the animation only.
export function falls(kind, before, after, gone) {
  const rows = new Map();
  for (let x = 0; x < WIDTH; x++) {
    const column = (field) => [...Array(ROWS).keys()].map((y) => y * WIDTH + x).filter((at) => field[at] !== ".");
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
