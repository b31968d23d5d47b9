// The first minutes on the page of `tensai serve`: the first screen, the lessons, the end of a game, sounds.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "./browser.mjs";
import { begin, choosing, served, saved, turn } from "./serve.mjs";

/** The actions that solve the lessons, in their order: a column and a rotation, or the skill. */
const SOLUTIONS = ["5 2", "2 2", "4 0", "2 2", "S", "6 0"];

/** Plays an action by keys. The pack begins in `column`; returns the column in which it was dropped. */
async function act(page, action, column) {
  await page.waitForSelector("#field0[data-ready]");
  if (action === "S") {
    await page.keyboard.press("e");
    return column;
  }
  const [to, rotation] = action.split(" ").map(Number);
  for (let at = 0; at < 9; at++) await page.keyboard.press("ArrowLeft");
  for (let at = 0; at < to; at++) await page.keyboard.press("ArrowRight");
  for (let at = 0; at < rotation; at++) await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  return to;
}

for (const language of ["en", "ja"]) {
  test(`six lessons lead to a first game, ${language}`, async () => {
    await served({ settings: { "client.language": language } }, async (page) => {
      await page.click("#learn");
      let column = 4;
      for (const [at, action] of SOLUTIONS.entries()) {
        await page.waitForFunction(
          (at) => document.querySelectorAll("#lessonlist li")[at]?.getAttribute("aria-current") === "true",
          at,
        );
        const text = await page.textContent(".lesson");
        assert.equal(/[\u3040-\u30ff]/.test(text), language === "ja", text);
        column = await act(page, action, column);
        await page.waitForSelector("#message.right");
        if (at === 0) await page.keyboard.press("Enter");
        else if (at + 1 < SOLUTIONS.length) await page.click("#nextlesson");
      }
      await page.click("#firstgame");
      // A beginner begins with the first level.
      await page.waitForSelector("#field0[data-ready]");
      assert.match(await page.textContent("#side1 .who b"), /1/);
    });
  });
}

test("a lesson that is missed is taken back, and shown", async () => {
  await served({}, async (page) => {
    await page.click("#learn");
    // The pack as it comes lands beside no 7.
    await act(page, "4 0", 4);
    await page.waitForSelector("#message.wrong");
    await page.click("#undo");
    await page.waitForSelector("#field0[data-ready]");
    await page.click("#solution");
    await page.waitForSelector("#message.right");
    assert.equal(await page.textContent("#message"), "This was the solution.");
    await page.waitForSelector("#lessonlist li:first-child .right");
    // A puzzle is not solved by its solution.
    await page.click('nav a[href="#play"]');
    await page.click("#daily");
    await page.click("#solution");
    await page.waitForSelector("#message.right");
    assert.equal(await page.textContent("#message"), "This was the solution.");
    assert.equal(await page.locator("#puzzlelist [aria-current] .right").count(), 0);
  });
});

test("a lesson on a phone speaks of taps, and is solved by them", async () => {
  await served({ viewport: { width: 390, height: 844 }, hasTouch: true }, async (page) => {
    await page.tap("#learn");
    const text = await page.textContent(".lesson");
    assert.match(text, /Tap the same column again to drop it/);
    assert.doesNotMatch(text, /arrow|click|mouse/);
    await page.waitForSelector("#field0[data-ready]");
    const tap = async (x, y) => {
      const box = await page.locator("#field0").boundingBox();
      await page.touchscreen.tap(box.x + (box.width * x) / 10, box.y + (box.height * y) / 19);
    };
    await tap(5, 1);
    await tap(5, 1);
    await tap(6, 10);
    assert.match(await page.textContent("#status"), /^Tap the same column again/);
    await tap(6, 10);
    await page.waitForSelector("#message.right");
  });
});

