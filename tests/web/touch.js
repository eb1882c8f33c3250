// Drives a page with its engine as a finger and a keyboard do: node touch.js FILE PROFILE. Unlike events that a script
// makes, these scroll and are cancelled as on a phone. Prints what the page shows as JSON.
const {spawn} = require("child_process");
const [file, profile] = process.argv.slice(2), width = 390, height = 844;
const browser = spawn("chromium", [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
  `--user-data-dir=${profile}`, `--window-size=${width},${height}`
], {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
const asked = new Map();
let text = "", session;
browser.stdio[4].on("data", (piece) => {
  const messages = (text + piece).split("\0");
  text = messages.pop();
  for (const {id, result} of messages.map(JSON.parse))
    if (asked.has(id)) asked.get(id)(result);
});
const send = (method, params = {}) => new Promise((done) => {
  const id = asked.size + 1;
  asked.set(id, done);
  browser.stdio[3].write(JSON.stringify({id, method, params, sessionId: session}) + "\0");
});
const value_of = async (expression) =>
    (await send("Runtime.evaluate", {expression, awaitPromise: true, returnByValue: true})).result.value;
async function until(expression) {
  for (let i = 0; i < 600; ++i) {
    if (await value_of(expression)) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("in vain: " + expression);
}
const touch = (type, ...points) =>
    send("Input.dispatchTouchEvent", {type, touchPoints: points.map(([x, y]) => ({x, y}))});
async function tap([x, y]) {
  await touch("touchStart", [x, y]);
  await touch("touchEnd");
}
/// The middle of an element, in sight.
const middle = (found) => value_of(`(() => {
  const element = ${found};
  element.scrollIntoView({block: "center"});
  const {left, top, width, height} = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
})()`);
const first = (selector) => `document.querySelector('${selector}')`;
async function answer(typed, then) {
  await tap(await middle(first(".question input")));
  await value_of(`${first(".question input")}.select()`);
  await send("Input.insertText", {text: typed});
  await send("Input.dispatchKeyEvent", {type: "keyDown", key: "Enter", text: "\r", windowsVirtualKeyCode: 13});
  await until(`${first(".verdict")}.textContent.includes("${then}")`);
}

(async () => {
  const {targetInfos} = await send("Target.getTargets");
  const {targetId} = targetInfos.find(({type}) => type === "page");
  session = (await send("Target.attachToTarget", {targetId, flatten: true})).sessionId;
  await send("Emulation.setDeviceMetricsOverride", {width, height, deviceScaleFactor: 2, mobile: true});
  await send("Emulation.setTouchEmulationEnabled", {enabled: true, maxTouchPoints: 2});
  await send("Page.navigate", {url: "file://" + file});
  await until("Boolean(window.kdscope)");
  await tap(await middle(first("[aria-label=\"Next stop\"]")));
  await until("kdscope.at() === 0");
  await answer("4", "Not right yet");
  await answer("3", "Right");
  await tap(await middle(first("header button")));
  await until("kdscope.data.own");
  // A point follows the finger, and the page stays where it is.
  const mark = first(".picture [data-id=\"3\"]"), [x, y] = await middle(mark), scrolled = await value_of("scrollY");
  await touch("touchStart", [x, y]);
  for (let i = 1; i <= 8; ++i) await touch("touchMove", [x - 10 * i, y - 12 * i]);
  await touch("touchEnd");
  await until(`(() => {
    const {left, top, width, height} = ${mark}.getBoundingClientRect();
    return Math.hypot(left + width / 2 - ${x - 80}, top + height / 2 - ${y - 96}) < 8;
  })()`);
  const report = {moved: await value_of("kdscope.data.points[3].join()")};
  report.stays = scrolled === await value_of("scrollY");
  await tap(await middle(mark));
  await until(first("[name=remove]"));
  await tap(await middle(first("[name=remove]")));
  await until("kdscope.data.points.length === 9");
  // Choose a search by keys, and place its query.
  await value_of(`${first("[name=search]")}.focus()`);
  await send("Input.dispatchKeyEvent", {type: "keyDown", key: "ArrowDown", windowsVirtualKeyCode: 40});
  await until("kdscope.data.request.search.query");
  const query = await value_of("kdscope.data.request.search.query"), [u, v] = await middle(first("svg.picture"));
  await tap([u + 60, v + 40]);
  await until(`kdscope.data.request.search.query !== "${query}"`);
  report.points = await value_of("kdscope.data.points.length");
  report.found = await value_of(`${first(".words h2")}.textContent`);
  return report;
})().catch((error) => ({error: String(error)})).then((report) => {
  console.log(JSON.stringify(report));
  browser.kill();
});
