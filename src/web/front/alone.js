// The view of a game alone: the packs of the day or other ones, the run, its result, and results of others.
import { $, columnsOver, element } from "./draw.js";
import {
  freeSeed,
  isBetter,
  isRun,
  PACKS,
  packsName,
  played,
  reached,
  results,
  runOf,
  seedOfDay,
  studyOf,
  textOf,
  unfinishedRun,
} from "./alone_run.js";
import { app } from "./app.js";
import { board } from "./board.js";
import { today } from "./days.js";
import { Dropper, endedByKey, pressed } from "./dropper.js";
import { keys } from "./keys.js";
import { pace, paceChoice } from "./pace.js";
import { linked } from "./share.js";
import { button, card, copy, fill, labelled, row } from "./ui.js";
import { t } from "./words.js";

/** @import { Result } from "./alone_run.js" */
/** @import { Choice, Node, Study } from "./study.js" */

/**
 * A run that is shown: its packs and its actions so far. `isOver` is known after the last one. `shared` has all
 * actions of a run of another person, which is shown and not played.
 * @typedef {object} Run
 * @property {number} seed
 * @property {Study} study
 * @property {boolean} isOver
 * @property {boolean} isRecord
 * @property {boolean} isBusy
 * @property {string[] | null} shared
 */

/** @param {Result | { chain: number, sent: number }} result */
const inWords = ({ chain, sent }) => `${t("longest chain {}", chain)} \u00b7 ${t("sends {}", sent)}`;

/** Why a text is no result of a game alone. @param {string} text */
export const notReceived = (text) =>
  isRun(text) ? t("This result is cut off or changed.") : t("This text has no result of a game alone.");

