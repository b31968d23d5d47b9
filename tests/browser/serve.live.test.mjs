// The page of `tensai match --serve` follows a match that is played.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { made, pile, quoted, test, UNHURRIED, variable } from "./browser.mjs";
import { opened } from "./serve.mjs";

// Starts a command that serves a page: the process, its end and the address of the page.
async function serving(folder, words) {
  const playing = spawn(variable("TENSAI"), words, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(playing, "exit");
  const lines = [];
  for await (const line of createInterface({ input: playing.stderr })) {
    lines.push(line);
    const url = /http:\S+/.exec(line)?.[0];
    if (url) {
      playing.stderr.resume();
      return { playing, ended, url };
    }
  }
  throw new Error(lines.join("\n"));
}

test("a match is followed turn by turn", async () => {
  const folder = made("served");
  await mkdir(folder);
  const go = `${folder}/go`;
  const random = `${quoted(variable("TENSAI"))} --engine random --seed 1`;
  await writeFile(`${folder}/slow.sh`, pile(go));
  const { playing, ended, url } = await serving(folder, [
    "match",
    "--engine",
    "name=pile",
    `cmd=sh ${quoted(`${folder}/slow.sh`)}`,
    "--engine",
    "name=drops",
    `cmd=${random}`,
    "--seed",
    "3",
    "--rounds",
    "1",
    "--records",
    "games",
    "--serve",
    "0",
    ...UNHURRIED,
  ]);
  try {
    await opened(url, { fragment: "#watch" }, async (page) => {
      await page.click("#followlive");
      await page.waitForFunction(() => Number(/\d+/.exec(document.getElementById("turn").textContent)[0]) >= 6);
      assert.match(await page.textContent("#side0 .who b"), /pile|drops/);
      await writeFile(go, "");
      await page.waitForFunction(() => /The match is over/.test(document.getElementById("livecards").textContent));
      // The standing of both, and the game with its result.
      await page.waitForFunction(() => /1 of 1 games/.test(document.getElementById("livecards").textContent));
      assert.equal(await page.locator("#livecards table").first().locator("tbody tr").count(), 2);
      assert.match(await page.textContent("#livegames li"), /wins|draw/);
      await page.waitForFunction(() => document.getElementById("seek").value === document.getElementById("seek").max);
    });
    assert.deepEqual(await ended, [0, null]);
  } finally {
    playing.kill();
  }
});

test("a league is followed turn by turn, with its list", async () => {
  const folder = made("league");
  await mkdir(folder);
  const go = `${folder}/go`;
  await writeFile(`${folder}/slow.sh`, pile(go));
  const league = (...words) => execFileSync(variable("TENSAI"), ["league", ...words], { cwd: folder });
  league("init", "L", "--time=1h", "--turn-time=10m", "--start-time=10m", "--seed=3");
  league("add", "L", "name=pile", `cmd=sh ${quoted(`${folder}/slow.sh`)}`);
  league("add", "L", "name=drops", `cmd=${quoted(variable("TENSAI"))} --engine random --seed 1`);
  const { playing, ended, url } = await serving(folder, [
    "league",
    "run",
    "L",
    "--games=1",
    "--no-pin",
    "--serve",
    "0",
  ]);
  try {
    await opened(url, { fragment: "#watch" }, async (page) => {
      await page.click("#followlive");
      await page.waitForFunction(() => Number(/\d+/.exec(document.getElementById("turn").textContent)[0]) >= 6);
      assert.match(await page.textContent("#livecards"), /Running league.*0 games/s);
      await writeFile(go, "");
      await page.waitForFunction(() => /The league has stopped/.test(document.getElementById("livecards").textContent));
      await page.waitForFunction(() => /1 games/.test(document.getElementById("livecards").textContent));
      const list = page.locator("#livecards table").first().locator("tbody tr");
      assert.equal(await list.count(), 2);
      assert.match(await list.first().textContent(), /(pile|drops).*\+\d+ ±\d+.*1-0-0/);
      assert.match(await page.locator("#livecards table").nth(1).textContent(), /pile – drops|drops – pile/);
      assert.match(await page.textContent("#livegames li"), /wins/);
    });
    assert.deepEqual(await ended, [0, null]);
  } finally {
    playing.kill();
  }
});
