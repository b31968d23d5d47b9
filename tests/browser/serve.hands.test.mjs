// The page of `tensai serve` under the hands of a person: keys that are held, clicks that come twice, the
// mouse and the keyboard in turns, a trackpad, texts that mail has wrapped.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { made, test } from "./browser.mjs";
import { begin, choosing, served, saved, turn } from "./serve.mjs";

/** The turns of the game that is played, by its record. */
async function played(page, name) {
  const { turns } = JSON.parse(await readFile(await saved(page, "#save", name), "utf8"));
  return turns.length;
}

/** A point of a field, in cells from its left and its upper edge. */
async function point(page, seat, x, y) {
  const box = await page.locator(`#field${seat}`).boundingBox();
  return [box.x + (box.width * x) / 10, box.y + (box.height * y) / 19];
}

/** Holds a key for `times` repetitions, as the system sends them. */
async function hold(page, key, times) {
  for (let at = 0; at <= times; at++) {
    await page.keyboard.down(key);
    await page.waitForTimeout(30);
  }
  await page.keyboard.up(key);
}

/** Drops the pack in hand, and waits for the next turn. */
async function drop(page) {
  await choosing(page);
  const at = await turn(page);
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction((at) => document.getElementById("turn").textContent === `turn ${at + 1}`, at);
  await choosing(page);
}

/** The controls in sight that something else lies over: what a person clicks at is not what is clicked. */
const covered = (page) =>
  page.evaluate(() => {
    const inSight = (box) =>
      box.width > 0 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
    return [
      ...document.querySelectorAll(
        "button:not(:disabled), select, textarea, input:not([type=radio]):not(:disabled), nav a",
      ),
    ]
      .filter((control) => {
        const box = control.getBoundingClientRect();
        if (!inSight(box) || !control.checkVisibility({ visibilityProperty: true })) return false;
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        // What a list has scrolled out of its box is not in sight.
        for (let around = control.parentElement; around; around = around.parentElement) {
          const edge = around.getBoundingClientRect();
          if (getComputedStyle(around).overflowY !== "visible" && (y < edge.top || y > edge.bottom)) return false;
        }
        const hit = document.elementFromPoint(x, y);
        return hit !== null && !control.contains(hit) && !hit.contains(control);
      })
      .map((control) => control.id || control.textContent);
  });

test("what is shared is copied by a click, and nothing lies over a control", async () => {
  await served({ permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
    await begin(page, ["person", "level1"]);
    await drop(page);
    assert.deepEqual(await covered(page), [], "playing");
    await page.click("#toanalyse");
    for (const tab of ["analysis", "review", "moves", "edit", "share"]) {
      await page.click("#tab-" + tab);
      assert.deepEqual(await covered(page), [], tab);
    }
    for (const kind of ["position", "game"]) {
      await page.click("#share" + kind);
      await page.click(`#link${kind} .copy`);
      await page.waitForFunction(() => document.getElementById("status").textContent === "Copied");
      const text = await page.inputValue(`#link${kind} input`);
      assert.equal(await page.evaluate("navigator.clipboard.readText()"), text);
    }
    assert.deepEqual(await covered(page), [], "shared");
    for (const view of ["watch", "puzzles"]) {
      await page.click(`nav a[href="#${view}"]`);
      assert.deepEqual(await covered(page), [], view);
    }
  });
});

test("a key that is held moves the pack, and drops it once", async () => {
  await served({}, async (page) => {
    await begin(page, ["person", "random"]);
    await choosing(page);
    await hold(page, "ArrowLeft", 6);
    await hold(page, "ArrowDown", 20);
    await choosing(page);
    assert.equal(await turn(page), 1, "the key down");
    await hold(page, " ", 20);
    await choosing(page);
    assert.equal(await turn(page), 2, "the space bar");
    await hold(page, "Enter", 20);
    await choosing(page);
    assert.equal(await turn(page), 3, "Enter");
    const { turns } = JSON.parse(await readFile(await saved(page, "#save", "held.json"), "utf8"));
    assert.equal(turns[0].answers[0], "0 0", "six columns to the left and no further");
    await hold(page, "u", 20);
    await choosing(page);
    assert.equal(await turn(page), 2, "one turn is taken back");
  });
});

