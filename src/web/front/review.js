// Reviews a game: every action of a player is searched again, and what it lost is marked.
import { $, element } from "./draw.js";
import { app } from "./app.js";
import { board, spoken } from "./board.js";
import { Dropper } from "./dropper.js";
import { isText, listOf, memory, oneOf } from "./settings.js";
import { SIGNS, timeline } from "./timeline.js";
import { button, card, labelled, percent, row, select, valued } from "./ui.js";
import { playLine } from "./variations.js";
import { viewer } from "./viewer.js";
import { playerName, t } from "./words.js";

const STRENGTHS = [
  [20_000, "very quick"],
  [100_000, "quick"],
  [500_000, "normal"],
  [3_000_000, "deep"],
];
const signed = (part) => {
  const whole = Math.round(100 * part);
  return whole > 0 ? `+${whole}` : String(whole + 0);
};
const PLAYOUTS = 64; // with each of two actions
const LEAST = 0.005; // a smaller loss of win probability is printed as 0 %
// Of one turn, and of several.
const NAMES = {
  blunder: ["blunder", "blunders"],
  mistake: ["mistake", "mistakes"],
  inaccuracy: ["inaccuracy", "inaccuracies"],
  good: ["good move", "good moves"],
};

const isNumber = Number.isFinite;
const isValue = (value) =>
  typeof value === "object" && value !== null && (value.alpha_beta === null || isNumber(value.alpha_beta));
const arePlayouts = (one) =>
  (one ?? null) === null ||
  (isNumber(one.playouts) &&
    [one.difference?.mean, one.difference?.low, one.difference?.high, one.played?.chance, one.best?.chance].every(
      isNumber,
    ));

// Whether a stored value has the form of a review of a turn.
export const isReview = (one) =>
  typeof one === "object" &&
  one !== null &&
  [one.mark, one.played, one.best].every(isText) &&
  [one.turn, one.lost].every(isNumber) &&
  listOf(isText)(one.line) &&
  isValue(one.played_value) &&
  isValue(one.best_value) &&
  [one.chance ?? 0, one.lost_chance ?? 0].every(isNumber) &&
  arePlayouts(one.playouts);

