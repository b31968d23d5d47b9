// The reviews of a game: asks the host for them, and keeps them at the nodes of the study.
import { app } from "./app.js";
import { isText, listOf, memory, oneOf } from "./settings.js";
import { valued } from "./ui.js";
import { t } from "./words.js";

/** @import { ReviewedTurn, ReviewedValue, ReviewResult } from "../../../target/front/api" */
/** @import { Node, Seat, Study } from "./study.js" */
/** @typedef {AbortController & { study: Study }} Running */

/** @type {[number, string][]} */
export const STRENGTHS = [
  [20_000, "very quick"],
  [100_000, "quick"],
  [500_000, "normal"],
  [3_000_000, "deep"],
];
// The drops of each turn with which the end of a game measures the accuracy, without playouts.
const QUICK = 20_000;
const PLAYOUTS = 64; // with each of two actions

/** @type {(Seat | "both")[]} */
const SEATS = [0, 1, "both"];

const isNumber = Number.isFinite;
const isValue = (/** @type {any} */ value) =>
  typeof value === "object" && value !== null && (value.alpha_beta === null || isNumber(value.alpha_beta));
const arePlayouts = (/** @type {any} */ one) =>
  (one ?? null) === null ||
  (isNumber(one.playouts) &&
    [one.difference?.mean, one.difference?.low, one.difference?.high, one.played?.chance, one.best?.chance].every(
      isNumber,
    ));

/**
 * Whether a stored value, which may be anything, has the form of a review of a turn.
 * @param {any} one
 * @returns {one is ReviewedTurn}
 */
export const isReview = (one) =>
  typeof one === "object" &&
  one !== null &&
  [one.mark, one.played, one.best, one.better ?? ""].every(isText) &&
  [one.turn, one.lost, one.lost_chance].every(isNumber) &&
  listOf(isText)(one.line) &&
  isValue(one.played_value) &&
  isValue(one.best_value) &&
  [one.chance ?? 0, one.after ?? 0].every(isNumber) &&
  arePlayouts(one.playouts);

/**
 * The value of an action, with the chain that it leads to.
 * @param {ReviewedValue} value
 */
export const worth = ({ alpha_beta: search, chain, turn }) =>
  valued(search) + (chain ? ` \u00b7 ${t("{} at turn {}", chain, turn)}` : "");

/** @type {Map<Node, AbortController>} */
const measured = new Map(); // the ends of games that are measured now

/** Stops what {@link measureAccuracy} does. */
export function stopMeasuring() {
  for (const controller of measured.values()) controller.abort();
  measured.clear();
}

/**
 * Measures the accuracy of some players in the game up to a node, by a quick review, unless it is known
 * already. `show` is called with a seat and its accuracy in percent, as soon as that is known.
 * @param {Study} study
 * @param {Node} node
 * @param {Seat[]} seats
 * @param {(seat: Seat, accuracy: number) => void} show
 */
export async function measureAccuracy(study, node, seats, show) {
  const game = study.game(node);
  delete game.think_ms;
  const controller = measured.get(node) ?? new AbortController();
  const isOther = measured.has(node);
  measured.set(node, controller);
  try {
    for (const seat of seats) {
      if (node.accuracy[seat] === null && !isOther) {
        /** @type {ReviewResult} */
        const { accuracy } = await app.host.request("review", { game, seat, nodes: QUICK }, controller);
        node.accuracy[seat] ??= accuracy ?? null;
      }
      if (node.accuracy[seat] !== null) show(seat, node.accuracy[seat]);
    }
  } catch (error) {
    app.fail(error);
  } finally {
    if (!isOther) measured.delete(node);
  }
}

/** The study that is shown: there is one wherever a review is. */
export const shownStudy = () => /** @type {Study} */ (app.study);

export const reviews = {
  seat: memory.get("client.reviewseat", oneOf(...SEATS)) ?? SEATS[0],
  nodes: /** @type {number} */ (memory.get("client.reviewnodes", oneOf(...STRENGTHS.map(([nodes]) => nodes)), 100_000)),
  running: /** @type {Running | null} */ (null), // the controller of the search
  done: 0,
  of: 0,
  onDone: /** @type {(() => void) | null} */ (null), // what else is done once a game has been reviewed
  onProgress: /** @type {(() => void) | null} */ (null), // shows what is known

  /** @param {Seat | "both"} seat */
  choose(seat) {
    this.seat = seat;
    memory.set("client.reviewseat", seat);
  },

  /** @returns {Seat[]} The seats that are reviewed. */
  get seats() {
    return this.seat === "both" ? [0, 1] : [this.seat];
  },

  stop() {
    this.running?.abort();
    this.running = null;
  },

  /** @returns {[Node, ReviewedTurn, Seat][]} The reviews of the seats along the game, by turn. */
  known() {
    return shownStudy().end.path.flatMap((node) =>
      this.seats.flatMap((seat) => {
        const one = node.reviews[seat];
        return one ? [/** @type {[Node, ReviewedTurn, Seat]} */ ([node, one, seat])] : [];
      }),
    );
  },

  // Reviews the game, whatever variation is shown. Tells whether the review is complete.
  async run() {
    this.stop();
    const study = shownStudy(),
      { seats, nodes } = this;
    const line = study.end.path;
    const running = Object.assign(new AbortController(), { study });
    Object.assign(this, { running, done: 0, of: seats.length * (line.length - 1) });
    for (const node of line) for (const seat of seats) node.reviews[seat] = null;
    let isDone = false;
    try {
      for (const [at, seat] of seats.entries()) await this.search(running, line, seat, nodes, at * (line.length - 1));
      isDone = true;
    } catch (error) {
      app.fail(error);
    }
    if (this.running !== running) return false;
    this.running = null;
    this.onDone?.();
    return isDone;
  },

  /**
   * Reviews the actions of a seat along a line; `before` turns were reviewed before.
   * @param {Running} running
   * @param {Node[]} line
   * @param {Seat} seat
   * @param {number} nodes
   * @param {number} before
   */
  async search({ study, signal }, line, seat, nodes, before) {
    const keep = (/** @type {ReviewedTurn} */ one) => {
      line[one.turn - line[0].turn].reviews[seat] = one;
    };
    const game = study.game(line.at(-1));
    delete game.think_ms;
    /** @type {ReviewResult} */
    const result = await app.host.request(
      "review",
      { game, seat, nodes, playouts: PLAYOUTS },
      {
        signal,
        onProgress: (/** @type {{ done: number, review?: ReviewedTurn }} */ { done, review: one }) => {
          if (!one) return;
          keep(one);
          this.done = before + done;
          this.onProgress?.();
        },
      },
    );
    result.reviews.forEach(keep);
    const last = /** @type {Node} */ (line.at(-1));
    last.accuracy[seat] = result.accuracy ?? null;
  },

  /**
   * Reviews an action in place of the one that was played. It is played out where only playouts tell
   * that the played one lost something.
   * @param {Node} node
   * @param {Seat} seat
   * @param {string} action
   * @returns {Promise<ReviewedTurn>}
   */
  async rate(node, seat, action) {
    const game = shownStudy().game(node),
      { turn } = node;
    const [first, second] = node.children[0].actions;
    delete game.think_ms;
    delete game.details;
    game.actions.push(seat === 0 ? [action, second] : [first, action]);
    const playouts = node.reviews[seat]?.playouts?.is_confirmed ? PLAYOUTS : 0;
    const params = { game, seat, nodes: this.nodes, playouts, from: turn, to: turn };
    /** @type {ReviewResult} */
    const result = await app.host.request("review", params);
    return result.reviews[0];
  },
};
