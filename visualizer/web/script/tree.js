// The tree

const text_size = 15;
function glyph_path(glyph, x, y, radius) {
  if (glyph === 0) return shape("circle", {cx: x, cy: y, r: radius});
  const corners = data.glyphs[glyph], points = [];
  for (let i = 0; i < corners.length; i += 2) points.push(`${x + radius * corners[i]},${y + radius * corners[i + 1]}`);
  return shape("polygon", {points: points.join(" ")});
}
const styled = (node, style) => (Object.assign(node.style, style), node);

function line_of(role, x, y, width) {
  const at_height = (up, dashed) => styled(
      shape("line", {
        x1: x,
        x2: x + width,
        y1: y - up,
        y2: y - up,
        "stroke-width": 2.2,
        "stroke-dasharray": dashed ? "5 3" : undefined
      }),
      {stroke: `var(--role-${role})`});
  return role === "compare" ? [at_height(0), at_height(4.5)] : [at_height(0, role === "read")];
}

const node_of = (id) => {
  const [number, level, x, parent_x, state, body, rim, text, glyph, flags, searched, point, lines] = data.nodes[id];
  return {number, level, x, parent_x, state, body, rim, text, glyph, flags, searched, point, lines};
};
const number_width = (node) => 26 + 9 * String(node.number).length;
const name_width = (node) => (node.point < 0 ? 0 : 6 + 9 * point_name(node.point).length);
const states = ["open", "pivot", "settled", "empty"];
const search_words = ["untouched", "waiting", "visited", "skipped", "dropped"];
const opacity_of = (searched) => [0.55, 1, 1, 0.2, 0.2][searched] ?? 1;

