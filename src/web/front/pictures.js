// Pictures to pass on: a position as PNG, turns of a game as an animated GIF. A GIF moves wherever
// pictures are shown, which an animated PNG does not.
import { $, element } from "./draw.js";
import { app } from "./app.js";
import { PAUSES } from "./board.js";
import { Painter, SIZE } from "./frames.js";
import { lineOf } from "./timeline.js";
import { button, card, download, labelled, number, row } from "./ui.js";
import { viewer } from "./viewer.js";
import { t } from "./words.js";

/** @import { InputGifFrame as GifFrame } from "../../../target/front/api" */
/** @import { Node, Study } from "./study.js" */
/** A moment of an animation: a step of the turn that leads to `child`, and how long it is shown.
 * @typedef {{ node: Node, child: Node | null, step: number, ms: number }} Moment */
/** Colors, and the index of each color that has been asked for.
 * @typedef {{ colors: number[], known: Map<number, number> }} Palette */

// Turns of one animation: their frames take less than the host accepts.
const MOST_TURNS = 40;

// Milliseconds for which the last moment stays.
const LAST_MS = 2500;

// Frames from which the colors are chosen, and the most colors of a GIF.
const SAMPLES = 12;
const MOST_COLORS = 256;

/**
 * The moments of the turns from one node to another one, which follows it.
 * @param {Node} from
 * @param {Node} to
 */
function momentsOf(from, to) {
  const path = to.path,
    moments = /** @type {Moment[]} */ ([]);
  for (const child of path.slice(path.indexOf(from) + 1)) {
    const { parent: node, shown } = child;
    if (!node || !shown) continue;
    const kinds = /** @type {(keyof typeof PAUSES)[]} */ (["0", ...shown.steps.map(([kind]) => kind)]);
    kinds.forEach((kind, step) => {
      moments.push({ node, child, step, ms: PAUSES[kind] });
    });
  }
  moments.push({ node: to, child: null, step: 0, ms: LAST_MS });
  return moments;
}

/**
 * The colors of some pictures: the most frequent ones, so that all but some edges of numbers are exact.
 * @param {Uint32Array[]} pictures
 * @returns {Palette}
 */
function paletteOf(pictures) {
  const counts = new Map();
  for (const picture of pictures) {
    // Runs of one color are counted at once.
    for (let at = 0, begin = 0; at < picture.length; begin = at) {
      const color = picture[at];
      while (picture[at] === color) at++;
      counts.set(color, (counts.get(color) ?? 0) + at - begin);
    }
  }
  const colors = [...counts.entries()].sort((a, b) => b[1] - a[1]).slice(0, MOST_COLORS);
  return { colors: colors.map(([color]) => color), known: new Map(colors.map(([color], at) => [color, at])) };
}

const channels = (/** @type {number} */ color) => [color & 255, (color >> 8) & 255, (color >> 16) & 255];

/** The index of the color that is most like another one.
 * @param {Palette} palette
 * @param {number} color */
function nearest({ colors, known }, color) {
  const found = known.get(color);
  if (found !== undefined) return found;
  const [red, green, blue] = channels(color);
  let best = 0,
    least = Infinity;
  colors.forEach((other, at) => {
    const [r, g, b] = channels(other);
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < least) [best, least] = [at, distance];
  });
  known.set(color, best);
  return best;
}

/** The index of each pixel's color.
 * @param {Palette} palette
 * @param {Uint32Array} picture */
function indices(palette, picture) {
  const all = new Uint8Array(picture.length);
  for (let at = 0; at < picture.length; at++)
    all[at] = at && picture[at] === picture[at - 1] ? all[at - 1] : nearest(palette, picture[at]);
  return all;
}

/** Base64 of bytes, compressed by zlib.
 * @param {Uint8Array<ArrayBuffer>} bytes */
async function packed(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  const small = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (const byte of small) text += String.fromCharCode(byte);
  return btoa(text);
}

/**
 * The smallest part of a picture that differs from the one before; one pixel if nothing does.
 * @param {Uint8Array} now
 * @param {Uint8Array | null} before
 */
