// Reviewing a game on the page of `tensai serve`: marks, the series of mistakes, what a reload keeps.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { made, test, UNHURRIED } from "./browser.mjs";
import { begin, choosing, served, tensai } from "./serve.mjs";

/** Plays a game of two bots, cuts its record after `turns` turns, and returns the path of `NAME.json`. */
async function cutGame(name, [a, b], seed, turns) {
  tensai("match", "--a", a, "--b", b, "--seed", String(seed), "--records", made(name), ...UNHURRIED);
  const whole = JSON.parse(await readFile(made(`${name}/0001.json`), "utf8"));
  const path = made(`${name}.json`);
  const result = { verdict: "draw", scores: [0, 0] };
  await writeFile(path, JSON.stringify({ ...whole, turns: whole.turns.slice(0, turns), result }));
  return path;
}

/** What the command line says about the actions of a seat, with the playouts of the page. */
const blunders = (game, seat, nodes) =>
  JSON.parse(
    tensai(
      ...["replay", "blunders", game, "--seat", String(seat), "--json"],
      ...["--nodes", String(nodes), "--playouts", "64", "--threads", "1"],
    ),
  );

/** Opens a record by its text, and reviews the actions of `seat`: "0", "1" or "both". */
async function reviewed(page, path, seat = "0") {
  await page.fill("#pasted", await readFile(path, "utf8"));
  await page.click("#openpasted");
  await page.waitForSelector("#gamelist li");
  await page.click("#toanalyse");
  await page.click("#tab-review");
  await page.selectOption("#reviewseat", seat);
  await page.click("#runreview");
  await page.waitForSelector("#stopreview", { state: "detached" });
  await page.waitForSelector(".counts");
}

const shows = (page, turn) =>
  page.waitForFunction((turn) => document.getElementById("turn").textContent === `turn ${turn}`, turn);

/** Goes to a turn of the game that is shown. */
async function seek(page, turn) {
  await page.locator("#seek").fill(String(turn));
  await shows(page, turn);
}

/** Chooses an action by keys, where the pack has just appeared. */
async function choose(page, action) {
  await page.waitForSelector(".field[data-ready]");
  if (action === "S") {
    await page.keyboard.press("e");
    return;
  }
  const [column, rotation] = action.split(" ").map(Number);
  for (let times = 0; times < 9; times++) await page.keyboard.press("ArrowLeft");
  for (let times = 0; times < column; times++) await page.keyboard.press("ArrowRight");
  for (let times = 0; times < rotation; times++) await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
}

/** Waits until the attempt at a mistake is rated, and returns what the page says. */
async function rated(page) {
  await page.waitForFunction(() => /^(?!Find|.*is looked at)/.test(document.getElementById("attempt").textContent));
  return page.textContent("#attempt");
}

const LOST = ["blunder", "mistake", "inaccuracy"];

test("a review marks what the command line marks, and a turn is tried again", async () => {
  // Drops at random lose something in their first turns already.
  const short = await cutGame("weak", ["random", "greedy"], 5, 10);
  const { moves, accuracy } = blunders(short, 0, 20_000);
  const worst = moves[0];
  assert.ok(worst.better, "a random drop is not the best one");
  await served({ fragment: "#watch", settings: { "client.reviewnodes": 20_000 } }, async (page) => {
    await reviewed(page, short);
    const lost = Math.round(100 * worst.lost_chance);
    assert.deepEqual(await page.locator("#costliest").allTextContents(), [
      `turn ${worst.turn} cost most: ${lost}\u00a0%`,
    ]);
    assert.equal(await page.textContent(".accuracy"), `accuracy ${Math.round(accuracy)}\u00a0%`);
    for (const mark of LOST) {
      const count = moves.filter((one) => one.mark === mark).length;
      assert.match(await page.textContent(`.count.${mark}`), new RegExp(` ${count} `), mark);
    }
    await seek(page, worst.turn);
    const text = await page.textContent("#reviewlist .now");
    assert.ok(text.includes(`turn ${worst.turn}: ${worst.played}`), text);
    assert.ok(text.includes(`better ${worst.better}`), text);
    // Each action of the list is drawn, too.
    const lines = await page.locator("#reviewlist > li").count();
    assert.equal(await page.locator("#reviewlist > li > button .action-image").count(), lines);
    const [before, after] = worst.chance.map((chance) => Math.round(100 * chance));
    assert.ok(text.includes(`win probability: ${before}\u00a0% \u2192 ${after}\u00a0%`), text);
    await page.click("#tryagain");
    await page.waitForSelector(".field[data-ready]");
    assert.equal(await page.locator("#reviewlist .better").count(), 0, "the answer is hidden");
    await choose(page, worst.played);
    assert.match(await rated(page), /^That is what was played\./);
    await page.click("#attemptagain");
    await choose(page, worst.best);
    assert.match(await rated(page), /^Right: .* is the best action\. [-+\d]/);
    await page.locator("#reviewlist .now").getByText("Show the line").click();
    await shows(page, worst.turn + 1);
    // A turn that is tried again belongs to one player.
    await seek(page, worst.turn);
    await page.click("#tryagain");
    await page.waitForSelector(".field[data-ready]");
    await page.selectOption("#reviewseat", "1");
    await page.waitForSelector("#attempt", { state: "detached" });
    assert.equal(await page.locator(".field.preview").count(), 0);
  });
});

