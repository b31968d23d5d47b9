// Shares a position or a game: in the address of the page, or as a file.
import { element } from "./draw.js";
import { app } from "./app.js";
import { Study } from "./study.js";
import { button, card, copy, download, labelled, row } from "./ui.js";
import { t } from "./words.js";

// Names of the page's views, which are no shared texts.
export const VIEWS = ["play", "watch", "analyse", "puzzles"];

// The text that is copied. The address of a server has a secret token, and means nothing elsewhere:
// then the text alone is copied.
const linked = (text) => (app.hello.host === "server" ? text : location.href.replace(/#.*$/, "") + text);

// Whether a text has a shared text in it.
export const isShared = (text) => text.length < 20_000 && /#g=[\w-]{4}/.test(text);

// The readings of a text that was passed on: as it stands, up to a sign that no shared text has, such as
// the full stop of a sentence or the parameters that a network adds; and with the lines joined again
// that mail has wrapped and quoted.
function readings(text) {
  const wrapped = text.replace(/^[>\s]+/gm, "").replace(/\s+/g, "");
  const found = [text, wrapped].map((one) => /#[\w=-]+/.exec(one)?.[0]).filter(Boolean);
  return [...new Set([...found, text.trim()])];
}

// The study of a shared text, or of an address that ends in one.
export async function unshared(text) {
  let game = null,
    failure = null;
  for (const reading of readings(text)) {
    try {
      ({ game } = await app.host.request("unshare", { text: reading }));
      break;
    } catch (error) {
      failure = error;
    }
  }
  if (!game) throw failure;
  const study = await Study.of(app.host, game);
  study.go(study.root);
  return study;
}

const file = async (kind, turn) => {
  const { study } = app;
  try {
    const node = turn === undefined ? study.tip : study.at;
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
  async link(box, params) {
    try {
      const { text } = await app.host.request("share", params);
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
    const { study } = app;
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
          app.open(await unshared(opened.value.trim()));
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
              this.link(game, { game: game_ });
            },
            { id: "sharegame" },
          ),
        ),
        game,
      ),
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
