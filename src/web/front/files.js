// Opens files of games on the page: records, official replays and inputs of bots, by drag and drop, as a text,
// or from the last visit.
import { $, both, element } from "./draw.js";
import { app } from "./app.js";
import { puzzles } from "./puzzles.js";
import { isReview } from "./review.js";
import { isShared, unshared } from "./share.js";
import { isText, listOf, memory } from "./settings.js";
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

// The most characters of the games that are kept for the next visit; a browser has room for five million.
const MOST_KEPT = 2_000_000;

/** @import { GameData } from "../../../target/front/api" */
/** @import { HostError } from "./host.js" */
/** @import { Both } from "./draw.js" */
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

/**
 * A game that the browser has stored, as `keep` writes it; the host checks the game.
 * @typedef {object} KeptGame
 * @property {GameData} game
 * @property {unknown} info
 * @property {string} kind
 * @property {string} file
 * @property {unknown} warning
 * @property {unknown} reviews
 */

/**
 * @param {unknown} one
 * @returns {one is KeptGame}
 */
const isKept = (one) => {
  const kept = /** @type {Partial<KeptGame> | null} */ (one);
  return Array.isArray(kept?.game?.actions) && isText(kept.kind) && isText(kept.file);
};

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

  /**
   * Opens texts, each with a name.
   * @param {[string, string][]} texts
   * @param {string[]} packs
   */
  async openTexts(texts, packs = []) {
    this.opening = true;
    watch.render();
    /** @type {OpenGame | null} */
    let first = null;
    /** @type {Error[]} */
    const failures = [];
    for (const [name, text] of texts) {
      try {
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
    this.keep();
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

  // Keeps the games that are open, with their reviews, for the next visit: as many of the latest ones as
  // the browser has room for.
  keep() {
    const kept = [];
    let room = MOST_KEPT;
    for (const { study, kind, file } of watch.games.toReversed()) {
      if (kind === "sample" || !study) continue;
      const reviews = study.end.path.map((node) => node.reviews);
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
    for (const { game, info, kind, file, warning, reviews } of memory.get("client.opened", listOf(isKept)) ?? []) {
      try {
        const study = await Study.of(app.host, game, Array.isArray(info) ? info : []);
        study.at = study.root;
        study.warning = isText(warning) ? warning : null;
        study.end.path.forEach((node, at) => {
          const stored = /** @type {Both<unknown>[] | null} */ (reviews)?.[at];
          node.reviews = both((seat) => {
            const review = stored?.[seat];
            return isReview(review) ? review : null;
          });
        });
        watch.add(study, kind, file);
      } catch (error) {
        if (/** @type {Partial<HostError>} */ (error).code === "offline") return;
      }
    }
    app.refresh();
  },

  // The card by which files are opened.
  cards() {
    const chosen = element("input", { type: "file", multiple: "", id: "files" });
    chosen.addEventListener("change", () => this.openFiles(chosen.files ?? []));
    const openPasted = button(
      t("Open"),
      () => {
        if (pasted.value.trim()) this.openTexts([[t("pasted text"), pasted.value]]);
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
watch.onClose = () => files.keep();
