// The picture: two dimensions as SVG, three as a canvas that turns

/// The triangles of a mesh: the corners' numbers and a colour.
function triangles_of(picture) {
  const mesh = picture.triangles === undefined ? [] : data.meshes[picture.triangles], triangles = [];
  for (let i = 0; i < mesh.length; i += 4) triangles.push({corners: mesh.slice(i, i + 3), colour: mesh[i + 3]});
  return triangles;
}
const plane_inks = ["var(--plane)", "var(--new-plane)", "var(--changed)"];

/// Where the pointer is in a drawing.
const at_pixel = (to_drawing, event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(to_drawing);

const touch_reach = 20;
function flat_picture(picture) {
  const words = plural(picture.points, "point", "points") +
      (picture.splits_hidden ? "" : `, ${plural(picture.splits, "split", "splits")}`);
  const drawing = display_list(picture.list, "picture", words, selected.point === undefined ? [] : [selected.point]);
  // A click at a place gives its coordinate along both axes.
  const places_at = (to_drawing, event) => {
    const {x, y} = at_pixel(to_drawing, event);
    return Object.fromEntries(
        picture.axes.map(([dimension, origin, unit], axis) => [dimension, origin + unit * (axis === 0 ? x : y)]));
  };
  const point_at = (event) => {
    const to_drawing = drawing.getScreenCTM().inverse(), {x, y} = at_pixel(to_drawing, event);
    return drawing.hit(x, y, picture.points > 50 ? 0 : touch_reach);
  };
  drawing.addEventListener("click", (event) => pick({
                                      places: places_at(drawing.getScreenCTM().inverse(), event),
                                      points: point_at(event)
                                    }));
  // The picture is drawn anew while a point of one's own moves; its places stay those of the beginning. A finger that
  // holds a point does not scroll the page.
  let holds = false;
  drawing.addEventListener("pointerdown", (event) => {
    const point = point_at(event), to_drawing = drawing.getScreenCTM().inverse();
    holds = data.own && point !== undefined && drag_own(event, point, (moved) => places_at(to_drawing, moved));
  });
  drawing.addEventListener("touchmove", (event) => holds && event.preventDefault(), {passive: false});
  return drawing;
}

let view = {yaw: 0.6, pitch: 0.35, zoom: 1};
function solid_picture(picture) {
  // It is drawn again later, when `data` may be of another run.
  const {frame, overlay} = picture, {glyphs} = data, cloud = data.clouds[picture.cloud];
  const looks = looks_of(picture.marks);
  const lines = overlay ? overlay.lines.map(([corners, ...more]) => [data.clouds[corners], ...more]) : [];
  const triangles = triangles_of(picture), labels = cloud.length <= 50 && triangles.length === 0;
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
    const pen = canvas.getContext("2d"), style = getComputedStyle(canvas), known = new Map();
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
    const path = (corners) => {
      pen.beginPath();
      corners.forEach((corner, i) => pen[i ? "lineTo" : "moveTo"](...project(corner).slice(0, 2)));
    };
    const polygon = (corners) => {
      path(corners);
      pen.closePath();
    };
    /// Writes a text on a rim in the colour of the ground.
    const write = (text, x, y, name) => {
      pen.font = "bold 13px system-ui, sans-serif";
      pen.strokeStyle = colour("var(--base)");
      pen.lineWidth = 4;
      pen.strokeText(text, x, y);
      pen.fillStyle = colour(name);
      pen.fillText(text, x, y);
    };
    const corner_of = (lo, hi, bits) => lo.map((low, axis) => (bits >> axis & 1 ? hi[axis] : low));
    // The edges of a box, some of them there and back.
    const box = (lo, hi) => {
      polygon([0, 1, 3, 2, 0, 4, 5, 1, 5, 7, 3, 7, 6, 2, 6, 4].map((bits) => corner_of(lo, hi, bits)));
      pen.stroke();
    };
    pen.lineWidth = 1;
    pen.strokeStyle = colour("var(--axis)");
    box(frame.lo, frame.hi);
    // Name each axis at its lowest edge, the upright one at its leftmost.
    pen.fillStyle = colour("var(--muted)");
    pen.font = "bold 15px system-ui, sans-serif";
    frame.names.forEach((name, axis) => {
      const sides = [1, 2, 4].filter((bit) => bit !== 1 << axis);
      const middles = [0, sides[0], sides[1], sides[0] | sides[1]].map((bits) => {
        const middle = corner_of(frame.lo, frame.hi, bits);
        middle[axis] = centre[axis];
        return project(middle);
      });
      const [x, y] = middles.reduce(
          (best, place) => ((axis === up ? place[0] < best[0] : place[1] > best[1]) ? place : best));
      pen.fillText(name, x - (axis === up ? 18 : 4), y + (axis === up ? 5 : 20));
    });
    for (const [axis, kind, lo, hi] of picture.planes) {
      const [u, v] = [1, 2, 4].filter((bit) => bit !== 1 << axis);
      polygon([0, u, u | v, v].map((bits) => corner_of(lo, hi, bits)));
      pen.fillStyle = pen.strokeStyle = colour(plane_inks[kind]);
      pen.globalAlpha = kind > 0 ? 0.16 : 0.07;
      pen.fill();
      pen.globalAlpha = 1;
      pen.lineWidth = kind > 0 ? 1.8 : 1.2;
      pen.stroke();
    }
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
      const point = i * picture.stride, [fill, glyph, faint] = looks[i], corners = glyphs[glyph];
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
        pen.strokeStyle = colour(faint ? ink(fill) : "var(--rim)");
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
        write(point_name(point), x + radius, y - radius, faint ? "var(--muted)" : "var(--text)");
      }
    }
    if (overlay) {
      const use = ([name, wide, dashed]) => {
        pen.strokeStyle = colour(`var(--${name})`);
        pen.lineWidth = wide;
        pen.setLineDash(dashed ? [7, 5] : []);
      };
      for (const [corners, has_head, style_of] of lines) {
        use(style_of);
        path(corners);
        pen.stroke();
        const [[x0, y0], [x, y]] = [corners[0], corners.at(-1)].map(project), length = Math.hypot(x - x0, y - y0);
        if (!has_head || length < 1) continue;
        const u = 10 * (x - x0) / length, v = 10 * (y - y0) / length;
        pen.setLineDash([]);
        pen.beginPath();
        pen.moveTo(x - u - 0.45 * v, y - v + 0.45 * u);
        pen.lineTo(x, y);
        pen.lineTo(x - u + 0.45 * v, y - v - 0.45 * u);
        pen.stroke();
      }
      for (const [middle, is_ring, style_of] of overlay.circles) {
        use(style_of);
        const [x, y] = project(middle);
        pen.beginPath();
        pen.arc(x, y, 5 + (is_ring ? radius : 0), 0, 7);
        pen.stroke();
      }
      pen.setLineDash([]);
      for (const [place, text, name] of overlay.labels) {
        const [x, y] = project(place);
        write(text, x + 8, y - 8, `var(--${name})`);
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

const picture_of = (picture) => (picture.list ? flat_picture(picture) : solid_picture(picture));
