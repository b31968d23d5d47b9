// A person's seat: moves the pack over a field, shows where it would land and the chain that it would
// set off, and drops it. By keys, mouse, touch and buttons.
import { $, WIDTH } from "./draw.js";
import { app } from "./app.js";
import { board, hoverOf, spoken } from "./board.js";
import { t } from "./words.js";

// Milliseconds after a new pack in which it is not dropped: a second click, or a key pressed once too
// often, was meant for the pack before.
const GUARD_MS = 150;

export class Dropper {
  // `choices` are the host's for the position; `done` is called with the choice that is made. If
  // `isHidden`, only where the blocks land is shown, and not what they set off: a puzzle.
  constructor(seat, choices, done, isHidden = false) {
    Object.assign(this, { seat, done, isHidden });
    this.choices = new Map(choices.map((choice) => [choice.action, choice]));
    this.column = Dropper.columns[seat];
    this.rotation = 0;
    this.skilled = false;
    this.open = true;
    this.isReady = false;
    this.guard = setTimeout(() => {
      this.isReady = true;
      board.sides[seat].field.dataset.ready = "1";
    }, GUARD_MS);
    this.show(false);
  }

  // The columns in which the last packs of both seats were dropped.
  static columns = [4, 4];

  // The droppers that are open, at most one a seat.
  static all = [null, null];

  static at(seat) {
    return Dropper.all[seat];
  }

  static start(seat, choices, done, isHidden = false) {
    Dropper.all[seat]?.close();
    Dropper.all[seat] = new Dropper(seat, choices, done, isHidden);
    Dropper.buttons();
    return Dropper.all[seat];
  }

  // Enables the button of the skill if the pack that buttons move can be replaced by it.
  static buttons() {
    app.title(Boolean(current()));
    if (current()) for (const button of $("hand").querySelectorAll("button")) button.disabled = false;
    $("skill").disabled = !current()?.canSkill;
  }

  static closeAll() {
    Dropper.all.forEach((dropper) => dropper?.close());
  }

  get action() {
    return `${this.column} ${this.rotation}`;
  }
  get canSkill() {
    return this.choices.has("S");
  }
  get choice() {
    return this.choices.get(this.skilled ? "S" : this.action);
  }

  move(by) {
    this.put(this.column + by, this.rotation);
  }
  rotate(by) {
    this.put(this.column, (this.rotation + by + 4) % 4);
  }

  put(column, rotation) {
    column = Math.max(0, Math.min(WIDTH - 2, column));
    if (column === this.column && rotation === this.rotation && !this.skilled) return;
    Object.assign(this, { column, rotation, skilled: false });
    this.show();
  }

  // Chooses an action without making it.
  set(action) {
    if (action === "S") {
      this.aimSkill(true);
      return;
    }
    const [column, rotation] = action.split(" ").map(Number);
    this.put(column, rotation);
  }

  aimSkill(aimed) {
    if (!this.open || !this.canSkill || this.skilled === aimed) return;
    this.skilled = aimed;
    this.show();
  }

  show(says = true) {
    if (!this.open) return;
    const { choice } = this;
    if (!choice) return;
    const hover = this.skilled ? "" : hoverOf(choice.cells);
    board.preview(this.seat, this.isHidden ? landing(choice) : choice, hover);
    if (says) $("announcement").textContent = this.description(choice);
  }

  // The effect of a choice, in words.
  description(choice) {
    const parts = [spoken(choice.action)];
    if (this.isHidden) return parts[0];
    if (choice.chain) parts.push(t("chain {}", choice.chain));
    if (choice.sent) parts.push(t("sends {}", choice.sent));
    if (choice.loses) parts.push(t("loses the game"));
    return parts.join(", ");
  }

  // Shows an action until the turn is played, wherever the pack is moved meanwhile.
  hint(action) {
    if (!this.open) return;
    this.set(action);
    board.hint(this.seat, this.choices.get(action));
  }

  // Makes the choice that is shown.
  drop() {
    this.make(this.choice);
  }

  skill() {
    if (this.canSkill) this.make(this.choices.get("S"));
  }

  make(choice) {
    if (!this.open || !this.isReady || !choice) return;
    Dropper.columns[this.seat] = this.column;
    this.close();
    this.done(choice);
  }

  close() {
    if (!this.open) return;
    this.open = false;
    clearTimeout(this.guard);
    delete board.sides[this.seat].field.dataset.ready;
    board.hint(this.seat, null);
    if (Dropper.all[this.seat] === this) Dropper.all[this.seat] = null;
    Dropper.buttons();
    board.clear(this.seat);
  }
}

// A choice as far as its blocks have landed.
function landing({ action, cells, steps }) {
  const until = steps.findIndex(([kind]) => kind === "m" || kind === "x");
  return { action, cells, steps: until < 0 ? steps : steps.slice(0, until), chain: 0, loses: false };
}

