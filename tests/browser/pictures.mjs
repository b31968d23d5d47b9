// Makes the pictures of the README and of docs/browser.md, `play.png` and `analyse.png`, from the offline
// page in the folder of pages:
//
//   .ci/wasm build && tensai dev page target/tensai.wasm -o replays/client.html
//   TENSAI_PAGES=$PWD/replays TENSAI_CHROMIUM=$(command -v chromium) node --test tests/browser/pictures.mjs
import { pathToFileURL } from "node:url";
import { made, test } from "./browser.mjs";
import { begin, opened, turn } from "./serve.mjs";

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
