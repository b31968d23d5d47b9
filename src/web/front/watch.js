// Watches games: records, official replays and inputs of bots, by drag and drop; a match that runs.
import { $, element } from "./draw.js";
import { app } from "./app.js";
import { curves } from "./curves.js";
import { live } from "./live.js";
import { puzzles } from "./puzzles.js";
import { isReview } from "./review.js";
import { isShared, unshared } from "./share.js";
import { isText, listOf, memory } from "./settings.js";
import { Study } from "./study.js";
import { timeline } from "./timeline.js";
import { button, card, fill, labelled, row } from "./ui.js";
import { viewer } from "./viewer.js";
import { playerName, t } from "./words.js";

// The most bytes of a file that is opened.
const MOST_BYTES = 32 << 20;

// The most characters of the games that are kept for the next visit; a browser has room for five million.
const MOST_KEPT = 2_000_000;

// Whether a text is a list of packs: pairs of numbers, then `END`, once.
const isPacks = (text) => /^\s*(\d\s+){8,}END\s*$/.test(text.slice(0, 20_000));

// Whether a text is a file of puzzles.
const isPuzzles = (text) => /^\s*\{/.test(text) && /"puzzles"\s*:\s*\[/.test(text.slice(0, 2000));

export const watch = {
  games: [], // each: study, kind, file, and info, what the bots said by turn
  opening: false,

  enter() {
    if (app.study) this.show(app.study);
    this.render();
  },

  leave() {
    viewer.pause();
    viewer.onMove = null;
  },

  key: (event) => viewer.key(event),

  show(study) {
    app.open(study);
    timeline.draw(study);
    viewer.onMove = () => curves.at();
    viewer.go(study.at);
    document.body.classList.add("studying");
  },

  // Opens files; packs among them belong to official replays.
  async openFiles(files) {
    const texts = [];
    for (const file of files) {
      if (file.size > MOST_BYTES) {
        app.say(t("{} is too large", file.name), true);
        continue;
      }
      texts.push([file.name, await file.text()]);
    }
    const packs = texts.filter(([, text]) => isPacks(text)).map(([, text]) => text);
    await this.openTexts(
      texts.filter(([, text]) => !isPacks(text)),
      packs,
    );
  },

  async openTexts(texts, packs = []) {
    this.opening = true;
    this.render();
    let first = null;
    const failures = [];
    for (const [name, text] of texts) {
      try {
        if (isPuzzles(text)) {
          await puzzles.load(text);
          location.hash = "#puzzles";
          continue;
        }
        if (isShared(text)) {
          const opened = this.add(await unshared(text), "shared", name);
          first ??= opened;
          continue;
        }
        for (let number = 1, count = 1; number <= count; number++) {
          const { game, info, kind, games, warning } = await app.host.request("import", {
            text,
            name,
            number,
            ...(packs.length ? { packs } : {}),
          });
          count = Math.min(games ?? 1, 1000);
          const study = await Study.of(app.host, game, info ?? []);
          study.at = study.root;
          study.warning = warning ?? null;
          const opened = this.add(study, kind, count > 1 ? `${name}, ${t("game {}", number)}` : name);
          first ??= opened;
          this.render();
        }
      } catch (error) {
        failures.push(
          error.code === "bad_request" || error.code === "bad_position"
            ? Object.assign(error, {
                message: error.message.includes(name) ? error.message : `${name}: ${error.message}`,
              })
            : error,
        );
      }
    }
    this.opening = false;
    this.keep();
    if (first) {
      if (app.mode !== "watch") location.hash = "#watch";
      this.show(first.study);
    }
    this.render();
    // After the message of the game that is shown.
    if (failures.length === 1) app.fail(failures[0]);
    else if (failures.length) app.say(failures.map(({ message }) => message).join(" \u00b7 "), true);
  },

  // Shows and runs the sample game.
  async sample() {
    try {
      const study = await unshared($("samplegame").textContent.trim());
      study.go(study.root);
      if (!this.games.some(({ kind }) => kind === "sample")) this.add(study, "sample", t("Watch a game"));
      app.study = study;
      location.hash = "#watch";
      setTimeout(() => viewer.play());
    } catch (error) {
      app.fail(error);
    }
  },

  // Keeps the games that are open, with their reviews, for the next visit: as many of the latest ones as
  // the browser has room for.
  keep() {
    const kept = [];
    let room = MOST_KEPT;
    for (const { study, kind, file } of this.games.toReversed()) {
      if (kind === "sample") continue;
      const reviews = study.root.last.path.map((node) => node.reviews);
      const entry = {
        game: study.game(study.recorded ?? study.end),
        info: study.info,
        kind,
        file,
        warning: study.warning,
        reviews,
      };
      room -= JSON.stringify(entry).length;
      if (room < 0) break;
      kept.unshift(entry);
    }
    memory.set("client.opened", kept);
  },

  // Opens the games of the last visit again. What the host refuses is left out.
  async restore() {
    const isEntry = (one) => Array.isArray(one?.game?.actions) && isText(one.kind) && isText(one.file);
    for (const { game, info, kind, file, warning, reviews } of memory.get("client.opened", listOf(isEntry), [])) {
      try {
        const study = await Study.of(app.host, game, Array.isArray(info) ? info : []);
        study.at = study.root;
        study.warning = isText(warning) ? warning : null;
        study.end.path.forEach((node, at) => {
          node.reviews = [0, 1].map((seat) => (isReview(reviews?.[at]?.[seat]) ? reviews[at][seat] : null));
        });
        this.add(study, kind, file);
      } catch (error) {
        if (error.code === "offline") return;
      }
    }
    app.refresh();
  },

  // Closes a game: it leaves the list.
  close(game) {
    viewer.pause();
    this.games = this.games.filter((one) => one !== game);
    this.keep();
    this.render();
    app.say(t("{} is closed", game.file));
  },

  add(study, kind, file) {
    const game = { study, kind, file };
    this.games.push(game);
    return game;
  },

  render() {
    if (app.mode !== "watch") return;
    document.body.classList.toggle("studying", Boolean(app.study));
    const files = element("input", { type: "file", multiple: "", id: "files" });
    files.addEventListener("change", () => this.openFiles(files.files));
    // The same one each time, so that what is typed outlives a new game of a running match.
    this.pasted ??= element("textarea", { id: "pasted", rows: "3", spellcheck: "false" });
    const { pasted } = this;
    const openPasted = button(
      t("Open"),
      () => {
        if (pasted.value.trim()) this.openTexts([[t("pasted text"), pasted.value]]);
        pasted.value = "";
      },
      { id: "openpasted" },
    );
    const cards = [
      card(
        t("Open games"),
        element(
          "p",
          {},
          t(
            "Drop files anywhere on this page: records, official replays (with their packs), inputs of bots, situations.",
          ),
        ),
        labelled(t("Files"), files),
        labelled(t("or paste a text"), pasted),
        row(openPasted, this.opening && element("span", { class: "soft" }, t("reading"))),
      ),
    ];
    if (this.games.length) {
      const items = this.games.map((game) => {
        const { study } = game;
        const isShown = app.study === study;
        const open = button(
          "",
          () => {
            viewer.pause();
            this.show(study);
            this.render();
          },
          { class: "link" },
        );
        open.append(
          element("b", {}, [0, 1].map((seat) => playerName(study.names, seat)).join(" \u2013 ")),
          element("small", {}, `${study.outcome?.text ?? ""} \u00b7 ${game.file}`),
        );
        const close = button("\u00d7", () => this.close(game), {
          class: "close",
          title: t("Close"),
          "aria-label": t("Close {}", game.file),
        });
        return element("li", { class: "closable", ...(isShown ? { "aria-current": "true" } : {}) }, open, close);
      });
      cards.push(card(t("Games"), element("ol", { class: "plain games", id: "gamelist" }, ...items)));
    }
    if (app.study)
      cards.push(
        card(
          t("This game"),
          app.study.warning && element("p", { class: "warning", id: "warning", role: "status" }, app.study.warning),
          row(
            button(
              t("Analyse"),
              () => {
                location.hash = "#analyse";
              },
              { class: "main", id: "toanalyse" },
            ),
          ),
        ),
      );
    cards.push(...live.cards());
    if (app.study)
      cards.push(
        ...curves.cards(app.study, (node) => {
          viewer.pause();
          viewer.go(node);
        }),
      );
    fill(...cards);
  },

  // Files may be dropped anywhere on the page.
  listen() {
    let depth = 0;
    const shade = () => {
      $("shade").hidden = depth === 0;
    };
    const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
    addEventListener("dragenter", (event) => {
      if (hasFiles(event)) {
        depth++;
        shade();
      }
    });
    addEventListener("dragleave", (event) => {
      if (hasFiles(event)) {
        depth = Math.max(0, depth - 1);
        shade();
      }
    });
    addEventListener("dragover", (event) => {
      if (hasFiles(event)) event.preventDefault();
    });
    addEventListener("drop", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      shade();
      this.openFiles([...event.dataTransfer.files]);
    });
  },
};
app.modes.watch = watch;
