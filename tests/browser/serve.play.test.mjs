// Whole games on the page of `tensai serve`, whose records are good by the rules; undo, hint, two persons.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "./browser.mjs";
import { begin, choosing, served, saved, tensai, turn } from "./serve.mjs";

/** Plays a whole game against a bot, by `drop`, and checks its record. */
async function game(page, name, drop) {
  await begin(page, ["person", "random"]);
  let turns = 0;
  for (; await choosing(page); turns++) {
    const before = await turn(page);
    await drop(before);
    await page.waitForFunction(
      (before) =>
        document.querySelector("#message.big") ||
        Number(/\d+/.exec(document.getElementById("turn").textContent)[0]) > before,
      before,
    );
  }
  assert.ok(turns > 5, `${turns} turns`);
  assert.match(await page.textContent("#message"), /wins|Draw/);
  const path = await saved(page, "#save", name);
  tensai("record", "check", path);
  const record = JSON.parse(await readFile(path, "utf8"));
  assert.equal(record.turns.length, turns);
  return record;
}

/** A point of a field, in cells from its left and its upper edge. */
async function point(page, x, y) {
  const box = await page.locator("#field0").boundingBox();
  return [box.x + (box.width * x) / 10, box.y + (box.height * y) / 19];
}

test("a whole game by mouse", async () => {
  await served({}, async (page) => {
    const { turns } = await game(page, "mouse.json", async (at) => {
      await page.mouse.move(...(await point(page, 1, 10)));
      // The wheel turns the pack.
      if (at === 0) {
        await page.mouse.wheel(0, 100);
        await page.waitForFunction(() => document.getElementById("announcement").textContent.includes("rotation 1"));
      }
      await page.mouse.click(...(await point(page, 1, 10)));
    });
    assert.equal(turns[0].answers[0], "0 1");
    assert.ok(turns.slice(1).every(({ answers }) => answers[0].startsWith("0 ")));
  });
});

test("a whole game by touch", async () => {
  await served({ viewport: { width: 390, height: 844 }, hasTouch: true }, async (page) => {
    const { turns } = await game(page, "touch.json", async (at) => {
      await page.touchscreen.tap(...(await point(page, 9, 10)));
      if (at === 0) await page.touchscreen.tap(...(await point(page, 9, 1)));
      await page.tap("#dropit");
    });
    assert.equal(turns[0].answers[0], "8 1");
    assert.ok(turns.every(({ answers }) => answers[0].startsWith("8 ")));
  });
});

test("a whole game by keys", async () => {
  await served({}, async (page) => {
    const { turns } = await game(page, "keys.json", async (at) => {
      if (at === 0)
        for (const key of ["ArrowLeft", "ArrowLeft", "ArrowUp", "ArrowUp", "z"]) await page.keyboard.press(key);
      await page.keyboard.press("ArrowDown");
    });
    assert.equal(turns[0].answers[0], "2 1");
    assert.ok(turns.every(({ answers }) => answers[0].startsWith("2 ")));
  });
});

test("undo, hint, and going on after the page was loaded again", async () => {
  await served({}, async (page) => {
    await begin(page, ["person", "level1"]);
    for (const at of [0, 1, 2]) {
      await choosing(page);
      assert.equal(await turn(page), at);
      if (at < 2) await page.keyboard.press("ArrowDown");
      await page.waitForFunction(
        (at) => Number(/\d+/.exec(document.getElementById("turn").textContent)[0]) === Math.min(2, at + 1),
        at,
      );
    }
    await choosing(page);
    await page.keyboard.press("h");
    await page.waitForFunction(() => document.getElementById("message").textContent.startsWith("Hint: "));
    await page.keyboard.press("u");
    await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 1");
    await choosing(page);
    await page.reload();
    await page.click("#resume");
    await choosing(page);
    assert.equal(await turn(page), 2, "the last turn that was played is kept");
  });
});

test("a bot that crashes is explained, and the game is kept", async () => {
  await served({}, async (page) => {
    await begin(page, ["person", "falls"]);
    for (const at of [0, 1, 2]) {
      await choosing(page);
      assert.equal(await turn(page), at);
      await page.keyboard.press("ArrowDown");
      await page.waitForFunction((at) => document.getElementById("turn").textContent === `turn ${at + 1}`, at);
    }
    await page.waitForSelector("#goon");
    assert.match(await page.textContent("#message"), /The game is kept/);
    assert.match(await page.textContent("#status"), /no beam left/);
    const { turns } = JSON.parse(await readFile(await saved(page, "#save", "kept.json"), "utf8"));
    assert.equal(turns.length, 3);
    await page.click("#goon");
    await choosing(page);
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 4");
  });
});

