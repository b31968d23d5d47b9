// The page of `tensai serve` in the browser: one server for all tests.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { after } from "node:test";
import { made, TIMEOUT, quoted, variable, visit } from "./browser.mjs";

let address, server;

/** Writes the bot `falls`, which ends in its fourth turn; started again, it plays on. Returns its command. */
async function falling() {
  const [script, fallen] = ["falls.sh", "fallen"].map(made);
  const random = `${quoted(variable("TENSAI"))} --engine random --seed 1`;
  await writeFile(
    script,
    `
    [ ! -e ${quoted(fallen)} ] || exec ${random}
    ${random} | {
      lines=0
      while [ $lines -le 3 ] && read -r line; do
        echo "$line"
        lines=$((lines + 1))
      done
      : > ${quoted(fallen)}
      echo "no beam left" >&2
      exit 3
    }
  `,
  );
  return `cmd=sh ${quoted(script)}`;
}

/** The address of the page, with its token. */
async function started() {
  address ??= (async () => {
    const { XDG_STATE_HOME } = process.env;
    const engine = ["--engine", "name=falls", await falling()];
    server = spawn(variable("TENSAI"), ["serve", "--no-open", "--port", "0", ...engine], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, XDG_STATE_HOME },
    });
    for await (const line of createInterface({ input: server.stdout })) {
      if (line.startsWith("http://")) return line.trim();
    }
    throw new Error("the server has printed no address");
  })();
  return address;
}

after(async () => {
  if (!server || server.exitCode !== null) return;
  server.kill("SIGINT");
  await once(server, "exit");
});

/** Stored settings under which games are shown fast, in English. */
const SETTINGS = { "client.speed": 6, "client.pace": "at once", "client.language": "en", "client.auto": false };

/** Opens the page of `tensai serve` on the server of all tests: see `opened`. */
export const served = async (options, body) => opened(await started(), options, body);

/**
 * Opens the page of `tensai serve` at an address and a fragment, with `settings` beside the default ones.
 * Fails if the page breaks its own content security policy.
 */
export async function opened(address, { settings = {}, fragment = "", ...options }, body) {
  const url = new URL(address);
  await visit(
    {
      origin: url.protocol === "file:" ? undefined : url.origin,
      colorScheme: "light",
      reducedMotion: "reduce",
      ...options,
    },
    async (page, check) => {
      await page.addInitScript(
        (stored) => {
          for (const [key, value] of Object.entries(stored)) {
            if (localStorage.getItem("tensai." + key) === null)
              localStorage.setItem("tensai." + key, JSON.stringify(value));
          }
          globalThis.broken = [];
          addEventListener("securitypolicyviolation", (event) =>
            globalThis.broken.push(event.violatedDirective + " " + event.blockedURI),
          );
        },
        { ...SETTINGS, ...settings },
      );
      await page.goto(address + fragment);
      await page.waitForSelector("body[data-ready]");
      await body(page, check);
      if (!options.bypassCSP) assert.deepEqual(await page.evaluate("broken"), [], "the policy of the page");
    },
  );
}

/** Runs `tensai`, and returns what it prints. */
export function tensai(...args) {
  const { status, stdout, stderr } = spawnSync(variable("TENSAI"), args, { encoding: "utf8", timeout: TIMEOUT });
  assert.equal(status, 0, `${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** Begins a game between two seats, on packs of a seed. */
export async function begin(page, seats, seed = 1) {
  // A page that was loaded again is not ready at once.
  await page.waitForSelector("#options");
  await page.evaluate(() => {
    document.getElementById("options").open = true;
  });
  await page.selectOption("#seat0", seats[0]);
  await page.selectOption("#seat1", seats[1]);
  await page.fill("#seed", String(seed));
  await page.click("#start");
  await page.waitForSelector("#message");
}

/** Waits until a turn is shown. */
export const shows = (page, turn) =>
  page.waitForFunction((turn) => document.getElementById("turn").textContent === `turn ${turn}`, turn);

/** The text of a field, row by row from the bottom. */
export const field = (page, seat) =>
  page.evaluate(
    (seat) => [...document.querySelectorAll(`#field${seat} > .cell`)].map((cell) => cell.dataset.c).join(""),
    seat,
  );

/** Goes to a turn of the game that is shown. */
export async function seek(page, turn) {
  await page.evaluate((turn) => {
    const seek = document.getElementById("seek");
    seek.value = turn;
    seek.dispatchEvent(new Event("input"));
  }, turn);
  await shows(page, turn);
}

/** Drops files on the page, each a name and a text. */
export async function dropFiles(page, files) {
  const transfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const [name, text] of files) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}

/** Opens a record of the folder of pages where games are watched, and analyses one of its turns. */
export async function analysed(page, name, turn) {
  const games = await page.locator("#gamelist li").count();
  await dropFiles(page, [[name, await readFile(made(name), "utf8")]]);
  await page.waitForFunction((games) => document.querySelectorAll("#gamelist li").length > games, games);
  await seek(page, turn);
  await page.click("#toanalyse");
  await page.waitForSelector("#tab-analysis");
}

/** The turn of the game that is played, or `null` once it is over. */
export const turn = (page) =>
  page.evaluate(() => {
    if (document.querySelector("#message.big")) return null;
    return Number(/\d+/.exec(document.getElementById("turn").textContent)[0]);
  });

/** Waits until a person may choose, or the game is over; returns whether it goes on. */
export async function choosing(page) {
  await page.waitForFunction(
    () => document.querySelector("#message.big") || document.querySelector(".field[data-ready]"),
  );
  return (await turn(page)) !== null;
}

/** Saves the game by a button, and returns the path of the file. */
export async function saved(page, button, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  const path = made(name);
  await download.saveAs(path);
  return path;
}

/** The rows of "Best actions" that the page shows: each action with its notes, without its picture, and its value. */
export const shownActions = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("#cards table")[0].tBodies[0].rows].map((row) =>
      [...row.cells].slice(0, 2).map((cell) => {
        const copy = cell.cloneNode(true);
        for (const picture of copy.querySelectorAll("svg")) picture.remove();
        return copy.textContent.trim();
      }),
    ),
  );

// The rows of "Best actions" that the page must show of an analysis: each action with its notes, and its
// value. The chosen action comes first, then the best ones. Only the values of the best, the chosen and
// the played action are no upper bounds.
export function bestActions({ candidates, chosen }, played) {
  const isExact = ({ action }) => [candidates[0].action, chosen, played].includes(action);
  const number = (one) => (Math.abs(one) >= 1e5 ? (one > 0 ? "win" : "loss") : (one > 0 ? "+" : "") + one.toFixed(1));
  const notes = ({ action }) =>
    [action === chosen && "chosen", action === played && "played"].filter(Boolean).join(", ");
  const listed = candidates.filter(({ action }, rank) => rank < 5 || action === chosen || action === played);
  const isChosen = ({ action }) => action === chosen;
  return [...listed.filter(isChosen), ...listed.filter((one) => !isChosen(one))].map((one) => [
    one.action + notes(one),
    (isExact(one) ? "" : "\u2264\u00a0") + number(one.value),
  ]);
}
