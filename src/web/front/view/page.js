// Plays games. A position is a turn and a step in it: step 0 shows the fields before the turn, and
// the turn after the last one shows the end of the game.
const data = JSON.parse($("data").textContent),
  games = data.games;
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
const PAUSES = { 0: 420, r: 420, d: 460, x: 420, m: 520, f: 340 };
// Milliseconds until a new position is written to the address. Browsers ignore all changes of an
// address, including navigation, after about 200 in ten seconds, and a key held down exceeds that.
const ADDRESS_LATE = 100;
// What the browser stores, if it allows that. A text that is none of the values counts as not stored.
const memory = {
  get: (key, ...values) => {
    try {
      return values.find((value) => String(value) === localStorage.getItem("tensai." + key));
    } catch {
      return undefined;
    }
  },
  set: (key, value) => {
    try {
      localStorage.setItem("tensai." + key, value);
    } catch {
      /* not kept */
    }
  },
};

// The name of a game in the address: its number in its match, or its index if numbers repeat.
const numbered = new Set(games.map((game) => game.number)).size === games.length;
const called = (at) => (numbered ? games[at].number : at + 1);

// The fields at the beginning of each turn, and after the last one.
function prepare(game) {
  if (game.begins) return;
  let fields = [EMPTY, EMPTY];
  game.begins = [fields];
  for (const turn of game.turns) {
    for (const [, changes] of turn.steps) fields = fields.map((field, seat) => changed(field, changes[seat]));
    game.begins.push(fields);
  }
}

