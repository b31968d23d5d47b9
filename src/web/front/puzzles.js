// Puzzles from recorded games: a chain, survival or a kill within a few packs.
import { $, element } from "./draw.js";
import { app } from "./app.js";
import { board, spoken } from "./board.js";
import { Dropper, pressed } from "./dropper.js";
import { LESSONS, words } from "./lessons.js";
import { isText, listOf, memory } from "./settings.js";
import { fieldOf, Node, randomSeed, Study } from "./study.js";
import { button, card, download, fill, labelled, row, select } from "./ui.js";
import { t } from "./words.js";

// The goal of a puzzle, in words.
const goalOf = ({ kind, goal, packs }) =>
  ({
    chain: () =>
      packs === 1
        ? t("Set off a chain of {} with one pack", goal)
        : t("Set off a chain of {} with {} packs", goal, packs),
    survive: () => (packs === 1 ? t("Survive this turn") : t("Survive {} turns", packs)),
    kill: () => (packs === 1 ? t("Win in this turn") : t("Win within {} turns", packs)),
  })[kind]?.() ?? kind;

// Days since 1970, here: the puzzle of the day changes at midnight.
const today = () => Math.floor((Date.now() - 60_000 * new Date().getTimezoneOffset()) / 86_400_000);

const isStreak = (one) => Number.isInteger(one?.day) && Number.isInteger(one?.streak) && one.streak >= 0;

// The state of an attempt, in words.
function messageOf({ solved, failed, left }) {
  if (solved) return t("Solved!");
  if (failed) return t("Not solved: take the drop back, or start again.");
  return left === 1 ? t("One pack is left.") : t("{} packs are left.", left);
}

// The name under which a puzzle is kept: its id is unique in one search or file only.
const keyOf = ({ id, position: { packs, players } }) => [id, packs, ...players.map(({ field }) => field)].join(" ");

// The state of an attempt at a lesson, in words.
const lessonMessage = ({ solved, failed }) =>
  solved ? t("Well done!") : failed ? t("Not yet: take the drop back.") : "";

// What the host reads of a puzzle: a lesson has words beside it.
const dataOf = ({ title, text, ...data }) => data;

const stars = (difficulty) => "\u2605".repeat(difficulty) + "\u2606".repeat(5 - difficulty);

