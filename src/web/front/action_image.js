// Draws an action as a small picture: the turned pack over the columns of a field.
import { svg, WIDTH } from "./draw.js";

// The cells of a pack after a number of quarter turns: upper left, upper right, lower left, lower right.
const TURNED = [
  [0, 1, 2, 3],
  [2, 0, 3, 1],
  [3, 2, 1, 0],
  [1, 3, 0, 2],
];

// The numbers of dark colors are white.
const inkOf = (/** @type {string} */ block) => (block > "5" ? "#fff" : "#17202c");

/**
 * The parts of a block whose upper left corner is at `x`, `y`.
 * @param {string} block
 * @param {number} x
 * @param {number} y
 * @param {boolean} isSmall
 */
function parts(block, x, y, isSmall) {
  const box = { x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92, rx: 0.2, fill: `var(--n${block})` };
  if (isSmall) return [svg("rect", box)];
  const text = svg("text", { x: x + 0.5, y: y + 0.83, fill: inkOf(block) });
  text.textContent = block;
  return [svg("rect", box), text];
}

/**
 * The picture of an action with a pack of four digits. A small one, for long lists, has no numbers on
 * its blocks. It stands beside the action's text; screen readers read `words` in its place, if there are any.
 * @param {string} action
 * @param {string} pack
 */
export function actionImage(action, pack, isSmall = false, words = "") {
  const image = svg("svg", {
    class: isSmall ? "action-image small" : "action-image",
    viewBox: `0 0 ${WIDTH} 2.3`,
    ...(words ? { role: "img", "aria-label": words } : { "aria-hidden": "true" }),
  });
  // A stroke under each column.
  image.append(svg("path", { class: "ground", d: `M0.1 2.2H${WIDTH}`, "stroke-dasharray": "0.8 0.2" }));
  if (action === "S") {
    image.append(svg("path", { class: "skill", d: "M0.2 1.1H4M6 1.1H9.8M3.6 0.3L6.4 1.9M6.4 0.3L3.6 1.9" }));
    return image;
  }
  const [column, rotation] = action.split(" ").map(Number);
  TURNED[rotation].forEach((from, at) => {
    const block = pack[from];
    if (block > "0") image.append(...parts(block, column + (at % 2), at < 2 ? 0 : 1, isSmall));
  });
  return image;
}