const player = {
  sides: [new Side($("side0"), 0), new Side($("side1"), 1)],
  number: null,
  turn: 0,
  step: 0,
  playing: false,
  timer: 0,
  speed: 2,
  plan: false,
  // The timer that writes the position to the address, and the address as last read or written.
  addressTimer: null,
  address: "",

  get game() {
    return games[this.number];
  },
  get end() {
    return this.game.turns.length;
  },
  steps(turn) {
    return turn < this.end ? this.game.turns[turn].steps.length : 0;
  },

  open(number) {
    this.number = number;
    prepare(this.game);
    const { names } = this.game;
    document.title = $("title").textContent = `${names[0]} \u2013 ${names[1]}`;
    $("outcome").textContent = [this.game.outcome, ...this.game.faults].join(" \u00b7 ");
    $("seek").max = this.end;
    drawAttacks(this.game);
    charts.forEach((chart) => chart.draw(this.game));
  },

  // The view of a seat at a step: the field and the marked cells.
  look(seat) {
    const { turn, step } = this,
      now = this.game.turns[turn];
    let field = this.game.begins[turn][seat],
      marks = [],
      kind = "0";
    let rounds = 0,
      before = field,
      gone = [];
    for (const [next, changes, marked] of now ? now.steps.slice(0, step) : []) {
      [kind, before, gone] = [next, field, marks];
      field = changed(field, changes[seat]);
      marks = places(marked[seat]);
      if (kind === "m" && marks.length) rounds++;
    }
    const waits = !now || (step > 0 && kind !== "r");
    return {
      field,
      marks,
      kind,
      before,
      gone: new Set(gone),
      rounds,
      linked: kind === "m",
      hover: waits ? "" : now.hover[seat],
    };
  },

  go(turn, step, moving = false) {
    this.turn = Math.max(0, Math.min(this.end, turn));
    this.step = Math.max(0, Math.min(this.steps(this.turn), step));
    const now = this.game.turns[this.turn],
      last = this.game.turns[this.turn - 1];
    for (const seat of [0, 1]) {
      const seen = this.look(seat),
        info = now?.info?.[seat];
      const blown = now?.explosions[seat] && (seen.kind === "d" || seen.kind === "x");
      const badge = blown ? `skill: ${now.explosions[seat]}` : seen.rounds ? `chain ${seen.rounds}` : "";
      const planned = this.plan && this.step === 0 && info?.plan;
      const side = this.sides[seat];
      side.show(planned ? this.planned(seen, planned, info.plan_chain) : { ...seen, badge });
      if (moving && !planned && this.step > 0 && this.speed < 5)
        side.fall(falls(seen.kind, seen.before, seen.field, seen.gone), SPEEDS[this.speed]);
      this.numbers(seat, now, last, info);
    }
    this.rest();
  },

  // The plan played by the rules. If its chain differs from the bot's, the badge shows both.
  planned(seen, plan, botChain) {
    const rounds = {};
    for (let at = 0; at < plan.rounds.length; at += 4)
      rounds[index(plan.rounds, at)] = Number(plan.rounds.slice(at + 2, at + 4));
    const field = changed(seen.field, plan.changes);
    return {
      field,
      marks: [],
      hover: "",
      badge:
        botChain === undefined || botChain === plan.chain
          ? `plan: chain ${plan.chain}`
          : `plan: ${plan.chain}, bot: ${botChain}`,
      plan: { from: seen.field, rounds },
    };
  },

  numbers(seat, now, last, info) {
    const side = this.sides[seat],
      { game } = this;
    const stock = last ? last.stocks[seat] : 0,
      gauge = last ? last.gauges[seat] : 0;
    side.name.textContent = game.names[seat];
    side.won.textContent = !game.cut && game.winner === seat && this.turn === this.end ? "won" : "";
    side.clock.textContent = game.time[seat] === null ? "no clock" : clock(last ? last.left_ms[seat] : game.time[seat]);
    side.score.textContent = last ? last.scores[seat] : 0;
    side.stock.value.textContent = stock;
    side.stock.bar.style.width = Math.min(100, stock) + "%";
    side.stock.note.textContent = stock >= 10 ? "falls" : "";
    side.gauge.value.textContent = gauge;
    side.gauge.bar.style.width = gauge + "%";
    side.gauge.note.textContent = gauge >= SKILL_GAUGE ? "ready" : "";
    side.gauge.box.classList.toggle("ready", gauge >= SKILL_GAUGE);
    side.info.replaceChildren(...this.words(seat, now, info));
  },

  // A player's action in this turn, and the bot's info about it.
  words(seat, now, info) {
    if (!now) return [];
    const acts = element("p");
    const sent = now.sent[seat] ? `, sends ${now.sent[seat]}` : "";
    const skill = now.actions[seat] === "S" ? "skill" : `drop ${now.actions[seat]}`;
    acts.append(
      element("b", {}, skill),
      ` ${now.chains[seat] ? `chain ${now.chains[seat]}${sent}` : sent.slice(2)} \u00b7 ${seconds(now.think_ms[seat])}`,
    );
    if (!info) return [acts];
    const parts = [];
    if (info.source) parts.push(info.source);
    if (info.value !== undefined) parts.push(`value ${valued(info.value)}`);
    if (info.plan_chain) parts.push(`plans ${info.plan_chain} at turn ${info.plan_turn ?? "?"}`);
    if (info.opponent_chain) parts.push(`expects ${info.opponent_chain} at turn ${info.opponent_turn ?? "?"}`);
    const words = [acts, element("p", {}, parts.join(" \u00b7 "))];
    if (this.plan) {
      const more = [];
      if (info.plan) more.push(`plan ${info.plan.actions.join(", ")}`);
      if (info.candidates)
        more.push(`best ${info.candidates.map(([action, value]) => `${action}: ${valued(value)}`).join(", ")}`);
      if (info.depth !== undefined) more.push(`${info.depth} plies`);
      if (info.width !== undefined) more.push(`width ${info.width}`);
      if (info.nodes !== undefined) more.push(`${info.nodes.toLocaleString("en")} nodes`);
      words.push(element("p", {}, more.join(" \u00b7 ")));
    }
    return words;
  },

  // Updates the page outside the sides.
  rest() {
    const { turn, step, game, end } = this,
      now = game.turns[turn];
    $("seek").value = turn;
    const steps = this.steps(turn);
    const within = turn + (steps ? step / (steps + 1) : 0);
    $("cursor").style.left = (100 * within) / Math.max(1, end) + "%";
    charts.forEach((chart) => chart.at(turn));
    if (this.shown !== turn || this.packsOf !== game) {
      this.shown = turn;
      this.packsOf = game;
      $("packs").replaceChildren(...[0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((ahead) => pack(game, turn + ahead)));
    }
    const played = end ? `After turn ${end - 1}` : "No turn was played";
    const place =
      turn < end
        ? `Turn ${turn} of 0 to ${end - 1}` + (step ? `, step ${step} of ${steps}` : "")
        : `${played}: ${game.outcome}`;
    const sent =
      now && step === steps
        ? [0, 1]
            .filter((seat) => now.sent[seat])
            .map((seat) => ` \u00b7 ${game.names[seat]} sends ${now.sent[seat]}`)
            .join("")
        : "";
    const status = place + sent;
    $("seek").setAttribute("aria-valuetext", place);
    $("status").setAttribute("aria-live", this.playing ? "off" : "polite");
    if ($("status").textContent !== status) $("status").textContent = status;
    $("game").dataset.turn = turn;
    $("game").dataset.step = step;
    this.addressTimer ??= setTimeout(() => this.writeAddress(), ADDRESS_LATE);
  },

  // Writes the position to the address, unless the address has changed since it was written.
  writeAddress() {
    clearTimeout(this.addressTimer);
    this.addressTimer = null;
    if (this.number === null || location.hash !== this.address) return;
    const { turn, step } = this;
    const hash =
      `#game=${called(this.number)}&turn=${turn}` + (step ? `&step=${step}` : "") + (this.plan ? "&plan" : "");
    if (location.hash !== hash) history.replaceState(null, "", hash);
    this.address = location.hash;
  },

  on() {
    if (this.step < this.steps(this.turn)) this.go(this.turn, this.step + 1, true);
    else if (this.turn < this.end) this.go(this.turn + 1, 0, true);
    else return false;
    return true;
  },

  less() {
    if (this.step > 0) this.go(this.turn, this.step - 1);
    else if (this.turn > 0) this.go(this.turn - 1, this.steps(this.turn - 1));
  },

  play() {
    if (this.turn === this.end) this.go(0, 0);
    this.playing = true;
    this.buttons();
    this.tick();
  },

  pause() {
    clearTimeout(this.timer);
    this.playing = false;
    this.buttons();
  },

  tick() {
    clearTimeout(this.timer);
    if (!this.playing) return;
    const whole = SPEEDS[this.speed] >= 8;
    const isTurn = whole && this.turn < this.end;
    if (isTurn) this.go(this.turn + 1, 0);
    const moved = whole ? isTurn : this.on();
    if (!moved) {
      this.pause();
      return this.rest();
    }
    const now = this.game.turns[this.turn];
    const kind = this.step ? now.steps[this.step - 1][0] : "0";
    const pause = whole ? 2400 : PAUSES[kind];
    this.timer = setTimeout(() => this.tick(), pause / SPEEDS[this.speed]);
  },

  faster(by) {
    this.speed = Math.max(0, Math.min(SPEEDS.length - 1, this.speed + by));
    memory.set("speed", this.speed);
    this.buttons();
    if (this.playing) this.tick();
  },

  toggle() {
    this.plan = !this.plan;
    this.buttons();
    this.go(this.turn, this.plan ? 0 : this.step);
  },

  buttons() {
    $("play").textContent = this.playing ? "\u275a\u275a" : "\u25b6\ufe0e";
    $("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
    $("plan").setAttribute("aria-pressed", this.plan);
    $("speed").textContent = SPEEDS[this.speed] + "\u00d7";
  },
};

const seconds = (time) => (time / 1000).toFixed(time < 10000 ? 2 : 1) + "\u00a0s";

function clock(time) {
  const tenths = Math.floor(time / 100),
    minutes = Math.floor(tenths / 600);
  const rest = ((tenths % 600) / 10).toFixed(1);
  return minutes ? `${minutes}:${rest.padStart(4, "0")}` : `${rest} s`;
}

// A turn's pack, not rotated, as an item of the list; empty after the last pack.
function pack(game, turn) {
  const cells = game.packs.slice(4 * turn, 4 * turn + 4);
  if (!cells) return [];
  const image = element(
    "div",
    { role: "img", "aria-label": `turn ${turn}: ${[...cells].join(" ")}` },
    ...packBlocks(cells),
  );
  return [element("li", { title: `turn ${turn}` }, image)];
}

// The address of a game's start.
const address = (at) => `#game=${called(at)}&turn=0` + (player.plan ? "&plan" : "");

// The table of all games.
function listGames() {
  $("games").replaceChildren(
    ...games.map((game, at) => {
      const name = (seat) =>
        !game.cut && game.winner === seat ? element("b", {}, game.names[seat]) : game.names[seat];
      const link = element("a", { href: address(at) }, String(called(at)));
      const cells = [
        link,
        name(0),
        name(1),
        game.outcome,
        String(game.turns.length),
        game.longest.join(" \u2013 "),
        game.scores.join(" \u2013 "),
        game.packs_from,
      ];
      const row = element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));
      row.addEventListener("click", () => {
        location.hash = address(at);
      });
      return row;
    }),
  );
}

