// Watches games: records, official replays and inputs of bots, by drag and drop; a match that runs.
import { $, element } from "../draw.js";
import { app } from "./app.js";
import { curves } from "./curves.js";
import { live } from "./live.js";
import { unshared } from "./share.js";
import { Study } from "./study.js";
import { timeline } from "./timeline.js";
import { button, card, fill, labelled, row } from "./ui.js";
import { viewer } from "./viewer.js";
import { playerName, t } from "./words.js";

// The most bytes of a file that is opened.
const MOST_BYTES = 32 << 20;

// Whether a text is a list of packs: pairs of numbers, then `END`, once.
const isPacks = (text) => /^\s*(\d\s+){8,}END\s*$/.test(text.slice(0, 20_000));

export const watch = {
  games: [], // each: study, kind, file
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
      if (file.size > MOST_BYTES) { app.say(t("{} is too large", file.name), true); continue; }
      texts.push([file.name, await file.text()]);
    }
    const packs = texts.filter(([, text]) => isPacks(text)).map(([, text]) => text);
    await this.openTexts(texts.filter(([, text]) => !isPacks(text)), packs);
  },

  async openTexts(texts, packs = []) {
    this.opening = true;
    this.render();
    let first = null;
    for (const [name, text] of texts) {
      try {
        if (/^\S*#\S+$/.test(text.trim())) {
          const opened = this.add(await unshared(text.trim()), "shared", name);
          first ??= opened;
          continue;
        }
        for (let number = 1, count = 1; number <= count; number++) {
          const { game, info, kind, games, warning } = await app.host.request("import", { text, name, number, ...(packs.length ? { packs } : {}) });
          count = Math.min(games ?? 1, 1000);
          const study = await Study.of(app.host, game, info ?? []);
          study.at = study.root;
          study.warning = warning ?? null;
          const opened = this.add(study, kind, count > 1 ? `${name}, ${t("game {}", number)}` : name);
          first ??= opened;
          this.render();
        }
      } catch (error) {
        app.fail(error.code === "bad_request" || error.code === "bad_position" ? Object.assign(error, { message: error.message.includes(name) ? error.message : `${name}: ${error.message}` }) : error);
      }
    }
    this.opening = false;
    if (first) {
      if (app.mode !== "watch") location.hash = "#watch";
      this.show(first.study);
    }
    this.render();
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
    const pasted = element("textarea", { id: "pasted", rows: "3", spellcheck: "false" });
    const openPasted = button(t("Open"), () => { if (pasted.value.trim()) this.openTexts([[t("pasted text"), pasted.value]]); }, { id: "openpasted" });
    const cards = [card(t("Open games"),
      element("p", {}, t("Drop files anywhere on this page: records, official replays (with their packs), inputs of bots, situations.")),
      labelled(t("Files"), files), labelled(t("or paste a text"), pasted), row(openPasted, this.opening && element("span", { class: "soft" }, t("reading"))))];
    if (this.games.length) {
      const items = this.games.map((game) => {
        const { study } = game;
        const isShown = app.study === study;
        const open = button("", () => { viewer.pause(); this.show(study); this.render(); }, { class: "link" });
        open.append(element("b", {}, [0, 1].map((seat) => playerName(study.names, seat)).join(" \u2013 ")), element("small", {}, `${study.outcome?.text ?? ""} \u00b7 ${game.file}`));
        return element("li", isShown ? { "aria-current": "true" } : {}, open);
      });
      cards.push(card(t("Games"), element("ol", { class: "plain games", id: "gamelist" }, ...items)));
    }
    if (app.study) cards.push(card(t("This game"), app.study.warning && element("p", { class: "warning", id: "warning", role: "status" }, app.study.warning), row(button(t("Analyse"), () => { location.hash = "#analyse"; }, { class: "main", id: "toanalyse" }))));
    cards.push(...live.cards());
    if (app.study) cards.push(...curves.cards(app.study, (node) => { viewer.pause(); viewer.go(node); }));
    fill(...cards);
  },

  // Files may be dropped anywhere on the page.
  listen() {
    let depth = 0;
    const shade = () => { $("shade").hidden = depth === 0; };
    const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
    addEventListener("dragenter", (event) => { if (hasFiles(event)) { depth++; shade(); } });
    addEventListener("dragleave", (event) => { if (hasFiles(event)) { depth = Math.max(0, depth - 1); shade(); } });
    addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
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
