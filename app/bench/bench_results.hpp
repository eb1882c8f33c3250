#pragma once
// What a bench measured: one table per device, with every single time.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/registry/registry.hpp"

namespace kdscope {

enum class BenchWork : std::uint8_t { build, search };
const char* name_of(BenchWork work);  ///< "build", "search"

/// A build, or a search for the nearest points of every point in the tree of such a build.
struct BenchRow {
  // What is measured.
  BenchWork work = BenchWork::build;
  std::string subject;            ///< a builder's id, or that of a library beside kdscope: "nanoflann"
  bool library = false;           ///< whether it is such a library
  Parameters given = {};          ///< the builder's parameters that are not left to the defaults
  std::string search = {};        ///< the id of a search of kdscope
  Parameters search_given = {};   ///< its parameters that are not left to the defaults
  std::uint32_t k = 0;            ///< neighbours per query
  std::string order = {};         ///< the order in which a search serves its queries
  std::string distribution = {};  ///< the data as it was asked for, without a size
  std::string data = {};          ///< the specification of these points
  std::uint64_t n = 0;            ///< points, or triangles for builders of triangles
  std::string reason = {};        ///< why the row is left out, as a clause; empty if it was measured
  bool over_time = false;         ///< whether the reason is the time limit
  std::vector<double> ms = {};    ///< one per repetition, in the order of their measurement

  // What is known of a measured row.
  std::uint32_t dim = 0;
  std::string type = {};               ///< "float" or "int"
  std::string version = {};            ///< of a library
  int processors = 0;                  ///< threads or multiprocessors that the work could use
  std::uint64_t compulsory_bytes = 0;  ///< see compulsory_bytes_of_build() and compulsory_bytes_of_searches()
  std::uint64_t peak_bytes = 0;        ///< input included, on the device
  std::optional<std::uint64_t> launches = {};
  Parameters parameters = {};  ///< of the builder or the search, completed, with "auto" resolved
  std::uint64_t hash = 0;      ///< of the tree, or of all distances found

  bool measured() const { return !ms.empty(); }
  double median() const;
  /// The value below which a share of the times lies. Precondition: measured().
  double quantile_ms(double share) const;
  /// Per point of a build, or per query.
  double ns_per_point() const;
  /// 10^9 compulsory bytes per second.
  double gigabytes_per_second() const;
  /// The standard deviation of normally distributed times whose quartiles are as far from the median as the farther one
  /// of these: one slow repetition among many does not change it.
  double robust_deviation() const;

  /// "wald, sort=bitonic", "wald, stack, k=8", "nanoflann, k=8": the row without data and size.
  std::string name() const;
  /// The name with the data: "wald on uniform:n=1000".
  std::string title() const { return name() + " on " + data; }
  /// Whether another row measures the same work.
  bool same_work(const BenchRow& other) const;
};

/// The rows of one device.
struct BenchTable {
  Backend backend = Backend::cpu;
  std::string device;               ///< as kept_device() names it
  std::string detail = {};          ///< as Device::detail
  int processors = 0;               ///< threads or multiprocessors that the rows may use
  double copy_gigabytes = 0;        ///< read and written per second by a copy on this device, in the same run
  std::vector<BenchRow> rows = {};  ///< in the order of their measurement
};

struct BenchResults {
  std::string version, commit, date;  ///< of the program, and when it measured
  std::vector<std::string> options;   ///< the words of a command line that measures these rows
  double time_limit_s = 0;            ///< per row
  std::vector<BenchTable> tables;     ///< one per device
};

/// Bytes that every build has to move: it reads each record and writes it into the tree with its 4-byte index; 28 bytes
/// per point of three floats. Over triangles: reads the vertices and three indices per triangle, and writes at least
/// one reference of 4 bytes for each.
std::uint64_t compulsory_bytes_of_build(const DataSet& data, bool triangles);
/// Bytes that searches for the k nearest of every point have to move: read the tree and the queries, write the index
/// and the distance of each point found.
std::uint64_t compulsory_bytes_of_searches(const DataSet& data, std::uint32_t k);

/// The CSV of one table: a header, and one line per row. A row that was left out has its reason in the last column.
std::string csv_of(const BenchTable& table);

}  // namespace kdscope
