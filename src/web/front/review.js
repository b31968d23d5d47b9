// The panel of a review: what every action of a player lost, and what was better.
import { $, both, element } from "./draw.js";
import { actionImage } from "./action_image.js";
import { app } from "./app.js";
import { board } from "./board.js";
import { mistakes, showLine } from "./mistakes.js";
import { reviews, STRENGTHS, shownStudy, worth } from "./reviews.js";
import { memory } from "./settings.js";
import { SIGNS, timeline } from "./timeline.js";
import { button, card, labelled, percent, row, select } from "./ui.js";
import { viewer } from "./viewer.js";
import { playerName, t } from "./words.js";

/** @import { ReviewedTurn } from "../../../target/front/api" */
/** @import { Node, Seat } from "./study.js" */

const LEAST = 0.005; // a smaller loss of win probability is printed as 0 %
const FALL = 0.1; // a fall of the win probability that asks for a reason
// Of one turn, and of several.
const NAMES = {
  blunder: ["blunder", "blunders"],
  mistake: ["mistake", "mistakes"],
  inaccuracy: ["inaccuracy", "inaccuracies"],
  good: ["good move", "good moves"],
};
const MARKS = /** @type {(keyof typeof NAMES)[]} */ (Object.keys(NAMES));

const signed = (/** @type {number} */ part) => {
  const whole = Math.round(100 * part);
  return whole > 0 ? `+${whole}` : String(whole + 0);
};

