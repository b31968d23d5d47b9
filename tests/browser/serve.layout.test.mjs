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
  [
    "a puzzle",
    async (page) => {
      await page.click("#puzzlelist button");
      await page.waitForSelector(".field[data-ready]");
    },
  ],
  ["alone", async (page) => page.evaluate("location.hash = '#alone'")],
  [
    "a game alone",
    async (page) => {
      await page.click("#alonedaily");
      await page.waitForSelector("#field0[data-ready]");
    },
  ],
  [
    "the end of a game alone",
    async (page) => {
      await page.evaluate("location.hash = '#alone=7-0gw-6y'");
      await page.waitForSelector("#message.big");
    },
  ],
  ["the keys", async (page) => page.keyboard.press("?")],
  [
    "the choice of keys",
    async (page) => {
      await page.keyboard.press("Escape");
      await page.evaluate("location.hash = '#play'");
      await page.click("#new");
      await page.click("#options summary");
      await page.click("#opencontrols");
    },
  ],
];

/** The faults in the layout of what is shown: what is too wide, and what lies over what one presses. */
const misplaced = (page) =>
  page.evaluate(() => {
    const { scrollWidth } = document.documentElement;
    const found = scrollWidth > innerWidth ? [`${scrollWidth} pixels wide`] : [];
    const name = (one) => one.id || one.className || one.textContent.trim();
    const root = document.querySelector("dialog[open]") ?? document;
    const controls = [...root.querySelectorAll("button, nav a, select, input:not([type=radio], [type=range])")];
    for (const one of controls.filter((control) => control.checkVisibility({ visibilityProperty: true }))) {
      one.scrollIntoView({ block: "nearest" });
      const box = one.getBoundingClientRect();
      const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      if (!one.contains(over) && !over?.contains(one)) found.push(`${over && name(over)} lies over ${name(one)}`);
      if (box.left < -1 || box.right > innerWidth + 1) found.push(`${name(one)} is cut off`);
      const isClipped = one.matches("button, a") && one.scrollWidth > one.clientWidth + 1;
      if (isClipped) found.push(`the text of ${name(one)} does not fit`);
    }
    scrollTo(0, 0);
    return found;
  });

for (const [width, height, colorScheme, language] of [
  [320, 640, "light", "en"],
  [390, 844, "light", "ja"],
  [390, 844, "dark", "en"],
  [820, 1180, "dark", "ja"],
  [844, 390, "light", "en"],
  [1280, 800, "light", "en"],
  [1280, 800, "dark", "ja"],
  [1440, 900, "dark", "en"],
  [1920, 1080, "light", "ja"],
]) {
  test(`the page fits ${width} by ${height} pixels and is accessible, ${colorScheme}, ${language}`, async () => {
    const options = {
      viewport: { width, height },
      colorScheme,
      bypassCSP: true,
      settings: { "client.language": language, "client.nodes": 100_000 },
    };
    await served(options, async (page) => {
      const found = [];
      for (const [name, go] of VIEWS) {
        await go(page);
        found.push(...(await misplaced(page)).map((fault) => `${name}: ${fault}`));
        // Larger windows have the layout of those of 1280 pixels.
        const isLooked = width <= 390 || width === 1280;
        if (isLooked) found.push(...(await faults(page)).map((fault) => `${name}: ${fault}`));
      }
      assert.deepEqual(found, []);
      assert.equal(await page.evaluate("document.documentElement.lang"), language);
    });
  });
}

/** The parts of the window's height and of its area that the fields take, each as far as it is in sight. */
const share = (page) =>
  page.evaluate(() => {
    const boxes = [...document.querySelectorAll(".field")].map((field) => field.getBoundingClientRect());
    const seen = ({ top, bottom }) => Math.max(0, Math.min(innerHeight, bottom) - Math.max(0, top));
    const area = boxes.reduce((sum, box) => sum + box.width * seen(box), 0);
    const height = Math.max(...boxes.map(seen)) / innerHeight;
    return { height, area: area / (innerWidth * innerHeight) };
  });

for (const [width, height, least] of [
  [1280, 800, { height: 0.8, area: 0.45 }],
  [1440, 900, { height: 0.8, area: 0.47 }],
  [1920, 1080, { height: 0.8, area: 0.45 }],
  [390, 844, { height: 0.6, area: 0.48 }],
  [844, 390, { height: 0.8, area: 0.33 }],
]) {
  test(`at ${width} by ${height} pixels the fields are large, and all one plays with is in sight`, async () => {
    await served({ viewport: { width, height } }, async (page) => {
      await begin(page, ["person", "level1"]);
      await page.waitForSelector(".field[data-ready]");
      await page.evaluate("scrollTo(0, 0)");
      const { height: high, area } = await share(page);
      assert.ok(high >= least.height && area >= least.area, `${high} of the height, ${area} of the area`);
      for (const id of ["turnleft", "left", "dropit", "right", "turnright", "field0", "field1", "packs"]) {
        const { top, bottom, left, right } = await page.evaluate(
          (one) => document.getElementById(one).getBoundingClientRect().toJSON(),
          id,
        );
        assert.ok(
          top >= 0 && left >= 0 && bottom <= height && right <= width,
          `${id}: ${left} ${top} ${right} ${bottom}`,
        );
      }
      // The pack that is played has blocks as large as those of the field.
      const [block, cell] = await page.evaluate(() =>
        ["#packs li:first-child .cell", "#field0 .cell"].map((one) => document.querySelector(one).offsetWidth),
      );
      assert.ok(width < 1000 || Math.abs(block - cell) <= 1, `${block} and ${cell}`);
      await page.keyboard.press("ArrowDown");
      await page.waitForFunction(() => /1/.test(document.getElementById("turn").textContent));
      assert.deepEqual(await misplaced(page), []);
    });
  });
}

