// The state that all parts of the page share: the host, the shown study, and the line of messages.
import { $ } from "../draw.js";
import { t } from "./words.js";

export const app = {
  host: null,
  hello: { levels: [], engines: [], live: false },
  study: null,
  mode: "",
  modes: {}, // by name: `enter(panel)`, `leave()`, `key(event)`

  // Shows a message; an error stays until the next message.
  say(text, isError = false) {
    const status = $("status");
    status.classList.toggle("error", isError);
    if (status.textContent !== text) status.textContent = text;
  },

  // Shows why something failed, unless the person has stopped it.
  fail(error) {
    if (error.code === "stopped") return;
    if (!error.code) console.error(error);
    const texts = {
      offline: t("No answer from the program: {}", error.message),
      busy: t("The program is busy: {}", error.message),
    };
    this.say(texts[error.code] ?? error.message, true);
  },

  // Makes a study the one that is shown.
  open(study) {
    this.study = study;
    study.go(study.at);
  },

  // Draws the panel of the mode again.
  refresh() {
    this.modes[this.mode]?.render?.();
  },
};
