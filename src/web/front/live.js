// A match that the server plays: its standing, and its games turn by turn as they come.
import { element } from "./draw.js";
import { app } from "./app.js";
import { board } from "./board.js";
import { curves } from "./curves.js";
import { Study } from "./study.js";
import { timeline } from "./timeline.js";
import { button, card, row, table } from "./ui.js";
import { viewer } from "./viewer.js";
import { t } from "./words.js";

/** @import { LiveGame } from "../../../target/front/live-game" */
/** @import { LiveTurn } from "../../../target/front/live-turn" */
/** @import { Results } from "../../../target/front/results" */
/** @import { List } from "../../../target/front/league-list" */
/** @import { Both } from "./draw.js" */

/** @typedef {Results | List} Standing the standing of a match, or the list of a league */

/**
 * A game of the match.
 * @typedef {object} Followed
 * @property {Study | null} study once the game is watched
 * @property {Promise<void>} queue ends when the study has all turns that have come
 * @property {(Both<number> | null)[]} lefts by turn, the time that both players have left after it
 */

/** @typedef {LiveGame & Followed} FollowedGame */

// The finished games that the page keeps, beside those that are followed or shown, as the server does.
const FINISHED = 20;

const signed = (/** @type {number} */ value) => (value > 0 ? "+" : "") + Math.round(value);

// An end of an interval.
const end = (/** @type {number | null} */ value) => (value === null ? "\u2013" : signed(value));

/** @param {{ wins: number, draws: number, losses: number }} games */
const tallied = ({ wins, draws, losses }) => `${wins}-${draws}-${losses}`;

