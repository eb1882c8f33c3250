// The engine: the program that made the page, as WebAssembly, for runs on the reader's own points. A page without it is
// static.

const has_engine = () => typeof make_kdscope_engine === "function";
let engine = null;

/// Unpacks and starts the engine once.
async function start_engine() {
  if (engine) return;
  const packed = Uint8Array.from(atob(make_kdscope_engine.packed), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  engine = await make_kdscope_engine({wasmBinary: await new Response(unpacked).arrayBuffer()});
}

/// Returns the answer to a request, as engine.hpp describes both.
function ask_engine(request) {
  const text = engine.stringToNewUTF8(JSON.stringify(request));
  const answer = engine.UTF8ToString(engine._kdscope_answer(text));
  engine._free(text);
  return JSON.parse(answer);
}
