// The view in which a study is analysed: its tabs, and playing on from a node.
import { $, element } from "./draw.js";
import { analysis } from "./analyse.js";
import { app } from "./app.js";
import { pressed } from "./dropper.js";
import { editor } from "./editor.js";
import { seatOptions } from "./match.js";
import { play } from "./play.js";
import { review } from "./review.js";
import { share } from "./share.js";
import { randomSeed, Study } from "./study.js";
import { timeline } from "./timeline.js";
import { button, card, fill, labelled, row, select } from "./ui.js";
import { treeOf } from "./variations.js";
import { viewer } from "./viewer.js";
import { t } from "./words.js";

const TABS = [
  ["analysis", "Analysis"],
  ["review", "Review"],
  ["moves", "Moves"],
  ["edit", "Edit"],
  ["share", "Share"],
];

export const analyseMode = {
  tab: "analysis",
  after: null, // what is done once the view is shown

  async enter() {
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
    timeline.draw(app.study);
    viewer.onMove = () => this.moved();
    document.body.classList.add("studying");
    viewer.go(app.study.at);
    this.moved();
    const { after } = this;
    this.after = null;
    after?.();
  },

  // Reviews the actions of a seat as soon as the view is shown.
  review(seat) {
    this.tab = "review";
    review.seat = seat;
    this.after = () => review.run();
  },

  // Makes the link to the game as soon as the view is shown.
  share() {
    this.tab = "share";
    this.after = () => $("sharegame").click();
  },

  leave() {
    viewer.pause();
    analysis.leave();
    review.stop();
    review.leave();
    editor.leave();
    viewer.onMove = null;
  },

  moved() {
    if (this.tab === "review") review.moved();
    else if (this.tab === "analysis") analysis.moved();
    else app.refresh();
  },

  key(event) {
    if (this.tab === "edit") return editor.key(event);
    if (this.people.length && pressed(event, this.people)) return true;
    return viewer.key(event);
  },

  get people() {
    return this.tab === "review" ? review.people : [];
  },

  choose(tab) {
    if (this.tab === "edit" && tab !== "edit") editor.leave();
    if (this.tab === "review" && tab !== "review") review.leave();
    if (this.tab === "analysis" && tab !== "analysis") analysis.leave();
    this.tab = tab;
    if (tab === "edit") {
      viewer.pause();
      editor.enter();
    }
    this.render();
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
          "aria-selected": isOpen,
          "aria-controls": "cards",
          tabindex: isOpen ? "0" : "-1",
        });
        tab.addEventListener("keydown", (event) => {
          const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
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
      ...this.cards(),
    );
    fill(tabs, cards);
    document.querySelector(".tree [aria-current]")?.scrollIntoView({ block: "nearest" });
    document.body.classList.toggle("playing", this.people.length > 0);
    // The time line would show another position than the one that is drawn.
    document.body.classList.toggle("editing", this.tab === "edit");
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
    return [...analysis.cards(), this.playOn()];
  },

  moves() {
    const { study } = app,
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
        treeOf(study, (one) => {
          viewer.pause();
          viewer.go(one);
        }),
      ),
      this.playOn(),
    ];
  },

  playOn() {
    const { study } = app,
      node = study.at;
    const seat = select(
      [
        [0, t("Left")],
        [1, t("Right")],
      ],
      this.seat ?? 0,
      { id: "onseat" },
    );
    const opponent = select(seatOptions(), this.opponent ?? "level2", { id: "onopponent" });
    const start = button(
      t("Play on from here"),
      () => {
        this.seat = Number(seat.value);
        this.opponent = opponent.value;
        const seats = this.seat === 0 ? ["person", opponent.value] : [opponent.value, "person"];
        play.playOn(study, node, seats, false).catch((error) => app.fail(error));
      },
      { id: "playon", ...(node.over || !study.pack(node) ? { disabled: "" } : {}) },
    );
    return card(t("Play on from here"), row(labelled(t("I play"), seat), labelled(t("against"), opponent)), row(start));
  },
};