function difference(now, before) {
  const [width, height] = SIZE;
  if (!before) return { left: 0, top: 0, width, height };
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (now[y * width + x] === before[y * width + x]) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  if (bottom < 0) return { left: 0, top: 0, width: 1, height: 1 };
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/**
 * The animation of moments as the bytes of a GIF.
 * @param {Study} study
 * @param {Moment[]} moments
 * @param {AbortSignal} signal
 * @param {(done: number) => void} onProgress
 */
async function animated(study, moments, signal, onProgress) {
  const painter = new Painter(study);
  const [width, height] = SIZE;
  const pixels = (/** @type {Moment} */ { node, child, step }) => {
    painter.draw(node, child, step);
    return new Uint32Array(painter.context.getImageData(0, 0, width, height).data.buffer);
  };
  const stride = Math.max(1, Math.floor(moments.length / SAMPLES));
  const palette = paletteOf(moments.filter((_, at) => at % stride === 0).map(pixels));
  const frames = /** @type {GifFrame[]} */ ([]);
  let before = /** @type {Uint8Array | null} */ (null);
  for (const [at, moment] of moments.entries()) {
    const now = indices(palette, pixels(moment));
    const place = difference(now, before);
    const part = new Uint8Array(place.width * place.height);
    for (let y = 0; y < place.height; y++) {
      const from = (place.top + y) * width + place.left;
      part.set(now.subarray(from, from + place.width), y * place.width);
    }
    frames.push({ ...place, ms: moment.ms, pixels: await packed(part) });
    before = now;
    signal.throwIfAborted();
    onProgress(at + 1);
  }
  const hex = (/** @type {number} */ byte) => byte.toString(16).padStart(2, "0");
  const params = { width, height, palette: palette.colors.flatMap(channels).map(hex).join(""), frames };
  const { base64 } = await app.host.request("gif", params, { signal });
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** The place in a line of the turn with an attack, a chain of three rounds or a skill, that a person looks at: the
 * next one from a place on, or else the last one before it, or else the place itself.
 * @param {Node[]} line
 * @param {number} from */
function attackAt(line, from) {
  const isAttack = (/** @type {Node} */ { shown, actions }) =>
    [0, 1].some((seat) => (shown?.chains[seat] ?? 0) >= 3 || actions[seat] === "S");
  const next = line.findIndex((node, at) => at > from && isAttack(node));
  const found = next < 0 ? line.findLastIndex(isAttack) : next;
  return found < 0 ? from : found - 1;
}

/**
 * Keeps two numbers of turns in order, within their limits and near enough to each other: the one that a person has
 * changed leads, the other one follows. Returns whether anything was changed.
 * @param {HTMLInputElement} changed
 * @param {HTMLInputElement} other
 * @param {number} sign 1 if the other one is the last turn, -1 if it is the first
 */
function ordered(changed, other, sign) {
  const before = [changed.value, other.value];
  const own = number(changed),
    far = own + sign * (MOST_TURNS - 1);
  const [low, high] = sign > 0 ? [own, far] : [far, own];
  changed.value = String(own);
  other.value = String(Math.max(low, Math.min(high, number(other))));
  return changed.value !== before[0] || other.value !== before[1];
}

export const pictures = {
  running: /** @type {AbortController | null} */ (null),

  stop() {
    this.running?.abort();
    this.running = null;
  },

  // Saves the position that is shown.
  async still() {
    const { study } = viewer;
    const painter = new Painter(study, 2);
    painter.draw(study.at);
    /** @type {Blob | null} */
    const blob = await new Promise((resolve) => painter.canvas.toBlob(resolve, "image/png"));
    if (blob) download(`tensai-turn-${study.at.turn}.png`, blob);
  },

  /**
   * Saves the animation of turns, both counted as the page shows them.
   * @param {number} first
   * @param {number} last
   */
  async animate(first, last) {
    this.stop();
    const { study } = viewer,
      line = lineOf(study),
      { turn } = study.root;
    const running = new AbortController();
    this.running = running;
    app.refresh();
    try {
      const moments = momentsOf(line[first - turn], line[last + 1 - turn]);
      const bytes = await animated(study, moments, running.signal, (done) => this.progress(done, moments.length));
      const name = first === last ? `tensai-turn-${first}` : `tensai-turns-${first}-${last}`;
      download(`${name}.gif`, bytes);
      app.say(t("The picture has {} frames and {} KB.", moments.length, Math.ceil(bytes.length / 1000)));
    } catch (error) {
      if (!running.signal.aborted) app.fail(error);
    }
    if (this.running !== running) return;
    this.running = null;
    app.refresh();
  },

  /**
   * @param {number} done
   * @param {number} of
   */
  progress(done, of) {
    const bar = /** @type {HTMLProgressElement | null} */ ($("picturebar"));
    if (bar) Object.assign(bar, { max: of, value: done });
  },

  // The card of the pictures.
  card() {
    const { study } = viewer,
      line = lineOf(study),
      { turn } = study.root,
      at = line.indexOf(study.at),
      last = line.length - 2; // the last place that a turn follows
    const still = button(t("This position (PNG)"), () => this.still(), { id: "savepng" });
    if (last < 0) return card(t("Pictures"), row(still));
    const attack = attackAt(line, Math.min(at, last));
    const input = (/** @type {string} */ id) =>
      element("input", { type: "number", id, min: turn, max: turn + last, value: turn + attack });
    const [first, until] = [input("giffrom"), input("gifto")];
    const limits = () =>
      app.say(t("An animation has 1 to {} turns, from turn {} to turn {}.", MOST_TURNS, turn, turn + last));
    first.addEventListener("change", () => ordered(first, until, 1) && limits());
    until.addEventListener("change", () => ordered(until, first, -1) && limits());
    const start = () => this.animate(number(first), number(until));
    const bar =
      this.running && element("progress", { id: "picturebar", max: 1, value: 0, "aria-label": t("Pictures") });
    const stop = () => {
      this.stop();
      app.refresh();
    };
    return card(
      t("Pictures"),
      row(still),
      row(labelled(t("From turn"), first), labelled(t("to turn"), until)),
      row(
        this.running
          ? button(t("Stop"), stop, { id: "stopgif" })
          : button(t("These turns (GIF)"), start, { id: "savegif" }),
        bar,
      ),
    );
  },
};