// Shows the position of the address.
function arrive() {
  player.address = location.hash;
  const wanted = new URLSearchParams(location.hash.slice(1));
  const asked = games.findIndex((_, at) => String(called(at)) === wanted.get("game"));
  const number = asked >= 0 ? asked : games.length === 1 && !wanted.has("game") ? 0 : null;
  $("index").hidden = number !== null;
  $("game").hidden = number === null;
  $("all").hidden = number === null || games.length === 1;
  if (number === null) {
    player.pause();
    document.title = $("title").textContent = "CODE VS Reborn";
    $("outcome").textContent = `${games.length} game${games.length === 1 ? "" : "s"}`;
    player.number = null;
    return;
  }
  if (player.number !== number) {
    player.pause();
    player.open(number);
  }
  player.plan = wanted.has("plan");
  player.buttons();
  player.go(Math.trunc(Number(wanted.get("turn"))) || 0, Math.trunc(Number(wanted.get("step"))) || 0);
}

function theme(next) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const now = document.documentElement.dataset.theme ?? memory.get("theme", "dark", "light") ?? dark;
  const chosen = next ? (now === "dark" ? "light" : "dark") : (memory.get("theme", "dark", "light") ?? dark);
  document.documentElement.dataset.theme = chosen;
  if (next) memory.set("theme", chosen);
}

