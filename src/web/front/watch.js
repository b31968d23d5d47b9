// Watches games: the fields, the curves, and the list of the games that are open.
import { element } from "./draw.js";
import { app } from "./app.js";
import { curves } from "./curves.js";
import { timeline } from "./timeline.js";
import { button, card, fill, row } from "./ui.js";
import { viewer } from "./viewer.js";
import { playerName, t } from "./words.js";

/** @import { Node, Study } from "./study.js" */

/**
 * A game that is open.
 * @typedef {object} OpenGame
 * @property {Study | null} study
 * @property {string} kind
 * @property {string} file the name of its file
 * @property {() => Promise<Study>} [load] makes the study of a game that has none yet
 */

export const watch = {
  /** @type {OpenGame[]} */
  games: [],
  /** @type {(() => HTMLElement[])[]} the cards of the panel before the curves, in order */
  cards: [],
  /** @type {(() => Promise<void>) | null} shows the sample game, where the page has one */
  sample: null,
  /** @type {((game: OpenGame) => Promise<void>) | null} completes a game before it is shown */
  onOpen: null,
  /** @type {(() => void) | null} called after a game has left the list */
  onClose: null,

  enter() {
    if (app.study) this.show(app.study);
    this.render();
  },

  leave() {
    viewer.pause();
    viewer.onMove = null;
  },

  /** @type {Record<string, () => void>} */
  keys: { "[": () => watch.by(-1), "]": () => watch.by(1) },

  /** @param {KeyboardEvent} event */
  key(event) {
    const act = Object.hasOwn(this.keys, event.key) ? this.keys[event.key] : null;
    if (!act) return viewer.key(event);
    act();
    return true;
  },

  /** @param {Study} study */
  show(study) {
    app.open(study);
    timeline.draw(study);
    viewer.onMove = () => curves.at();
    viewer.go(study.at);
    document.body.classList.add("studying");
  },

  /**
   * Opens a game of the list.
   * @param {OpenGame} game
   */
  async open(game) {
    viewer.pause();
    try {
      game.study ??= (await game.load?.()) ?? null;
      await this.onOpen?.(game);
    } catch (error) {
      app.fail(error);
    }
    if (!game.study) return;
    this.show(game.study);
    this.render();
  },

  /**
   * Opens the game that many places further down the list.
   * @param {number} places
   */
  by(places) {
    const game = this.games[this.games.findIndex(({ study }) => study && study === app.study) + places];
    if (game) this.open(game);
  },

  /**
   * Closes a game: it leaves the list.
   * @param {OpenGame} game
   */
  close(game) {
    viewer.pause();
    this.games = this.games.filter((one) => one !== game);
    this.onClose?.();
    this.render();
    app.say(t("{} is closed", game.file));
  },

  /**
   * Adds a game to the list.
   * @param {Study} study
   * @param {string} kind
   * @param {string} file
   */
  add(study, kind, file) {
    const game = { study, kind, file };
    this.games.push(game);
    return /** @type {OpenGame} */ (game);
  },

  render() {
    if (app.mode !== "watch") return;
    document.body.classList.toggle("studying", Boolean(app.study));
    /** @type {HTMLElement[]} */
    const shown = app.study
      ? curves.cards(app.study, (/** @type {Node} */ node) => {
          viewer.pause();
          viewer.go(node);
        })
      : [];
    fill(...this.cards.flatMap((cards) => cards()), ...shown);
  },

  // The card of the open games.
  list() {
    if (!this.games.length) return [];
    const items = this.games.map((game) => {
      const { study } = game;
      const names = [0, 1].map((seat) => playerName(study?.names ?? ["", ""], seat));
      const open = button("", () => this.open(game), { class: "link" });
      open.append(
        element("b", {}, names.join(" \u2013 ")),
        element("small", {}, `${study?.outcome?.text ?? ""} \u00b7 ${game.file}`),
      );
      const close = button("\u00d7", () => this.close(game), {
        class: "close",
        title: t("Close"),
        "aria-label": t("Close {}", game.file),
      });
      return element(
        "li",
        { class: "closable", ...(app.study === study ? { "aria-current": "true" } : {}) },
        open,
        close,
      );
    });
    return [card(t("Games"), element("ol", { class: "plain games", id: "gamelist" }, ...items))];
  },

  // The card of the game that is shown.
  about() {
    if (!app.study) return [];
    const { warning } = app.study;
    const analyse = () => {
      location.hash = "#analyse";
    };
    return [
      card(
        t("This game"),
        warning && element("p", { class: "warning", id: "warning", role: "status" }, warning),
        row(button(t("Analyse"), analyse, { class: "main", id: "toanalyse" })),
      ),
    ];
  },
};
