// The values that the page of `tensai serve` shows against those of the command line, at positions of
// several games. `TENSAI_POSITIONS=30 node --test serve.values.test.mjs` compares as many.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { made, test, UNHURRIED } from "./browser.mjs";
import { analysed, bestActions, seek, served, shownActions, tensai } from "./serve.mjs";

const POSITIONS = Number(process.env.TENSAI_POSITIONS ?? 4);
const GAMES = Math.max(2, Math.ceil(POSITIONS / 6));

/** The players of each game: from weak ones, whose fields fill up, to such as attack. */
const PLAYERS = [
  ["level3", "level2"],
  ["level5", "level4"],
  ["greedy", "random"],
  ["level4", "level3"],
  ["level6", "level3"],
];

test("the values of an analysis are those of the command line at turns of several games", async () => {
  const settings = { "client.nodes": 100_000 };
  let compared = 0;
  for (let game = 0; game < GAMES; game++) {
    const [a, b] = PLAYERS[game % PLAYERS.length],
      name = `values-${game}`;
    tensai("match", "--a", a, "--b", b, "--seed", String(game + 1), "--records", made(name), ...UNHURRIED);
    const file = `${name}/0001.json`,
      { turns } = JSON.parse(await readFile(made(file), "utf8"));
    const count = Math.ceil((POSITIONS - compared) / (GAMES - game));
    await served({ fragment: "#watch", settings }, async (page) => {
      await analysed(page, file, 0);
      for (let position = 0; position < count; position++, compared++) {
        const turn = Math.floor((turns.length * (position + 0.5)) / count),
          seat = compared % 2;
        const limits = ["--seat", String(seat), "--nodes", "100000", "--threads", "1", "--json"];
        const expected = JSON.parse(tensai("replay", "turn", made(file), String(turn), ...limits));
        await seek(page, turn);
        await page.selectOption("#analysisseat", String(seat));
        await page.click("#runanalysis");
        await page.waitForSelector(".chancebar");
        const at = `${file}, turn ${turn}, seat ${seat}`;
        assert.deepEqual(await shownActions(page), bestActions(expected, turns[turn].answers[seat]), at);
      }
    });
  }
  assert.equal(compared, POSITIONS);
});