function tree_of(tree) {
  const nodes = tree.nodes.map(node_of), strips = new Map(tree.strips.map((strip) => [strip[0], strip]));
  const widest = Math.min(64, tree.gap), width = Math.max(640, Math.min(1200, widest * 62));
  const left = 56, right = 44;  // half of a text beside the outermost nodes
  const room_below = (level) => {
    const xs = nodes.filter((node) => node.level === level).map((node) => node.x);
    let gap = Math.pow(0.5, level);
    for (let i = 1; i < xs.length; ++i) gap = Math.min(gap, xs[i] - xs[i - 1]);
    return gap * (width - left - right);
  };
  const place_x = (x) => left + x * (width - left - right);
  const tops = [], details = [], below = [], names_inside = [];
  let y = 22;
  for (let level = 0; level < tree.levels; ++level) {
    const room = room_below(level), of_level = nodes.filter((node) => node.level === level);
    details[level] = strips.has(level) ? "strip" : room < 34 ? "dot" : room < 62 ? "number" : "lines";
    // A node names its point beside its number, or else below it.
    names_inside[level] = of_level.every((node) => number_width(node) + name_width(node) + 6 <= room);
    below[level] = (node) => [node.point < 0 || names_inside[level] ? [] : point_name(node.point),
                              details[level] === "lines" ? node.lines : []].flat();
    const lines = Math.max(0, ...of_level.map((node) => below[level](node).length));
    const least = details[level] === "lines" ? 1 : 0;
    tops[level] = y;
    y += details[level] === "strip" ? 26 :
        details[level] === "dot"    ? 46 :
                                      46 + 17 * Math.max(least, Math.min(4, lines));
  }
  const height = y + 4;
  const drawing = shape("svg", {
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    class: "tree",
    "aria-label": `Tree so far: ${plural(tree.count, "node", "nodes")}`
  });
  styled(drawing, {minWidth: `${Math.round(width > 640 ? width * 0.56 : 330)}px`});
  const group = (name) => drawing.appendChild(shape("g", {class: name}));
  const edges = group("edges"), bodies = group("nodes");
  for (const node of nodes) {
    if (node.level === 0) continue;
    edges.append(styled(
        shape("line", {
          x1: place_x(node.parent_x),
          y1: tops[node.level - 1],
          x2: place_x(node.x),
          y2: tops[node.level],
          "stroke-dasharray": node.state === 3 ? "2 4" : undefined
        }),
        {opacity: opacity_of(node.searched)}));
  }
  for (let level = 0; level < tree.levels; ++level)
    drawing.append(shape("text", {x: 4, y: tops[level] + 5, class: "muted"}, String(level)));
  for (const [level, strip] of strips) {
    const bins = strip[2], count = bins.length / 2, step = (width - left - right) / count;
    for (let i = 0; i < count; ++i) {
      if (bins[2 * i] < 0) continue;
      bodies.append(styled(
          shape("rect", {x: left + i * step, y: tops[level] - 9, width: step + 0.3, height: 18}),
          {fill: ink(bins[2 * i])}));
      if (bins[2 * i + 1] & flag.pivot)
        bodies.append(
            shape("rect", {x: left + i * step, y: tops[level] - 9, width: step + 0.3, height: 3, class: "pivots"}));
      if (bins[2 * i + 1] & flag.changed)
        bodies.append(
            shape("rect", {x: left + i * step, y: tops[level] + 6, width: step + 0.3, height: 3, class: "changes"}));
    }
    drawing.append(
        shape("rect", {x: left, y: tops[level] - 9, width: width - left - right, height: 18, class: "outline"}));
  }
  for (const node of nodes) {
    const x = place_x(node.x), top = tops[node.level], detail = details[node.level];
    const item = styled(shape("g", {"data-node": node.number, class: "node"}), {opacity: opacity_of(node.searched)});
    item.append(shape("title", {}, node_words(node)));
    bodies.append(item);
    if (node.state === 3) {
      item.append(shape("rect", {x: x - 4, y: top - 4, width: 8, height: 8, class: "empty"}));
      continue;
    }
    if (detail === "dot") {
      item.append(styled(glyph_path(node.glyph, x, top, 5), {fill: ink(node.body)}));
    } else {
      const name = names_inside[node.level] ? name_width(node) : 0;
      const wide = number_width(node) + name, round = node.flags & flag.settled ? 3 : 12;
      if (selected.node === node.number || (selected.point !== undefined && selected.point === node.point))
        item.append(shape(
            "rect",
            {x: x - wide / 2 - 5, y: top - 17, width: wide + 10, height: 34, rx: round + 4, class: "selected"}));
      if (node.searched === 1)
        item.append(shape(
            "rect", {x: x - wide / 2 - 4, y: top - 16, width: wide + 8, height: 32, rx: round + 4, class: "waiting"}));
      item.append(
          styled(shape("rect", {x: x - wide / 2, y: top - 12, width: wide, height: 24, rx: round, class: "body"}), {
            fill: ink(node.body),
            stroke: node.state === 1 ? "var(--pivot)" : ink(node.rim),
            strokeWidth: node.state === 1 ? 3 : 1
          }));
      if (name > 0)
        item.append(
            shape("rect", {
              x: x + wide / 2 - name,
              y: top - 10,
              width: name - 2,
              height: 20,
              rx: Math.max(1, round - 2),
              class: "plate"
            }),
            shape("text", {x: x + wide / 2 - name / 2 - 1, y: top + 5, class: "line"}, point_name(node.point)));
      const number = shape("text", {x: x - name / 2, y: top + 5.5, class: "number"}, String(node.number));
      item.append(styled(number, {fill: ink(node.text)}));
      const mark = glyph_path(node.glyph, x - wide / 2 + 3, top - 9, 5);
      item.append(styled(mark, {fill: ink(node.rim), stroke: "var(--base)"}));
      if (node.flags & flag.changed)
        item.append(shape("rect", {x: x - 0.3 * wide, y: top + 14, width: 0.6 * wide, height: 3, class: "changes"}));
      let foot = top - 17;
      for (const [role, bit] of [["read", flag.read], ["write", flag.written], ["compare", flag.compared]])
        if (node.flags & bit) {
          item.append(...line_of(role, x - wide / 2, foot, wide));
          foot -= 8;
        }
      below[node.level](node).forEach(
          (line, i) => item.append(shape("text", {x, y: top + 32 + 16 * i, class: "line"}, line)));
    }
  }
  return drawing;
}

function node_words(node) {
  const words = [`node ${node.number}, level ${node.level}, ${states[node.state]}`];
  if (node.searched >= 0) words.push(search_words[node.searched]);
  if (node.point >= 0) words.push(`point ${point_name(node.point)}`);
  return words.concat(node.lines).join("; ");
}

/// The nodes as a table, for readers who do not see the picture.
function tree_table(tree) {
  const nodes = tree.nodes.map(node_of);
  return el(
      "details", {class: "as-table"}, el("summary", {}, "The tree as a table"),
      el("div", {class: "scrolls", tabindex: 0},
         el("table", {}, el("caption", {}, `Nodes of the tree so far${tree.strips.length ? ", upper levels" : ""}`),
            el("thead", {},
               el("tr", {},
                  ["node", "level", "state", "point", "what stands below it"].map(
                      (name) => el("th", {scope: "col"}, name)))),
            el("tbody", {}, nodes.map((node) => el("tr", {}, el("th", {scope: "row"}, String(node.number)), [
                                        node.level, states[node.state], node.point < 0 ? "" : point_name(node.point),
                                        node.lines.join("; ")
                                      ].map((text) => el("td", {}, String(text)))))))));
}
