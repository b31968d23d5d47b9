// The time line and the curves.

// Attacks along the time line: the first player's above the middle, the second player's below it.
// A longer chain has a longer bar, and a skill has a ring.
function _drawAttacks(game) {
  const root = $("attacks"),
    count = Math.max(1, game.turns.length);
  root.setAttribute("viewBox", `0 0 ${count} 100`);
  root.replaceChildren(
    svg("line", { x1: 0, x2: count, y1: 50, y2: 50, stroke: "var(--faint)", "vector-effect": "non-scaling-stroke" }),
  );
  game.turns.forEach((turn, at) => {
    for (const seat of [0, 1]) {
      const chain = turn.chains[seat],
        skill = turn.actions[seat] === "S";
      if (chain < 1 && !skill) continue;
      const attack = chain >= 3 || skill;
      const height = skill ? Math.max(18, Math.min(48, chain * 3.4)) : Math.min(48, 3 + chain * 3.4);
      root.append(
        svg("rect", {
          x: at + 0.15,
          width: 0.7,
          y: seat ? 51 : 49 - height,
          height,
          rx: 0.1,
          class: attack ? "attack" : "small",
          fill: seat ? "var(--second)" : "var(--first)",
          opacity: attack ? 1 : 0.35,
          ...(skill ? { stroke: "var(--ink)", "stroke-width": 2, "vector-effect": "non-scaling-stroke" } : {}),
        }),
      );
    }
  });
}

// Formats a value in tenths of an ojama. Values from 1,000,000 on are the end of the game.
const valued = (value) => (Math.abs(value) < 1e6 ? (value / 10).toFixed(1) : value > 0 ? "win" : "loss");

// Values beyond 300 ojama are cut, because they decide the game and would flatten the curve.
const bent = (value) => Math.asinh(Math.max(-3000, Math.min(3000, value)) / 10);

class Chart {
  // `of` returns the value of a turn for a seat, or null; `scale` transforms the axis.
  constructor(title, of, shown, scale = (value) => value) {
    Object.assign(this, { of, shown, scale });
    this.outputs = [0, 1].map(() => element("output"));
    this.root = svg("svg", { preserveAspectRatio: "none", role: "img", "aria-label": `curve: ${title}` });
    this.box = element(
      "div",
      { class: "chart" },
      element("h2", {}, element("span", {}, title), ...this.outputs),
      this.root,
    );
    this.root.addEventListener("pointerdown", (event) => this.seek(event));
    this.root.addEventListener("pointermove", (event) => event.buttons && this.seek(event));
  }

  seek(event) {
    const box = this.root.getBoundingClientRect();
    player.pause();
    player.go(Math.round(((event.clientX - box.left) / box.width) * this.count), 0);
  }

  draw(game) {
    this.game = game;
    this.count = Math.max(1, game.turns.length);
    const values = [0, 1].map((seat) => game.turns.map((turn) => this.of(turn, seat)));
    const all = values
      .flat()
      .filter((value) => value !== null)
      .map(this.scale);
    this.box.hidden = all.length === 0;
    const top = Math.max(1, ...all),
      low = Math.min(0, ...all),
      span = (top - low) * 1.08;
    this.root.setAttribute("viewBox", `0 0 ${this.count} ${span}`);
    const y = (value) => span - (this.scale(value) - low) - span * 0.04;
    const lines = values.map((line) => {
      let path = "",
        pen = "M";
      line.forEach((value, at) => {
        if (value === null) {
          pen = "M";
          return;
        }
        path += `${pen}${at + 1} ${y(value).toFixed(3)}`;
        pen = "L";
      });
      return svg("path", { d: path });
    });
    this.cursor = svg("line", { y1: 0, y2: span });
    this.root.replaceChildren(
      svg("line", { class: "zero", x1: 0, x2: this.count, y1: y(0), y2: y(0) }),
      this.cursor,
      ...lines,
    );
  }

  at(turn) {
    this.cursor.setAttribute("x1", turn);
    this.cursor.setAttribute("x2", turn);
    const now = this.game.turns[turn - 1];
    this.outputs.forEach((output, seat) => {
      const value = now ? this.of(now, seat) : null;
      output.textContent = value === null ? "\u2013" : this.shown(value);
    });
  }
}

const _charts = [
  new Chart("Ojama in stock", (turn, seat) => turn.stocks[seat], String),
  new Chart("Potential: chain one block away", (turn, seat) => turn.potentials[seat], String),
  new Chart("The bots\u2019 own value, in ojama", (turn, seat) => turn.info?.[seat]?.value ?? null, valued, bent),
];
