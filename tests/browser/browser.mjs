// The browser of the tests: one Chromium for all of them, and a page of its own for each visit.
//
// tests/browser/main.rs makes the pages and sets the variables:
//   TENSAI_CHROMIUM  the program of the browser
//   TENSAI_PAGES     the folder with the pages and what is expected of them
//   TENSAI           the program `tensai`
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

/** Milliseconds that nothing here takes, however busy the machine is: only a hang reaches them. */
export const TIMEOUT = 120_000;

/** Limits of a match that no machine is too busy for. */
export const UNHURRIED = ["--time", "1h", "--turn-time", "10m", "--start-time", "10m"];

/** Milliseconds that no test takes, unless it hangs. */
export const TEST_TIMEOUT = 15 * 60_000;

const tests = [];

/** Adds a test. Two run at a time, as each waits for the browser most of its time. */
export const test = (name, ...rest) => tests.push([name, rest.at(-1), rest.length > 1 ? rest[0] : {}]);

// When all files are loaded.
setImmediate(() =>
  describe("pages in Chromium", { concurrency: 2 }, () => {
    after(async () => (await browser)?.close());
    for (const [name, body, options] of tests) it(name, { timeout: TEST_TIMEOUT, ...options }, body);
  }),
);

/** A variable of the environment, which must be set. */
export function variable(name) {
  const value = process.env[name];
  assert.ok(value, `${name} is not set: run \`cargo test --test browser\`, which sets it`);
  return value;
}

/** A word of a command line. */
export const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;

/**
 * The script of a bot that piles its packs in one corner; after six turns it waits for the file `go`.
 * Until then it runs the shell command `pause` before each answer.
 */
export const pile = (go, pause = ":") => `
  ${quoted(variable("TENSAI"))} --engine random --seed 1 | sed -u '1!s/.*/0 0/' | {
    turn=0
    while read -r line; do
      [ -e ${quoted(go)} ] || ${pause}
      [ $turn -le 6 ] || while [ ! -e ${quoted(go)} ]; do sleep 0.1; done
      echo "$line"
      turn=$((turn + 1))
    done
  }
`;

/** The path of a file in the folder of pages. */
export const made = (name) => path.join(variable("TENSAI_PAGES"), name);

/** A JSON file of the folder of pages. */
export const json = async (name) => JSON.parse(await readFile(made(name), "utf8"));

let browser;

/** The browser, started at the first call. */
function started() {
  // The tests need no sandbox: every page is one that the tests have made.
  browser ??= chromium.launch({
    executablePath: variable("TENSAI_CHROMIUM"),
    chromiumSandbox: false,
    args: ["--disable-gpu"],
    timeout: TIMEOUT,
  });
  return browser;
}

/**
 * Opens an empty page, gives it to `body`, and closes it. Fails if a script of the page has thrown,
 * or if the page has asked for anything but files.
 *
 * `options` are Playwright's of a context; below 600 pixels of width the page is a phone's. A page may
 * also ask `origin`, if it is given. If `TENSAI_SLOWDOWN` is set, scripts run that many times slower,
 * and each request to `origin` waits at random for up to 50 ms times that: no test may depend on the
 * machine's speed, or on the order of answers.
 */
export async function visit({ origin, ...options }, body) {
  const context = await (await started()).newContext({
    viewport: { width: 1280, height: 800 },
    isMobile: (options.viewport?.width ?? 1280) < 600,
    ...options,
  });
  context.setDefaultTimeout(TIMEOUT);
  const page = await context.newPage();
  const { TENSAI_SLOWDOWN } = process.env;
  if (TENSAI_SLOWDOWN) {
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: Number(TENSAI_SLOWDOWN) });
    if (origin) {
      await page.route(`${origin}/**`, async (route) => {
        await setTimeout(Math.random() * 50 * Number(TENSAI_SLOWDOWN));
        // The page may be gone by now.
        await route.continue().catch(() => {});
      });
    }
  }
  const errors = [];
  const requests = new Set();
  page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  page.on("request", (request) => requests.add(request.url()));
  const check = () => assert.deepEqual(errors, [], "a script of the page has thrown");
  try {
    await body(page, check);
    check();
    const isOwn = (url) => /^(file|data|about|blob):/.test(url) || (origin && url.startsWith(`${origin}/`));
    const foreign = [...requests].filter((url) => !isOwn(url));
    assert.deepEqual(foreign, [], "no network is needed");
  } finally {
    await context.close();
  }
}

/** Loads a file of the folder of pages at a fragment, such as `#game=1`, whatever was there before. */
export async function open(page, name, fragment = "") {
  // From elsewhere, as a mere change of the fragment would not load the file.
  await page.goto("about:blank");
  await page.goto(pathToFileURL(made(name)).href + fragment);
}

/**
 * Waits until an expression is true in the page, also across loads of it. The browser evaluates it, as
 * the page's policy forbids the page to.
 */
export async function until(page, expression) {
  const since = Date.now();
  for (let cause; ; await page.waitForTimeout(20)) {
    try {
      if (await page.evaluate(expression)) return;
    } catch (error) {
      cause = error;
    }
    if (Date.now() - since > TIMEOUT) throw new Error(`never true: ${expression}, at ${page.url()}`, { cause });
  }
}

/** The turn and the step that are shown. */
export const PLACE = "[desk.dataset.turn, desk.dataset.step].map(Number)";
