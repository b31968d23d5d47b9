// Puzzles from recorded games: a chain, survival or a kill within a few packs.
import { $, element } from "./draw.js";
import { app } from "./app.js";
import { Attempt } from "./attempt.js";
import { board } from "./board.js";
import { puzzleStreak, solvedPuzzles, today } from "./days.js";
import { Dropper, endedByKey, pressed } from "./dropper.js";
import { keys } from "./keys.js";
import { LESSONS, words } from "./lessons.js";
import { memory } from "./settings.js";
import { paceChoice } from "./pace.js";
import { randomSeed } from "./study.js";
import { button, card, download, fill, labelled, row, select } from "./ui.js";
import { views } from "./views.js";
import { t } from "./words.js";

/** @import { PuzzleData } from "../../../target/front/api" */
/** @import { Lesson } from "./lessons.js" */
/** @import { Study } from "./study.js" */

/**
 * The goal of a puzzle, in words.
 * @param {PuzzleData} puzzle
 */
function goalOf({ kind, goal, packs }) {
  /** @type {Record<string, () => string>} */
  const words = {
    chain: () =>
      packs === 1
        ? t("Set off a chain of {} with one pack", goal)
        : t("Set off a chain of {} with {} packs", goal, packs),
    survive: () => (packs === 1 ? t("Survive this turn") : t("Survive {} turns", packs)),
    kill: () => (packs === 1 ? t("Win in this turn") : t("Win within {} turns", packs)),
  };
  return words[kind]?.() ?? kind;
}

/**
 * The name under which a puzzle is kept: its id is unique in one search or file only.
 * @param {PuzzleData} puzzle
 */
const keyOf = ({ id, position: { packs, players } }) => [id, packs, ...players.map(({ field }) => field)].join(" ");

/** @param {number} difficulty */
const stars = (difficulty) => "\u2605".repeat(difficulty) + "\u2606".repeat(5 - difficulty);

/**
 * The lesson that a puzzle is, or `null`.
 * @param {PuzzleData} puzzle
 */
const lessonOf = (puzzle) => LESSONS.find((lesson) => lesson === puzzle) ?? null;

/**
 * @param {number} one
 * @param {string} other
 * @returns {[number, string]}
 */
const pair = (one, other) => [one, other];

