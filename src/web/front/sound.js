// Sounds of a game, which the browser makes itself: there are no files. Off until somebody asks for them.
import { memory, oneOf } from "./settings.js";

// Half tones above the first round's tone, a round each: a pentatonic scale, which never sounds wrong.
const SCALE = [0, 2, 4, 7, 9];
const BASE = 262; // hertz: the tone of the first round

/**
 * The frequency of the tone of a round, the first is 1.
 * @param {number} round
 */
function roundTone(round) {
  const at = Math.min(round, 25) - 1;
  return BASE * 2 ** ((12 * Math.floor(at / SCALE.length) + SCALE[at % SCALE.length]) / 12);
}

/**
 * How a tone sounds: seconds, shape, loudness from 0 to 1, seconds until it begins, hertz at its end.
 * @typedef {{ time?: number, shape?: OscillatorType, volume?: number, after?: number, to?: number }} Tone
 */

export const sound = {
  isOn: memory.get("client.sound", oneOf(true, false), false),
  /** @type {AudioContext | null} */
  context: null,

  toggle() {
    this.isOn = !this.isOn;
    memory.set("client.sound", this.isOn);
    if (this.isOn) this.round(1);
  },

  /**
   * A tone that fades out.
   * @param {number} frequency hertz
   * @param {Tone} tone
   */
  tone(frequency, { time = 0.16, shape = "triangle", volume = 0.14, after = 0, to = frequency } = {}) {
    if (!this.isOn) return;
    try {
      const context = this.context ?? new AudioContext();
      this.context = context;
      if (context.state === "suspended") context.resume();
      const begin = context.currentTime + after;
      const source = context.createOscillator(),
        gain = context.createGain();
      source.type = shape;
      source.frequency.setValueAtTime(frequency, begin);
      source.frequency.exponentialRampToValueAtTime(to, begin + time);
      gain.gain.setValueAtTime(volume, begin);
      gain.gain.exponentialRampToValueAtTime(0.001, begin + time);
      source.connect(gain).connect(context.destination);
      source.start(begin);
      source.stop(begin + time);
    } catch {
      // A browser without sound plays on.
      this.isOn = false;
    }
  },

  /**
   * @param {number[]} frequencies
   * @param {Tone} options
   */
  tones(frequencies, options) {
    frequencies.forEach((frequency, at) => this.tone(frequency, { ...options, after: 0.13 * at }));
  },

  drop() {
    this.tone(130, { time: 0.09, shape: "sine", volume: 0.22, to: 70 });
  },
  /** @param {number} number */
  round(number) {
    this.tone(roundTone(number), { time: 0.22 });
  },
  ojama() {
    this.tone(95, { time: 0.22, shape: "square", volume: 0.06, to: 60 });
  },
  skill() {
    this.tone(180, { time: 0.4, shape: "sawtooth", volume: 0.09, to: 50 });
  },
  won() {
    this.tones([1, 3, 4, 6].map(roundTone), { time: 0.3 });
  },
  lost() {
    this.tones(
      [4, 3, 2, 1].map((round) => roundTone(round) / 2),
      { time: 0.32 },
    );
  },

  /**
   * The sound of a step of a turn by its kind.
   * @param {string} kind
   * @param {number} rounds the greater number of rounds of both sides
   * @param {boolean} isSkill
   */
  step(kind, rounds, isSkill) {
    if (kind === "r") this.ojama();
    else if (kind === "d" && isSkill) this.skill();
    else if (kind === "d") this.drop();
    else if (kind === "m" && rounds) this.round(rounds);
  },
};