test("the fields keep their place and size in every view of a wide window", async () => {
  await served({ viewport: { width: 1440, height: 900 } }, async (page) => {
    const box = () => page.evaluate("JSON.stringify(document.getElementById('field0').getBoundingClientRect())");
    const first = await box();
    for (const [name, go] of VIEWS) {
      await go(page);
      assert.equal(await box(), first, name);
      assert.equal(await page.evaluate("document.documentElement.scrollHeight"), 900, name);
    }
  });
});

test("the title of the window says whose turn it is, and the view", async () => {
  await served({}, async (page) => {
    assert.equal(await page.title(), "Play \u2013 tensai");
    await begin(page, ["person", "level1"]);
    await page.waitForFunction(() => document.title === "\u25cf your turn \u2013 tensai");
    await page.evaluate("location.hash = '#watch'");
    await page.waitForFunction(() => document.title === "Watch \u2013 tensai");
    await page.click("#language");
    assert.equal(await page.title(), "観戦 \u2013 tensai");
  });
});

test("a screen reader reads a field cell by cell", async () => {
  await served({}, async (page) => {
    await page.evaluate("location.hash = '#watch'");
    await page.fill("#pasted", await readFile(made("games/0001.json"), "utf8"));
    await page.click("#openpasted");
    await page.waitForSelector("#gamelist li");
    await page.keyboard.press("End");
    for (const [seat, name] of ["Left field", "Right field"].entries()) {
      const table = page.getByRole("table", { name: `${name}, cell by cell` });
      const rows = table.getByRole("row");
      assert.equal(await rows.count(), 17);
      const shown = await page.evaluate(
        (id) =>
          [...document.querySelectorAll(`#${id} .cell`)]
            .map(({ dataset: { c } }) => ({ ".": "empty", "#": "ojama" })[c] ?? c)
            .slice(0, 160),
        `field${seat}`,
      );
      assert.ok(shown.some((content) => /\d/.test(content)));
      for (const row of [1, 5, 16]) {
        const cells = rows.filter({ has: page.getByRole("rowheader", { name: `row ${row}`, exact: true }) });
        assert.deepEqual(await cells.getByRole("cell").allTextContents(), shown.slice(10 * (row - 1), 10 * row));
      }
    }
  });
});

test("nothing can be dropped after a puzzle is not solved, until the drop is taken back", async () => {
  await served({}, async (page) => {
    await page.evaluate("location.hash = '#puzzles'");
    await page.click("#puzzlelist button");
    await page.waitForSelector(".field[data-ready]");
    await page.keyboard.press("ArrowDown");
    await page.waitForSelector("#message.wrong");
    assert.ok(await page.isDisabled("#dropit"));
    await page.click("#undo");
    await page.waitForSelector(".field[data-ready]");
    assert.ok(await page.isEnabled("#dropit"));
    // In a game that follows, all is enabled again.
    await page.keyboard.press("ArrowDown");
    await page.waitForSelector("#message.wrong");
    await page.evaluate("location.hash = '#play'");
    await begin(page, ["person", "level1"]);
    await page.waitForSelector(".field[data-ready]");
    assert.ok(await page.isEnabled("#dropit"));
  });
});

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

for (const language of ["en", "ja"]) {
  test(`buttons of a phone on its side have one line, and no column of a table is cut, ${language}`, async () => {
    const phone = { viewport: { width: 780, height: 440 }, settings: { "client.language": language } };
    await served(phone, async (page) => {
      await begin(page, ["person", "level1"]);
      await page.waitForSelector(".field[data-ready]");
      const lines = await page.locator("#hand button").evaluateAll((buttons) =>
        buttons.map((button) => {
          const range = document.createRange();
          range.selectNodeContents(button);
          return range.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(button).fontSize);
        }),
      );
      assert.equal(lines.length, 6);
      for (const height of lines) assert.ok(height < 2, `${height} em`);
    });
    const wide = { settings: { "client.language": language, "client.nodes": 100_000 } };
    await served({ ...wide, fragment: "#watch" }, async (page) => {
      await page.fill("#pasted", await readFile(made("games/0001.json"), "utf8"));
      await page.click("#openpasted");
      await page.waitForSelector("#gamelist li");
      await page.locator("#seek").fill("12");
      await page.click("#toanalyse");
      await page.click("#runanalysis");
      await page.waitForSelector(".chancebar");
      const [box, table] = await page
        .locator("#cards .dense .scroll")
        .evaluate((box) => [box.clientWidth, box.firstElementChild.getBoundingClientRect().width]);
      assert.ok(table <= box, `${table} pixels in ${box}`);
    });
  });
}
