// Learns from the mistakes of a reviewed game: they are shown one after the other, and the person looks
// for a better action on the field. What is nearly as good as the best action counts too.
import { element } from "./draw.js";
import { app } from "./app.js";
import { board, spoken } from "./board.js";
import { Dropper } from "./dropper.js";
import { reviews, shownStudy, worth } from "./reviews.js";
import { button, card, percent, row } from "./ui.js";
import { choicesOf, playLine } from "./variations.js";
import { viewer } from "./viewer.js";
import { playerName, t } from "./words.js";

/** @import { ReviewedTurn } from "../../../target/front/api" */
/** @import { Choice, Node, Seat } from "./study.js" */
/** @typedef {{ node: Node, seat: Seat }} Place */
/** @typedef {"looking" | "rating" | "missed" | "solved" | "shown"} State */

const LOST = ["blunder", "mistake", "inaccuracy"];

/**
 * Shows the better line of a reviewed turn as a variation.
 * @param {Node} node
 * @param {Seat} seat
 */
export async function showLine(node, seat) {
  const study = shownStudy();
  const one = mistakes.review({ node, seat });
  try {
    const nodes = await playLine(study, node, seat, one.line.length ? one.line : [one.best]);
    if (app.study !== study) return;
    study.tip = /** @type {Node} */ (nodes.at(-1)).last;
    viewer.go(nodes[1]);
  } catch (error) {
    app.fail(error);
  }
}

