#include "app/experiments/kept_results.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "algorithms/core/input_file.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "algorithms/registry/build_provenance.hpp"
#include "algorithms/text/csv.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/printable_text.hpp"

namespace kdscope {
namespace {

constexpr std::string_view header =
    "date,commit,device,backend,algorithm,data,parameters,processors,repeats,median_ms,min_ms,max_ms,mean_ms,sd_ms,"
    "tree_hash";
constexpr std::uint64_t most_kept_bytes = 64 << 20;
constexpr const char* repair = "correct that line, or move the file away";

/// The processor's name as Linux reports it; empty if it does not.
std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (const std::size_t colon = line.find(": "); colon != std::string::npos && line.starts_with("model name"))
      return line.substr(colon + 2);
  return {};
}

std::string parameters_text(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) text += (text.empty() ? "" : " ") + name + "=" + value;
  return text;
}

std::string line_of(const KeptResult& r) {
  std::string line;
  CsvWriter csv(line);
  for (const std::string& text : {r.date, r.commit, r.device, r.backend, r.algorithm, r.data, r.parameters})
    csv << text;
  csv << r.processors << r.repeats;
  for (const double ms : {r.median, r.least, r.most, r.mean, r.deviation}) csv << ms;
  csv << hash_text(r.tree_hash);
  csv.end_row();
  return line;
}

template <class Number, class... Base>
bool read_number(std::string_view text, Number& number, Base... base) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number, base...);
  return problem == std::errc() && end == text.data() + text.size();
}

bool read_time(std::string_view text, double& ms) { return read_number(text, ms) && std::isfinite(ms) && ms >= 0; }

/// "2026-05-01T12:34:56Z": as text in the order of time.
bool is_date(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:ddZ";
  return std::ranges::equal(text, form, [](char c, char f) { return f == 'd' ? c >= '0' && c <= '9' : c == f; });
}

std::optional<KeptResult> result_in(std::string_view line) {
  std::vector<CsvField> fields;
  if (!split_csv_row(line, fields) || fields.size() != 15) return std::nullopt;
  std::vector<std::string> f;
  for (const CsvField& field : fields) f.push_back(field.value());
  KeptResult r{f[0], f[1], f[2], f[3], f[4], f[5], f[6]};
  const bool sound = is_date(r.date) && !r.commit.empty() && read_number(f[7], r.processors) &&
                     read_number(f[8], r.repeats) && read_time(f[9], r.median) && read_time(f[10], r.least) &&
                     read_time(f[11], r.most) && read_time(f[12], r.mean) && read_time(f[13], r.deviation) &&
                     f[14].starts_with("0x") && read_number(std::string_view(f[14]).substr(2), r.tree_hash, 16);
  return sound ? std::optional(std::move(r)) : std::nullopt;
}

/// The bytes of a results file; empty if there is none.
Result<std::string> bytes_of(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored) && !ignored) return std::string();
  const Result<InputFile> file = InputFile::open(path);
  if (!file) return file.error();
  if (file->size() > most_kept_bytes)
    return Error{ErrorKind::bad_input, "the results have more than " + bytes_text(most_kept_bytes), path,
                 "move the file away to begin another"};
  return file->read();
}

Result<std::vector<KeptResult>> results_in(std::string_view bytes, const std::string& path) {
  std::vector<KeptResult> results;
  for (std::size_t number = 1; !bytes.empty(); ++number) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view line = bytes.substr(0, end);
    const bool cut = end == bytes.size();  // appending would join two lines
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::string where = path + ":" + std::to_string(number);
    if (number == 1 && line != header)
      return Error{ErrorKind::bad_input, "this is no results file of an experiment", where, "move it away"};
    if (cut) return Error{ErrorKind::bad_input, "the results are damaged: the line has no end", where, repair};
    if (number == 1) continue;
    auto result = result_in(line);
    if (!result) return Error{ErrorKind::bad_input, "the results are damaged: the line is no result", where, repair};
    results.push_back(std::move(*result));
  }
  return results;
}

