// Runs the library as WebAssembly: `node run.mjs MODULE`, with a request a line on standard input,
// answers a line each on standard output. src/web/wasm.rs describes what the module exports and imports.
import { readFileSync } from "node:fs";

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const text = (pointer, length) =>
  new TextDecoder().decode(new Uint8Array(tensai.memory.buffer, pointer, length));
const host = {
  now: () => performance.timeOrigin + performance.now(),
  progress: (pointer, length) => JSON.parse(text(pointer, length)),
};
const tensai = new WebAssembly.Instance(module, { host }).exports;

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const request = new TextEncoder().encode(line);
  const pointer = tensai.tensai_request(request.length);
  new Uint8Array(tensai.memory.buffer, pointer, request.length).set(request);
  const begin = performance.now();
  const length = tensai.tensai_handle();
  if (process.env.TENSAI_TIMES) {
    console.error(`${JSON.parse(line).method}: ${(performance.now() - begin).toFixed(1)} ms`);
  }
  console.log(text(tensai.tensai_answer(), length));
}
