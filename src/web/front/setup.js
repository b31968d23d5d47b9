// The first screen: the choice of a game, the ways to the other parts of the page, the person's own statistics.
import { both, element } from "./draw.js";
import { app } from "./app.js";
import { controls } from "./controls.js";
import { puzzleStreak } from "./days.js";
import { history, levelOf } from "./history.js";
import { seatOptions } from "./seats.js";
import { isText, listOf, memory, oneOf } from "./settings.js";
import { statistics } from "./statistics.js";
import { randomSeed } from "./study.js";
import { button, card, labelled, row, select } from "./ui.js";
import { unfinished } from "./unfinished.js";
import { views } from "./views.js";
import { sentences, t } from "./words.js";

const RULES =
  "Blocks next to each other that sum to 10 vanish, also diagonally. What lies above falls, and the next round may " +
  "follow: a chain. Long chains send ojama to the other player. A column above the dashed line at the end of a turn " +
  "loses.";

// What a level does, in a sentence each.
const LEVEL_WORDS = [
  "piles its packs up, and attacks now and then",
  "stacks high, overlooks a lot, and sends large skills",
  "plans its first chains",
  "plans chains, and uses the skill",
  "attacks with long chains",
  "attacks early, and defends",
  "reads two turns of both sides",
  "reads three turns of both sides",
  "as strong as in a contest",
];

// The seats that are chosen at first: a level is suggested by the results of the person, other choices are kept.
function presetSeats() {
  const highest = app.hello.levels.length || 9;
  const seats = memory.get("client.seats", listOf(isText), []);
  const known = new Set(seatOptions().map(([value]) => value));
  const preset = ["person", `level${history.suggested(highest)}`];
  const chosen = [0, 1].map((at) => (known.has(seats[at]) && levelOf(seats[at]) === null ? seats[at] : preset[at]));
  if (chosen[0] !== "person" && chosen[1] !== "person" && levelOf(seats[0])) chosen[0] = seats[0];
  return chosen;
}

/**
 * What a person has asked for: a seed or a file of packs, or packs that nobody has chosen.
 * @param {string} seed
 * @param {File | undefined} file
 * @returns {Promise<{ seed?: number, packs_text?: string } | null>} null if the seed is none
 */
async function packsOf(seed, file) {
  const value = Number(seed);
  if (seed && (!Number.isSafeInteger(value) || value < 0)) return null;
  return {
    ...(seed ? { seed: value } : file ? {} : { seed: randomSeed() }),
    ...(file ? { packs_text: await file.text() } : {}),
  };
}

export const setup = {
  // What a person may do first: play, and what else there is.
  cards() {
    return [
      this.gameCard(),
      this.doors(),
      statistics.card((seat) => seatOptions().find(([value]) => value === seat)?.[1] ?? seat),
      card(t("The game"), element("p", {}, sentences(RULES))),
    ];
  },

  // The choice of a game.
  gameCard() {
    const { live } = app.hello;
    const players = presetSeats().map((seat, at) => select(seatOptions(), seat, { id: "seat" + at }));
    const about = element("p", { class: "soft", id: "aboutlevel" });
    const describe = () => {
      const words = LEVEL_WORDS[(levelOf(players[1].value) ?? 0) - 1];
      about.textContent = words ? t(words) : "";
    };
    players[1].addEventListener("change", describe);
    if (live) about.textContent = t("A match is played here: this page shows it, and plays no other games.");
    else describe();
    /** @type {[string, string][]} */
    const clocks = [
      ["none", t("no clock")],
      ["contest", t("contest clock: 3 minutes, and 20 seconds a turn")],
    ];
    const hasClock = memory.get("client.clock", oneOf(true, false), false);
    const clock = select(clocks, hasClock ? "contest" : "none", { id: "clock" });
    const seed = element("input", {
      id: "seed",
      inputmode: "numeric",
      placeholder: t("random"),
      size: "12",
      autocomplete: "off",
    });
    const file = element("input", { type: "file", id: "packfile", accept: ".txt,text/plain" });
    const start = async () => {
      const params = await packsOf(seed.value.trim(), file.files?.[0]);
      if (params) {
        const seats = both((seat) => players[seat].value);
        await views().play.start(seats, clock.value === "contest", params);
      } else app.say(t("A seed is a whole number, 0 or more"), true);
    };
    const resume = () => views().play.resume();
    return card(
      t("New game"),
      labelled(t("Opponent"), players[1]),
      about,
      button(t("Play"), start, { class: "main huge", id: "start", ...(live ? { disabled: "" } : {}) }),
      unfinished.last ? row(button(t("Continue the last game"), resume, { id: "resume" })) : null,
      element(
        "details",
        { id: "options" },
        element("summary", {}, t("Options")),
        labelled(t("Left"), players[0]),
        labelled(t("Clock"), clock),
        labelled(t("Seed of the packs"), seed),
        labelled(t("or a file of packs"), file),
        row(button(t("Keys and touch"), () => controls.open(), { id: "opencontrols" })),
      ),
    );
  },

  // Ways to the other parts of the page.
  doors() {
    /**
     * @param {string} id
     * @param {string} title
     * @param {string} text
     * @param {() => void} go
     */
    const door = (id, title, text, go) => {
      const made = button("", go, { class: "door", id });
      made.append(element("b", {}, title), element("small", {}, text));
      return made;
    };
    const to = (/** @type {string} */ view) => {
      location.hash = "#" + view;
    };
    return element(
      "div",
      { class: "doors" },
      door("learn", t("Learn in two minutes"), t("six small positions to play"), () => {
        views().puzzles.learn();
        to("puzzles");
      }),
      door("daily", t("Puzzle of the day"), puzzleStreak.length ? puzzleStreak.text : t("another one each day"), () => {
        views().puzzles.daily();
        to("puzzles");
      }),
      door("toalone", t("Alone"), t("the longest chain in 30 packs"), () => to("alone")),
      door("sample", t("Watch a game"), t("two strong bots"), () => views().watch.sample?.()),
    );
  },
};
