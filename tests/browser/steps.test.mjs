// Every step of every game shows what the simulator says.
import assert from "node:assert/strict";
import { json, open, PLACE, test, until, visit } from "./browser.mjs";

/**
 * All cells that each side shows, as a text from the bottom, which of them are marked, and the sums
 * beside them.
 */
const SHOWN = `[0, 1].map((seat) => {
  const cells = [...document.querySelectorAll(\`#field\${seat} > .cell\`)];
  return {
    field: cells.map((cell) => cell.dataset.c).join(""),
    text: cells.map((cell) => cell.textContent || (cell.dataset.c === "#" ? "#" : ".")).join(""),
    marks: cells.map((cell) => cell.dataset.m || ".").join(""),
    sums: [".score strong", ".stock strong", ".gauge strong"]
      .map((sum) => Number(document.querySelector(\`#side\${seat} \${sum}\`).textContent)),
  };
})`;

test("every step shown is the simulator's", async () => {
  const games = await json("games.json");
  await visit({ colorScheme: "light", reducedMotion: "reduce" }, async (page) => {
    await open(page, "files.html");
    assert.equal(await page.locator("#games tr").count(), games.length);
    let seen = 0;
    for (const [at, game] of games.entries()) {
      const number = at + 1;
      await page.evaluate(`location.hash = "#game=${number}&turn=0"`);
      const outcome = JSON.stringify(game.outcome);
      await until(page, `document.getElementById("outcome").textContent.startsWith(${outcome})`);
      assert.equal(await page.locator(".who b b").count(), 0, "a name is no markup");
      // The first steps by real keys, one question each. A key takes the browser about 30 ms, hence
      // the others by events, all in one question.
      const keys = number === 1 ? 100 : 0;
      const shown = [];
      for (let step = 0; step < keys; step++) {
        shown.push(await page.evaluate(`[${PLACE}, ${SHOWN}]`));
        await page.keyboard.press(".");
      }
      shown.push(
        ...(await page.evaluate(`Array.from({ length: ${game.steps.length - keys} }, () => {
        const now = [${PLACE}, ${SHOWN}];
        dispatchEvent(new KeyboardEvent("keydown", { key: "." }));
        return now;
      })`)),
      );
      for (const [index, { place, sides }] of game.steps.entries()) {
        assert.deepEqual(shown[index][0], place);
        assert.deepEqual(shown[index][1], sides, `game ${number}, turn ${place[0]}, step ${place[1]}`);
        seen++;
      }
      assert.deepEqual(await page.evaluate(SHOWN), game.end, `the end of game ${number}`);
      assert.equal(await page.evaluate("Number(desk.dataset.turn)"), game.turns);
    }
    assert.ok(seen > 100, `${seen} steps`);
    assert.equal(await page.evaluate("document.getAnimations().length"), 0, "less motion is asked for");
  });
});
