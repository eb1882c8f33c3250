// Headless Chromium under node, driven as a finger and a keyboard do: unlike events that a script makes, these scroll
// and are cancelled as on a phone.
const {spawn} = require("child_process");

/// Starts a browser with a profile in a folder, and returns what drives its page.
module.exports = async (profile) => {
  const browser = spawn("chromium", [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
    `--user-data-dir=${profile}`
  ], {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
  const asked = new Map();
  let text = "", session, count = 0;
  browser.stdio[4].on("data", (piece) => {
    const messages = (text + piece).split("\0");
    text = messages.pop();
    for (const {id, result} of messages.map(JSON.parse))
      if (asked.has(id)) asked.get(id)(result);
  });
  const send = (method, params = {}) => new Promise((done) => {
    asked.set(++count, done);
    browser.stdio[3].write(JSON.stringify({id: count, method, params, sessionId: session}) + "\0");
  });
  const {targetInfos} = await send("Target.getTargets");
  const {targetId} = targetInfos.find(({type}) => type === "page");
  session = (await send("Target.attachToTarget", {targetId, flatten: true})).sessionId;

  await send("Emulation.setFocusEmulationEnabled", {enabled: true});

  const value_of = async (expression) => {
    const {result, exceptionDetails} =
        await send("Runtime.evaluate", {expression, awaitPromise: true, returnByValue: true});
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception.description}`);
    return result.value;
  };
  async function until(expression) {
    for (let i = 0; i < 600; ++i) {
      if (await value_of(expression)) return;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error("in vain: " + expression);
  }
  /// Opens a file in a frame of some size; a phone has fingers.
  async function open(file, {width = 390, height = 844, dark = false}) {
    const phone = width < 600;
    await send(
        "Emulation.setDeviceMetricsOverride", {width, height, deviceScaleFactor: phone ? 2 : 1, mobile: phone});
    await send("Emulation.setTouchEmulationEnabled", {enabled: phone, maxTouchPoints: 2});
    await send(
        "Emulation.setEmulatedMedia",
        {features: [{name: "prefers-color-scheme", value: dark ? "dark" : "light"}]});
    await send("Page.navigate", {url: "file://" + file});
    await until("document.readyState === 'complete'");
  }
  const touch = (type, ...points) =>
      send("Input.dispatchTouchEvent", {type, touchPoints: points.map(([x, y]) => ({x, y}))});
  async function tap([x, y]) {
    await touch("touchStart", [x, y]);
    await touch("touchEnd");
  }
  const key = (name, code, text) =>
      send("Input.dispatchKeyEvent", {type: "keyDown", key: name, text, windowsVirtualKeyCode: code});
  /// The middle of an element, in sight.
  const middle = (found) => value_of(`(() => {
    const element = ${found};
    element.scrollIntoView({block: "center"});
    const {left, top, width, height} = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  })()`);
  return {send, value_of, until, open, touch, tap, key, middle, close: () => browser.kill()};
};
