// The form of runs on the reader's own points: points, algorithm, search, practice

const labelled = (title, input, help) => el("label", {class: "labelled", title: help}, title, input);
function parameter_input(parameter, value, change, of = "") {
  const set = (event) => change(event.target.value);
  if (parameter.choices.length)
    return el(
        "select", {name: of + parameter.name, on: {change: set}},
        parameter.choices.map((choice) => el("option", {value: choice, selected: choice === value}, choice)));
  return el("input", {
    name: of + parameter.name,
    type: parameter.automatic ? "text" : "number",
    min: parameter.min,
    max: parameter.max,
    value,
    on: {change: set}
  });
}

/// The parts of the name of a generator's data: its id, and its parameters by name.
function parts_of_data(name) {
  const [id, rest] = name.split(/:(.*)/s);
  return {id, values: Object.fromEntries((rest || "").split(",").filter(Boolean).map((part) => part.split("=")))};
}

function points_fields() {
  const {id, values} = parts_of_data(own.data || "");
  const source = builders.sources.find((each) => each.id === id);
  const open = (name, given) => {
    const text = Object.entries(given).map(([key, value]) => `${key}=${value}`).join(",");
    run_own({...own, points: undefined, data: name + (text ? ":" + text : "")}, -1);
  };
  const choice =
      el("select", {on: {change: () => choice.value && open(choice.value, {})}, name: "data"},
         el("option", {value: "", selected: !source}, `own points (${data.count})`),
         builders.sources.map((each) => el("option", {value: each.id, selected: each === source}, each.title)));
  const fields = source ? source.parameters.map(
                              (parameter) => labelled(
                                  parameter.title,
                                  parameter_input(
                                      parameter, values[parameter.name] ?? parameter.value,
                                      (value) => open(id, {...values, [parameter.name]: value})),
                                  parameter.help)) :
                          [];
  const seed = source && source.parameters.find((parameter) => parameter.name === "seed");
  const anew = seed && el("button", {
                 type: "button",
                 name: "anew",
                 on: {click: () => open(id, {...values, seed: Number(values.seed ?? seed.value) % 1000000 + 1})}
               },
                          "Other points");
  const text = el("textarea", {rows: 6, spellcheck: "false", name: "points", "aria-label": "Points, one per line"},
                  own_rows().join("\n"));
  const use = (points) => run_own({...own, data: "", points, rows_alone: false}, -1);
  const file = el("input", {
    type: "file",
    accept: ".csv,.txt,.xyz,text/*",
    on: {change: async () => file.files.length && use(await file.files[0].text())}
  });
  return el(
      "fieldset", {}, el("legend", {}, "Points"), labelled("from", choice), fields,
      el("div", {class: "buttons"}, anew,
         el("button", {type: "button", name: "undo", disabled: own_before.length === 0, on: {click: undo_own}},
            "Undo")),
      el("details", {}, el("summary", {}, "As text, or from a file"), text,
         el("div", {class: "buttons"},
            el("button", {type: "button", name: "use", on: {click: () => use(text.value)}}, "Use these points"),
            labelled("CSV file ", file))));
}

const moves_points = () => Boolean(data.own && data.dim === 2 && data.points);
/// What a click in the picture does.
const own_hint = () => has_search() ? "Click or tap to place the query; without a search, that adds a point." :
    moves_points()                  ? "Click or tap to add a point, drag one to move it, select one to remove it." :
                                      "Points in the plane, up to 2,000, can be added and moved.";
const remove_button = () => el(
    "button", {type: "button", name: "remove", "aria-keyshortcuts": "Delete", on: {click: remove_own_point}},
    `Remove ${point_name(selected.point)}`);

function builder_fields() {
  const builder = builders.builders.find((each) => each.id === data.request.algorithm);
  const change = () => {
    const chosen = builders.builders.find((each) => each.id === choice.value);
    const request = {...own, algorithm: chosen.id, parameters: {}, search: {}};
    // Triangles instead of points, or the other way round, need other data.
    const fitting = builders.sources.find((source) => source.triangles === chosen.triangles);
    const other = {points: undefined, data: fitting.id, beside: undefined};
    run_own(chosen.triangles === builder.triangles ? request : {...request, ...other}, -1);
  };
  const others = builders.builders.filter((each) => each !== builder && each.triangles === builder.triangles);
  const second = el("select", {
    name: "beside",
    on: {
      change: async () => {
        await start_beside();
        run_own({...own, beside: second.value || undefined}, at, {stay: true});
      }
    }
  },
                    el("option", {value: ""}, "none"),
                    others.map((each) => el("option", {value: each.id, selected: each.id === own.beside}, each.title)));
  const choice = el("select", {name: "algorithm", "aria-label": "Algorithm", on: {change}},
                    builders.builders.map(
                        (each) => el(
                            "option", {value: each.id, selected: each === builder},
                            `${each.title} (${each.citation})`)));
  return el(
      "fieldset", {}, el("legend", {}, "Algorithm"), choice, el("p", {class: "muted"}, builder.summary),
      others.length ? labelled("side by side with", second) : null,
      builder.parameters.length ?
          el("details", {}, el("summary", {}, "Parameters"),
             builder.parameters.map(
                 (parameter) => labelled(
                     parameter.title,
                     parameter_input(
                         parameter, (own.parameters || {})[parameter.name] ?? parameter.value,
                         (value) => run_own(
                             {...own, parameters: {...own.parameters, [parameter.name]: value}}, at, {stay: true}),
                         "algorithm-"),
                     parameter.help))) :
          null);
}