test("an action that is as good as the best one counts as right", async () => {
  const short = await cutGame("equal", ["random", "greedy"], 5, 10);
  const record = JSON.parse(await readFile(short, "utf8"));
  const { turn, best, played } = blunders(short, 0, 20_000).moves[0];
  // What the command line says of the game in which another action was played.
  const limits = ["--nodes", "20000", "--threads", "1", "--json"];
  const { candidates } = JSON.parse(tensai("replay", "turn", short, String(turn), ...limits));
  let equal;
  for (const { action } of candidates.filter((one) => ![best, played, "S"].includes(one.action))) {
    const turns = structuredClone(record.turns.slice(0, turn + 1));
    turns[turn].answers[0] = action;
    const other = made("equal-other.json");
    await writeFile(other, JSON.stringify({ ...record, turns }));
    equal = blunders(other, 0, 20_000).moves.find((one) => one.turn === turn);
    if (equal.best !== action && !equal.better) break;
  }
  assert.equal(equal.better, null, "an action is as good as the best one");
  await served({ fragment: "#watch", settings: { "client.reviewnodes": 20_000 } }, async (page) => {
    await reviewed(page, short);
    await seek(page, turn);
    await page.click("#tryagain");
    await choose(page, equal.played);
    assert.match(await rated(page), /^Right: .* is as good as the best action\. [-+\d]/);
    assert.equal(await page.locator("#attemptagain, #showme").count(), 0, "nothing is left to find");
  });
});

test("a turn that costs win probability is played out", async () => {
  const short = await cutGame("costly", ["level3", "level5"], 4, 15);
  const one = blunders(short, 0, 100_000).moves.find(({ playouts }) => playouts);
  assert.ok(one, "a turn is played out");
  const { turn, played, playouts } = one;
  await served({ fragment: "#watch", settings: { "client.reviewnodes": 100_000 } }, async (page) => {
    await reviewed(page, short);
    await seek(page, turn);
    const text = await page.textContent("#reviewlist .now .playouts");
    const percent = Math.round(100 * playouts.played.chance);
    assert.ok(text.startsWith(`played out 64 times: ${played} wins ${percent}\u00a0%, `), text);
    // An action that loses its own playouts is not called better.
    const better = await page.textContent("#reviewlist .now .better");
    assert.equal(better.includes("better "), one.better !== null, better);
  });
});

test("mistakes of both sides are a series: found, shown, or passed", async () => {
  const short = await cutGame("series", ["random", "greedy"], 5, 10);
  const moves = [0, 1].flatMap((seat) => blunders(short, seat, 20_000).moves.map((one) => ({ ...one, seat })));
  const series = moves.filter(({ mark, better }) => LOST.includes(mark) && better);
  series.sort((a, b) => a.turn - b.turn || a.seat - b.seat);
  assert.ok(series.length >= 2, `${series.length} mistakes`);
  await served({ fragment: "#watch", settings: { "client.reviewnodes": 20_000 } }, async (page) => {
    await reviewed(page, short, "both");
    assert.equal(await page.locator(".counts").count(), 2);
    await page.click("#learnmistakes");
    const title = (number) =>
      page.waitForSelector(`.card:has(#attempt) h2:has-text("Mistake ${number} of ${series.length}")`);
    await title(1);
    await shows(page, series[0].turn);
    await choose(page, series[0].best);
    assert.match(await rated(page), /Right: /);
    await page.click("#nextmistake");
    await title(2);
    await shows(page, series[1].turn);
    await page.waitForSelector(`#field${series[1].seat}[data-ready]`);
    await page.click("#showme");
    await shows(page, series[1].turn + 1);
    assert.match(await page.textContent("#attempt"), /The best action is /);
    await page.click("#previousmistake");
    await title(1);
    for (let number = 2; number <= series.length; number++) {
      await page.click("#nextmistake");
      await title(number);
    }
    await page.click("#nextmistake");
    await page.waitForSelector("#attempt", { state: "detached" });
    assert.match(await page.textContent("#status"), /That was the last one: 1 of \d+ found/);
  });
});

