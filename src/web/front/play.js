// The view in which games are played: what is played, and the panel of the game.
import { $, element } from "../draw.js";
import { app } from "./app.js";
import { board } from "./board.js";
import { pressed } from "./dropper.js";
import { Match, nameOf, seatOptions } from "./match.js";
import { isText, listOf, memory, oneOf } from "./settings.js";
import { Study } from "./study.js";
import { button, card, download, fill, labelled, row, select } from "./ui.js";
import { t } from "./words.js";

export const play = {
  match: null,

  enter() {
    if (this.match) {
      app.study = this.match.study;
      this.match.study.go(this.match.node);
      if (!this.match.ended) this.match.run();
      else { board.isPlaying = true; board.show(this.match.study, this.match.node); }
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
    if (match.skip && [" ", "Enter", "ArrowDown"].includes(event.key)) { match.skip(); return true; }
    const acts = { u: () => match.undo(), h: () => match.hint() };
    const act = acts[event.key.toLowerCase()];
    if (!act || !match.people.length) return pressed(event.key, this.people);
    act();
    return true;
  },

  // The seats at which keys move packs.
  get people() { return this.match && !this.match.ended ? this.match.people : []; },

  async start(seats, hasClock, params) {
    try {
      const { game } = await app.host.request("new_game", params);
      game.names = seats.map(nameOf);
      this.begin(await Study.of(app.host, game), seats, hasClock);
    } catch (error) {
      app.fail(error);
    }
  },

  // Plays a study from its node on. `lost` are the seats whose time has run out there, or `null`.
  begin(study, seats, hasClock, lost = null) {
    this.match?.stop();
    app.open(study);
    this.match = new Match(study, seats, hasClock, lost);
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
      this.begin(study, kept.seats, kept.clock === true, kept.lost ?? null);
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
    document.body.classList.toggle("playing", Boolean(this.match && this.match.people.length && !this.match.ended));
    if (this.match) {
      const first = this.match.people[0] ?? 0;
      document.body.dataset.large = this.match.people.length === 1 ? first : "";
    } else document.body.dataset.large = "";
  },

  setupCards() {
    const seats = memory.get("client.seats", listOf(isText), ["person", "level2"]);
    const known = new Set(seatOptions().map(([value]) => value));
    const chosen = [0, 1].map((at) => (known.has(seats[at]) ? seats[at] : ["person", "level2"][at]));
    const players = chosen.map((seat, at) => select(seatOptions(), seat, { id: "seat" + at }));
    const clock = select([["none", t("no clock")], ["contest", t("contest clock: 3 minutes")]], memory.get("client.clock", oneOf(true, false), false) ? "contest" : "none", { id: "clock" });
    const seed = element("input", { id: "seed", inputmode: "numeric", placeholder: t("random"), size: "12", autocomplete: "off" });
    const file = element("input", { type: "file", id: "packfile", accept: ".txt,text/plain" });
    const start = button(t("Play"), async () => {
      const params = {};
      if (seed.value.trim()) {
        const value = Number(seed.value);
        if (!Number.isSafeInteger(value) || value < 0) { app.say(t("A seed is a whole number, 0 or more"), true); return; }
        params.seed = value;
      } else if (!file.files[0]) params.seed = crypto.getRandomValues(new Uint32Array(1))[0];
      if (file.files[0]) params.packs_text = await file.files[0].text();
      await this.start(players.map((player) => player.value), clock.value === "contest", params);
    }, { class: "main", id: "start" });
    const kept = Match.kept();
    return [
      card(t("New game"),
        labelled(t("Left"), players[0]), labelled(t("Right"), players[1]), labelled(t("Clock"), clock),
        labelled(t("Seed of the packs"), seed), labelled(t("or a file of packs"), file),
        row(start, kept?.game.actions.length ? button(t("Continue the last game"), () => this.resume(), { id: "resume" }) : null)),
      card(t("The game"),
        element("p", {}, t("Blocks next to each other that sum to 10 vanish, also diagonally. What lies above falls, and the next round may follow: a chain. Long chains send ojama to the other player. A column above the dashed line at the end of a turn loses."))),
    ];
  },

  matchCards() {
    const { match } = this;
    const people = match.people.length > 0;
    const again = () => this.start(match.seats, match.hasClock, { seed: crypto.getRandomValues(new Uint32Array(1))[0] });
    const cards = [card(match.ended ? t("Game over") : t("Turn {}", match.node.turn),
      element("p", { class: "result" + (match.ended ? " big" : ""), id: "message" }, match.message || match.seats.map((seat, at) => match.study.names[at]).join(" \u2013 ")),
      row(
        match.failed && button(t("Go on"), () => { match.message = ""; match.run(); this.render(); }, { class: "main", id: "goon" }),
        people && button(t("Undo"), () => match.undo(), { id: "undo", title: t("Take the last turn back (u)"), ...(match.node.parent ? {} : { disabled: "" }) }),
        people && !match.ended && button(t("Hint"), () => match.hint(), { id: "hint", title: t("What the bot would do (h)") }),
        match.ended && button(t("Play again"), again, { class: "main", id: "again" }),
        button(t("Analyse"), () => { location.hash = "#analyse"; }, { id: "toanalyse" }),
        button(t("Save"), () => this.save(), { id: "save", title: t("Save the game as a record") }),
        button(t("New game"), () => { match.stop(); this.match = null; this.still(); this.render(); }, { id: "new" }),
      ))];
    const chains = this.chains();
    if (chains) cards.push(chains);
    if (people && !match.ended) cards.push(this.keysCard());
    return cards;
  },

  // The attacks of the game so far.
  chains() {
    const nodes = this.match.node.path.slice(1);
    const attacks = nodes.flatMap((node) => [0, 1].filter((seat) => node.shown.sent[seat]).map((seat) => [node, seat]));
    if (!attacks.length) return null;
    const items = attacks.slice(-6).reverse().map(([node, seat]) => element("li", { class: "by" + seat },
      t("Turn {}", node.turn - 1) + ": " + `${this.match.study.names[seat]} \u2013 ${t("chain {}", node.shown.chains[seat])}, ${t("sends {}", node.shown.sent[seat])}`));
    return card(t("Attacks"), element("ul", { class: "plain" }, ...items));
  },

  keysCard() {
    const lines = this.match.people.length === 1
      ? [["\u2190 \u2192", t("move")], ["\u2191 / z", t("turn right, left")], ["\u2193", t("drop")], ["e", t("skill")], ["u", t("undo")], ["h", t("hint")]]
      : [["a d", t("move, left player")], ["w s e", t("turn, drop, skill")], ["\u2190 \u2192", t("move, right player")], ["\u2191 \u2193 /", t("turn, drop, skill")]];
    return element("section", { class: "card keyscard" }, element("h2", {}, t("Keys")), element("dl", {}, ...lines.flatMap(([key, text]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, text)])));
  },
};
app.modes.play = play;