const by = (turns) => () => {
  player.pause();
  player.go(player.turn + turns, 0);
};
const stepped = (name) => () => {
  player.pause();
  player[name]();
};
const change = (by) => {
  if (games[player.number + by]) location.hash = address(player.number + by);
};
const actions = {
  play: () => (player.playing ? player.pause() : player.play()),
  back: () => {
    player.pause();
    player.go(player.step ? player.turn : player.turn - 1, 0);
  },
  on: by(1),
  less: stepped("less"),
  more: stepped("on"),
  first: () => {
    player.pause();
    player.go(0, 0);
  },
  last: () => {
    player.pause();
    player.go(player.end, 0);
  },
  slower: () => player.faster(-1),
  faster: () => player.faster(1),
  plan: () => {
    player.pause();
    player.toggle();
  },
  all: () => {
    if (games.length > 1) location.hash = "#";
  },
  theme: () => theme(true),
  help: () => $("keys").showModal(),
};
const KEYS = {
  " ": "play",
  ArrowLeft: "back",
  ArrowRight: "on",
  ",": "less",
  ".": "more",
  Home: "first",
  End: "last",
  "+": "faster",
  "=": "faster",
  "-": "slower",
  p: "plan",
  i: "all",
  t: "theme",
  "?": "help",
};
for (const [id, action] of Object.entries(actions)) $(id).addEventListener("click", action);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || $("keys").open) return;
  let name = KEYS[event.key];
  if (event.shiftKey) name = { ArrowLeft: "less", ArrowRight: "more" }[event.key] ?? name;
  // The space bar presses a focused button.
  if (event.key === " " && event.target.closest?.("button, a")) return;
  const everywhere = name === "theme" || name === "help";
  if (player.number === null && !everywhere) return;
  if (event.key === "[") change(-1);
  else if (event.key === "]") change(1);
  else if (!name) return;
  else actions[name]();
  event.preventDefault();
});
$("seek").addEventListener("input", () => {
  player.pause();
  player.go(Number($("seek").value), 0);
});
addEventListener("hashchange", arrive);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => theme(false));

theme(false);
player.speed = memory.get("speed", ...SPEEDS.keys()) ?? 2;
player.buttons();
charts.forEach((chart) => $("charts").append(chart.box));
listGames();
arrive();