const has_search = () => Boolean(own && own.search && own.search.search);

/// Moves the query to a place of the picture.
function place_query(places) {
  const query = own.search.query.split(/[ ,]+/);
  for (const [dimension, value] of Object.entries(places)) query[dimension] = own_number(value);
  run_own({...own, search: {...own.search, query: query.join(",")}}, -1, {stay: true});
}

function search_fields() {
  const searches = builders.builders.find((each) => each.id === data.request.algorithm).searches;
  if (searches.length === 0) return null;
  const given = own.search || {}, search = searches.find((each) => each.id === given.search);
  const question = search && (search.questions.find((each) => each.id === given.question) || search.questions[0]);
  const run = (texts) => run_own({...own, search: texts}, -1, {stay: true});
  /// The texts of a search that answers a question, with what was given before where it fits.
  const texts_for = (of, asked) => ({
    search: of.id,
    question: asked.id,
    k: asked.ray || of.most_k === 1 ? "1" : String(Math.min(of.most_k, Number(given.k) || 1)),
    query: question && question.ray === asked.ray ? given.query :
        asked.ray                                 ? [...data.ray_origin, ...data.ray_direction].join(",") :
                                                    data.middle.join(","),
    ...(asked.radius ? {radius: given.radius || data.reach} : {})
  });
  const choice = el("select", {
    name: "search",
    "aria-label": "Search",
    on: {
      change: () => {
        const chosen = searches.find((each) => each.id === choice.value);
        return chosen ? run(texts_for(chosen, chosen.questions[0])) : run({});
      }
    }
  },
                    el("option", {value: "", selected: !search}, "none: the build itself"),
                    searches.map((each) => el("option", {value: each.id, selected: each === search}, each.title)));
  const field = (title, name, type) => {
    const change = (event) => run({...given, [name]: event.target.value});
    return labelled(title, el("input", {type, name, value: given[name], on: {change}}));
  };
  const ask = (event) => run(texts_for(search, search.questions.find((each) => each.id === event.target.value)));
  const fields = !search ? [] : [
    el("p", {class: "muted"}, search.summary),
    labelled(
        "finds",
        el("select", {name: "question", on: {change: ask}},
           search.questions.map((each) => el("option", {value: each.id, selected: each === question}, each.id)))),
    search.most_k > 1 && !question.radius ? field("k", "k", "number") : null,
    question.radius ? field("radius", "radius", "text") : null, field("query", "query", "text")
  ];
  return el("fieldset", {}, el("legend", {}, "Search"), choice, fields);
}

function practice_fields() {
  const button = (words, fresh) => el(
      "button", {type: "button", name: fresh ? "another" : "ask", on: {click: () => practise(fresh)}}, words);
  return el(
      "fieldset", {}, el("legend", {}, "Practice"),
      el("div", {class: "buttons"}, button("Questions about this run", false), button("Another one like this", true),
         has_search() || data.far ?
             null :
             el("button", {type: "button", name: "kernel", on: {click: begin_kernel}}, "Be the kernel")),
      data.stops ? el("p", {class: "muted"},
                      `${plural(data.stops, "stop has", "stops have")} questions. Answers are saved with those ` +
                          "of the lesson, to hand in.") :
                   null);
}

function own_form() {
  const link = fits_in_link() ? "To share this, copy the page's address: it carries points, algorithm and step." :
                                "So many points do not fit into the page's address.";
  const parts = [points_fields(), builder_fields(), search_fields(), practice_fields()];
  const made = `Engine: ${builders.program}, sources ${make_kdscope_engine.sources}.`;
  return [...parts, own_said, el("p", {class: "muted"}, `${link} ${made}`)].filter((part) => part);
}

/// Makes the form anew for the run on display; focus and open parts stay.
function rebuild_own_form() {
  const focused = own_panel.contains(document.activeElement) ? document.activeElement.name : "";
  const summaries = () => [...own_panel.querySelectorAll("details > summary")];
  const open = summaries().filter((each) => each.parentElement.open).map((each) => each.textContent);
  own_panel.replaceChildren(...(data.own ? own_form() : [own_said]));
  for (const summary of summaries()) summary.parentElement.open = open.includes(summary.textContent);
  const again = focused && own_panel.querySelector(`[name="${focused}"]`);
  if (again) again.focus({preventScroll: true});
}
