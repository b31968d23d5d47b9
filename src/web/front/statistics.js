// The card of a person's own statistics: games, results, streaks, and the file that carries them to another browser.
import { element } from "./draw.js";
import { isResult, merged as mergedResults, results } from "./alone_run.js";
import { app } from "./app.js";
import { isDays, puzzleStreak, solvedPuzzles } from "./days.js";
import { history, isEntry, merged } from "./history.js";
import { isText, memory } from "./settings.js";
import { Study } from "./study.js";
import { button, card, download, row, table } from "./ui.js";
import { views } from "./views.js";
import { playerName, t } from "./words.js";

/** @import { Entry } from "./history.js" */
/** @import { Days } from "./days.js" */
/** @import { Result } from "./alone_run.js" */

// The games that are listed before the person asks for all of them.
const LISTED = 12;
// The number of the file's format.
const VERSION = 1;

/**
 * What the file carries.
 * @typedef {{ games: Entry[], solved: string[], daily: Days, alone: Result[] }} Carried
 */

/**
 * What a file carries. Files of earlier versions are a list of games.
 * @param {string} text
 * @returns {Carried | null} null if anything in it is wrong
 */
function readFile(text) {
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    return null;
  }
  if (Array.isArray(file)) file = { format: "tensai statistics", version: VERSION, games: file };
  const { format, version, games, solved = [], daily = { day: 0, streak: 0 }, alone = [] } = file ?? {};
  if (format !== "tensai statistics" || version !== VERSION) return null;
  const isList = (/** @type {(one: unknown) => boolean} */ fits, /** @type {unknown} */ list) =>
    Array.isArray(list) && list.every(fits);
  const isWhole = isList(isEntry, games) && isList(isText, solved) && isDays(daily) && isList(isResult, alone);
  return isWhole ? { games, solved, daily, alone } : null;
}

/** Whichever of two counts goes on, and the greater longest. @param {Days} one @param {Days} other @returns {Days} */
function mergedDays(one, other) {
  const later = one.day === other.day ? (one.streak >= other.streak ? one : other) : one.day > other.day ? one : other;
  const most = [one, other].map(({ streak, longest = 0 }) => Math.max(streak, longest));
  return { ...later, longest: Math.max(...most) };
}

export const statistics = {
  isLong: false,

  /** The text of the file. */
  text() {
    const { list: games } = history;
    const file = { games, solved: solvedPuzzles(), daily: puzzleStreak.kept, alone: results.list };
    return JSON.stringify({ format: "tensai statistics", version: VERSION, ...file });
  },

  /** Adds what a file carries: all of it, or nothing. @param {string} text */
  read(text) {
    const file = readFile(text);
    if (!file) {
      app.say(t("Nothing was added: this is no whole file of statistics that this page has saved."), true);
      return;
    }
    const games = merged(history.list, file.games);
    const isKept = memory.setAll({
      "client.history": games,
      "client.solved": [...new Set([...solvedPuzzles(), ...file.solved])],
      "client.daily": mergedDays(puzzleStreak.kept, file.daily),
      "client.alone": mergedResults(results.list, file.alone),
    });
    if (isKept) app.say(t("{} games", games.length));
    else app.say(t("Nothing was added: the browser has no room for it."), true);
    views().puzzles.reload();
    app.refresh();
  },

  /**
   * Opens a game to analyse it, or to review the actions of the person.
   * @param {Entry} entry
   * @param {boolean} reviews
   */
  async open(entry, reviews = false) {
    if (!entry.game) return;
    try {
      const study = await Study.of(app.host, entry.game);
      study.go(study.root);
      app.open(study);
      location.hash = "#analyse";
      if (reviews) views().analyse.review(entry.seats.indexOf("person"));
    } catch (error) {
      app.fail(error);
    }
  },

  /** The whole in a few numbers. */
  sums() {
    const over = history.list.filter(({ isOver, seats }) => isOver && seats.some((seat) => seat !== "person"));
    const own = (/** @type {Entry} */ { seats }) => seats.indexOf("person");
    const won = over.filter((one) => one.winner === own(one)).length;
    const chain = Math.max(0, ...over.map((one) => one.chains[own(one)]));
    const { best } = results,
      count = solvedPuzzles().length;
    const lines = [
      over.length ? [t("Games"), t("{} played, {} won", over.length, won)] : null,
      over.length ? [t("Longest chain"), String(chain)] : null,
      count ? [t("Solved puzzles"), String(count)] : null,
      puzzleStreak.longest
        ? [t("Puzzle of the day"), t("{} days in a row, at most {}", puzzleStreak.length, puzzleStreak.longest)]
        : null,
      best ? [t("Alone"), t("longest chain {}", best.chain)] : null,
    ].filter((line) => line !== null);
    if (!lines.length) return null;
    return element(
      "dl",
      { id: "sums", class: "sumlist" },
      ...lines.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]),
    );
  },

  /** @param {Entry} entry */
  item(entry) {
    const own = entry.seats.indexOf("person");
    const result = !entry.isOver
      ? t("left")
      : entry.winner === null
        ? t("draw")
        : entry.winner === own
          ? t("won")
          : t("lost");
    const open = button("", () => this.open(entry), { class: "link", ...(entry.game ? {} : { disabled: "" }) });
    const opponent = entry.game ? playerName(entry.game.names ?? ["", ""], 1 - own) : entry.seats[1 - own];
    const date = new Date(entry.date).toLocaleDateString();
    open.append(
      element("b", {}, `${result} \u00b7 ${opponent}`),
      element(
        "small",
        {},
        `${date} \u00b7 ${t("{} turns", entry.turns)} \u00b7 ${t("longest chain {}", entry.chains[own])}`,
      ),
    );
    const review = entry.game && button(t("Review"), () => this.open(entry, true), { class: "text review" });
    return element("li", {}, open, ...(review ? [review] : []));
  },

  /** The card; `names` tells the name of a seat. @param {(seat: string) => string} names */
  card(names) {
    const { list } = history;
    const byOpponent = history
      .byOpponent()
      .map(([seat, { won, played, chain }]) => [names(seat), `${won} / ${played}`, String(chain)]);
    const file = element("input", {
      type: "file",
      id: "historyfile",
      accept: ".json,application/json",
      "aria-label": t("Add games from a file"),
    });
    file.addEventListener("change", async () => {
      const [chosen] = file.files ?? [];
      if (chosen) this.read(await chosen.text());
    });
    const shown = this.isLong ? list : list.slice(0, LISTED);
    const more = () => {
      this.isLong = true;
      app.refresh();
    };
    return card(
      t("Your games"),
      this.sums(),
      byOpponent.length ? table([t("opponent"), t("won of"), t("longest chain")], byOpponent, t("Your games")) : null,
      list.length
        ? element("ol", { class: "plain games", id: "history" }, ...shown.map((entry) => this.item(entry)))
        : null,
      shown.length < list.length ? row(button(t("All {} games", list.length), more, { id: "allgames" })) : null,
      element(
        "details",
        {},
        element("summary", {}, t("Save or add")),
        element("p", { class: "soft" }, t("One file with all games, results and solved puzzles, for another browser.")),
        row(
          button(t("Save all"), () => download("tensai-statistics.json", this.text()), { id: "savehistory" }),
          file,
        ),
      ),
    );
  },
};
