// A game between two seats, turn by turn: persons and engines, a clock, undo, hints.
import { app } from "./app.js";
import { board, spoken } from "./board.js";
import { both } from "./draw.js";
import { Dropper } from "./dropper.js";
import { history } from "./history.js";
import { stopMeasuring } from "./reviews.js";
import { reach } from "./reach.js";
import { pace } from "./pace.js";
import { asked, ending, isPerson } from "./seats.js";
import { sound } from "./sound.js";
import { GAME_MS, unfinished } from "./unfinished.js";
import { effect, playerName, t } from "./words.js";

/** @import { FaultRecord, PositionData, Verdict } from "../../../target/front/api" */
/** @import { Both } from "./draw.js" */
/** @import { HostError } from "./host.js" */
/** @import { Choice, Node, Study } from "./study.js" */

// The contest's clock of a turn, in milliseconds.
const TURN_MS = 20_000;
// The time that is left of a turn from which a person is warned, in milliseconds.
const WARN_MS = 10_000;
// The level at which hints think.
const HINT_LEVEL = 6;

/** A game that is played: its study, who plays at each seat, and the seats whose time has run out. */
export class Match {
  /**
   * @param {Study} study
   * @param {Both<string>} seats
   * @param {boolean} hasClock
   * @param {number[] | null} lost
   * @param {string} id tells the game from others among the games of the person, also when it goes on later
   */
  constructor(study, seats, hasClock, lost = null, id = crypto.randomUUID?.() ?? String(Math.random())) {
    this.study = study;
    this.seats = seats;
    this.hasClock = hasClock;
    this.lost = lost;
    this.id = id;
    this.current = study.at;
    // The end of the game that is played is not known yet.
    study.recorded = null;
    study.outcome = null;
    const parts = Array.from(crypto.getRandomValues(new Uint32Array(4)));
    // The id of the session of a bot of the server, and the seed of drops at random.
    this.session = parts.map((part) => part.toString(16)).join("");
    this.seed = parts[0];
    /** @type {AbortController | null} what may be stopped of this turn */
    this.round = null;
    /** @type {number | null} when the persons could choose, while the clock of a turn runs */
    this.began = null;
    this.isShowing = false; // whether a turn that was played is shown
    /** @type {number | undefined} the timer of the clocks */
    this.timer = undefined;
    /** @type {{ position: PositionData, seat: number | null } | null} what a person against an engine is shown */
    this.threat = null;
    this.failed = false;
    this.hasChosen = false; // whether a person has chosen in this turn
    this.message = "";
    this.ended = false;
    if (hasClock) study.at.leftMs ??= [GAME_MS, GAME_MS];
    else for (const node of study.at.path) node.leftMs = null;
    study.clock = hasClock ? [GAME_MS, GAME_MS] : [null, null];
  }

  get people() {
    return [0, 1].filter((seat) => isPerson(this.seats[seat]));
  }
  // The node of the present turn, whatever node the study shows. If it was removed, it is the nearest
  // ancestor that is left.
  get node() {
    for (const one of this.current.path.reverse()) {
      if (one.parent && !one.parent.children.includes(one)) this.current = one.parent;
    }
    return this.current;
  }
  get isOver() {
    return Boolean(this.node.over) || this.lost !== null;
  }

  // Plays turns until the game is over, or until the match is stopped.
  async run() {
    this.stop();
    stopMeasuring();
    const round = new AbortController();
    this.round = round;
    const { signal } = round;
    try {
      while (!signal.aborted && !this.isOver) {
        await this.turn(signal);
        if (!signal.aborted) this.keep();
      }
      if (!signal.aborted) this.finish();
    } catch (error) {
      if (signal.aborted || /** @type {HostError} */ (error).code === "stopped") return;
      this.stop();
      app.fail(error);
      this.message = t("The game is kept. You can go on, or take the last turn back.");
      this.failed = true;
      app.refresh();
    }
  }

  // Whether a seat has lost by the limit of a turn, with time left for the game.
  get hasRest() {
    const { leftMs } = this.node;
    return this.lost?.some((seat) => leftMs && leftMs[seat] > 0) ?? false;
  }

  // The node to which *Undo* goes: the present turn if a person has already chosen in it, or if it is
  // being shown; else the turn before, if there is one.
  get undoTarget() {
    const isBegun = this.round && !this.ended && (this.hasChosen || this.isShowing);
    // A turn whose 20 seconds ran out begins again.
    const isLate = this.ended && this.hasRest;
    return isBegun || isLate ? this.node : this.node.parent;
  }

