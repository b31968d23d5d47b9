// The policy of pages that are files: they run their own script, load nothing, and nothing that stands in
// them as markup runs.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { made, open, test, until, visit } from "./browser.mjs";
import { tensai } from "./serve.mjs";

/** An address of this machine that no page may ask. */
const ELSEWHERE = "http://127.0.0.1:9";

/** Markup as somebody could get it into a page: each part runs a script, or loads something. */
const FOREIGN = `
  <script>globalThis.foreign = "inline"</script>
  <script src="data:text/javascript,globalThis.foreign='data'"></script>
  <script src="${ELSEWHERE}/a.js"></script>
  <img src="${ELSEWHERE}/a.png" onerror="globalThis.foreign = 'handler'">
  <iframe src="${ELSEWHERE}/frame"></iframe>
  <style>h1 { color: rgb(1, 2, 3) !important }</style>
  <link rel="stylesheet" href="${ELSEWHERE}/a.css">
  <p style="color: rgb(1, 2, 3)" id="styled">x</p>
`;

/** Opens a file with foreign markup in its body, and returns the directives that have refused a part of it. */
async function refused(page, name) {
  const html = await readFile(made(name), "utf8");
  const changed = html.replace("<body>", "<body>" + FOREIGN);
  assert.notEqual(changed, html);
  await writeFile(made("foreign.html"), changed);
  await page.addInitScript(() => {
    globalThis.broken = [];
    addEventListener("securitypolicyviolation", (event) => globalThis.broken.push(event.effectiveDirective));
  });
  await open(page, "foreign.html");
  await until(page, "broken.length >= 8");
  assert.equal(await page.evaluate(() => globalThis.foreign), undefined);
  for (const part of ["h1", "#styled"]) {
    assert.notEqual(
      await page.evaluate((part) => getComputedStyle(document.querySelector(part)).color, part),
      "rgb(1, 2, 3)",
    );
  }
  return new Set(await page.evaluate(() => globalThis.broken));
}

const KINDS = ["script-src-elem", "script-src-attr", "img-src", "frame-src", "style-src-elem", "style-src-attr"];

test("a page of games runs its own script alone", async () => {
  await visit({ origin: ELSEWHERE }, async (page) => {
    const found = await refused(page, "games.html");
    for (const kind of KINDS) assert.ok(found.has(kind), `${kind}: ${[...found]}`);
    // The page itself works.
    await open(page, "games.html", "#game=1&turn=2");
    await until(page, "desk.dataset.turn === '2'");
    await page.keyboard.press("End");
    await until(page, "desk.dataset.turn !== '2'");
    assert.deepEqual(await page.evaluate(() => globalThis.broken), [], "its own policy");
  });
});

test("the page of a league runs no script", async () => {
  tensai("league", "init", made("league"));
  tensai("league", "show", made("league"), "--page", made("league.html"));
  await visit({ origin: ELSEWHERE }, async (page) => {
    const found = await refused(page, "league.html");
    for (const kind of KINDS) assert.ok(found.has(kind), `${kind}: ${[...found]}`);
    await open(page, "league.html");
    assert.deepEqual(await page.evaluate(() => globalThis.broken), [], "its own policy");
    assert.notEqual(
      await page.evaluate(() => getComputedStyle(document.querySelector("main")).maxWidth),
      "none",
      "its style is applied",
    );
  });
});

test("what is stored about a page of games is checked", async () => {
  await visit({}, async (page, check) => {
    for (const value of ["", "{}", "-1", "99", "x", "NaN"]) {
      await open(page, "games.html", "#game=1");
      await page.evaluate((value) => {
        for (const key of ["speed", "theme", "language"]) localStorage.setItem("tensai.client." + key, value);
      }, value);
      await open(page, "games.html", "#game=1");
      assert.equal(await page.textContent("#speed"), "1\u00d7", value);
      assert.match(await page.evaluate(() => document.documentElement.dataset.theme), /^(dark|light)$/);
      assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
      check();
    }
  });
});
