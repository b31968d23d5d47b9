// The host of a page that is a file of recorded games. It knows no rules: the program has played the games, and
// the page contains them as `show` answers them.
import { changed, EMPTY } from "./draw.js";
import { drawingOf } from "./study.js";

// The position in which a game begins, from the state that the page has.
const position = ({ turn, fields, stocks, gauges, scores }) => ({
  turn,
  players: [0, 1].map((seat) => ({
    field: drawingOf(changed(EMPTY, fields[seat])),
    stock: stocks[seat],
    gauge: gauges[seat],
    score: scores[seat],
  })),
});

// The game of a page's game, as `import` answers it.
const gameOf = ({ packs, names, start, turns }) => ({
  packs,
  names,
  ...(start ? { start: position(start) } : {}),
  actions: turns.map(({ actions }) => actions),
  think_ms: turns.map(({ think_ms: ms }) => ms),
});

export class RecordedHost {
  constructor({ version }, games) {
    this.version = version;
    this.games = games;
    this.imported = new Map(); // the page's game of a game that `import` has answered
  }

  async request(method, params = {}) {
    if (method === "hello") {
      return { host: "games", version: this.version, backend: "", levels: [], engines: [], live: false };
    }
    if (method === "import") {
      const page = this.games[params.number - 1];
      const game = gameOf(page);
      this.imported.set(game, page);
      return { game, kind: "record", games: this.games.length };
    }
    const page = method === "show" && this.imported.get(params.game);
    if (!page) throw new Error(`a page of recorded games cannot answer \`${method}\``);
    return page;
  }

  live() {
    return null;
  }
}