export const alone = {
  /** @type {Run | null} */
  run: null,
  /** @type {{ seed: number, actions: string[] } | null} a run of another person that is opened by its address */
  received: null,

  /** Keeps the run in an address for the view; returns whether there is one. @param {string} text */
  receive(text) {
    this.received = runOf(text);
    return this.received !== null;
  },

  enter() {
    const { received } = this;
    this.received = null;
    document.body.classList.add("alone");
    const unfinished = this.run ? null : unfinishedRun.get();
    if (received) this.look(received.seed, received.actions);
    else if (this.run) this.show();
    else if (unfinished) this.goOn(unfinished.seed, unfinished.actions);
    else board.empty(app.host);
    this.render();
  },

  leave() {
    document.body.classList.remove("alone");
    if (this.run) this.run.isBusy = false;
    Dropper.closeAll();
    board.stop();
  },

  get people() {
    return this.run && Dropper.at(0) ? [0] : [];
  },

  /** @param {KeyboardEvent} event */
  key(event) {
    const { run } = this;
    if (!run) return false;
    if (endedByKey(event)) return true;
    if (run.isOver && event.key === "Enter") {
      this.start(run.seed);
      return true;
    }
    const action = keys.action(event.key, "game");
    if (action === "undo") this.back();
    else if (action === "fresh") this.end();
    else return pressed(event, this.people);
    return true;
  },

  /** Begins a run on the packs of a seed. @param {number} seed */
  async start(seed) {
    await this.open(seed, null);
    this.show();
  },

  /** Goes on with a run that the page has kept. @param {number} seed @param {string[]} actions */
  async goOn(seed, actions) {
    await this.open(seed, null);
    const { run } = this;
    if (run && (await this.playAll(run, actions))) this.show();
    this.render();
  },

  /** Shows the run of another person, or an earlier one. @param {number} seed @param {string[]} actions */
  async look(seed, actions) {
    await this.open(seed, actions);
    const { run } = this;
    if (!run) return;
    this.show();
    if (!(await this.playAll(run, actions))) return;
    run.isOver = true;
    this.show();
    this.render();
  },

  /**
   * Plays the actions of a run that is known; returns whether it is still the one that is shown.
   * @param {Run} run
   * @param {string[]} actions
   */
  async playAll(run, actions) {
    try {
      for (const action of actions) {
        if (run.isOver) break;
        const child = await played(run.study, action);
        if (this.run !== run) return false;
        run.study.at = run.study.tip = child;
        run.isOver = child.over !== null;
      }
    } catch (error) {
      app.fail(error);
      if (this.run === run) this.end();
      return false;
    }
    return true;
  },

  /** @param {number} seed @param {string[] | null} shared */
  async open(seed, shared) {
    Dropper.closeAll();
    try {
      const study = await studyOf(seed);
      this.run = { seed, study, isOver: false, isRecord: false, isBusy: false, shared };
      app.say("");
    } catch (error) {
      app.fail(error);
    }
    this.render();
    $("side0").scrollIntoView?.({ block: "nearest" });
  },

  // Shows the field, and lets the person choose.
  show() {
    const { run } = this;
    if (!run || app.mode !== "alone") return;
    board.isPlaying = true;
    board.show(run.study, run.study.at);
    if (!run.isOver && !run.shared && !Dropper.at(0)) this.choose(run);
  },

  /** @param {Run} run */
  async choose(run) {
    const at = run.study.at;
    try {
      const choices = await app.host.request("choices", { position: run.study.position(at), seat: 0 });
      if (this.run !== run || run.study.at !== at || run.isBusy || app.mode !== "alone") return;
      Dropper.start(0, choices, (/** @type {Choice} */ { action }) => this.drop(run, action));
    } catch (error) {
      app.fail(error);
    }
  },

  /** Plays an action: the field changes when it has been shown. @param {Run} run @param {string} action */
  async drop(run, action) {
    const { study } = run;
    run.isBusy = true;
    const isLeft = () => this.run !== run || !run.isBusy;
    try {
      const child = await played(study, action);
      if (isLeft() || !(await board.animate(child, pace.factor)) || isLeft()) return;
      study.at = study.tip = child;
      app.forget();
      unfinishedRun.keep(run.seed, this.actions(study));
      if (child.over) this.finish(run);
    } catch (error) {
      app.fail(error);
      if (isLeft()) return;
    }
    run.isBusy = false;
    this.show();
    this.render();
  },

  /** @param {Run} run */
  finish(run) {
    const { study, seed } = run;
    run.isOver = true;
    unfinishedRun.forget();
    const { chain, sent } = reached(study.at);
    run.isRecord = results.add({ seed, actions: this.actions(study), chain, sent, date: new Date().toISOString() });
    app.say(inWords({ chain, sent }));
  },

  /** @param {Study} study */
  actions(study) {
    return study.at.path.slice(1).map(({ actions }) => actions[0]);
  },

  // Takes a drop back: the one that is being shown, or else the last one.
  back() {
    const { run } = this;
    if (!run || run.shared) return;
    const { study } = run,
      target = run.isBusy ? study.at : study.at.parent;
    if (!target) return;
    Dropper.closeAll();
    run.isBusy = false;
    study.at = study.tip = target;
    target.children = [];
    run.isOver = false;
    unfinishedRun.keep(run.seed, this.actions(study));
    app.say("");
    this.show();
    this.render();
  },

  // Back to the choice of packs.
  end() {
    Dropper.closeAll();
    if (!this.run?.shared) unfinishedRun.forget();
    this.run = null;
    this.enter();
  },

  // Plays a run that is over again before the eyes of the person.
  async replay() {
    const { run } = this;
    if (!run || run.isBusy) return;
    run.isBusy = true;
    this.render();
    for (const node of run.study.at.path.slice(1)) {
      board.show(run.study, /** @type {Node} */ (node.parent));
      if (!(await board.animate(node, 2)) || this.run !== run || app.mode !== "alone") break;
    }
    run.isBusy = false;
    this.show();
    this.render();
  },

  render() {
    if (app.mode !== "alone") return;
    const { run } = this;
    document.body.classList.toggle("playing", Boolean(run && !run.isOver && !run.shared));
    document.body.dataset.large = run ? "0" : "";
    if (!run) fill(this.startCard(), this.resultsCard(), this.openCard());
    else if (run.isOver) fill(this.endCard(run), this.turnsCard(run));
    else fill(this.runCard(run), this.turnsCard(run));
  },

  startCard() {
    const day = results.of(seedOfDay(today())),
      { best } = results;
    return card(
      t("Alone"),
      element("p", { class: "goal" }, t("The longest chain in {} packs", PACKS)),
      element("p", {}, t("One field, no opponent, no clock. On one day all players get the same packs.")),
      day ? element("p", { class: "soft", id: "alonetoday" }, `${t("Today")}: ${inWords(day)}`) : null,
      best ? element("p", { class: "soft", id: "alonebest" }, `${t("Best of all")}: ${inWords(best)}`) : null,
      row(
        button(t("Packs of today"), () => this.start(seedOfDay(today())), { class: "main", id: "alonedaily" }),
        button(t("Other packs"), () => this.start(freeSeed()), { id: "alonefree" }),
      ),
    );
  },

  /** @param {Run} run */
  runCard(run) {
    const { study, seed, shared } = run,
      at = study.at.path.length;
    const best = results.of(seed);
    return card(
      element("span", { class: "whole" }, packsName(seed)),
      element("p", { class: "goal" }, t("The longest chain in {} packs", PACKS)),
      element(
        "p",
        { class: "result", id: "message" },
        shared ? "\u2026" : `${t("Pack {} of {}", Math.min(at, PACKS), PACKS)} \u00b7 ${inWords(reached(study.at))}`,
      ),
      best ? element("p", { class: "soft" }, `${t("Best on these packs")}: ${inWords(best)}`) : null,
      row(
        button(t("Undo"), () => this.back(), { id: "undo", ...(at > 1 || run.isBusy ? {} : { disabled: "" }) }),
        button(t("Start again"), () => this.start(seed), { id: "aloneagain" }),
        button(t("End"), () => this.end(), { id: "aloneend" }),
      ),
      shared ? null : paceChoice(),
    );
  },

  /** @param {Run} run */
  endCard(run) {
    const { study, seed, shared } = run,
      result = reached(study.at),
      own = results.of(seed);
    const over = columnsOver(study.at.fields[0]);
    return card(
      element("span", { class: "whole" }, packsName(seed)),
      element("p", { class: "result big", id: "message" }, t("Longest chain {}", result.chain)),
      element(
        "p",
        { id: "alonesent" },
        t("{} ojama sent in all", result.sent) +
          (result.chain ? ` \u00b7 ${t("the chain in turn {}", result.turn)}` : ""),
      ),
      over.length ? element("p", {}, t("Column {} passed the danger line.", over[0])) : null,
      run.isRecord ? element("p", { class: "right", id: "alonerecord" }, t("Your best on these packs")) : null,
      own && !run.isRecord
        ? element("p", { class: "soft" }, `${t("Your best on these packs")}: ${inWords(own)}`)
        : null,
      shared && own && isBetter(own, result) ? element("p", { class: "soft" }, t("You were better.")) : null,
      row(
        button(shared ? t("Try these packs") : t("Play again"), () => this.start(seed), {
          class: "main",
          id: "aloneagain",
          title: t("Play again (Enter)"),
        }),
        button(t("Watch it"), () => this.replay(), { id: "alonewatch", ...(run.isBusy ? { disabled: "" } : {}) }),
        shared ? null : button(t("Undo"), () => this.back(), { id: "undo" }),
        button(t("Other packs"), () => this.start(freeSeed()), { id: "alonefree" }),
        button(t("End"), () => this.end(), { id: "aloneend" }),
      ),
      this.link(run),
    );
  },

  /** The text of a result, to copy. @param {Run} run */
  link({ study, seed }) {
    const text = linked(textOf(seed, this.actions(study)));
    const input = element("input", { type: "text", readonly: "", value: text, class: "link", "aria-label": t("link") });
    return element(
      "div",
      { class: "row shared", id: "alonelink" },
      input,
      button(t("Copy"), () => copy(input), { class: "copy" }),
      element("small", { class: "soft" }, t("Others see your run, and try the same packs.")),
    );
  },

  /** The chains of a run. @param {Run} run */
  turnsCard({ study }) {
    const chains = study.at.path.flatMap(({ turn, shown }) =>
      shown && shown.chains[0] > 1 ? [{ turn, chain: shown.chains[0], sent: shown.sent[0] }] : [],
    );
    if (!chains.length) return null;
    const items = chains
      .slice(-8)
      .reverse()
      .map(({ turn, ...one }) => element("li", {}, `${t("Turn {}", turn - 1)}: ${inWords(one)}`));
    return card(t("Chains"), element("ul", { class: "plain" }, ...items));
  },

  resultsCard() {
    const { list } = results;
    if (!list.length) return null;
    const items = list.slice(0, 10).map((result) => {
      const open = button("", () => this.look(result.seed, result.actions), { class: "link" });
      open.append(element("b", {}, packsName(result.seed)), element("small", {}, inWords(result)));
      return element("li", {}, open);
    });
    return card(t("Your results"), element("ol", { class: "plain games", id: "alonelist" }, ...items));
  },

  openCard() {
    const input = element("input", { id: "alonetext", autocomplete: "off", placeholder: "#alone=\u2026" });
    return card(
      t("A result of another person"),
      row(
        labelled(t("Text"), input),
        button(
          t("Open"),
          () => {
            if (this.receive(input.value)) this.enter();
            else app.say(notReceived(input.value), true);
          },
          { id: "aloneopen" },
        ),
      ),
    );
  },
};
app.modes.alone = alone;
