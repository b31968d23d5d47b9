// An attempt at a puzzle or a lesson: its drops, which the host judges, and the solution.
import { app } from "./app.js";
import { board, spoken } from "./board.js";
import { both } from "./draw.js";
import { Dropper } from "./dropper.js";
import { pace } from "./pace.js";
import { fieldOf, Node, Study } from "./study.js";
import { t } from "./words.js";

/** @import { OpenChoice, PuzzleData, TryPuzzleResult } from "../../../target/front/api" */
/** @import { Both } from "./draw.js" */

// Milliseconds that a drop of the solution is shown before it falls.
const PREVIEW_MS = 600;

/** What the host reads of a puzzle: a lesson has words beside it. @param {any} puzzle @returns {PuzzleData} */
const dataOf = ({ title, text, ...data }) => data;

export class Attempt {
  /**
   * `solved` is called when the puzzle is solved, `shown` when its solution was shown to the end, `changed` when
   * anything happens.
   * @param {PuzzleData} puzzle
   * @param {boolean} isLesson whether a pack shows what it sets off before it is dropped
   * @param {{ solved: () => void, shown: () => void, changed: () => void }} events
   */
  constructor(puzzle, isLesson, { solved, shown, changed }) {
    Dropper.closeAll();
    this.puzzle = puzzle;
    this.isLesson = isLesson;
    this.solved = solved;
    this.shown = shown;
    this.changed = changed;
    const { packs } = puzzle.position;
    const game = {
      packs,
      start: { ...puzzle.position },
      names: /** @type {Both<string>} */ ([t("You"), t("Opponent")]),
    };
    this.study = new Study(app.host, game);
    /** @type {string[]} */
    this.actions = [];
    /** @type {TryPuzzleResult | null} */
    this.result = null;
    /** @type {object | null} the drop or the solution that is being shown */
    this.running = null;
    this.isShown = false; // whether the solution was shown, and not found
    this.isOpen = true;
  }

  // How far the person is, in words.
  get message() {
    const { result } = this;
    if (!result) return "";
    if (result.solved && this.isShown) return t("This was the solution.");
    if (this.isLesson) return result.solved ? t("Well done!") : result.failed ? t("Not yet: take the drop back.") : "";
    if (result.solved) return t("Solved!");
    if (result.failed) return t("Not solved: take the drop back, or start again.");
    return result.left === 1 ? t("One pack is left.") : t("{} packs are left.", result.left);
  }

  // Another puzzle is opened instead.
  close() {
    this.isOpen = false;
    this.pause();
  }

  // Another view is shown: what was dropped and not shown yet is not dropped.
  pause() {
    this.running = null;
    Dropper.closeAll();
  }

  show() {
    board.isPlaying = true;
    board.show(this.study, this.study.at);
    if (!this.result?.solved && !this.result?.failed && !Dropper.at(0)) this.turn();
  }

  /** @returns {Promise<OpenChoice[]>} */
  choices() {
    return app.host.request("choices", { position: this.study.position(), seat: 0 });
  }

  // Lets the person choose.
  async turn() {
    try {
      const choices = await this.choices();
      if (!this.isOpen || this.running || app.mode !== "puzzles") return;
      Dropper.start(0, choices, (/** @type {OpenChoice} */ choice) => this.drop(choice), !this.isLesson);
    } catch (error) {
      app.fail(error);
    }
  }

  // Begins to show something; returns a function that says whether it was left: taken back, or for another
  // puzzle or view.
  begin() {
    const running = {};
    this.running = running;
    return () => !this.isOpen || this.running !== running;
  }

  // Makes an action, and shows it. The actions and the board change together, at the end of the animation.
  // Returns whether it was left meanwhile.
  /** @param {OpenChoice} choice @param {() => boolean} isLeft */
  async make(choice, isLeft) {
    const { study } = this,
      actions = [...this.actions, choice.action];
    /** @type {TryPuzzleResult} */
    const result = await app.host.request("try_puzzle", { puzzle: dataOf(this.puzzle), actions });
    if (isLeft()) return true;
    const child = this.follow(choice, result);
    if (!(await board.animate(child, pace.factor)) || isLeft()) return true;
    study.at = study.tip = child;
    Object.assign(this, { actions, result });
    board.show(study, child);
    return false;
  }

  /** @param {OpenChoice} choice */
  async drop(choice) {
    const isLeft = this.begin();
    try {
      if (await this.make(choice, isLeft)) return;
      this.running = null;
      if (this.result?.solved) this.solved();
      app.say(this.message);
      if (!this.result?.solved && !this.result?.failed) this.turn();
    } catch (error) {
      app.fail(error);
      if (isLeft()) return;
      this.running = null;
      this.turn();
    }
    this.changed();
  }

  // The node after a choice: the own side step by step, the opponent's by the reply of the host.
  /** @param {OpenChoice} choice @param {TryPuzzleResult} result */
  follow(choice, { position, replies }) {
    const { at } = this.study;
    const fields = both((seat) => fieldOf(position.players[seat].field));
    const players = both((seat) => {
      const { stock, gauge, score } = position.players[seat];
      return { stock, gauge, score };
    });
    const child = new Node(at, at.turn + 1, [choice.action, replies?.at(-1) ?? ""], fields, players);
    child.shown = {
      steps: choice.steps.map(([kind, changes, marks]) => [kind, [changes, ""], [marks, ""]]),
      actions: child.actions,
      hover: ["", ""],
      chains: [choice.chain, 0],
      sent: [choice.sent, 0],
      explosions: [choice.exploded ?? 0, 0],
      stocks: both((seat) => players[seat].stock),
      gauges: both((seat) => players[seat].gauge),
      scores: both((seat) => players[seat].score),
      potentials: [0, 0],
      think_ms: [0, 0],
      left_ms: [0, 0],
    };
    at.children = [child];
    return child;
  }

  // Takes a drop back: the one that is being shown, or else the last one.
  back() {
    const { study } = this,
      target = this.running ? study.at : study.at.parent;
    if (!target) return;
    if (target !== study.at) this.actions = this.actions.slice(0, -1);
    this.pause();
    study.at = study.tip = target;
    target.children = [];
    this.result = null;
    this.isShown = false;
    app.say("");
    this.show();
    this.changed();
  }

  // Plays the solution, drop by drop.
  async solve() {
    this.isShown = true;
    Dropper.closeAll();
    const isLeft = this.begin();
    try {
      for (const action of this.puzzle.solution) {
        const choices = await this.choices();
        if (isLeft()) return;
        const choice = choices.find((one) => one.action === action);
        if (!choice) break;
        Dropper.closeAll();
        board.preview(0, choice, "");
        app.say(spoken(action));
        await new Promise((resolve) => setTimeout(resolve, PREVIEW_MS));
        if (isLeft()) return;
        board.clear(0);
        if (await this.make(choice, isLeft)) return;
      }
    } catch (error) {
      app.fail(error);
      if (isLeft()) return;
    }
    this.running = null;
    if (this.result?.solved) this.shown();
    this.changed();
  }
}