test("a double click drops one pack", async () => {
  await served({}, async (page) => {
    const isYours = async () => (await page.title()).startsWith("\u25cf");
    await page.clock.install();
    await begin(page, ["person", "random"]);
    await choosing(page);
    // The page's time stands still but for these steps, however slow the machine is.
    await page.clock.pauseAt(Date.now() + 3_600_000);
    const at = await point(page, 0, 3, 10);
    await page.mouse.click(...at, { clickCount: 3, delay: 5 });
    while (!(await isYours())) await page.clock.runFor(10);
    await page.clock.runFor(100);
    await page.mouse.click(...at);
    await page.clock.runFor(20);
    assert.ok(await isYours(), "a click soon after the new pack is shown drops nothing");
    assert.equal(await turn(page), 1);
    await page.clock.resume();
    await choosing(page);
    assert.equal(await played(page, "clicks.json"), 1);
  });
});

test("the keyboard belongs to the game after a click of the mouse", async () => {
  await served({}, async (page) => {
    await begin(page, ["person", "level1"]);
    await drop(page);
    await drop(page);
    await page.click("#undo");
    await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 1");
    await choosing(page);
    await page.keyboard.press(" ");
    await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 2");
    await choosing(page);
    await page.click("#hint");
    await page.waitForFunction(() => document.getElementById("message").textContent.startsWith("Hint: "));
    await page.keyboard.press(" ");
    await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 3");
    // An arrow steps through the game instead of the tabs.
    await page.click("#toanalyse");
    await page.click("#tab-moves");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.textContent("#turn"), "turn 1");
    assert.equal(await page.getAttribute("#tab-moves", "aria-selected"), "true");
    // The space bar plays.
    await page.click('nav a[href="#watch"]');
    await page.keyboard.press("Home");
    await page.keyboard.press(" ");
    await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 3");
    assert.equal(await page.evaluate("scrollY"), 0);
  });
});

test("while the bot thinks, a choice is taken back and not the turn before it", async () => {
  await served({}, async (page) => {
    await begin(page, ["person", "level1"]);
    await choosing(page);
    assert.ok(await page.isDisabled("#undo"), "nothing has been played");
    for (const at of [0, 1]) {
      await page.route("**/api/decide", () => {}); // no answer
      await page.keyboard.press("ArrowDown");
      await page.waitForSelector("#field0.preview", { state: "detached" });
      if (at === 0) await page.click("#undo:not(:disabled)");
      else await page.keyboard.press("u");
      await choosing(page);
      assert.equal(await turn(page), at);
      await page.unroute("**/api/decide");
      await drop(page);
    }
  });
});

test("a hint stays on the field until the turn is played", async () => {
  await served({}, async (page) => {
    await begin(page, ["person", "level1"]);
    await choosing(page);
    await page.keyboard.press("h");
    await page.waitForSelector("#field0 .cell[data-h]");
    const count = await page.locator("#field0 .cell[data-h]").count();
    for (const x of [1, 5, 9]) await page.mouse.move(...(await point(page, 0, x, 10)));
    assert.equal(await page.locator("#field0 .cell[data-h]").count(), count);
    await page.mouse.click(...(await point(page, 0, 5, 10)));
    await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 1");
    assert.equal(await page.locator("#field0 .cell[data-h]").count(), 0);
    assert.equal(await page.textContent("#side0 .columns"), "0123456789");
  });
});

