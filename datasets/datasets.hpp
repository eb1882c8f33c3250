#pragma once
// The one door to data: a specification names a shipped set, a generator with parameters and seed, or a file.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

/// A parameter of a generator, of a shipped set or of a file ("n", "dim", "seed", "type"), for help texts and for run
/// panels.
struct DataParameter {
  std::string name;
  std::string help;  ///< one sentence
  std::string default_value;
  std::vector<std::string> choices;  ///< empty for integers and lists
  std::int64_t min = 0, max = 0;     ///< allowed range of an integer
  bool is_list = false;              ///< texts or numbers with commas between them, of any number
  std::string example = {};          ///< values of a list
  std::string counted = {};          ///< what a number counts, such as "points"

  /// Returns what a form calls it: what it counts, or else its name, with a capital.
  std::string title() const;
};
/// Returns a parameter whose values are whole numbers from min to max.
inline DataParameter integer_parameter(std::string name, std::string help, std::int64_t value, std::int64_t min,
                                       std::int64_t max, std::string counted = {}) {
  return {std::move(name), std::move(help), std::to_string(value), {}, min, max, false, {}, std::move(counted)};
}

/// Something that a specification may name.
struct DataSource {
  std::string id;  ///< "wald-10", "bunny", "uniform"
  std::string title;
  std::string description;  ///< one sentence, with credit and licence where shipped
  bool generated = false;   ///< a generator (bytes from a seed), not a shipped file
  bool has_triangles = false;
  std::vector<DataParameter> parameters;
  bool in_shares = false;  ///< a generator that makes any share of its points without the others
};

/// Everything shipped and every generator, shipped sets first.
const std::vector<DataSource>& data_sources();

/// The parameters that may follow the name of a file: `scan.csv:columns=x,y,z,type=float`.
const std::vector<DataParameter>& file_parameters();

/// Returns the path of the file that a specification names, without parameters; empty if it names another source. Of
/// several paths that may be meant, since names of files may hold colons, it is the longest that exists.
std::string data_file_of(const std::string& specification);

/// Opens a specification: `wald-10`, `bunny:sample=36000,seed=1`, `uniform:n=1000000,dim=3,seed=7,type=float` (or
/// `type=int`), or the path of a CSV, XYZ, NPY, PCD, PLY, OBJ or STL file, with file_parameters() behind it;
/// loaders/loaders.hpp has the rules for files. A name of both a source and a file is the source; `./name` is the file.
/// The set's name makes it again: a shift that was chosen is written out in it.
/// Errors: bad_input, with the parameter and what it may be, the nearest names, or file, line and column or byte
/// offset; out_of_memory before memory is taken; io_failure where a file cannot be read. Safe to call from any thread.
Result<std::shared_ptr<const DataSet>> open_data_set(const std::string& specification);

/// A share of a data set's points.
struct DataShare {
  std::shared_ptr<const DataSet> data;  ///< the points of the share alone, in their order; no triangles
  std::uint64_t first = 0;              ///< index of its first point in the whole set
};
/// Opens share `part` of `parts`, which are as even as possible. Generators of points make these points alone, and
/// of NPY files of float32 or int32 these rows alone are read; other sources are read as a whole first. Errors: as
/// above.
Result<DataShare> open_data_share(const std::string& specification, std::uint32_t part, std::uint32_t parts);

/// Checks that two data sets were read with the same shift and scale, so that their coordinates can be compared; rays
/// may have further coordinates, which no shift changes. Error: bad_input, which names the shift of `first`.
Result<void> check_same_origin(const DataSet& first, const DataSet& other);

/// Opens a specification of queries, or makes rays about a scene in three dimensions:
/// `eye-rays:width=1920,height=1080`, from left to right and from top to bottom in tiles of 8 x 4, which a warp shares;
/// `random-rays:n=100000,seed=1`. Rays are records of six coordinates, origin and direction, of the scene's type.
/// Errors: as above.
Result<std::shared_ptr<const DataSet>> open_queries(const std::string& specification, const DataSet& scene);

}  // namespace kdscope
