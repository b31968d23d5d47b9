// Exploring a game in the analysis of the page of `tensai serve`: the search that runs by itself, actions
// that are tried on the field, drafts, and links to a turn.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { made, test } from "./browser.mjs";
import { analysed, field, seek, served, shows, tensai } from "./serve.mjs";

/** The middle of a cell of a field on the screen. */
async function place(page, seat, x, y) {
  const box = await page.locator(`#field${seat}`).boundingBox();
  return [box.x + (box.width * (x + 0.5)) / 10, box.y + (box.height * (18.5 - y)) / 19];
}

/** The cells of a field that are marked for the best action, each as column, row and block. */
const marked = (page, seat) =>
  page.evaluate(
    (seat) =>
      [...document.querySelectorAll(`#field${seat} > .cell`)].flatMap((cell, at) =>
        cell.dataset.g ? [`${at % 10} ${Math.floor(at / 10)} ${cell.dataset.g}`] : [],
      ),
    seat,
  );

test("a turn is analysed by itself, and its best action and its chance are on the fields", async () => {
  const settings = { "client.auto": true, "client.nodes": 100_000 };
  await served({ fragment: "#watch", settings }, async (page) => {
    await analysed(page, "games/0001.json", 3);
    await page.waitForSelector(".chancebar");
    // Another turn has another analysis; the one before is kept.
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector(".chancebar", { state: "detached" });
    await page.waitForSelector(".chancebar");
    await page.keyboard.press("ArrowLeft");
    await page.waitForSelector(".chancebar");
    assert.equal(await page.locator("#stopanalysis").count(), 0, "it is not searched again");
    const path = made("games/0001.json");
    const limits = ["--nodes", "100000", "--threads", "1", "--json"];
    const { chosen } = JSON.parse(tensai("replay", "turn", path, "3", ...limits));
    const best = page.locator("#cards tbody button.action").first();
    const [heard] = (await best.ariaSnapshot()).split("\n");
    assert.equal(heard, `- button "${words(chosen)} ${chosen}":`);
    // The best action is marked on the field of its player, and its blocks are those of the pack.
    await page.waitForSelector("#field0 > [data-g]");
    const pack = JSON.parse(await readFile(path, "utf8")).packs[3];
    const cells = await marked(page, 0);
    assert.equal(cells.length, [...JSON.stringify(pack)].filter((digit) => /[1-9]/.test(digit)).length);
    const column = Number(chosen.split(" ")[0]);
    assert.ok(
      cells.every((cell) => [column, column + 1].includes(Number(cell[0]))),
      cells.join(),
    );
    assert.deepEqual(await marked(page, 1), []);
    // The bar says how likely the left player wins, also in words.
    const [percent] = /\d+/.exec(await page.textContent("#panel .big"));
    assert.equal(await page.textContent("#evaluation"), percent);
    const name = await page.textContent("#side0 .who b");
    const said = await page.getAttribute("#evaluation", "aria-label");
    assert.equal(said, `win probability of ${name}: ${percent}\u00a0%`);
    await page.selectOption("#analysisseat", "1");
    await page.waitForSelector("#panel .big");
    // A step of the turn shows other fields, so nothing is marked there.
    await page.keyboard.press(".");
    await page.waitForSelector("[data-g]", { state: "detached" });
    await page.keyboard.press(",");
    await page.waitForSelector("#field1 > [data-g]");
    // A deeper search on demand.
    await page.click("#deeper");
    await page.waitForFunction(() => document.querySelector("#panel").textContent.includes("500,000 drops"));
    // It stops by one click, which is remembered.
    await page.uncheck("#auto");
    await page.uncheck("#showbest");
    assert.equal(await page.locator("[data-g]").count(), 0);
    await page.reload();
    await page.waitForSelector("#tab-analysis");
    assert.equal(await page.isChecked("#auto"), false);
    assert.equal(await page.isChecked("#showbest"), false);
  });
});

const words = (action) => {
  const [column, rotation] = action.split(" ");
  return `column ${column}, rotation ${rotation}`;
};

