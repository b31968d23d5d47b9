// Keys, addresses and buttons lead where they say.
import assert from "node:assert/strict";
import { json, open, PLACE, test, until, visit } from "./browser.mjs";

test("keys, addresses and buttons lead where they say", async () => {
  const { turns, planned } = (await json("games.json"))[1];
  await visit({}, async (page) => {
    // Time passes as usual, and can be put forward.
    await page.clock.install();
    await open(page, "folders.html", "#game=2&turn=5&step=1");
    const at = async (key) => {
      await page.keyboard.press(key);
      return page.evaluate(PLACE);
    };
    assert.deepEqual(await at("?"), [5, 1]);
    assert.equal(await page.evaluate("document.querySelector('dialog').open"), true);
    await page.evaluate("document.querySelector('dialog').close()");
    for (const [key, place] of [
      ["ArrowLeft", [5, 0]],
      ["ArrowLeft", [4, 0]],
      ["ArrowRight", [5, 0]],
      [".", [5, 1]],
      [",", [5, 0]],
      ["End", [turns, 0]],
      ["ArrowRight", [turns, 0]],
      ["Home", [0, 0]],
      [",", [0, 0]],
    ]) {
      assert.deepEqual(await at(key), place, key);
    }
    await until(page, "location.hash === '#game=2&turn=0'");

    // The planned chain is shown on demand, as large as the bot says where nothing falls.
    await page.evaluate(`location.hash = "#game=2&turn=${planned.turn}"`);
    await until(page, `Number(game.dataset.turn) === ${planned.turn}`);
    await page.keyboard.press("p");
    assert.equal(await page.locator("#field0 .badge").textContent(), `plan: chain ${planned.chain}`);
    const rounds = "Math.max(...[...document.querySelectorAll('#field0 [data-r]')].map((c) => c.dataset.r))";
    assert.equal(await page.evaluate(rounds), planned.chain);
    await page.keyboard.press("p");
    assert.equal(await page.locator("#field0 [data-r]").count(), 0);

    // It plays by itself to the end, and stops there: at the highest speed 0.15 s a turn.
    for (let times = 0; times < 4; times++) await page.keyboard.press("+");
    await page.keyboard.press("Space");
    assert.equal(await page.evaluate("player.playing"), true);
    await page.clock.runFor(150 * turns + 1000);
    await until(page, `Number(game.dataset.turn) === ${turns} && !player.playing`);

    // A key that is held down does not exhaust what a browser allows to happen to an address.
    await page.evaluate("for (let at = 0; at < 500; at++) actions[at % 2 ? 'more' : 'less']()");
    await page.keyboard.press("[");
    await until(page, "location.hash === '#game=1&turn=0'");
    await page.keyboard.press("i");
    await until(page, "document.getElementById('game').hidden");

    // Nonsense leads to the nearest place.
    await open(page, "folders.html", "#game=2&turn=9999&step=x");
    assert.equal(await page.evaluate("Number(game.dataset.turn)"), turns);
    await open(page, "folders.html", "#game=77");
    assert.equal(await page.evaluate("document.getElementById('index').hidden"), false);
  });
});
