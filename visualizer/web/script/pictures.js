// The picture: two dimensions as SVG, three as a canvas that turns

/// Colours and glyphs, one after the other; they are stored as runs.
function marks_of(list) {
  const runs = data.mark_lists[list], looks = [];
  for (let i = 0; i < runs.length; i += 2)
    for (let k = 0; k < runs[i + 1]; ++k) looks.push(data.marks[runs[i]]);
  return looks;
}
/// The triangles of a mesh: the corners' numbers and a colour.
function triangles_of(picture) {
  const mesh = picture.mesh === undefined ? [] : data.meshes[picture.mesh], triangles = [];
  for (let i = 0; i < mesh.length; i += 4) triangles.push({corners: mesh.slice(i, i + 3), colour: mesh[i + 3]});
  return triangles;
}
const plane_inks = ["var(--plane)", "var(--new-plane)", "var(--changed)"];

function flat_picture(picture) {
  const frame = data.frames[picture.frame], cloud = data.clouds[picture.cloud], looks = marks_of(picture.marks);
  const [lo_x, lo_y] = frame.lo, [hi_x, hi_y] = frame.hi;
  const width = 640, left = 62, right = 14, top = 14, below = 52;
  const scale = Math.min((width - left - right) / (hi_x - lo_x), 620 / (hi_y - lo_y));
  const inner_x = scale * (hi_x - lo_x), inner_y = Math.max(40, scale * (hi_y - lo_y));
  const start = left + (width - left - right - inner_x) / 2, height = top + inner_y + below;
  const X = (x) => start + scale * (x - lo_x), Y = (y) => top + scale * (hi_y - y);
  const drawing = shape("svg", {
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    class: "picture",
    "aria-label": `${plural(picture.points, "point", "points")}` +
        (picture.splits_hidden ? "" : `, ${plural(picture.planes.length, "split", "splits")}`)
  });
  const box = ([x0, y0], [x1, y1], attributes) =>
      shape("rect", {x: X(x0), y: Y(y1), width: scale * (x1 - x0), height: scale * (y1 - y0), ...attributes});
  const search = picture.search, faded = new Set(search ? search.faded : []);
  for (const [node, area, , lo, hi] of picture.cells)
      drawing.append(styled(
          box(lo, hi, {"data-node": node, class: "area"}), {fill: ink(area), opacity: faded.has(node) ? 0.35 : 1}));
  for (const [axis, kind, level, lo, hi] of picture.planes)
      drawing.append(styled(shape("line", {x1: X(lo[0]), y1: Y(lo[1]), x2: X(hi[0]), y2: Y(hi[1])}), {
        stroke: plane_inks[kind],
        strokeWidth: picture.planes.length > 100 ? 1.2 :
            kind === 2                           ? 4.5 :
            kind === 1                           ? 3.5 :
            level < 2                            ? 2.5 :
                                                   2
      }));
  for (const [colour, lo, hi] of picture.boxes)
      drawing.append(styled(box(lo, hi, {class: "tight"}), {stroke: ink(colour)}));
  drawing.append(shape("rect", {x: start, y: top, width: inner_x, height: inner_y, class: "frame"}));
  for (const axis of frame.axes)
    for (const [place, text] of axis.ticks) {
      if (axis.axis === 0) {
        drawing.append(
            shape("line", {x1: X(place), x2: X(place), y1: top + inner_y, y2: top + inner_y + 6, class: "tick"}),
            shape("text", {x: X(place), y: top + inner_y + 21, class: "middle"}, text));
      } else {
        drawing.append(
            shape("line", {x1: start - 6, x2: start, y1: Y(place), y2: Y(place), class: "tick"}),
            shape("text", {x: start - 9, y: Y(place) + 5, class: "end"}, text));
      }
    }
  for (const axis of frame.axes)
    drawing.append(
        axis.axis === 0 ? shape("text", {x: start + inner_x / 2, y: height - 8, class: "middle muted"}, axis.name) :
                          shape("text", {x: start - 48, y: top + inner_y / 2 + 5, class: "middle muted"}, axis.name));

  const triangles = triangles_of(picture), labels = picture.points <= 50 && triangles.length === 0;
  for (const {corners, colour} of triangles) {
    const points = corners.map((corner) => `${X(cloud[corner][0])},${Y(cloud[corner][1])}`).join(" ");
    drawing.append(styled(shape("polygon", {points, class: "triangle"}), {fill: ink(colour)}));
  }
  const radius = triangles.length ? 2.5 :
      labels                      ? 0.5 * text_size :
      Math.min(
          0.6 * text_size,
          Math.max(0.1 * text_size, Math.sqrt(0.4 * inner_x * inner_y * 0.16 / Math.max(1, cloud.length)) / 2));
  const pivots = new Set(picture.pivots);
  // The number of a node stands in the corner of its cell that is furthest from all points.
  if (picture.cells.length <= 40)
    for (const [node, , colour, lo, hi] of picture.cells) {
      if (colour < 0) continue;
      const wide = 12 * String(node).length + 12, high = 27;
      if (scale * (hi[0] - lo[0]) < wide || scale * (hi[1] - lo[1]) < high) continue;
      let best = null, best_room = -1;
      for (const x of [X(lo[0]) + wide / 2, X(hi[0]) - wide / 2])
        for (const y of [Y(lo[1]) - high / 2, Y(hi[1]) + high / 2]) {
          let room = Infinity;
          for (const mark of cloud.slice(0, 500)) room = Math.min(room, Math.hypot(X(mark[0]) - x, Y(mark[1]) - y));
          if (room > best_room) [best, best_room] = [[x, y], room];
        }
      drawing.append(
          styled(shape("text", {x: best[0], y: best[1] + 7, class: "cell-number"}, String(node)), {fill: ink(colour)}));
    }
  cloud.forEach(([x, y], i) => {
    const point = i * picture.stride, [colour, glyph] = looks[i], px = X(x), py = Y(y);
    const item = shape("g", {class: "mark", "data-point": point});
    drawing.append(item);
    if (labels) item.append(shape("circle", {cx: px, cy: py, r: 20, class: "target"}));
    item.append(styled(glyph_path(glyph, px, py, radius), {fill: ink(colour), strokeWidth: radius > 3 ? 1.2 : 0}));
    if (pivots.has(point)) item.append(shape("circle", {cx: px, cy: py, r: radius + 5, class: "pivot-ring"}));
    if (selected.point === point) item.append(shape("circle", {cx: px, cy: py, r: radius + 10, class: "selected"}));
    if (!labels) return;
    const to_left = px + 40 > start + inner_x, away = 0.75 * radius + (pivots.has(point) ? 6 : 2);
    item.append(shape(
        "text", {x: to_left ? px - away : px + away, y: py - away, class: to_left ? "label end" : "label"},
        point_name(point)));
  });
  if (search) {
    const pen = ([colour, wide, dashed]) =>
        ({stroke: `var(--${colour})`, strokeWidth: wide, fill: "none", strokeDasharray: dashed ? "8 6" : ""});
    for (const [lo, hi, style] of search.boxes) drawing.append(styled(box(lo, hi), pen(style)));
    for (const [centre, radii, style] of search.balls)
      drawing.append(styled(
          shape("ellipse", {cx: X(centre[0]), cy: Y(centre[1]), rx: scale * radii[0], ry: scale * radii[1]}),
          pen(style)));
    for (const [from, to, , style] of search.segments)
      drawing.append(styled(shape("line", {x1: X(from[0]), y1: Y(from[1]), x2: X(to[0]), y2: Y(to[1])}), pen(style)));
    for (const [point, style] of search.rings) {
      const mark = cloud[Math.floor(point / picture.stride)];
      if (mark) drawing.append(styled(shape("circle", {cx: X(mark[0]), cy: Y(mark[1]), r: radius + 6}), pen(style)));
    }
    for (const [place, text, colour] of search.labels)
      drawing.append(styled(
          shape("text", {x: X(place[0]) + 8, y: Y(place[1]) - 8, class: "label"}, text), {fill: `var(--${colour})`}));
  }
  // A click at a place gives its coordinate along both axes.
  const places_at = (to_drawing, event) => {
    const at_pixel = new DOMPoint(event.clientX, event.clientY).matrixTransform(to_drawing);
    const scene = [(at_pixel.x - start) / scale + lo_x, hi_y - (at_pixel.y - top) / scale];
    const places = {};
    for (const axis of frame.axes) places[axis.dimension] = axis.origin + scene[axis.axis] * axis.unit;
    return places;
  };
  const point_at = (event) => {
    const mark = event.target.closest("[data-point]");
    return mark ? Number(mark.dataset.point) : undefined;
  };
  drawing.addEventListener("click", (event) => pick({
                                      places: places_at(drawing.getScreenCTM().inverse(), event),
                                      points: point_at(event)
                                    }));
  // The picture is drawn anew while a point of one's own moves; its places stay those of the beginning.
  drawing.addEventListener("pointerdown", (event) => {
    const point = point_at(event), to_drawing = drawing.getScreenCTM().inverse();
    if (data.own && point !== undefined) drag_own(event, point, (moved) => places_at(to_drawing, moved));
  });
  return drawing;
}