test("a search that runs by itself stops when its turn or the view is left", async () => {
  await served({ fragment: "#watch", settings: { "client.auto": true } }, async (page) => {
    // A search that never ends, however fast the machine is.
    await page.route("**/api/analyse", () => {});
    await analysed(page, "games/0001.json", 3);
    for (const leave of [() => page.keyboard.press("ArrowRight"), () => page.click("text=Watch")]) {
      await page.waitForSelector("#stopanalysis");
      const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/api/analyse"));
      await leave();
      await failed;
    }
    assert.equal(await page.locator("[data-g]").count(), 0);
    assert.equal(await page.isVisible("#evaluation"), false);
  });
});

test("an action is tried on the field by the mouse, and becomes a variation", async () => {
  await served({ fragment: "#watch" }, async (page) => {
    await analysed(page, "games/0001.json", 5);
    const before = await field(page, 0);
    const played = JSON.parse(await readFile(made("games/0001.json"), "utf8")).turns[5].answers[0];
    // To a column where it was not dropped.
    const column = played.startsWith("1 ") ? 7 : 1;
    await page.mouse.move(...(await place(page, 0, column, 12)));
    await page.waitForSelector("#field0.preview[data-ready]");
    await page.mouse.move(...(await place(page, 0, column + 0.6, 12)));
    assert.notEqual(await field(page, 0), before, "the pack is shown where it lands");
    const turned = await field(page, 0);
    await page.mouse.wheel(0, 120);
    await page.waitForFunction(
      (turned) => [...document.querySelectorAll("#field0 > .cell")].map((cell) => cell.dataset.c).join("") !== turned,
      turned,
    );
    // Arrows still step through the game, and the pack of the other turn is in hand.
    await page.keyboard.press("ArrowRight");
    await shows(page, 6);
    await page.keyboard.press("ArrowLeft");
    await shows(page, 5);
    await page.waitForSelector("#field0.preview[data-ready]");
    // Where the pointer leaves the field, the pack is laid back.
    await page.mouse.move(5, 5);
    await page.waitForSelector("#field0.preview", { state: "detached" });
    assert.equal(await field(page, 0), before);
    await page.mouse.move(...(await place(page, 0, column, 12)));
    await page.waitForSelector("#field0.preview[data-ready]");
    await page.mouse.move(...(await place(page, 0, column + 0.5, 12)));
    const tried = await field(page, 0);
    await page.mouse.click(...(await place(page, 0, column + 0.5, 12)));
    await shows(page, 6);
    // The next pack is in hand at once, so that a line is clicked through.
    await page.waitForSelector("#field0.preview[data-ready]");
    await page.mouse.click(...(await place(page, 0, 4.5, 12)));
    await shows(page, 7);
    await page.mouse.move(5, 5);
    await page.click("#tab-moves");
    assert.equal(await page.locator(".tree .variation").count(), 1);
    const line = await page.locator(".variation .move").allTextContents();
    assert.equal(line.length, 2);
    assert.match(line[0], new RegExp(`^5\\. .*${column} \\d / `));
    // The actions are drawn, too: two a turn.
    assert.equal(await page.locator(".variation .action-image").count(), 4);
    assert.equal(await page.locator("#status.error").count(), 0);
    assert.notEqual(tried, before);
  });
});

test("an action is tried by keys and by touch", async () => {
  await served({ fragment: "#watch" }, async (page) => {
    await analysed(page, "games/0001.json", 5);
    await page.keyboard.press("a");
    await page.waitForSelector("#field0[data-ready]");
    // All keys of a game move the pack now; Escape lays it back.
    await page.keyboard.press("ArrowLeft");
    assert.equal(await page.textContent("#turn"), "turn 5");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".field.preview").count(), 0);
    await page.keyboard.press("d");
    await page.waitForSelector("#field0[data-ready]");
    await page.keyboard.press("ArrowDown");
    await shows(page, 6);
  });
  await served({ fragment: "#watch", hasTouch: true, viewport: { width: 390, height: 844 } }, async (page) => {
    await analysed(page, "games/0001.json", 5);
    await page.locator("#field1").scrollIntoViewIfNeeded();
    await page.touchscreen.tap(...(await place(page, 1, 6, 8)));
    await page.waitForSelector("#field1[data-ready]");
    await page.tap("#turnright");
    await page.tap("#dropit");
    await shows(page, 6);
    assert.equal(await page.locator("#status.error").count(), 0);
  });
});