test("the contest's clock warns, and gives no time back", async () => {
  await served({}, async (page) => {
    await page.clock.install();
    await page.click("#options summary");
    await page.selectOption("#clock", "contest");
    await begin(page, ["person", "person"]);
    for (const seat of [0, 1]) await page.waitForSelector(`#field${seat}.preview`);
    await page.clock.runFor(13_000);
    await page.waitForFunction(() =>
      /^[1-7] s for this turn$/.test(document.querySelector("#side0 .state.urgent")?.textContent),
    );
    // Another view and back.
    await page.click('nav a[href="#watch"]');
    await page.click('nav a[href="#play"]');
    for (const seat of [0, 1]) await page.waitForSelector(`#field${seat}.preview`);
    await page.clock.runFor(8_000);
    await page.waitForSelector("#message.big");
    assert.match(await page.textContent("#message"), /20 seconds of a turn ran out/);
    assert.match(await page.textContent("#side0 .clock"), /^2:(39|40)\.\d$/);
  });
});

test("a long message moves nothing", async () => {
  for (const width of [1280, 820, 390, 320]) {
    await served({ viewport: { width, height: 844 } }, async (page) => {
      const places = () =>
        page.evaluate(() =>
          ["field0", "field1"].map((id) => Math.round(document.getElementById(id).getBoundingClientRect().left)),
        );
      const before = await places();
      await page.evaluate(() => {
        document.getElementById("status").textContent = "A long message about a file. ".repeat(12);
      });
      assert.deepEqual(await places(), before, `${width} pixels`);
      for (const view of ["watch", "analyse"]) {
        await page.evaluate((view) => {
          location.hash = "#" + view;
        }, view);
        await page.waitForFunction(
          (view) => document.body.dataset.mode === view && document.querySelector("#panel .card"),
          view,
        );
        const wide = await page.evaluate("document.documentElement.scrollWidth");
        assert.ok(wide <= width, `${view} is ${wide} pixels wide on ${width}`);
      }
    });
  }
});

test("a drag paints each cell that it enters, and is taken back", async () => {
  await served({ fragment: "#analyse" }, async (page) => {
    await page.click("#tab-edit");
    await page.click("text=Clear left");
    const column = (x) =>
      page.evaluate(
        (x) =>
          [...document.querySelectorAll("#field0 > .cell")]
            .filter((_, at) => at % 10 === x)
            .map((cell) => cell.dataset.c)
            .join("")
            .replaceAll(".", ""),
        x,
      );
    await page.mouse.move(...(await point(page, 0, 2.5, 18.5)));
    await page.mouse.down();
    for (const y of [17.5, 16.5, 15.5]) await page.mouse.move(...(await point(page, 0, 2.5, y)), { steps: 3 });
    await page.mouse.up();
    assert.equal(await column(2), "1111");
    // A 9 beside a 1: both would vanish at once.
    assert.ok(await page.isHidden("#unstable"));
    await page.locator(".palette label").nth(8).click();
    await page.mouse.click(...(await point(page, 0, 3.5, 18.5)));
    assert.ok(await page.isVisible("#unstable"));
    assert.ok((await page.locator("#field0 .cell[data-m]").count()) >= 2);
    // Another tab keeps the drawing.
    await page.click("#tab-moves");
    await page.click("#tab-edit");
    assert.equal(await column(3), "9");
    await page.click("#editundo");
    assert.equal(await column(3), "");
    assert.equal(await column(2), "1111");
    await page.keyboard.press("u");
    assert.equal(await column(2), "");
  });
});

