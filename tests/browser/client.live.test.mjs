// The page of `tensai match --serve` follows a match that is played.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { made, pile, quoted, test, UNHURRIED, variable } from "./browser.mjs";
import { opened } from "./client.mjs";

test("a match is followed turn by turn", async () => {
  const folder = made("served");
  await mkdir(folder);
  const go = `${folder}/go`;
  const random = `${quoted(variable("TENSAI"))} play --random --seed 1`;
  await writeFile(`${folder}/slow.sh`, pile(go));
  const playing = spawn(variable("TENSAI"), [
    "match", "--engine", "name=pile", `cmd=sh ${quoted(`${folder}/slow.sh`)}`, "--engine", "name=drops", `cmd=${random}`,
    "--seed", "3", "--rounds", "1", "--records", "games", "--serve", "0",
    ...UNHURRIED,
  ], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(playing, "exit");
  try {
    let url;
    const lines = [];
    for await (const line of createInterface({ input: playing.stderr })) {
      lines.push(line);
      url = /http:\S+/.exec(line)?.[0];
      if (url) break;
    }
    assert.ok(url, lines.join("\n"));
    playing.stderr.resume();
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