export const puzzles = {
  list: [],
  level: "all",
  shipped: null, // the built-in puzzles, in their order
  toOpen: null, // what is opened when the view is entered
  current: null, // puzzle, study, actions, result
  running: null,
  solved: new Set(memory.get("client.solved", listOf(isText), [])),

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
  get todays() {
    return this.shipped?.[today() % this.shipped.length] ?? null;
  },

  // How many days in a row the person has solved the puzzle of the day.
  get streak() {
    const { day, streak } = memory.get("client.daily", isStreak, { day: 0, streak: 0 });
    return day >= today() - 1 ? streak : 0;
  },

  // The puzzles that the page has with it, put into the list at the first call.
  builtIn() {
    if (this.shipped) return;
    this.shipped = JSON.parse($("builtin").textContent).puzzles;
    this.add(this.shipped);
  },

  enter() {
    this.builtIn();
    const { toOpen } = this;
    this.toOpen = null;
    if (toOpen) {
      this.open(toOpen);
      return;
    }
    if (this.current) this.show();
    else {
      const study = new Study(app.host, { packs: "" });
      board.isPlaying = true;
      board.show(study, study.root);
    }
    this.render();
  },

  leave() {
    this.stop();
    if (this.current) this.current.attempt = null;
    Dropper.closeAll();
  },

  stop() {
    this.running?.abort();
    this.running = null;
  },

  get people() {
    return this.current && Dropper.at(0) ? [0] : [];
  },

  key(event) {
    if (!this.current) return false;
    if (event.key === "Enter" && this.current.result?.solved && LESSONS.includes(this.current.puzzle)) {
      this.goOn();
      return true;
    }
    if (event.key.toLowerCase() !== "u") return pressed(event, this.people);
    this.back();
    return true;
  },

  async load(text) {
    try {
      this.add((await app.host.request("puzzles", { text })).puzzles);
    } catch (error) {
      app.fail(error);
    }
    this.render();
  },

  add(found) {
    const known = new Set(this.list.map(keyOf));
    this.list.push(...found.filter((puzzle) => !known.has(keyOf(puzzle))));
    this.list.sort((a, b) => a.difficulty - b.difficulty || a.id.localeCompare(b.id));
  },

  // Searches games for puzzles by trying all actions, which takes seconds to minutes.
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

  // Opens a puzzle.
  open(puzzle) {
    Dropper.closeAll();
    const game = { packs: puzzle.position.packs, start: { ...puzzle.position }, names: [t("You"), t("Opponent")] };
    const study = new Study(app.host, game);
    // `attempt` is the drop or the solution that is being shown.
    this.current = { puzzle, study, actions: [], message: "", result: null, attempt: null };
    app.say("");
    this.show();
    this.render();
    $("side0").scrollIntoView?.({ block: "nearest" });
  },

  show() {
    board.isPlaying = true;
    board.show(this.current.study, this.current.study.at);
    if (!this.current.result?.solved && !this.current.result?.failed && !Dropper.at(0)) this.turn();
  },

  async turn() {
    const { current } = this,
      { study } = current;
    try {
      const choices = await app.host.request("choices", { position: study.position(), seat: 0 });
      if (this.current !== current || current.attempt || app.mode !== "puzzles") return;
      Dropper.start(0, choices, (choice) => this.drop(choice), !LESSONS.includes(current.puzzle));
    } catch (error) {
      app.fail(error);
    }
  },

  // Begins an attempt; returns a function that says whether it was left: taken back, or for another
  // puzzle or view.
  begin(current) {
    const attempt = {};
    current.attempt = attempt;
    return () => this.current !== current || current.attempt !== attempt;
  },

  // The actions and the board change together, at the end of the animation.
  async drop(choice) {
    const { current } = this,
      { study, puzzle } = current;
    const actions = [...current.actions, choice.action],
      isLeft = this.begin(current);
    try {
      const result = await app.host.request("try_puzzle", { puzzle: dataOf(puzzle), actions });
      if (isLeft()) return;
      const child = this.follow(study, choice, result);
      if (!(await board.animate(child, 1.5)) || isLeft()) return;
      study.at = study.tip = child;
      Object.assign(current, { actions, result, message: messageOf(result), attempt: null });
      board.show(study, child);
      if (result.solved) this.keep(puzzle);
      app.say(LESSONS.includes(puzzle) ? lessonMessage(result) : messageOf(result));
      if (!result.solved && !result.failed) this.turn();
    } catch (error) {
      app.fail(error);
      if (isLeft()) return;
      current.attempt = null;
      this.turn();
    }
    this.render();
    // On a small screen the way on lies below the field.
    for (const id of ["nextlesson", "firstgame"]) $(id)?.scrollIntoView?.({ block: "nearest" });
  },

  // The node after a choice: the own side step by step, the opponent's by the reply of the host.
  follow(study, choice, result) {
    const { position } = result,
      at = study.at;
    const fields = position.players.map((player) => fieldOf(player.field));
    const players = position.players.map(({ stock, gauge, score }) => ({ stock, gauge, score }));
    const child = new Node(at, at.turn + 1, [choice.action, result.replies?.at(-1) ?? ""], fields, players);
    child.shown = {
      steps: choice.steps.map(([kind, changes, marks]) => [kind, [changes, ""], [marks, ""]]),
      actions: child.actions,
      hover: ["", ""],
      chains: [choice.chain, 0],
      sent: [choice.sent, 0],
      explosions: [choice.exploded ?? 0, 0],
      info: null,
    };
    at.children = [child];
    return child;
  },

  keep(puzzle) {
    this.solved.add(keyOf(puzzle));
    if (puzzle === this.todays && memory.get("client.daily", isStreak)?.day !== today()) {
      memory.set("client.daily", { day: today(), streak: this.streak + 1 });
    }
    memory.set("client.solved", [...this.solved]);
  },

  // Takes a drop back: the one that is being shown, or else the last one.
  back() {
    const { current } = this,
      { study } = current;
    if (!current.attempt && !study.at.parent) return;
    Dropper.closeAll();
    if (current.attempt) {
      current.attempt = null;
    } else {
      study.at = study.tip = study.at.parent;
      current.actions = current.actions.slice(0, -1);
    }
    study.at.children = [];
    current.result = null;
    current.message = "";
    app.say("");
    this.show();
    this.render();
  },

  // Plays the solution, drop by drop.
  async solve() {
    const { puzzle } = this.current;
    this.open(puzzle);
    Dropper.closeAll();
    const { current } = this,
      isLeft = this.begin(current);
    for (const action of puzzle.solution) {
      const { study } = current;
      try {
        const choices = await app.host.request("choices", { position: study.position(), seat: 0 });
        if (isLeft()) return;
        Dropper.closeAll();
        const choice = choices.find((one) => one.action === action);
        board.preview(0, choice, "");
        app.say(spoken(action));
        await new Promise((resolve) => setTimeout(resolve, 600));
        if (isLeft()) return;
        board.clear(0);
        const actions = [...current.actions, action];
        const result = await app.host.request("try_puzzle", { puzzle: dataOf(puzzle), actions });
        if (isLeft()) return;
        const child = this.follow(study, choice, result);
        if (!(await board.animate(child, 1.5)) || isLeft()) return;
        study.at = study.tip = child;
        Object.assign(current, { actions, result, message: messageOf(result) });
        board.show(study, child);
      } catch (error) {
        app.fail(error);
        if (!isLeft()) current.attempt = null;
        return;
      }
    }
    current.attempt = null;
    this.render();
  },

  next() {
    const at = this.list.indexOf(this.current.puzzle);
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
    const isLesson = LESSONS.includes(this.current?.puzzle);
    if (isLesson) fill(this.lessonCard(), this.moreLessons());
    else fill(this.current && this.currentCard(), this.lessonDoor(), this.listCard(), this.sourceCard());
  },

  currentCard() {
    const { puzzle, message, result, actions } = this.current;
    const state = result?.solved ? " right" : result?.failed ? " wrong" : "";
    const { streak } = this,
      isDaily = puzzle === this.todays;
    return card(
      isDaily ? t("Puzzle of the day") : t("Puzzle"),
      element("p", { class: "goal" }, goalOf(puzzle)),
      isDaily && streak > 1
        ? element("p", { class: "soft", id: "streak" }, t("solved on {} days in a row", streak))
        : null,
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
      element("p", { class: "result" + state, id: "message" }, message),
      row(
        button(t("Undo"), () => this.back(), { id: "undo", ...(actions.length ? {} : { disabled: "" }) }),
        button(t("Start again"), () => this.open(puzzle)),
        button(t("Solution"), () => this.solve(), { id: "solution" }),
        button(t("Next"), () => this.next(), { id: "nextpuzzle", ...(result?.solved ? { class: "main" } : {}) }),
      ),
    );
  },

  // A lesson: what it teaches, and how far the person is.
  lessonCard() {
    const { puzzle, result, actions } = this.current,
      at = LESSONS.indexOf(puzzle),
      { title, text } = words(puzzle);
    const state = result?.solved ? " right" : result?.failed ? " wrong" : "";
    const next = LESSONS[at + 1];
    return card(
      t("Lesson {} of {}: {}", at + 1, LESSONS.length, title),
      element("p", { class: "lesson" }, text),
      element("p", { class: "result big" + state, id: "message" }, result ? lessonMessage(result) : ""),
      row(
        result?.solved &&
          button(next ? t("Next lesson") : t("Play your first game"), () => this.goOn(), {
            class: "main",
            id: next ? "nextlesson" : "firstgame",
          }),
        button(t("Undo"), () => this.back(), {
          id: "undo",
          ...(actions.length && !result?.solved ? {} : { disabled: "" }),
        }),
        !result?.solved && button(t("Solution"), () => this.solve(), { id: "solution" }),
        button(
          t("End the lessons"),
          () => {
            Dropper.closeAll();
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
    const next = LESSONS[LESSONS.indexOf(this.current.puzzle) + 1];
    if (next) {
      this.open(next);
      return;
    }
    this.current = null;
    location.hash = "#play";
    app.modes.play.start(["person", "level1"], false, { seed: randomSeed() });
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
    const level = select([["all", t("all")], ...[1, 2, 3, 4, 5].map((one) => [one, stars(one)])], this.level, {
      id: "difficulty",
    });
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
      if (file.files[0]) this.load(await file.files[0].text());
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
          : button(t("Search the open game"), () => this.search([study]), {
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
