// The time line of a game: attacks, the marks of a review, the win probability, and the turn shown.
import { $, svg } from "./draw.js";
import { t } from "./words.js";

/** @import { Node, Study } from "./study.js" */

/** The signs of the marks of a review.
 * @type {Record<string, string>} */
export const SIGNS = { blunder: "??", mistake: "?", inaccuracy: "?!", good: "!" };

// The nodes of the line that is followed, from the root to its tip.
export const lineOf = (/** @type {Study} */ study) => study.tip.path;

/**
 * Attacks: the first player's above the middle, the second player's below it. A longer chain has a
 * longer bar, a skill has a ring.
 * @param {Node[]} line
 */
function attacks(line) {
  /** @type {SVGElement[]} */
  const parts = [];
  line.slice(1).forEach((node, at) => {
    for (const seat of [0, 1]) {
      const chain = node.shown?.chains[seat] ?? 0,
        skill = node.actions[seat] === "S";
      if (chain < 1 && !skill) continue;
      const isAttack = chain >= 3 || skill;
      const height = Math.min(46, Math.max(skill ? 18 : 0, 3 + chain * 3));
      parts.push(
        svg("rect", {
          class: (isAttack ? "attack" : "small") + " by" + seat,
          x: at + 0.15,
          width: 0.7,
          y: seat ? 51 : 49 - height,
          height,
          ...(skill ? { stroke: "var(--ink)", "stroke-width": 2, "vector-effect": "non-scaling-stroke" } : {}),
        }),
      );
    }
  });
  return parts;
}

/**
 * The chance of the first player to win, as a curve: by its own review, or else by the other seat's.
 * @param {Node[]} line
 */
export function chances(line) {
  return line.map((node) => {
    const [first, second] = node.reviews;
    if (first?.chance !== undefined && first?.chance !== null) return first.chance;
    return second?.chance === undefined || second?.chance === null ? null : 1 - second.chance;
  });
}

/** @param {(number | null)[]} values */
function curve(values) {
  let path = "",
    pen = "M";
  values.forEach((value, at) => {
    if (value === null) {
      pen = "M";
      return;
    }
    path += `${pen}${at} ${(100 - value * 100).toFixed(1)}`;
    pen = "L";
  });
  return path ? [svg("path", { class: "chance", d: path })] : [];
}

/**
 * The marks of a review: a sign above or below, by seat, where something was lost. A variation has
 * no mark where its action is not the reviewed one.
 * @param {Node[]} line
 * @param {number} count of turns
 */
function marks(line, count) {
  return line.flatMap((node, at) =>
    [0, 1].flatMap((seat) => {
      const { mark = "", played } = node.reviews[seat] ?? {};
      if (!mark || !SIGNS[mark] || mark === "good" || line[at + 1]?.actions[seat] !== played) return [];
      const sign = document.createElement("i");
      sign.className = `mark ${mark} by${seat}`;
      sign.textContent = SIGNS[mark];
      sign.style.left = `${(100 * (at + 0.5)) / count}%`;
      return [sign];
    }),
  );
}

export const timeline = {
  tip: /** @type {Node | null} */ (null), // the last node of the line that is drawn

  /** @param {Study} study */
  draw(study) {
    this.tip = study.tip;
    const line = lineOf(study),
      count = Math.max(1, line.length - 1);
    const root = $("attacks");
    root.setAttribute("viewBox", `0 0 ${count} 100`);
    root.replaceChildren(
      svg("line", { x1: 0, x2: count, y1: 50, y2: 50, class: "middle" }),
      ...attacks(line),
      ...curve(chances(line)),
    );
    $("marks").replaceChildren(...marks(line, count));
    /** @type {HTMLInputElement} */ ($("seek")).max = String(line.length - 1);
    this.at(study, 0);
  },

  /**
   * Shows the place: the node of the study, and how much of its turn has been shown.
   * @param {Study} study
   * @param {number} step
   */
  at(study, step) {
    const line = lineOf(study),
      place = line.indexOf(study.at),
      count = Math.max(1, line.length - 1);
    const steps = line[place + 1]?.shown?.steps.length ?? 0;
    $("cursor").style.left = `${(100 * (place + (steps ? step / (steps + 1) : 0))) / count}%`;
    const seek = /** @type {HTMLInputElement} */ ($("seek"));
    seek.value = String(place);
    seek.setAttribute("aria-valuetext", t("Turn {}", study.at.turn));
  },
};
