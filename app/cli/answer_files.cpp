#include "app/cli/answer_files.hpp"

#include <cmath>
#include <sstream>

#include "algorithms/core/replaced_file.hpp"
#include "algorithms/text/csv.hpp"
#include "algorithms/trees/npy_array.hpp"

namespace kdscope::cli {
namespace {

/// The rows "query,rank,found,distance", nearest first, or "query,count".
std::string rows_of_answers(const SearchRequest& request, const SearchReport& report) {
  const bool rays = is_about_rays(request.question);
  std::string rows;
  CsvWriter csv(rows);
  if (request.question == SearchQuestion::count) {
    csv << "query"
        << "count";
    csv.end_row();
    for (std::size_t query = 0; query < report.counts.size(); ++query) {
      csv << query << report.counts[query];
      csv.end_row();
    }
    return rows;
  }
  const bool squared = !rays && request.measure.metric == Metric::euclidean;
  csv << "query"
      << "rank" << (rays ? "triangle" : "point") << "distance";
  csv.end_row();
  for (std::size_t query = 0; query + 1 < report.offsets.size(); ++query)
    for (std::uint64_t at = report.offsets[query]; at < report.offsets[query + 1]; ++at) {
      csv << query << at - report.offsets[query] + 1 << report.found[at]
          << (squared ? std::sqrt(report.distances[at]) : report.distances[at]);
      csv.end_row();
    }
  return rows;
}

/// A NumPy array of the same rows; Euclidean distances of points are squared.
std::string npy_of(const SearchRequest& request, const SearchReport& report) {
  std::ostringstream out;
  const auto write = [&](const auto& value) { out.write(reinterpret_cast<const char*>(&value), sizeof value); };
  if (request.question == SearchQuestion::count) {
    tree_files::write_npy_header(out,
                                 "{'descr': [('query', '<u4'), ('count', '<u4')], 'fortran_order': False, "
                                 "'shape': (" +
                                     std::to_string(report.counts.size()) + ",), }");
    for (std::uint32_t query = 0; query < report.counts.size(); ++query) write(query), write(report.counts[query]);
    return out.str();
  }
  const char* names = is_about_rays(request.question)               ? "('triangle', '<u4'), ('distance', '<f8')"
                      : request.measure.metric == Metric::euclidean ? "('point', '<u4'), ('squared_distance', '<f8')"
                                                                    : "('point', '<u4'), ('distance', '<f8')";
  tree_files::write_npy_header(out, std::string("{'descr': [('query', '<u4'), ('rank', '<u4'), ") + names +
                                        "], 'fortran_order': False, 'shape': (" + std::to_string(report.found.size()) +
                                        ",), }");
  for (std::uint32_t query = 0; query + 1 < report.offsets.size(); ++query)
    for (std::uint64_t at = report.offsets[query]; at < report.offsets[query + 1]; ++at) {
      write(query);
      write(static_cast<std::uint32_t>(at - report.offsets[query] + 1));
      write(report.found[at]);
      write(report.distances[at]);
    }
  return out.str();
}

}  // namespace

Result<void> write_answers(const std::string& path, const SearchRequest& request, const SearchReport& report) {
  auto file = ReplacedFile::begin(path);
  if (!file) return file.error();
  const std::string text = path.ends_with(".npy") ? npy_of(request, report) : rows_of_answers(request, report);
  if (auto written = file->write(text); !written) return written;
  return file->keep();
}

}  // namespace kdscope::cli
