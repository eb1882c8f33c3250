#include "app/measure/measured_row.hpp"

#include <ctime>
#include <fstream>

#include "algorithms/registry/build_provenance.hpp"
#include "algorithms/text/csv.hpp"
#include "algorithms/text/numbers.hpp"

namespace kdscope {
namespace {

constexpr std::uint64_t word = 4, index = 4, distance = 4;  // bytes

std::string joined(const Parameters& parameters, const char* separator) {
  std::string text;
  for (const auto& [name, value] : parameters) text += (text.empty() ? "" : separator) + name + "=" + value;
  return text;
}

/// The processor's name as Linux reports it; empty if it does not.
std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (const std::size_t colon = line.find(": "); colon != std::string::npos && line.starts_with("model name"))
      return line.substr(colon + 2);
  return {};
}

std::string now_in_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// Writes the line of a row.
void write_csv_line(const MeasuredTable& table, const MeasuredRow& row, CsvWriter& csv) {
  const auto known = [](double number) { return number > 0 ? shortest(number) : ""; };
  const MeasuredWork& what = row.what;
  const MeasuredFacts& facts = row.facts;
  const Samples& samples = row.samples;
  const bool builds = what.kind == WorkKind::build, complete = row.measured() && !facts.parameters.empty();
  csv << name_of(table.backend) << table.device << name_of(what.kind) << what.subject << facts.version
      << joined(builds && complete ? facts.parameters : what.given, " ") << what.search
      << joined(!builds && complete ? facts.parameters : what.search_given, " ")
      << (what.k > 0 ? std::to_string(what.k) : "") << what.order << what.data << row.n;
  if (row.measured()) {
    csv << facts.dim << facts.type << facts.processors << samples.count() << samples.median() << samples.least()
        << samples.most();
    for (const double share : {0.25, 0.75}) csv << (samples.summary ? "" : shortest(samples.quantile(share)));
    csv << known(row.ns_per_point()) << known(row.gigabytes_per_second()) << known(table.copy_gigabytes)
        << facts.peak_bytes << (facts.launches ? std::to_string(*facts.launches) : "") << hash_text(facts.hash);
  } else {
    for (int column = 0; column < 15; ++column) csv << "";
  }
  csv << row.reason;
  csv.end_row();
}

}  // namespace

const char* name_of(WorkKind kind) { return kind == WorkKind::build ? "build" : "search"; }

std::string MeasuredWork::name() const {
  std::string text = subject;
  const auto add = [&](const std::string& part) { text += part.empty() ? "" : ", " + part; };
  add(joined(given, ", "));
  add(search);
  add(joined(search_given, ", "));
  if (kind == WorkKind::search) add("k=" + std::to_string(k));
  return text;
}

std::string MeasuredWork::title() const {
  return name() + " on " + data + (processors > 0 ? " with processors=" + std::to_string(processors) : "");
}

double MeasuredRow::ns_per_point() const { return n > 0 ? samples.median() * 1e6 / static_cast<double>(n) : 0; }

double MeasuredRow::gigabytes_per_second() const {
  const double time = samples.median();
  return time > 0 ? static_cast<double>(facts.compulsory_bytes) / 1e6 / time : 0;
}

MeasuredRun run_of_this_program() {
  const BuildProvenance& build = build_provenance();
  return {version(), (build.commit.empty() ? "unknown" : build.commit) + (build.local_changes ? "+changes" : ""),
          now_in_utc()};
}

std::string kept_device(const Device& device) {
  static const std::string processor = processor_name();
  const bool cpu =
      device.backend == Backend::cpu && !processor.empty() && device.name.find(" of ") == std::string::npos;
  return device.name + (cpu ? " of " + processor : "");
}

MeasuredTable& table_on(const Device& device, MeasuredRun& run) {
  const std::string name = kept_device(device);
  for (MeasuredTable& table : run.tables)
    if (table.backend == device.backend && table.device == name && table.processors == device.processors) return table;
  return run.tables.emplace_back(MeasuredTable{device.backend, name, device.detail, device.processors});
}

std::uint64_t compulsory_bytes_of_build(const DataSet& data, bool triangles) {
  const std::uint64_t points = word * data.points.words.size();
  if (triangles) return points + word * data.triangles.size() + index * (data.triangles.size() / 3);
  return 2 * points + index * data.points.size();
}

std::uint64_t compulsory_bytes_of_searches(const DataSet& data, std::uint32_t k) {
  const std::uint64_t n = data.points.size();
  return 2 * word * data.points.words.size() + index * n + (index + distance) * n * k;
}

std::string csv_of(const MeasuredRun& run) {
  std::string text =
      "backend,device,work,subject,version,parameters,search,search_parameters,k,order,data,n,dim,type,processors,"
      "repeats,median_ms,min_ms,max_ms,lower_quartile_ms,upper_quartile_ms,ns_per_point,gb_per_s,copy_gb_per_s,"
      "peak_bytes,launches,hash,left_out\n";
  CsvWriter csv(text);
  for (const MeasuredTable& table : run.tables)
    for (const MeasuredRow& row : table.rows) write_csv_line(table, row, csv);
  return text;
}

}  // namespace kdscope
