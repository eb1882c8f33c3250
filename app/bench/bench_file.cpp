#include "app/bench/bench_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "algorithms/core/input_file.hpp"
#include "algorithms/text/json_fields.hpp"
#include "algorithms/text/numbers.hpp"

namespace kdscope {
namespace {

constexpr std::string_view format = "kdscope-bench";
constexpr int format_version = 1;
constexpr std::uint64_t most_bytes = 64 << 20;
constexpr std::size_t most_tables = 2;  // one per back end

std::uint64_t hash_in(const std::string& text) {
  std::uint64_t hash = 0;
  const auto [end, problem] =
      std::from_chars(text.data() + std::min<std::size_t>(2, text.size()), text.data() + text.size(), hash, 16);
  if (!text.starts_with("0x") || problem != std::errc() || end != text.data() + text.size())
    throw JsonError("a hash that is no number");
  return hash;
}

void require(bool holds, const char* otherwise) {
  if (!holds) throw JsonError(otherwise);
}

/// Throws for a time or rate that is none.
void check_measure(double number) {
  require(std::isfinite(number) && number >= 0, "a time or rate that is negative or infinite");
}

}  // namespace

template <class Io>
void fields(Io& io, BenchRow& row) {
  std::string work = name_of(row.work), hash = hash_text(row.hash);
  io(Field{"work", work}, Field{"subject", row.subject}, Field{"library", row.library}, Field{"given", row.given},
     Field{"search", row.search}, Field{"search_given", row.search_given}, Field{"k", row.k}, Field{"order", row.order},
     Field{"distribution", row.distribution}, Field{"data", row.data}, Field{"n", row.n}, Field{"left_out", row.reason},
     Field{"over_time", row.over_time}, Field{"times_ms", row.ms});
  if constexpr (!Io::writes) {
    row.work = work == name_of(BenchWork::search) ? BenchWork::search : BenchWork::build;
    require(work == name_of(row.work), "work that is neither build nor search");
    std::ranges::for_each(row.ms, check_measure);
    require(row.measured() == row.reason.empty(), "a row with neither times nor the reason why it has none");
  }
  if (!row.measured()) return;
  io(Field{"dim", row.dim}, Field{"type", row.type}, Field{"version", row.version}, Field{"processors", row.processors},
     Field{"compulsory_bytes", row.compulsory_bytes}, Field{"peak_bytes", row.peak_bytes},
     Field{"launches", row.launches}, Field{"parameters", row.parameters}, Field{"hash", hash});
  if constexpr (!Io::writes) {
    row.hash = hash_in(hash);
    require(row.processors >= 0, "a negative number of processors");
  } else {
    double median = row.median(), least = row.quantile_ms(0), most = row.quantile_ms(1), each = row.ns_per_point(),
           rate = row.gigabytes_per_second();
    io(Field{"median_ms", median}, Field{"min_ms", least}, Field{"max_ms", most}, Field{"ns_per_point", each},
       Field{"gb_per_s", rate});
  }
}

template <class Io>
void fields(Io& io, BenchTable& table) {
  std::string backend = name_of(table.backend);
  io(Field{"backend", backend}, Field{"device", table.device}, Field{"detail", table.detail},
     Field{"processors", table.processors}, Field{"copy_gb_per_s", table.copy_gigabytes}, Field{"rows", table.rows});
  if constexpr (!Io::writes) {
    const auto named = backend_named(backend);
    require(named && *named != Backend::automatic, "a back end that is neither cpu nor cuda");
    table.backend = *named;
    require(table.processors >= 0, "a negative number of processors");
    check_measure(table.copy_gigabytes);
  }
}

template <class Io>
void fields(Io& io, BenchResults& results) {
  io(Field{"kdscope", results.version}, Field{"commit", results.commit}, Field{"date", results.date});
  if constexpr (Io::writes) {
    std::string method =
        "Times of single builds and searches with the data on the device, without transfers, after one or two "
        "that do not count. gb_per_s are compulsory bytes per second: a build reads its input and writes the "
        "tree; a search reads tree and queries and writes index and distance of each point found. copy_gb_per_s "
        "are bytes read and written by a copy on the same device in the same run. peak_bytes include the input.";
    io(Field{"method", method});
  }
  io(Field{"options", results.options}, Field{"time_limit_s", results.time_limit_s}, Field{"tables", results.tables});
  if constexpr (!Io::writes) {
    check_measure(results.time_limit_s);
    require(!results.tables.empty() && results.tables.size() <= most_tables, "no table of one or two devices");
  }
}

std::string json_of(const BenchResults& results) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object();
  json.member("format", format);
  json.member("format_version", format_version);
  JsonFieldWriter members(json);
  BenchResults copy = results;
  fields(members, copy);
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
    BenchResults results;
    JsonFieldReader members(value, true);
    fields(members, results);
    return results;
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
