// The views by their names, for parts that stand before them in the page's script.
import { app } from "./app.js";

/**
 * @typedef {object} Views
 * @property {typeof import("./play.js").play} play
 * @property {typeof import("./watch.js").watch} watch
 * @property {typeof import("./analyse_mode.js").analyseMode} analyse
 * @property {typeof import("./puzzles.js").puzzles} puzzles
 * @property {typeof import("./alone.js").alone} alone
 */

/** All views, each of which has put itself into `app.modes`. */
export const views = () => /** @type {Views} */ (/** @type {unknown} */ (app.modes));
