// Starts the page that is a file of recorded games: the list of the games, and the address of what is shown,
// such as `#game=2&turn=5&step=1&plan`.
import { $, element } from "./draw.js";
import { app } from "./app.js";
import { board } from "./board.js";
import { start, view } from "./main.js";
import { recordedHost } from "./recorded_host.js";
import { Study } from "./study.js";
import { lineOf } from "./timeline.js";
import { button, card, copy, fill, row } from "./ui.js";
import { viewer } from "./viewer.js";
import { watch } from "./watch.js";
import { t } from "./words.js";

/** @import { EmbeddedGame } from "../../../target/front/page" */

/** @type {{ games: EmbeddedGame[] }} */
const { games } = JSON.parse($("data").textContent);
const host = recordedHost(JSON.parse($("config").textContent), games);

// Milliseconds until a new position is written to the address. Browsers ignore all changes of an address, also
// those of a person, after about 200 in ten seconds, and a key held down exceeds that.
const ADDRESS_LATE = 100;

// The name of a game in the address: its number in its match, or its index if numbers repeat.
const isNumbered = new Set(games.map(({ number }) => number)).size === games.length;
const called = (/** @type {number} */ at) => (isNumbered ? games[at].number : at + 1);
const addressOf = (/** @type {number} */ at) => `#game=${called(at)}&turn=0`;

watch.games = games.map((_, at) => ({
  study: null,
  kind: "recorded",
  file: String(called(at)),
  async load() {
    const { game } = await host.request("import", { text: "", number: at + 1 });
    const study = await Study.of(host, game);
    study.at = study.root;
    return study;
  },
}));

// The index of the game that is shown, and its study.
function shown() {
  const { study } = app;
  const at = watch.games.findIndex((game) => study && game.study === study);
  return study && at >= 0 ? { study, at, step: board.step, turn: study.offset(study.at) } : null;
}

const place = {
  address: "", // as it was last read or written
  timer: 0,

  // Writes the address, unless it has changed since it was written.
  write() {
    clearTimeout(this.timer);
    this.timer = 0;
    const now = app.mode === "watch" ? shown() : null;
    if (!now || location.hash !== this.address) return;
    const step = now.step ? `&step=${now.step}` : "";
    const address = `#game=${called(now.at)}&turn=${now.turn}${step}${board.planning ? "&plan" : ""}`;
    if (location.hash !== address) history.replaceState(null, "", address);
    this.address = location.hash;
  },

  // Shows what the address names; the list of the games if it names none.
  async arrive() {
    this.address = location.hash;
    const wanted = new URLSearchParams(location.hash.slice(1));
    const asked = games.findIndex((_, at) => String(called(at)) === wanted.get("game"));
    const game = watch.games[asked < 0 && games.length === 1 && !wanted.has("game") ? 0 : asked];
    if (!game) {
      view("games");
      return;
    }
    const whole = (/** @type {string} */ name) => Math.trunc(Number(wanted.get(name))) || 0;
    if (app.mode !== "watch") view("watch");
    if (app.study !== game.study || !game.study) await watch.open(game);
    const { study } = game;
    if (!study) return;
    board.planning = wanted.has("plan");
    viewer.pause();
    viewer.buttons();
    const line = lineOf(study);
    const node = line[Math.max(0, Math.min(line.length - 1, whole("turn")))];
    viewer.go(node, Math.max(0, whole("step")));
  },
};

// The list of all games.
const list = {
  enter() {
    document.title = "tensai";
    fill(card(t("{} games", games.length), element("div", { class: "scroll" }, this.table())));
  },

  leave() {},

  key: () => false,

  table() {
    const head = ["Game", "First player", "Second player", "Result", "Turns", "Longest chains", "Scores", "Packs"];
    const rows = games.map((game, at) => {
      const name = (/** @type {number} */ seat) =>
        !game.cut && game.winner === seat ? element("b", {}, game.names[seat]) : game.names[seat];
      const cells = [
        element("a", { href: addressOf(at) }, String(called(at))),
        name(0),
        name(1),
        game.outcome,
        String(game.turns.length),
        game.longest.join(" \u2013 "),
        game.scores.join(" \u2013 "),
        game.packs_from,
      ];
      const made = element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));
      made.addEventListener("click", () => {
        location.hash = addressOf(at);
      });
      return made;
    });
    return element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...head.map((title) => element("th", { scope: "col" }, t(title))))),
      element("tbody", { id: "games" }, ...rows),
    );
  },
};

const all = () => {
  if (games.length > 1) location.hash = "#";
};

// The card of the game that is shown.
function about() {
  const game = shown();
  if (!game) return [];
  const { outcome, faults, names, packs_from: packs, date } = games[game.at];
  document.title = names.join(" \u2013 ");
  const soft = [packs, date].filter(Boolean).join(" \u00b7 ");
  return [
    card(
      names.join(" \u2013 "),
      element("p", { id: "outcome" }, [outcome, ...faults].join(" \u00b7 ")),
      element("p", { class: "soft" }, soft),
      games.length > 1 &&
        row(
          button(t("All games"), all, { id: "allgames" }),
          button("\u2039", () => watch.by(-1), { title: t("Previous game ([)"), "aria-label": t("Previous game") }),
          button("\u203a", () => watch.by(1), { title: t("Next game (])"), "aria-label": t("Next game") }),
        ),
    ),
  ];
}

/**
 * A text with a button that copies it.
 * @param {string} id the button's
 * @param {() => string} now the text at the time
 */
function copied(id, now) {
  const input = element("input", { type: "text", readonly: "", class: "link", "aria-label": t("link") });
  input.value = now();
  const press = () => {
    input.value = now();
    copy(input);
  };
  return element("div", { class: "row shared" }, input, button(t("Copy"), press, { class: "copy", id }));
}

// The card by which a turn and a game are shared.
function share() {
  const game = shown();
  if (!game) return [];
  const address = () => {
    place.write();
    return location.href;
  };
  return [
    card(
      t("Share"),
      element("p", { class: "soft" }, t("The address of this turn")),
      copied("copyaddress", address),
      element("p", { class: "soft" }, t("The game, to analyse: put it behind the address of another page of tensai")),
      copied("copygame", () => games[game.at].shared),
    ),
  ];
}

Object.assign(app.modes, { watch, games: list });
watch.cards = [about, share];
watch.keys.i = all;
viewer.onShow = () => {
  const now = shown();
  if (!now) return;
  $("desk").dataset.turn = String(now.turn);
  $("desk").dataset.step = String(now.step);
  place.timer ||= setTimeout(() => place.write(), ADDRESS_LATE);
};
start({ host, arrive: () => place.arrive() });
