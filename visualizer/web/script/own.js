// Runs on the reader's own points: clicked, dragged, generated, pasted or from a file

let own = null;       // the request of the run: points or data, algorithm, parameters, search
let builders = null;  // what the engine offers
let own_step = 0;
const own_before = [];  // the requests before, for Undo
const own_colours = el("style", {}), beside_colours = el("style", {});
document.head.append(own_colours, beside_colours);

const own_button = el(
    "button", {type: "button", "aria-pressed": "false", hidden: !has_engine(), on: {click: () => toggle_own()}},
    "Own points");
const own_panel = el("section", {class: "own-panel", "aria-label": "Own points", hidden: true});
const own_said = el("p", {class: "verdict", role: "status"});

async function toggle_own() {
  if (data.own) return leave_own();
  const {data: wanted, algorithm, parameters, search} = lesson_data.request;
  await enter_own({data: wanted, algorithm, parameters, search}, -1);
}

function leave_own() {
  stop_worker();
  own_before.length = 0;
  data = lesson_data;
  kernel = null;
  selected = {};
  own_colours.textContent = "";
  document.body.classList.remove("own", "asking");
  own_panel.hidden = true;
  own_button.setAttribute("aria-pressed", "false");
  fill_lists();
  show(own_step);
}

/// Shows a run instead of the lesson. `step`: -1 for the last one.
async function enter_own(request, step) {
  own_button.disabled = true;
  try {
    await start_engine();
    builders = builders || ask_engine({ask: "builders"});
    if (request.beside) await start_beside();
  } catch (error) {
    return say_alone(`This browser does not run the engine of the page: ${error.message || error}`);
  } finally {
    own_button.disabled = false;
  }
  own_step = data.own ? own_step : at;
  own_panel.hidden = false;
  // A lesson on points that no specification names begins with the ten points.
  if (!run_own(request, step) && !data.own && step < 0) run_own({data: "wald-10", algorithm: request.algorithm}, step);
  own_button.setAttribute("aria-pressed", String(Boolean(data.own)));
}

/// With more points than this, or triangles, a run is made in the worker.
const most_points_at_once = 2000, most_triangles_at_once = 200;
function points_in(request) {
  if (request.points !== undefined) return request.points.split("\n").length;
  const {id, values} = parts_of_data(request.data), source = builders.sources.find((each) => each.id === id);
  const count = source && source.parameters.find(({name}) => name === "n" || name === "sample");
  return count ? Number(values[count.name] ?? count.value) || most_points_at_once + 1 : 0;
}

/// Runs a request, and shows it at a step. Returns whether that went well, or goes on in the worker; if not, the run
/// before it stays.
function run_own(request, step, how = {}) {
  const asks = {ask: "run", ...request};
  const builder = builders.builders.find((each) => each.id === request.algorithm);
  const most = builder && builder.triangles ? most_triangles_at_once : most_points_at_once;
  if (points_in(request) <= most) return show_answer(ask_engine(asks), request, step, how);
  run_far(asks, (answer) => show_answer(answer, request, step, {...how, far: true}));
  return true;
}

/// Asks the worker for a run, with progress and a way to stop.
async function run_far(request, then) {
  if (waiting) stop_worker();
  const done = el("progress", {max: 1, value: 0, "aria-label": "Progress"}), what = el("span", {});
  own_said.classList.remove("wrong");
  own_said.replaceChildren(
      "Recording ", done, " ", el("button", {type: "button", on: {click: stop_worker}}, "Cancel"), " ", what);
  const run = data;
  const answer = await ask_worker(request, (share, words) => {
    done.value = share;
    what.textContent = words;
  });
  // Another run has begun, or the reader is back in the lesson.
  if (waiting || (answer.error && data !== run)) return;
  then(answer);
  // A worker that was stopped kept the run on display, too.
  if (!worker && run.far)
    run_far({ask: "run", ...own}, (again) => show_answer(again, own, at, {far: true, said: answer.error}));
}

/// Shows the engine's answer to a request, or why there is none.
function show_answer(answer, request, step, how = {}) {
  own_said.textContent = answer.error || how.said || answer.warnings.join(" ");
  own_said.classList.toggle("wrong", Boolean(answer.error));
  if (!answer.error) {
    if (own && data.own && !how.goes_on) own_before.push(own);
    if (request.data && own && request.data !== own.data) selected = {};
    own = request;
    kernel = null;
    data = {...lesson_data, ...answer, own: true, far: how.far, baked: -1, asked: how.asked};
    beside = run_beside();
    document.body.classList.add("own");
    document.body.classList.toggle("asking", data.stops > 0);
    fill_lists();
    show(step < 0 ? last() : Math.min(step, last()), how);
  }
  if (!how.dragging) rebuild_own_form();
  return !answer.error;
}

// Side by side: another algorithm on the same points, which an engine of its own runs

let beside = null, beside_engine = null;
async function start_beside() {
  beside_engine = beside_engine || await make_kdscope_engine({...parts});
}
function run_beside() {
  if (!own.beside) return null;
  const answer = data.count > most_points_at_once ?
      {error: `Side by side takes at most ${most_points_at_once.toLocaleString("en")} points.`} :
      ask_engine({...own, ask: "run", algorithm: own.beside, parameters: {}, search: {}}, beside_engine);
  if (answer.error) own_said.textContent = answer.error;
  return answer.error ? null : answer;
}

