// The host, which knows the rules and searches: a server, or a worker of this page with the library
// as WebAssembly. Both take the same methods with the same parameters.

/** @import { Api, ErrorCode } from "../../../target/front/api" */

/** @typedef {Exclude<keyof Api, "error" | "progress">} Method */

/**
 * @typedef {object} RequestOptions
 * @property {(progress: any) => void} [onProgress] takes what the method tells while it runs
 * @property {AbortSignal} [signal]
 */

/**
 * @typedef {object} Host
 * @property {<M extends Method>(
 *   method: M,
 *   params?: Api[M]["params"],
 *   options?: RequestOptions,
 * ) => Promise<Api[M]["result"]>} request
 * @property {(onEvent: (name: string, data: any) => void) => EventSource | null} live the events of a match that runs
 */

/** An error that a host answers; its code is `offline` if the host does not answer. */
export class HostError extends Error {
  /** @param {{ code: ErrorCode | "offline", message: string }} error */
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

/** @param {unknown} reason */
const messageOf = (reason) => (reason instanceof Error ? reason.message : String(reason));

const stopped = () => new HostError({ code: "stopped", message: "stopped" });

/**
 * A line of an answer: what a method tells while it runs, or its end.
 * @typedef {object} Answer
 * @property {unknown} [progress]
 * @property {unknown} [result]
 * @property {{ code: ErrorCode, message: string }} [error]
 */

/**
 * `tensai serve`: a request a method, and lines of JSON as its answer.
 * @implements {Host}
 */
class ServerHost {
  /** @param {{ token: string }} config */
  constructor({ token }) {
    this.token = token;
  }

  /**
   * @template {Method} M
   * @param {M} method
   * @param {Api[M]["params"]} params
   * @param {RequestOptions} options
   * @returns {Promise<Api[M]["result"]>}
   */
  async request(method, params = {}, { onProgress, signal } = {}) {
    /** @type {Answer[]} the last line but those about progress */
    const ends = [];
    const take = (/** @type {string} */ line) => {
      if (!line.trim()) return;
      /** @type {Answer} */
      const answer = JSON.parse(line);
      if (answer.progress !== undefined) onProgress?.(answer.progress);
      else ends.push(answer);
    };
    try {
      const answer = await fetch("/api/" + method, {
        method: "POST",
        body: JSON.stringify(params),
        signal,
        cache: "no-store",
        headers: { "Content-Type": "application/json", "X-Tensai-Token": this.token },
      });
      if (!answer.body) throw new Error("the answer is empty");
      // The types of the two streams differ in the kinds of buffers that they name.
      const decoder = /** @type {ReadableWritablePair<string, Uint8Array<ArrayBuffer>>} */ (new TextDecoderStream());
      const reader = answer.body.pipeThrough(decoder).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const lines = (rest + value).split("\n");
        rest = lines.pop() ?? "";
        lines.forEach(take);
      }
      take(rest);
    } catch (error) {
      if (signal?.aborted) throw stopped();
      throw new HostError({ code: "offline", message: messageOf(error) });
    }
    const last = ends.at(-1);
    if (last?.error) {
      // What the server has stopped by itself was not stopped here.
      const code = last.error.code === "stopped" && !signal?.aborted ? "offline" : last.error.code;
      throw new HostError({ ...last.error, code });
    }
    if (last?.result === undefined) throw new HostError({ code: "offline", message: "the answer is incomplete" });
    // By the method, its result has this type.
    return /** @type {Api[M]["result"]} */ (last.result);
  }

  /** @param {(name: string, data: any) => void} onEvent */
  live(onEvent) {
    const source = new EventSource("/live?token=" + encodeURIComponent(this.token));
    for (const name of ["standing", "game", "turn", "end"]) {
      source.addEventListener(name, (event) => onEvent(name, JSON.parse(event.data)));
    }
    return source;
  }
}

/**
 * Reads base64, of gzip.
 * @param {string} base64
 */
