// The page fits small screens, in either theme, and is accessible by the rules of axe-core.
import assert from "node:assert/strict";
import { faults } from "./axe.mjs";
import { json, open, test, until, visit } from "./browser.mjs";

for (const [width, colorScheme] of [
  [360, "dark"],
  [390, "light"],
  [768, "dark"],
  [1280, "light"],
]) {
  test(`the page fits ${width} pixels, ${colorScheme}`, async () => {
    const { rows, columns } = await json("field.json");
    const options = { viewport: { width, height: 800 }, colorScheme, reducedMotion: "reduce" };
    await visit(options, async (page) => {
      for (const fragment of ["", "#game=1&turn=9"]) {
        await open(page, "games.html", fragment);
        const wide = await page.evaluate("document.documentElement.scrollWidth");
        assert.ok(wide <= width, `${fragment}: ${wide} pixels`);
      }
      assert.equal(await page.evaluate("document.documentElement.dataset.theme"), colorScheme);
      const nameless = `[...document.querySelectorAll("button")].filter((button) =>
        !(button.getAttribute("aria-label") || button.textContent.trim())).length`;
      assert.equal(await page.evaluate(nameless), 0, "buttons without a name");
      const { width: wide, height } = await page.locator("#field0").boundingBox();
      assert.ok(Math.abs(height / wide - rows / columns) < 0.01, `${height / wide}`);
    });
  });
}

/** What is looked at: a place, then what is done there. */
const VIEWS = [
  ["the list of games", "", async () => {}],
  ["a turn", "#game=1&turn=9", async () => {}],
  [
    "a step that marks blocks",
    "#game=2&turn=0",
    async (page) => {
      await until(page, "document.getElementById('more').click() ?? document.querySelector('.marking') !== null");
    },
  ],
  [
    "a plan",
    "#game=2&turn=0&plan",
    async (page, { planned }) => {
      await page.evaluate(`location.hash = "#game=2&turn=${planned.turn}&plan"`);
      await until(page, "document.querySelector('#field0.planning') !== null");
    },
  ],
  ["the end of a game", "#game=1&turn=9999", async () => {}],
  [
    "the dialog of keys",
    "#game=1&turn=9",
    async (page) => {
      await page.keyboard.press("?");
      await until(page, "document.querySelector('dialog').open");
    },
  ],
];

for (const width of [390, 1280]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe-core finds no fault at ${width} pixels, ${colorScheme}`, async () => {
      const game = (await json("games.json"))[1];
      const options = { viewport: { width, height: 800 }, colorScheme, reducedMotion: "reduce" };
      await visit(options, async (page) => {
        const found = [];
        for (const [name, fragment, act] of VIEWS) {
          await open(page, "games.html", fragment);
          await act(page, game);
          found.push(...(await faults(page)).map((fault) => `${name}: ${fault}`));
        }
        assert.deepEqual(found, []);
      });
    });
  }
}
