// The worker of the offline page: the library as WebAssembly, which answers one request at a time.
//
// The first message is `{ wasm }`, the bytes of the library; each further one is a request `{ id, method, params }`,
// answered by `{ id, progress }` and then one `{ id, result }` or `{ id, error }`.

const utf8 = new TextEncoder(),
  text = new TextDecoder();
let instance = null; // a promise of the instance
let current = null; // the id of the request that runs

const read = ({ memory }, pointer, length) => JSON.parse(text.decode(new Uint8Array(memory.buffer, pointer, length)));

const load = async (wasm) => {
  let exports = null;
  const host = {
    now: () => performance.timeOrigin + performance.now(),
    progress: (pointer, length) => postMessage({ id: current, ...read(exports, pointer, length) }),
  };
  ({
    instance: { exports },
  } = await WebAssembly.instantiate(wasm, { host }));
  return exports;
};

const handle = async ({ id, method, params }) => {
  try {
    const exports = await instance;
    const request = utf8.encode(JSON.stringify({ method, params }));
    const pointer = exports.tensai_request(request.length);
    new Uint8Array(exports.memory.buffer, pointer, request.length).set(request);
    current = id;
    const length = exports.tensai_handle();
    postMessage({ id, ...read(exports, exports.tensai_answer(), length) });
  } catch (error) {
    postMessage({ id, error: { code: "internal", message: String(error.message ?? error) }, broken: true });
  }
};

self.onmessage = ({ data }) => {
  if (data.wasm) instance = load(data.wasm);
  else handle(data);
};
