// Measures the page: `node --test tests/browser/bench.mjs`, with the variables of browser.mjs, and
// TENSAI_PAGES with `client.html` (main.rs). Nothing is asserted: the figures depend on the machine.
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { made, test } from "./browser.mjs";
import { begin, served, opened, turn } from "./serve.mjs";

/** Milliseconds from the navigation to the first paint. */
const painted = (page) => page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);

/** Milliseconds from a key until the frame in which its effect is shown. */
const pressed = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const begin = performance.now();
        dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }));
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begin)));
      }),
  );

/** The times of a host's page: first paint, a key's effect, and the mean answer of level 8. */
async function measured(name, page) {
  const paint = await painted(page);
  await begin(page, ["person", "level8"], 3);
  await page.waitForSelector(".field[data-ready]");
  const key = await pressed(page);
  await page.click("#new");
  await begin(page, ["level8", "random"], 3);
  const start = performance.now();
  while ((await turn(page)) < 10) await page.waitForTimeout(10);
  const answer = (performance.now() - start) / 10;
  console.log(
    `${name}: first paint ${paint.toFixed(0)} ms, key ${key.toFixed(0)} ms, turn of level 8 ${answer.toFixed(0)} ms`,
  );
}

test("the page of a server", async () => served({}, async (page) => measured("serve", page)));
if (existsSync(made("client.html"))) {
  test("the offline page", async () =>
    opened(pathToFileURL(made("client.html")).href, {}, async (page) => measured("offline", page)));
}
