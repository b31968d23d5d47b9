// A study: a game as a tree. Its first line is the game as it was played, further children of a node
// are variations. The host plays every action; this file keeps what the host answers.
import { both, changed, EMPTY, HEIGHT, ROWS, WIDTH } from "./draw.js";

/** @import { Analysis, GameData, Over, PageTurn, PositionData, ReviewedTurn } from "../../../target/front/api" */
/** @import { Both } from "./draw.js" */
/** @import { Host, RequestOptions } from "./host.js" */

/**
 * A step of a turn: its kind, each seat's changes of the field, and each seat's marked places.
 * @typedef {[string, Both<string | null>, Both<string | null>]} Step
 */

/** @typedef {0 | 1} Seat the number of a seat */
/** @typedef {{ stock: number, gauge: number, score: number }} Player */
/** @typedef {import("../../../target/front/api").OpenChoice} Choice */

/**
 * The text of 190 characters, rows from the bottom, of a drawing by rows from the top.
 * @param {string} drawing
 */
export function fieldOf(drawing) {
  const rows = drawing.trim().split(/\s+/).filter(Boolean).reverse();
  return rows
    .join("")
    .padEnd(WIDTH * ROWS, ".")
    .slice(0, WIDTH * ROWS);
}

/**
 * The drawing of a text: at least the rows below the danger line, from the top.
 * @param {string} field
 */
export function drawingOf(field) {
  const rows = [];
  for (let y = 0; y < ROWS; y++) rows.push(field.slice(y * WIDTH, (y + 1) * WIDTH));
  while (rows.length > HEIGHT && /^\.*$/.test(rows[rows.length - 1])) rows.pop();
  return rows.reverse().join("\n");
}

/** A seed of packs that nobody has chosen. */
export const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

/** @type {Player} */
const NOTHING = { stock: 0, gauge: 0, score: 0 };

/** A place in the tree: the fields and the numbers after `actions`, which follow `parent`. */
export class Node {
  /**
   * @param {Node | null} parent
   * @param {number} turn
   * @param {Both<string>} actions those that lead here; of the root, two empty texts
   * @param {Both<string>} fields
   * @param {Both<Player>} players
   */
  constructor(parent, turn, actions, fields, players) {
    this.parent = parent;
    this.turn = turn;
    this.actions = actions;
    this.fields = fields;
    this.players = players;
    /** @type {Node[]} */
    this.children = [];
    /** @type {PageTurn | null} the turn's data of the host: steps, chains, info */
    this.shown = null;
    /** @type {Both<number>} */
    this.thinkMs = [0, 0];
    /** @type {Both<number> | null} */
    this.leftMs = null;
    /** @type {Both<number> | null} what persons have taken of this turn, before the view was left */
    this.spentMs = null;
    /** @type {Over | null} */
    this.over = null;
    /** @type {Both<ReviewedTurn | null>} */
    this.reviews = [null, null];
    /** @type {Both<number | null>} of the game that ends here, in percent */
    this.accuracy = [null, null];
    /** @type {Record<string, Analysis & { nodes: number, played: string | null }>} */
    this.analyses = {};
    /** @type {Both<Choice[] | null> | undefined} the actions of each seat, once the host was asked */
    this.choices = undefined;
  }

  // Whether the node is on the line as it was played.
  /** @returns {boolean} */
  get isMain() {
    return this.parent === null || (this.parent.children[0] === this && this.parent.isMain);
  }

  // The nodes from the root to this one.
  get path() {
    /** @type {Node[]} */
    const path = [];
    /** @type {Node | null} */
    let node = this;
    for (; node; node = node.parent) path.push(node);
    return path.reverse();
  }

  // The last node that follows along the first children.
  get last() {
    /** @type {Node} */
    let node = this;
    while (node.children.length) node = node.children[0];
    return node;
  }
}

/**
 * A game as the host reads it; what may be left out has a default.
 * @typedef {Partial<GameData> & Pick<GameData, "packs">} GameLike
 */

/** @typedef {{ text: string, winner: number | null, cut: boolean, faults: string[] }} Outcome */

export class Study {
  /**
   * @param {Host} host
   * @param {GameLike} game
   */
  constructor(host, game) {
    const { packs, names, start, actions, think_ms, ...rest } = game;
    this.host = host;
    this.packs = packs;
    /** @type {Both<string>} */
    this.names = names ?? ["", ""];
    this.start = start ?? null;
    this.rest = rest; // what else the game has, such as where its packs are from
    this.title = "";
    const players = both((seat) => {
      const { stock, gauge, score } = this.start?.players[seat] ?? NOTHING;
      return { stock, gauge, score };
    });
    const fields = both((seat) => (this.start ? fieldOf(this.start.players[seat].field) : EMPTY));
    this.root = new Node(null, this.start?.turn ?? 0, ["", ""], fields, players);
    this.at = this.root;
    this.tip = this.root; // the last node of the line that is followed
    /** @type {Node | null} the end of the game as it was recorded */
    this.recorded = null;
    /** @type {Outcome | null} */
    this.outcome = null;
    /** @type {string | null} what is missing in the file of the game, in words */
    this.warning = null;
    /** @type {string | null} the first action that is not allowed, in words */
    this.problem = null;
    /** @type {Both<unknown>[]} what the bots said in the turns of `played` */
    this.info = [];
    /** @type {Node[]} the nodes after the turns of the game as it was opened */
    this.played = [];
    /** @type {Both<number | null>} milliseconds for the game */
    this.clock = [null, null];
  }