test("two persons on the same screen", async () => {
  await served({}, async (page) => {
    await begin(page, ["person", "person"]);
    // The server answers for each seat apart, in any order.
    for (const seat of [0, 1]) await page.waitForSelector(`#field${seat}[data-ready]`);
    await page.keyboard.press("a");
    await page.keyboard.press("s");
    await page.waitForFunction(() => document.querySelector("#side0 .state").textContent === "has chosen");
    assert.equal(await turn(page), 0);
    assert.equal(await page.locator("#field0.preview").count(), 0, "the choice is not shown");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 1");
    const { turns } = JSON.parse(await readFile(await saved(page, "#save", "two.json"), "utf8"));
    assert.deepEqual(turns[0].answers, ["3 0", "5 0"]);
  });
});

/** Drops the pack of the turn `at`, and waits for the next turn. */
async function dropped(page, at) {
  await choosing(page);
  assert.equal(await turn(page), at);
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction((at) => document.getElementById("turn").textContent === `turn ${at + 1}`, at);
}

test("a game goes on at its own turn, whatever was looked at", async () => {
  await served({}, async (page) => {
    await begin(page, ["person", "level1"]);
    for (const at of [0, 1]) await dropped(page, at);
    await page.click("#toanalyse");
    await page.waitForSelector("#runanalysis");
    await page.keyboard.press("Home");
    assert.equal(await page.textContent("#turn"), "turn 0");
    await page.evaluate(() => {
      location.hash = "#play";
    });
    await dropped(page, 2);
    const { turns } = JSON.parse(await readFile(await saved(page, "#save", "own-turn.json"), "utf8"));
    assert.equal(turns.length, 3);
  });
});

test("a stored game outlives a program that does not answer", async () => {
  await served({}, async (page) => {
    await begin(page, ["person", "level1"]);
    await dropped(page, 0);
    await page.click("#new");
    await page.route("**/api/show", (route) => route.abort());
    await page.click("#resume");
    await page.waitForSelector("#status.error");
    await page.unroute("**/api/show");
    await page.click("#resume");
    await choosing(page);
    assert.equal(await turn(page), 1);
  });
});

test("a search that the server stops is told, and the game goes on", async () => {
  await served({}, async (page) => {
    await page.route("**/api/decide", (route) =>
      route.fulfill({
        contentType: "application/x-ndjson",
        body: '{"error":{"code":"stopped","message":"stopped: the server ends"}}\n',
      }),
    );
    await begin(page, ["person", "level1"]);
    await page.waitForSelector("#goon");
    assert.match(await page.textContent("#status.error"), /the server ends/);
    await page.unroute("**/api/decide");
    await page.click("#goon");
    await dropped(page, 0);
  });
});

test("the score decides if the time of both players is over", async () => {
  await served({}, async (page) => {
    await page.clock.install();
    await page.click("#options summary");
    await page.selectOption("#clock", "contest");
    await begin(page, ["person", "person"]);
    for (const seat of [0, 1]) await page.waitForSelector(`#field${seat}[data-ready]`);
    await page.clock.runFor(21_000);
    await page.waitForSelector("#message.big");
    assert.match(await page.textContent("#message"), /^Draw/);
    const { result } = JSON.parse(await readFile(await saved(page, "#save", "late.json"), "utf8"));
    assert.equal(result.verdict, "draw");
    assert.deepEqual(
      result.faults.map(({ fault }) => fault),
      ["out-of-time", "out-of-time"],
    );
    // A game that goes on from there is not over.
    await page.click("#toanalyse");
    await page.click("summary:has-text('Play on')");
    await page.selectOption("#onopponent", "random");
    await page.click("#playon");
    await page.waitForSelector("#field0[data-ready]");
    assert.equal(await turn(page), 0);
  });
});

test("a drop makes the skill that is shown", async () => {
  const players = [80, 0].map((gauge) => ({ field: "5.........", stock: 0, gauge, score: 0 }));
  const game = { packs: "1230".repeat(20), names: ["a", "b"], start: { turn: 0, players }, actions: [["8 0", "8 0"]] };
  await served({}, async (page) => {
    await page.evaluate(
      (game) =>
        localStorage.setItem(
          "tensai.client.game",
          JSON.stringify({ game, seats: ["person", "random"], clock: false, left: null }),
        ),
      game,
    );
    await page.reload();
    await page.click("#resume");
    await page.waitForSelector("#field0[data-ready]");
    assert.equal(await page.textContent("#side0 .gauge strong"), "80");
    await page.focus("#skill");
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 2");
    assert.equal(await page.textContent("#side0 .gauge strong"), "0");
  });
});