let view = {yaw: 0.6, pitch: 0.35, zoom: 1};
function solid_picture(picture) {
  const frame = data.frames[picture.frame], cloud = data.clouds[picture.cloud], looks = marks_of(picture.marks);
  const canvas = el("canvas", {
    class: "picture",
    role: "img",
    tabindex: 0,
    "aria-keyshortcuts": "ArrowLeft ArrowRight ArrowUp ArrowDown + -",
    "aria-label": `${plural(picture.points, "point", "points")} in three dimensions. Arrow keys turn, plus and minus ` +
        "zoom, 0 returns."
  });
  const centre = [0, 1, 2].map((axis) => (frame.lo[axis] + frame.hi[axis]) / 2);
  const reach = Math.hypot(...[0, 1, 2].map((axis) => frame.hi[axis] - frame.lo[axis])) / 2 || 1;
  const up = frame.up, across = [0, 1, 2].filter((axis) => axis !== up);
  let screen = [];
  function draw() {
    const size = Math.max(200, canvas.clientWidth || 640), high = Math.round(size * 0.8);
    const ratio = window.devicePixelRatio || 1;
    canvas.width = size * ratio;
    canvas.height = high * ratio;
    const pen = canvas.getContext("2d"), style = getComputedStyle(document.documentElement), known = new Map();
    const colour = (name) => {
      if (!known.has(name)) known.set(name, style.getPropertyValue(name.slice(4, -1)).trim() || "#888");
      return known.get(name);
    };
    pen.scale(ratio, ratio);
    pen.fillStyle = colour("var(--base)");
    pen.fillRect(0, 0, size, high);
    const scale = view.zoom * 0.46 * Math.min(size, high * 1.15) / reach;
    const [cy, sy, cp, sp] = [Math.cos(view.yaw), Math.sin(view.yaw), Math.cos(view.pitch), Math.sin(view.pitch)];
    const project = (at_place) => {
      const a = at_place[across[0]] - centre[across[0]], b = at_place[across[1]] - centre[across[1]],
            u = at_place[up] - centre[up];
      const x = cy * a + sy * b, depth = -sy * a + cy * b;
      return [size / 2 + scale * x, high / 2 - scale * (cp * u + sp * depth), cp * depth - sp * u];
    };
    const polygon = (corners) => {
      pen.beginPath();
      corners.forEach((corner, i) => pen[i ? "lineTo" : "moveTo"](...project(corner).slice(0, 2)));
      pen.closePath();
    };
    const section = (lo, hi, axis) => {
      const [u, v] = [0, 1, 2].filter((other) => other !== axis);
      return [[lo[u], lo[v]], [hi[u], lo[v]], [hi[u], hi[v]], [lo[u], hi[v]]].map(([p, q]) => {
        const corner = lo.slice();
        corner[u] = p;
        corner[v] = q;
        return corner;
      });
    };
    const box = (lo, hi) => {
      for (const [axis, place] of [[up, lo[up]], [up, hi[up]]]) {
        const from = lo.slice(), to = hi.slice();
        from[axis] = to[axis] = place;
        polygon(section(from, to, axis));
        pen.stroke();
      }
      for (const corner of section(lo, hi, up)) {
        const top_corner = corner.slice();
        top_corner[up] = hi[up];
        polygon([corner, top_corner]);
        pen.stroke();
      }
    };
    pen.lineWidth = 1;
    pen.strokeStyle = colour("var(--axis)");
    box(frame.lo, frame.hi);
    const newest = picture.planes.filter(([, kind]) => kind > 0);
    const drawn =
        picture.planes.filter(([, kind, level]) => level < 2 || (kind > 0 && newest.length <= 64));
    for (const [axis, kind, , lo, hi] of drawn) {
      polygon(section(lo, hi, axis));
      pen.fillStyle = pen.strokeStyle = colour(plane_inks[kind]);
      pen.globalAlpha = kind > 0 ? 0.16 : 0.07;
      pen.fill();
      pen.globalAlpha = 1;
      pen.lineWidth = kind > 0 ? 1.8 : 1.2;
      pen.stroke();
    }
    const triangles = triangles_of(picture), labels = cloud.length <= 50 && triangles.length === 0;
    const by_depth = triangles.map((triangle) => {
      const seen = triangle.corners.map((corner) => project(cloud[corner]));
      return {...triangle, depth: seen[0][2] + seen[1][2] + seen[2][2]};
    });
    for (const {corners, colour: fill} of by_depth.sort((p, q) => q.depth - p.depth)) {
      polygon(corners.map((corner) => cloud[corner]));
      pen.fillStyle = colour(ink(fill));
      pen.globalAlpha = 0.85;
      pen.fill();
      pen.globalAlpha = 1;
      pen.lineWidth = triangles.length > 500 ? 0.4 : 1;
      pen.strokeStyle = colour("var(--text)");
      pen.stroke();
    }
    const crowded = Math.min(6, Math.max(1.3, 0.22 * size / Math.sqrt(cloud.length)));
    const radius = triangles.length ? 1.2 : labels ? 6.5 : crowded;
    screen = cloud.map((place, i) => [...project(place), i]).sort((p, q) => q[2] - p[2]);
    const pivots = new Set(picture.pivots);
    for (const [x, y, , i] of screen) {
      const point = i * picture.stride, [fill, glyph] = looks[i], corners = data.glyphs[glyph];
      // Points behind a surface would shine through it.
      if (triangles.length && !pivots.has(point) && selected.point !== point) continue;
      pen.beginPath();
      if (glyph === 0 || radius < 2.2)
        pen.arc(x, y, radius, 0, 7);
      else
        for (let k = 0; k < corners.length; k += 2)
          pen[k ? "lineTo" : "moveTo"](x + radius * corners[k], y + radius * corners[k + 1]);
      pen.closePath();
      pen.fillStyle = colour(ink(fill));
      pen.fill();
      if (radius > 3) {
        pen.strokeStyle = colour("var(--rim)");
        pen.lineWidth = 1;
        pen.stroke();
      }
      const ring = (name, away, width) => {
        pen.beginPath();
        pen.arc(x, y, radius + away, 0, 7);
        pen.strokeStyle = colour(name);
        pen.lineWidth = width;
        pen.stroke();
      };
      if (pivots.has(point)) ring("var(--pivot)", 3, 2);
      if (selected.point === point) ring("var(--selection)", 7, 3);
      if (labels) {
        pen.fillStyle = colour("var(--text)");
        pen.font = "bold 13px system-ui, sans-serif";
        pen.fillText(point_name(point), x + radius, y - radius);
      }
    }
    const search = picture.search;
    if (search) {
      const use = ([name, wide, dashed]) => {
        pen.strokeStyle = colour(`var(--${name})`);
        pen.lineWidth = wide;
        pen.setLineDash(dashed ? [7, 5] : []);
      };
      for (const [lo, hi, style_of] of search.boxes) {
        use(style_of);
        box(lo, hi);
      }
      for (const [middle, radii, style_of] of search.balls) {
        use(style_of);
        const [x, y] = project(middle);
        pen.beginPath();
        pen.arc(x, y, scale * Math.max(...radii), 0, 7);
        pen.stroke();
      }
      for (const [from, to, , style_of] of search.segments) {
        use(style_of);
        polygon([from, to]);
        pen.stroke();
      }
      pen.setLineDash([]);
      for (const [place, text, name] of search.labels) {
        const [x, y] = project(place);
        pen.fillStyle = colour(`var(--${name})`);
        pen.font = "bold 13px system-ui, sans-serif";
        pen.fillText(text, x + 8, y - 8);
      }
    }
  }
  const turn = (yaw, pitch, zoom = 1) => {
    view = {
      yaw: view.yaw + yaw,
      pitch: Math.max(-1.5, Math.min(1.5, view.pitch + pitch)),
      zoom: Math.max(0.5, Math.min(8, view.zoom * zoom))
    };
    draw();
  };
  const reset = () => {
    view = {yaw: 0.6, pitch: 0.35, zoom: 1};
    draw();
  };
  const turning_keys = {
    ArrowLeft: () => turn(-0.15, 0),
    ArrowRight: () => turn(0.15, 0),
    ArrowUp: () => turn(0, 0.15),
    ArrowDown: () => turn(0, -0.15),
    "+": () => turn(0, 0, 1.2),
    "=": () => turn(0, 0, 1.2),
    "-": () => turn(0, 0, 1 / 1.2),
    "0": reset
  };
  canvas.addEventListener("keydown", (event) => {
    const act = turning_keys[event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();  // the page would step
    act();
  });
  // One finger turns, two zoom. A vertical stroke of one finger still scrolls the page.
  const fingers = new Map();
  let moved = 0;
  const spread = () => {
    const [p, q] = [...fingers.values()];
    return Math.hypot(p[0] - q[0], p[1] - q[1]);
  };
  canvas.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size === 1) moved = 0;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const from = fingers.get(event.pointerId);
    if (!from) return;
    const dx = event.clientX - from[0], dy = event.clientY - from[1], before = fingers.size === 2 ? spread() : 0;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    moved += Math.abs(dx) + Math.abs(dy);
    if (before > 0)
      turn(0, 0, spread() / before);
    else if (fingers.size === 1)
      turn(-0.01 * dx, 0.01 * dy);
  });
  canvas.addEventListener("pointercancel", (event) => fingers.delete(event.pointerId));
  canvas.addEventListener("pointerup", (event) => {
    fingers.delete(event.pointerId);
    if (moved > 6) return;
    const area = canvas.getBoundingClientRect(), x = event.clientX - area.left, y = event.clientY - area.top;
    let best = null, least = 20;
    for (const [px, py, , i] of screen)
      if (Math.hypot(px - x, py - y) < least) [best, least] = [i, Math.hypot(px - x, py - y)];
    if (best !== null) pick({points: best * picture.stride});
  });
  new ResizeObserver(draw).observe(canvas);
  canvas.redraw = draw;
  const button = (words, name, act) =>
      el("button", {type: "button", "aria-label": name, title: name, on: {click: act}}, words);
  return el(
      "div", {}, canvas,
      el("div", {class: "turns"}, button("\u21ba", "Turn left", () => turn(-0.25, 0)),
         button("\u21bb", "Turn right", () => turn(0.25, 0)), button("\u2191", "Look from above", () => turn(0, 0.25)),
         button("\u2193", "Look from below", () => turn(0, -0.25)), button("+", "Zoom in", () => turn(0, 0, 1.25)),
         button("\u2212", "Zoom out", () => turn(0, 0, 0.8)), button("\u2302", "Reset the view", reset)));
}

const picture_of = (picture) =>
    data.frames[picture.frame].flat ? flat_picture(picture) : solid_picture(picture);