async function unpacked(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * A request, and what takes its answer.
 * @typedef {object} Job
 * @property {number} id
 * @property {Method} method
 * @property {object} params
 * @property {boolean} long whether it may search for long
 * @property {((progress: any) => void) | undefined} onProgress
 * @property {(result: any) => void} resolve
 * @property {(error: HostError) => void} reject
 */

/**
 * The library in a worker, which answers one request at a time. A request that is stopped ends the worker,
 * and the next request starts another one: all methods are without state.
 * @implements {Host}
 */
class WorkerHost {
  /** @param {{ wasm_base64: string, worker: string }} config the library, and the source of the worker */
  constructor({ wasm_base64, worker }) {
    this.source = worker;
    this.wasm = unpacked(wasm_base64);
    /** @type {Worker | null} */
    this.worker = null;
    /** @type {Job[]} */
    this.waiting = [];
    /** @type {Job | null} */
    this.current = null;
    this.count = 0;
  }

  /**
   * @template {Method} M
   * @param {M} method
   * @param {Api[M]["params"]} params
   * @param {RequestOptions} options
   * @returns {Promise<Api[M]["result"]>}
   */
  request(method, params = {}, { onProgress, signal } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(stopped());
        return;
      }
      const long = ["decide", "analyse", "review", "puzzles"].includes(method);
      const job = { id: ++this.count, method, params, long, onProgress, resolve, reject };
      signal?.addEventListener("abort", () => this.stop(job), { once: true });
      // Short requests do not wait behind searches that have not begun.
      const at = long ? -1 : this.waiting.findIndex((other) => other.long);
      if (at < 0) this.waiting.push(job);
      else this.waiting.splice(at, 0, job);
      this.next();
    });
  }

  /** @param {Job} job */
  stop(job) {
    if (this.current === job) {
      this.worker?.terminate();
      this.worker = null;
      this.current = null;
    } else if (this.waiting.includes(job)) {
      this.waiting.splice(this.waiting.indexOf(job), 1);
    } else return;
    job.reject(stopped());
    this.next();
  }

  async next() {
    const job = this.current ? null : this.waiting.shift();
    if (!job) return;
    this.current = job;
    const { id, method, params } = job;
    try {
      const wasm = await this.wasm;
      this.worker ??= this.start(wasm);
    } catch (error) {
      this.end(job, () => job.reject(new HostError({ code: "offline", message: messageOf(error) })));
      return;
    }
    if (this.current === job) this.worker.postMessage({ id, method, params });
  }

  /** @param {Uint8Array<ArrayBuffer>} wasm */
  start(wasm) {
    const worker = new Worker(URL.createObjectURL(new Blob([this.source], { type: "text/javascript" })));
    worker.onmessage = ({ data }) => this.heard(data);
    worker.onerror = (event) => {
      worker.terminate();
      this.worker = null;
      const job = this.current;
      if (job)
        this.end(job, () =>
          job.reject(new HostError({ code: "internal", message: event.message || "the worker has failed" })),
        );
    };
    worker.postMessage({ wasm });
    return worker;
  }

  /** @param {Answer & { id: number, broken?: boolean }} data */
  heard({ id, progress, result, error, broken }) {
    const job = this.current;
    if (!job || job.id !== id) return;
    if (broken) {
      // what has failed once may be in any state
      this.worker?.terminate();
      this.worker = null;
    }
    if (progress !== undefined) job.onProgress?.(progress);
    else if (error) this.end(job, () => job.reject(new HostError(error)));
    else this.end(job, () => job.resolve(result));
  }

  /**
   * @param {Job} job
   * @param {() => void} answer
   */
  end(job, answer) {
    if (this.current === job) this.current = null;
    answer();
    this.next();
  }

  live() {
    return null;
  }
}

/**
 * The host of a page whose host knows the rules.
 * @param {{ host: "server", token: string } | { host: "offline", wasm_base64: string, worker: string }} config
 * @returns {Host}
 */
export const connect = (config) => (config.host === "server" ? new ServerHost(config) : new WorkerHost(config));
