// The state that all parts of the page share: the host, the shown study, and the line of messages.
import { $ } from "./draw.js";
import { t } from "./words.js";

/** @import { HelloResult } from "../../../target/front/api" */
/** @import { Host, HostError } from "./host.js" */
/** @import { Study } from "./study.js" */

/**
 * A view of the page.
 * @typedef {object} Mode
 * @property {() => unknown} enter
 * @property {() => unknown} leave
 * @property {(event: KeyboardEvent) => unknown} key
 * @property {() => unknown} [render] draws the panel
 * @property {(study: Study) => unknown} [show] opens a game in this view
 */

export const app = {
  /** Connected before the first view is entered. */
  host: /** @type {Host} */ (/** @type {unknown} */ (null)),
  /** @type {Pick<HelloResult, "host" | "engines" | "live"> & { levels: number[] }} what the host has told of itself */
  hello: { host: "offline", levels: [], engines: [], live: false },
  /** @type {Study | null} */
  study: null,
  mode: "",
  /** @type {Record<string, Mode>} */
  modes: {},

  /**
   * Shows a message; an error stays until the next message or the next action of the person.
   * @param {string} text
   */
  say(text, isError = false) {
    const status = $("status");
    status.classList.toggle("error", isError);
    if (status.textContent !== text) status.textContent = text;
  },

  // Takes an error away: it was about what the person did before.
  forget() {
    if ($("status").classList.contains("error")) this.say("");
  },

  /**
   * Shows why something failed, unless the person has stopped it.
   * @param {unknown} reason
   */
  fail(reason) {
    const error = /** @type {Partial<HostError> & Error} */ (reason);
    if (error.code === "stopped") return;
    if (!error.code) console.error(error);
    /** @type {Record<string, string>} */
    const texts = {
      offline: t("No answer from the program: {}", error.message),
      busy: t("The program is busy: {}", error.message),
    };
    this.say(texts[error.code ?? ""] ?? error.message, true);
  },

  /** Says in the title of the window what is shown, or that the person is to move. */
  title(isYours = false) {
    const view = document.querySelector("nav [aria-current] span")?.textContent;
    document.title = `${isYours ? t("\u25cf your turn") : view} \u2013 tensai`;
  },

  /**
   * Makes a study the one that is shown.
   * @param {Study} study
   */
  open(study) {
    this.study = study;
    study.go(study.at);
  },

  // Draws the panel of the mode again.
  refresh() {
    this.modes[this.mode]?.render?.();
  },
};
