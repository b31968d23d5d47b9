// Variations: the tree of a study as text, and lines of one side that become variations.
import { element, SKILL_GAUGE } from "./draw.js";
import { app } from "./app.js";
import { SIGNS } from "./timeline.js";
import { button } from "./ui.js";
import { t } from "./words.js";

// The text of the turn that leads to a node, with the marks of a review.
function moved({ turn, actions, parent }) {
  const marks = parent.reviews.map((review, seat) =>
    review?.played === actions[seat] ? (SIGNS[review.mark] ?? "") : "",
  );
  return `${turn - 1}. ${actions.map((action, seat) => action + marks[seat]).join(" / ")}`;
}

// A move as a button. `go` shows the node.
function move(node, go) {
  const made = button(moved(node), () => go(node), { class: "move" });
  if (app.study.at === node) made.setAttribute("aria-current", "true");
  return made;
}

// The items of a line from a node on: its moves, each followed by the variations that leave there.
function line(node, go) {
  const items = [];
  for (let at = node; at; ) {
    const [next, ...others] = at.children;
    if (!next) break;
    items.push(move(next, go));
    for (const other of others) items.push(element("div", { class: "variation" }, move(other, go), ...line(other, go)));
    at = next;
  }
  return items;
}

export const treeOf = (study, go) =>
  element(
    "div",
    { class: "tree", role: "group", "aria-label": t("Moves") },
    button(t("Start"), () => go(study.root), {
      class: "move",
      ...(study.at === study.root ? { "aria-current": "true" } : {}),
    }),
    ...line(study.root, go),
  );

// An action of a player that does little: no chain, and low.
async function quiet(study, node, seat, options) {
  const choices = await app.host.request("choices", { position: study.position(node), seat }, options);
  const height = (choice) => Math.max(0, ...choice.cells.map(([, y]) => y));
  const rated = choices.map((choice) => [
    (choice.loses ? 1000 : 0) + 40 * choice.chain + height(choice),
    choice.action,
  ]);
  return rated.reduce((best, one) => (one[0] < best[0] ? one : best))[1];
}

// Plays a line of one side as a variation, and returns its nodes. The other side plays `others` as far
// as they go, then what it played in the game, then what does little.
export async function playLine(study, node, seat, actions, others = [], options = {}) {
  const nodes = [node];
  let played = study.next(node);
  for (const [at, action] of actions.entries()) {
    const last = nodes.at(-1);
    if (last.over || !study.pack(last)) break;
    const recorded = played?.actions[1 - seat];
    // A chain of the line may have drained the gauge of the recorded skill.
    const isLegal = recorded && (recorded !== "S" || last.players[1 - seat].gauge >= SKILL_GAUGE);
    const other = others[at] ?? (isLegal ? recorded : await quiet(study, last, 1 - seat, options));
    played = played ? study.next(played) : null;
    const pair = seat === 0 ? [action, other] : [other, action];
    nodes.push(await study.play(last, pair, [0, 0], options));
  }
  return nodes;
}