  /**
   * One turn: both seats choose at once.
   * @param {AbortSignal} signal
   */
  async turn(signal) {
    const { study, node } = this;
    if (this.hasClock) node.leftMs ??= [GAME_MS, GAME_MS];
    if (this.message) {
      this.message = "";
      app.refresh();
    }
    this.failed = false;
    this.hasChosen = false;
    board.isPlaying = true;
    board.show(study, node);
    app.say([t("Turn {}", node.turn), ...this.effects(node)].join(" \u00b7 "));
    const out = this.watchClock(signal);
    const chosen = await Promise.race([this.actions(signal), out]);
    clearInterval(this.timer);
    if (signal.aborted) return;
    this.began = null;
    if (chosen === null) {
      Dropper.closeAll();
      return;
    }
    const thinkMs = both((seat) => chosen[seat].time);
    const actions = both((seat) => chosen[seat].action);
    const child = await study.play(node, actions, thinkMs, { signal });
    if (signal.aborted) return;
    study.promote(child);
    const { leftMs } = node;
    if (this.hasClock && leftMs) child.leftMs = both((seat) => Math.max(0, leftMs[seat] - thinkMs[seat]));
    [0, 1].forEach((seat) => board.state(seat, ""));
    study.tip = child;
    await this.show(child, signal);
    if (signal.aborted) return;
    // They arrive while the next turn is thought about.
    [0, 1].forEach((seat) => board.send(seat, child.shown?.sent[seat] ?? 0));
    this.hasChosen = false;
    this.current = child;
    study.go(child);
  }

  /**
   * The effects of the turn before a node.
   * @param {Node} node
   */
  effects({ shown }) {
    if (!shown) return [];
    return [0, 1]
      .filter((seat) => shown.sent[seat])
      .map(
        (seat) =>
          `${playerName(this.study.names, seat)}: ${effect(shown.actions[seat], shown.chains[seat], shown.sent[seat])}`,
      );
  }

  /**
   * Shows what a turn does; a key or a click shortens it.
   * @param {Node} child
   * @param {AbortSignal} signal
   */
  async show(child, signal) {
    this.isShowing = true;
    const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    await Promise.race([board.animate(child, pace.factor), stopped]);
    this.isShowing = false;
  }

  /**
   * The actions of both seats; `null` if the match is stopped before the persons can choose.
   *
   * A worker answers one request at a time: a person's choices are asked for before an engine begins
   * to search, and the clocks begin when all persons can choose.
   * @param {AbortSignal} signal
   */
  async actions(signal) {
    const position = this.study.position(this.node);
    const choices = await Promise.all(
      [0, 1].map((seat) => {
        board.state(seat, "");
        return isPerson(this.seats[seat]) ? app.host.request("choices", { position, seat }, { signal }) : null;
      }),
    );
    if (signal.aborted) return null;
    this.began = performance.now();
    const chosen = Promise.all([0, 1].map((seat) => this.choose(seat, position, choices[seat], signal)));
    // After the request of an engine: a worker answers in turn.
    this.threat = { position, seat: this.people.length === 1 ? this.people[0] : null };
    this.showThreat();
    return chosen.finally(() => reach.stop());
  }

  // Shows a person against an engine what comes.
  showThreat() {
    const { threat } = this;
    if (threat === null || threat.seat === null || !this.round || this.ended) reach.clear();
    else reach.show(threat.position, threat.seat);
  }

  /**
   * The action of a seat, and the milliseconds that it took.
   * @param {number} seat
   * @param {PositionData} position
   * @param {Choice[] | null} choices those of a person
   * @param {AbortSignal} signal
   * @returns {Promise<{ action: string, time: number }>}
   */
  async choose(seat, position, choices, signal) {
    const time = () => this.takenMs(seat);
    if (choices) {
      return new Promise((resolve) => {
        Dropper.start(seat, choices, ({ action }) => {
          this.hasChosen = true;
          // *Undo* can be pressed in the first turn too.
          if (!this.node.parent) app.refresh();
          if (this.people.length > 1 || !Dropper.all.some(Boolean)) board.state(seat, t("has chosen"));
          resolve({ action, time: time() });
        });
      });
    }
    board.state(seat, t("thinking"));
    const params = asked(this.seats[seat], this, this.hasClock ? (this.node.leftMs?.[seat] ?? null) : null);
    const answer = await app.host.request("decide", { position, seat, ...params }, { signal });
    board.state(seat, t("has chosen"));
    return { action: answer.action, time: answer.time_ms ?? time() };
  }

  /**
   * Resolves with `null` when a person's time has run out.
   * @param {AbortSignal} signal
   * @returns {Promise<null>}
   */
  watchClock(signal) {
    if (!this.hasClock) return new Promise(() => {});
    return new Promise((resolve) => {
      this.timer = setInterval(() => {
        if (signal.aborted) {
          clearInterval(this.timer);
          return;
        }
        const choosing = this.people.filter((seat) => Dropper.at(seat));
        const leftMs = this.node.leftMs ?? [GAME_MS, GAME_MS],
          taken = both((seat) => this.takenMs(seat));
        for (const seat of choosing) {
          board.time(seat, leftMs[seat] - taken[seat]);
          const left = TURN_MS - taken[seat];
          board.state(
            seat,
            left < WARN_MS && left < leftMs[seat] - taken[seat]
              ? t("{} s for this turn", Math.max(0, Math.ceil(left / 1000)))
              : "",
            true,
          );
        }
        const late = choosing.filter((seat) => Math.min(leftMs[seat], TURN_MS) <= taken[seat]);
        if (!late.length) return;
        this.lost = late;
        const lostMs = (/** @type {number} */ seat) => (late.includes(seat) ? taken[seat] : 0);
        this.node.leftMs = both((seat) => Math.max(0, leftMs[seat] - lostMs(seat)));
        clearInterval(this.timer);
        resolve(null);
      }, 100);
    });
  }

