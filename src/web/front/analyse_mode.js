// The view in which a study is analysed: its tabs, and playing on from a node.
import { $, both, element } from "./draw.js";
import { analysis, chanceOfLeft } from "./analyse.js";
import { analysisCards } from "./analysis_cards.js";
import { app } from "./app.js";
import { pressed } from "./dropper.js";
import { editor } from "./editor.js";
import { board } from "./board.js";
import { fold, folds } from "./fold.js";
import { kept } from "./kept.js";
import { pictures } from "./pictures.js";
import { seatOptions } from "./seats.js";
import { play } from "./play.js";
import { review } from "./review.js";
import { reviews } from "./reviews.js";
import { share } from "./share.js";
import { randomSeed, Study } from "./study.js";
import { timeline } from "./timeline.js";
import { trial } from "./trial.js";
import { button, card, fill, labelled, percent, row, select } from "./ui.js";
import { treeOf } from "./variations.js";
import { viewer } from "./viewer.js";
import { playerName, t } from "./words.js";

/** @import { Node } from "./study.js" */

const TABS = [
  ["analysis", "Analysis"],
  ["review", "Review"],
  ["moves", "Moves"],
  ["edit", "Edit"],
  ["share", "Share"],
];

// The tabs in which the shown turn is analysed by itself and actions are tried on the fields.
const SEARCHED = ["analysis", "moves"];