test("the end of a game says why, and leads to the next game, to the review and to a link", async () => {
  await served({ settings: { "client.reviewnodes": 20_000 } }, async (page) => {
    await begin(page, ["person", "greedy"]);
    let turns = 0;
    for (; await choosing(page); turns++) {
      const before = await turn(page);
      await page.keyboard.press("ArrowDown");
      await page.waitForFunction(
        (before) =>
          document.querySelector("#message.big") ||
          Number(/\d+/.exec(document.getElementById("turn").textContent)[0]) > before,
        before,
      );
    }
    assert.match(await page.textContent("#summary"), /Your column \d passed the danger line/);
    assert.match(await page.textContent("#summary"), /longest chain/);
    const { turns: recorded } = JSON.parse(await readFile(await saved(page, "#save", "end.json"), "utf8"));
    assert.equal(recorded.length, turns);
    await page.click("#toreview");
    await page.waitForSelector("#reviewlist li");
    await page.click('nav a[href="#play"]');
    await page.click("#toshare");
    await page.waitForSelector("#linkgame input");
    await page.click('nav a[href="#play"]');
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 0");
    await choosing(page);
    // Both games are kept: the one that was lost, and the one that is left.
    for (let at = 0; at < 6; at++) {
      await page.keyboard.press("ArrowDown");
      await page.waitForFunction((at) => document.getElementById("turn").textContent === `turn ${at + 1}`, at);
      await choosing(page);
    }
    await page.keyboard.press("n");
    await page.waitForSelector("#history li");
    const games = await page.locator("#history li").allTextContents();
    assert.equal(games.length, 2);
    assert.match(games[0], /^left/);
    assert.match(games[1], /^lost/);
    // The game that was left is kept once, also when another one begins instead of it.
    await page.click("#start");
    await choosing(page);
    await page.keyboard.press("n");
    await page.waitForSelector("#history li");
    assert.equal(await page.locator("#history li").count(), 2);
    assert.match(await page.textContent("#sums"), /1 played, 0 won/);
    // They are saved, and added to those of another browser.
    await page.click("details:has(#savehistory) summary");
    const path = await saved(page, "#savehistory", "history.json");
    const text = await readFile(path, "utf8");
    await served({ settings: { "client.reviewnodes": 20_000 } }, async (other) => {
      assert.equal(await other.locator("#history").count(), 0);
      await other.click("details:has(#savehistory) summary");
      // A file that is cut, or whose last entry is broken, adds nothing.
      const broken = JSON.parse(text);
      broken.games.at(-1).chains = ["long", 3];
      for (const bad of [text.slice(0, -9), JSON.stringify(broken), "[1]", "{}"]) {
        await other.evaluate(() => {
          document.getElementById("status").textContent = "";
        });
        await other.setInputFiles("#historyfile", { name: "bad.json", mimeType: "", buffer: Buffer.from(bad) });
        await other.waitForFunction(() => /^Nothing was added/.test(document.getElementById("status").textContent));
        assert.equal(await other.evaluate("localStorage.getItem('tensai.client.history')"), null);
        await other.click("details:has(#savehistory) summary");
      }
      for (const times of [1, 2]) {
        await other.setInputFiles("#historyfile", path);
        await other.waitForFunction(() => document.getElementById("status").textContent === "2 games");
        await other.waitForSelector("#history li");
        assert.equal(await other.locator("#history li").count(), 2, `added ${times} times`);
        if (times === 1) await other.click("details:has(#savehistory) summary");
      }
      await other.click("#history li:nth-child(2) .review");
      await other.waitForSelector("#reviewlist li");
    });
  });
});

test("a file that the browser has no room for adds nothing", async () => {
  await served({}, async (page) => {
    const game = (at, packs) => ({
      date: new Date(1e12 + 1e6 * at).toISOString(),
      id: `game ${at}`,
      game: { packs, names: ["Player", "tensai level 1"], actions: [] },
      seats: ["person", "level1"],
      winner: 0,
      isOver: true,
      turns: 20,
      chains: [3, 3],
      sent: [0, 0],
    });
    const games = [...Array(90).keys()].map((at) => game(at, "1230".repeat(25_000)));
    const file = { format: "tensai statistics", version: 1, games, solved: ["a"], alone: [] };
    await page.click("details:has(#savehistory) summary");
    await page.setInputFiles("#historyfile", {
      name: "large.json",
      mimeType: "",
      buffer: Buffer.from(JSON.stringify(file)),
    });
    await page.waitForFunction(() => /no room/.test(document.getElementById("status").textContent));
    for (const key of ["history", "solved", "daily", "alone"])
      assert.equal(await page.evaluate((key) => localStorage.getItem("tensai.client." + key), key), null);
  });
});

test("the level that is suggested follows the results", async () => {
  const game = (level, winner) => ({
    date: new Date().toISOString(),
    game: { packs: "1230", names: ["", ""], actions: [] },
    seats: ["person", `level${level}`],
    winner,
    isOver: true,
    turns: 20,
    chains: [3, 3],
    sent: [0, 0],
  });
  for (const [history, expected] of [
    [[], 1],
    [[game(1, 0)], 1],
    [[game(1, 0), game(1, 1), game(1, 0)], 2],
    [[game(3, 1), game(3, 1), game(3, 1)], 2],
    [[game(9, 0), game(9, 0)], 9],
    [[game(1, 1), game(1, 1), game(1, 1)], 1],
  ]) {
    await served({ settings: { "client.history": history } }, async (page) => {
      assert.equal(
        await page.inputValue("#seat1"),
        `level${expected}`,
        JSON.stringify(history.map(({ seats, winner }) => [seats[1], winner])),
      );
    });
  }
});

