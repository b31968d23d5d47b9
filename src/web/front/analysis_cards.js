// The analysis of a turn in the panel: what is most wanted first, the rest folded.
import { element } from "./draw.js";
import { actionImage } from "./action_image.js";
import { analysis, STRENGTHS } from "./analyse.js";
import { app } from "./app.js";
import { board, spoken } from "./board.js";
import { fold, folds } from "./fold.js";
import { memory } from "./settings.js";
import { button, card, labelled, percent, row, select, table, valued } from "./ui.js";
import { choicesOf } from "./variations.js";
import { viewer } from "./viewer.js";
import { playerName, t } from "./words.js";

/** @import { OwnPlan } from "../../../target/front/api" */
/** @import { Kept } from "./analyse.js" */

// Actions in the list of the best ones, and rows of the lists of chains, plans and triggers.
const MOST_ACTIONS = 5;
const MOST_CHAINS = 8;
const MOST_TRIGGERS = 6;

/** The names of the analysed player and of its opponent. */
const names = () => [analysis.seat, 1 - analysis.seat].map((seat) => playerName(viewer.study.names, seat));

/**
 * A list without repetitions at its end.
 * @param {number[]} list
 */
function shortened(list) {
  let end = list.length;
  while (end > 1 && list[end - 1] === list[end - 2]) end--;
  return list.slice(0, end);
}

/**
 * A checkbox with its text.
 * @param {string} id
 * @param {string} text
 * @param {boolean} isChecked
 * @param {(isChecked: boolean) => void} act
 */
function check(id, text, isChecked, act) {
  const input = element("input", { type: "checkbox", id });
  input.checked = isChecked;
  input.addEventListener("change", () => act(input.checked));
  return element("label", { class: "check" }, input, element("span", {}, text));
}

// The button that starts or stops the search, or starts a deeper one.
function startButton() {
  if (analysis.running) {
    const stop = () => {
      analysis.stop();
      app.refresh();
    };
    return button(t("Stop"), stop, { id: "stopanalysis" });
  }
  const { deeper } = analysis;
  if (analysis.isDone) return deeper ? button(t("Deeper"), () => analysis.run(deeper[0]), { id: "deeper" }) : null;
  const start = button(t("Analyse this turn"), () => analysis.run(), { class: "main", id: "runanalysis" });
  start.disabled = !analysis.isPossible;
  return start;
}

/**
 * A card whose parts stand close together, as the panel of a small window has to hold all of them.
 * @param {HTMLElement} made
 */
function dense(made) {
  made.classList.add("dense");
  return made;
}

/** @param {Kept | null} result */
function head(result) {
  const seats = select(
    [0, 1].map((seat) => /** @type {const} */ ([seat, playerName(viewer.study.names, seat)])),
    analysis.seat,
    { id: "analysisseat" },
  );
  seats.addEventListener("change", () => {
    analysis.seat = seats.value === "1" ? 1 : 0;
    memory.set("client.seat", analysis.seat);
    analysis.moved();
  });
  const strength = select(
    STRENGTHS.map(([nodes, name]) => /** @type {const} */ ([nodes, t(name)])),
    analysis.nodes,
    { id: "strength" },
  );
  strength.addEventListener("change", () => {
    analysis.nodes = Number(strength.value);
    memory.set("client.nodes", analysis.nodes);
    analysis.moved();
  });
  const made = card(
    t("Analysis"),
    row(labelled(t("For"), seats), labelled(t("Strength"), strength)),
    row(
      startButton(),
      check("auto", t("each turn"), analysis.isAuto, (isAuto) => analysis.setAuto(isAuto)),
      check("showbest", t("mark the best"), analysis.isShown, (isShown) => analysis.setShown(isShown)),
      analysis.running && element("output", { id: "progress", class: "soft" }, t("thinking")),
    ),
    result && chance(result),
  );
  // The tab above has the same title.
  made.querySelector("h2")?.classList.add("unseen");
  return dense(made);
}