export const live = {
  /** @type {EventSource | null} */
  source: null,
  /** @type {Standing | null} */
  standing: null,
  /** @type {Map<number, FollowedGame>} by number */
  games: new Map(),
  /** @type {number | null} the number of the game that is followed */
  followed: null,
  goesOn: false, // whether the next game is followed when that one ends
  isOver: false,
  isLost: false, // whether the program does not answer

  start() {
    if (!app.hello.live) return;
    this.source = app.host.live((name, data) => this.heard(name, data));
    // The browser asks again by itself. A program that was killed does not answer.
    this.source?.addEventListener("error", () => {
      this.isLost = true;
      this.render();
    });
    this.source?.addEventListener("open", () => {
      this.isLost = false;
      this.render();
    });
  },

  /**
   * Takes an event of the server.
   * @param {string} name
   * @param {any} data of the type that the name says
   */
  heard(name, data) {
    if (name === "standing") this.standing = data;
    if (name === "game") this.put(data);
    if (name === "end") {
      this.isOver = true;
      this.source?.close();
    }
    // A turn changes the text of its game alone: a button that is focused or pressed stays.
    if (name === "turn") this.turn(data);
    else this.render();
  },

  /** @param {LiveGame} data */
  put(data) {
    const known = this.games.get(data.number);
    this.games.set(data.number, { study: null, queue: Promise.resolve(), lefts: [], ...known, ...data });
    if (known?.study) {
      known.study.outcome = { text: data.outcome ?? "", winner: data.winner, cut: data.outcome === null, faults: [] };
      this.catchUp(data.number);
    }
    // Goes on from a game that has ended to one that runs, unless something else is looked at.
    const followed = this.followed === null ? null : this.games.get(this.followed);
    const study = followed?.study;
    const isWatched = app.mode === "watch" && study && app.study === study && study.at === study.recorded;
    if (data.outcome === null && followed && followed.outcome !== null && this.goesOn && isWatched)
      this.follow(data.number);
    // Who has just come sees a game.
    if (this.followed === null && data.outcome === null && app.mode === "watch" && !app.study) this.follow(data.number);
    this.forget();
  },

  // Forgets the oldest finished games.
  forget() {
    const isInUse = (/** @type {FollowedGame} */ { number, study }) =>
      number === this.followed || (study && study === app.study);
    const finished = [...this.games.values()].filter((game) => game.outcome !== null && !isInUse(game));
    for (const { number } of finished.slice(0, -FINISHED)) this.games.delete(number);
  },

  /** @param {LiveTurn} turn */
  turn({ number, actions, think_ms: thinkMs, left_ms: leftMs }) {
    const game = this.games.get(number);
    if (!game) return;
    game.game.actions.push(actions);
    (game.game.think_ms ??= []).push(thinkMs);
    const [first, second] = leftMs;
    game.lefts[game.game.actions.length - 1] = first === null || second === null ? null : [first, second];
    const text = document.getElementById("live" + number)?.querySelector("small");
    if (text && game.outcome === null) text.textContent = t("turn {}", game.game.actions.length);
    if (game.study) this.catchUp(number);
  },

  /**
   * Adds to a study the turns that have come, one after the other.
   * @param {number} number
   */
  catchUp(number) {
    const game = this.games.get(number);
    if (!game) return;
    game.queue = game.queue
      .then(async () => {
        const { study } = game;
        if (!study) return;
        for (let at = (study.recorded ?? study.root).path.length - 1; at < game.game.actions.length; at++) {
          const before = study.recorded ?? study.root;
          const child = await study.play(before, game.game.actions[at], game.game.think_ms?.[at] ?? [0, 0]);
          child.leftMs = game.lefts[at] ?? null;
          study.promote(child);
          study.recorded = child;
          if (app.study !== study) continue;
          const isAtEnd = study.at === before;
          if (isAtEnd) study.tip = child;
          timeline.draw(study);
          // A viewer who is behind catches up without the steps.
          const isLate = game.game.actions.length - at > 3;
          if (!isAtEnd || viewer.playing || app.mode !== "watch") timeline.at(study, board.step);
          else if (isLate || (await board.animate(child))) viewer.go(child);
        }
        if (app.study === study && app.mode === "watch") curves.renew(study);
      })
      .catch((error) => app.fail(error));
  },

  /**
   * Shows the end of a game, and its turns as they come.
   * @param {number} number
   */
  async follow(number) {
    const game = this.games.get(number);
    if (!game) return;
    this.followed = number;
    this.goesOn = game.outcome === null;
    try {
      if (!game.study) {
        const study = await Study.of(app.host, game.game);
        study.outcome = { text: game.outcome ?? "", winner: game.winner, cut: game.outcome === null, faults: [] };
        study.at = study.end;
        game.study = study;
      }
      app.modes.watch.show?.(game.study);
      viewer.go(game.study.end);
      this.catchUp(number);
    } catch (error) {
      app.fail(error);
    }
    app.refresh();
  },

  render() {
    const box = document.getElementById("livecards");
    if (!box || app.mode !== "watch") return;
    const focused = box.contains(document.activeElement) ? document.activeElement?.id : "";
    box.replaceChildren(...this.parts());
    if (focused) document.getElementById(focused)?.focus();
  },

  cards() {
    if (!app.hello.live) return [];
    return [element("div", { id: "livecards", class: "stack" }, ...this.parts())];
  },

  parts() {
    const { standing } = this;
    const running = [...this.games.values()].filter(({ outcome }) => outcome === null);
    const finished = [...this.games.values()].filter(({ outcome }) => outcome !== null).reverse();
    const link = (/** @type {FollowedGame} */ game) => {
      const open = button("", () => this.follow(game.number), { class: "link", id: "live" + game.number });
      open.append(
        element("b", {}, `${t("game {}", game.number)}: ${game.game.names.join(" \u2013 ")}`),
        element("small", {}, game.outcome ?? t("turn {}", game.game.actions.length)),
      );
      return element(
        "li",
        this.followed === game.number && app.study === game.study ? { "aria-current": "true" } : {},
        open,
      );
    };
    // The list of a league has no number of games that are planned.
    const isLeague = standing !== null && !("planned" in standing);
    const count = (/** @type {Standing} */ of) =>
      "planned" in of ? t("{} of {} games", of.played, of.planned) : t("{} games", of.played);
    const cards = [
      card(
        isLeague ? t("Running league") : t("Running match"),
        element(
          "p",
          { class: "soft" },
          [
            standing ? count(standing) : t("reading"),
            this.isLost && !this.isOver ? t("no connection: the program may have ended") : "",
            this.isOver ? (isLeague ? t("The league has stopped") : t("The match is over")) : "",
          ]
            .filter(Boolean)
            .join(" \u00b7 "),
        ),
        running.length
          ? row(
              button(t("Follow the running game"), () => this.follow(running[0].number), {
                class: "main",
                id: "followlive",
              }),
            )
          : null,
        element("ol", { class: "plain games", id: "livegames" }, ...running.map(link), ...finished.map(link)),
      ),
    ];
    if (standing) cards.push(this.ratings(standing));
    if (standing?.pairs.length) cards.push(this.pairs(standing));
    return cards;
  },

  /** @param {Standing} standing */
  ratings(standing) {
    const engines =
      "planned" in standing
        ? standing.engines.map((one) => ({ ...one, engine: one.standing.name, tally: one.standing }))
        : standing.engines;
    const rows = engines
      .toSorted((a, b) => (b.elo ?? Number.NEGATIVE_INFINITY) - (a.elo ?? Number.NEGATIVE_INFINITY))
      .map(({ engine, tally, elo, error, score }) => [
        engine,
        elo === null ? "\u2013" : `${signed(elo)} \u00b1${Math.round(error ?? 0)}`,
        tallied(tally),
        score === null ? "\u2013" : `${(score * 100).toFixed(1)}\u00a0%`,
      ]);
    return card(
      t("Standing"),
      element(
        "div",
        { class: "scroll" },
        table([t("Engine"), t("Elo"), t("won-drawn-lost"), t("Score")], rows, t("Standing")),
      ),
    );
  },

  /** @param {Standing} standing */
  pairs({ pairs }) {
    const rows = pairs.map((pair) => [
      `${pair.first} \u2013 ${pair.second}`,
      tallied(pair.tally),
      "elo" in pair && pair.elo !== null ? `${signed(pair.elo)} (${end(pair.low)} \u2026 ${end(pair.high)})` : "\u2013",
    ]);
    return card(
      t("Cross table"),
      element(
        "div",
        { class: "scroll" },
        table([t("Engines"), t("won-drawn-lost"), t("Elo, 95 %")], rows, t("Cross table")),
      ),
    );
  },
};