test("sounds are off until they are asked for, and rise with the rounds", async () => {
  await served({}, async (page) => {
    await page.evaluate(() => {
      globalThis.heard = [];
      const { setValueAtTime } = AudioParam.prototype;
      AudioParam.prototype.setValueAtTime = function (value, time) {
        if (value > 20) globalThis.heard.push(value);
        return setValueAtTime.call(this, value, time);
      };
    });
    await page.click("#learn");
    await act(page, SOLUTIONS[0], 4);
    await page.waitForSelector("#message.right");
    assert.deepEqual(await page.evaluate("heard"), []);
    await page.keyboard.press("m");
    assert.equal(await page.getAttribute("#sound", "aria-pressed"), "true");
    await page.evaluate(() => {
      globalThis.heard = [];
    });
    await page.click("#lessonlist li:nth-child(3) button");
    await act(page, "4 0", 4);
    await page.waitForSelector("#message.right");
    const rounds = (await page.evaluate("heard")).filter((tone) => tone > 200);
    assert.equal(rounds.length, 3);
    assert.ok(rounds[0] < rounds[1] && rounds[1] < rounds[2], String(rounds));
    await page.reload();
    await page.waitForSelector("body[data-ready]");
    assert.equal(await page.getAttribute("#sound", "aria-pressed"), "true", "the choice is kept");
  });
});

test("the puzzle of the day is another one each day, hides its answer, and counts the days", async () => {
  await served({}, async (page) => {
    const goals = new Set();
    for (const date of ["2030-03-01", "2030-03-02", "2030-03-03"]) {
      await page.clock.setFixedTime(new Date(`${date}T12:00:00`));
      await page.evaluate(() => {
        location.hash = "#play";
      });
      await page.click("#daily");
      await page.waitForSelector("#field0.preview");
      goals.add(
        await page.evaluate(() =>
          [...document.querySelectorAll("#field0 > .cell:not(.ghost)")].map((cell) => cell.dataset.c).join(""),
        ),
      );
      // Wherever the pack is, nothing says what it sets off.
      for (let move = 0; move < 9; move++) {
        await page.keyboard.press("ArrowRight");
        assert.equal(await page.textContent("#field0 .badge"), "");
        assert.equal(await page.locator("#field0 .cell[data-m]").count(), 0);
      }
    }
    assert.equal(goals.size, 3);
  });
});

test("the days on which the puzzle of the day is solved are counted", async () => {
  await served({}, async (page) => {
    for (const [at, date] of ["2030-03-01", "2030-03-02", "2030-03-04"].entries()) {
      await page.clock.setFixedTime(new Date(`${date}T12:00:00`));
      await page.evaluate(() => {
        location.hash = "#play";
      });
      const door = page.locator("#daily small");
      assert.equal(
        await door.textContent(),
        ["another one each day", "solved on 1 day in a row", "another one each day"][at],
      );
      await page.click("#daily");
      await page.waitForSelector("#field0.preview");
      const solution = await page.evaluate(() => {
        const { puzzles } = JSON.parse(document.getElementById("builtin").textContent);
        const days = Math.floor((Date.now() - 60_000 * new Date().getTimezoneOffset()) / 86_400_000);
        return puzzles[days % puzzles.length].solution;
      });
      let column = at === 0 ? 4 : undefined;
      for (const [drop, action] of solution.entries()) {
        await page.waitForSelector("#field0[data-ready]");
        if (column === undefined) for (let move = 0; move < 9; move++) await page.keyboard.press("ArrowLeft");
        column = await act(page, action, column ?? 0);
        const isLast = drop + 1 === solution.length;
        await page.waitForFunction(
          ([left, isLast]) =>
            isLast
              ? document.querySelector("#message.right")
              : document.getElementById("message").textContent.includes(left),
          [solution.length - drop - 1 === 1 ? "One pack" : `${solution.length - drop - 1} packs`, isLast],
        );
      }
      assert.match(await page.textContent("#streak"), at === 1 ? /2 days/ : /1 day in a row/);
    }
    await page.evaluate(() => {
      location.hash = "#play";
    });
    assert.match(await page.textContent("#sums"), /1 days in a row, at most 2/);
  });
});