export const review = {
  stop: () => reviews.stop(),

  // Stops unless the study that is reviewed is shown.
  stopOther() {
    if (reviews.running?.study !== app.study) reviews.stop();
  },

  async run() {
    mistakes.leave();
    reviews.onProgress = () => this.progress();
    const run = reviews.run();
    app.refresh();
    const isDone = await run;
    timeline.draw(shownStudy());
    timeline.at(shownStudy(), board.step);
    app.refresh();
    return isDone;
  },

  // Reviews the game and begins the series of its mistakes when the review is complete: until then the playouts
  // may take mistakes off and find other ones.
  async learn() {
    const isDone = await this.run();
    // Unless the person has gone elsewhere meanwhile.
    if (isDone && !mistakes.current && $("reviewlist")) mistakes.start();
  },

  // How far the review is, in words.
  get count() {
    const { done, of } = reviews;
    return done < of || of === 0 ? `${done} / ${of}` : t("The costly turns are played out.");
  },

  progress() {
    const bar = /** @type {HTMLProgressElement | null} */ ($("reviewbar"));
    if (!bar) return;
    timeline.draw(shownStudy());
    timeline.at(shownStudy(), board.step);
    bar.value = reviews.done;
    $("reviewcount").textContent = this.count;
    $("reviewlist")?.replaceChildren(...this.items());
  },

  cards() {
    const study = shownStudy();
    const names = both((seat) => playerName(study.names, seat));
    /** @type {[Seat | "both", string][]} */
    const options = [
      [0, names[0]],
      [1, names[1]],
      ["both", t("both")],
    ];
    const seats = select(options, reviews.seat, { id: "reviewseat" });
    seats.addEventListener("change", () => {
      reviews.stop();
      mistakes.leave();
      reviews.choose(seats.value === "both" ? "both" : /** @type {Seat} */ (Number(seats.value)));
      app.refresh();
    });
    const strength = select(
      STRENGTHS.map(([nodes, name]) => [nodes, t(name)]),
      reviews.nodes,
      { id: "reviewstrength" },
    );
    strength.addEventListener("change", () => {
      reviews.nodes = Number(strength.value);
      memory.set("client.reviewnodes", reviews.nodes);
    });
    const stop = () => {
      reviews.stop();
      app.refresh();
    };
    const start = reviews.running
      ? button(t("Stop"), stop, { id: "stopreview" })
      : button(t("Review the game"), () => this.run(), { class: "main", id: "runreview" });
    start.disabled = !study.end.parent;
    const known = reviews.known();
    const learn =
      known.length > 0 &&
      !reviews.running &&
      !mistakes.current &&
      button(t("Learn from mistakes"), () => mistakes.start(), { id: "learnmistakes" });
    const bar =
      reviews.running &&
      row(
        element("progress", {
          id: "reviewbar",
          max: Math.max(1, reviews.of),
          value: reviews.done,
          "aria-label": t("Review"),
        }),
        element("output", { id: "reviewcount" }, this.count),
      );
    const list = element("ol", { id: "reviewlist", class: "plain reviews" }, ...this.items());
    return [
      mistakes.card(),
      card(
        t("Review"),
        row(labelled(t("For"), seats), labelled(t("Strength"), strength)),
        row(start, learn),
        bar,
        ...reviews.seats.map((seat) => this.counts(seat)),
      ),
      known.length || reviews.running ? card(t("Turns"), list) : null,
    ].filter(Boolean);
  },

  /**
   * What the review of a seat has found, in numbers.
   * @param {Seat} seat
   */
  counts(seat) {
    const own = reviews.known().filter(([, , of]) => of === seat);
    if (!own.length) return null;
    const count = (/** @type {string} */ mark) => own.filter(([, one]) => one.mark === mark).length;
    const lost = own.reduce((sum, [, one]) => sum + one.lost, 0) / own.length;
    const worst = own.find(([, one]) => one.rank === 1);
    const accuracy = shownStudy().end.accuracy[seat];
    return element(
      "p",
      { class: "counts" },
      reviews.seats.length > 1 ? element("b", { class: "count" }, playerName(shownStudy().names, seat)) : "",
      accuracy === null ? "" : element("span", { class: "count accuracy" }, t("accuracy {}", percent(accuracy / 100))),
      ...MARKS.map((mark) =>
        element(
          "span",
          { class: "count " + mark },
          element("b", {}, SIGNS[mark]),
          ` ${count(mark)} ${t(NAMES[mark][count(mark) === 1 ? 0 : 1])}`,
        ),
      ),
      element("span", { class: "count" }, t("mean loss {} ojama", lost.toFixed(1))),
      // A turn of a game that was lost before cost nothing.
      worst && worst[1].lost_chance >= LEAST ? this.costliest(worst[0], worst[1]) : "",
    );
  },

  /**
   * The turn that cost most, as `tensai replay blunders` names it.
   * @param {Node} node
   * @param {ReviewedTurn} one
   */
  costliest(node, { turn, lost_chance: lost }) {
    return button(t("turn {} cost most: {}", turn, percent(lost)), () => viewer.go(node), {
      class: "link",
      id: "costliest",
    });
  },

  // The marked turns, the shown one with what was better.
  items() {
    const { at } = shownStudy();
    return reviews
      .known()
      .filter(([node, one]) => one.mark || node === at)
      .map(([node, one, seat]) => {
        const now = node === at;
        const open = button("", () => viewer.go(node), { class: "link " + one.mark });
        const sign = one.mark ? SIGNS[one.mark] : "";
        const picture = actionImage(one.played, shownStudy().pack(node), true);
        open.append(element("b", {}, sign), picture, ` ${t("turn {}", one.turn)}: ${one.played}`);
        if (reviews.seats.length > 1)
          open.append(element("span", { class: "soft" }, ` ${playerName(shownStudy().names, seat)}`));
        const lost = [
          one.lost_chance >= LEAST && percent(one.lost_chance),
          one.lost > 0 && t("{} ojama", one.lost.toFixed(1)),
        ].filter(Boolean);
        if (lost.length) open.append(element("span", { class: "soft" }, ` ${t("loses {}", lost.join(", "))}`));
        const item = element("li", now ? { class: "now", "aria-current": "true" } : {}, open);
        // The answer is hidden while it is looked for.
        if (now && !mistakes.hides(node, seat)) item.append(this.better(node, one, seat));
        return item;
      });
  },

  /**
   * The better action, with the line that shows its value; or why there is none.
   * @param {Node} node
   * @param {ReviewedTurn} one
   * @param {Seat} seat
   */
  better(node, one, seat) {
    const { played, best, better, chance, after } = one;
    const chances =
      typeof after === "number" ? `${percent(chance ?? 0)} \u2192 ${percent(after)}` : percent(chance ?? 0);
    const verdict = better
      ? [t("better"), " ", element("b", {}, better), `: ${worth(one.best_value)}`]
      : [this.noBetter(one)];
    return element(
      "div",
      { class: "better" },
      element("p", {}, t("played"), ` ${played}: ${worth(one.played_value)}`),
      element("p", {}, ...verdict),
      typeof chance === "number" ? element("p", { class: "chances" }, t("win probability: {}", chances)) : "",
      !better && typeof chance === "number" && typeof after === "number" && chance - after >= FALL
        ? element("p", {}, t("It fell, but no action is known that would have saved it."))
        : "",
      one.playouts ? element("p", { class: "playouts" }, this.playedOut(one)) : "",
      played === best || !better
        ? ""
        : row(
            button(t("Show the line"), () => showLine(node, seat), { id: "showline" }),
            button(t("Try again"), () => mistakes.open(node, seat), { id: "tryagain" }),
          ),
    );
  },

  /** @param {ReviewedTurn} one */
  noBetter({ played, best, playouts }) {
    if (played === best) return t("This is the best action.");
    if (playouts?.is_refuted) return t("The search prefers {}, but the playouts what was played.", best);
    return t("As good as the best action, {}.", best);
  },

  /**
   * How often each of the two actions wins when the engine plays the game on.
   * @param {ReviewedTurn} one
   */
  playedOut({ played, best, playouts: compared }) {
    if (!compared) return "";
    const verdict = compared.is_confirmed
      ? "a loss"
      : compared.is_refuted
        ? "no loss"
        : compared.difference.low === compared.difference.high
          ? "they say nothing"
          : "not certain";
    const { mean, low, high } = compared.difference;
    const difference = `${signed(mean)}\u00a0% (${t("{} to {}", signed(low), signed(high))})`;
    return t(
      "played out {} times: {} wins {}, {} wins {}, difference {}: {}",
      compared.playouts,
      played,
      percent(compared.played.chance),
      best,
      percent(compared.best.chance),
      difference,
      t(verdict),
    );
  },

  leave() {
    mistakes.leave();
  },

  // The seats at which keys move packs.
  get people() {
    return mistakes.people;
  },

  moved() {
    mistakes.moved();
    app.refresh();
  },
};
