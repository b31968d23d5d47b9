// Pictures that the page of `tensai serve` saves: a position as PNG, turns as an animated GIF. The browser
// decodes the files.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { json, test } from "./browser.mjs";
import { analysed, saved, seek, served } from "./serve.mjs";

/** What the browser decodes of a picture: the size, and of each frame how long it is shown and its pixels' sum. */
const decoded = async (page, path, type) =>
  page.evaluate(
    async ([base64, type]) => {
      const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const decoder = new ImageDecoder({ data, type });
      await decoder.tracks.ready;
      await decoder.completed;
      const frames = [];
      for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; frameIndex++) {
        const { image } = await decoder.decode({ frameIndex });
        const { displayWidth: width, displayHeight: height, duration } = image;
        const pixels = new Uint8Array(image.allocationSize());
        await image.copyTo(pixels);
        image.close();
        let hash = 0;
        for (const pixel of pixels) hash = (hash * 31 + pixel) >>> 0;
        frames.push({ width, height, ms: duration === null ? null : duration / 1000, hash });
      }
      return frames;
    },
    [(await readFile(path)).toString("base64"), type],
  );

test("a position is saved as a picture", async () => {
  await served({ fragment: "#watch" }, async (page) => {
    await analysed(page, "games/0001.json", 5);
    await page.click("#tab-share");
    const frames = await decoded(page, await saved(page, "#savepng", "position.png"), "image/png");
    assert.deepEqual(
      frames.map(({ width, height }) => [width, height]),
      [[976, 876]],
    );
  });
});

test("turns are saved as an animation of all their steps", async () => {
  const { steps } = (await json("games.json"))[0];
  await served({ fragment: "#watch" }, async (page) => {
    await analysed(page, "games/0001.json", 5);
    await page.click("#tab-share");
    // The attack that is shown or comes next is suggested.
    const attack = await page.inputValue("#giffrom");
    assert.equal(await page.inputValue("#gifto"), attack);
    for (let turn = 5; turn <= Number(attack); turn++) {
      await seek(page, turn);
      const said = (await page.locator(".side .info").allTextContents()).join(" ");
      assert.equal(/skill|chain ([3-9]|\d\d)/.test(said), turn === Number(attack), `turn ${turn}: ${said}`);
      assert.equal(await page.inputValue("#giffrom"), attack);
    }
    await page.fill("#giffrom", "3");
    await page.fill("#gifto", "6");
    const path = await saved(page, "#savegif", "turns.gif");
    assert.match(await page.textContent("#status"), /^The picture has \d+ frames and \d+ KB\.$/);
    const frames = await decoded(page, path, "image/gif");
    // The position before each turn, its steps, and the end.
    const shown = steps.filter(({ place: [turn, step] }) => turn >= 3 && turn <= 6 && step > 0);
    assert.equal(frames.length, shown.length + 4 + 1);
    assert.ok(frames.every(({ width, height }) => width === 488 && height === 438));
    assert.equal(frames.at(-1).ms, 2500);
    assert.ok(frames.every(({ ms }) => ms >= 300));
    assert.ok(new Set(frames.map(({ hash }) => hash)).size > frames.length / 2, "it moves");
    assert.ok((await readFile(path)).length < 500_000, "it can be passed on");
    // A range that is reversed, empty or too long is put right, and the page tells the limits.
    const last = Number(await page.getAttribute("#gifto", "max"));
    const range = async () => [await page.inputValue("#giffrom"), await page.inputValue("#gifto")];
    const limits = `An animation has 1 to 40 turns, from turn 0 to turn ${last}.`;
    for (const [id, value, expected] of [
      ["giffrom", "8", ["8", "8"]],
      ["gifto", "2", ["2", "2"]],
      ["gifto", "9999", [String(Math.max(2, last - 39)), String(last)]],
      ["giffrom", "", ["0", String(Math.min(39, last))]],
    ]) {
      await page.fill("#" + id, value);
      await page.keyboard.press("Tab");
      assert.deepEqual(await range(), expected, `${id}: ${value}`);
      assert.equal(await page.textContent("#status"), limits);
    }
  });
});
