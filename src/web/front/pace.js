// How fast turns are shown while one plays: one choice for games, games alone, puzzles and lessons.
import { memory, oneOf } from "./settings.js";
import { labelled, select } from "./ui.js";
import { t } from "./words.js";

// How many times as fast as a game at the speed 1 a turn is shown while one plays, by name.
const PACES = { slow: 0.7, normal: 1.4, fast: 4, "at once": 40 };

/** @typedef {keyof typeof PACES} Pace */

const NAMES = /** @type {Pace[]} */ (Object.keys(PACES));

export const pace = {
  value: memory.get("client.pace", oneOf(...NAMES), "normal"),
  /** How many times as fast as a game at the speed 1. */
  get factor() {
    return PACES[this.value];
  },
};

/** The choice of the speed of chains. */
export function paceChoice() {
  const speed = select(
    NAMES.map((name) => [name, t(name)]),
    pace.value,
    { id: "pace" },
  );
  speed.addEventListener("change", () => {
    pace.value = /** @type {Pace} */ (speed.value);
    memory.set("client.pace", pace.value);
  });
  return labelled(t("Speed of chains"), speed);
}
