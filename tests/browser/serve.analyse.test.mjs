// Watching, analysing, editing, sharing and puzzles on the page of `tensai serve`.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { json, made, test } from "./browser.mjs";
import { bestActions, dropFiles, field, seek, served, shownActions, tensai } from "./serve.mjs";

/** Opens a record of the match that tests/browser/main.rs has played. */
async function openGame(page, name = "games/0001.json") {
  await dropFiles(page, [[name, await readFile(made(name), "utf8")]]);
  await page.waitForSelector("#gamelist li");
}

test("a truncated input of a bot shows its whole turns and a warning", async () => {
  tensai("record", "input", made("games/0001.json"), "--seat", "0", "-o", made("input-of-0.txt"));
  const lines = (await readFile(made("input-of-0.txt"), "utf8")).split("\n");
  await served({ fragment: "#watch" }, async (page) => {
    await dropFiles(page, [["dump.txt", lines.slice(0, 1500 + 43 * 5 + 9).join("\n")]]);
    await page.waitForSelector("#warning");
    assert.match(await page.textContent("#warning"), /^dump\.txt: it is truncated, .*turn 5, own field/);
    assert.equal(await page.getAttribute("#seek", "max"), "4");
    await dropFiles(page, [["whole.txt", lines.slice(0, 1500 + 43 * 5).join("\n") + "\n"]]);
    await page.waitForSelector("#warning", { state: "detached" });
  });
});

test("records are watched by drag and drop", async () => {
  const { end, turns, steps } = (await json("games.json"))[0];
  await served({ fragment: "#watch" }, async (page) => {
    await openGame(page);
    await page.keyboard.press("End");
    for (const seat of [0, 1]) assert.equal(await field(page, seat), end[seat].field);
    await page.keyboard.press("Home");
    for (const key of ["ArrowRight", "ArrowRight", "."]) await page.keyboard.press(key);
    const shown = steps.find(({ place }) => place[0] === 2 && place[1] === 1);
    for (const seat of [0, 1]) assert.equal(await field(page, seat), shown.sides[seat].field);
    // It runs to the end by itself, also from the time line.
    await page.focus("#seek");
    await page.keyboard.press("Space");
    await page.waitForFunction((turns) => Number(document.getElementById("seek").value) === turns, turns);
    // A player without a clock has none, and the other one has its own.
    const record = JSON.parse(await readFile(made("games/0001.json"), "utf8"));
    record.players[0].nodes = 1000;
    delete record.players[1].nodes;
    await dropFiles(page, [["nodes.json", JSON.stringify(record)]]);
    await page.waitForFunction(() => document.querySelectorAll("#gamelist li").length === 2);
    for (const at of [0, 2]) {
      await seek(page, at);
      assert.equal(await page.textContent("#side0 .clock"), "");
      assert.match(await page.textContent("#side1 .clock"), /^\d+:\d\d\.\d$/);
    }
    // A file that is none is named, and changes nothing.
    await dropFiles(page, [["notes.txt", "no game"]]);
    await page.waitForSelector("#status.error");
    assert.match(await page.textContent("#status"), /notes\.txt/);
    assert.equal(await page.locator("#gamelist li").count(), 2);
  });
});

