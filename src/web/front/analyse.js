// Analyses the node that is shown: values, lines, plans of both sides, chance, triggers and the
// potential after rows of ojama.
import { $, element, WIDTH } from "./draw.js";
import { app } from "./app.js";
import { board, spoken } from "./board.js";
import { memory, oneOf } from "./settings.js";
import { button, card, labelled, percent, row, select, table, valued } from "./ui.js";
import { playLine } from "./variations.js";
import { viewer } from "./viewer.js";
import { playerName, t } from "./words.js";

// Simulated drops of an analysis.
const STRENGTHS = [
  [100_000, "quick"],
  [500_000, "normal"],
  [3_000_000, "deep"],
  [20_000_000, "very deep"],
];

// The name of an analysis in its node.
const key = (seat, nodes) => `${seat} ${nodes}`;

// A list without repetitions at its end.
function shortened(list) {
  let end = list.length;
  while (end > 1 && list[end - 1] === list[end - 2]) end--;
  return list.slice(0, end);
}

export const analysis = {
  seat: memory.get("client.seat", oneOf(0, 1), 0),
  nodes: memory.get("client.nodes", oneOf(...STRENGTHS.map(([nodes]) => nodes)), 500_000),
  auto: false,
  running: null,
  notes: "", // which notes are shown on the fields: "triggers" or none
  line: null, // the nodes of the line that is clicked through

  get result() {
    return app.study?.at.analyses[key(this.seat, this.nodes)] ?? null;
  },

  stop() {
    this.running?.abort();
    this.running = null;
  },

  async run() {
    this.stop();
    const { study } = app,
      node = study.at,
      { seat, nodes } = this;
    if (node.over || !study.pack(node)) return;
    const running = new AbortController();
    this.running = running;
    app.refresh();
    try {
      const params = { position: study.position(node), seat, nodes, lines: 5 };
      // Its value is then exact too.
      if (node.children.length) params.played = node.children[0].actions[seat];
      const result = await app.host.request("analyse", params, {
        signal: running.signal,
        onProgress: ({ nodes: count }) => this.progress(count),
      });
      node.analyses[key(seat, nodes)] = { ...result, played: params.played ?? null };
    } catch (error) {
      app.fail(error);
    }
    if (this.running !== running) return;
    this.running = null;
    app.refresh();
  },

  progress(count) {
    const output = $("progress");
    if (output && count !== undefined) output.textContent = t("{} drops", count.toLocaleString());
  },

  moved() {
    clearTimeout(this.later);
    this.stop();
    if (this.auto && !this.result)
      this.later = setTimeout(() => {
        if (this.auto && !viewer.playing) this.run();
      }, 250);
    app.refresh();
  },

  // The cards of the panel.
  cards() {
    const { study } = app,
      node = study.at;
    const seats = select(
      [0, 1].map((seat) => [seat, playerName(study.names, seat)]),
      this.seat,
      { id: "analysisseat" },
    );
    seats.addEventListener("change", () => {
      this.seat = Number(seats.value);
      memory.set("client.seat", this.seat);
      this.moved();
    });
    const strength = select(
      STRENGTHS.map(([nodes, name]) => [nodes, t(name)]),
      this.nodes,
      { id: "strength" },
    );
    strength.addEventListener("change", () => {
      this.nodes = Number(strength.value);
      memory.set("client.nodes", this.nodes);
      this.moved();
    });
    const auto = element("input", { type: "checkbox", id: "auto", ...(this.auto ? { checked: "" } : {}) });
    auto.addEventListener("change", () => {
      this.auto = auto.checked;
      this.moved();
    });
    const cannot = Boolean(node.over) || !study.pack(node);
    const start = this.running
      ? button(
          t("Stop"),
          () => {
            this.stop();
            app.refresh();
          },
          { id: "stopanalysis" },
        )
      : button(t("Analyse this turn"), () => this.run(), {
          class: "main",
          id: "runanalysis",
          ...(cannot ? { disabled: "" } : {}),
        });
    const head = card(
      t("Analysis"),
      row(labelled(t("For"), seats), labelled(t("Strength"), strength)),
      row(
        start,
        element("label", { class: "check" }, auto, element("span", {}, t("each turn"))),
        this.running && element("output", { id: "progress", class: "soft" }, t("thinking")),
      ),
    );
    const { result } = this;
    this.showNotes();
    if (!result) return [head];
    return [head, this.summary(result), this.lines(result), this.plans(result), this.triggers(result)].filter(Boolean);
  },

  summary(result) {
    const own = result.chance ?? null,
      { report } = result;
    const bar = element("div", {
      class: "chancebar",
      role: "img",
      "aria-label": own === null ? t("no chance known") : t("win probability: {}", percent(own)),
    });
    const part = element("i", { class: "by" + this.seat });
    part.style.width = `${(own ?? 0.5) * 100}%`;
    bar.classList.add("by" + (1 - this.seat));
    bar.append(part);
    const best = element(
      "p",
      {},
      element("b", {}, spoken(result.chosen)),
      ` \u00b7 ${t("value")} ${valued(result.candidates.find(({ action }) => action === result.chosen)?.value)}`,
    );
    const plan = report.plan_chain
      ? element("p", {}, t("plans {} at turn {}", report.plan_chain, report.plan_turn))
      : null;
    return card(
      t("Win probability"),
      row(element("b", { class: "big" }, own === null ? "\u2013" : percent(own)), bar),
      best,
      plan,
    );
  },

  // Plays a line as a variation and goes to its first turn.
  async follow(seat, actions, others) {
    const { study } = app,
      node = study.at;
    try {
      const nodes = await playLine(study, node, seat, actions, others);
      if (app.study !== study || study.at !== node) return;
      study.tip = nodes.at(-1).last;
      viewer.go(nodes[1] ?? node);
    } catch (error) {
      app.fail(error);
    }
  },

  // A button that shows on hover where an action would land.
  candidate(text, action, act) {
    const made = button(text, act, { class: "link" });
    const show = async () => {
      const { study } = app,
        node = study.at,
        { seat } = this;
      try {
        node.choices ??= [null, null];
        node.choices[seat] ??= await app.host.request("choices", { position: study.position(node), seat });
      } catch {
        return;
      }
      const choice = node.choices[seat].find((one) => one.action === action);
      if (choice && app.study === study && study.at === node && made.matches(":hover, :focus-visible"))
        board.preview(seat, choice, "");
    };
    for (const event of ["pointerenter", "focus"]) made.addEventListener(event, show);
    for (const event of ["pointerleave", "blur"]) made.addEventListener(event, () => board.clear(this.seat));
    return made;
  },

  lines(result) {
    const { played } = result;
    // The chosen action first, and the played one wherever it ranks. The value of the best, the chosen and
    // the played action is exact, the others are upper bounds.
    const rank = ({ action }) => (action === result.chosen ? 0 : 1);
    const listed = result.candidates
      .filter(({ action }, at) => at < 6 || action === result.chosen || action === played)
      .sort((a, b) => rank(a) - rank(b));
    const isExact = (action) =>
      action === result.candidates[0].action || action === result.chosen || action === result.played;
    const notes = (action) =>
      [action === result.chosen ? t("chosen") : "", action === played ? t("played") : ""].filter(Boolean).join(", ");
    const candidates = listed.map(({ action, chain, value, line }) => [
      [
        this.candidate(action, action, () => this.follow(this.seat, line?.actions?.length ? line.actions : [action])),
        element("small", {}, notes(action)),
      ],
      (isExact(action) || value === null ? "" : "\u2264\u00a0") + valued(value),
      String(chain || "\u2013"),
      line?.chain ? t("{} at turn {}", line.chain, line.turn) : "\u2013",
    ]);
    const attacks = (seat, lines) =>
      lines.map((line) => [
        button(t("turn {}", line.turn), () => this.follow(seat, line.actions), { class: "link" }),
        String(line.chain),
        String(line.sent),
        line.actions.join(", "),
      ]);
    const best = result.attacks.map((lines) =>
      lines
        .slice()
        .sort((a, b) => a.turn - b.turn)
        .slice(0, 8),
    );
    const names = [this.seat, 1 - this.seat].map((seat) => playerName(app.study.names, seat));
    return element(
      "div",
      { class: "stack" },
      card(
        t("Best actions"),
        this.choice(result),
        table([t("action"), t("value"), t("chain"), t("then")], candidates, t("Best actions")),
      ),
      ...best
        .map((lines, side) =>
          lines.length
            ? card(
                t("Chains within reach: {}", names[side]),
                element(
                  "div",
                  { class: "scroll" },
                  table(
                    [t("when"), t("chain"), t("sends"), t("actions")],
                    attacks(side ? 1 - this.seat : this.seat, lines),
                    t("Chains within reach: {}", names[side]),
                  ),
                ),
              )
            : null,
        )
        .filter(Boolean),
    );
  },

  // Why the chosen action is not the one that the search values most, in a sentence.
  choice({ candidates, chosen }) {
    const [best] = candidates,
      own = candidates.find(({ action }) => action === chosen);
    if (!best || !own || best.action === chosen || best.value === null || own.value === null) return null;
    return element(
      "p",
      { class: "soft", id: "whychosen" },
      t(
        "The search finds {} better than {} by {} ojama, which is too little to change the choice.",
        best.action,
        chosen,
        (best.value - own.value).toFixed(1),
      ),
    );
  },

  // The payoff of each own plan against each plan of the opponent, in ojama.
  plans(result) {
    const { plans, opponent_plans: others } = result;
    if (!plans.length) return null;
    const title = ({ chain, turn }) => t("{} at turn {}", chain, turn);
    const head = [
      t("plan"),
      t("value"),
      ...others.map((plan) => [
        title(plan),
        element("small", {}, plan.likely === null || plan.likely === undefined ? "" : percent(plan.likely)),
      ]),
    ];
    const rows = plans.slice(0, 8).map((plan) => [
      [
        button(title(plan), () => this.follow(this.seat, plan.actions), { class: "link" }),
        plan.followed ? element("b", { title: t("the plan that is followed") }, " \u2713") : "",
      ],
      plan.value === null || plan.value === undefined ? "\u2013" : plan.value.toFixed(2),
      ...others.map((other, at) => {
        const balance = plan.balances[at];
        if (balance === undefined) return "\u2013";
        return button(valued(balance), () => this.follow(this.seat, plan.actions, other.actions), {
          class: "link",
          "aria-label": `${title(plan)}, ${title(other)}: ${valued(balance)}`,
        });
      }),
    ]);
    return card(
      t("Plans against the opponent\u2019s, in ojama"),
      element("div", { class: "scroll" }, table(head, rows, t("Plans against the opponent\u2019s, in ojama"))),
    );
  },

  triggers(result) {
    const list = (side) =>
      result.triggers[side]
        .slice(0, 6)
        .map(({ cell: [x, y], block, chain, buried }) => [
          t("column {}, row {}", x, y + 1),
          String(block),
          String(chain),
          buried === null || buried === undefined ? t("never") : buried === 1 ? t("1 row") : t("{} rows", buried),
        ]);
    const shown = element("input", { type: "checkbox", id: "shownotes", ...(this.notes ? { checked: "" } : {}) });
    shown.addEventListener("change", () => {
      this.notes = shown.checked ? "triggers" : "";
      this.showNotes();
    });
    const names = [this.seat, 1 - this.seat].map((seat) => playerName(app.study.names, seat));
    return card(
      t("Triggers, and by how many rows they are buried"),
      element("label", { class: "check" }, shown, element("span", {}, t("show on the fields"))),
      ...[0, 1]
        .flatMap((side) => [
          element("h3", {}, names[side]),
          element(
            "p",
            { class: "soft" },
            t("potential after 0, 1, 2 \u2026 rows: {}", shortened(result.potential_by_rows[side]).join(" \u2192 ")),
          ),
          result.triggers[side].length
            ? table([t("place"), t("block"), t("chain"), t("buried by")], list(side), names[side])
            : null,
        ])
        .filter(Boolean),
    );
  },

  // Stops, and removes the notes from the fields.
  leave() {
    this.stop();
    for (const seat of [0, 1]) board.note(seat, null);
  },

  // Writes the chains of triggers on the cells where they would land.
  showNotes() {
    const { result } = this;
    for (const side of [0, 1]) {
      const seat = side ? 1 - this.seat : this.seat;
      const notes = new Map();
      if (this.notes && result) {
        for (const {
          cell: [x, y],
          block,
          chain,
        } of result.triggers[side].slice(0, 6))
          if (!notes.has(y * WIDTH + x)) notes.set(y * WIDTH + x, `${block}:${chain}`);
      }
      board.note(seat, notes.size ? notes : null);
    }
  },
};
