// Beside the opponent's field: the attack that it can make within three turns, and the ojama that will fall on
// the person.
import { $, element } from "./draw.js";
import { app } from "./app.js";
import { memory, oneOf } from "./settings.js";
import { t } from "./words.js";

/** @import { Analysis, AttackLine, PositionData } from "../../../target/front/api" */

// Simulated drops of the search: it takes some hundredths of a second.
const NODES = 5_000;
// The turns within which attacks are shown.
const TURNS = 3;
// Ojama that fall in a turn: a row.
const ROW = 10;

/**
 * When something happens, in words; 0 is this turn.
 * @param {number} ahead
 */
const when = (ahead) => (ahead === 0 ? t("this turn") : ahead === 1 ? t("next turn") : t("in {} turns", ahead));

/** @param {number} count */
const rowsOf = (count) => (count === 1 ? t("1 row") : t("{} rows", count));

/**
 * What an attack sends, in words.
 * @param {AttackLine | null} attack
 * @param {number} turn
 */
function attackText(attack, turn) {
  if (!attack) return t("Can send nothing within {} turns", TURNS);
  const rows = Math.floor(attack.sent / ROW);
  const amount = rows ? rowsOf(rows) : t("{} ojama", attack.sent);
  return t("Can send {} {} (chain {})", amount, when(attack.turn - turn), attack.chain);
}

/**
 * What will fall on the person, in words; empty if nothing is there.
 * @param {number} stock
 */
function fallText(stock) {
  const rows = Math.floor(stock / ROW);
  if (rows === 0) return stock ? t("{} ojama wait for you: not a row yet", stock) : "";
  return rows === 1 ? t("1 row falls on you this turn") : t("{} rows fall on you, one a turn", rows);
}

/** The best attack within the turns that are shown. @param {AttackLine[]} attacks @param {number} turn */
function best(attacks, turn) {
  const near = attacks.filter((attack) => attack.sent > 0 && attack.turn < turn + TURNS);
  return near.reduce(
    (most, one) => (most === null || one.sent > most.sent ? one : most),
    /** @type {AttackLine | null} */ (null),
  );
}

export const reach = {
  isOn: memory.get("client.reach", oneOf(true, false), true),
  /** @type {AbortController | null} the search that runs */
  running: null,

  /** @param {boolean} isOn */
  set(isOn) {
    this.isOn = isOn;
    memory.set("client.reach", isOn);
    if (!isOn) this.clear();
  },

  // The place of the texts, at the field of a seat.
  /** @param {number} seat */
  slot(seat) {
    let slot = $("reach");
    if (!slot) {
      slot = element("p", { id: "reach" });
      $("side" + seat).append(slot);
    }
    slot.dataset.seat = String(seat);
    slot.hidden = false;
    return slot;
  },

  /**
   * Shows what a position threatens the person at `seat` with. The search ends at `stop`.
   * @param {PositionData} position
   * @param {number} seat
   */
  async show(position, seat) {
    this.stop();
    if (!this.isOn) return;
    const opponent = 1 - seat;
    const falls = fallText(position.players[seat].stock ?? 0);
    const slot = this.slot(opponent);
    const write = (/** @type {string} */ text) => {
      slot.textContent = [text, falls].filter(Boolean).join(" \u00b7 ");
    };
    write("\u2026");
    const running = new AbortController();
    this.running = running;
    try {
      const params = { position, seat: opponent, nodes: NODES, lines: 0 };
      /** @type {Analysis} */
      const analysis = await app.host.request("analyse", params, { signal: running.signal });
      if (this.running === running) write(attackText(best(analysis.attacks[0], position.turn), position.turn));
    } catch {
      // It is an aid: the game goes on without it.
      if (this.running === running) write("");
    }
    if (this.running === running) this.running = null;
  },

  // Ends the search; what is known stays.
  stop() {
    this.running?.abort();
    this.running = null;
  },

  clear() {
    this.stop();
    const slot = $("reach");
    if (!slot) return;
    slot.replaceChildren();
    slot.hidden = true;
  },
};
