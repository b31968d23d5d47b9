// Tries actions on the fields of the analysis: the pack follows the pointer or the keys as in a game, and
// where it is dropped a variation begins.
import { WIDTH } from "./draw.js";
import { analysis } from "./analyse.js";
import { app } from "./app.js";
import { board } from "./board.js";
import { Dropper, pressed } from "./dropper.js";
import { choicesOf } from "./variations.js";
import { viewer } from "./viewer.js";

/** @import { Choice } from "./study.js" */

// Keys that step through the game while the mouse moves the pack.
const STEPS = ["ArrowLeft", "ArrowRight", " "];

// Letters that move a pack and mean nothing else here: they take the pack in hand.
const LETTERS = /^[adwszxe]$/;

export const trial = {
  isOpen: false, // whether the view lets the person try actions
  seat: /** @type {number | null} */ (null), // whose pack is in hand
  isHeld: false, // whether it was taken by a key or a finger, and stays in hand
  listening: new WeakSet(),

  // Lets actions be tried on both fields.
  open() {
    this.isOpen = true;
    board.sides.forEach(({ field }, seat) => this.listen(seat, field));
  },

  close() {
    this.isOpen = false;
    this.lay();
  },

  // The seats whose packs all keys move.
  get people() {
    return this.isHeld && this.seat !== null ? [this.seat] : [];
  },

  /**
   * @param {number} seat
   * @param {HTMLElement} field
   */
  listen(seat, field) {
    // After a change of the language the fields are others.
    if (this.listening.has(field)) return;
    this.listening.add(field);
    const column = (/** @type {PointerEvent} */ event) => {
      const box = field.getBoundingClientRect();
      return Math.round(((event.clientX - box.left) / box.width) * WIDTH - 1);
    };
    field.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse" && this.isOpen && !viewer.playing && this.seat !== seat)
        this.take(seat, false, column(event));
    });
    field.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse" && this.isOpen && !(this.isHeld && this.seat === seat))
        this.take(seat, true, column(event));
    });
    field.addEventListener("pointerleave", () => {
      if (this.isOpen && this.seat === seat && !this.isHeld) this.lay();
    });
  },

  // Takes the pack of a seat in hand.
  /**
   * @param {number} seat
   * @param {boolean} isHeld
   * @param {number} [column]
   */
  async take(seat, isHeld, column) {
    this.lay();
    const { study } = viewer,
      { at } = study;
    if (at.over || !study.pack(at)) return;
    viewer.pause();
    Object.assign(this, { seat, isHeld });
    try {
      const choices = await choicesOf(study, at, seat);
      if (this.seat !== seat || !this.isOpen || app.study !== study || study.at !== at) return;
      // The pack lands on the field before any step of the turn.
      if (board.step) viewer.go(at);
      Dropper.start(seat, choices, (/** @type {Choice} */ choice) => this.drop(seat, choice.action));
      const dropper = Dropper.at(seat);
      if (column !== undefined) dropper?.put(column, dropper.rotation);
      if (dropper) dropper.isAimed = isHeld && column !== undefined;
    } catch (error) {
      this.seat = null;
      app.fail(error);
    }
    if (isHeld) app.refresh();
  },

  // Lays the pack back.
  lay() {
    const { seat, isHeld } = this;
    Object.assign(this, { seat: null, isHeld: false });
    if (seat === null) return;
    Dropper.at(seat)?.close();
    if (isHeld) app.refresh();
  },

  /**
   * @param {number} seat
   * @param {string} action
   */
  drop(seat, action) {
    analysis.follow(seat, [action]);
  },

  // Another turn is shown: the next pack comes into the same hand.
  moved() {
    const { seat, isHeld } = this;
    if (seat === null) return;
    const column = Dropper.at(seat)?.column;
    this.lay();
    if (this.isOpen) this.take(seat, isHeld, column);
  },

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.isOpen) return false;
    if (event.key === "Escape" && this.seat !== null) {
      this.lay();
      return true;
    }
    if (this.seat === null) {
      if (!LETTERS.test(event.key) || viewer.playing) return false;
      this.take(analysis.seat, true);
      return true;
    }
    if (!this.isHeld && STEPS.includes(event.key)) return false;
    return pressed(event, [this.seat]);
  },
};

// A touch elsewhere lays the pack back that a finger has taken.
addEventListener("pointerdown", ({ target, pointerType }) => {
  if (!trial.isHeld || pointerType === "mouse" || !(target instanceof Element)) return;
  if (!target.closest(".field, #hand")) trial.lay();
});