// The keys: `alone` where one person plays, the others where two share the keyboard.
const KEYS = {
  alone: {
    ArrowLeft: "left",
    a: "left",
    ArrowRight: "right",
    d: "right",
    ArrowUp: "turn",
    x: "turn",
    w: "turn",
    z: "back",
    ArrowDown: "drop",
    s: "drop",
    " ": "drop",
    Enter: "drop",
    e: "skill",
  },
  0: { a: "left", d: "right", w: "turn", s: "drop", e: "skill" },
  1: { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "turn", ArrowDown: "drop", "/": "skill" },
};

const ACTS = {
  left: (dropper) => dropper.move(-1),
  right: (dropper) => dropper.move(1),
  turn: (dropper) => dropper.rotate(1),
  back: (dropper) => dropper.rotate(-1),
  drop: (dropper) => dropper.drop(),
  skill: (dropper) => dropper.skill(),
};

// Gives a key to the seat that it belongs to; returns whether the key has a meaning. `people` are the
// seats at which persons play. A held key moves the pack on, and does everything else once.
export function pressed({ key, repeat }, people) {
  const name = key.length === 1 ? key.toLowerCase() : key;
  for (const seat of people) {
    const act = (people.length === 1 ? KEYS.alone : KEYS[seat])[name];
    if (!act) continue;
    if (repeat && act !== "left" && act !== "right") return true;
    const dropper = Dropper.at(seat);
    if (dropper) ACTS[act](dropper);
    return true;
  }
  return false;
}

// The seat that buttons move: the only one that is open, or the first.
const current = () => Dropper.all.find(Boolean);

export function act(name) {
  const dropper = current();
  if (dropper) ACTS[name](dropper);
}

export const aim = (aimed) => current()?.aimSkill(aimed);

// Tells the notches of a mouse wheel from the swipe of a trackpad, and turns a pack by both.
class Wheel {
  last = -Infinity;
  sum = 0;
  hasTurned = false;

  // Returns -1, 0 or 1: a notch turns once, however many events it makes, and so does a swipe, with all
  // that follows by its momentum.
  turns({ deltaY, deltaMode, timeStamp }) {
    const isSame = timeStamp - this.last < 200;
    // A notch comes as one large step, or in lines.
    const isNotch = deltaMode !== 0 || Math.abs(deltaY) >= 100;
    if (!isSame) [this.sum, this.hasTurned] = [0, false];
    if (isNotch && timeStamp - this.last >= 60) this.hasTurned = false;
    this.last = timeStamp;
    this.sum += deltaY;
    if (this.hasTurned || deltaY === 0 || (!isNotch && Math.abs(this.sum) < 20)) return 0;
    this.hasTurned = true;
    return deltaY > 0 ? 1 : -1;
  }
}

// Lets the mouse and the finger move the pack of a seat: a mouse's click drops, its wheel and its right
// button turn; a finger drags, taps on the pack turn it, and the button drops.
export function listen(seat, field) {
  const dropper = () => Dropper.at(seat);
  const column = (event) => {
    const box = field.getBoundingClientRect();
    return Math.round(((event.clientX - box.left) / box.width) * WIDTH - 1);
  };
  const high = (event) => {
    const box = field.getBoundingClientRect();
    return (event.clientY - box.top) / box.height < 3 / 19;
  };
  let touched = null;
  field.addEventListener("pointermove", (event) => {
    if (!dropper()) return;
    if (event.pointerType === "mouse" || touched) dropper().put(column(event), dropper().rotation);
    if (touched && Math.abs(event.clientX - touched.x) > 8) touched.moved = true;
  });
  field.addEventListener("pointerdown", (event) => {
    if (!dropper() || event.pointerType === "mouse") return;
    touched = { x: event.clientX, moved: false, high: high(event) };
    if (!touched.high) dropper().put(column(event), dropper().rotation);
  });
  field.addEventListener("pointerup", (event) => {
    if (event.pointerType === "mouse") return;
    if (touched?.high && !touched.moved) dropper()?.rotate(1);
    touched = null;
  });
  field.addEventListener("pointercancel", () => {
    touched = null;
  });
  field.addEventListener("click", (event) => {
    // A touch clicks too, after it has ended.
    if (event.pointerType && event.pointerType !== "mouse") return;
    dropper()?.put(column(event), dropper().rotation);
    dropper()?.drop();
  });
  field.addEventListener("contextmenu", (event) => {
    if (!dropper()) return;
    event.preventDefault();
    dropper().rotate(1);
  });
  const wheel = new Wheel();
  field.addEventListener(
    "wheel",
    (event) => {
      // With Ctrl, or by a pinch, the page is zoomed.
      if (!dropper() || event.ctrlKey) return;
      event.preventDefault();
      const by = wheel.turns(event);
      if (by) dropper().rotate(by);
    },
    { passive: false },
  );
}