/** The win probability of the analysed player.
 * @param {Kept} result */
function chance(result) {
  const own = result.chance ?? null,
    { plan_chain: planned, plan_turn: when } = result.report;
  const text = own === null ? t("no chance known") : t("win probability: {}", percent(own));
  const bar = element("div", { class: `chancebar by${1 - analysis.seat}`, role: "img", "aria-label": text });
  const part = element("i", { class: "by" + analysis.seat });
  const drops = t("{} drops", result.nodes.toLocaleString());
  part.style.width = `${(own ?? 0.5) * 100}%`;
  bar.append(part);
  return row(
    element("b", { class: "big", title: t("Win probability") }, own === null ? "\u2013" : percent(own)),
    bar,
    element(
      "small",
      {},
      [planned ? t("plans {} at turn {}", planned, when) : "", drops].filter(Boolean).join(" \u00b7 "),
    ),
  );
}

/**
 * A button for an action that shows on hover where it would land.
 * @param {string} action
 * @param {() => void} act
 */
function actionButton(action, act) {
  const made = button("", act, { class: "link action" });
  made.append(actionImage(action, viewer.study.pack(viewer.study.at), false, spoken(action)), ` ${action}`);
  const show = async () => {
    const { study } = viewer,
      { at } = study,
      { seat } = analysis;
    try {
      const choices = await choicesOf(study, at, seat);
      const choice = choices.find((one) => one.action === action);
      const isHere = app.study === study && study.at === at && made.matches(":hover, :focus-visible");
      if (choice && isHere) board.preview(seat, choice, "");
    } catch {
      // What cannot be shown on hover is shown by a click, which tells why.
    }
  };
  for (const event of ["pointerenter", "focus"]) made.addEventListener(event, show);
  for (const event of ["pointerleave", "blur"]) made.addEventListener(event, () => board.clear(analysis.seat));
  return made;
}

// The chosen action first, and the played one wherever it ranks. The value of the best, the chosen and the
// played action is exact, the others are upper bounds.
/** @param {Kept} result */
function bestActions(result) {
  const { candidates, chosen, played } = result;
  const isExact = (/** @type {string} */ action) => [candidates[0].action, chosen, played].includes(action);
  const notes = (/** @type {string} */ action) =>
    [action === chosen ? t("chosen") : "", action === played ? t("played") : ""].filter(Boolean).join(", ");
  const listed = candidates.filter(({ action }, at) => at < MOST_ACTIONS || action === chosen || action === played);
  const ranked = [...listed].sort((a, b) => Number(b.action === chosen) - Number(a.action === chosen));
  const rows = ranked.map(({ action, chain, value, line }) => [
    [
      actionButton(action, () => analysis.follow(analysis.seat, line?.actions?.length ? line.actions : [action])),
      element("small", {}, notes(action)),
    ],
    (isExact(action) || value === null ? "" : "\u2264\u00a0") + valued(value),
    String(chain || "\u2013"),
    line?.chain ? String(line.chain) : "\u2013",
    line?.chain ? String(line.turn) : "",
  ]);
  return dense(
    card(
      t("Best actions"),
      reason(result),
      element(
        "div",
        { class: "scroll" },
        table([t("action"), t("value"), t("chain"), t("then"), t("turn")], rows, t("Best actions")),
      ),
    ),
  );
}

// Why the chosen action is not the one that the search values most, in a sentence.
/** @param {Kept} result */
function reason({ candidates, chosen }) {
  const [best] = candidates,
    own = candidates.find(({ action }) => action === chosen);
  const [most, value] = [best?.value ?? null, own?.value ?? null];
  if (most === null || value === null || best.action === chosen) return null;
  return element(
    "p",
    { class: "soft", id: "whychosen" },
    t(
      "By the search {} is better than {} by {} ojama: too little to change the choice.",
      best.action,
      chosen,
      (most - value).toFixed(1),
    ),
  );
}

