// Opens files of games on the page: records, official replays and inputs of bots, by drag and drop, as a text,
// or from the last visit.
import { $, element } from "./draw.js";
import { app } from "./app.js";
import { kept } from "./kept.js";
import { puzzles } from "./puzzles.js";
import { isShared, refused, unshared } from "./share.js";
import { Study } from "./study.js";
import { button, card, labelled, row } from "./ui.js";
import { viewer } from "./viewer.js";
import { watch } from "./watch.js";
import { sentences, t } from "./words.js";

const OPENED =
  "Drop files anywhere on this page. " +
  "It reads records, official replays (with their packs), inputs of bots and situations.";

// The most bytes of a file that is opened.
const MOST_BYTES = 32 << 20;

/** @import { HostError } from "./host.js" */
/** @import { OpenGame } from "./watch.js" */

/**
 * Whether a text is a list of packs: pairs of numbers, then `END`, once.
 * @param {string} text
 */
const isPacks = (text) => /^\s*(\d\s+){8,}END\s*$/.test(text.slice(0, 20_000));

/**
 * Whether a text is a file of puzzles.
 * @param {string} text
 */
const isPuzzles = (text) => /^\s*\{/.test(text) && /"puzzles"\s*:\s*\[/.test(text.slice(0, 2000));

const NO_GAME =
  "This is no game. " +
  "The page opens records, official replays with their packs, inputs of bots, situations, shared texts and puzzles.";

/**
 * Whether a file is a text, and not a picture, an archive or another file of bytes.
 * @param {string} text
 */
const isReadable = (text) => text.trim() !== "" && !/[\0\ufffd]/.test(text.slice(0, 2000));

// What is typed there outlives a new game of a running match, which draws the panel again.
const pasted = element("textarea", { id: "pasted", rows: "3", spellcheck: "false" });

export const files = {
  opening: false,

  /**
   * Opens files; packs among them belong to official replays.
   * @param {Iterable<File>} files
   */
  async openFiles(files) {
    /** @type {[string, string][]} */
    const texts = [];
    /** @type {string[]} */
    const refusals = [];
    for (const file of files) {
      if (file.size > MOST_BYTES) refusals.push(t("{} is too large", file.name));
      else texts.push([file.name, await file.text()]);
    }
    const packs = texts.filter(([, text]) => isPacks(text)).map(([, text]) => text);
    await this.openTexts(
      texts.filter(([, text]) => !isPacks(text)),
      packs,
      refusals,
    );
  },

  /**
   * Opens texts, each with a name; `refusals` says what else cannot be opened.
   * @param {[string, string][]} texts
   * @param {string[]} packs
   * @param {string[]} refusals
   */
  async openTexts(texts, packs = [], refusals = []) {
    this.opening = true;
    watch.render();
    /** @type {OpenGame | null} */
    let first = null;
    const failures = refusals.map(refused);
    for (const [name, text] of texts) {
      try {
        if (!isReadable(text)) throw refused(`${name}: ${sentences(NO_GAME)}`);
        if (isPuzzles(text)) {
          await puzzles.load(text);
          location.hash = "#puzzles";
          continue;
        }
        if (isShared(text)) {
          const opened = watch.add(await unshared(text), "shared", name);
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
          const opened = watch.add(study, kind, count > 1 ? `${name}, ${t("game {}", number)}` : name);
          first ??= opened;
          watch.render();
        }
      } catch (reason) {
        const error = /** @type {HostError} */ (reason);
        const isOfFile = error.code === "bad_request" || error.code === "bad_position";
        if (isOfFile && !error.message.includes(name)) error.message = `${name}: ${error.message}`;
        failures.push(error);
      }
    }
    this.opening = false;
    kept.keep();
    if (first?.study) {
      if (app.mode !== "watch") location.hash = "#watch";
      watch.show(first.study);
    }
    watch.render();
    // After the message of the game that is shown.
    if (failures.length === 1) app.fail(failures[0]);
    else if (failures.length) app.say(failures.map(({ message }) => message).join(" \u00b7 "), true);
  },

  // Shows and runs the sample game.
  async sample() {
    try {
      const study = await unshared($("samplegame").textContent.trim());
      study.go(study.root);
      if (!watch.games.some(({ kind }) => kind === "sample")) watch.add(study, "sample", t("Watch a game"));
      app.study = study;
      location.hash = "#watch";
      setTimeout(() => viewer.play());
    } catch (error) {
      app.fail(error);
    }
  },

  // The card by which files are opened.
  cards() {
    const chosen = element("input", { type: "file", multiple: "", id: "files" });
    chosen.addEventListener("change", () => this.openFiles(chosen.files ?? []));
    const openPasted = button(
      t("Open"),
      () => {
        if (pasted.value.trim()) this.openTexts([[t("pasted text"), pasted.value]]);
        else app.say(t("Paste the text of a game first."), true);
        pasted.value = "";
      },
      { id: "openpasted" },
    );
    return [
      card(
        t("Open games"),
        element("p", {}, sentences(OPENED)),
        labelled(t("Files"), chosen),
        labelled(t("or paste a text"), pasted),
        row(openPasted, this.opening && element("span", { class: "soft" }, t("reading"))),
      ),
    ];
  },

  // Files may be dropped anywhere on the page.
  listen() {
    let depth = 0;
    const shade = () => {
      $("shade").hidden = depth === 0;
    };
    const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
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
      this.openFiles(event.dataTransfer?.files ?? []);
    });
  },
};
watch.sample = () => files.sample();
watch.onClose = () => kept.keep();
watch.onOpen = (game) => kept.unfold(game);
