// The format of experiment files. Everything that is wrong is thrown with its line, and caught once, in
// parse_experiment().

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>

#include "algorithms/core/input_file.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/text/similar_names.hpp"
#include "app/experiments/experiment_file.hpp"
#include "app/experiments/sweep.hpp"
#include "walkthroughs/reader/yaml_field.hpp"

namespace kdscope {
namespace {

constexpr std::uint64_t most_file_bytes = 1 << 20;
constexpr std::uint64_t most_points = 0x7fffffff;  ///< of a tree
constexpr std::uint64_t most_dims = 512, most_processors = 1 << 20, most_repeats = 1'000'000;

/// Entries of a list, or the field itself if it is a single value. Fails if the list is empty.
std::vector<YamlField> entries(const YamlField& field) {
  if (!field.is_list()) return {field};
  auto list = field.items();
  if (list.empty()) field.fail(field.name() + " is an empty list", "write at least one value, or leave it out");
  return list;
}

template <class Value>
void check_new(const std::vector<Value>& before, const Value& value, const YamlField& entry, const std::string& text) {
  if (std::ranges::find(before, value) != before.end())
    entry.fail(entry.name() + " is '" + text + "' for the second time", "write each value once");
}

/// The texts of a list, each once.
std::vector<std::string> texts(const YamlField& field) {
  std::vector<std::string> values;
  for (const YamlField& entry : entries(field)) {
    const std::string value = entry.text();
    check_new(values, value, entry, value);
    values.push_back(value);
  }
  return values;
}

/// A whole number; K, M or G multiply it by 10^3, 10^6 or 10^9.
std::uint64_t count_of(const YamlField& field, std::uint64_t most) {
  const std::string text = field.text();
  std::uint64_t value = 0, unit = 1;
  auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view suffix(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  if (suffix == "K") unit = 1'000;
  if (suffix == "M") unit = 1'000'000;
  if (suffix == "G") unit = 1'000'000'000;
  if (problem != std::errc() || (unit == 1 && !suffix.empty()) || value < 1 || value > most / unit)
    field.fail(field.name() + " cannot be '" + text + "'",
               "write a whole number from 1 to " + std::to_string(most) + ", such as 5000 or 5K");
  return value * unit;
}

std::vector<std::uint64_t> counts(const YamlField& field, std::uint64_t most) {
  std::vector<std::uint64_t> values;
  for (const YamlField& entry : entries(field)) {
    const std::uint64_t value = count_of(entry, most);
    check_new(values, value, entry, std::to_string(value));
    values.push_back(value);
  }
  return values;
}

std::string similar_or(const std::string& word, const std::vector<std::string>& names, const std::string& otherwise) {
  const std::string similar = did_you_mean(word, names);
  return similar.empty() ? otherwise : similar;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<std::string> algorithms_of(const YamlField& field) {
  std::vector<std::string> ids;
  for (const YamlField& entry : entries(field)) {
    const std::string id = entry.text();
    if (const auto known = known_algorithm(id); !known) entry.fail(known.error().what, known.error().remedy);
    check_new(ids, id, entry, id);
    ids.push_back(id);
  }
  return ids;
}

std::vector<Backend> backends_of(const YamlField& field) {
  std::vector<Backend> backends;
  for (const YamlField& entry : entries(field)) {
    const std::string name = entry.text();
    const auto backend = backend_named(name);
    if (!backend) entry.fail("there is no back end '" + name + "'", "write auto, cpu or cuda");
    check_new(backends, *backend, entry, name);
    backends.push_back(*backend);
  }
  return backends;
}

/// The algorithms of a sweep that have a parameter.
std::vector<const AlgorithmSpec*> owners_of(const std::string& parameter, const Sweep& sweep) {
  std::vector<const AlgorithmSpec*> owners;
  for (const std::string& id : sweep.algorithms) {
    const AlgorithmSpec* spec = find_algorithm(id);
    if (std::ranges::find(spec->parameters, parameter, &ParameterSpec::name) != spec->parameters.end())
      owners.push_back(spec);
  }
  return owners;
}

[[noreturn]] void fail_unknown_parameter(const std::string& name, const YamlField& field, const Sweep& sweep) {
  std::set<std::string> known;
  for (const std::string& id : sweep.algorithms)
    for (const ParameterSpec& parameter : find_algorithm(id)->parameters) known.insert(parameter.name);
  const std::vector<std::string> names(known.begin(), known.end());
  field.fail((sweep.algorithms.size() == 1 ? sweep.algorithms.front() + " has" : "none of the algorithms has") +
                 std::string(sweep.algorithms.size() == 1 ? " no parameter '" : " a parameter '") + name + "'",
             similar_or(name, names, "choose from " + joined(names)));
}

void read_parameters(const YamlField& field, Sweep& sweep) {
  const auto listed = field.pairs();
  if (listed.empty()) field.fail("'parameters' is empty", "write at least one parameter, or leave it out");
  for (const auto& [name, values] : listed) {
    const auto owners = owners_of(name, sweep);
    if (owners.empty()) fail_unknown_parameter(name, values, sweep);
    for (const YamlField& entry : entries(values))
      for (const AlgorithmSpec* owner : owners)
        if (const auto complete = complete_parameters(*owner, {{name, entry.text()}}); !complete)
          entry.fail(owner->id + " refuses a value: " + complete.error().what, complete.error().remedy);
    sweep.parameters.emplace_back(name, texts(values));
  }
}

/// Checks that a placeholder stands in every specification if its list is given, and else in none.
void check_placeholder(const std::string& name, bool listed, const YamlField& data, const Sweep& sweep) {
  const std::string placeholder = "{" + name + "}";
  for (const std::string& specification : sweep.data) {
    const bool there = specification.find(placeholder) != std::string::npos;
    if (listed && !there)
      data.fail(
          "'" + specification + "' has no " + placeholder + ", but there is a list '" + name + "'",
          "write " + placeholder + " where its values go, such as uniform:n={n},dim=3, or leave '" + name + "' out");
    if (!listed && there)
      data.fail("'" + specification + "' has " + placeholder + ", but there is no list '" + name + "'",
                "add a line such as '" + name + (name == "n" ? ": [1K, 10K]'" : ": [2, 3]'"));
  }
}

bool is_number(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

/// Checks that a chart can have its x axis: a list with numbers, which every algorithm has.
void read_x(const YamlField& field, Sweep& sweep) {
  sweep.x = field.text();
  if (sweep.x == "n" || (sweep.x == "dim" && !sweep.dims.empty()) ||
      (sweep.x == "processors" && sweep.processors.front() > 0))
    return;
  std::vector<std::string> known{"n"};
  if (!sweep.dims.empty()) known.push_back("dim");
  if (sweep.processors.front() > 0) known.push_back("processors");
  for (const auto& [name, values] : sweep.parameters) {
    known.push_back(name);
    if (name != sweep.x) continue;
    if (!std::ranges::all_of(values, is_number))
      field.fail("'" + name + "' cannot be along x, because not all of its values are numbers", "choose another x");
    if (owners_of(name, sweep).size() < sweep.algorithms.size())
      field.fail("'" + name + "' cannot be along x, because not all algorithms have it", "choose another x");
    return;
  }
  field.fail("'" + sweep.x + "' cannot be along x, because the file lists no values of it",
             similar_or(sweep.x, known, "choose from " + joined(known)));
}

Sweep sweep_of(const YamlFields& fields, const std::filesystem::path& path) {
  Sweep sweep;
  sweep.id = path.stem().string();
  sweep.folder = path.parent_path().string();
  sweep.title = printable(fields.at("title").text());
  if (const YamlField* notes = find(fields, "notes")) sweep.notes = printable(notes->text());
  sweep.algorithms = algorithms_of(fields.at("algorithms"));
  const YamlField& data = fields.at("data");
  sweep.data = texts(data);
  if (const YamlField* n = find(fields, "n")) sweep.sizes = counts(*n, most_points);
  if (const YamlField* dim = find(fields, "dim")) sweep.dims = counts(*dim, most_dims);
  check_placeholder("n", !sweep.sizes.empty(), data, sweep);
  check_placeholder("dim", !sweep.dims.empty(), data, sweep);
  if (const YamlField* parameters = find(fields, "parameters")) read_parameters(*parameters, sweep);
  if (const YamlField* backend = find(fields, "backend")) sweep.backends = backends_of(*backend);
  if (const YamlField* processors = find(fields, "processors")) sweep.processors = counts(*processors, most_processors);
  if (const YamlField* repeats = find(fields, "repeats"))
    sweep.repeats = static_cast<int>(count_of(*repeats, most_repeats));
  if (const YamlField* x = find(fields, "x")) read_x(*x, sweep);
  return sweep;
}

Experiment experiment_in(const std::string& text, const std::string& path) {
  const YamlField document = YamlField::document(text, 1, "the experiment file");
  const YamlFields fields = document.fields(
      {"title", "algorithms", "data"}, {"notes", "n", "dim", "parameters", "backend", "processors", "repeats", "x"});
  const Sweep sweep = sweep_of(fields, path);
  if (const std::uint64_t rows = row_count(sweep); rows > most_sweep_rows)
    document.fail("the lists make " + std::to_string(rows) + " rows, and at most " + std::to_string(most_sweep_rows) +
                      " are measured",
                  "shorten the lists, or make several files");
  auto made = experiment_of(sweep);
  if (made) return std::move(*made);
  const Error& error = made.error();
  fields.at("data").fail((error.where.empty() ? "" : error.where + ": ") + error.what, error.remedy);
}

}  // namespace

bool experiment_files_available() { return true; }

Result<Experiment> read_experiment(const std::string& path) {
  const Result<InputFile> file = InputFile::open(path);
  if (!file) return file.error();
  if (file->size() > most_file_bytes)
    return Error{ErrorKind::bad_input, "a file of " + std::to_string(file->size()) + " bytes is no experiment file",
                 path, "at most " + std::to_string(most_file_bytes) + " bytes are read"};
  const Result<std::string> text = file->read();
  if (!text) return text.error();
  return parse_experiment(*text, path);
}

Result<Experiment> parse_experiment(const std::string& text, const std::string& path) try {
  return experiment_in(text, path);
} catch (const YamlFieldError& e) {
  return Error{ErrorKind::bad_input, e.text, path + ":" + std::to_string(e.line),
               e.remedy.empty() ? "app/experiments/README.md has examples" : e.remedy};
} catch (const YAML::Exception& e) {
  return Error{ErrorKind::bad_input, "its YAML cannot be used: " + printable(e.msg), path, ""};
}

}  // namespace kdscope