/// A pane of the run beside, at the same share of its steps; null if it has none.
function beside_pane(name) {
  const run = data, index = Math.round(at / Math.max(1, last()) * (beside.steps.length - 1));
  if (beside.baked !== index) {
    const answer = ask_engine({ask: "state", step: index}, beside_engine);
    beside_colours.textContent = answer.css.replaceAll(":root", ".beside");
    Object.assign(beside, answer, {baked: index});
  }
  data = {...lesson_data, ...beside};
  const step = step_at(index), [state] = data.states;
  const pane = has_pane(name, step, state) ? pane_of(name, step, state) : null;
  if (pane) {
    pane.classList.add("beside");
    pane.prepend(el("figcaption", {}, `${data.algorithm}, step ${index} of ${data.last_step}: ${step.title}`));
  }
  data = run;
  return pane;
}

/// Asks questions about the run, or about a run like it on other points.
function practise(fresh) {
  const seed = 1 + Math.floor(Math.random() * 1e6), asks = {ask: "practice", fresh, seed}, far = data.far;
  const then = (answer) => {
    const request = fresh && !answer.error ? {...own, points: undefined, data: answer.request.data} : own;
    const first_stop = answer.error ? 0 : answer.steps.findIndex((step) => step.stop === 0);
    show_answer(answer, request, first_stop, {asked: seed, far});
  };
  if (far)
    run_far(asks, then);
  else
    then(ask_engine(asks));
}

function take_state(index, answer) {
  own_colours.textContent = answer.css;
  Object.assign(data, answer, {baked: index});
}
/// Asks for the state of a step, unless it is the one that is there.
function bake_own(step) {
  if (data.baked !== step.step) take_state(step.step, ask_engine({ask: "state", step: step.step}));
}
/// Whether a state is still in the worker. It is then asked for, and shown once it is here; of several, the last one.
let wanted = null;
function waits_for_state(index, how) {
  if (!data.far || data.baked === index) return false;
  const is_first = wanted === null;
  wanted = {index, how, run: data};
  if (is_first) fetch_states();
  return true;
}
async function fetch_states() {
  while (wanted && wanted.run.baked !== wanted.index) {
    const {index, run} = wanted, answer = await ask_worker({ask: "state", step: index});
    if (data !== run || answer.error) wanted = wanted.run === run ? null : wanted;
    else take_state(index, answer);
  }
  const last_wanted = wanted;
  wanted = null;
  if (last_wanted) show(last_wanted.index, last_wanted.how);
}

/// Runs again with other points.
function run_points(rows, how = {}) {
  return run_own({...own, data: "", points: rows.join("\n"), rows_alone: true}, at, {stay: true, ...how});
}
const own_rows = () => (data.points || []).map((row) => row.join(","));
/// A coordinate as text: whole among whole numbers, otherwise with four digits.
const own_number = (value) => String(data.integers ? Math.round(value) : Number(value.toPrecision(4)));

function click_own(places) {
  if (has_search()) return place_query(places);
  if (!data.points || data.dim !== 2) return;
  run_points([...own_rows(), [0, 1].map((d) => own_number(places[d])).join(",")]);
}

function remove_own_point() {
  if (!data.points || selected.point === undefined) return;
  const rows = own_rows().filter((_, point) => point !== selected.point);
  selected = {};
  run_points(rows);
}

function undo_own() {
  if (own_before.length > 0) run_own(own_before.pop(), at, {stay: true, goes_on: true});
}
document.addEventListener("keydown", (event) => {
  const writes = event.target.closest && event.target.closest("input, textarea");
  if (!data.own || writes || event.key !== "z" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  undo_own();
});

/// Moves a point with the pointer; the run follows once per frame. Returns whether the point can move.
function drag_own(event, point, places_at) {
  if (!data.points || data.dim !== 2 || event.button !== 0) return false;
  event.preventDefault();
  const from = [event.clientX, event.clientY];
  let moved = false, place = null, is_due = false, goes_on = false;
  const follow = () => {
    is_due = false;
    const rows = own_rows();
    rows[point] = [0, 1].map((d) => own_number(place[d])).join(",");
    run_points(rows, {dragging: true, goes_on});
    goes_on = true;
  };
  const move = (pointer) => {
    if (pointer.pointerId !== event.pointerId) return;
    moved = moved || Math.hypot(pointer.clientX - from[0], pointer.clientY - from[1]) > 4;
    if (!moved) return;
    place = places_at(pointer);
    if (!is_due) requestAnimationFrame(follow);
    is_due = true;
  };
  const end = (pointer) => {
    if (pointer.pointerId !== event.pointerId) return;
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    if (!moved) return;
    // The click at the end of the way adds no point.
    const swallow = (click) => click.stopPropagation();
    addEventListener("click", swallow, true);
    setTimeout(() => {
      removeEventListener("click", swallow, true);
      rebuild_own_form();
    });
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
  return true;
}

// Links

/// The address of what is shown: points, algorithm and step in its fragment.
const own_link = () => fits_in_link() ?
    "#own=" + encodeURIComponent(JSON.stringify({...own, step: at, asked: data.asked})) :
    "#";
const fits_in_link = () => (own.points || "").length <= 50_000;

function say_alone(words) {
  own_said.textContent = words;
  own_panel.replaceChildren(own_said);
  own_panel.hidden = false;
}

function open_own_link() {
  if (!location.hash.startsWith("#own=")) return;
  if (!has_engine())
    return say_alone(
        "This link shows a run on points of one's own, and this page has no engine to make it: open the link in the " +
        "page that it was copied from.");
  try {
    const {step, asked, ...request} = JSON.parse(decodeURIComponent(location.hash.slice(5)));
    enter_own(request, step).then(() => {
      if (asked && data.own && !data.far)
        show_answer(ask_engine({ask: "practice", fresh: false, seed: asked}), own, step, {asked});
    });
  } catch {
    say_alone("The link is cut off; ask for it again.");
  }
}
addEventListener("hashchange", open_own_link);
