#pragma once
// What was measured, as a row {what, on, size, samples, facts}: rows of one device make a table, tables of one program
// a run.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/core/samples.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/text/field.hpp"

namespace kdscope {

enum class WorkKind : std::uint8_t { build, search };
const char* name_of(WorkKind kind);  ///< "build", "search"

/// A build, or a search for the nearest points of every point in the tree of such a build.
struct MeasuredWork {
  WorkKind kind = WorkKind::build;
  std::string subject = {};      ///< a builder's id, or that of a library beside kdscope: "nanoflann"
  bool library = false;          ///< whether it is such a library
  Parameters given = {};         ///< the builder's parameters that are not left to the defaults
  std::string search = {};       ///< the id of a search of kdscope
  Parameters search_given = {};  ///< its parameters that are not left to the defaults
  std::uint32_t k = 0;           ///< neighbours per query
  std::string order = {};        ///< the order in which a search serves its queries
  std::string data = {};         ///< the specification of these points
  int processors = 0;            ///< threads or multiprocessors that it was restricted to; 0: all

  bool operator==(const MeasuredWork&) const = default;
  /// "wald, sort=bitonic, stack, k=8", "nanoflann, k=8": the work without its data.
  std::string name() const;
  /// The name with the data: "wald on uniform:n=1000", "wald on uniform:n=1000 with processors=4".
  std::string title() const;
};

/// What is known of a measured row beside its times. Zero or empty: unknown.
struct MeasuredFacts {
  std::uint32_t dim = 0;
  std::string type = {};               ///< "float" or "int"
  std::string version = {};            ///< of a library
  int processors = 0;                  ///< threads or multiprocessors that the work could use
  std::uint64_t compulsory_bytes = 0;  ///< see compulsory_bytes_of_build() and compulsory_bytes_of_searches()
  std::uint64_t peak_bytes = 0;        ///< input included, on the device
  std::optional<std::uint64_t> launches = {};
  Parameters parameters = {};  ///< of the builder or the search, completed, with "auto" resolved
  std::uint64_t hash = 0;      ///< of the tree, or of all distances found
};

struct MeasuredRow {
  MeasuredWork what;
  std::string distribution = {};  ///< the data as they were asked for, without a size
  std::uint64_t n = 0;            ///< points, or triangles for builders of triangles; 0: unknown
  Samples samples = {};           ///< in ms
  std::string reason = {};        ///< why the row is left out, as a clause; empty if it was measured
  bool over_time = false;         ///< whether the reason is the time limit
  MeasuredFacts facts = {};

  bool measured() const { return !samples.empty(); }
  /// Per point of a build, or per query; 0 if the size is unknown.
  double ns_per_point() const;
  /// 10^9 compulsory bytes per second; 0 if they are unknown.
  double gigabytes_per_second() const;
};

/// The rows of one device.
struct MeasuredTable {
  Backend backend = Backend::cpu;
  std::string device;         ///< as kept_device() names it
  std::string detail = {};    ///< as Device::detail
  int processors = 0;         ///< threads or multiprocessors that the rows may use
  double copy_gigabytes = 0;  ///< read and written per second by a copy on this device, in the same run; 0: unknown
  std::vector<MeasuredRow> rows = {};  ///< in the order of their measurement
};

/// What one program measured at one time.
struct MeasuredRun {
  std::string version;  ///< of the program
  std::string commit;   ///< full hash, with "+changes" if the source tree differed from it; "unknown" without git
  std::string date;     ///< UTC: "2026-05-01T12:34:56Z"
  std::vector<std::string> options = {};  ///< the words of a command line of bench that measures these rows, or none
  double time_limit_s = 0;                ///< per row; 0: none
  std::vector<MeasuredTable> tables = {};
};

/// A run of this program, now.
MeasuredRun run_of_this_program();

/// A device's name as results keep it. Two machines may have the same number of threads, so the processor's name stands
/// behind it, unless it does already: "2 threads of Intel Xeon".
std::string kept_device(const Device& device);

/// The table of a run for rows on a device; added if there is none.
MeasuredTable& table_on(const Device& device, MeasuredRun& run);

/// Bytes that every build has to move: it reads each record and writes it into the tree with its 4-byte index; 28 bytes
/// per point of three floats. Over triangles: reads the vertices and three indices per triangle, and writes at least
/// one reference of 4 bytes for each.
std::uint64_t compulsory_bytes_of_build(const DataSet& data, bool triangles);
/// Bytes that searches for the k nearest of every point have to move: read the tree and the queries, write the index
/// and the distance of each point found.
std::uint64_t compulsory_bytes_of_searches(const DataSet& data, std::uint32_t k);

/// The CSV of a run: a header, and one line per row of each table. A row that was left out has its reason in the last
/// column.
std::string csv_of(const MeasuredRun& run);

template <class Io>
void fields(Io& io, Samples::Summary& summary) {
  io(Field{"repeats", summary.count}, Field{"median_ms", summary.median}, Field{"min_ms", summary.least},
     Field{"max_ms", summary.most}, Field{"mean_ms", summary.mean}, Field{"sd_ms", summary.deviation});
}

}  // namespace kdscope