test("the analysis of a turn is that of the command line, and its lines are variations", async () => {
  const { turns } = (await json("games.json"))[0];
  const at = Math.floor(turns / 2);
  const path = made("games/0001.json");
  const expected = JSON.parse(
    tensai("replay", "turn", path, String(at), "--nodes", "100000", "--threads", "1", "--json"),
  );
  await served({ fragment: "#watch", settings: { "client.nodes": 100_000 } }, async (page) => {
    await openGame(page);
    await seek(page, at);
    await page.click("#toanalyse");
    await page.click("#runanalysis");
    await page.waitForSelector(".chancebar");
    const played = JSON.parse(await readFile(path, "utf8")).turns[at].answers[0];
    const { chosen } = expected;
    assert.deepEqual(await shownActions(page), bestActions(expected, played));
    // A candidate's line becomes a variation, which "Moves" shows, and from which one plays on.
    await page.click(".card button.link");
    await page.waitForFunction((at) => document.getElementById("turn").textContent === `turn ${at + 1}`, at);
    // The time line is that of the variation.
    const seekMax = () => page.evaluate(() => Number(document.getElementById("seek").max));
    await page.keyboard.press("End");
    assert.equal(await page.textContent("#turn"), `turn ${await seekMax()}`);
    await seek(page, at);
    // Notes on the fields belong to the analysis.
    await page.click("summary:has-text('Triggers')");
    await page.check("#shownotes");
    assert.notEqual(await page.locator("[data-note]").count(), 0);
    await seek(page, at + 1);
    await page.click("#tab-moves");
    assert.equal(await page.locator("[data-note]").count(), 0);
    const here = await page.textContent(".move[aria-current]");
    assert.ok(here.startsWith(`${at}. `) && here.includes(chosen), here);
    await page.click("summary:has-text('Play on')");
    await page.selectOption("#onopponent", "level1");
    await page.click("#playon");
    await page.waitForSelector(".field[data-ready]");
    assert.equal(await page.textContent("#turn"), `turn ${at + 1}`);
  });
});

test("a position is drawn by hand, analysed and shared", async () => {
  await served({ fragment: "#analyse" }, async (page) => {
    await page.click("#tab-edit");
    assert.ok(await page.isHidden("#deck"), "the time line shows the game, not the drawing");
    await page.click("text=Clear left");
    const box = await page.locator("#field0").boundingBox();
    const cell = (x, y) => [box.x + (box.width * (x + 0.5)) / 10, box.y + (box.height * (18.5 - y)) / 19];
    // By mouse: a 1 on the ground; a 2 that is put high above rests on it.
    await page.mouse.click(...cell(3, 0));
    await page.locator(".palette label").nth(1).click();
    await page.mouse.click(...cell(3, 9));
    // By keys: ojama two columns beside it.
    await page.focus("#field0");
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "#"])
      await page.keyboard.press(key);
    await page.fill("#stock0", "12");
    await page.fill("#gauge1", "80");
    const drawn = await field(page, 0);
    assert.equal(drawn.slice(0, 14), "...1.#.......2");
    assert.equal(drawn.replaceAll(".", ""), "1#2");
    for (let times = 0; times < 2; times++) {
      await page.click("#language");
      assert.equal(await field(page, 0), drawn, "another language keeps the drawing");
    }
    await page.click("#apply");
    await page.waitForSelector("#runanalysis");
    assert.equal(await field(page, 0), drawn);
    await page.click("#runanalysis");
    await page.waitForSelector(".chancebar");
    await page.click("#tab-share");
    await page.click("#shareposition");
    const text = await page.inputValue("#linkposition input");
    assert.match(text, /^#\S+$/);
    // Another page shows it.
    await served({ fragment: text }, async (other) => {
      assert.equal(await field(other, 0), drawn);
      assert.equal(await other.textContent("#side0 .stock strong"), "12");
      assert.equal(await other.textContent("#side1 .gauge strong"), "80");
      // Of several files with shared texts, each is opened.
      await dropFiles(other, [
        ["a.txt", text],
        ["b.txt", text],
      ]);
      await other.waitForFunction(() => document.querySelectorAll("#gamelist li").length === 2);
    });
  });
});

