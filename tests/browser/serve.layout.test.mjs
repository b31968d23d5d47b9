// The page of `tensai serve` fits screens, in both languages, and is accessible by the rules of axe-core.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { faults } from "./axe.mjs";
import { made, test } from "./browser.mjs";
import { begin, served } from "./serve.mjs";

/** What is looked at: a name, and how one gets there from the page of `tensai serve`. */
const VIEWS = [
  ["a new game", async () => {}],
  [
    "a game",
    async (page) => {
      await begin(page, ["person", "level1"]);
      await page.waitForSelector(".field[data-ready]");
    },
  ],
  [
    "watching",
    async (page) => {
      await page.evaluate("location.hash = '#watch'");
      await page.fill("#pasted", await readFile(made("games/0001.json"), "utf8"));
      await page.click("#openpasted");
      await page.waitForSelector("#gamelist li");
    },
  ],
  [
    "an analysis",
    async (page) => {
      await page.keyboard.press("ArrowRight");
      await page.click("#toanalyse");
      await page.click("#runanalysis");
      await page.waitForSelector(".chancebar");
    },
  ],
  ["the moves", async (page) => page.click("#tab-moves")],
  ["editing", async (page) => page.click("#tab-edit")],
  [
    "sharing",
    async (page) => {
      await page.click("#tab-share");
      await page.click("#shareposition");
      await page.waitForSelector("#linkposition input");
    },
  ],
  ["puzzles", async (page) => page.evaluate("location.hash = '#puzzles'")],
  ["the keys", async (page) => page.keyboard.press("?")],
];

for (const [width, colorScheme, language] of [
  [1280, "light", "en"],
  [1280, "dark", "ja"],
  [390, "light", "ja"],
  [390, "dark", "en"],
]) {
  test(`the page fits ${width} pixels and is accessible, ${colorScheme}, ${language}`, async () => {
    const options = {
      viewport: { width, height: 844 },
      colorScheme,
      bypassCSP: true,
      settings: { "client.language": language, "client.nodes": 100_000 },
    };
    await served(options, async (page) => {
      const found = [];
      for (const [name, go] of VIEWS) {
        await go(page);
        const wide = await page.evaluate("document.documentElement.scrollWidth");
        if (wide > width) found.push(`${name}: ${wide} pixels`);
        found.push(...(await faults(page)).map((fault) => `${name}: ${fault}`));
      }
      assert.deepEqual(found, []);
      assert.equal(await page.evaluate("document.documentElement.lang"), language);
    });
  });
}

test("the language and the theme change at once, and are kept", async () => {
  await served({}, async (page) => {
    assert.equal(await page.textContent("#start"), "Play");
    await page.click("#language");
    assert.equal(await page.textContent("#start"), "対戦");
    await page.keyboard.press("t");
    assert.equal(await page.evaluate("document.documentElement.dataset.theme"), "dark");
    await page.reload();
    await page.waitForSelector("body[data-ready]");
    assert.equal(await page.textContent("#start"), "対戦");
    assert.equal(await page.evaluate("document.documentElement.dataset.theme"), "dark");
  });
});
