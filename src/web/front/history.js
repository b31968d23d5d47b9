// The games that a person has played in this browser: results by opponent, and the games themselves.
import { element } from "./draw.js";
import { app } from "./app.js";
import { isText, listOf, memory, oneOf } from "./settings.js";
import { Study } from "./study.js";
import { button, card, download, row, table } from "./ui.js";
import { playerName, t } from "./words.js";

// The most games that are kept; the oldest are dropped first.
const KEPT = 100;

const isPair = (value) => Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);
const isEntry = (one) =>
  Array.isArray(one?.game?.actions) &&
  isText(one.date) &&
  listOf(isText)(one.seats) &&
  one.seats.length === 2 &&
  one.seats.includes("person") &&
  !Number.isNaN(Date.parse(one.date)) &&
  (one.winner === null || oneOf(0, 1)(one.winner)) &&
  isPair(one.chains) &&
  isPair(one.sent) &&
  Number.isInteger(one.turns) &&
  typeof one.isOver === "boolean";

// The number of a level's seat, or null.
export const levelOf = (seat) => (/^level[1-9]$/.test(seat) ? Number(seat.slice(5)) : null);

// Longest chains and sums of sent ojama by seat, on the way to a node.
export function totals(node) {
  const turns = node.path
    .slice(1)
    .map(({ shown }) => shown)
    .filter(Boolean);
  const chains = [0, 1].map((seat) => Math.max(0, ...turns.map((shown) => shown.chains[seat])));
  const sent = [0, 1].map((seat) => turns.reduce((sum, shown) => sum + shown.sent[seat], 0));
  return { chains, sent };
}

export const history = {
  get list() {
    return memory.get("client.history", listOf(isEntry), []);
  },

  // Keeps a game; `winner` is a seat, or null for a draw and for a game that was left.
  add({ study, node, seats, hasClock, id = null }, winner, isOver) {
    if (!seats.includes("person") || node.path.length < 6) return;
    const entry = {
      date: new Date().toISOString(),
      id,
      game: study.game(node),
      seats,
      clock: hasClock,
      winner,
      isOver,
      turns: node.turn,
      ...totals(node),
    };
    // A game that went on, after *Undo* or at a later visit, counts once.
    const others = this.list.filter((one) => id === null || one.id !== id);
    memory.set("client.history", [entry, ...others].slice(0, KEPT));
  },

  // The level that a person without a choice of its own plays next: one more after two wins of the last
  // three games against a level, one less after three losses.
  suggested(highest) {
    const games = this.list.filter(({ isOver, seats }) => isOver && seats.some((seat) => levelOf(seat)));
    if (!games.length) return 1;
    const level = (one) => Math.max(...one.seats.map((seat) => levelOf(seat) ?? 0));
    const last = level(games[0]);
    const recent = games.filter((one) => level(one) === last).slice(0, 3);
    const won = recent.filter(({ winner, seats }) => winner !== null && seats[winner] === "person").length;
    if (won >= 2) return Math.min(highest, last + 1);
    return recent.length === 3 && won === 0 ? Math.max(1, last - 1) : last;
  },

  // Opens a game; its study is analysed.
  async open(entry) {
    try {
      const study = await Study.of(app.host, entry.game);
      study.go(study.root);
      app.open(study);
      location.hash = "#analyse";
    } catch (error) {
      app.fail(error);
    }
  },

  // The results by opponent, best known first.
  byOpponent() {
    const rows = new Map();
    for (const { seats, winner, chains, isOver } of this.list) {
      if (!isOver || seats.every((seat) => seat === "person")) continue;
      const own = seats.indexOf("person"),
        opponent = seats[1 - own];
      const sum = rows.get(opponent) ?? { won: 0, played: 0, chain: 0 };
      rows.set(opponent, {
        won: sum.won + (winner === own ? 1 : 0),
        played: sum.played + 1,
        chain: Math.max(sum.chain, chains[own]),
      });
    }
    return [...rows].sort(([a], [b]) => a.localeCompare(b));
  },

  // The card of the games; `names` tells the name of a seat.
  card(names) {
    const { list } = this;
    if (!list.length) return null;
    const results = this.byOpponent().map(([seat, { won, played, chain }]) => [
      names(seat),
      `${won} / ${played}`,
      String(chain),
    ]);
    const games = list.slice(0, 12).map((entry) => {
      const own = entry.seats.indexOf("person");
      const result = !entry.isOver
        ? t("left")
        : entry.winner === null
          ? t("draw")
          : entry.winner === own
            ? t("won")
            : t("lost");
      const open = button("", () => this.open(entry), { class: "link" });
      const opponent = playerName(entry.game.names ?? ["", ""], 1 - own);
      open.append(
        element("b", {}, `${result} \u00b7 ${opponent}`),
        element(
          "small",
          {},
          `${new Date(entry.date).toLocaleDateString()} \u00b7 ${t("{} turns", entry.turns)} \u00b7 ${t("longest chain {}", entry.chains[own])}`,
        ),
      );
      return element("li", {}, open);
    });
    const file = element("input", {
      type: "file",
      id: "historyfile",
      accept: ".json,application/json",
      "aria-label": t("Add games from a file"),
    });
    file.addEventListener("change", async () => {
      if (file.files[0]) this.read(await file.files[0].text());
    });
    return card(
      t("Your games"),
      results.length ? table([t("opponent"), t("won of"), t("longest chain")], results, t("Your games")) : null,
      element("ol", { class: "plain games", id: "history" }, ...games),
      element(
        "details",
        {},
        element("summary", {}, t("Save or add")),
        row(
          button(t("Save all"), () => download("tensai-games.json", JSON.stringify(list)), { id: "savehistory" }),
          file,
        ),
      ),
    );
  },

  // Adds the games of a file that `Save all` has written.
  read(text) {
    try {
      const games = JSON.parse(text);
      if (!listOf(isEntry)(games)) throw new SyntaxError("other values");
      const known = new Set(this.list.map(({ date }) => date));
      const all = [...this.list, ...games.filter(({ date }) => !known.has(date))];
      all.sort((a, b) => b.date.localeCompare(a.date));
      memory.set("client.history", all.slice(0, KEPT));
      app.say(t("{} games", all.length));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      app.say(t("This file has no games that this page has saved"), true);
    }
    app.refresh();
  },
};
