#include "app/bench/bench_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

#include "algorithms/core/input_file.hpp"
#include "algorithms/text/json.hpp"
#include "algorithms/text/json_value.hpp"
#include "algorithms/text/numbers.hpp"

namespace kdscope {
namespace {

constexpr std::string_view format = "kdscope-bench";
constexpr int format_version = 1;
constexpr std::uint64_t most_bytes = 64 << 20;
constexpr std::size_t most_tables = 2;  // one per back end

void write_parameters(JsonWriter& json, const char* name, const Parameters& parameters) {
  json.key(name);
  json.begin_object();
  for (const auto& [parameter, value] : parameters) json.member(parameter, value);
  json.end_object();
}

void write_row(JsonWriter& json, const BenchRow& row) {
  json.begin_object();
  json.member("work", name_of(row.work));
  json.member("subject", row.subject);
  json.member("library", row.library);
  write_parameters(json, "given", row.given);
  json.member("search", row.search);
  write_parameters(json, "search_given", row.search_given);
  json.member("k", row.k);
  json.member("order", row.order);
  json.member("distribution", row.distribution);
  json.member("data", row.data);
  json.member("n", row.n);
  json.member("left_out", row.reason);
  json.member("over_time", row.over_time);
  json.member("times_ms", row.ms);
  if (row.measured()) {
    json.member("dim", row.dim);
    json.member("type", row.type);
    json.member("version", row.version);
    json.member("processors", row.processors);
    json.member("compulsory_bytes", row.compulsory_bytes);
    json.member("peak_bytes", row.peak_bytes);
    if (row.launches) json.member("launches", *row.launches);
    write_parameters(json, "parameters", row.parameters);
    json.member("hash", hash_text(row.hash));
    json.member("median_ms", row.median());
    json.member("min_ms", row.quantile_ms(0));
    json.member("max_ms", row.quantile_ms(1));
    json.member("ns_per_point", row.ns_per_point());
    json.member("gb_per_s", row.gigabytes_per_second());
  }
  json.end_object();
}

Parameters parameters_at(const JsonValue& value, const char* name) {
  Parameters parameters;
  for (const auto& [parameter, text] : value.at(name).members()) parameters[parameter] = text.text();
  return parameters;
}

template <class Number>
Number count_at(const JsonValue& value, const char* name) {
  constexpr std::uint64_t of_type = std::numeric_limits<Number>::max(), of_json = (std::uint64_t(1) << 53) - 1;
  return static_cast<Number>(value.at(name).integer(0, static_cast<std::int64_t>(std::min(of_type, of_json))));
}

/// A time or a rate.
double measure_of(const JsonValue& value) {
  const double number = value.number();
  if (!std::isfinite(number) || number < 0) throw JsonError("a time or rate that is negative or infinite");
  return number;
}

std::uint64_t hash_at(const JsonValue& value, const char* name) {
  const std::string& text = value.at(name).text();
  std::uint64_t hash = 0;
  if (!text.starts_with("0x")) throw JsonError("a hash that is no number");
  const auto [end, problem] = std::from_chars(text.data() + 2, text.data() + text.size(), hash, 16);
  if (problem != std::errc() || end != text.data() + text.size()) throw JsonError("a hash that is no number");
  return hash;
}

BenchRow row_in(const JsonValue& value) {
  BenchRow row;
  const std::string& work = value.at("work").text();
  row.work = work == name_of(BenchWork::search) ? BenchWork::search : BenchWork::build;
  if (work != name_of(row.work)) throw JsonError("work that is neither build nor search");
  row.subject = value.at("subject").text();
  row.library = value.at("library").boolean();
  row.given = parameters_at(value, "given");
  row.search = value.at("search").text();
  row.search_given = parameters_at(value, "search_given");
  row.k = count_at<std::uint32_t>(value, "k");
  row.order = value.at("order").text();
  row.distribution = value.at("distribution").text();
  row.data = value.at("data").text();
  row.n = count_at<std::uint64_t>(value, "n");
  row.reason = value.at("left_out").text();
  row.over_time = value.at("over_time").boolean();
  for (const JsonValue& ms : value.at("times_ms").items()) row.ms.push_back(measure_of(ms));
  if (row.measured() != row.reason.empty()) throw JsonError("a row with neither times nor the reason why it has none");
  if (!row.measured()) return row;
  row.dim = count_at<std::uint32_t>(value, "dim");
  row.type = value.at("type").text();
  row.version = value.at("version").text();
  row.processors = count_at<int>(value, "processors");
  row.compulsory_bytes = count_at<std::uint64_t>(value, "compulsory_bytes");
  row.peak_bytes = count_at<std::uint64_t>(value, "peak_bytes");
  if (value.find("launches")) row.launches = count_at<std::uint64_t>(value, "launches");
  row.parameters = parameters_at(value, "parameters");
  row.hash = hash_at(value, "hash");
  return row;
}

BenchTable table_in(const JsonValue& value) {
  BenchTable table;
  const auto backend = backend_named(value.at("backend").text());
  if (!backend || *backend == Backend::automatic) throw JsonError("a back end that is neither cpu nor cuda");
  table.backend = *backend;
  table.device = value.at("device").text();
  table.detail = value.at("detail").text();
  table.processors = count_at<int>(value, "processors");
  table.copy_gigabytes = measure_of(value.at("copy_gb_per_s"));
  for (const JsonValue& row : value.at("rows").items()) table.rows.push_back(row_in(row));
  return table;
}

BenchResults results_in(const JsonValue& value) {
  BenchResults results;
  results.version = value.at("kdscope").text();
  results.commit = value.at("commit").text();
  results.date = value.at("date").text();
  for (const JsonValue& word : value.at("options").items()) results.options.push_back(word.text());
  results.time_limit_s = measure_of(value.at("time_limit_s"));
  for (const JsonValue& table : value.at("tables").items()) results.tables.push_back(table_in(table));
  if (results.tables.empty() || results.tables.size() > most_tables) throw JsonError("no table of one or two devices");
  return results;
}

}  // namespace

std::string json_of(const BenchResults& results) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object();
  json.member("format", format);
  json.member("format_version", format_version);
  json.member("kdscope", results.version);
  json.member("commit", results.commit);
  json.member("date", results.date);
  json.member("method",
              "Times of single builds and searches with the data on the device, without transfers, after one or two "
              "that do not count. gb_per_s are compulsory bytes per second: a build reads its input and writes the "
              "tree; a search reads tree and queries and writes index and distance of each point found. copy_gb_per_s "
              "are bytes read and written by a copy on the same device in the same run. peak_bytes include the input.");
  json.member("options", results.options);
  json.member("time_limit_s", results.time_limit_s);
  json.key("tables");
  json.begin_array();
  for (const BenchTable& table : results.tables) {
    json.begin_object();
    json.member("backend", name_of(table.backend));
    json.member("device", table.device);
    json.member("detail", table.detail);
    json.member("processors", table.processors);
    json.member("copy_gb_per_s", table.copy_gigabytes);
    json.key("rows");
    json.begin_array();
    for (const BenchRow& row : table.rows) write_row(json, row);
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.end_object();
  out << "\n";
  return std::move(out).str();
}

Result<BenchResults> bench_from_json(std::string_view text, const std::string& path) {
  const Error other{ErrorKind::bad_input, "this is no results file of kdscope-cli bench", path,
                    "give a file that bench --json wrote"};
  try {
    const JsonValue value = JsonValue::parse(text);
    const JsonValue* name = value.find("format");
    if (!name || name->text() != format) return other;
    if (value.at("format_version").number() != format_version)
      return Error{ErrorKind::bad_input, "the results are of another version of the format", path,
                   "measure again with this program"};
    return results_in(value);
  } catch (const JsonError& e) {
    if (text.find(format) == std::string_view::npos) return other;
    return Error{ErrorKind::bad_input, std::string("the results are damaged: ") + e.what(), path, "measure again"};
  }
}

Result<BenchResults> read_bench(const std::string& path) {
  const Result<InputFile> file = InputFile::open(path);
  if (!file) return file.error();
  if (file->size() > most_bytes)
    return Error{ErrorKind::bad_input, "results of a bench have at most " + bytes_text(most_bytes), path,
                 "give a file that bench --json wrote"};
  const auto text = file->read();
  if (!text) return text.error();
  return bench_from_json(*text, path);
}

}  // namespace kdscope
