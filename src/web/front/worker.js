// The worker of the offline page: the library as WebAssembly, which answers one request at a time.
//
// The first message is `{ wasm }`, the bytes of the library; each further one is a request `{ id, method, params }`,
// answered by `{ id, progress }` and then one `{ id, result }` or `{ id, error }`.

const utf8 = new TextEncoder(),
  text = new TextDecoder();

/**
 * What the library exports; see `src/web/wasm.rs`.
 * @typedef {object} Library
 * @property {WebAssembly.Memory} memory
 * @property {(length: number) => number} tensai_request
 * @property {() => number} tensai_handle
 * @property {() => number} tensai_answer
 */

/** @typedef {{ id: number, method: string, params: object }} WorkerRequest */

/** @type {Promise<Library> | null} */
let instance = null;
/** @type {number | null} the id of the request that runs */
let current = null;

/**
 * @param {Library} library
 * @param {number} pointer
 * @param {number} length
 */
const read = ({ memory }, pointer, length) => JSON.parse(text.decode(new Uint8Array(memory.buffer, pointer, length)));

/** @param {Uint8Array<ArrayBuffer>} wasm */
const load = async (wasm) => {
  const host = {
    now: () => performance.timeOrigin + performance.now(),
    progress: (/** @type {number} */ pointer, /** @type {number} */ length) =>
      postMessage({ id: current, ...read(library, pointer, length) }),
  };
  const made = await WebAssembly.instantiate(wasm, { host });
  const library = /** @type {Library} */ (/** @type {unknown} */ (made.instance.exports));
  return library;
};

/** @param {WorkerRequest} request */
const handle = async ({ id, method, params }) => {
  try {
    // The library comes with the first message.
    const exports = await /** @type {Promise<Library>} */ (instance);
    const request = utf8.encode(JSON.stringify({ method, params }));
    const pointer = exports.tensai_request(request.length);
    new Uint8Array(exports.memory.buffer, pointer, request.length).set(request);
    current = id;
    const length = exports.tensai_handle();
    postMessage({ id, ...read(exports, exports.tensai_answer(), length) });
  } catch (error) {
    postMessage({
      id,
      error: { code: "internal", message: error instanceof Error ? error.message : String(error) },
      broken: true,
    });
  }
};

self.onmessage = ({ data }) => {
  if (data.wasm) instance = load(data.wasm);
  else handle(data);
};
