// Curves over the turns of a game: stocks, potentials, and what the engines say about their positions.
import { element, svg } from "./draw.js";
import { app } from "./app.js";
import { lineOf } from "./timeline.js";
import { valued } from "./ui.js";
import { t } from "./words.js";

/** @import { Node, Study } from "./study.js" */
/** A curve: its title, the value of a node for a seat (or `null`), its text, and the scale of the axis.
 * @typedef {{
 *   title: string,
 *   of: (node: Node, seat: number) => number | null,
 *   text: (value: number) => string,
 *   scale: (value: number) => number,
 * }} Kind */

// Values beyond 300 ojama decide the game, and would flatten the curve.
const bent = (/** @type {number} */ value) => Math.asinh(Math.max(-300, Math.min(300, value)));

const same = (/** @type {number} */ value) => value;

/** @type {Kind[]} */
const CURVES = [
  { title: "Ojama in stock", of: (node, seat) => node.players[seat].stock, text: String, scale: same },
  {
    title: "Potential: chain one block away",
    of: (node, seat) => node.shown?.potentials[seat] ?? null,
    text: String,
    scale: same,
  },
  {
    title: "The engines\u2019 own value, in ojama",
    of: (node, seat) => {
      const value = node.shown?.info?.[seat]?.value;
      return typeof value === "number" ? value / 10 : null;
    },
    text: (value) => valued(Math.abs(value) >= 1e5 ? Math.sign(value) * 1e5 : value),
    scale: bent,
  },
];

class Curve {
  /**
   * @param {Study} study
   * @param {Kind} kind
   * @param {(node: Node) => void} go shows a node
   */
  constructor(study, kind, go) {
    const { title, of, scale } = kind;
    this.kind = kind;
    this.line = lineOf(study);
    const values = [0, 1].map((seat) => this.line.map((node) => of(node, seat)));
    const all = values
      .flat()
      .filter((value) => value !== null)
      .map(scale);
    this.isEmpty = all.length === 0;
    const top = Math.max(1, ...all),
      low = Math.min(0, ...all),
      span = (top - low) * 1.08;
    const y = (/** @type {number} */ value) => (span - (scale(value) - low) - span * 0.04).toFixed(3);
    const count = Math.max(1, this.line.length - 1);
    const path = (/** @type {(number | null)[]} */ line) => {
      let text = "",
        pen = "M";
      line.forEach((value, at) => {
        if (value === null) {
          pen = "M";
          return;
        }
        text += `${pen}${at} ${y(value)}`;
        pen = "L";
      });
      return svg("path", { d: text });
    };
    this.cursor = svg("line", { y1: 0, y2: span });
    this.root = svg("svg", {
      preserveAspectRatio: "none",
      role: "img",
      viewBox: `0 0 ${count} ${span}`,
      "aria-label": t("curve: {}", t(title)),
    });
    this.root.append(
      svg("line", { class: "zero", x1: 0, x2: count, y1: y(0), y2: y(0) }),
      this.cursor,
      ...values.map(path),
    );
    const seek = (/** @type {MouseEvent} */ { clientX }) => {
      const box = this.root.getBoundingClientRect();
      const at = Math.round(((clientX - box.left) / box.width) * count);
      go(this.line[Math.max(0, Math.min(count, at, this.line.length - 1))]);
    };
    this.root.addEventListener("pointerdown", seek);
    this.root.addEventListener("pointermove", (event) => event.buttons && seek(event));
    this.outputs = [0, 1].map(() => element("output"));
    this.box = element(
      "section",
      { class: "card chart" },
      element("h2", {}, element("span", {}, t(title)), ...this.outputs),
      this.root,
    );
  }

  /** @param {Node} node */
  at(node) {
    const at = Math.max(0, this.line.indexOf(node));
    this.cursor.setAttribute("x1", String(at));
    this.cursor.setAttribute("x2", String(at));
    this.outputs.forEach((output, seat) => {
      const value = this.kind.of(node, seat);
      output.textContent = value === null ? "\u2013" : this.kind.text(value);
    });
  }
}

export const curves = {
  shown: /** @type {Curve[]} */ ([]),
  go: (/** @type {Node} */ _node) => {},

  /**
   * The cards of a study; `go` shows a node.
   * @param {Study} study
   * @param {(node: Node) => void} go
   */
  cards(study, go) {
    this.go = go;
    this.shown = CURVES.map((curve) => new Curve(study, curve, go)).filter((curve) => !curve.isEmpty);
    this.at();
    return this.shown.map(({ box }) => box);
  },

  /**
   * Draws the curves of a study again, to which turns were added.
   * @param {Study} study
   */
  renew(study) {
    const [first, ...others] = this.shown.map(({ box }) => box);
    if (!first?.isConnected) return;
    others.forEach((box) => box.remove());
    first.replaceWith(...this.cards(study, this.go));
  },

  // Moves the cursors to the node that is shown.
  at() {
    const { study } = app;
    if (study) for (const curve of this.shown) curve.at(study.at);
  },
};
