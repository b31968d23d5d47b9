// The offline page: the bot inside as WebAssembly, opened from a disk.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { made, test } from "./browser.mjs";
import { begin, bestActions, choosing, opened, saved, shownActions, tensai, turn } from "./serve.mjs";

const PAGE = made("client.html");

const skip = existsSync(PAGE) ? false : "no TENSAI_WASM";

test("a person chooses while the engine at the left searches", { skip }, async () => {
  await opened(pathToFileURL(PAGE).href, {}, async (page) => {
    // The methods that the worker is asked for, in order.
    await page.evaluate(() => {
      globalThis.asked = [];
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (message) {
        if (message.method) globalThis.asked.push(message.method);
        post.call(this, message);
      };
    });
    await begin(page, ["level9", "person"]);
    await page.waitForSelector("#field1[data-ready]");
    await page.waitForFunction(() => globalThis.asked.includes("decide"));
    const asked = await page.evaluate(() =>
      globalThis.asked.filter((method) => ["choices", "decide"].includes(method)),
    );
    assert.deepEqual(asked.slice(0, 2), ["choices", "decide"]);
  });
});

test("the offline page plays and analyses as the program does", { skip }, async () => {
  await opened(pathToFileURL(PAGE).href, { settings: { "client.nodes": 100_000 } }, async (page) => {
    await begin(page, ["person", "level1"]);
    for (let at = 0; at < 4; at++) {
      await choosing(page);
      await page.keyboard.press("ArrowDown");
      await page.waitForFunction((at) => document.getElementById("turn").textContent === `turn ${at}`, at + 1);
    }
    await choosing(page);
    assert.equal(await turn(page), 4);
    const path = await saved(page, "#save", "offline.json");
    tensai("record", "check", path);
    await page.click("#toanalyse");
    // Before the view has changed, the key would move the pack.
    await page.waitForSelector("#runanalysis");
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 3");
    await page.click("#runanalysis");
    await page.waitForSelector(".chancebar");
    const expected = JSON.parse(tensai("replay", "turn", path, "3", "--nodes", "100000", "--threads", "1", "--json"));
    const played = JSON.parse(await readFile(path, "utf8")).turns[3].answers[0];
    assert.deepEqual(await shownActions(page), bestActions(expected, played));
    // A search that is stopped ends its worker; the next request is answered all the same.
    await page.selectOption("#strength", "20000000");
    await page.click("#runanalysis");
    await page.click("#stopanalysis");
    await page.click("#tab-share");
    await page.click("#shareposition");
    await page.waitForSelector("#linkposition input");
  });
});
