// Shares a position or a game: in the address of the page, or as a file.
import { element } from "./draw.js";
import { isRun } from "./alone_run.js";
import { app } from "./app.js";
import { pictures } from "./pictures.js";
import { Study } from "./study.js";
import { button, card, copy, download, labelled, row } from "./ui.js";
import { viewer } from "./viewer.js";
import { t } from "./words.js";

/** @import { InputExportParams, InputShareParams } from "../../../target/front/api" */

// Names of the page's views, which are no shared texts.
export const VIEWS = ["play", "watch", "analyse", "puzzles", "alone"];

// The text that is copied. The address of a server has a secret token, and means nothing elsewhere:
// then the text alone is copied.
export const linked = (/** @type {string} */ text) =>
  app.hello.host === "server" ? text : location.href.replace(/#.*$/, "") + text;

// Whether a text has a shared text in it.
export const isShared = (/** @type {string} */ text) => text.length < 20_000 && /#g=[\w-]{4}/.test(text);

// A shared text, and the turn at which it opens.
const SHARED = /(#[\w=-]+)(?:&(?:amp;)?t=(\d+))?/;

/**
 * The readings of a text that was passed on: as it stands, up to a sign that no shared text has, such as
 * the full stop of a sentence or the parameters that a network adds; and with the lines joined again
 * that mail has wrapped and quoted.
 * @param {string} text
 */
function readings(text) {
  const wrapped = text.replace(/^[>\s]+/gm, "").replace(/\s+/g, "");
  const found = [text, wrapped].map((one) => SHARED.exec(one)).filter((one) => one !== null);
  const all = found.map(([, short, turn]) => ({ short, turn: turn === undefined ? null : Number(turn) }));
  return [...all, { short: text.trim(), turn: null }];
}

/**
 * An error of what a person has given, in words of the page.
 * @param {string} message
 */
export const refused = (message) => Object.assign(new Error(message), { code: "bad_request" });

/**
 * The study of a shared text, or of an address that ends in one, at the turn that the text names or at
 * its first one.
 * @param {string} text
 * @returns {Promise<Study>}
 */
export async function unshared(text) {
  if (!/#./.test(text)) throw refused(t("This is no shared text: such a text begins with a #."));
  if (isRun(text)) throw refused(t("This is a result of a game alone: open it under Alone."));
  let failure = null;
  for (const { short, turn } of readings(text)) {
    try {
      const { game } = await app.host.request("unshare", { text: short });
      const study = await Study.of(app.host, game);
      // The host has checked the game. A turn that it does not have is none.
      study.go(study.tip.path.find((node) => node.turn === turn) ?? study.root);
      return study;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/**
 * Saves a game, or the situation of a turn, as a file.
 * @param {"record" | "situation" | "input"} kind
 * @param {number} [turn]
 */
const file = async (kind, turn) => {
  const { study } = viewer;
  try {
    const node = turn === undefined ? study.tip : study.at;
    /** @type {InputExportParams} */
    const params = { game: study.game(node), kind };
    if (kind === "record") params.info = study.infoOf(node);
    if (turn !== undefined) params.turn = turn;
    const made = await app.host.request("export", params);
    download(made.file_name, made.text);
  } catch (error) {
    app.fail(error);
  }
};

export const share = {
  /**
   * Makes a link, which opens at a turn if it is one of a game.
   * @param {HTMLElement} box
   * @param {InputShareParams} params
   * @param {number} [turn]
   */
  async link(box, params, turn) {
    try {
      const shared = await app.host.request("share", params);
      const text = shared.text + (turn === undefined ? "" : `&t=${turn}`);
      const input = element("input", {
        type: "text",
        readonly: "",
        value: linked(text),
        class: "link",
        "aria-label": t("link"),
      });
      box.replaceChildren(
        input,
        button(t("Copy"), () => copy(input), { class: "copy" }),
        element("small", { class: "soft" }, t("{} characters", text.length)),
      );
    } catch (error) {
      app.fail(error);
    }
  },

  cards() {
    const { study } = viewer;
    const position = element("div", { class: "row shared", id: "linkposition" });
    const game = element("div", { class: "row shared", id: "linkgame" });
    const opened = element("textarea", {
      id: "sharedtext",
      rows: "2",
      spellcheck: "false",
      autocomplete: "off",
      placeholder: "#\u2026",
    });
    const open = button(
      t("Open"),
      async () => {
        try {
          app.open(await unshared(opened.value));
          opened.value = "";
          app.modes[app.mode].enter();
        } catch (error) {
          app.fail(error);
        }
      },
      { id: "openshared" },
    );
    return [
      card(
        t("Share"),
        app.hello.host === "server"
          ? element(
              "p",
              { class: "soft" },
              t("Put the text behind the address of any page of this program, or open it below."),
            )
          : null,
        row(
          button(t("This position"), () => this.link(position, { position: study.position() }), {
            id: "shareposition",
          }),
        ),
        position,
        row(
          button(
            t("This line of the game"),
            () => {
              const game_ = study.game(study.tip);
              delete game_.think_ms;
              delete game_.details;
              this.link(game, { game: game_ }, study.at.turn);
            },
            { id: "sharegame" },
          ),
        ),
        game,
      ),
      pictures.card(),
      card(t("Open a shared text"), row(labelled(t("Text"), opened), open)),
      card(
        t("Save as a file"),
        row(
          button(t("Record"), () => file("record"), { id: "saverecord" }),
          button(t("Situation"), () => file("situation", study.at.turn), { id: "savesituation" }),
          button(t("Input of a bot"), () => file("input"), { id: "saveinput" }),
        ),
      ),
    ];
  },
};