// The chains within reach of a side, the earliest first.
/**
 * @param {Kept} result
 * @param {number} side 0 is the analysed player
 */
function reachable(result, side) {
  const seat = side ? 1 - analysis.seat : analysis.seat;
  const lines = [...result.attacks[side]].sort((a, b) => a.turn - b.turn).slice(0, MOST_CHAINS);
  if (!lines.length) return null;
  const title = t("Chains within reach: {}", names()[side]);
  const rows = lines.map((line) => [
    button(t("turn {}", line.turn), () => analysis.follow(seat, line.actions), { class: "link" }),
    String(line.chain),
    String(line.sent),
    [actionImage(line.actions[0], viewer.study.pack(viewer.study.at), true), ` ${line.actions.join(", ")}`],
  ]);
  const head = [t("when"), t("chain"), t("sends"), t("actions")];
  return fold(`chains ${side}`, title, element("div", { class: "scroll" }, table(head, rows, title)));
}

// The payoff of each own plan against each plan of the opponent, in ojama.
/** @param {Kept} result */
function payoffs(result) {
  const { plans, opponent_plans: others } = result;
  if (!plans.length) return null;
  const title = (/** @type {{ chain: number, turn: number }} */ { chain, turn }) => t("{} at turn {}", chain, turn);
  const head = [
    t("plan"),
    t("value"),
    ...others.map((plan) =>
      element("span", {}, title(plan), element("small", {}, plan.likely == null ? "" : percent(plan.likely))),
    ),
  ];
  const balances = (/** @type {OwnPlan} */ plan) =>
    others.map((other, at) => {
      const balance = plan.balances[at];
      if (balance === undefined) return "\u2013";
      return button(valued(balance), () => analysis.follow(analysis.seat, plan.actions, other.actions), {
        class: "link",
        "aria-label": `${title(plan)}, ${title(other)}: ${valued(balance)}`,
      });
    });
  const rows = plans
    .slice(0, MOST_CHAINS)
    .map((plan) => [
      [
        button(title(plan), () => analysis.follow(analysis.seat, plan.actions), { class: "link" }),
        plan.followed ? element("b", { title: t("the plan that is followed") }, " \u2713") : "",
      ],
      plan.value == null ? "\u2013" : plan.value.toFixed(2),
      ...balances(plan),
    ]);
  const words = t("Balances of the plans, in ojama");
  return fold("plans", words, element("div", { class: "scroll" }, table(head, rows, words)));
}

/** @param {Kept} result */
function triggers(result) {
  const sides = [0, 1].flatMap((side) => {
    const rows = result.triggers[side]
      .slice(0, MOST_TRIGGERS)
      .map(({ cell: [x, y], block, chain, buried }) => [
        t("column {}, row {}", x, y + 1),
        String(block),
        String(chain),
        buried == null ? t("never") : buried === 1 ? t("1 row") : t("{} rows", buried),
      ]);
    const potential = shortened(result.potential_by_rows[side]).join(" \u2192 ");
    return [
      element("h3", {}, names()[side]),
      element("p", { class: "soft" }, t("potential after 0, 1, 2 \u2026 rows: {}", potential)),
      rows.length ? table([t("place"), t("block"), t("chain"), t("buried by")], rows, names()[side]) : null,
    ];
  });
  const shown = check("shownotes", t("show on the fields"), analysis.notes !== "", (isShown) => {
    analysis.notes = isShown ? "triggers" : "";
    analysis.showNotes();
  });
  return fold("triggers", t("Triggers, and what buries them"), shown, ...sides);
}

// The cards of the shown turn, with a last part that folds.
export function analysisCards(/** @type {HTMLElement} */ last) {
  const { result } = analysis;
  analysis.showNotes();
  if (!result) return [head(null), folds(last)];
  const chains = [0, 1].map((side) => reachable(result, side));
  return [head(result), bestActions(result), folds(...chains, payoffs(result), triggers(result), last)];
}
