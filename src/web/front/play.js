// The view in which games are played: what is played, and the panel of the game.
import { $, element, HEIGHT, WIDTH } from "./draw.js";
import { app } from "./app.js";
import { board } from "./board.js";
import { pressed } from "./dropper.js";
import { history, levelOf, totals } from "./history.js";
import { Match, nameOf, PACES, pace, seatOptions } from "./match.js";
import { measureAccuracy } from "./reviews.js";
import { isText, listOf, memory, oneOf } from "./settings.js";
import { randomSeed, Study } from "./study.js";
import { tally } from "./tally.js";
import { button, card, download, fill, labelled, percent, row, select, table } from "./ui.js";
import { playerName, sentences, t } from "./words.js";

const RULES =
  "Blocks next to each other that sum to 10 vanish, also diagonally. What lies above falls, and the next round may " +
  "follow: a chain. Long chains send ojama to the other player. A column above the dashed line at the end of a turn " +
  "loses.";

// What a level does, in a sentence each.
const LEVEL_WORDS = [
  "stacks low, and takes the chain that it sees",
  "stacks high, overlooks half, and sends large skills",
  "plans its first chains",
  "plans chains, and uses the skill",
  "attacks with long chains",
  "attacks early, and defends",
  "reads two turns of both sides",
  "reads three turns of both sides",
  "as strong as in a contest",
];

// The columns of a field that are over the danger line.
function columnsOver(field) {
  return [...Array(WIDTH).keys()].filter((x) => field[WIDTH * HEIGHT + x] !== ".");
}