export const mistakes = {
  places: /** @type {Place[]} */ ([]), // the turns of the series
  current: /** @type {Place | null} */ (null),
  state: /** @type {State} */ ("looking"),
  text: "",
  solved: /** @type {Set<Node>} */ (new Set()),

  /** @returns {Place[]} The marked turns of the seats of the review, in the order of the game. */
  found() {
    return reviews
      .known()
      .filter(([, one]) => LOST.includes(one.mark) && one.better)
      .map(([node, , seat]) => ({ node, seat }));
  },

  // Begins with the first mistake.
  start() {
    this.solved.clear();
    const [first] = this.found();
    if (first) this.open(first.node, first.seat);
    else app.say(t("No mistake was found: nothing better is known."));
  },

  /**
   * Lets the person look for a better action than the one of a turn.
   * @param {Node} node
   * @param {Seat} seat
   */
  async open(node, seat) {
    const isIn = (/** @type {Place} */ one) => one.node === node && one.seat === seat;
    // While the review runs, mistakes come and go: a turn is tried for itself.
    const found = reviews.running ? [] : this.found();
    const place = found.find(isIn) ?? { node, seat };
    Object.assign(this, { places: found.some(isIn) ? found : [place], current: place, state: "looking" });
    viewer.pause();
    if (shownStudy().at === node && !board.step) app.refresh();
    else viewer.go(node);
    this.text = t("Find a better action than {}.", spoken(this.review(place).played));
    try {
      const choices = await choicesOf(shownStudy(), node, seat);
      if (this.current !== place || shownStudy().at !== node) return;
      Dropper.start(seat, choices, (/** @type {Choice} */ choice) => this.tried(place, choice));
      app.refresh();
    } catch (error) {
      app.fail(error);
    }
  },

  /**
   * The review of a turn.
   * @param {Place} place
   * @returns {ReviewedTurn}
   */
  review: ({ node, seat }) => /** @type {ReviewedTurn} */ (node.reviews[seat]),

  /**
   * Rates what the person has tried.
   * @param {Place} place
   * @param {Choice} choice
   */
  async tried(place, choice) {
    const { action } = choice,
      one = this.review(place);
    board.preview(place.seat, choice, "");
    if (action === one.best) {
      this.say("solved", t("Right: {} is the best action.", spoken(action)) + ` ${worth(one.best_value)}`);
      return;
    }
    if (action === one.played) {
      this.say("missed", t("That is what was played.") + ` ${worth(one.played_value)}`);
      return;
    }
    this.say("rating", t("{} is looked at.", spoken(action)));
    try {
      const rated = await reviews.rate(place.node, place.seat, action);
      if (this.current !== place || this.state !== "rating") return;
      const value = `${worth(rated.played_value)} (${t("loses {}", percent(rated.lost_chance))})`;
      if (rated.better) this.say("missed", t("{} is not the best action.", spoken(action)) + ` ${value}`);
      else this.say("solved", t("Right: {} is as good as the best action.", spoken(action)) + ` ${value}`);
    } catch (error) {
      if (this.current === place) this.say("missed", "");
      app.fail(error);
    }
  },

  /**
   * @param {State} state
   * @param {string} text
   */
  say(state, text) {
    Object.assign(this, { state, text });
    if (state === "solved" && this.current) this.solved.add(this.current.node);
    app.say(text);
    app.refresh();
  },

  // The place of the current mistake in the series.
  get index() {
    return this.places.findIndex(({ node, seat }) => node === this.current?.node && seat === this.current?.seat);
  },

  /**
   * Goes on by some mistakes.
   * @param {number} by
   */
  go(by) {
    const { index, places } = this;
    if (index < 0) return;
    const next = places[index + by];
    Dropper.closeAll();
    if (next) {
      this.open(next.node, next.seat);
      return;
    }
    const { size } = this.solved;
    this.leave();
    app.say(t("That was the last one: {} of {} found.", size, places.length));
    app.refresh();
  },

  // Shows the better line.
  show() {
    const { current } = this;
    if (!current) return;
    this.state = "shown";
    this.text =
      t("The best action is {}.", spoken(this.review(current).best)) + ` ${worth(this.review(current).best_value)}`;
    Dropper.closeAll();
    board.clear(current.seat);
    showLine(current.node, current.seat);
  },

  card() {
    const { current, state, text } = this;
    if (!current) return null;
    const isOpen = state === "looking" || state === "missed";
    const { index, places } = this;
    const title = places.length > 1 ? t("Mistake {} of {}", index + 1, places.length) : t("Try again");
    const who = reviews.seats.length > 1 ? `${playerName(shownStudy().names, current.seat)}: ` : "";
    const again = () => this.open(current.node, current.seat);
    const close = () => {
      this.leave();
      app.refresh();
    };
    const isLast = index === places.length - 1;
    return card(
      title,
      element(
        "p",
        { id: "attempt", class: state === "solved" ? "result right" : "result", role: "status" },
        who + text,
      ),
      row(
        !Dropper.at(current.seat) && state === "missed" && button(t("Again"), again, { id: "attemptagain" }),
        state === "shown" && button(t("Back to the turn"), again, { id: "attemptback" }),
        isOpen && button(t("Show me"), () => this.show(), { id: "showme" }),
      ),
      row(
        places.length > 1 && index > 0 && button(t("Previous"), () => this.go(-1), { id: "previousmistake" }),
        places.length > 1 &&
          button(isLast ? t("Finish") : t("Next mistake"), () => this.go(1), {
            id: "nextmistake",
            ...(isOpen ? {} : { class: "main" }),
          }),
        button(t("Close"), close, { id: "closemistakes" }),
      ),
    );
  },

  /**
   * Whether the answer of a turn is hidden.
   * @param {Node} node
   * @param {Seat} seat
   */
  hides(node, seat) {
    return this.current?.node === node && this.current.seat === seat && !["solved", "shown"].includes(this.state);
  },

  leave() {
    if (!this.current) return;
    const { seat } = this.current;
    this.current = null;
    Dropper.closeAll();
    board.clear(seat);
  },

  /** @returns {Seat[]} The seats at which keys move packs. */
  get people() {
    return this.current && Dropper.at(this.current.seat) ? [this.current.seat] : [];
  },

  // Another turn is shown: the series ends, unless its own line is shown.
  moved() {
    if (this.current && this.state !== "shown" && shownStudy().at !== this.current.node) this.leave();
  },
};
