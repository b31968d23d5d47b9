// The dialog in which a person chooses keys, and what a finger does.
import { $, element } from "./draw.js";
import { app } from "./app.js";
import { flick, GROUPS, keys, secondTap, signOf } from "./keys.js";
import { button, row } from "./ui.js";
import { t } from "./words.js";

/** @import { Group } from "./keys.js" */

/** @type {Record<Group, string>} */
const GROUP_WORDS = { one: "Your pack", game: "Game", first: "Left of two players", second: "Right of two players" };

/** @type {Record<string, string>} */
export const ACTION_WORDS = {
  left: "to the left",
  right: "to the right",
  turn: "turn right",
  back: "turn left",
  drop: "drop",
  skill: "skill",
  undo: "undo",
  hint: "hint",
  fresh: "new game",
};

/** @param {string} key */
const written = (key) => signOf(key, t("space"));

/**
 * The keys of an action, as they are written.
 * @param {Group} group
 * @param {string} action
 */
export const keysOf = (group, action) => keys.chosen[group][action].map(written).join("  ");

export const controls = {
  /** @type {{ group: Group, action: string } | null} the action that waits for its key */
  waiting: null,
  message: "",

  /** @returns {HTMLDialogElement} */
  get dialog() {
    const found = $("controls");
    if (found) return /** @type {HTMLDialogElement} */ (found);
    const made = /** @type {HTMLDialogElement} */ (
      element("dialog", { id: "controls", "aria-labelledby": "controlstitle" })
    );
    made.addEventListener("keydown", (event) => this.key(event));
    made.addEventListener("close", () => app.refresh());
    document.body.append(made);
    return made;
  },

  open() {
    this.waiting = null;
    this.message = "";
    this.render();
    this.dialog.showModal();
  },

  // Keys in the dialog are no keys of the game.
  /** @param {KeyboardEvent} event */
  key(event) {
    event.stopPropagation();
    if (!this.waiting || event.ctrlKey || event.altKey || event.metaKey || event.key === "Tab") return;
    event.preventDefault();
    const { group, action } = this.waiting;
    if (event.key === "Shift") return;
    if (event.key === "Escape") {
      this.waiting = null;
      this.message = "";
    } else {
      const conflict = keys.conflict(event.key, group, action);
      const name = written(event.key.length === 1 ? event.key.toLowerCase() : event.key);
      if (conflict === null) {
        keys.choose(event.key, group, action);
        this.waiting = null;
        this.message = `${t(ACTION_WORDS[action])}: ${name}`;
      } else if ("taken" in conflict) this.message = t("{} has another meaning on this page. Press another key.", name);
      else {
        const [whose, what] = [GROUP_WORDS[conflict.group], ACTION_WORDS[conflict.action]];
        this.message = t("{} is already the key of: {} ({}). Press another key.", name, t(what), t(whose));
      }
    }
    this.render();
  },

  render() {
    const { dialog, waiting } = this,
      focused = document.activeElement?.id;
    const line = (/** @type {Group} */ group, /** @type {string} */ action) => {
      const isWaiting = waiting?.group === group && waiting.action === action;
      const change = button(
        isWaiting ? t("Press a key") : keysOf(group, action),
        () => {
          this.waiting = isWaiting ? null : { group, action };
          this.message = "";
          this.render();
        },
        {
          id: `key-${group}-${action}`,
          "aria-pressed": String(isWaiting),
          "aria-label": `${t(ACTION_WORDS[action])}: ${isWaiting ? t("Press a key") : keysOf(group, action)}`,
        },
      );
      return [element("dt", {}, change), element("dd", {}, t(ACTION_WORDS[action]))];
    };
    const lists = GROUPS.map((group) =>
      element(
        "details",
        group === "one" || waiting?.group === group || $(`keys-${group}`)?.hasAttribute("open")
          ? { id: `keys-${group}`, open: "" }
          : { id: `keys-${group}` },
        element("summary", {}, t(GROUP_WORDS[group])),
        element("dl", {}, ...Object.keys(keys.chosen[group]).flatMap((action) => line(group, action))),
      ),
    );
    const gesture = (/** @type {string} */ id, /** @type {typeof flick} */ choice, /** @type {string} */ text) => {
      const box = element("input", { type: "checkbox", id, ...(choice.isOn ? { checked: "" } : {}) });
      box.addEventListener("change", () => choice.set(box.checked));
      return element("label", { class: "check" }, box, " ", text);
    };
    dialog.replaceChildren(
      element("h2", { id: "controlstitle" }, t("Keys and touch")),
      element("p", { class: "soft" }, t("Press a button, then the key for it.")),
      element("p", { id: "controlsmessage", role: "status" }, this.message),
      ...lists,
      gesture("secondtap", secondTap, t("A second tap on the same column drops the pack")),
      gesture("flick", flick, t("A finger that flicks down drops the pack")),
      row(
        button(
          t("Standard keys"),
          () => {
            keys.reset();
            this.waiting = null;
            this.message = t("All keys are the standard ones again.");
            this.render();
          },
          { id: "resetkeys" },
        ),
        button(t("Close"), () => dialog.close(), { id: "closecontrols", class: "main" }),
      ),
    );
    if (focused) $(focused)?.focus();
  },
};