export const play = {
  match: null,

  enter() {
    if (this.match) {
      app.study = this.match.study;
      this.match.study.go(this.match.node);
      if (!this.match.ended) this.match.run();
      else {
        board.isPlaying = true;
        board.show(this.match.study, this.match.node);
      }
    } else if (!app.study) {
      this.still();
    }
    this.render();
  },

  // Empty fields, until a game is begun.
  still() {
    const study = new Study(app.host, { packs: "", names: ["", ""], actions: [] });
    board.isPlaying = true;
    board.show(study, study.root);
  },

  leave() {
    this.match?.stop();
  },

  key(event) {
    const { match } = this;
    if (!match) return false;
    if (match.skip && [" ", "Enter", "ArrowDown", "s"].includes(event.key)) {
      if (!event.repeat) match.skip();
      return true;
    }
    if (match.ended && event.key === "Enter") {
      this.again();
      return true;
    }
    const acts = { u: () => match.undo(), h: () => match.hint(), n: () => this.fresh() };
    const act = acts[event.key.toLowerCase()];
    if (!act || !match.people.length) return pressed(event, this.people);
    act();
    return true;
  },

  // The seats at which keys move packs.
  get people() {
    return this.match && !this.match.ended ? this.match.people : [];
  },

  // Another game between the same players.
  again() {
    const { match } = this;
    return this.start(match.seats, match.hasClock, { seed: randomSeed() });
  },

  // Back to the choice of a game.
  fresh() {
    this.keepLeft();
    this.match?.stop();
    this.match = null;
    this.still();
    app.say("");
    this.render();
  },

  // A game that is left is kept among the games of the person, also one of an earlier visit.
  async keepLeft() {
    const { match } = this;
    if (match) {
      if (!match.ended) history.add(match, null, false);
      return;
    }
    const kept = Match.kept();
    if (!kept?.game.actions.length) return;
    memory.set("client.game", null);
    try {
      const study = await Study.of(app.host, kept.game);
      history.add(
        { id: kept.id, study, node: study.end, seats: kept.seats, hasClock: kept.clock === true },
        null,
        false,
      );
    } catch {
      // What the host refuses is no game.
    }
  },

  async start(seats, hasClock, params) {
    try {
      await this.keepLeft();
      const { game } = await app.host.request("new_game", params);
      game.names = seats.map(nameOf);
      this.begin(await Study.of(app.host, game), seats, hasClock);
    } catch (error) {
      app.fail(error);
    }
  },

  // Plays a study from its node on. `lost` are the seats whose time has run out there, or `null`.
  // `id` is that of the game if it was begun before.
  begin(study, seats, hasClock, lost = null, id = undefined) {
    this.match?.stop();
    app.open(study);
    this.match = new Match(study, seats, hasClock, lost, id);
    memory.set("client.seats", seats);
    memory.set("client.clock", hasClock);
    this.match.run();
    this.render();
    $("side0").scrollIntoView?.({ block: "nearest" });
  },

  // Plays on from a node of a study: a study of its own, so that the other one stays as it is.
  async playOn(study, node, seats, hasClock) {
    const game = study.game(node);
    // A result by time does not end the game that is played on.
    delete game.details?.result;
    game.names = seats.map(nameOf);
    const own = await Study.of(app.host, game);
    own.go(own.end);
    this.match?.stop();
    this.match = null;
    app.study = own;
    location.hash = "#play";
    this.begin(own, seats, hasClock);
  },

  async resume() {
    const kept = Match.kept();
    try {
      const study = await Study.of(app.host, kept.game);
      study.go(study.end);
      if (kept.left) study.at.leftMs = kept.left;
      study.at.spentMs = kept.spent ?? null;
      this.begin(study, kept.seats, kept.clock === true, kept.lost ?? null, kept.id);
    } catch (error) {
      // The game is kept: the program may answer later.
      app.fail(error);
    }
  },

  async save(kind = "record") {
    try {
      const file = await app.host.request("export", { game: app.study.game(app.study.at), kind });
      download(file.file_name, file.text);
    } catch (error) {
      app.fail(error);
    }
  },

  render() {
    if (app.mode !== "play") return;
    fill(...(this.match ? this.matchCards() : this.setupCards()));
    document.body.classList.toggle("setup", !this.match);
    document.body.classList.toggle("playing", Boolean(this.match?.people.length && !this.match.ended));
    if (this.match) {
      const first = this.match.people[0] ?? 0;
      document.body.dataset.large = this.match.people.length === 1 ? first : "";
    } else document.body.dataset.large = "";
  },

  // What a person may do first: play, and what else there is.
  setupCards() {
    const highest = app.hello.levels.length || 9;
    const seats = memory.get("client.seats", listOf(isText), null) ?? [];
    const known = new Set(seatOptions().map(([value]) => value));
    const preset = ["person", `level${history.suggested(highest)}`];
    // A level is suggested by the results of the person; other choices are kept.
    const chosen = [0, 1].map((at) => (known.has(seats[at]) && levelOf(seats[at]) === null ? seats[at] : preset[at]));
    if (chosen[0] !== "person" && chosen[1] !== "person" && levelOf(seats[0])) chosen[0] = seats[0];
    const players = chosen.map((seat, at) => select(seatOptions(), seat, { id: "seat" + at }));
    const about = element("p", { class: "soft", id: "aboutlevel" });
    const describe = () => {
      about.textContent = LEVEL_WORDS[levelOf(players[1].value) - 1]
        ? t(LEVEL_WORDS[levelOf(players[1].value) - 1])
        : "";
    };
    players[1].addEventListener("change", describe);
    describe();
    const clocks = [
      ["none", t("no clock")],
      ["contest", t("contest clock: 3 minutes, and 20 seconds a turn")],
    ];
    const hasClock = memory.get("client.clock", oneOf(true, false), false);
    const clock = select(clocks, hasClock ? "contest" : "none", { id: "clock" });
    const seed = element("input", {
      id: "seed",
      inputmode: "numeric",
      placeholder: t("random"),
      size: "12",
      autocomplete: "off",
    });
    const file = element("input", { type: "file", id: "packfile", accept: ".txt,text/plain" });
    const start = button(
      t("Play"),
      async () => {
        const params = {};
        if (seed.value.trim()) {
          const value = Number(seed.value);
          if (!Number.isSafeInteger(value) || value < 0) {
            app.say(t("A seed is a whole number, 0 or more"), true);
            return;
          }
          params.seed = value;
        } else if (!file.files[0]) params.seed = randomSeed();
        if (file.files[0]) params.packs_text = await file.files[0].text();
        await this.start(
          players.map((player) => player.value),
          clock.value === "contest",
          params,
        );
      },
      { class: "main huge", id: "start", ...(app.hello.live ? { disabled: "" } : {}) },
    );
    if (app.hello.live) about.textContent = t("A match is played here: this page shows it, and plays no other games.");
    const kept = Match.kept();
    const options = element(
      "details",
      { id: "options" },
      element("summary", {}, t("Options")),
      labelled(t("Left"), players[0]),
      labelled(t("Clock"), clock),
      labelled(t("Seed of the packs"), seed),
      labelled(t("or a file of packs"), file),
    );
    return [
      card(
        t("New game"),
        labelled(t("Opponent"), players[1]),
        about,
        start,
        kept?.game.actions.length
          ? row(button(t("Continue the last game"), () => this.resume(), { id: "resume" }))
          : null,
        options,
      ),
      this.doors(),
      history.card((seat) => seatOptions().find(([value]) => value === seat)?.[1] ?? seat),
      card(t("The game"), element("p", {}, sentences(RULES))),
    ].filter(Boolean);
  },

  // Ways to the other parts of the page.
  doors() {
    const door = (id, title, text, go) => {
      const made = button("", go, { class: "door", id });
      made.append(element("b", {}, title), element("small", {}, text));
      return made;
    };
    return element(
      "div",
      { class: "doors" },
      door("learn", t("Learn in two minutes"), t("six small positions to play"), () => {
        app.modes.puzzles.learn();
        location.hash = "#puzzles";
      }),
      door("daily", t("Puzzle of the day"), t("another one each day"), () => {
        app.modes.puzzles.daily();
        location.hash = "#puzzles";
      }),
      door("sample", t("Watch a game"), t("two strong bots"), () => app.modes.watch.sample()),
    );
  },

  matchCards() {
    const { match } = this;
    const people = match.people.length > 0;
    const speed = select(
      Object.keys(PACES).map((name) => [name, t(name)]),
      pace.value,
      { id: "pace" },
    );
    speed.addEventListener("change", () => pace.set(speed.value));
    const cards = [
      card(
        match.ended ? t("Game over") : t("Turn {}", match.node.turn),
        element(
          "p",
          { class: "result" + (match.ended ? " big" : ""), id: "message" },
          match.message || [0, 1].map((seat) => playerName(match.study.names, seat)).join(" \u2013 "),
        ),
        row(
          match.failed &&
            button(
              t("Go on"),
              () => {
                match.message = "";
                match.run();
                this.render();
              },
              { class: "main", id: "goon" },
            ),
          people &&
            button(t("Undo"), () => match.undo(), {
              id: "undo",
              title: t("Take the last turn back (u)"),
              ...(match.undoTarget ? {} : { disabled: "" }),
            }),
          people &&
            !match.ended &&
            button(t("Hint"), () => match.hint(), { id: "hint", title: t("What the bot would do (h)") }),
          match.ended &&
            button(t("Play again"), () => this.again(), { class: "main", id: "again", title: t("Play again (Enter)") }),
          match.ended && people && button(t("Review my mistakes"), () => this.review(), { id: "toreview" }),
          button(
            t("Analyse"),
            () => {
              location.hash = "#analyse";
            },
            { id: "toanalyse" },
          ),
          match.ended && button(t("Share"), () => this.share(), { id: "toshare" }),
          button(t("Save"), () => this.save(), { id: "save", title: t("Save the game as a record") }),
          button(t("New game"), () => this.fresh(), { id: "new", title: t("New game (n)") }),
        ),
        match.ended ? this.summary() : null,
        labelled(t("Speed of chains"), speed),
      ),
    ];
    if (!match.ended) cards.push(tally(match.study, match.node));
    if (people && !match.ended) cards.push(this.keysCard());
    return cards;
  },

  // The game in numbers, and why it has ended.
  summary() {
    const { match } = this,
      { study, node } = match,
      { chains, sent } = totals(node);
    const passed = [0, 1].flatMap((seat) => columnsOver(node.fields[seat]).map((x) => [seat, x]));
    const own = match.people.length === 1 ? match.people[0] : null;
    const why = passed.map(([seat, x]) =>
      element(
        "p",
        {},
        seat === own
          ? t("Your column {} passed the danger line.", x)
          : t("Column {} of {} passed the danger line.", x, playerName(study.names, seat)),
      ),
    );
    const show = (seat) => {
      const shown = $("accuracy" + seat);
      if (shown) shown.textContent = percent(node.accuracy[seat] / 100);
    };
    if (match.people.length) measureAccuracy(study, node, show);
    const accuracy = (seat) => {
      const known = node.accuracy[seat];
      return element("output", { id: "accuracy" + seat }, known === null ? "\u2026" : percent(known / 100));
    };
    const numbers = [0, 1].map((seat) => [
      playerName(study.names, seat),
      String(chains[seat]),
      String(sent[seat]),
      accuracy(seat),
    ]);
    return element(
      "div",
      { id: "summary" },
      ...why.slice(0, 2),
      table([t("player"), t("longest chain"), t("ojama sent"), t("accuracy")], numbers, t("Game over")),
    );
  },

  // Reviews the actions of the person.
  review() {
    const [seat] = this.match.people;
    app.open(this.match.study);
    location.hash = "#analyse";
    app.modes.analyse.review(seat);
  },

  // Makes the link to the game.
  share() {
    app.open(this.match.study);
    location.hash = "#analyse";
    app.modes.analyse.share();
  },

  keysCard() {
    const lines =
      this.match.people.length === 1
        ? [
            ["\u2190 \u2192", t("move")],
            ["\u2191 / z", t("turn right, left")],
            ["\u2193", t("drop")],
            ["e", t("skill")],
            ["u", t("undo")],
            ["h", t("hint")],
          ]
        : [
            ["a d", t("move, left player")],
            ["w s e", t("turn, drop, skill")],
            ["\u2190 \u2192", t("move, right player")],
            ["\u2191 \u2193 /", t("turn, drop, skill")],
          ];
    return element(
      "section",
      { class: "card keyscard" },
      element("h2", {}, t("Keys")),
      element(
        "dl",
        {},
        ...lines.flatMap(([key, text]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, text)]),
      ),
    );
  },
};
