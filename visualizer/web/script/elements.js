// Shows the baked states of a lesson, checks answers and keeps them. All texts, colours and places come from the
// program that made the page, or from its engine; nothing is computed anew here. The files of this folder become one
// script in the order of visualizer/web/page_files.cpp.in.

const lesson_data = JSON.parse(document.getElementById("data").textContent);
let data = lesson_data;  // of the lesson, or of the run on the reader's own points (own.js)

/// A point's name, as point_name() makes it.
const point_name = (point) => data.point_letter + point;
const triangle_name = (triangle) => data.triangle_letter + triangle;

// Elements

const svg_space = "http://www.w3.org/2000/svg";
function fill_in(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on")
      for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
    else if (name === "html")
      node.innerHTML = value;  // escaped by the program that made the page
    else
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}
const el = (tag, attributes, ...children) => fill_in(document.createElement(tag), attributes, children);
const shape = (tag, attributes, ...children) => fill_in(document.createElementNS(svg_space, tag), attributes, children);
const aside = (words) => el("span", {class: "unseen"}, words);
const ink = (number) => `var(--c${number})`;
const plural = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