export const puzzles = {
  /** @type {PuzzleData[]} */
  list: [],
  level: "all",
  /** @type {PuzzleData[] | null} the built-in puzzles, in their order */
  shipped: null,
  /** @type {PuzzleData | null} what is opened when the view is entered */
  toOpen: null,
  /** @type {Attempt | null} the attempt that is shown */
  current: null,
  /** @type {AbortController | null} the search for puzzles that runs */
  running: null,
  /** @type {[number, number] | null} the tried positions of a search, of all */
  progress: null,
  solved: new Set(solvedPuzzles()),

  // Opens the first lesson.
  learn() {
    this.toOpen = LESSONS[0];
  },

  // Opens the puzzle of the day: of the built-in ones, in the order of their number, one a day.
  daily() {
    this.builtIn();
    this.toOpen = this.todays;
  },

  // The puzzle of today.
  /** @returns {PuzzleData | null} */
  get todays() {
    return this.shipped?.[today() % this.shipped.length] ?? null;
  },

  // The puzzles that the page has with it, put into the list at the first call.
  builtIn() {
    if (this.shipped) return;
    /** @type {{ puzzles: PuzzleData[] }} */
    const { puzzles } = JSON.parse($("builtin").textContent ?? "");
    this.shipped = puzzles;
    this.add(puzzles);
  },

  enter() {
    this.builtIn();
    const { toOpen } = this;
    this.toOpen = null;
    if (toOpen) {
      this.open(toOpen);
      return;
    }
    if (this.current) this.current.show();
    else board.empty(app.host);
    this.render();
  },

  leave() {
    this.stop();
    this.current?.pause();
  },

  stop() {
    this.running?.abort();
    this.running = null;
  },

  get people() {
    return this.current && Dropper.at(0) ? [0] : [];
  },

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.current) return false;
    if (endedByKey(event)) return true;
    if (event.key === "Enter" && this.current.result?.solved && this.current.isLesson) {
      this.goOn();
      return true;
    }
    if (keys.action(event.key, "game") !== "undo") return pressed(event, this.people);
    this.current.back();
    return true;
  },

  /** @param {string} text a file of puzzles */
  async load(text) {
    try {
      this.add((await app.host.request("puzzles", { text })).puzzles);
    } catch (error) {
      app.fail(error);
    }
    this.render();
  },

  /** @param {PuzzleData[]} found */
  add(found) {
    const known = new Set(this.list.map(keyOf));
    this.list.push(...found.filter((puzzle) => !known.has(keyOf(puzzle))));
    this.list.sort((a, b) => a.difficulty - b.difficulty || a.id.localeCompare(b.id));
  },

  /**
   * Searches games for puzzles by trying all actions, which takes seconds to minutes.
   * @param {Study[]} studies
   */
  async search(studies) {
    this.stop();
    const running = new AbortController();
    this.running = running;
    this.progress = null;
    this.render();
    try {
      const games = studies.map((study) => {
        const game = study.game(study.tip);
        delete game.think_ms;
        return game;
      });
      const { puzzles: found } = await app.host.request(
        "puzzles",
        { games },
        {
          signal: running.signal,
          onProgress: ({ done, of, found: some }) => {
            this.progress = [done, of];
            this.add(some ?? []);
            this.render();
          },
        },
      );
      this.add(found);
      if (!this.list.length) app.say(t("No puzzle was found in this game."));
    } catch (error) {
      app.fail(error);
    }
    if (this.running === running) this.running = null;
    this.render();
  },

  /**
   * Opens a puzzle.
   * @param {PuzzleData} puzzle
   */
  open(puzzle) {
    this.current?.close();
    const isLesson = lessonOf(puzzle) !== null;
    const attempt = new Attempt(puzzle, isLesson, {
      solved: () => this.keep(puzzle),
      // A lesson that was shown is learnt; a puzzle is not solved by that.
      shown: () => isLesson && this.keep(puzzle),
      changed: () => this.changed(),
    });
    this.current = attempt;
    app.say("");
    attempt.show();
    this.render();
    $("side0").scrollIntoView?.({ block: "nearest" });
    return attempt;
  },

  changed() {
    this.render();
    // On a small screen the way on lies below the field.
    for (const id of ["nextlesson", "firstgame"]) $(id)?.scrollIntoView?.({ block: "nearest" });
  },

  // Plays the solution of the puzzle from its beginning.
  solve() {
    if (this.current) this.open(this.current.puzzle).solve();
  },

  /** @param {PuzzleData} puzzle */
  keep(puzzle) {
    // Another tab of the page may have solved others meanwhile.
    this.reload();
    this.solved.add(keyOf(puzzle));
    if (puzzle === this.todays) puzzleStreak.count();
    memory.set("client.solved", [...this.solved]);
  },

  // Reads again which puzzles are solved.
  reload() {
    this.solved = new Set(solvedPuzzles());
  },

  next() {
    const at = this.current ? this.list.indexOf(this.current.puzzle) : -1;
    const later = [...this.list.slice(at + 1), ...this.list.slice(0, at)];
    const next = later.find((puzzle) => !this.solved.has(keyOf(puzzle))) ?? later[0];
    if (next) this.open(next);
  },

  render() {
    if (app.mode !== "puzzles") return;
    document.body.classList.toggle("playing", this.current !== null);
    document.body.dataset.large = this.current ? "0" : "";
    // Nothing can be dropped after the last pack; *Undo* gives it back.
    if (this.current?.result?.solved || this.current?.result?.failed)
      for (const one of $("hand").querySelectorAll("button")) one.disabled = true;
    const { current } = this,
      lesson = current && lessonOf(current.puzzle);
    if (lesson) fill(this.lessonCard(current, lesson), this.moreLessons());
    else fill(current && this.currentCard(current), this.lessonDoor(), this.listCard(), this.sourceCard());
  },

  /** @param {Attempt} attempt */
  currentCard(attempt) {
    const { puzzle, result, actions } = attempt;
    const state = result?.solved ? " right" : result?.failed ? " wrong" : "";
    const isDaily = puzzle === this.todays,
      streak = puzzleStreak.length;
    return card(
      isDaily ? t("Puzzle of the day") : t("Puzzle"),
      element("p", { class: "goal" }, goalOf(puzzle)),
      isDaily && streak > 0 ? element("p", { class: "soft", id: "streak" }, puzzleStreak.text) : null,
      element(
        "p",
        { class: "soft" },
        element(
          "span",
          { "aria-label": t("difficulty {} of 5", puzzle.difficulty), role: "img" },
          stars(puzzle.difficulty),
        ),
        " \u00b7 ",
        puzzle.solutions === 1 ? t("one solution") : t("{} solutions", puzzle.solutions),
      ),
      element("p", { class: "result" + state, id: "message" }, attempt.message),
      row(
        button(t("Undo"), () => attempt.back(), { id: "undo", ...(actions.length ? {} : { disabled: "" }) }),
        button(t("Start again"), () => this.open(puzzle)),
        button(t("Solution"), () => this.solve(), { id: "solution" }),
        button(t("Next"), () => this.next(), { id: "nextpuzzle", ...(result?.solved ? { class: "main" } : {}) }),
      ),
      paceChoice(),
    );
  },

  /**
   * A lesson: what it teaches, and how far the person is.
   * @param {Attempt} attempt
   * @param {Lesson} lesson
   */
  lessonCard(attempt, lesson) {
    const { result, actions } = attempt,
      at = LESSONS.indexOf(lesson),
      { title, text } = words(lesson);
    const state = result?.solved ? " right" : result?.failed ? " wrong" : "";
    const next = LESSONS[at + 1];
    return card(
      t("Lesson {} of {}: {}", at + 1, LESSONS.length, title),
      element("p", { class: "lesson" }, text),
      element("p", { class: "result big" + state, id: "message" }, attempt.message),
      row(
        result?.solved &&
          button(next ? t("Next lesson") : t("Play your first game"), () => this.goOn(), {
            class: "main",
            id: next ? "nextlesson" : "firstgame",
          }),
        button(t("Undo"), () => attempt.back(), {
          id: "undo",
          ...(actions.length && !result?.solved ? {} : { disabled: "" }),
        }),
        !result?.solved && button(t("Solution"), () => this.solve(), { id: "solution" }),
        button(
          t("End the lessons"),
          () => {
            attempt.close();
            this.current = null;
            this.enter();
          },
          { id: "endlessons" },
        ),
      ),
    );
  },

  // From a solved lesson to the next one, and from the last one to a game.
  goOn() {
    const { current } = this;
    if (!current) return;
    const lesson = lessonOf(current.puzzle),
      next = lesson && LESSONS[LESSONS.indexOf(lesson) + 1];
    if (next) {
      this.open(next);
      return;
    }
    current.close();
    this.current = null;
    location.hash = "#play";
    views().play.start(["person", "level1"], false, { seed: randomSeed() });
  },

  moreLessons() {
    const items = LESSONS.map((lesson) => {
      const open = button("", () => this.open(lesson), { class: "link" });
      const sign = this.solved.has(keyOf(lesson))
        ? [element("b", { class: "right", role: "img", "aria-label": t("solved") }, "\u2713 ")]
        : [];
      open.append(element("span", {}, ...sign, words(lesson).title));
      return element("li", this.current?.puzzle === lesson ? { "aria-current": "true" } : {}, open);
    });
    return card(t("Learn in two minutes"), element("ol", { class: "plain games", id: "lessonlist" }, ...items));
  },

  lessonDoor() {
    return row(button(t("Learn in two minutes"), () => this.open(LESSONS[0]), { id: "tolessons" }));
  },

  listCard() {
    if (!this.list.length) return null;
    /** @type {[string | number, string][]} */
    const levels = [["all", t("all")], ...[1, 2, 3, 4, 5].map((one) => pair(one, stars(one)))];
    const level = select(levels, this.level, { id: "difficulty" });
    level.addEventListener("change", () => {
      this.level = level.value;
      this.render();
    });
    const shown = this.list.filter((puzzle) => this.level === "all" || puzzle.difficulty === Number(this.level));
    const items = shown.map((puzzle) => {
      const open = button("", () => this.open(puzzle), { class: "link" });
      const sign = this.solved.has(keyOf(puzzle))
        ? [element("b", { class: "right", role: "img", "aria-label": t("solved") }, "\u2713 ")]
        : [];
      open.append(
        element("span", {}, ...sign, goalOf(puzzle)),
        element("small", {}, `${stars(puzzle.difficulty)} \u00b7 ${puzzle.id}`),
      );
      return element("li", this.current?.puzzle === puzzle ? { "aria-current": "true" } : {}, open);
    });
    return card(
      t("Puzzles"),
      row(
        labelled(t("Difficulty"), level),
        element(
          "span",
          { class: "soft" },
          t("{} of {} solved", this.list.filter((puzzle) => this.solved.has(keyOf(puzzle))).length, this.list.length),
        ),
      ),
      element("ol", { class: "plain games", id: "puzzlelist" }, ...items),
      row(
        button(t("Save the puzzles"), () =>
          download("puzzles.json", JSON.stringify({ format: "tensai puzzles", version: 1, puzzles: this.list })),
        ),
      ),
    );
  },

  sourceCard() {
    const file = element("input", { type: "file", id: "puzzlefile", accept: ".json,application/json" });
    file.addEventListener("change", async () => {
      const [chosen] = file.files ?? [];
      if (chosen) this.load(await chosen.text());
    });
    const { study } = app;
    const canSearch = study && study.tip.path.length > 1;
    return card(
      t("More puzzles"),
      labelled(t("A file of tensai puzzles"), file),
      row(
        this.running
          ? button(t("Stop"), () => {
              this.stop();
              this.render();
            })
          : button(t("Search the open game"), () => study && this.search([study]), {
              id: "searchpuzzles",
              ...(canSearch ? {} : { disabled: "" }),
            }),
        this.running &&
          element(
            "progress",
            this.progress
              ? { max: this.progress[1], value: this.progress[0], "aria-label": t("Puzzles") }
              : { "aria-label": t("Puzzles") },
          ),
      ),
      canSearch ? null : element("p", { class: "soft" }, t("Play or open a game first: puzzles are found in games.")),
    );
  },
};