test("the skill's button belongs to the player who has not chosen", async () => {
  // The right player alone can use the skill.
  const players = [0, 80].map((gauge) => ({ field: "5.........", stock: 0, gauge, score: 0 }));
  const game = { packs: "1230".repeat(20), names: ["a", "b"], start: { turn: 0, players }, actions: [] };
  await served({}, async (page) => {
    await page.evaluate(
      (game) =>
        localStorage.setItem(
          "tensai.client.game",
          JSON.stringify({
            game: { ...game, actions: [["8 0", "8 0"]] },
            seats: ["person", "person"],
            clock: false,
            left: null,
          }),
        ),
      game,
    );
    await page.reload();
    await page.click("#resume");
    for (const seat of [0, 1]) await page.waitForSelector(`#field${seat}[data-ready]`);
    assert.ok(await page.isDisabled("#skill"));
    await page.keyboard.press("s");
    await page.waitForFunction(() => !document.getElementById("skill").disabled);
  });
});

/** Every key that the page stores, and what anybody may have stored there. */
const KEYS = [
  "theme",
  "language",
  "speed",
  "pace",
  "seat",
  "nodes",
  "reviewnodes",
  "seats",
  "clock",
  "game",
  "solved",
  "history",
  "sound",
  "opened",
  "daily",
];
const HOSTILE = [
  "",
  "{",
  "{}",
  "5",
  "-1",
  "1e9",
  "null",
  "true",
  '"x"',
  '"__proto__"',
  "[]",
  "[null]",
  "[{}, []]",
  '["person"]',
  '["x", "y"]',
  '{"length": 3}',
  '{"game": 5, "seats": 5}',
  '{"game": {"actions": 5}, "seats": ["person", "person"]}',
  '{"game": {"actions": [[]]}, "seats": [5, null], "left": "x"}',
];
/** A game that has the form, and that no host plays. */
const WRONG_GAME = JSON.stringify({
  game: { packs: "12", actions: [5], start: 5, names: 7 },
  seats: ["person", "level99"],
  clock: "yes",
  left: [1, 2],
  lost: [0],
});

test("whatever is stored, the page is usable", async () => {
  await served({}, async (page, check) => {
    const plant = async (values) => {
      // A game with a clock that runs would be stored when the page is left.
      await page.evaluate(() => {
        location.hash = "#watch";
      });
      await page.waitForFunction(() => document.body.dataset.mode === "watch");
      await page.evaluate((values) => {
        for (const [key, value] of Object.entries(values)) localStorage.setItem("tensai.client." + key, value);
      }, values);
      await page.reload();
      await page.waitForSelector("body[data-ready]");
      await page.evaluate(() => {
        location.hash = "#play";
      });
      await page.waitForSelector("#start");
    };
    for (const value of HOSTILE) {
      await plant(Object.fromEntries(KEYS.map((key) => [key, value])));
      assert.equal(await page.locator("#resume").count(), 0, value);
      for (const view of ["watch", "analyse", "puzzles", "play"]) {
        await page.evaluate((view) => {
          location.hash = "#" + view;
        }, view);
        await page.waitForFunction(
          (view) => document.body.dataset.mode === view && document.querySelector("#panel .card"),
          view,
        );
      }
      // 5 is a speed.
      assert.equal(await page.textContent("#speed"), value === "5" ? "8\u00d7" : "1\u00d7", value);
      await begin(page, ["person", "random"]);
      await choosing(page);
      await page.keyboard.press("ArrowDown");
      await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 1");
      check();
    }
    // The host refuses the game, and another one can be played.
    await plant({ game: WRONG_GAME });
    await page.click("#resume");
    await page.waitForSelector("#status.error");
    await begin(page, ["person", "random"]);
    await choosing(page);
  });
});

test("what the opponent can send and what will fall are shown, until that is switched off", async () => {
  const side = (field, stock) => ({ field, stock, gauge: 0, score: 0 });
  const field = "3.........\n2.........\n9.........\n84........\n74........";
  const game = {
    packs: "868611108686" + "8686".repeat(20),
    start: { turn: 0, packs: "", players: [side("", 25), side(field, 0)] },
    names: ["Player", "tensai level 1"],
    actions: [["8 0", "8 0"]],
  };
  const kept = { id: "one", game, seats: ["person", "level1"], clock: false, left: null, spent: null, lost: null };
  await served({ settings: { "client.game": kept } }, async (page) => {
    await page.click("#resume");
    await choosing(page);
    await page.waitForFunction(() => /chain 3/.test(document.getElementById("reach").textContent));
    const text = await page.textContent("#reach");
    assert.match(text, /^Can send \d ojama this turn \(chain 3\) \u00b7 1 row falls on you this turn$/);
    await page.click("#showreach");
    assert.ok(await page.isHidden("#reach"));
    await page.reload();
    await page.click("#resume");
    await choosing(page);
    assert.ok(!(await page.isVisible("#reach")));
    assert.ok(!(await page.isChecked("#showreach")));
    // Switched on, it tells at once, and the game goes on.
    await page.click("#showreach");
    await page.waitForFunction(() => /chain 3/.test(document.getElementById("reach").textContent));
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 2");
  });
});
