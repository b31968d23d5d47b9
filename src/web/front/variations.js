// Variations: the tree of a study as text, and lines of one side that become variations.
import { element, SKILL_GAUGE } from "./draw.js";
import { actionImage } from "./action_image.js";
import { app } from "./app.js";
import { SIGNS } from "./timeline.js";
import { button } from "./ui.js";
import { t } from "./words.js";

/** @import { RequestOptions } from "./host.js" */
/** @import { Both } from "./draw.js" */
/** @import { Choice, Node, Study } from "./study.js" */

/** The choices that were asked for, by node and seat: the host answers the same as long as the page is open.
 * @type {WeakMap<Node, Both<Promise<Choice[]> | null>>} */
const known = new WeakMap();

/**
 * All actions of a seat at a node with their effects. What has failed is asked again.
 * @param {Study} study
 * @param {Node} node
 * @param {number} seat
 * @param {RequestOptions} [options]
 * @returns {Promise<Choice[]>}
 */
export function choicesOf(study, node, seat, options = {}) {
  /** @type {Both<Promise<Choice[]> | null>} */
  const bySeat = known.get(node) ?? [null, null];
  known.set(node, bySeat);
  const asked = bySeat[seat] ?? app.host.request("choices", { position: study.position(node), seat }, options);
  bySeat[seat] = asked;
  asked.catch(() => {
    bySeat[seat] = null;
  });
  return asked;
}

/**
 * The turn that leads to a node: both actions as pictures and texts, with the marks of a review.
 * @param {Study} study
 * @param {Node} node
 */
function moved(study, { turn, actions, parent }) {
  const pack = parent ? study.pack(parent) : "";
  const parts = actions.flatMap((action, seat) => {
    const reviewed = parent?.reviews[seat];
    const sign = reviewed?.played === action ? (SIGNS[reviewed.mark ?? ""] ?? "") : "";
    return [seat ? " / " : "", actionImage(action, pack, true), ` ${action}${sign}`];
  });
  return [`${turn - 1}. `, ...parts];
}

/**
 * A move as a button. `go` shows the node.
 * @param {Study} study
 * @param {Node} node
 * @param {(node: Node) => void} go
 */
function move(study, node, go) {
  const made = button("", () => go(node), { class: "move" });
  made.append(...moved(study, node));
  if (study.at === node) made.setAttribute("aria-current", "true");
  return made;
}

/**
 * The items of a line from a node on: its moves, each followed by the variations that leave there.
 * @param {Study} study
 * @param {Node} node
 * @param {(node: Node) => void} go
 * @returns {HTMLElement[]}
 */
function line(study, node, go) {
  const items = [];
  for (let at = node; at.children.length; at = at.children[0]) {
    const [next, ...others] = at.children;
    items.push(move(study, next, go));
    for (const other of others)
      items.push(element("div", { class: "variation" }, move(study, other, go), ...line(study, other, go)));
  }
  return items;
}

/**
 * The tree of a study as buttons. `go` shows a node.
 * @param {Study} study
 * @param {(node: Node) => void} go
 */
export const treeOf = (study, go) =>
  element(
    "div",
    { class: "tree", role: "group", "aria-label": t("Moves") },
    button(t("Start"), () => go(study.root), {
      class: "move",
      ...(study.at === study.root ? { "aria-current": "true" } : {}),
    }),
    ...line(study, study.root, go),
  );

/**
 * An action of a player that does little: no chain, and low.
 * @param {Study} study
 * @param {Node} node
 * @param {number} seat
 * @param {RequestOptions} options
 */
async function quiet(study, node, seat, options) {
  const choices = await choicesOf(study, node, seat, options);
  const height = (/** @type {Choice} */ choice) => Math.max(0, ...choice.cells.map(([, y]) => Number(y)));
  const rate = (/** @type {Choice} */ choice) => (choice.loses ? 1000 : 0) + 40 * choice.chain + height(choice);
  return choices.reduce((best, one) => (rate(one) < rate(best) ? one : best)).action;
}

/**
 * Plays a line of one side as a variation, and returns its nodes. The other side plays `others` as far
 * as they go, then what it played in the game, then what does little.
 * @param {Study} study
 * @param {Node} node
 * @param {number} seat
 * @param {string[]} actions
 * @param {string[]} [others]
 * @param {RequestOptions} [options]
 */
export async function playLine(study, node, seat, actions, others = [], options = {}) {
  const nodes = [node];
  /** @type {Node | null} */
  let played = study.next(node);
  for (const [at, action] of actions.entries()) {
    const last = nodes[nodes.length - 1];
    if (last.over || !study.pack(last)) break;
    const recorded = played?.actions[1 - seat];
    // A chain of the line may have drained the gauge of the recorded skill.
    const isLegal = recorded && (recorded !== "S" || last.players[1 - seat].gauge >= SKILL_GAUGE);
    const other = others[at] ?? (isLegal ? recorded : await quiet(study, last, 1 - seat, options));
    played = played ? study.next(played) : null;
    const pair = /** @type {Both<string>} */ (seat === 0 ? [action, other] : [other, action]);
    nodes.push(await study.play(last, pair, [0, 0], options));
  }
  return nodes;
}
