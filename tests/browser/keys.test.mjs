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
    await until(page, `Number(desk.dataset.turn) === ${planned.turn}`);
    await page.keyboard.press("p");
    assert.equal(await page.locator("#field0 .badge").textContent(), `plan: chain ${planned.chain}`);
    const rounds = "Math.max(...[...document.querySelectorAll('#field0 [data-r]')].map((c) => c.dataset.r))";
    assert.equal(await page.evaluate(rounds), planned.chain);
    await page.keyboard.press("p");
    assert.equal(await page.locator("#field0 [data-r]").count(), 0);

    // It plays by itself to the end, and stops there: at the highest speed 0.15 s a turn.
    for (let times = 0; times < 4; times++) await page.keyboard.press("+");
    await page.keyboard.press("Space");
    assert.equal(await page.getAttribute("#run", "aria-label"), "Pause");
    await page.clock.runFor(150 * turns + 1000);
    await until(page, `Number(desk.dataset.turn) === ${turns}`);
    await page.waitForSelector("#run[aria-label=Run]");

    // A key that is held down does not exhaust what a browser allows to happen to an address.
    await page.evaluate("for (let at = 0; at < 500; at++) document.getElementById(at % 2 ? 'more' : 'less').click()");
    await page.keyboard.press("[");
    await page.clock.runFor(200);
    await until(page, "location.hash === '#game=1&turn=0'");
    await page.keyboard.press("i");
    await page.waitForSelector("#games");
    assert.equal(await page.locator("#field0").isVisible(), false);

    // Nonsense leads to the nearest place.
    await open(page, "folders.html", "#game=2&turn=9999&step=x");
    assert.equal(await page.evaluate("Number(desk.dataset.turn)"), turns);
    await open(page, "folders.html", "#game=77");
    assert.equal(await page.locator("#games").isVisible(), true);
  });
});

test("a page of games is used by the mouse", async () => {
  const games = await json("games.json");
  await visit({}, async (page) => {
    await open(page, "folders.html");
    await page.locator("#games tr").nth(1).click();
    await page.waitForSelector("#outcome");
    assert.equal(await page.textContent("#outcome"), games[1].outcome);

    // A drag along a curve shows the turns under the mouse.
    const box = await page.locator(".chart svg").first().boundingBox();
    await page.mouse.move(box.x + 1, box.y + 9);
    await page.mouse.down();
    assert.deepEqual(await page.evaluate(PLACE), [0, 0]);
    await page.mouse.move(box.x + box.width / 2, box.y + 9, { steps: 5 });
    const middle = await page.evaluate(PLACE);
    assert.ok(Math.abs(middle[0] - games[1].turns / 2) <= 1, String(middle));
    await page.mouse.move(box.x + box.width - 1, box.y + 9);
    await page.mouse.up();
    assert.deepEqual(await page.evaluate(PLACE), [games[1].turns, 0]);

    // The address that is copied leads to the same turn.
    await page.click("#less");
    await page.click("#copyaddress");
    const copied = await page.locator(".shared input").first().inputValue();
    assert.match(copied, /#game=2&turn=\d+&step=\d+$/);
    const place = await page.evaluate(PLACE);
    await page.goto("about:blank");
    await page.goto(copied);
    assert.deepEqual(await page.evaluate(PLACE), place);

    // What needs the rules is not there; the rest has both languages.
    for (const absent of ["nav", "#hand", "#sound", "#files", "#toanalyse"]) {
      assert.equal(await page.locator(absent).count(), 0, absent);
    }
    await page.click("#language");
    assert.match(await page.textContent("#status"), /ターン/);
    await page.click("#allgames");
    assert.match(await page.textContent("table:has(#games) thead"), /結果/);
    await page.click("#language");
    assert.match(await page.textContent("table:has(#games) thead"), /Result/);
  });
});
