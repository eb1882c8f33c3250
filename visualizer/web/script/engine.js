// The engine: the program that made the page, as WebAssembly, for runs on the reader's own points. A page without it is
// static. Short work is done at once; long work, in a worker, which can be stopped.

const has_engine = () => typeof make_kdscope_engine === "function";
let engine = null, parts = null;  // the module and what it takes

function unpack(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
}

/// Unpacks and starts the engine once.
async function start_engine() {
  if (engine) return;
  parts = {
    wasmBinary: await unpack(make_kdscope_engine.packed).arrayBuffer(),
    source_texts: await unpack(make_kdscope_engine.source_texts).text()
  };
  engine = await make_kdscope_engine({...parts});
}

/// Returns the text of an engine's answer to the text of a request, as engine.hpp describes both.
function answer_of(from, request) {
  const text = from.stringToNewUTF8(request);
  const answer = from.UTF8ToString(from._kdscope_answer(text));
  from._free(text);
  return answer;
}
const ask_engine = (request, from = engine) => JSON.parse(answer_of(from, JSON.stringify(request)));

// What the worker runs. It has no access to the page.
function serve(make) {
  let started = null;
  onmessage = async (message) => {
    const {parts, request} = message.data;
    if (parts)
      started = make({...parts, progress: (share, what) => postMessage({share, what})});
    else
      postMessage({answer: answer_of(await started, request)});
  };
}

let worker = null, waiting = null;  // for the worker's answer

/// Asks the worker, which keeps runs of its own. `progress(share, what)` is called meanwhile. One request at a time.
function ask_worker(request, progress = () => {}) {
  if (!worker) {
    const script = `"use strict"; const _scriptName = ""; ${answer_of}; (${serve})(${make_kdscope_engine});`;
    worker = new Worker(URL.createObjectURL(new Blob([script], {type: "text/javascript"})));
    worker.postMessage({parts});
    const fail = (words) => waiting && waiting.end({error: words});
    worker.onerror = (event) => fail(`The worker failed: ${event.message}.`);
    worker.onmessage = ({data: {share, what, answer}}) => {
      if (!waiting) return;
      if (answer === undefined)
        waiting.progress(share, what);
      else
        waiting.end(JSON.parse(answer));
    };
  }
  return new Promise((done) => {
    const end = (answer) => {
      waiting = null;
      done(answer);
    };
    waiting = {end, progress};
    worker.postMessage({request: JSON.stringify(request)});
  });
}

/// Ends the worker with what it does and keeps.
function stop_worker() {
  if (worker) worker.terminate();
  worker = null;
  if (waiting) waiting.end({error: "Cancelled."});
}
