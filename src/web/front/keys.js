// The keys by which a person plays: what each one does, and the choice of other keys. A key has its name of
// `KeyboardEvent.key`, letters in lower case.
import { listOf, isText, memory, oneOf } from "./settings.js";

/** @typedef {"one" | "first" | "second" | "game"} Group who has the keys: a person alone, one of two, or the game */
/** @typedef {Record<string, string[]>} Keys the keys of each action */

const HAND = { left: ["ArrowLeft", "a"], right: ["ArrowRight", "d"], turn: ["ArrowUp", "x", "w"], back: ["z"] };

/** @type {Record<Group, Keys>} */
const STANDARD = {
  one: { ...HAND, drop: ["ArrowDown", "s", " ", "Enter"], skill: ["e"] },
  game: { undo: ["u"], hint: ["h"], fresh: ["n"] },
  first: { left: ["a"], right: ["d"], turn: ["w"], back: ["q"], drop: ["s"], skill: ["e"] },
  second: {
    left: ["ArrowLeft"],
    right: ["ArrowRight"],
    turn: ["ArrowUp"],
    back: ["."],
    drop: ["ArrowDown"],
    skill: ["/"],
  },
};

/** @type {Group[]} */
export const GROUPS = ["one", "game", "first", "second"];

// Groups whose keys are read together: a key means one thing among them.
/** @type {Group[][]} */
const TOGETHER = [
  ["one", "game"],
  ["first", "second", "game"],
];

// Keys that mean something on every view.
const TAKEN = ["t", "m", "?", "Escape", "Tab", "Shift", "Control", "Alt", "Meta", "CapsLock", "AltGraph", "Dead"];

/** @type {Record<string, string>} */
const SIGNS = { ArrowLeft: "\u2190", ArrowRight: "\u2192", ArrowUp: "\u2191", ArrowDown: "\u2193" };

/**
 * The name of a key of an event.
 * @param {string} key
 */
export const keyOf = (key) => (key.length === 1 ? key.toLowerCase() : key);

/**
 * A key as it is written on the page; `space` is the word for the space bar.
 * @param {string} key
 * @param {string} space
 */
export const signOf = (key, space) => (key === " " ? space : (SIGNS[key] ?? key));

/**
 * Whether stored keys fit: every action has a key, and no key has two meanings.
 * @param {any} value
 * @returns {value is Record<Group, Keys>}
 */
function fits(value) {
  const isGroup = (/** @type {Group} */ group) =>
    Object.keys(STANDARD[group]).every((action) => {
      const keys = value?.[group]?.[action];
      return listOf(isText)(keys) && keys.length > 0 && keys.length <= 9 && !keys.some((key) => TAKEN.includes(key));
    });
  if (!GROUPS.every(isGroup)) return false;
  return TOGETHER.every((groups) => {
    const all = groups.flatMap((group) => Object.keys(STANDARD[group]).flatMap((action) => value[group][action]));
    return new Set(all).size === all.length;
  });
}

export const keys = {
  /** @type {Record<Group, Keys>} */
  chosen: memory.get("client.keys", fits, structuredClone(STANDARD)),

  /**
   * What a key does in a group, or `null`.
   * @param {string} key
   * @param {Group} group
   */
  action(key, group) {
    const name = keyOf(key);
    return Object.keys(STANDARD[group]).find((action) => this.chosen[group][action].includes(name)) ?? null;
  },

  /**
   * Why a key cannot be that of an action: it is `taken` by the page, or by the action of a group.
   * @param {string} key
   * @param {Group} group
   * @param {string} action
   * @returns {{ taken: true } | { group: Group, action: string } | null}
   */
  conflict(key, group, action) {
    const name = keyOf(key);
    if (TAKEN.includes(name)) return { taken: true };
    for (const groups of TOGETHER.filter((some) => some.includes(group))) {
      for (const other of groups) {
        const found = this.action(name, other);
        if (found && !(other === group && found === action)) return { group: other, action: found };
      }
    }
    return null;
  },

  /**
   * Gives an action a key instead of those that it has.
   * @param {string} key
   * @param {Group} group
   * @param {string} action
   */
  choose(key, group, action) {
    this.chosen[group][action] = [keyOf(key)];
    memory.set("client.keys", this.chosen);
  },

  reset() {
    this.chosen = structuredClone(STANDARD);
    memory.set("client.keys", this.chosen);
  },

  /**
   * Whether a key moves a pack by a column: such a key acts again while it is held.
   * @param {string} key
   */
  isMove(key) {
    return GROUPS.some((group) => ["left", "right"].includes(this.action(key, group) ?? ""));
  },
};

/** A choice of the person, on or off. */
class Switch {
  /**
   * @param {string} key
   * @param {boolean} preset
   */
  constructor(key, preset) {
    this.key = key;
    this.isOn = memory.get(key, oneOf(true, false), preset);
  }

  /** @param {boolean} isOn */
  set(isOn) {
    this.isOn = isOn;
    memory.set(this.key, isOn);
  }
}

/** Whether a finger that flicks down drops the pack. */
export const flick = new Switch("client.flick", false);

/** Whether a second tap on the column of the pack drops it. */
export const secondTap = new Switch("client.secondtap", true);

/** Whether a finger, and not a mouse, is what the person has first of all. */
export const isTouch = () => matchMedia("(pointer: coarse)").matches;
