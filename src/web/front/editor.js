// Draws a position by hand: cells of both fields, stocks, gauges, scores, the turn and the packs.
import { $, both, element, EMPTY, HEIGHT, WIDTH } from "./draw.js";
import { app } from "./app.js";
import { isTouch } from "./keys.js";
import { board } from "./board.js";
import { belowDanger, CONTENTS, copied, placed, tens } from "./drawing.js";
import { drawingOf, Study } from "./study.js";
import { button, card, labelled, number, row } from "./ui.js";
import { viewer } from "./viewer.js";
import { playerName, t } from "./words.js";

/** @import { Draft } from "./drawing.js" */
/** @import { Node, Player } from "./study.js" */

/** The numbers of a player, with their limits.
 * @type {[keyof Player, number, number][]} */
const NUMBERS = [
  ["stock", 0, 9999],
  ["gauge", 0, 100],
  ["score", 0, 999_999],
];
/** By how many places an arrow moves in a field.
 * @type {Record<string, number>} */
const ARROWS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: WIDTH, ArrowDown: -WIDTH };
// The packs that can be edited cell by cell.
const PACKS = 6;

const named = (/** @type {string} */ content) =>
  content === "." ? t("empty") : content === "#" ? t("ojama") : content;

export const editor = {
  open: false,
  content: "1", // what a click puts into a cell
  cell: [0, 0], // the cell that keys change, by seat
  drafts: /** @type {WeakMap<Node, Draft>} */ (new WeakMap()), // by the node that it began with
  node: /** @type {Node | null} */ (null), // the node of the draft that is edited

  // What is edited. There is a draft as soon as the editor was entered.
  get draft() {
    return /** @type {Draft} */ (this.node && this.drafts.get(this.node));
  },

  // Goes on with the draft of the node that is shown, or begins one. A draft stays with its node, whatever
  // is shown meanwhile.
  enter() {
    const { study } = viewer,
      node = study.at;
    this.open = true;
    this.node = node;
    if (!this.draft)
      this.drafts.set(node, {
        before: [],
        fields: both((seat) => belowDanger(node.fields[seat])),
        players: copied(node.players),
        turn: Math.min(499, node.turn),
        packs: study.packs.slice(4 * study.offset(node)),
        names: study.names,
      });
    for (const seat of [0, 1]) {
      const { field } = board.sides[seat];
      field.tabIndex = 0;
      field.setAttribute("role", "application");
      field.setAttribute("aria-roledescription", t("field to edit"));
    }
    this.show();
  },

  leave() {
    if (!this.open) return;
    this.open = false;
    for (const seat of [0, 1]) {
      const { field, cells } = board.sides[seat];
      field.removeAttribute("tabindex");
      field.removeAttribute("aria-roledescription");
      field.setAttribute("role", "img");
      cells.forEach((cell) => delete cell.dataset.at);
    }
    board.show(viewer.study, viewer.study.at);
  },

  /**
   * Keeps the draft as it is, for *Undo*. Changes of one `control`, such as a number that is typed digit by
   * digit, are taken back at once.
   * @param {string | null} control
   */
  remember(control = null) {
    const { before, fields, players, turn, packs } = this.draft;
    if (control && before.at(-1)?.control === control) return;
    before.push({ control, fields: [...fields], players: copied(players), turn, packs });
  },

  undo() {
    const last = this.draft.before.pop();
    if (!last) return;
    const { control, ...draft } = last;
    Object.assign(this.draft, draft);
    this.show();
    app.refresh();
  },

  // Leaves without the draft.
  close() {
    this.leave();
    if (this.node) this.drafts.delete(this.node);
  },

  show() {
    for (const seat of [0, 1]) {
      const side = board.sides[seat],
        { score, stock, gauge } = this.draft.players[seat];
      const pairs = tens(this.draft.fields[seat]);
      side.show({ field: this.draft.fields[seat], marks: pairs, linked: true, hover: "", badge: "" });
      $("unstable")?.toggleAttribute("hidden", !this.draft.fields.some((field) => tens(field).length));
      side.score.textContent = String(score);
      side.stock.value.textContent = String(stock);
      side.stock.bar.style.width = Math.min(100, stock) + "%";
      side.gauge.value.textContent = String(gauge);
      side.gauge.bar.style.width = gauge + "%";
      this.point(seat);
    }
  },

  /** @param {number} seat */
  point(seat) {
    const { cells, field } = board.sides[seat];
    const isFocused = document.activeElement === field;
    cells.forEach((cell, at) => {
      if (isFocused && at === this.cell[seat]) cell.dataset.at = "1";
      else delete cell.dataset.at;
    });
  },

  /**
   * @param {number} seat
   * @param {number} at
   * @param {string} content
   */
  put(seat, at, content) {
    this.draft.fields[seat] = placed(this.draft.fields[seat], at, content);
    this.show();
  },

  /**
   * The cell at which an event points.
   * @param {number} seat
   * @param {PointerEvent} event
   */
  at(seat, event) {
    const box = board.sides[seat].field.getBoundingClientRect();
    const x = Math.floor(((event.clientX - box.left) / box.width) * WIDTH);
    const y = Math.floor(((box.bottom - event.clientY) / box.height) * (EMPTY.length / WIDTH));
    if (x < 0 || x >= WIDTH || y < 0) return null;
    return Math.min(HEIGHT - 1, y) * WIDTH + x;
  },

  /**
   * Clicks and drags paint; the right button empties.
   * @param {number} seat
   * @param {HTMLElement} field
   */
  listen(seat, field) {
    /** @type {number | null} */
    let painted = null;
    const paint = (/** @type {PointerEvent} */ event) => {
      const at = this.at(seat, event);
      // A drag puts one block into each cell that it enters.
      if (at === null || painted === at) return;
      if (painted === null) this.remember();
      painted = at;
      this.put(seat, at, event.buttons === 2 ? "." : this.content);
    };
    field.addEventListener("pointerdown", (event) => {
      if (!this.open) return;
      painted = null;
      paint(event);
    });
    field.addEventListener("pointermove", (event) => {
      if (this.open && event.buttons && event.pointerType === "mouse") paint(event);
    });
    field.addEventListener("contextmenu", (event) => {
      if (this.open) event.preventDefault();
    });
    for (const name of ["focus", "blur"])
      field.addEventListener(name, () => {
        if (this.open) this.point(seat);
      });
  },

  /**
   * Keys on a field: u takes a change back, arrows choose a cell, digits and `#` fill it, Delete empties it.
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (this.open && event.key === "u") {
      this.undo();
      return true;
    }
    const seat = [0, 1].find((one) => document.activeElement === board.sides[one].field);
    if (!this.open || seat === undefined) return false;
    const by = ARROWS[event.key];
    const at = this.cell[seat];
    if (by) {
      const next = at + by;
      const isBeside = Math.abs(by) === WIDTH || Math.floor(next / WIDTH) === Math.floor(at / WIDTH);
      if (next >= 0 && next < WIDTH * HEIGHT && isBeside) this.cell[seat] = next;
      this.point(seat);
    } else {
      const content = /^(Delete|Backspace|[0.])$/.test(event.key) ? "." : event.key;
      if (!CONTENTS.includes(content)) return false;
      this.remember();
      this.put(seat, at, content);
    }
    const now = this.cell[seat];
    $("announcement").textContent =
      `${t("column {}, row {}", now % WIDTH, Math.floor(now / WIDTH) + 1)}: ${named(this.draft.fields[seat][now])}`;
    return true;
  },

  async apply() {
    const { fields, players, turn, packs, names } = this.draft;
    // A game has a pack for each of its 500 turns and no more: of a later turn, fewer.
    const start = {
      turn,
      packs: "",
      players: both((seat) => ({ ...players[seat], field: drawingOf(fields[seat]) })),
    };
    try {
      const study = await Study.of(app.host, { packs: packs.slice(0, 4 * (500 - turn)), start, names, actions: [] });
      this.leave();
      app.open(study);
      return true;
    } catch (error) {
      app.fail(error);
      return false;
    }
  },

  /** @param {() => void} done shows the analysis */
  cards(done) {
    const palette = element("div", {
      class: "palette",
      role: "radiogroup",
      "aria-label": t("What a click puts into a cell"),
    });
    for (const content of CONTENTS) {
      const input = element("input", {
        type: "radio",
        name: "content",
        value: content,
        "aria-label": named(content),
        ...(content === this.content ? { checked: "" } : {}),
      });
      input.addEventListener("change", () => {
        this.content = content;
      });
      palette.append(
        element(
          "label",
          { title: named(content) },
          input,
          element(
            "span",
            { class: "swatch", "data-c": content === "." ? "" : content },
            content === "." ? "\u2715" : content === "#" ? "" : content,
          ),
        ),
      );
    }
    const numbers = [0, 1].map((seat) =>
      element(
        "fieldset",
        {},
        element("legend", {}, playerName(this.draft.names, seat)),
        ...NUMBERS.map(([name, min, max]) => {
          const input = element("input", {
            type: "number",
            min,
            max,
            value: this.draft.players[seat][name],
            id: `${name}${seat}`,
          });
          input.addEventListener("input", () => {
            this.remember(input.id);
            this.draft.players[seat][name] = number(input);
            this.show();
          });
          return labelled(t(name), input);
        }),
      ),
    );
    const turn = element("input", { type: "number", min: 0, max: 499, value: this.draft.turn, id: "editturn" });
    turn.addEventListener("input", () => {
      this.remember(turn.id);
      this.draft.turn = number(turn);
    });
    const clear = (/** @type {number} */ seat) =>
      button(t(seat ? "Clear right" : "Clear left"), () => {
        this.remember();
        this.draft.fields[seat] = EMPTY;
        this.show();
      });
    const swap = button(t("Swap sides"), () => {
      this.remember();
      this.draft.fields.reverse();
      this.draft.players.reverse();
      this.show();
      app.refresh();
    });
    return [
      card(
        t("Edit the position"),
        palette,
        element(
          "p",
          { class: "soft" },
          isTouch()
            ? t("Tap or drag on a field; the cross empties.")
            : t("Click or drag on a field; the right button empties. Keys: arrows, 1 to 9, #, Delete."),
        ),
        element(
          "p",
          {
            class: "warning",
            id: "unstable",
            ...(this.draft.fields.some((field) => tens(field).length) ? {} : { hidden: "" }),
          },
          t("The marked blocks sum to 10: they vanish with the next pack."),
        ),
        row(
          clear(0),
          clear(1),
          swap,
          button(t("Undo"), () => this.undo(), { id: "editundo", title: t("Take the last change back (u)") }),
        ),
        row(
          button(
            t("Analyse this position"),
            async () => {
              if (await this.apply()) done();
            },
            { class: "main", id: "apply" },
          ),
          button(t("Cancel"), () => {
            this.leave();
            done();
          }),
        ),
      ),
      card(t("Stocks, gauges, scores"), element("div", { class: "pair2" }, ...numbers), labelled(t("Turn"), turn)),
      card(t("Packs"), this.packs()),
    ];
  },

  // The next packs, a button a cell: a click puts the chosen block, a digit the one that it names.
  packs() {
    const root = element("div", { class: "editpacks" });
    const corners = [t("upper left"), t("upper right"), t("lower left"), t("lower right")];
    const draw = () =>
      root.replaceChildren(
        ...[...Array(PACKS).keys()].map((pack) => {
          const box = element("div", { class: "editpack", role: "group", "aria-label": t("pack {}", pack) });
          for (let at = 0; at < 4; at++) {
            const place = 4 * pack + at,
              content = this.draft.packs[place] ?? "0";
            const put = (/** @type {string} */ digit) => {
              this.remember();
              const packs = this.draft.packs.padEnd(4 * (pack + 1), "0");
              this.draft.packs = packs.slice(0, place) + digit + packs.slice(place + 1);
              draw();
              root.querySelectorAll("button")[place]?.focus();
            };
            const cell = button(
              content === "0" ? "" : content,
              () => put(/[1-9]/.test(this.content) ? this.content : "0"),
              {
                class: "swatch",
                "data-c": content === "0" ? "" : content,
                "aria-label": `${t("pack {}", pack)}, ${corners[at]}: ${content === "0" ? t("empty") : content}`,
              },
            );
            cell.addEventListener("keydown", (event) => {
              if (!/^[0-9]$/.test(event.key)) return;
              event.preventDefault();
              event.stopPropagation();
              put(event.key);
            });
            box.append(cell);
          }
          return box;
        }),
      );
    draw();
    return root;
  },
};