test("the played game is reviewed while a variation is shown, and a reload keeps both", async () => {
  const short = await cutGame("kept", ["random", "greedy"], 5, 10);
  const { turn } = blunders(short, 0, 20_000).moves.find(({ better }) => better);
  await served({ fragment: "#watch", settings: { "client.reviewnodes": 20_000 } }, async (page) => {
    await reviewed(page, short, "both");
    const counts = await page.locator(".counts").allTextContents();
    await seek(page, turn);
    await page.click("#showline");
    await shows(page, turn + 1);
    await page.click("#runreview");
    await page.waitForSelector("#stopreview", { state: "detached" });
    assert.deepEqual(await page.locator(".counts").allTextContents(), counts);
    await page.click("#tab-moves");
    const variations = await page.locator(".tree .variation .move").allTextContents();
    assert.ok(variations.length > 0);
    await page.reload();
    await page.waitForSelector("#tab-moves");
    await shows(page, turn + 1);
    await page.click("#tab-moves");
    assert.deepEqual(await page.locator(".tree .variation .move").allTextContents(), variations);
    await page.click("#tab-review");
    assert.deepEqual(await page.locator(".counts").allTextContents(), counts);
    assert.equal(await page.inputValue("#reviewseat"), "both");
    // The variations are played when the game is opened, and not before the page is ready.
    await page.click('nav a[href="#watch"]');
    const shown = [];
    page.on("request", (request) => request.url().endsWith("/api/show") && shown.push(request));
    await page.reload();
    await page.waitForSelector("body[data-ready]");
    assert.equal(shown.length, 1, "the game alone");
    await page.click("#gamelist .link");
    await page.click("#toanalyse");
    await page.click("#tab-moves");
    assert.deepEqual(await page.locator(".tree .variation .move").allTextContents(), variations);
  });
});

test("the end of a game tells the accuracy, and its review begins with the first mistake", async () => {
  await served({ settings: { "client.reviewnodes": 20_000 } }, async (page) => {
    await begin(page, ["person", "greedy"]);
    while (await choosing(page)) {
      const before = await page.textContent("#turn");
      await page.keyboard.press("ArrowDown");
      await page.waitForFunction(
        (before) => document.querySelector("#message.big") || document.getElementById("turn").textContent !== before,
        before,
      );
    }
    const known = (seat) =>
      page.waitForFunction(
        (seat) => /^\d+\u00a0%$/.test(document.getElementById(`accuracy${seat}`)?.textContent ?? ""),
        seat,
      );
    await known(0);
    assert.equal(await page.textContent("#accuracy1"), "\u2013", "nobody has reviewed the opponent");
    await page.evaluate(() => {
      globalThis.early = false;
      new MutationObserver(() => {
        const has = (id) => document.getElementById(id) !== null;
        if (has("stopreview") && (has("attempt") || has("learnmistakes"))) globalThis.early = true;
      }).observe(document.body, { childList: true, subtree: true });
    });
    // Playouts would take long, and the series waits for the answer of the host without them too.
    await page.route("**/api/review", (route) => {
      const params = route.request().postDataJSON();
      return route.continue({ postData: JSON.stringify({ ...params, playouts: 0 }) });
    });
    await page.click("#toreview");
    // One column of packs loses a game that could be won.
    await page.waitForSelector("#attempt");
    assert.equal(await page.evaluate("early"), false, "the series begins after the review");
    assert.match(await page.textContent(".card:has(#attempt) h2"), /^(Mistake 1 of \d+|Try again)$/);
    await page.waitForSelector("#field0[data-ready]");
    await page.selectOption("#reviewseat", "1");
    await page.click("#runreview");
    await page.waitForSelector("#stopreview", { state: "detached" });
    await page.click('nav a[href="#play"]');
    await known(1);
  });
});