export const review = {
  seat: 0,
  nodes: memory.get("client.reviewnodes", oneOf(...STRENGTHS.map(([nodes]) => nodes)), 100_000),
  running: null, // the controller of the search, with the study that is reviewed
  done: 0,
  of: 0,
  onDone: null, // what else is done once a game has been reviewed
  trying: null, // the review whose turn is tried again

  stop() {
    this.running?.abort();
    this.running = null;
  },

  // Stops unless the study that is reviewed is shown.
  stopOther() {
    if (this.running?.study !== app.study) this.stop();
  },

  // The nodes of the line that is followed whose reviews of the seat are known.
  known() {
    return app.study.tip.path.filter((node) => node.reviews[this.seat]);
  },

  async run() {
    this.stop();
    const { study } = app,
      { seat, nodes } = this,
      line = study.tip.path;
    const running = Object.assign(new AbortController(), { study });
    Object.assign(this, { running, done: 0, of: line.length - 1, trying: null });
    for (const node of line) node.reviews[seat] = null;
    const keep = (one) => {
      line[one.turn - line[0].turn].reviews[seat] = one;
    };
    app.refresh();
    try {
      const game = study.game(line.at(-1));
      delete game.think_ms;
      const { reviews } = await app.host.request(
        "review",
        { game, seat, nodes, playouts: PLAYOUTS },
        {
          signal: running.signal,
          onProgress: ({ done, of, review: one }) => {
            if (!one) return;
            keep(one);
            Object.assign(this, { done, of });
            this.progress();
          },
        },
      );
      reviews.forEach(keep);
    } catch (error) {
      app.fail(error);
    }
    if (this.running !== running) return;
    this.running = null;
    this.onDone?.();
    timeline.draw(study);
    timeline.at(study, board.step);
    app.refresh();
  },

  progress() {
    const bar = $("reviewbar");
    if (!bar) return;
    bar.value = this.done;
    bar.max = Math.max(1, this.of);
    $("reviewcount").textContent = `${this.done} / ${this.of}`;
    timeline.draw(app.study);
    timeline.at(app.study, board.step);
    $("reviewlist")?.replaceChildren(...this.items());
  },

  cards() {
    const { study } = app;
    const seats = select(
      [0, 1].map((seat) => [seat, playerName(study.names, seat)]),
      this.seat,
      { id: "reviewseat" },
    );
    seats.addEventListener("change", () => {
      this.stop();
      this.leave();
      this.seat = Number(seats.value);
      app.refresh();
    });
    const strength = select(
      STRENGTHS.map(([nodes, name]) => [nodes, t(name)]),
      this.nodes,
      { id: "reviewstrength" },
    );
    strength.addEventListener("change", () => {
      this.nodes = Number(strength.value);
      memory.set("client.reviewnodes", this.nodes);
    });
    const has = study.tip.path.length > 1;
    const start = this.running
      ? button(
          t("Stop"),
          () => {
            this.stop();
            app.refresh();
          },
          { id: "stopreview" },
        )
      : button(t("Review the game"), () => this.run(), {
          class: "main",
          id: "runreview",
          ...(has ? {} : { disabled: "" }),
        });
    const bar =
      this.running &&
      row(
        element("progress", {
          id: "reviewbar",
          max: Math.max(1, this.of),
          value: this.done,
          "aria-label": t("Review"),
        }),
        element("output", { id: "reviewcount" }, `${this.done} / ${this.of}`),
      );
    const cards = [
      card(
        t("Review"),
        row(labelled(t("For"), seats), labelled(t("Strength"), strength)),
        row(start),
        bar,
        this.counts(),
      ),
    ];
    if (this.trying) cards.push(this.attempt());
    if (this.known().length)
      cards.push(card(t("Turns"), element("ol", { id: "reviewlist", class: "plain reviews" }, ...this.items())));
    else if (this.running) cards.push(card(t("Turns"), element("ol", { id: "reviewlist", class: "plain reviews" })));
    return cards;
  },

  counts() {
    const known = this.known().map((node) => node.reviews[this.seat]);
    if (!known.length) return null;
    const count = (mark) => known.filter((one) => one.mark === mark).length;
    const lost = known.reduce((sum, one) => sum + one.lost, 0) / known.length;
    const worst = this.known().find((node) => node.reviews[this.seat].rank === 1);
    return element(
      "p",
      { class: "counts" },
      ...Object.keys(SIGNS).map((mark) =>
        element(
          "span",
          { class: "count " + mark },
          element("b", {}, SIGNS[mark]),
          ` ${count(mark)} ${t(NAMES[mark][count(mark) === 1 ? 0 : 1])}`,
        ),
      ),
      element("span", { class: "count" }, t("mean loss {} ojama", lost.toFixed(1))),
      // A turn of a game that was lost before cost nothing.
      worst && worst.reviews[this.seat].lost_chance >= LEAST ? this.costliest(worst) : "",
    );
  },

  // The turn that cost most, as `tensai replay blunders` names it.
  costliest(node) {
    const { turn, lost_chance: lost } = node.reviews[this.seat];
    return button(t("turn {} cost most: {}", turn, percent(lost)), () => viewer.go(node), {
      class: "link",
      id: "costliest",
    });
  },

  // The marked turns, the shown one with what was better.
  items() {
    const { at } = app.study;
    return this.known()
      .filter((node) => SIGNS[node.reviews[this.seat].mark] || node === at)
      .map((node) => {
        const one = node.reviews[this.seat],
          now = node === at;
        const open = button("", () => viewer.go(node), { class: "link " + one.mark });
        open.append(element("b", {}, SIGNS[one.mark] ?? ""), ` ${t("turn {}", one.turn)}: ${one.played}`);
        const lost = [
          one.lost_chance >= LEAST && percent(one.lost_chance),
          one.lost > 0 && t("{} ojama", one.lost.toFixed(1)),
        ].filter(Boolean);
        if (lost.length) open.append(element("span", { class: "soft" }, ` ${t("loses {}", lost.join(", "))}`));
        const item = element("li", now ? { class: "now", "aria-current": "true" } : {}, open);
        // The answer is hidden while it is looked for.
        const isHidden = this.trying?.node === node && !this.trying.solved;
        if (now && !isHidden) item.append(this.better(node, one));
        return item;
      });
  },

  // The better action, with the line that shows its value.
  better(node, one) {
    const value = ({ alpha_beta: search, chain, turn }) =>
      valued(search) + (chain ? ` \u00b7 ${t("{} at turn {}", chain, turn)}` : "");
    const isBest = one.played === one.best;
    return element(
      "div",
      { class: "better" },
      element("p", {}, t("played"), ` ${one.played}: ${value(one.played_value)}`),
      isBest
        ? element("p", {}, t("This is the best action."))
        : element("p", {}, t("better"), " ", element("b", {}, one.best), `: ${value(one.best_value)}`),
      one.chance === null || one.chance === undefined
        ? ""
        : element("p", {}, t("win probability: {}", percent(one.chance))),
      one.playouts ? element("p", { class: "playouts" }, this.playedOut(one)) : "",
      isBest
        ? ""
        : row(
            button(t("Show the line"), () => this.follow(node, one), { id: "showline" }),
            button(t("Try again"), () => this.tryAgain(node, one), { id: "tryagain" }),
          ),
    );
  },

  // How often each of the two actions wins when the engine plays the game on.
  playedOut({ played, best, playouts: compared }) {
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

  async follow(node, one) {
    const { study } = app;
    try {
      const nodes = await playLine(study, node, this.seat, one.line.length ? one.line : [one.best]);
      if (app.study !== study) return;
      study.tip = nodes.at(-1).last;
      viewer.go(nodes[1]);
    } catch (error) {
      app.fail(error);
    }
  },

  // Lets the person find the better action.
  async tryAgain(node, one) {
    viewer.pause();
    viewer.go(node);
    try {
      const choices = await app.host.request("choices", { position: app.study.position(node), seat: this.seat });
      if (app.study.at !== node) return;
      this.trying = { node, one, text: t("Find a better action than {}.", spoken(one.played)) };
      Dropper.start(this.seat, choices, (choice) => this.tried(node, one, choice));
      app.refresh();
    } catch (error) {
      app.fail(error);
    }
  },

  tried(node, one, choice) {
    const text =
      choice.action === one.best
        ? t("Right: {} is the best action.", spoken(one.best))
        : choice.action === one.played
          ? t("That is what was played.")
          : t("{} is not the best action.", spoken(choice.action));
    this.trying = { node, one, text, solved: choice.action === one.best };
    board.preview(this.seat, choice, "");
    app.say(text);
    app.refresh();
  },

  attempt() {
    const { node, one, text, solved } = this.trying;
    const open = Dropper.at(this.seat);
    return card(
      t("Try again"),
      element("p", { id: "attempt", class: solved ? "result right" : "result" }, text),
      row(
        !open && !solved && button(t("Again"), () => this.tryAgain(node, one)),
        !solved &&
          button(t("Show the line"), () => {
            this.leave();
            this.follow(node, one);
          }),
        button(t("Close"), () => {
          this.leave();
          app.refresh();
        }),
      ),
    );
  },

  leave() {
    if (!this.trying) return;
    this.trying = null;
    Dropper.closeAll();
    board.clear(this.seat);
  },

  // The seats at which keys move packs.
  get people() {
    return this.trying && Dropper.at(this.seat) ? [this.seat] : [];
  },

  moved() {
    if (this.trying && app.study.at !== this.trying.node) this.leave();
    app.refresh();
  },
};
