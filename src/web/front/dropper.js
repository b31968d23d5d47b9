// A person's seat: moves the pack over a field, shows where it would land and the chain that it would
// set off, and drops it. By keys, mouse, touch and buttons.
import { $, WIDTH } from "../draw.js";
import { board, hoverOf, spoken } from "./board.js";
import { t } from "./words.js";

export class Dropper {
  // `choices` are the host's for the position; `done` is called with the choice that is made.
  constructor(seat, choices, done) {
    Object.assign(this, { seat, done });
    this.choices = new Map(choices.map((choice) => [choice.action, choice]));
    this.column = Dropper.columns[seat];
    this.rotation = 0;
    this.skilled = false;
    this.open = true;
    this.show(false);
  }

  // The columns in which the last packs of both seats were dropped.
  static columns = [4, 4];

  // The droppers that are open, at most one a seat.
  static all = [null, null];

  static at(seat) { return Dropper.all[seat]; }

  static start(seat, choices, done) {
    Dropper.all[seat]?.close();
    Dropper.all[seat] = new Dropper(seat, choices, done);
    Dropper.buttons();
    return Dropper.all[seat];
  }

  // Enables the button of the skill if the pack that buttons move can be replaced by it.
  static buttons() {
    $("skill").disabled = !current()?.canSkill;
  }

  static closeAll() {
    Dropper.all.forEach((dropper) => dropper?.close());
  }

  get action() { return `${this.column} ${this.rotation}`; }
  get canSkill() { return this.choices.has("S"); }
  get choice() { return this.choices.get(this.skilled ? "S" : this.action); }

  move(by) { this.put(this.column + by, this.rotation); }
  rotate(by) { this.put(this.column, (this.rotation + by + 4) % 4); }

  put(column, rotation) {
    column = Math.max(0, Math.min(WIDTH - 2, column));
    if (column === this.column && rotation === this.rotation && !this.skilled) return;
    Object.assign(this, { column, rotation, skilled: false });
    this.show();
  }

  // Chooses an action without making it.
  set(action) {
    if (action === "S") { this.aimSkill(true); return; }
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
    board.preview(this.seat, choice, this.skilled ? "" : hoverOf(choice.cells));
    if (says) $("announcement").textContent = this.description(choice);
  }

  // The effect of a choice, in words.
  description(choice) {
    const parts = [spoken(choice.action)];
    if (choice.chain) parts.push(t("chain {}", choice.chain));
    if (choice.sent) parts.push(t("sends {}", choice.sent));
    if (choice.loses) parts.push(t("loses the game"));
    return parts.join(", ");
  }

  // Makes the choice that is shown.
  drop() { this.make(this.choice); }

  skill() { if (this.canSkill) this.make(this.choices.get("S")); }

  make(choice) {
    if (!this.open || !choice) return;
    Dropper.columns[this.seat] = this.column;
    this.close();
    this.done(choice);
  }

  close() {
    if (!this.open) return;
    this.open = false;
    if (Dropper.all[this.seat] === this) Dropper.all[this.seat] = null;
    Dropper.buttons();
    board.clear(this.seat);
  }
}

// The keys: `alone` where one person plays, the others where two share the keyboard.
const KEYS = {
  alone: {
    ArrowLeft: "left", a: "left", ArrowRight: "right", d: "right", ArrowUp: "turn", x: "turn", w: "turn", z: "back",
    ArrowDown: "drop", " ": "drop", Enter: "drop", e: "skill",
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

// Gives a key to the seat that it belongs to; returns whether it did anything. `people` are the seats
// at which persons play.
export function pressed(key, people) {
  const name = key.length === 1 ? key.toLowerCase() : key;
  for (const seat of people) {
    const act = (people.length === 1 ? KEYS.alone : KEYS[seat])[name];
    if (!act) continue;
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
  field.addEventListener("pointercancel", () => { touched = null; });
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
  let wheeled = 0;
  field.addEventListener("wheel", (event) => {
    if (!dropper()) return;
    event.preventDefault();
    // A wheel's notch turns once, however many events it makes.
    if (event.timeStamp - wheeled < 120 || event.deltaY === 0) return;
    wheeled = event.timeStamp;
    dropper().rotate(event.deltaY > 0 ? 1 : -1);
  }, { passive: false });
}
