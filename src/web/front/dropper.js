// A person's seat: moves the pack over a field, shows where it would land and the chain that it would
// set off, and drops it. By keys, mouse, touch and buttons.
import { $, WIDTH } from "./draw.js";
import { app } from "./app.js";
import { board, hoverOf, spoken } from "./board.js";
import { flick, keys, secondTap } from "./keys.js";
import { memory, oneOf } from "./settings.js";
import { t } from "./words.js";

/** @import { Group } from "./keys.js" */
/** @import { Choice } from "./study.js" */

// Milliseconds after a new pack in which it is not dropped: a second click, or a key pressed once too
// often, was meant for the pack before.
const GUARD_MS = 150;

export class Dropper {
  /**
   * `choices` are the host's for the position; `done` is called with the choice that is made. If
   * `isHidden`, only where the blocks land is shown, and not what they set off: a puzzle.
   * @param {number} seat
   * @param {Choice[]} choices
   * @param {(choice: Choice) => unknown} done
   */
  constructor(seat, choices, done, isHidden = false) {
    this.seat = seat;
    this.done = done;
    this.isHidden = isHidden;
    this.choices = new Map(choices.map((choice) => [choice.action, choice]));
    this.column = Dropper.columns[seat];
    this.rotation = 0;
    this.skilled = false;
    /** Whether a finger has chosen the column: a second tap there drops. */
    this.isAimed = false;
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

  // When the last choice was made, in milliseconds of the page.
  static madeAt = -Infinity;

  /** @type {(Dropper | null)[]} those that are open, at most one a seat */
  static all = [null, null];

  /** @param {number} seat */
  static at(seat) {
    return Dropper.all[seat];
  }

  /**
   * Lets a person choose: see the constructor.
   * @param {number} seat
   * @param {Choice[]} choices
   * @param {(choice: Choice) => unknown} done
   */
  static start(seat, choices, done, isHidden = false) {
    Dropper.all[seat]?.close();
    const made = new Dropper(seat, choices, done, isHidden);
    Dropper.all[seat] = made;
    Dropper.buttons();
    return made;
  }

  // Enables the button of the skill if the pack that buttons move can be replaced by it.
  static buttons() {
    app.title(Boolean(current()));
    if (current()) for (const button of $("hand").querySelectorAll("button")) button.disabled = false;
    /** @type {HTMLButtonElement} */ ($("skill")).disabled = !current()?.canSkill;
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

  /** @param {number} by columns to the right */
  move(by) {
    this.put(this.column + by, this.rotation);
  }
  /** @param {number} by quarter turns to the right */
  rotate(by) {
    this.put(this.column, (this.rotation + by + 4) % 4);
  }

  /**
   * @param {number} wanted the column, which may be beside the field
   * @param {number} rotation
   */
  put(wanted, rotation) {
    const column = Math.max(0, Math.min(WIDTH - 2, wanted));
    if (column === this.column && rotation === this.rotation && !this.skilled) return;
    Object.assign(this, { column, rotation, skilled: false });
    this.show();
  }

  /**
   * Chooses an action without making it.
   * @param {string} action
   */
  set(action) {
    if (action === "S") {
      this.aimSkill(true);
      return;
    }
    const [column, rotation] = action.split(" ").map(Number);
    this.put(column, rotation);
  }

  /** @param {boolean} aimed */
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

  /**
   * The effect of a choice, in words.
   * @param {Choice} choice
   */
  description(choice) {
    const parts = [spoken(choice.action)];
    if (this.isHidden) return parts[0];
    if (choice.chain) parts.push(t("chain {}", choice.chain));
    if (choice.sent) parts.push(t("sends {}", choice.sent));
    if (choice.loses) parts.push(t("loses the game"));
    return parts.join(", ");
  }

  /**
   * Shows an action until the turn is played, wherever the pack is moved meanwhile.
   * @param {string} action
   */
  hint(action) {
    if (!this.open) return;
    this.set(action);
    board.hint(this.seat, this.choices.get(action) ?? null);
  }

  // Makes the choice that is shown.
  drop() {
    this.make(this.choice);
  }

  skill() {
    if (this.canSkill) this.make(this.choices.get("S"));
  }

  /** @param {Choice | undefined} choice */
  make(choice) {
    if (!this.open || !this.isReady || !choice) return;
    Dropper.columns[this.seat] = this.column;
    Dropper.madeAt = performance.now();
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

/**
 * A choice as far as its blocks have landed.
 * @param {Choice} choice
 * @returns {Choice}
 */
function landing({ steps, ...choice }) {
  const until = steps.findIndex(([kind]) => kind === "m" || kind === "x");
  return { ...choice, steps: until < 0 ? steps : steps.slice(0, until), chain: 0, loses: false };
}

// The keys of each seat where two persons share the keyboard.
const GROUP_OF = /** @type {const} */ (["first", "second"]);

/** @type {Group[]} */
const DROPPING = ["one", ...GROUP_OF];

/** @type {Record<string, (dropper: Dropper) => void>} by the names of actions of keys */
const ACTS = {
  left: (dropper) => dropper.move(-1),
  right: (dropper) => dropper.move(1),
  turn: (dropper) => dropper.rotate(1),
  back: (dropper) => dropper.rotate(-1),
  drop: (dropper) => dropper.drop(),
  skill: (dropper) => dropper.skill(),
};

/**
 * Gives a key to the seat that it belongs to; returns whether the key has a meaning. A held key moves the
 * pack on, and does everything else once.
 * @param {KeyboardEvent} event
 * @param {number[]} people the seats at which persons play
 */
export function pressed({ key, repeat }, people) {
  for (const seat of people) {
    const act = keys.action(key, people.length === 1 ? "one" : GROUP_OF[seat]);
    if (!act) continue;
    if (repeat && act !== "left" && act !== "right") return true;
    const dropper = Dropper.at(seat);
    if (dropper) ACTS[act](dropper);
    return true;
  }
  return false;
}

/**
 * Ends the animation of a turn that is played, as a person does who wants the next pack; returns whether there is
 * such an animation. The second half of a double click was meant for the pack before, and ends nothing.
 */
export function endAnimation() {
  if (!board.skip) return false;
  if (performance.now() - Dropper.madeAt >= GUARD_MS) board.skip();
  return true;
}

/**
 * Ends the animation by a key that drops, the space bar or Enter; returns whether the key was taken.
 * @param {KeyboardEvent} event
 */
export function endedByKey({ key, repeat }) {
  const isDrop = [" ", "Enter"].includes(key) || DROPPING.some((group) => keys.action(key, group) === "drop");
  if (!board.skip || !isDrop) return false;
  if (!repeat) endAnimation();
  return true;
}

// The seat that buttons move: the only one that is open, or the first.
const current = () => Dropper.all.find(Boolean);

/** @param {string} name */
export function act(name) {
  const dropper = current();
  if (dropper) ACTS[name](dropper);
}

/** @param {boolean} aimed */
export const aim = (aimed) => current()?.aimSkill(aimed);

// Tells the notches of a mouse wheel from the swipe of a trackpad, and turns a pack by both.
class Wheel {
  last = -Infinity;
  sum = 0;
  hasTurned = false;

  /**
   * Returns -1, 0 or 1: a notch turns once, however many events it makes, and so does a swipe, with all
   * that follows by its momentum.
   * @param {WheelEvent} event
   */
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

// A flick down: at least 60 pixels within 0.3 seconds, and twice as far down as to a side.
const FLICK_PX = 60,
  FLICK_MS = 300;

/**
 * @param {{ x: number, y: number, at: number }} begun
 * @param {PointerEvent} ended
 */
function isFlick(begun, ended) {
  const [across, down] = [Math.abs(ended.clientX - begun.x), ended.clientY - begun.y];
  return ended.timeStamp - begun.at <= FLICK_MS && down >= FLICK_PX && down >= 2 * across;
}

// Tells a person who taps on a field how to drop, until a second tap has dropped a pack.
const tapHint = {
  isKnown: memory.get("client.tapped", oneOf(true, false), false),
  tell() {
    if (!this.isKnown) app.say(t("Tap the same column again to drop the pack."));
  },
  learnt() {
    if (this.isKnown) return;
    this.isKnown = true;
    memory.set("client.tapped", true);
    app.say("");
  },
};

/**
 * Lets the mouse and the finger move the pack of a seat: a mouse's click drops, its wheel and its right button
 * turn; a finger drags, taps on the pack turn it, and a second tap on its column, the button or a flick down drops,
 * as the person has chosen.
 * @param {number} seat
 * @param {HTMLElement} field
 */
export function listen(seat, field) {
  const dropper = () => Dropper.at(seat);
  const column = (/** @type {MouseEvent} */ event) => {
    const box = field.getBoundingClientRect();
    return Math.round(((event.clientX - box.left) / box.width) * WIDTH - 1);
  };
  const high = (/** @type {MouseEvent} */ event) => {
    const box = field.getBoundingClientRect();
    return (event.clientY - box.top) / box.height < 3 / 19;
  };
  /**
   * @type {{ x: number, y: number, at: number, column: number, moved: boolean, high: boolean, again: boolean } | null}
   * `again` is whether the column is the one that the finger has chosen before
   */
  let touched = null;
  field.addEventListener("pointermove", (event) => {
    const hand = dropper();
    if (!hand) return;
    if (event.pointerType === "mouse" || touched) hand.put(column(event), hand.rotation);
    if (touched && Math.abs(event.clientX - touched.x) > 8) touched.moved = true;
  });
  field.addEventListener("pointerdown", (event) => {
    const hand = dropper();
    if (!hand || event.pointerType === "mouse") return;
    const isHigh = high(event),
      before = hand.column;
    if (!isHigh) hand.put(column(event), hand.rotation);
    const { clientX: x, clientY: y, timeStamp: at } = event;
    const again = !isHigh && hand.isAimed && hand.column === before;
    touched = { x, y, at, column: hand.column, moved: false, high: isHigh, again };
  });
  field.addEventListener("pointerup", (event) => {
    if (event.pointerType === "mouse") return;
    const hand = dropper();
    if (hand && touched && flick.isOn && isFlick(touched, event)) {
      // It drops where it has begun.
      hand.put(touched.column, hand.rotation);
      hand.drop();
    } else if (touched?.high && !touched.moved) hand?.rotate(1);
    else if (hand && touched && secondTap.isOn) {
      if (touched.again && !touched.moved) {
        tapHint.learnt();
        hand.drop();
      } else {
        hand.isAimed = true;
        tapHint.tell();
      }
    }
    touched = null;
  });
  field.addEventListener("pointercancel", () => {
    touched = null;
  });
  field.addEventListener("click", (event) => {
    // A touch clicks too, after it has ended. Some browsers make clicks that are no pointer events.
    const { pointerType } = /** @type {Partial<PointerEvent>} */ (event);
    if (pointerType && pointerType !== "mouse") return;
    const hand = dropper();
    hand?.put(column(event), hand.rotation);
    hand?.drop();
  });
  field.addEventListener("contextmenu", (event) => {
    const hand = dropper();
    if (!hand) return;
    event.preventDefault();
    hand.rotate(1);
  });
  const wheel = new Wheel();
  field.addEventListener(
    "wheel",
    (event) => {
      // With Ctrl, or by a pinch, the page is zoomed.
      const hand = dropper();
      if (!hand || event.ctrlKey) return;
      event.preventDefault();
      const by = wheel.turns(event);
      if (by) hand.rotate(by);
    },
    { passive: false },
  );
}
