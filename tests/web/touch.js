// Drives a page with its engine by touch and by keys: node touch.js FILE PROFILE. Prints what the page shows as JSON.
const [file, profile] = process.argv.slice(2);
const first = (selector) => `document.querySelector('${selector}')`;

require("./chromium.js")(profile).then(async ({send, value_of, until, open, touch, tap, key, middle, close}) => {
  const enter = () => key("Enter", 13, "\r"), type = (text) => send("Input.insertText", {text});
  const press = async (selector) => tap(await middle(first(selector)));
  async function answer(typed, then) {
    await press(".question input");
    await value_of(`${first(".question input")}.select()`);
    await type(typed);
    await enter();
    await until(`${first(".verdict")}.textContent.includes("${then}")`);
  }

  /// Performs a step: the first cell is wrong, then right; keys write the others. What is typed and what was found stay
  /// in sight.
  async function perform() {
    const inputs = "document.querySelectorAll('.kernel input')", verdict = first(".kernel .verdict");
    const in_sight = (found) => value_of(`(() => {
      const {top, bottom} = ${found}.getBoundingClientRect();
      return top >= 0 && bottom <= document.querySelector("nav").getBoundingClientRect().top;
    })()`);
    await press(".own-panel [name=kernel]");
    await until(first(".kernel"));
    const report = {cells: await value_of(`${inputs}.length`)};
    await press(".kernel input");
    await type("77777");
    await enter();
    await until(`${verdict}.textContent.includes("77777")`);
    // Who types again replaces what is wrong.
    report.selected = await value_of(`${inputs}[0].selectionEnd === 5 && document.activeElement === ${inputs}[0]`);
    await press(".kernel [name=hint]");
    await until(first(".kernel .hint"));
    report.hinted = await in_sight(first(".kernel .hint")) && await in_sight(verdict);
    await value_of(`${inputs}[1].focus()`);
    await type("5");
    await key("Escape", 27);
    report.kept = await value_of(`${inputs}[1].value === "5" && document.activeElement === ${inputs}[1]`);
    // Ranks of the coordinates, equal ones by index
    const points = await value_of("kdscope.data.points");
    const rank = (i, d) => points.filter((p, k) => p[d] < points[i][d] || (p[d] === points[i][d] && k < i)).length;
    await value_of(`${inputs}[0].select()`);
    for (const text of points.flatMap((_, i) => [rank(i, 0), rank(i, 1)])) {
      await type(String(text));
      await key("Tab", 9);
      await value_of("document.activeElement.select && document.activeElement.select()");
    }
    await press(".kernel .main");
    report.complete = await value_of(`${inputs}.length === 0`);
    if (!report.complete) report.said = await value_of(`${verdict}.textContent`);
    await press(".kernel .leave");
    return report;
  }

  async function drive() {
    await open(file, {});
    await until("Boolean(window.kdscope)");
    await press("[aria-label=\"Next stop\"]");
    await until("kdscope.at() === 0");
    await answer("4", "Not right yet");
    await answer("3", "Right");
    await press("header button");
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
    await press(".picture [data-id=\"3\"]");
    await until(first("[name=remove]"));
    await press("[name=remove]");
    await until("kdscope.data.points.length === 9");
    report.kernel = await perform();
    // Choose a search by keys, and place its query.
    await value_of(`${first("[name=search]")}.focus()`);
    await key("ArrowDown", 40);
    await until("kdscope.data.request.search.query");
    const query = await value_of("kdscope.data.request.search.query"), [u, v] = await middle(first("svg.picture"));
    await tap([u + 60, v + 40]);
    await until(`kdscope.data.request.search.query !== "${query}"`);
    report.points = await value_of("kdscope.data.points.length");
    report.found = await value_of(`${first(".words h2")}.textContent`);
    return report;
  }
  return drive().catch((error) => ({error: String(error)})).then((report) => {
    console.log(JSON.stringify(report));
    close();
  });
});
