// What an engine says about its turn, in words.
import { valued } from "./ui.js";
import { t } from "./words.js";

// The engine's values are in tenths of an ojama; those from 1,000,000 on are the end of the game.
const inOjama = (value) => valued(value / 10);

// The lines of an engine's `info`; more of them if `isWhole`.
export function saidBy(info, isWhole) {
  if (!info) return [];
  const brief = [
    info.source,
    info.value !== undefined && t("value {}", inOjama(info.value)),
    info.plan_chain && t("plans {} at turn {}", info.plan_chain, info.plan_turn ?? "?"),
    info.opponent_chain && t("expects {} at turn {}", info.opponent_chain, info.opponent_turn ?? "?"),
  ];
  const best = info.candidates?.map(([action, value]) => `${action}: ${inOjama(value)}`).join(", ");
  const whole = [
    info.plan && t("plan {}", info.plan.actions.join(", ")),
    best && t("best {}", best),
    info.depth !== undefined && t("{} plies", info.depth),
    info.width !== undefined && t("width {}", info.width),
    info.nodes !== undefined && t("{} nodes", info.nodes.toLocaleString("en")),
  ];
  const lines = isWhole ? [brief, whole] : [brief];
  return lines.map((parts) => parts.filter(Boolean).join(" \u00b7 ")).filter(Boolean);
}
