// Curves over the turns of a game: stocks, potentials, and what the engines say about their positions.
import { element, svg } from "./draw.js";
import { app } from "./app.js";
import { lineOf } from "./timeline.js";
import { valued } from "./ui.js";
import { t } from "./words.js";

// Values beyond 300 ojama decide the game, and would flatten the curve.
const bent = (value) => Math.asinh(Math.max(-300, Math.min(300, value)));

const same = (value) => value;

// Each: the title, the value of a node for a seat (or `null`), its text, and the scale of the axis.
const CURVES = [
  ["Ojama in stock", (node, seat) => node.players[seat].stock, String, same],
  ["Potential: chain one block away", (node, seat) => node.shown?.potentials[seat] ?? null, String, same],
  [
    "The engines\u2019 own value, in ojama",
    (node, seat) => {
      const value = node.shown?.info?.[seat]?.value;
      return value === undefined || value === null ? null : value / 10;
    },
    (value) => valued(Math.abs(value) >= 1e5 ? Math.sign(value) * 1e5 : value),
    bent,
  ],
];

class Curve {
  constructor(study, [title, of, text, scale], go) {
    Object.assign(this, { of, text });
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
    const y = (value) => (span - (scale(value) - low) - span * 0.04).toFixed(3);
    const count = Math.max(1, this.line.length - 1);
    const path = (line) => {
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
    const seek = ({ clientX }) => {
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

  at(node) {
    const at = Math.max(0, this.line.indexOf(node));
    this.cursor.setAttribute("x1", at);
    this.cursor.setAttribute("x2", at);
    this.outputs.forEach((output, seat) => {
      const value = this.of(node, seat);
      output.textContent = value === null ? "\u2013" : this.text(value);
    });
  }
}

export const curves = {
  shown: [],
  go: null,

  // The cards of a study; `go` shows a node.
  cards(study, go) {
    this.go = go;
    this.shown = CURVES.map((curve) => new Curve(study, curve, go)).filter((curve) => !curve.isEmpty);
    this.at();
    return this.shown.map(({ box }) => box);
  },

  // Draws the curves of a study again, to which turns were added.
  renew(study) {
    const [first, ...others] = this.shown.map(({ box }) => box);
    if (!first?.isConnected) return;
    others.forEach((box) => box.remove());
    first.replaceWith(...this.cards(study, this.go));
  },

  // Moves the cursors to the node that is shown.
  at() {
    for (const curve of this.shown) curve.at(app.study.at);
  },
};