test("a swipe on a trackpad turns once, notches of a wheel turn each, and Ctrl zooms", async () => {
  await served({}, async (page) => {
    await begin(page, ["person", "level1"]);
    await choosing(page);
    const rotation = () =>
      page.evaluate(() => /rotation (\d)/.exec(document.getElementById("announcement").textContent)?.[1]);
    await page.mouse.move(...(await point(page, 0, 2, 10)));
    /** Sends events of a wheel, each a pair of milliseconds and of pixels, and returns how many were used. */
    const wheel = (events, ctrlKey = false) =>
      page.evaluate(
        ([events, ctrlKey]) =>
          events.map(([at, deltaY]) => {
            const event = new WheelEvent("wheel", { deltaY, ctrlKey, bubbles: true, cancelable: true });
            Object.defineProperty(event, "timeStamp", { value: at });
            document.getElementById("field0").dispatchEvent(event);
            return event.defaultPrevented;
          }),
        [events, ctrlKey],
      );
    const swipe = [...Array(60).keys()].map((at) => [10_000 + 12 * at, at < 20 ? 2 + 2 * at : 60 - at]);
    await wheel(swipe);
    assert.equal(await rotation(), "1", "a swipe of 0.7 seconds with its momentum");
    await wheel([
      [20_000, 120],
      [20_100, 120],
    ]);
    assert.equal(await rotation(), "3", "two notches");
    assert.deepEqual(await wheel([[30_000, 120]], true), [false], "the browser zooms");
    assert.equal(await rotation(), "3");
  });
});

test("a shared text is read as people pass it on", async () => {
  await served({}, async (page) => {
    await begin(page, ["person", "level1"]);
    for (let at = 0; at < 3; at++) await drop(page);
    await page.click("#toanalyse");
    await page.click("#tab-share");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await page.textContent("#turn"), "turn 2");
    await page.click("#sharegame");
    const text = await page.inputValue("#linkgame input");
    const half = Math.floor(text.length / 2);
    for (const passed of [
      `Look at this: ${text}.`,
      `<${text}>`,
      `https://example.org/page.html${text}&fbclid=IwAR0`,
      `> ${text.slice(0, half)}\n> ${text.slice(half)}\n`,
      `  ${text.slice(0, half)}=\n${text.slice(half)}`.replace("=\n", "\n  "),
    ]) {
      await page.fill("#sharedtext", passed);
      await page.click("#openshared");
      await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 2");
      await page.waitForSelector("#linkgame:empty", { state: "attached" });
      assert.equal(await page.locator("#status.error").count(), 0, passed);
      await page.keyboard.press("End");
      assert.equal(await page.textContent("#turn"), "turn 3", passed);
      await page.click("#sharegame");
      await page.waitForSelector("#linkgame input");
    }
  });
});

test("opened games and their reviews are there at the next visit, and are closed by hand", async () => {
  await served({ fragment: "#watch", settings: { "client.reviewnodes": 20_000 } }, async (page) => {
    const texts = await Promise.all(["games/0001.json"].map((name) => readFile(made(name), "utf8")));
    const record = JSON.parse(texts[0]);
    record.turns = record.turns.slice(0, 6);
    record.result = { verdict: "draw", scores: [0, 0] };
    for (const text of [texts[0], JSON.stringify(record)]) {
      const count = await page.locator("#gamelist li").count();
      await page.fill("#pasted", text);
      await page.click("#openpasted");
      await page.waitForFunction((count) => document.querySelectorAll("#gamelist li").length === count + 1, count);
    }
    await page.click("#gamelist li:nth-child(2) .link");
    await page.click("#toanalyse");
    await page.click("#tab-review");
    await page.click("#runreview");
    await page.waitForSelector("#stopreview", { state: "detached" });
    const counts = await page.textContent(".counts");
    await page.click('nav a[href="#watch"]');
    await page.reload();
    await page.waitForSelector("#gamelist li:nth-child(2)");
    await page.click("#gamelist li:nth-child(2) .link");
    await page.click("#toanalyse");
    await page.click("#tab-review");
    assert.equal(await page.textContent(".counts"), counts);
    await page.click('nav a[href="#watch"]');
    await page.click("#gamelist li:nth-child(1) .close");
    assert.equal(await page.locator("#gamelist li").count(), 1);
    await page.reload();
    await page.waitForSelector("#gamelist li");
    assert.equal(await page.locator("#gamelist li").count(), 1);
  });
});