  /**
   * The study of a game, with all its turns.
   * @param {Host} host
   * @param {GameLike} game
   * @param {Both<unknown>[]} info what both bots said, by turn
   * @param {RequestOptions} options
   */
  static async of(host, game, info = [], options = {}) {
    // The host checks the game before anything of it is used.
    const page = await host.request("show", { game, info }, options);
    const study = new Study(host, game);
    study.info = info;
    study.problem = page.problem ?? null;
    // A game whose times are not known has no clocks; one that begins with limits of time has clocks.
    const hasTimes = Boolean(game.think_ms?.length || (game.details?.limits && !game.actions?.length));
    study.clock = hasTimes ? page.time : [null, null];
    study.outcome = {
      text: page.outcome,
      winner: page.winner ?? null,
      cut: page.cut ?? true,
      faults: page.faults ?? [],
    };
    let node = study.root;
    (page.turns ?? []).forEach((turn, at) => {
      node = study.follow(node, turn);
      node.thinkMs = game.think_ms?.[at] ?? turn.think_ms ?? [0, 0];
      node.leftMs = hasTimes ? turn.left_ms : null;
    });
    node.over = page.over ?? null;
    study.recorded = node;
    study.played = node.path.slice(1);
    study.tip = node;
    return study;
  }

  /**
   * The node after a node, on the line that is followed.
   * @param {Node} node
   */
  next(node) {
    if (node.children.length < 2) return node.children[0] ?? null;
    /** @type {Node | null} */
    let one = this.tip;
    for (; one?.parent; one = one.parent) if (one.parent === node) return one;
    return node.children[0];
  }

  /**
   * Goes to a node, and follows the line on which it is.
   * @param {Node} node
   */
  go(node) {
    this.at = node;
    if (!this.tip.path.includes(node)) this.tip = node.last;
    else this.tip = this.tip.last;
  }

  /**
   * Adds what the host shows of a turn after a node.
   * @param {Node} node
   * @param {PageTurn} shown
   */
  follow(node, shown) {
    let fields = node.fields;
    for (const step of shown.steps) {
      const [, changes] = /** @type {Step} */ (step);
      const before = fields;
      fields = both((seat) => changed(before[seat], changes[seat]));
    }
    const players = both((seat) => ({
      stock: shown.stocks[seat],
      gauge: shown.gauges[seat],
      score: shown.scores[seat],
    }));
    const child = new Node(node, node.turn + 1, shown.actions, fields, players);
    child.shown = shown;
    node.children.push(child);
    return child;
  }

  /**
   * Plays both actions after a node; the child that has them already is returned as it is.
   * @param {Node} node
   * @param {Both<string>} actions
   * @param {Both<number>} thinkMs
   * @param {RequestOptions} options
   */
  async play(node, actions, thinkMs = [0, 0], options = {}) {
    const known = node.children.find((child) => child.actions.join() === actions.join());
    if (known) return known;
    const { think_ms, details, ...game } = this.game(node);
    game.actions.push(actions);
    const page = await this.host.request("show", { game, from_turn: node.turn }, options);
    if (!page.legal) throw Object.assign(new Error(page.problem ?? ""), { code: "illegal" });
    const again = node.children.find((child) => child.actions.join() === actions.join());
    if (again) return again;
    const child = this.follow(node, page.turns[0]);
    child.over = page.over ?? null;
    child.thinkMs = thinkMs;
    return child;
  }

  /** The game up to a node. */
  game(node = this.at) {
    const nodes = node.path.slice(1);
    const { details, ...rest } = this.rest;
    /** @type {GameData} */
    const game = {
      ...rest,
      packs: this.packs,
      names: this.names,
      actions: nodes.map((one) => one.actions),
      think_ms: nodes.map(({ thinkMs: [first, second] }) => [Math.round(first), Math.round(second)]),
    };
    if (this.start) game.start = this.start;
    if (details) {
      // The result belongs to the game as it was recorded.
      const { result, ...others } = details;
      game.details = node === this.recorded ? { ...others, result } : others;
    }
    return game;
  }

  /**
   * What the bots said in the turns up to a node; nothing in the turns of a variation.
   * @param {Node} node
   * @returns {Both<unknown>[]}
   */
  infoOf(node) {
    return node.path.slice(1).map((one, at) => (one === this.played[at] ? this.info[at] : null) ?? [null, null]);
  }

  /**
   * The position at a node, with the packs from its turn on.
   * @returns {PositionData}
   */
  position(node = this.at) {
    return {
      turn: node.turn,
      packs: this.packs.slice(4 * this.offset(node)),
      ...(this.rest.seed === undefined || this.rest.seed === null ? {} : { seed: this.rest.seed }),
      players: both((seat) => ({ field: drawingOf(node.fields[seat]), ...node.players[seat] })),
    };
  }

  /** The number of packs that are used before a node. */
  offset(node = this.at) {
    return node.turn - this.root.turn;
  }

  /**
   * The pack `ahead` turns after a node, four digits; empty after the last one.
   * @param {Node} node
   */
  pack(node, ahead = 0) {
    const at = 4 * (this.offset(node) + ahead);
    return this.packs.slice(at, at + 4);
  }

  get end() {
    return this.root.last;
  }

  /**
   * Removes a node and all that follows it.
   * @param {Node} node
   */
  remove(node) {
    if (!node.parent) return;
    if (this.at.path.includes(node)) this.at = node.parent;
    node.parent.children = node.parent.children.filter((child) => child !== node);
  }

  /**
   * Makes the line to a node the main line.
   * @param {Node} node
   */
  promote(node) {
    for (const child of node.path.slice(1)) {
      const parent = /** @type {Node} */ (child.parent);
      parent.children = [child, ...parent.children.filter((other) => other !== child)];
    }
  }
}
