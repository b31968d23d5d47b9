// A study: a game as a tree. Its first line is the game as it was played, further children of a node
// are variations. The host plays every action; this file keeps what the host answers.
import { changed, EMPTY, HEIGHT, ROWS, WIDTH } from "../draw.js";

// The text of 190 characters, rows from the bottom, of a drawing by rows from the top.
export function fieldOf(drawing) {
  const rows = drawing.trim().split(/\s+/).filter(Boolean).reverse();
  return rows
    .join("")
    .padEnd(WIDTH * ROWS, ".")
    .slice(0, WIDTH * ROWS);
}

// The drawing of a text: at least the rows below the danger line, from the top.
export function drawingOf(field) {
  const rows = [];
  for (let y = 0; y < ROWS; y++) rows.push(field.slice(y * WIDTH, (y + 1) * WIDTH));
  while (rows.length > HEIGHT && /^\.*$/.test(rows.at(-1))) rows.pop();
  return rows.reverse().join("\n");
}

// A seed of packs that nobody has chosen.
export const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

const NOTHING = { stock: 0, gauge: 0, score: 0 };

// A place in the tree: the fields and the numbers after `actions`, which follow `parent`.
export class Node {
  constructor(parent, turn, actions, fields, players) {
    Object.assign(this, { parent, turn, actions, fields, players });
    this.children = [];
    this.shown = null; // the turn's data of the host: steps, chains, info
    this.thinkMs = [0, 0];
    this.leftMs = null;
    this.over = null;
    this.reviews = [null, null];
    this.analyses = {};
  }

  // Whether the node is on the line as it was played.
  get isMain() {
    return this.parent === null || (this.parent.children[0] === this && this.parent.isMain);
  }

  // The nodes from the root to this one.
  get path() {
    const path = [];
    for (let node = this; node; node = node.parent) path.push(node);
    return path.reverse();
  }

  // The last node that follows along the first children.
  get last() {
    let node = this;
    while (node.children.length) node = node.children[0];
    return node;
  }
}

export class Study {
  constructor(host, game) {
    this.host = host;
    this.packs = game.packs;
    this.names = game.names ?? ["", ""];
    this.start = game.start ?? null;
    this.rest = {}; // what else the game has, such as where its packs are from
    for (const [key, value] of Object.entries(game)) {
      if (!["packs", "names", "start", "actions", "think_ms"].includes(key)) this.rest[key] = value;
    }
    this.title = "";
    const players = (this.start?.players ?? [NOTHING, NOTHING]).map(({ stock, gauge, score }) => ({
      stock,
      gauge,
      score,
    }));
    const fields = this.start ? this.start.players.map((player) => fieldOf(player.field)) : [EMPTY, EMPTY];
    this.root = new Node(null, this.start?.turn ?? 0, null, fields, players);
    this.at = this.root;
    this.tip = this.root; // the last node of the line that is followed
    this.recorded = null; // the end of the game as it was recorded
    this.outcome = null;
    this.warning = null; // what is missing in the file of the game, in words
    this.info = []; // what the bots said in the turns of `played`
    this.played = []; // the nodes after the turns of the game as it was opened
    this.clock = [null, null];
  }

  // The study of a game, with all its turns. `info` holds, by turn, the `info` of both bots.
  static async of(host, game, info = [], options = {}) {
    // The host checks the game before anything of it is used.
    const page = await host.request("show", { game, info }, options);
    const study = new Study(host, game);
    study.info = info;
    study.problem = page.problem ?? null;
    // A game whose times are not known has no clocks; one that begins with limits of time has clocks.
    const hasTimes = Boolean(game.think_ms?.length || (game.details?.limits && !game.actions.length));
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

  // The node after a node, on the line that is followed.
  next(node) {
    if (node.children.length < 2) return node.children[0] ?? null;
    for (let one = this.tip; one?.parent; one = one.parent) if (one.parent === node) return one;
    return node.children[0];
  }

  // Goes to a node, and follows the line on which it is.
  go(node) {
    this.at = node;
    if (!this.tip.path.includes(node)) this.tip = node.last;
    else this.tip = this.tip.last;
  }

  // Adds what the host shows of a turn after a node.
  follow(node, shown) {
    let fields = node.fields;
    for (const [, changes] of shown.steps) fields = fields.map((field, seat) => changed(field, changes[seat]));
    const players = [0, 1].map((seat) => ({
      stock: shown.stocks[seat],
      gauge: shown.gauges[seat],
      score: shown.scores[seat],
    }));
    const child = new Node(node, node.turn + 1, shown.actions, fields, players);
    child.shown = shown;
    node.children.push(child);
    return child;
  }

  // Plays both actions after a node; the child that has them already is returned as it is.
  async play(node, actions, thinkMs = [0, 0], options = {}) {
    const known = node.children.find((child) => child.actions.join() === actions.join());
    if (known) return known;
    const game = this.game(node);
    game.actions.push(actions);
    delete game.think_ms;
    delete game.details;
    const page = await this.host.request("show", { game, from_turn: node.turn }, options);
    if (!page.legal) throw Object.assign(new Error(page.problem), { code: "illegal" });
    const again = node.children.find((child) => child.actions.join() === actions.join());
    if (again) return again;
    const child = this.follow(node, page.turns[0]);
    child.over = page.over ?? null;
    child.thinkMs = thinkMs;
    return child;
  }

  // The game up to a node.
  game(node = this.at) {
    const nodes = node.path.slice(1),
      { details, ...rest } = this.rest;
    const game = {
      ...rest,
      packs: this.packs,
      names: this.names,
      actions: nodes.map((one) => one.actions),
      think_ms: nodes.map((one) => one.thinkMs.map(Math.round)),
    };
    if (this.start) game.start = this.start;
    if (details) {
      // The result belongs to the game as it was recorded.
      const { result, ...others } = details;
      game.details = node === this.recorded ? { ...others, result } : others;
    }
    return game;
  }

  // What the bots said in the turns up to a node; nothing in the turns of a variation.
  infoOf(node) {
    return node.path.slice(1).map((one, at) => (one === this.played[at] ? this.info[at] : null) ?? [null, null]);
  }

  // The position at a node, with the packs from its turn on.
  position(node = this.at) {
    return {
      turn: node.turn,
      packs: this.packs.slice(4 * this.offset(node)),
      ...(this.rest.seed === undefined || this.rest.seed === null ? {} : { seed: this.rest.seed }),
      players: [0, 1].map((seat) => ({ field: drawingOf(node.fields[seat]), ...node.players[seat] })),
    };
  }

  // The number of packs that are used before a node.
  offset(node = this.at) {
    return node.turn - this.root.turn;
  }

  // The pack `ahead` turns after a node, four digits; empty after the last one.
  pack(node, ahead = 0) {
    const at = 4 * (this.offset(node) + ahead);
    return this.packs.slice(at, at + 4);
  }

  get end() {
    return this.root.last;
  }

  // Removes a node and all that follows it.
  remove(node) {
    if (!node.parent) return;
    if (this.at.path.includes(node)) this.at = node.parent;
    node.parent.children = node.parent.children.filter((child) => child !== node);
  }

  // Makes the line to a node the main line.
  promote(node) {
    for (let child = node; child.parent; child = child.parent) {
      const rest = child.parent.children.filter((other) => other !== child);
      child.parent.children = [child, ...rest];
    }
  }
}
