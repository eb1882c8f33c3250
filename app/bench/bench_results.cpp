#include "app/bench/bench_results.hpp"

#include <algorithm>

#include "algorithms/text/csv.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/variants/measurement.hpp"

namespace kdscope {
namespace {

constexpr std::uint64_t word = 4, index = 4, distance = 4;  // bytes

std::string joined(const Parameters& parameters, const char* separator) {
  std::string text;
  for (const auto& [name, value] : parameters) text += (text.empty() ? "" : separator) + name + "=" + value;
  return text;
}

}  // namespace

const char* name_of(BenchWork work) { return work == BenchWork::build ? "build" : "search"; }

double BenchRow::median() const { return median_ms(ms); }

double BenchRow::quantile_ms(double share) const { return variants::quantile(ms, share); }

double BenchRow::ns_per_point() const { return n > 0 ? median() * 1e6 / static_cast<double>(n) : 0; }

double BenchRow::gigabytes_per_second() const {
  const double time = median();
  return time > 0 ? static_cast<double>(compulsory_bytes) / 1e6 / time : 0;
}

double BenchRow::robust_deviation() const {
  constexpr double to_quartile = 0.6745;  // of the normal distribution, in standard deviations
  return std::max(quantile_ms(0.75) - median(), median() - quantile_ms(0.25)) / to_quartile;
}

std::string BenchRow::name() const {
  std::string text = subject;
  const auto add = [&](const std::string& part) { text += part.empty() ? "" : ", " + part; };
  add(joined(given, ", "));
  add(search);
  add(joined(search_given, ", "));
  if (work == BenchWork::search) add("k=" + std::to_string(k));
  return text;
}

bool BenchRow::same_work(const BenchRow& other) const {
  return work == other.work && subject == other.subject && library == other.library && given == other.given &&
         search == other.search && search_given == other.search_given && k == other.k && order == other.order &&
         data == other.data;
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

std::string csv_of(const BenchTable& table) {
  std::string text =
      "backend,device,work,subject,version,parameters,search,search_parameters,k,order,data,n,dim,type,processors,"
      "repeats,median_ms,min_ms,max_ms,lower_quartile_ms,upper_quartile_ms,ns_per_point,gb_per_s,copy_gb_per_s,"
      "peak_bytes,launches,hash,left_out\n";
  for (const BenchRow& row : table.rows) {
    const bool builds = row.work == BenchWork::build;
    std::vector<std::string> fields{name_of(table.backend),
                                    table.device,
                                    name_of(row.work),
                                    row.subject,
                                    row.version,
                                    joined(builds && row.measured() ? row.parameters : row.given, " "),
                                    row.search,
                                    joined(!builds && row.measured() ? row.parameters : row.search_given, " "),
                                    row.k > 0 ? std::to_string(row.k) : "",
                                    row.order,
                                    row.data,
                                    std::to_string(row.n)};
    if (row.measured()) {
      fields.insert(fields.end(),
                    {std::to_string(row.dim), row.type, std::to_string(row.processors), std::to_string(row.ms.size())});
      for (const double number :
           {row.median(), row.quantile_ms(0), row.quantile_ms(1), row.quantile_ms(0.25), row.quantile_ms(0.75),
            row.ns_per_point(), row.gigabytes_per_second(), table.copy_gigabytes})
        fields.push_back(shortest(number));
      fields.insert(fields.end(), {std::to_string(row.peak_bytes), row.launches ? std::to_string(*row.launches) : "",
                                   hash_text(row.hash)});
    } else {
      fields.resize(27);
    }
    fields.push_back(row.reason);
    CsvWriter csv(text);
    for (const std::string& field : fields) csv << field;
    csv.end_row();
  }
  return text;
}

}  // namespace kdscope
