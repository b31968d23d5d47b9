// A field as a table that a screen reader reads cell by cell: rows from the danger line down, columns by
// their numbers. It has what lies there, without the pack that is moved.
import { element, EMPTY, HEIGHT, WIDTH } from "./draw.js";
import { t } from "./words.js";

export class Reading {
  /** @param {string} name */
  constructor(name) {
    const head = (/** @type {string} */ text, /** @type {string} */ scope) => element("th", { scope }, text);
    const columns = [...Array(WIDTH).keys()];
    this.cells = [...Array(EMPTY.length).keys()].map(() => element("td"));
    const rows = [...Array(HEIGHT).keys()].reverse().map((y) => {
      const cells = columns.map((x) => this.cells[y * WIDTH + x]);
      return element("tr", {}, head(t("row {}", y + 1), "row"), ...cells);
    });
    const table = element(
      "table",
      {},
      element("caption", {}, t("{}, cell by cell", name)),
      element("thead", {}, element("tr", {}, element("td"), ...columns.map((x) => head(t("column {}", x), "col")))),
      element("tbody", {}, ...rows),
    );
    this.root = element("div", { class: "unseen" }, table);
  }

  /** @param {string} field */
  read(field) {
    for (let at = 0; at < WIDTH * HEIGHT; at++) {
      const content = field[at] === "." ? t("empty") : field[at] === "#" ? t("ojama") : field[at];
      const cell = this.cells[at];
      if (cell.textContent !== content) cell.textContent = content;
    }
  }
}
