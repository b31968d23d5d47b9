// Mutated fragments of the page's address (made by tests/browser/fragments.rs): whatever stands
// there, a turn of a game or the list of games is shown, and nothing of the text becomes part of the
// page.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { json, open, test, TEST_TIMEOUT, visit } from "./browser.mjs";

/** Milliseconds beyond those of `TENSAI_FUZZ_SECONDS` that the test takes only if it hangs. */
const timeout = TEST_TIMEOUT + 1000 * Number(process.env.TENSAI_FUZZ_SECONDS ?? 0);

/**
 * Goes where a fragment leads; returns which of the two parts is shown, the place, and how many
 * elements there are that a text of the fragment would add to the page.
 */
const ARRIVE = `arrive(); ({
  shown: [$("index"), $("game")].map((part) => !part.hidden),
  number: player.number, end: player.number === null ? 0 : player.end,
  place: [game.dataset.turn, game.dataset.step].map(Number),
  step: player.step,
  foreign: document.querySelectorAll("script[src], img, b b, iframe").length,
})`;

test("mutated fragments lead to a turn or the list", { timeout }, async (t) => {
  const { seed, seconds, pace_ms: pace, kept, fragments } = await json("fragments.json");
  const games = (await json("games.json")).length;
  await visit({ colorScheme: "light", reducedMotion: "reduce" }, async (page, check) => {
    await open(page, "folders.html");
    const { foreign } = await page.evaluate(ARRIVE);
    const begin = performance.now();
    const places = [0, 0];
    for (const [done, fragment] of fragments.entries()) {
      if (seconds !== null && done >= kept && performance.now() - begin >= 1000 * seconds) break;
      const at = await page.evaluate(`location.hash = ${JSON.stringify(fragment)}; ${ARRIVE}`);
      const context = `seed ${seed}, fragment ${done}, ${JSON.stringify(fragment)}: ${JSON.stringify(at)}`;
      const isGame = at.number !== null;
      assert.deepEqual(at.shown, [!isGame, isGame], context);
      assert.equal(at.foreign, foreign, context);
      if (isGame) {
        assert.ok(Number.isInteger(at.number) && at.number >= 0 && at.number < games, context);
        const [turn, step] = at.place;
        assert.ok(Number.isInteger(turn) && turn >= 0 && turn <= at.end, context);
        assert.ok(Number.isInteger(step) && step >= 0 && step === at.step, context);
      }
      try {
        check();
      } catch (error) {
        throw new Error(context, { cause: error });
      }
      places[Number(isGame)]++;
      await sleep(pace);
    }
    t.diagnostic(`seed ${seed}: ${places[0]} fragments led to the list, ${places[1]} to games`);
    assert.ok(
      places.every((count) => count > 0),
      `the list and games: ${places}`,
    );
  });
});
