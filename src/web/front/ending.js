// How a game ended, in words.
import { playerName, t } from "./words.js";

/** @import { Over } from "../../../target/front/api" */

/** @type {Record<string, string>} */
const REASONS = {
  "danger-line": "danger line",
  "last-turn": "last turn",
  adjudication: "adjudication",
  "no-packs": "no packs",
  fault: "fault",
  time: "time ran out",
  "turn-time": "the 20 seconds of a turn ran out",
};

/**
 * Words about the end of a game.
 * @param {Pick<Over, "winner"> & { reason: string } | null | undefined} over the host's reason, or one of the page
 * @param {readonly string[]} names
 */
export function ending(over, names) {
  if (!over) return "";
  const { winner, reason } = over;
  const who = winner === null || winner === undefined ? t("Draw") : t("{} wins", playerName(names, winner));
  return `${reason === "no-packs" ? t("The packs are used up") : who} \u2013 ${t(REASONS[reason] ?? reason)}`;
}
