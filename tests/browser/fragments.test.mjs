// Mutated fragments of the page's address (made by tests/browser/fragments.rs): whatever stands
// there, a turn of a game or the list of games is shown, and nothing of the text becomes part of the
// page.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { json, open, test, TEST_TIMEOUT, visit } from "./browser.mjs";

/** Milliseconds beyond those of `TENSAI_FUZZ_SECONDS` that the test takes only if it hangs. */
const timeout = TEST_TIMEOUT + 1000 * Number(process.env.TENSAI_FUZZ_SECONDS ?? 0);

/**
 * Goes where a fragment leads; returns what is shown, which game, its last turn, the place, and how many
 * elements there are that a text of the fragment would add to the page.
 */
const arrived = (page, fragment) =>
  page.evaluate(async (fragment) => {
    const before = location.href;
    const changed = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
    location.hash = fragment;
    if (location.href !== before) await changed;
    // All that follows an event is done before the next one.
    await new Promise((resolve) => setTimeout(resolve));
    const part = (id) => document.getElementById(id);
    return {
      mode: document.body.dataset.mode,
      rows: part("games")?.rows.length ?? 0,
      end: Number(part("seek").max),
      turn: Number(part("seek").value),
      place: [part("desk").dataset.turn, part("desk").dataset.step].map(Number),
      foreign: document.querySelectorAll("script[src], img, b b, iframe").length,
    };
  }, fragment);

test("mutated fragments lead to a turn or the list", { timeout }, async (t) => {
  const { seed, seconds, pace_ms: pace, kept, fragments } = await json("fragments.json");
  const games = (await json("games.json")).length;
  await visit({ colorScheme: "light", reducedMotion: "reduce" }, async (page, check) => {
    await open(page, "folders.html");
    const { foreign } = await arrived(page, "");
    const begin = performance.now();
    const places = [0, 0];
    for (const [done, fragment] of fragments.entries()) {
      if (seconds !== null && done >= kept && performance.now() - begin >= 1000 * seconds) break;
      const at = await arrived(page, fragment);
      const context = `seed ${seed}, fragment ${done}, ${JSON.stringify(fragment)}: ${JSON.stringify(at)}`;
      const isGame = at.mode === "watch";
      assert.equal(at.foreign, foreign, context);
      if (isGame) {
        const [turn, step] = at.place;
        assert.ok(Number.isInteger(turn) && turn >= 0 && turn <= at.end && turn === at.turn, context);
        assert.ok(Number.isInteger(step) && step >= 0, context);
      } else {
        assert.equal(at.mode, "games", context);
        assert.equal(at.rows, games, context);
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
