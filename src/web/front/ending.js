// How a game ended, in words.
import { playerName, t } from "./words.js";

const REASONS = {
  "danger-line": "danger line",
  "last-turn": "last turn",
  adjudication: "adjudication",
  "no-packs": "no packs",
  fault: "fault",
  time: "time ran out",
  "turn-time": "the 20 seconds of a turn ran out",
};

// Words of the host about the end of a game.
export function ending(over, names) {
  if (!over) return "";
  const { winner, reason } = over;
  const who = winner === null || winner === undefined ? t("Draw") : t("{} wins", playerName(names, winner));
  return `${reason === "no-packs" ? t("The packs are used up") : who} \u2013 ${t(REASONS[reason] ?? reason)}`;
}