test("a person chooses other keys, is told of a conflict, and gets the standard ones back", async () => {
  await served({}, async (page) => {
    await begin(page, ["person", "random"]);
    await choosing(page);
    await page.click("#changekeys");
    const choose = async (id, key) => {
      await page.click(`#key-${id}`);
      await page.keyboard.press(key);
    };
    await choose("one-drop", "j");
    await choose("one-left", "k");
    await choose("one-right", "J");
    assert.match(await page.textContent("#controlsmessage"), /^j is already the key of: drop \(Your pack\)/);
    await page.keyboard.press("t");
    assert.match(await page.textContent("#controlsmessage"), /^t has another meaning/);
    // Escape ends the choice, and not the dialog.
    await page.keyboard.press("Escape");
    assert.ok(await page.isVisible("#controls"));
    await page.click("#closecontrols");
    assert.equal(await turn(page), 0, "keys in the dialog are not played");
    assert.match(await page.textContent(".keyscard"), /j\s*drop/);
    await page.reload();
    await begin(page, ["person", "random"]);
    await choosing(page);
    await hold(page, "k", 6);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("j");
    await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 1");
    await choosing(page);
    const { turns } = JSON.parse(await readFile(await saved(page, "#save", "other-keys.json"), "utf8"));
    assert.deepEqual(
      turns.map(({ answers }) => answers[0]),
      ["0 0"],
      "k moves and is held, j drops, and the key down does nothing any more",
    );
    await page.click("#changekeys");
    await page.click("#resetkeys");
    await page.click("#closecontrols");
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 2");
  });
});

/** A finger on the field of a page: draws it over points of the field in cells, `ms` milliseconds in all. */
async function finger(page) {
  const session = await page.context().newCDPSession(page);
  let now = 0;
  return async (points, ms) => {
    const places = [];
    for (const [x, y] of points) places.push(await point(page, 0, x, y));
    const send = (type, place) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: place ? [{ x: place[0], y: place[1] }] : [],
        timestamp: now,
      });
    // The browser compares the times with those of taps.
    now = Math.max(now + 0.005, Date.now() / 1000);
    await send("touchStart", places[0]);
    for (const place of places.slice(1)) {
      now += ms / 1000 / (places.length - 1);
      await send("touchMove", place);
    }
    await send("touchEnd");
  };
}

test("a flick down drops the pack where it began, once a person has chosen that", async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const down = [8, 10, 12, 14, 16].map((y) => [3, y]);
  await served(phone, async (page) => {
    const stroke = await finger(page);
    await begin(page, ["person", "random"]);
    await choosing(page);
    await stroke(down, 120);
    await page.waitForTimeout(300);
    assert.equal(await turn(page), 0, "not by itself");
  });
  // On a page of its own, as the browser takes no tap for a click that comes soon after a flick.
  await served(phone, async (page) => {
    const stroke = await finger(page);
    await page.tap("#options summary");
    await page.tap("#opencontrols");
    await page.tap("#flick");
    await page.tap("#closecontrols");
    await begin(page, ["person", "random"]);
    await choosing(page);
    await page.evaluate(() => document.getElementById("side0").scrollIntoView());
    await stroke(down, 900);
    await stroke(
      [6, 4, 2].map((x) => [x, 10]),
      120,
    );
    await page.waitForTimeout(300);
    assert.equal(await turn(page), 0, "neither a slow stroke nor one to the side");
    await stroke(
      down.map(([x, y], at) => [x + at / 5, y]),
      120,
    );
    await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 1");
    await choosing(page);
    const { turns } = JSON.parse(await readFile(await saved(page, "#save", "flick.json"), "utf8"));
    assert.equal(turns[0].answers[0], "2 0");
  });
});

