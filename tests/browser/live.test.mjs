// A page of `tensai match --live` follows the game while it is played.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { made, open, PATIENCE, pile, quoted, test, UNHURRIED, until, variable, visit } from "./browser.mjs";

/**
 * Presses a key until an expression is true, and still is a moment later, when no page is about to
 * be loaded: a page that is loading itself anew loses the key, or what it did.
 */
async function pressUntil(page, key, expression) {
  const isTrue = async (expression) => {
    try {
      return (await page.evaluate(expression)) === true;
    } catch {
      return false; // the page was left before it answered
    }
  };
  const begin = performance.now();
  for (;;) {
    await page.keyboard.press(key);
    await sleep(500);
    if ((await isTrue(`${expression} && (window.stop(), true)`)) && (await isTrue(expression))) return;
    assert.ok(performance.now() - begin < PATIENCE, `never true after ${key}: ${expression}`);
  }
}

test("a live page follows the game", async () => {
  const folder = made("live");
  await mkdir(folder);
  const inFolder = (name) => `${folder}/${name}`;
  const random = `${quoted(variable("TENSAI"))} --engine random --seed 1`;
  // Half a second an answer, until the file `go` is there.
  const go = inFolder("go");
  await writeFile(inFolder("slow.sh"), pile(go, "sleep 0.5"));
  const playing = spawn(variable("TENSAI"), [
    "match", "--a", `sh ${quoted(inFolder("slow.sh"))}`, "--b", random, "--seed", "3",
    "--rounds", "2", "--records", "games", "--live", "page.html", "--json",
    ...UNHURRIED,
  ], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(playing, "exit");
  try {
    await visit({ colorScheme: "light", reducedMotion: "reduce" }, async (page) => {
      while (!existsSync(inFolder("page.html"))) {
        assert.equal(playing.exitCode, null, "the page is there while games are played");
        await sleep(20);
      }
      await open(page, "live/page.html");
      // It opens the only game by itself once that has begun, and goes on with it.
      await until(page, "typeof player !== 'undefined' && Number(game.dataset.turn) > 3 && data.live && player.follow");
      // Who looks back is left in peace.
      await pressUntil(page, "ArrowLeft", "typeof player !== 'undefined' && !player.follow");
      const loaded = await page.evaluate("performance.timeOrigin");
      await sleep(2500);
      assert.equal(await page.evaluate("performance.timeOrigin"), loaded, "nothing was loaded");
      await writeFile(go, "");
      await page.keyboard.press("End");
      assert.deepEqual(await ended, [0, null]);
      const names = ["games/0001.json", "games/0002.json"];
      const records = await Promise.all(names.map(async (name) => JSON.parse(await readFile(inFolder(name)))));
      await until(page, "typeof data !== 'undefined' && !data.live && !player.playing");
      assert.deepEqual(await page.evaluate("games.map((game) => game.cut)"), [false, false]);
      const turns = await page.evaluate("games.map((game) => game.turns.length)");
      assert.deepEqual(turns, records.map((record) => record.turns.length));
      assert.equal(await page.evaluate("Number(game.dataset.turn) === player.end"), true);
    });
  } finally {
    playing.kill();
  }
});