export const analyseMode = {
  tab: "analysis",
  after: /** @type {(() => void) | null} */ (null), // what is done once the view is shown
  seat: 0, // at which the person plays on
  opponent: "level2", // against which the person plays on

  async enter() {
    if (!app.study) {
      try {
        await kept.reopen();
        if (app.mode !== "analyse") return;
      } catch (error) {
        app.fail(error);
      }
    }
    if (!app.study) {
      try {
        const { game } = await app.host.request("new_game", { seed: randomSeed() });
        if (app.study) return;
        app.open(await Study.of(app.host, game));
      } catch (error) {
        app.fail(error);
        return;
      }
    }
    if (app.mode !== "analyse") return;
    review.stopOther();
    timeline.draw(viewer.study);
    viewer.onMove = () => this.moved();
    viewer.onShow = () => this.isSearched && analysis.showBest();
    document.body.classList.add("studying");
    viewer.go(viewer.study.at);
    if (this.isSearched) trial.open();
    this.moved();
    const { after } = this;
    this.after = null;
    after?.();
  },

  /**
   * Reviews the actions of a seat as soon as the view is shown, and lets the person learn from them.
   * @param {number} seat
   */
  review(seat) {
    this.tab = "review";
    reviews.choose(seat === 0 ? 0 : 1);
    this.after = () => review.learn();
  },

  // Makes the link to the game as soon as the view is shown.
  share() {
    this.tab = "share";
    this.after = () => $("sharegame").click();
  },

  leave() {
    Object.assign(viewer, { onMove: null, onShow: null });
    viewer.pause();
    trial.close();
    analysis.leave();
    pictures.stop();
    review.stop();
    review.leave();
    editor.leave();
    board.evaluate(null);
  },

  // Whether the tab is one in which the shown turn is analysed.
  get isSearched() {
    return SEARCHED.includes(this.tab);
  },

  moved() {
    if (this.tab === "review") review.moved();
    else if (this.isSearched) {
      analysis.moved();
      trial.moved();
    } else app.refresh();
  },

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.tab === "edit") return editor.key(event);
    if (this.people.length && pressed(event, this.people)) return true;
    return trial.key(event) || viewer.key(event);
  },

  // The seats at which keys move packs.
  get people() {
    return this.tab === "review" ? review.people : trial.people;
  },

  /** @param {string} tab */
  choose(tab) {
    viewer.pause();
    if (this.tab === "edit" && tab !== "edit") editor.leave();
    if (this.tab === "review" && tab !== "review") review.leave();
    if (this.isSearched) {
      trial.close();
      analysis.leave();
    }
    if (this.tab === "share" && tab !== "share") pictures.stop();
    this.tab = tab;
    if (tab === "edit") editor.enter();
    if (!this.isSearched) {
      this.render();
      return;
    }
    trial.open();
    this.moved();
  },

  render() {
    if (app.mode !== "analyse" || !app.study) return;
    const tabs = element(
      "div",
      { class: "tabs", role: "tablist", "aria-label": t("Analyse") },
      ...TABS.map(([name, title]) => {
        const isOpen = name === this.tab;
        const tab = button(t(title), () => this.choose(name), {
          role: "tab",
          id: "tab-" + name,
          "aria-selected": String(isOpen),
          "aria-controls": "cards",
          tabindex: isOpen ? "0" : "-1",
        });
        tab.addEventListener("keydown", (event) => {
          const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
          if (!by) return;
          event.preventDefault();
          event.stopPropagation();
          const at = TABS.findIndex(([other]) => other === name);
          this.choose(TABS[(at + by + TABS.length) % TABS.length][0]);
          $("tab-" + this.tab).focus();
        });
        return tab;
      }),
    );
    const cards = element(
      "div",
      { id: "cards", role: "tabpanel", "aria-labelledby": "tab-" + this.tab, class: "stack" },
      ...this.cards().filter((one) => one !== null),
    );
    fill(tabs, cards);
    this.evaluate();
    document.querySelector(".tree [aria-current]")?.scrollIntoView({ block: "nearest" });
    document.body.classList.toggle("playing", this.people.length > 0);
    // The time line would show another position than the one that is drawn.
    document.body.classList.toggle("editing", this.tab === "edit");
  },

  // Shows the win probability of the left player between the fields. The bar keeps its place while none is
  // known.
  evaluate() {
    const { study } = viewer,
      chance = this.tab === "edit" ? null : chanceOfLeft(study.at);
    board.evaluate(chance ?? 0.5, chance === null ? "" : String(Math.round(100 * chance)));
    const words =
      chance === null
        ? t("no chance known")
        : t("win probability of {}: {}", playerName(study.names, 0), percent(chance));
    const bar = $("evaluation");
    bar.classList.toggle("unknown", chance === null);
    bar.setAttribute("aria-label", words);
    bar.title = words;
  },

  cards() {
    if (this.tab === "review") return review.cards();
    if (this.tab === "edit") {
      if (!editor.open) editor.enter();
      return editor.cards(() => {
        editor.close();
        this.tab = "analysis";
        this.enter();
      });
    }
    if (this.tab === "share") return share.cards();
    if (this.tab === "moves") return this.moves();
    return analysisCards(this.playOn());
  },

  moves() {
    const { study } = viewer,
      node = study.at;
    const buttons = row(
      button(
        t("Make it the main line"),
        () => {
          study.promote(node);
          timeline.draw(study);
          this.render();
        },
        { id: "promote", ...(node.isMain ? { disabled: "" } : {}) },
      ),
      button(
        t("Remove from here on"),
        () => {
          study.remove(node);
          study.tip = study.at.last;
          timeline.draw(study);
          viewer.go(study.at);
          this.render();
        },
        { id: "remove", ...(node.parent ? {} : { disabled: "" }) },
      ),
    );
    return [
      card(
        t("Moves and variations"),
        buttons,
        treeOf(study, (/** @type {Node} */ one) => {
          viewer.pause();
          viewer.go(one);
        }),
      ),
      folds(this.playOn()),
    ];
  },

  playOn() {
    const { study } = viewer,
      node = study.at;
    const seat = select(
      [
        [0, t("Left")],
        [1, t("Right")],
      ],
      this.seat,
      { id: "onseat" },
    );
    const opponent = select(seatOptions(), this.opponent, { id: "onopponent" });
    const start = button(
      t("Play on from here"),
      () => {
        this.seat = Number(seat.value);
        this.opponent = opponent.value;
        const seats = both((at) => (at === this.seat ? "person" : opponent.value));
        play.playOn(study, node, seats, false).catch((error) => app.fail(error));
      },
      { id: "playon", ...(node.over || !study.pack(node) ? { disabled: "" } : {}) },
    );
    return fold(
      "play on",
      t("Play on from here"),
      row(labelled(t("I play"), seat), labelled(t("against"), opponent)),
      row(start),
    );
  },
};
