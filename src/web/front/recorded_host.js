// The host of a page that is a file of recorded games. It knows no rules: the program has played the games, and
// the page contains them as `show` answers them.
import { both, changed, EMPTY } from "./draw.js";
import { drawingOf } from "./study.js";

/** @import { Api, GameData, PositionData } from "../../../target/front/api" */
/** @import { EmbeddedGame, Start } from "../../../target/front/page" */
/** @import { Host } from "./host.js" */

/**
 * The position in which a game begins, from the state that the page has.
 * @param {Start} start
 * @returns {PositionData}
 */
const position = ({ turn, fields, stocks, gauges, scores }) => ({
  turn,
  packs: "", // the game has them
  players: both((seat) => ({
    field: drawingOf(changed(EMPTY, fields[seat])),
    stock: stocks[seat],
    gauge: gauges[seat],
    score: scores[seat],
  })),
});

/**
 * The game of a page's game, as `import` answers it.
 * @param {EmbeddedGame} page
 * @returns {GameData}
 */
const gameOf = ({ packs, names, start, turns }) => ({
  packs,
  names,
  ...(start ? { start: position(start) } : {}),
  actions: turns.map(({ actions }) => actions),
  think_ms: turns.map(({ think_ms: ms }) => ms),
});

/**
 * The host of the games of a page.
 * @param {{ version: string }} config
 * @param {EmbeddedGame[]} games
 * @returns {Host}
 */
export function recordedHost({ version }, games) {
  /** @type {Map<unknown, EmbeddedGame>} the page's game of a game that `import` has answered */
  const imported = new Map();
  /** @type {Record<string, (params: { number?: number | null, game?: unknown }) => unknown>} */
  const methods = {
    hello: () => ({ version, backend: "", levels: [], engines: [], live: false }),
    import({ number }) {
      const page = games[(number ?? 1) - 1];
      const game = gameOf(page);
      imported.set(game, page);
      return { game, info: [], kind: "record", games: games.length };
    },
    show: ({ game }) => imported.get(game),
  };
  return {
    async request(method, params) {
      const answer = methods[method]?.(params ?? {});
      if (!answer) throw new Error(`a page of recorded games cannot answer \`${method}\``);
      // By its name, a method has the type of its answer.
      return /** @type {Api[typeof method]["result"]} */ (answer);
    },
    live: () => null,
  };
}
