// The view in which games are played: what is played, and the panel of the game.
import { $, both, columnsOver, element } from "./draw.js";
import { app } from "./app.js";
import { board } from "./board.js";
import { endedByKey, pressed } from "./dropper.js";
import { ACTION_WORDS, controls, keysOf } from "./controls.js";
import { history, totals } from "./history.js";
import { flick, isTouch, keys, secondTap } from "./keys.js";
import { Match } from "./match.js";
import { nameOf } from "./seats.js";
import { reach } from "./reach.js";
import { measureAccuracy } from "./reviews.js";
import { memory } from "./settings.js";
import { paceChoice } from "./pace.js";
import { setup } from "./setup.js";
import { randomSeed, Study } from "./study.js";
import { tally } from "./tally.js";
import { unfinished } from "./unfinished.js";
import { button, card, download, fill, percent, row, table } from "./ui.js";
import { views } from "./views.js";
import { playerName, t } from "./words.js";

/** @import { Api } from "../../../target/front/api" */
/** @import { Both } from "./draw.js" */
/** @import { Group } from "./keys.js" */
/** @import { Node, Seat } from "./study.js" */

export const play = {
  /** @type {Match | null} */
  match: null,

  enter() {
    if (this.match) {
      app.study = this.match.study;
      this.match.study.go(this.match.node);
      if (!this.match.ended) this.match.run();
      else {
        board.isPlaying = true;
        board.show(this.match.study, this.match.node);
      }
    } else if (!app.study) {
      this.still();
    }
    this.render();
  },

  // Empty fields, until a game is begun.
  still() {
    board.empty(app.host);
  },

  leave() {
    this.match?.stop();
  },

  /** @param {KeyboardEvent} event */
  key(event) {
    const { match } = this;
    if (!match) return false;
    if (endedByKey(event)) return true;
    if (match.ended && event.key === "Enter") {
      this.again();
      return true;
    }
    /** @type {Record<string, () => unknown>} */
    const acts = { undo: () => match.undo(), hint: () => match.hint(), fresh: () => this.fresh() };
    const act = acts[keys.action(event.key, "game") ?? ""];
    if (!act || !match.people.length) return pressed(event, this.people);
    act();
    return true;
  },

  // The seats at which keys move packs.
  get people() {
    return this.match && !this.match.ended ? this.match.people : [];
  },

  // Another game between the same players.
  again() {
    const { match } = this;
    return match && this.start(match.seats, match.hasClock, { seed: randomSeed() });
  },

  // Back to the choice of a game.
  fresh() {
    this.keepLeft();
    this.match?.stop();
    this.match = null;
    unfinished.hold(null);
    this.still();
    app.say("");
    this.render();
  },

  // A game that is left is kept among the games of the person, also one of an earlier visit.
  async keepLeft() {
    const { match } = this;
    if (match) {
      if (!match.ended) history.add(match, null, false);
      return;
    }
    await unfinished.look();
    const kept = unfinished.last;
    if (!kept) return;
    unfinished.remove(kept.id);
    try {
      const study = await Study.of(app.host, kept.game);
      history.add(
        { id: kept.id, study, node: study.end, seats: kept.seats, hasClock: kept.clock === true },
        null,
        false,
      );
    } catch {
      // What the host refuses is no game.
    }
  },

  /**
   * Begins a game.
   * @param {Both<string>} seats
   * @param {boolean} hasClock
   * @param {Api["new_game"]["params"]} params
   */
  async start(seats, hasClock, params) {
    try {
      await this.keepLeft();
      const { game } = await app.host.request("new_game", params);
      game.names = both((seat) => nameOf(seats[seat], seat));
      this.begin(await Study.of(app.host, game), seats, hasClock);
    } catch (error) {
      app.fail(error);
    }
  },

  /**
   * Plays a study from its node on.
   * @param {Study} study
   * @param {Both<string>} seats
   * @param {boolean} hasClock
   * @param {number[] | null} lost the seats whose time has run out there
   * @param {string | undefined} id that of the game if it was begun before
   */
  begin(study, seats, hasClock, lost = null, id = undefined) {
    this.match?.stop();
    app.open(study);
    const match = new Match(study, seats, hasClock, lost, id);
    this.match = match;
    unfinished.hold(match.id);
    memory.set("client.seats", seats);
    memory.set("client.clock", hasClock);
    match.run();
    this.render();
    $("side0").scrollIntoView?.({ block: "nearest" });
  },

  /**
   * Plays on from a node of a study: a study of its own, so that the other one stays as it is.
   * @param {Study} study
   * @param {Node} node
   * @param {Both<string>} seats
   * @param {boolean} hasClock
   */
  async playOn(study, node, seats, hasClock) {
    const game = study.game(node);
    // A result by time does not end the game that is played on.
    delete game.details?.result;
    game.names = both((seat) => nameOf(seats[seat], seat));
    const own = await Study.of(app.host, game);
    own.go(own.end);
    this.match?.stop();
    this.match = null;
    app.study = own;
    location.hash = "#play";
    this.begin(own, seats, hasClock);
  },

  async resume() {
    await unfinished.look();
    const kept = unfinished.last;
    if (!kept) {
      this.render();
      return;
    }
    try {
      const study = await Study.of(app.host, kept.game);
      study.go(study.end);
      if (kept.left) study.at.leftMs = kept.left;
      study.at.spentMs = kept.spent ?? null;
      this.begin(study, kept.seats, kept.clock === true, kept.lost ?? null, kept.id);
    } catch (error) {
      // The game is kept: the program may answer later.
      app.fail(error);
    }
  },

  // Saves the game up to the turn that is shown as a record.
  async save() {
    const { study } = app;
    if (!study) return;
    try {
      const file = await app.host.request("export", { game: study.game(study.at), kind: "record" });
      download(file.file_name, file.text);
    } catch (error) {
      app.fail(error);
    }
  },

  render() {
    if (app.mode !== "play") return;
    const { match } = this;
    fill(...(match ? this.matchCards(match) : setup.cards()));
    document.body.classList.toggle("setup", !match);
    document.body.classList.toggle("playing", Boolean(match?.people.length && !match.ended));
    document.body.dataset.large = match?.people.length === 1 ? String(match.people[0]) : "";
  },

  /** @param {Match} match */
  matchCards(match) {
    const people = match.people.length > 0;
    const cards = [
      card(
        match.ended ? t("Game over") : t("Turn {}", match.node.turn),
        element(
          "p",
          { class: "result" + (match.ended ? " big" : ""), id: "message" },
          match.message || [0, 1].map((seat) => playerName(match.study.names, seat)).join(" \u2013 "),
        ),
        row(
          match.failed &&
            button(
              t("Go on"),
              () => {
                match.message = "";
                match.run();
                this.render();
              },
              { class: "main", id: "goon" },
            ),
          people &&
            button(t("Undo"), () => match.undo(), {
              id: "undo",
              title: t("Take the last turn back (u)"),
              ...(match.undoTarget ? {} : { disabled: "" }),
            }),
          people &&
            !match.ended &&
            button(t("Hint"), () => match.hint(), { id: "hint", title: t("What the bot would do (h)") }),
          match.ended &&
            button(t("Play again"), () => this.again(), { class: "main", id: "again", title: t("Play again (Enter)") }),
          match.ended && people && button(t("Review my mistakes"), () => this.review(match), { id: "toreview" }),
          button(
            t("Analyse"),
            () => {
              location.hash = "#analyse";
            },
            { id: "toanalyse" },
          ),
          match.ended && button(t("Share"), () => this.share(match), { id: "toshare" }),
          button(t("Save"), () => this.save(), { id: "save", title: t("Save the game as a record") }),
          button(t("New game"), () => this.fresh(), { id: "new", title: t("New game (n)") }),
        ),
        match.ended ? this.summary(match) : null,
        paceChoice(),
        match.people.length === 1 && !match.ended ? this.reachSwitch() : null,
      ),
    ];
    if (!match.ended) cards.push(tally(match.study, match.node));
    if (people && !match.ended) cards.push(isTouch() ? this.touchCard() : this.keysCard(match));
    return cards;
  },

  // Whether what the opponent can reach is shown.
  reachSwitch() {
    const shown = element("input", { type: "checkbox", id: "showreach", ...(reach.isOn ? { checked: "" } : {}) });
    shown.addEventListener("change", () => {
      reach.set(shown.checked);
      this.match?.showThreat();
    });
    return element("label", { class: "check" }, shown, " ", t("Show what the opponent can send"));
  },

  /**
   * The game in numbers, and why it has ended.
   * @param {Match} match
   */
  summary(match) {
    const { study, node } = match,
      { chains, sent } = totals(node);
    const passed = [0, 1].flatMap((seat) => columnsOver(node.fields[seat]).map((x) => both((at) => (at ? x : seat))));
    const own = match.people.length === 1 ? match.people[0] : null;
    const why = passed.map(([seat, x]) =>
      element(
        "p",
        {},
        seat === own
          ? t("Your column {} passed the danger line.", x)
          : t("Column {} of {} passed the danger line.", x, playerName(study.names, seat)),
      ),
    );
    const show = (/** @type {number} */ seat) => {
      const shown = document.getElementById("accuracy" + seat);
      const known = node.accuracy[seat];
      if (shown && known !== null) shown.textContent = percent(known / 100);
    };
    // A bot's actions are measured by a review: a bot whose lead never shrank would have 100 %, however it plays.
    const people = /** @type {Seat[]} */ (match.people);
    if (people.length) measureAccuracy(study, node, people, show);
    const accuracy = (/** @type {number} */ seat) => {
      const known = node.accuracy[seat];
      return element("output", { id: "accuracy" + seat }, known === null ? "\u2013" : percent(known / 100));
    };
    const numbers = [0, 1].map((seat) => [
      playerName(study.names, seat),
      String(chains[seat]),
      String(sent[seat]),
      accuracy(seat),
    ]);
    return element(
      "div",
      { id: "summary" },
      ...why.slice(0, 2),
      table([t("player"), t("longest chain"), t("ojama sent"), t("accuracy")], numbers, t("Game over")),
    );
  },

  /**
   * Reviews the actions of the person.
   * @param {Match} match
   */
  review({ study, people: [seat] }) {
    app.open(study);
    location.hash = "#analyse";
    views().analyse.review(seat);
  },

  /**
   * Makes the link to the game.
   * @param {Match} match
   */
  share({ study }) {
    app.open(study);
    location.hash = "#analyse";
    views().analyse.share();
  },

  // How a finger plays, and the way to what it does.
  touchCard() {
    const line = (/** @type {string} */ gesture, /** @type {string} */ text) => [
      element("dt", {}, gesture),
      element("dd", {}, text),
    ];
    return element(
      "section",
      { class: "card", id: "touchcard" },
      element("h2", {}, t("Touch")),
      element(
        "dl",
        {},
        ...line(t("tap or drag"), t("move the pack")),
        ...line(t("tap above the line"), t("turn right")),
        ...(secondTap.isOn ? line(t("tap again"), t("drop")) : []),
        ...(flick.isOn ? line(t("flick down"), t("drop")) : []),
      ),
      row(button(t("Keys and touch"), () => controls.open(), { id: "changekeys" })),
    );
  },

  /**
   * The keys of those who play, and the way to other ones.
   * @param {Match} match
   */
  keysCard(match) {
    const line = (/** @type {Group} */ group, /** @type {string} */ action, /** @type {string} */ text) => [
      element("dt", {}, element("kbd", {}, keysOf(group, action))),
      element("dd", {}, text),
    ];
    const game = [...line("game", "undo", t("undo")), ...line("game", "hint", t("hint"))];
    const hand = (/** @type {Group} */ group, /** @type {string} */ move) => {
      const [left, right, turn, drop, skill] = ["left", "right", "turn", "drop", "skill"].map((action) =>
        keysOf(group, action),
      );
      return [
        element("dt", {}, element("kbd", {}, `${left}  ${right}`)),
        element("dd", {}, move),
        element("dt", {}, element("kbd", {}, `${turn}  ${drop}  ${skill}`)),
        element("dd", {}, t("turn, drop, skill")),
      ];
    };
    const one = ["left", "right", "turn", "back", "drop", "skill"];
    const lines =
      match.people.length === 1
        ? [...one.flatMap((action) => line("one", action, t(ACTION_WORDS[action]))), ...game]
        : [...hand("first", t("move, left player")), ...hand("second", t("move, right player"))];
    return element(
      "section",
      { class: "card keyscard" },
      element("h2", {}, t("Keys")),
      element("dl", {}, ...lines),
      row(button(t("Other keys"), () => controls.open(), { id: "changekeys" })),
    );
  },
};
