// Checks pages for readers who do not see them, or have only keys or fingers: node access.js PROFILE FILE... Prints
// faults as JSON. Roles and names are those of Chromium's own accessibility tree.
const [profile, ...files] = process.argv.slice(2), faults = new Set();
const named = /^(button|link|textbox|combobox|spinbutton|radio|checkbox|image|Canvas|navigation|region)$/;

/// Names, headings and landmarks in the tree of roles.
function faults_of(nodes, has_steps) {
  const there = nodes.filter(({ignored}) => !ignored);
  const of_role = (role) => there.filter((node) => node.role.value === role);
  const found = there.filter(({role, name}) => named.test(role.value) && !(name && name.value.trim()))
                    .map(({role}) => `${role.value} without a name`);
  const level_of = ({properties}) => properties.find(({name}) => name === "level").value.value;
  const levels = of_role("heading").map(level_of);
  if (levels.filter((level) => level === 1).length !== 1) found.push("not one heading of level 1");
  levels.forEach(
      (level, i) => i && level > levels[i - 1] + 1 && found.push(`a heading of level ${level} after ${levels[i - 1]}`));
  for (const landmark of has_steps ? ["main", "navigation"] : ["main"])
    if (of_role(landmark).length !== 1) found.push(`not one ${landmark}`);
  return found;
}

/// In the page: language, ids, contrast of texts, sizes of what a finger touches, marks of the focus, spoken steps.
function seen_in_page(phone) {
  const found = [];
  const all = (selector) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
  const complain = (fault, element) => found.push(`${fault}: ${element.outerHTML.slice(0, 100)}`);
  const numbers = (colour) => {
    const [r, g, b, opacity = 1] = colour.match(/[\d.]+/g).map(Number), most = colour.startsWith("color(") ? 1 : 255;
    return [r / most, g / most, b / most, opacity];
  };
  const look = (element) => getComputedStyle(element);
  const ground_of = (element) => {
    for (; element; element = element.parentElement) {
      const colour = numbers(look(element).backgroundColor);
      if (colour[3] === 1) return colour;
    }
    return [1, 1, 1];
  };
  /// The colour of the last shape below a text of a drawing.
  const ground_in = (text) => {
    const {x, y, width, height} = text.getBBox(), middle = new DOMPoint(x + width / 2, y + height / 2);
    const covers = (shape) => shape.isPointInFill(middle) && (shape.compareDocumentPosition(text) & 4) &&
        look(shape).fill !== "none";
    const below = [...text.ownerSVGElement.querySelectorAll("rect, circle, polygon")].findLast(covers);
    return below ? numbers(look(below).fill) : ground_of(text.ownerSVGElement);
  };
  const linear = (value) => (value > 0.04045 ? ((value + 0.055) / 1.055) ** 2.4 : value / 12.92);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  for (const text of all("body *")) {
    const words = [...text.childNodes].some((node) => node.nodeType === 3 && node.nodeValue.trim());
    if (!words || text.closest(":disabled, .unseen, script, style, title, option")) continue;
    const {fontSize, fontWeight, color, fill} = look(text), is_drawn = text.tagName === "text";
    const large = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && fontWeight >= 700);
    const share = contrast(numbers(is_drawn ? fill : color), is_drawn ? ground_in(text) : ground_of(text));
    if (share < (large ? 3 : 4.5)) complain(`contrast ${share.toFixed(2)}`, text);
  }
  for (const target of phone ? all("button, select, input, summary") : []) {
    const {width, height} = (target.closest("label") || target).getBoundingClientRect();
    if (Math.min(width, height) < 24) complain(`${width} x ${height} pixels`, target);
  }
  for (const control of all("a, button, select, input, textarea, summary, [tabindex]")) {
    if (control.disabled) continue;
    control.focus({focusVisible: true});
    if (document.activeElement === control && look(control).outlineStyle === "none")
      complain("no mark of the focus", control);
  }
  const ids = all("[id]").map(({id}) => id);
  if (new Set(ids).size < ids.length) found.push("an id twice");
  if (!document.documentElement.lang) found.push("no language");
  if (window.kdscope && !document.querySelector("nav [aria-live=polite]")) found.push("steps are not spoken");
  return found;
}

require("./chromium.js")(profile).then(async ({send, value_of, until, open, close}) => {
  let looked = 0;
  async function look(where, phone) {
    const {nodes} = await send("Accessibility.getFullAXTree");
    const has_steps = await value_of("Boolean(window.kdscope)");
    const found = [...faults_of(nodes, has_steps), ...await value_of(`(${seen_in_page})(${phone})`)];
    for (const fault of found) faults.add(`${where}: ${fault}`);
    ++looked;
  }
  for (const file of files)
    for (const frame of [{}, {dark: true}, {width: 1280, height: 720}]) {
      const where = `${file.split("/").pop()}${frame.dark ? ", dark" : ""}`, phone = !frame.width;
      await open(file, frame);
      await look(where, phone);
      const steps = await value_of("window.kdscope ? kdscope.data.steps.length : 0");
      for (let step = 0; step < steps; step += Math.ceil(steps / 5)) {
        await value_of(`(() => {
          kdscope.show(${step});
          for (const {dataset} of document.querySelectorAll(".choice [aria-pressed=false]"))
            document.querySelector(".choice [data-choice=" + dataset.choice + "]").click();
          document.querySelectorAll("details").forEach((each) => (each.open = true));
        })()`);
        await look(`${where}, step ${step}`, phone);
      }
      if (!await value_of("Boolean(document.querySelector('header button:not([hidden])'))")) continue;
      await value_of("document.querySelector('header button').click()");
      await until("kdscope.data.own");
      await value_of("document.querySelector('[name=kernel]').click()");
      await look(`${where}, own points`, phone);
    }
  console.log(JSON.stringify({looked, faults: [...faults]}));
  close();
}).catch((error) => {
  console.log(JSON.stringify({looked: 0, faults: [String(error.stack)]}));
  process.exit();
});
