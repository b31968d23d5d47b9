// What one plays alone on the page of `tensai serve`: 30 packs and the longest chain.
import assert from "node:assert/strict";
import { test } from "./browser.mjs";
import { served } from "./serve.mjs";

/** Drops the pack in hand, and waits for the next one or the end. */
async function drop(page, at) {
  await page.waitForSelector("#field0[data-ready]");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(
    (at) =>
      document.querySelector("#message.big") || document.getElementById("message").textContent.includes(`Pack ${at} `),
    at + 2,
  );
}

/** Plays all packs: column after column, so that no column passes the danger line. */
async function whole(page) {
  for (let at = 0; at < 30; at++) {
    await page.waitForSelector("#field0[data-ready]");
    for (let move = 0; move < 9; move++) await page.keyboard.press("ArrowLeft");
    for (let move = 0; move < 2 * (at % 5); move++) await page.keyboard.press("ArrowRight");
    await drop(page, at);
  }
}

test("30 packs alone end with a result, which another person sees and tries to beat", async () => {
  const date = "2030-03-01";
  let text;
  await served({ permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
    await page.clock.setFixedTime(new Date(`${date}T12:00:00`));
    await page.click("#toalone");
    await page.click("#alonedaily");
    await whole(page);
    const chain = Number(/\d+/.exec(await page.textContent("#message.big"))[0]);
    assert.ok(chain >= 1);
    assert.match(await page.textContent("#alonesent"), /\d+ ojama sent in all/);
    await page.click("#alonelink .copy");
    text = await page.evaluate("navigator.clipboard.readText()");
    assert.match(text, /^#alone=20300301-[0-9a-zS]{30}-[0-9a-z]{2}$/);
    // The result is kept, and the best one is shown.
    await page.reload();
    await page.waitForSelector("#alonelist li");
    assert.match(await page.textContent("#alonetoday"), new RegExp(`longest chain ${chain}`));
    await page.click("#alonelist li button");
    await page.waitForSelector("#message.big");
    assert.match(await page.textContent("#message"), new RegExp(`${chain}$`));
  });
  await served({ fragment: text }, async (page) => {
    await page.waitForSelector("#message.big");
    assert.match(await page.textContent("#panel h2"), /Packs of 2030-03-01/);
    const field = () =>
      page.evaluate(() => [...document.querySelectorAll("#field0 > .cell")].map((cell) => cell.dataset.c).join(""));
    const end = await field();
    await page.click("#alonewatch");
    await page.waitForSelector("#alonewatch:disabled");
    await page.waitForSelector("#alonewatch:not(:disabled)");
    assert.equal(await field(), end);
    const packs = await page.evaluate(() => document.getElementById("packs").textContent);
    assert.equal(packs, "", "all packs are used");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#field0[data-ready]");
    assert.match(await page.textContent("#message"), /Pack 1 of 30/);
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => document.getElementById("message").textContent.includes("Pack 2 "));
    await page.keyboard.press("u");
    await page.waitForFunction(() => document.getElementById("message").textContent.includes("Pack 1 "));
  });
});

test("a text that is no result is refused, and an action that is not allowed too", async () => {
  await served({ fragment: "#alone" }, async (page) => {
    for (const [text, why] of [
      ["see there", /no result/],
      ["see #alone=1-", /cut off or changed/],
    ]) {
      await page.fill("#alonetext", text);
      await page.click("#aloneopen");
      await page.waitForFunction(
        (why) => new RegExp(why).test(document.getElementById("status").textContent),
        why.source,
      );
    }
    // The skill needs a gauge.
    await page.fill("#alonetext", "look at #alone=7-S-x9, it is mine.");
    await page.click("#aloneopen");
    await page.waitForFunction(() => /skill/.test(document.getElementById("status").textContent));
    await page.waitForSelector("#alonedaily");
    await page.fill("#alonetext", "look at #alone=7-0gw-6y, it is mine.");
    await page.click("#aloneopen");
    await page.waitForSelector("#message.big");
  });
  for (const changed of ["#alone=7-0g-6y", "#alone=7-0gw", "#alone=7-0gx-6y"]) {
    await served({ fragment: changed }, async (page) => {
      await page.waitForSelector("#status.error");
      assert.match(await page.textContent("#status"), /cut off or changed/);
      await page.waitForSelector("#alonedaily");
    });
  }
});

test("a run that is not over goes on after the page was loaded again", async () => {
  await served({}, async (page) => {
    await page.click("#toalone");
    await page.click("#alonefree");
    for (const at of [0, 1]) await drop(page, at);
    const field = () =>
      page.evaluate(() => [...document.querySelectorAll("#field0 > .cell")].map((cell) => cell.dataset.c).join(""));
    await page.waitForSelector("#field0[data-ready]");
    const before = await field();
    await page.reload();
    await page.waitForFunction(() => document.getElementById("message")?.textContent.includes("Pack 3 "));
    await page.waitForSelector("#field0[data-ready]");
    assert.equal(await field(), before);
    await drop(page, 2);
    await page.keyboard.press("u");
    await page.waitForFunction(() => document.getElementById("message").textContent.includes("Pack 3 "));
    await page.reload();
    await page.waitForFunction(() => document.getElementById("message")?.textContent.includes("Pack 3 "));
    // Another choice of packs ends it.
    await page.keyboard.press("n");
    await page.waitForSelector("#alonedaily");
    await page.reload();
    await page.waitForSelector("#alonedaily");
  });
});

test("a drop while a chain is shown ends the animation, and the speed of chains is one for all games", async () => {
  await served({ settings: { "client.pace": "slow" } }, async (page) => {
    await page.clock.install();
    await page.click("#toalone");
    await page.click("#alonedaily");
    await page.waitForSelector("#field0[data-ready]");
    assert.equal(await page.inputValue("#pace"), "slow");
    await page.clock.pauseAt(Date.now() + 3_600_000);
    const box = await page.locator("#field0").boundingBox();
    const ends = [
      () => page.keyboard.press("ArrowDown"),
      () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2),
      () => page.click("#dropit"),
    ];
    for (const [at, end] of ends.entries()) {
      await page.waitForSelector("#field0.preview");
      await page.clock.runFor(200);
      await page.waitForSelector("#field0[data-ready]");
      const blocks = await page.locator("#field0 > .cell:not(.ghost):not([data-c='.'])").count();
      await page.keyboard.press("ArrowDown");
      await page.waitForFunction(
        (blocks) =>
          !document.querySelector("#field0.preview") &&
          document.querySelectorAll("#field0 > .cell:not([data-c='.'])").length > blocks,
        blocks,
      );
      // The second half of a double click ends nothing.
      await end();
      assert.match(await page.textContent("#message"), new RegExp(`Pack ${at + 1} of`));
      await page.clock.runFor(200);
      await end();
      await page.waitForFunction(
        (at) => document.getElementById("message").textContent.includes(`Pack ${at} of`),
        at + 2,
      );
    }
    await page.clock.resume();
    await page.selectOption("#pace", "fast");
    await page.click('nav a[href="#play"]');
    await page.click("#start");
    await page.waitForSelector("#field0[data-ready]");
    assert.equal(await page.inputValue("#pace"), "fast");
  });
});