test("a second tap on the same column drops the pack, as the page says, until that is switched off", async () => {
  await served({ viewport: { width: 390, height: 844 }, hasTouch: true }, async (page) => {
    await begin(page, ["person", "random"]);
    await choosing(page);
    await page.evaluate(() => document.getElementById("side0").scrollIntoView());
    const tap = async (x) => page.touchscreen.tap(...(await point(page, 0, x, 10)));
    assert.match(await page.textContent("#touchcard"), /tap again\s*drop/);
    await tap(5);
    assert.match(await page.textContent("#status"), /^Tap the same column again to drop the pack/);
    await tap(3);
    await page.waitForTimeout(300);
    assert.equal(await turn(page), 0, "the pack is moved");
    await tap(3);
    await page.waitForFunction(() => document.getElementById("turn").textContent === "turn 1");
    await choosing(page);
    await tap(3);
    await page.waitForTimeout(300);
    assert.equal(await turn(page), 1, "the first tap of a turn chooses");
    // By the list of keys, which speaks of gestures here, a person finds what to change.
    await page.tap("#help");
    assert.ok(await page.isVisible("#gestures"));
    assert.equal(await page.locator("#keys kbd:visible").count(), 0);
    await page.tap("#tocontrols");
    await page.tap("#secondtap");
    await page.tap("#closecontrols");
    await tap(7);
    await tap(7);
    await page.waitForTimeout(300);
    assert.equal(await turn(page), 1);
    const { turns } = JSON.parse(await readFile(await saved(page, "#save", "taps.json"), "utf8"));
    assert.deepEqual(
      turns.map(({ answers }) => answers[0]),
      ["2 0"],
    );
  });
});

test("an error goes with the next action, and what is typed stays while the view is drawn again", async () => {
  await served({ fragment: "#watch" }, async (page) => {
    const error = () => page.locator("#status.error").allTextContents();
    await page.click("#openpasted");
    assert.deepEqual(await error(), ["Paste the text of a game first."]);
    const bytes = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");
    await page.setInputFiles("#files", { name: "photo.png", mimeType: "image/png", buffer: bytes });
    await page.waitForFunction(() => /photo/.test(document.getElementById("status").textContent));
    assert.match((await error())[0], /^photo\.png: This is no game\. The page opens records, official replays/);
    const text = await readFile(made("games/0001.json"), "utf8");
    await page.fill("#pasted", text);
    await page.click("#openpasted");
    await page.waitForSelector("#gamelist li");
    assert.deepEqual(await error(), []);
    await page.click("#toanalyse");
    await page.click("#tab-share");
    await page.click("#openshared");
    await page.waitForSelector("#status.error");
    assert.match((await error())[0], /^This is no shared text/);
    await page.click("#tab-moves");
    assert.deepEqual(await error(), []);
    await page.click("#tab-share");
    await page.fill("#sharedtext", "#g=typed");
    await page.click("#on");
    assert.equal(await page.textContent("#turn"), "turn 1");
    assert.equal(await page.inputValue("#sharedtext"), "#g=typed");
  });
});

test("two tabs keep a game each, and the games that each has opened", async () => {
  await served({}, async (page) => {
    await begin(page, ["person", "level1"]);
    for (let at = 0; at < 2; at++) await drop(page);
    const other = await page.context().newPage();
    await other.goto(page.url().replace(/#.*/, ""));
    await other.waitForSelector("body[data-ready]");
    assert.equal(await other.locator("#resume").count(), 0, "the game of the first tab goes on there");
    await begin(other, ["person", "random"]);
    await drop(other);
    await page.reload();
    await page.click("#resume");
    await choosing(page);
    assert.equal(await turn(page), 2);
    await other.reload();
    await other.click("#resume");
    await choosing(other);
    assert.equal(await turn(other), 1);
    // Games that are watched.
    const text = await readFile(made("games/0001.json"), "utf8");
    await other.click('nav a[href="#watch"]');
    await other.fill("#pasted", text);
    await other.click("#openpasted");
    await other.waitForSelector("#gamelist li");
    await page.reload();
    await other.close();
    await page.reload();
    await page.waitForSelector("body[data-ready]");
    await page.click('nav a[href="#watch"]');
    await page.waitForSelector("#gamelist li");
    assert.equal(await page.locator("#gamelist li").count(), 1);
  });
});
