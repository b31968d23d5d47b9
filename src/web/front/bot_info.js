// What an engine says about its turn, in words.
import { valued } from "./ui.js";
import { t } from "./words.js";

/** @import { BotInfo } from "../../../target/front/page" */

/**
 * The engine's values are in tenths of an ojama; those from 1,000,000 on are the end of the game.
 * @param {number} value
 */
const inOjama = (value) => valued(value / 10);

/**
 * Whether the engine has said it.
 * @template T
 * @param {T | null | undefined} value
 * @returns {value is T}
 */
const isThere = (value) => value !== undefined && value !== null;

/**
 * The lines of an engine's `info`; more of them if `isWhole`.
 * @param {BotInfo | null | undefined} info
 * @param {boolean} isWhole
 */
export function saidBy(info, isWhole) {
  if (!info) return [];
  const brief = [
    info.source,
    isThere(info.value) && t("value {}", inOjama(info.value)),
    info.plan_chain && t("plans {} at turn {}", info.plan_chain, info.plan_turn ?? "?"),
    info.opponent_chain && t("expects {} at turn {}", info.opponent_chain, info.opponent_turn ?? "?"),
  ];
  const best = info.candidates?.map(([action, value]) => `${action}: ${inOjama(Number(value))}`).join(", ");
  const whole = [
    info.plan && t("plan {}", info.plan.actions.join(", ")),
    best && t("best {}", best),
    isThere(info.depth) && t("{} plies", info.depth),
    isThere(info.width) && t("width {}", info.width),
    isThere(info.nodes) && t("{} nodes", info.nodes.toLocaleString("en")),
  ];
  const lines = isWhole ? [brief, whole] : [brief];
  return lines.map((parts) => parts.filter(Boolean).join(" \u00b7 ")).filter(Boolean);
}