  /**
   * The time that a seat has taken in this turn, also before the view was left or the page was loaded again.
   * @param {number} seat
   */
  takenMs(seat) {
    const running = this.began === null ? 0 : performance.now() - this.began;
    return running + (this.node.spentMs?.[seat] ?? 0);
  }

  // Stops the clock of the turn: what it has taken is not given back.
  pauseClock() {
    if (this.hasClock && this.began !== null)
      this.node.spentMs = both((seat) => (isPerson(this.seats[seat]) ? this.takenMs(seat) : 0));
    this.began = null;
  }

  stop() {
    this.pauseClock();
    this.round?.abort();
    this.round = null;
    clearInterval(this.timer);
    reach.clear();
    Dropper.closeAll();
    [0, 1].forEach((seat) => board.state(seat, ""));
  }

  // Takes turns back until a person chooses again.
  undo() {
    const target = this.undoTarget;
    if (!target) return;
    this.stop();
    this.study.recorded = null;
    this.study.outcome = null;
    this.lost = null;
    if (target !== this.node || this.ended) target.spentMs = null;
    this.ended = false;
    this.message = "";
    this.current = target;
    this.study.at = target;
    this.study.tip = target;
    this.run();
    app.refresh();
  }

  async hint() {
    const seat = this.people.find((one) => Dropper.at(one));
    if (seat === undefined || !this.round) return;
    const { signal } = this.round,
      dropper = Dropper.at(seat);
    if (!dropper) return;
    this.message = t("thinking");
    app.refresh();
    try {
      const answer = await app.host.request(
        "decide",
        { position: this.study.position(this.node), seat, engine: "tensai", level: HINT_LEVEL },
        { signal },
      );
      if (!dropper.open) {
        this.message = "";
        app.refresh();
        return;
      }
      dropper.hint(answer.action);
      const { plan_chain: chain, plan_turn: turn } = answer.report ?? {};
      this.message =
        t("Hint: {}", spoken(answer.action)) +
        (chain ? " \u2013 " + t("for a chain of {} at turn {}", chain, turn) : "");
    } catch (error) {
      this.message = "";
      app.fail(error);
    }
    app.refresh();
  }

  finish() {
    const { study, node, lost } = this;
    this.ended = true;
    reach.clear();
    const over = node.over ?? { winner: this.winnerByTime(), reason: this.hasRest ? "turn-time" : "time" };
    if (lost !== null) this.recordTime(over.winner);
    study.recorded = node;
    study.outcome = { text: ending(over, study.names), winner: over.winner ?? null, cut: false, faults: [] };
    this.message = ending(over, study.names);
    history.add(this, over.winner ?? null, true);
    unfinished.remove(this.id);
    const [person] = this.people;
    if (person !== undefined && over.winner === person) sound.won();
    else if (person !== undefined && this.people.length === 1 && over.winner !== null) sound.lost();
    board.show(study, node);
    app.say(this.message);
    app.refresh();
  }

  // The winner after the time of one player or of both has run out: the other one, or the higher score.
  winnerByTime() {
    if (this.lost?.length === 1) return 1 - this.lost[0];
    const [first, second] = this.node.players.map(({ score }) => score);
    return first === second ? null : first > second ? 0 : 1;
  }

  /**
   * Writes into the game that the time of players has run out, as a record has it.
   * @param {number | null | undefined} winner
   */
  recordTime(winner) {
    /** @type {FaultRecord} */
    const fault = { fault: "out-of-time", what: "no answer within the time" };
    /** @type {Verdict} */
    const verdict = winner === 0 ? { win: "first" } : winner === 1 ? { win: "second" } : "draw";
    const faults = both((seat) => (this.lost?.includes(seat) ? fault : null));
    const result = { verdict, faults, scores: both((seat) => this.node.players[seat].score) };
    this.study.rest.details = { ...this.study.rest.details, result };
  }

  // Keeps the game, so that a page that is closed or loaded again does not lose it.
  keep() {
    this.store();
    app.refresh();
  }

  store() {
    const { node } = this,
      spent = this.hasClock ? both((seat) => this.takenMs(seat)) : null;
    unfinished.put({
      id: this.id,
      game: this.study.game(node),
      seats: this.seats,
      clock: this.hasClock,
      left: node.leftMs,
      spent,
      lost: this.lost,
    });
  }
}