test("a puzzle is failed, taken back and solved", async () => {
  // One pack sets off a chain of one: a 9 beside the 1 in column 0.
  const players = [
    { field: "1.........", stock: 0, gauge: 0, score: 0 },
    { field: "", stock: 0, gauge: 0, score: 0 },
  ];
  const puzzle = {
    id: "test-1",
    position: { turn: 3, packs: "0393", players },
    kind: "chain",
    goal: 1,
    packs: 1,
    difficulty: 1,
    solutions: 0,
    solution: ["0 0"],
  };
  await served({ fragment: "#puzzles" }, async (page) => {
    await page.setInputFiles("#puzzlefile", {
      name: "puzzles.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify({ format: "tensai puzzles", version: 1, puzzles: [puzzle] })),
    });
    await page.click("#puzzlelist li:has-text('test-1') button");
    await page.waitForSelector(".field[data-ready]");
    for (let times = 0; times < 9; times++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.waitForSelector("#message.wrong");
    await page.click("#undo");
    await page.waitForSelector(".field[data-ready]");
    for (let times = 0; times < 9; times++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.waitForSelector("#message.right");
    assert.equal(await page.locator("#puzzlelist [aria-label=solved]").count(), 1);
  });
  // The same file, dropped where games are watched.
  await served({ fragment: "#watch" }, async (page) => {
    await dropFiles(page, [
      ["puzzles.json", JSON.stringify({ format: "tensai puzzles", version: 1, puzzles: [puzzle] })],
    ]);
    await page.waitForSelector("#puzzlelist li");
    assert.equal(await page.evaluate("document.body.dataset.mode"), "puzzles");
  });
});

test("an undo during a drop of a puzzle takes back that drop alone", async () => {
  // Two packs of one 9: the second one beside the 1 in column 0.
  const players = [
    { field: "1.........", stock: 0, gauge: 0, score: 0 },
    { field: "", stock: 0, gauge: 0, score: 0 },
  ];
  const puzzle = {
    id: "test-2",
    position: { turn: 3, packs: "03930393", players },
    kind: "chain",
    goal: 1,
    packs: 2,
    difficulty: 1,
    solutions: 0,
    solution: ["8 0", "0 0"],
  };
  await served({ fragment: "#puzzles", settings: { "client.speed": 0 } }, async (page) => {
    await page.setInputFiles("#puzzlefile", {
      name: "puzzles.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify({ format: "tensai puzzles", version: 1, puzzles: [puzzle] })),
    });
    await page.click("#puzzlelist li:has-text('test-2') button");
    await page.waitForSelector(".field[data-ready]");
    const move = async (key, times) => {
      for (let time = 0; time < times; time++) await page.keyboard.press(key);
    };
    await move("ArrowRight", 9);
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => document.getElementById("message").textContent === "One pack is left.");
    await page.waitForSelector(".field[data-ready]");
    // The second drop is taken back while it is shown.
    await page.keyboard.press("ArrowDown");
    await page.waitForSelector(".field[data-ready]", { state: "detached" });
    await page.keyboard.press("u");
    await page.waitForSelector(".field[data-ready]");
    assert.equal(await page.textContent("#turn"), "turn 4", "the first drop stays");
    await move("ArrowLeft", 9);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.waitForSelector("#message.right");
  });
});

test("a line avoids a recorded skill that its own chain prevents", async () => {
  // The right player uses the skill in turn 1. A chain of three of the left one in turn 0 drains its gauge.
  const players = [
    {
      field: "4.........\n3.........\n2.........\n9.........\n8#........\n7#........\n6#........",
      stock: 0,
      gauge: 0,
      score: 0,
    },
    { field: "5.........", stock: 0, gauge: 80, score: 0 },
  ];
  const game = {
    packs: "1101".repeat(20),
    names: ["a", "b"],
    start: { turn: 0, players },
    actions: [
      ["8 0", "8 0"],
      ["8 0", "S"],
    ],
  };
  await served({ fragment: "#watch" }, async (page) => {
    const text = await page.evaluate(async (game) => {
      const token = JSON.parse(document.getElementById("config").textContent).token;
      const answer = await fetch("/api/share", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Tensai-Token": token },
        body: JSON.stringify({ game }),
      });
      return JSON.parse((await answer.text()).trim().split("\n").at(-1)).result.text;
    }, game);
    await page.evaluate((text) => {
      location.hash = text;
    }, text);
    await page.waitForSelector("#runanalysis");
    await page.click("#runanalysis");
    await page.waitForSelector(".chancebar");
    await page.click(".card button.link");
    await page.waitForFunction(() => document.getElementById("turn").textContent !== "turn 0");
    assert.equal(await page.locator("#status.error").count(), 0);
  });
});
