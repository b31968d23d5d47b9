// Makes the pictures of the README and of docs/browser.md: `play.png` and `analyse.png` from the offline page
// in the folder of pages, `view.png` from a page of a game that it plays.
// The machine needs a font with Japanese letters.
//
//   .ci/wasm build && tensai dev page target/tensai.wasm -o replays/client.html
//   TENSAI=target/release/tensai TENSAI_PAGES=$PWD/replays TENSAI_CHROMIUM=$(command -v chromium) \
//     node --test tests/browser/pictures.mjs
import { pathToFileURL } from "node:url";
import { made, test, visit } from "./browser.mjs";
import { begin, opened, tensai, turn } from "./serve.mjs";

/** The turn of both pictures. */
const TURN = 22;

test("pictures of a game and of an analysis", async () => {
  const address = pathToFileURL(made("client.html")).href;
  await opened(address, { settings: { "client.nodes": 3_000_000 } }, async (page) => {
    await begin(page, ["level8", "level7"], 12);
    while ((await turn(page)) < TURN) await page.waitForTimeout(20);
    await page.click("#toanalyse");
    await page.evaluate((turn) => {
      const seek = document.getElementById("seek");
      seek.value = turn;
      seek.dispatchEvent(new Event("input"));
    }, TURN);
    await page.click("#runanalysis");
    await page.waitForSelector(".chancebar");
    await page.screenshot({ path: made("analyse.png") });
    await page.click("summary:has-text('Play on')");
    await page.selectOption("#onopponent", "level3");
    await page.click("#playon");
    await page.waitForSelector(".field[data-ready]");
    await page.keyboard.press("h");
    await page.waitForFunction(() => document.getElementById("message").textContent.startsWith("Hint: "));
    await page.screenshot({ path: made("play.png") });
  });
});

test("a picture of two chains on a page of recorded games", async () => {
  const [records, page] = ["view-games", "view.html"].map(made);
  tensai("match", "--a", "level8", "--b", "level7", "--seed", "12", "--records", records);
  tensai("record", "page", records, "-o", page);
  // The page shows its address, which is not to be a folder of the machine that makes the picture.
  const origin = "https://example.org";
  await visit({ origin }, async (view) => {
    await view.route(`${origin}/**`, (route) => route.fulfill({ path: page }));
    // In turn 13 the players make chains of 12 and 11 rounds.
    await view.goto(`${origin}/view.html#game=1&turn=13&step=6`);
    await view.waitForSelector(".chart");
    await view.screenshot({ path: made("view.png") });
  });
});
