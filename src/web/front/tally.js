// A game that is played, in numbers: what both players have reached, and the turns, the latest first.
import { both, element } from "./draw.js";
import { totals } from "./history.js";
import { card } from "./ui.js";
import { effect, playerName, t } from "./words.js";

/** @import { Node, Study } from "./study.js" */

// The turns that are listed.
const LISTED = 30;

/**
 * A row with a number of each player beside its name.
 * @param {string} name
 * @param {number[]} numbers
 */
function pair(name, numbers) {
  const [left, right] = both((seat) => element("td", { class: "number" }, String(numbers[seat])));
  return element("tr", {}, left, element("th", { scope: "row" }, name), right);
}

/**
 * The line of a turn: what each player did, and what came of it.
 * @param {Node} node the one after the turn
 */
function line(node) {
  const { shown } = node;
  const cells = both((seat) => {
    const done = shown ? effect(node.actions[seat], shown.chains[seat], shown.sent[seat]) : "";
    const isAttack = shown && shown.sent[seat] > 0;
    return element("td", isAttack ? { class: `by${seat}` } : {}, done || "\u2013");
  });
  return element("tr", {}, cells[0], element("th", { scope: "row" }, String(node.turn - 1)), cells[1]);
}

/**
 * The card of a game up to a node.
 * @param {Study} study
 * @param {Node} node
 */
export function tally(study, node) {
  const { chains, sent } = totals(node);
  const names = both((seat) => element("th", { scope: "col", class: `by${seat}` }, playerName(study.names, seat)));
  const head = (/** @type {string} */ title) =>
    element("thead", {}, element("tr", {}, names[0].cloneNode(true), element("th", { scope: "col" }, title), names[1]));
  const turns = node.path.slice(1).reverse().slice(0, LISTED);
  return card(
    t("This game"),
    element(
      "table",
      { class: "tally" },
      element("caption", { class: "unseen" }, t("This game")),
      head(t("turn")),
      element("tbody", {}, pair(t("longest chain"), chains), pair(t("ojama sent"), sent)),
      element("tbody", { id: "turns" }, ...turns.map(line)),
    ),
  );
}