bool same_work(const KeptResult& a, const KeptResult& b) {
  return a.algorithm == b.algorithm && a.data == b.data && a.parameters == b.parameters &&
         a.processors == b.processors && a.backend == b.backend && a.device == b.device;
}

}  // namespace

std::string results_file_of(const std::string& experiment_file) {
  return std::filesystem::path(experiment_file).replace_extension(".results.csv").string();
}

std::string now_in_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string kept_device(const Device& device) {
  static const std::string processor = processor_name();
  const bool cpu = device.backend == Backend::cpu && !processor.empty();
  return device.name + (cpu ? " of " + processor : "");
}

std::string kept_commit() {
  const BuildProvenance& build = build_provenance();
  return (build.commit.empty() ? "unknown" : build.commit) + (build.local_changes ? "+changes" : "");
}

KeptResult kept_result(const ExperimentRow& row) {
  KeptResult result{now_in_utc(), kept_commit(), kept_device(row.device), name_of(row.device.backend)};
  result.algorithm = row.build.algorithm;
  result.data = printable(row.build.written.empty() ? row.build.data : row.build.written);
  result.parameters = parameters_text(row.build.fixed);
  result.processors = row.build.processors;
  result.repeats = row.repeats;
  result.median = row.median;
  result.least = row.least;
  result.most = row.most;
  result.mean = row.mean;
  result.deviation = row.deviation;
  result.tree_hash = row.tree_hash;
  return result;
}

Result<std::vector<KeptResult>> read_results(const std::string& path) {
  const auto bytes = bytes_of(path);
  if (!bytes) return bytes.error();
  return results_in(*bytes, path);
}

Result<void> append_results(const std::string& path, const std::vector<KeptResult>& added) {
  auto bytes = bytes_of(path);
  if (!bytes) return bytes.error();
  if (const auto sound = results_in(*bytes, path); !sound) return sound.error();
  if (bytes->empty()) *bytes = std::string(header) + "\n";
  for (const KeptResult& result : added) *bytes += line_of(result);
  return replace_file(path, *bytes);
}

const char* name_of(TimeVerdict verdict) {
  constexpr const char* names[] = {"no difference", "faster", "slower", "unknown"};
  return names[static_cast<int>(verdict)];
}

TimeVerdict judge(const TimeSummary& now, const TimeSummary& before) {
  constexpr std::size_t fewest = 3;
  constexpr double least_share = 0.03;
  if (now.repeats < fewest || before.repeats < fewest) return TimeVerdict::unknown;
  const double difference = now.median - before.median;
  if (std::abs(difference) <= std::max(least_share * before.median, now.deviation + before.deviation))
    return TimeVerdict::no_difference;
  return difference > 0 ? TimeVerdict::slower : TimeVerdict::faster;
}

std::optional<Comparison> compare(const std::vector<KeptResult>& kept, const KeptResult& now) {
  const KeptResult* before = nullptr;
  for (const KeptResult& result : kept)
    if (result.commit != now.commit && same_work(result, now) && (!before || result.date >= before->date))
      before = &result;
  if (!before) return std::nullopt;
  const TimeVerdict verdict = judge(now, *before);
  std::vector<const KeptResult*> present{&now}, earlier;
  for (const KeptResult& result : kept) {
    if (!same_work(result, now)) continue;
    if (result.commit == now.commit) present.push_back(&result);
    if (result.commit == before->commit) earlier.push_back(&result);
  }
  for (const KeptResult* one : present)
    for (const KeptResult* other : earlier)
      if (const TimeVerdict each = judge(*one, *other); each != verdict && each != TimeVerdict::unknown)
        return Comparison{*before, TimeVerdict::no_difference};
  return Comparison{*before, verdict};
}

}  // namespace kdscope