test("the panel of an analysis fits the window, and parts that are opened stay open", async () => {
  await served({ fragment: "#watch", settings: { "client.nodes": 100_000 } }, async (page) => {
    await analysed(page, "games/0001.json", 12);
    await page.click("#runanalysis");
    await page.waitForSelector(".chancebar");
    const [content, room] = await page.evaluate(() => {
      const { scrollHeight, clientHeight } = document.getElementById("panel");
      return [scrollHeight, clientHeight];
    });
    // An action that was played may be a row more, the sentence about the choice two lines, and the words
    // under the chosen action one.
    assert.ok(content <= room + 70, `${content} px of content in ${room} px`);
    await page.click("summary:has-text('Triggers')");
    await page.waitForSelector("#shownotes");
    await page.keyboard.press("ArrowRight");
    await page.click("#runanalysis");
    await page.waitForSelector(".chancebar");
    assert.ok(await page.isVisible("#shownotes"), "it stays open at another turn");
    await page.reload();
    await page.waitForSelector("#tab-analysis");
    await page.click("#runanalysis");
    await page.waitForSelector(".chancebar");
    assert.ok(await page.isVisible("#shownotes"), "it stays open at the next visit");
  });
});

test("a link opens at its turn, also in a variation", async () => {
  await served({ fragment: "#watch" }, async (page) => {
    await analysed(page, "games/0001.json", 5);
    // A variation of two turns of the left player.
    await page.keyboard.press("a");
    for (const turn of [6, 7]) {
      await page.waitForSelector("#field0[data-ready]");
      await page.keyboard.press("ArrowDown");
      await shows(page, turn);
    }
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowLeft");
    await shows(page, 6);
    const fields = [await field(page, 0), await field(page, 1)];
    await page.click("#tab-share");
    await page.click("#sharegame");
    const text = await page.inputValue("#linkgame input");
    assert.match(text, /^#g=[\w-]+&t=6$/);
    await served({ fragment: text }, async (other) => {
      assert.equal(await other.textContent("#turn"), "turn 6");
      for (const seat of [0, 1]) assert.equal(await field(other, seat), fields[seat]);
      assert.equal(await other.getAttribute("#seek", "max"), "7", "the whole line was shared");
    });
    // Mail escapes and decorates it, and a game has no turn 900.
    for (const [passed, turn] of [
      [`<${text.replace("&", "&amp;")}>.`, 6],
      [`${text}&fbclid=x`, 6],
      [text.replace("t=6", "t=900"), 0],
    ]) {
      await seek(page, 3);
      await page.fill("#sharedtext", passed);
      await page.click("#openshared");
      await shows(page, turn);
    }
  });
});

test("a draft stays with its turn, and all of its changes are taken back", async () => {
  await served({ fragment: "#watch" }, async (page) => {
    await analysed(page, "games/0001.json", 5);
    await page.click("#tab-edit");
    const before = await field(page, 0);
    await page.locator(".palette label").nth(9).click();
    await page.mouse.click(...(await place(page, 0, 3, 10)));
    const drawn = await field(page, 0);
    assert.notEqual(drawn, before);
    await page.fill("#stock0", "123");
    // Other tabs and other turns show the game; the draft is there again.
    await page.click("#tab-moves");
    assert.equal(await field(page, 0), before);
    await page.keyboard.press("ArrowRight");
    await shows(page, 6);
    await page.click("#tab-edit");
    await page.click("#tab-analysis");
    await page.keyboard.press("ArrowLeft");
    await shows(page, 5);
    await page.click("#tab-edit");
    assert.equal(await field(page, 0), drawn);
    assert.equal(await page.inputValue("#stock0"), "123");
    // A number is one change, a block another one.
    await page.click("#editundo");
    assert.notEqual(await page.inputValue("#stock0"), "123");
    assert.equal(await field(page, 0), drawn);
    await page.click("#editundo");
    assert.equal(await field(page, 0), before);
  });
});
