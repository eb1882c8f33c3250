// list: prints the algorithms, searches, data sets, lessons and devices of this build.

#include <algorithm>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/text/similar_names.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/run_options.hpp"
#include "datasets/datasets.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope::cli {
namespace {

std::string range_text(std::int64_t min, std::int64_t max) {
  return std::to_string(min) + " to " + std::to_string(max);
}

void write_parameters(const std::vector<ParameterSpec>& parameters, JsonWriter& json) {
  json.objects("parameters", parameters, [&](const ParameterSpec& p) {
    json.member("name", p.name);
    json.member("help", p.help);
    json.member("default", p.default_value);
    std::vector<std::string> choices;
    for (const Choice& c : p.choices) choices.push_back(c.value);
    json.member("choices", choices);
    json.member("min", p.min);
    json.member("max", p.max);
  });
}

void print_parameters(const std::vector<ParameterSpec>& parameters, std::ostream& out) {
  for (const ParameterSpec& p : parameters) {
    out << "  " << p.name << "=" << p.default_value << "  " << p.help;
    if (p.choices.empty()) out << " " << range_text(p.min, p.max) << ".";
    out << "\n";
    for (const Choice& c : p.choices) out << "    " << c.value << ": " << c.help << "\n";
  }
}

void list_algorithms(std::ostream& out, JsonWriter* json) {
  for (const AlgorithmSpec& a : algorithms()) {
    if (json) {
      json->begin_object();
      json->member("id", a.id);
      json->member("title", a.title);
      json->member("citation", a.citation);
      json->member("summary", a.summary);
      json->member("takes_triangles", a.takes_triangles);
      json->member("min_dim", a.min_dim);
      json->member("max_dim", a.max_dim);
      json->member("max_points", a.max_points);
      std::vector<std::string> types;
      for (const ScalarType type : a.scalars) types.emplace_back(name_of(type));
      json->member("types", types);
      write_parameters(a.parameters, *json);
      json->end_object();
      continue;
    }
    out << a.id << "  " << a.title << " (" << a.citation << ")\n  " << a.summary << "\n  Takes "
        << (a.takes_triangles ? "triangles" : "points") << " of "
        << (a.min_dim == a.max_dim ? std::to_string(a.min_dim) : range_text(a.min_dim, a.max_dim))
        << " dimensions, type";
    for (std::size_t i = 0; i < a.scalars.size(); ++i) out << (i == 0 ? " " : " or ") << name_of(a.scalars[i]);
    out << ", at most " << a.max_points << ".\n";
    print_parameters(a.parameters, out);
  }
}

void list_searches(std::ostream& out, JsonWriter* json) {
  for (const Search& each : all_searches()) {
    const SearchSpec& s = each.spec;
    std::vector<std::string> questions;
    for (const SearchQuestion q : s.questions) questions.emplace_back(name_of(q));
    if (json) {
      json->begin_object();
      json->member("id", s.id);
      json->member("title", s.title);
      json->member("citation", s.citation);
      json->member("summary", s.summary);
      json->member("tree_kind", s.tree_kind);
      json->member("questions", questions);
      json->member("most_k", s.most_k);
      write_parameters(s.parameters, *json);
      json->end_object();
      continue;
    }
    out << s.id << "  " << s.title << " (" << s.citation << ")\n  " << s.summary << "\n  Searches trees of kind "
        << s.tree_kind << "; answers";
    for (std::size_t i = 0; i < questions.size(); ++i) out << (i == 0 ? " " : ", ") << questions[i];
    if (s.most_k > 1) out << ", k up to " << s.most_k;
    out << ".\n";
    print_parameters(s.parameters, out);
  }
}

void print_parameters(const std::vector<DataParameter>& parameters, std::ostream& out) {
  for (const DataParameter& p : parameters) {
    out << "  " << p.name << (p.default_value.empty() ? "" : "=") << p.default_value << "  " << p.help;
    for (std::size_t i = 0; i < p.choices.size(); ++i) out << (i == 0 ? " " : ", ") << p.choices[i];
    if (p.choices.empty() && !p.is_list) out << " " << range_text(p.min, p.max);
    out << (p.is_list ? "\n" : ".\n");
  }
}

void list_datasets(std::ostream& out, JsonWriter* json) {
  for (const DataSource& d : data_sources()) {
    if (json) {
      json->begin_object();
      json->member("id", d.id);
      json->member("title", d.title);
      json->member("description", d.description);
      json->member("generated", d.generated);
      json->member("has_triangles", d.has_triangles);
      json->objects("parameters", d.parameters, [&](const DataParameter& p) {
        json->member("name", p.name);
        json->member("help", p.help);
        json->member("default", p.default_value);
        json->member("choices", p.choices);
        json->member("min", p.min);
        json->member("max", p.max);
      });
      json->end_object();
      continue;
    }
    out << d.id << "  " << d.title << "\n  " << d.description << "\n";
    print_parameters(d.parameters, out);
  }
  if (json) return;
  out << "FILE  A file\n  The path of a CSV, XYZ, NPY, PCD, PLY, OBJ or STL file, with or without parameters: "
         "scan.csv:columns=x,y,z,type=float.\n";
  print_parameters(file_parameters(), out);
}

/// Lists the lessons. A damaged lesson is reported and changes only the exit code.
ExitCode list_lessons(std::ostream& out, JsonWriter* json, std::ostream& err) {
  const LessonCatalogue catalogue = read_lessons(lessons_folder());
  for (const Lesson& l : catalogue.lessons) {
    if (json) {
      json->begin_object();
      json->member("id", l.id);
      json->member("title", l.title);
      json->member("source", l.source);
      json->member("data", l.data);
      json->member("algorithm", l.algorithm);
      json->member("stops", l.stops.size());
      json->member("path", l.path);
      json->end_object();
    } else {
      out << printable(l.id) << "  " << printable(l.title) << " (" << printable(l.source) << "): " << l.stops.size()
          << " stops on " << printable(l.data) << "\n";
    }
  }
  for (const Error& problem : catalogue.problems) err << "kdscope-cli: " << printable(problem.message()) << "\n";
  return catalogue.problems.empty() ? exit_ok : exit_bad_input;
}

void list_devices(std::ostream& out, JsonWriter* json) {
  const DeviceReport report = find_devices();
  if (json) {
    json->begin_object();
    json->member("cuda_status", report.cuda_status);
    json->key("devices");
    json->begin_array();
  }
  for (const Device& d : report.devices) {
    if (json) {
      json->begin_object();
      json->member("backend", name_of(d.backend));
      json->member("ordinal", d.ordinal);
      json->member("name", d.name);
      json->member("memory_bytes", d.memory_bytes);
      json->member("detail", d.detail);
      json->end_object();
    } else {
      out << name_of(d.backend) << "  " << d.name << ", " << bytes_text(d.memory_bytes) << " (" << d.detail << ")\n";
    }
  }
  if (json) {
    json->end_array();
    json->end_object();
  } else if (!report.cuda_status.empty()) {
    out << "no CUDA device: " << report.cuda_status << "\n";
  }
}

Result<ExitCode> run_list(const Arguments& arguments, Console& console) {
  const std::string what = arguments.operand(0);
  const std::vector<std::string> names{"algorithms", "searches", "datasets", "lessons", "devices"};
  if (std::find(names.begin(), names.end(), what) == names.end()) {
    std::string remedy = did_you_mean(what, names);
    if (remedy.empty()) remedy = "choose algorithms, searches, datasets, lessons or devices";
    if (what == "experiments") remedy = "kdscope-cli experiment list names them all";
    return Error{ErrorKind::bad_usage, "there is no list of '" + what + "'", "", remedy};
  }
  JsonWriter writer(console.out);
  JsonWriter* json = arguments.has("--json") ? &writer : nullptr;
  ExitCode code = exit_ok;
  if (what == "devices") {
    list_devices(console.out, json);
  } else {
    if (json) json->begin_array();
    if (what == "algorithms")
      list_algorithms(console.out, json);
    else if (what == "searches")
      list_searches(console.out, json);
    else if (what == "datasets")
      list_datasets(console.out, json);
    else
      code = list_lessons(console.out, json, console.err);
    if (json) json->end_array();
  }
  if (json) console.out << "\n";
  return code;
}

}  // namespace

Command list_command() {
  return {{"list",
           "what can be run: algorithms, searches, datasets, lessons, devices",
           "Lists what this build has, with the parameters that each takes. Devices: the one that `auto` chooses comes "
           "first.",
           {{"WHAT", "algorithms, searches, datasets, lessons or devices."}},
           {json_option()},
           {"list algorithms", "list devices --json"}},
          run_list};
}

}  // namespace kdscope::cli
