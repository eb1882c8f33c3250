// Asks the engine of pages outside of a page: node engine_node.js ENGINE REQUESTS. Requests are lines, and so are the
// answers that it prints.
const fs = require("fs"), vm = require("vm"), zlib = require("zlib");
const [engine_file, request_file] = process.argv.slice(2);
global.require = require;
global.__filename = engine_file;
global.__dirname = require("path").dirname(engine_file);
vm.runInThisContext(fs.readFileSync(engine_file, "utf8"), engine_file);
const unpack = (text) => zlib.gunzipSync(Buffer.from(text, "base64"));
const {packed, source_texts} = make_kdscope_engine;
make_kdscope_engine({wasmBinary: unpack(packed), source_texts: unpack(source_texts).toString()}).then((engine) => {
  for (const line of fs.readFileSync(request_file, "utf8").split("\n").filter(Boolean)) {
    const text = engine.stringToNewUTF8(line);
    fs.writeSync(1, engine.UTF8ToString(engine._kdscope_answer(text)) + "\n");
    engine._free(text);
  }
});
