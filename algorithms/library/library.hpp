#pragma once
/// @file
/// The public interface of kdscope for C++ programs: points in, tree out, searches, recorded runs. Programs include
/// kdscope.hpp. This header and error.hpp are all that is installed, and they need the standard library alone.
///
/// All functions may be called on any thread, and a tree may be searched on several threads at once. Errors are values:
/// no function throws, except Result::value() of an error and the standard library when memory is used up. The current
/// CUDA device of the calling thread stays the same.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/error.hpp"

struct CUstream_st;  // what CUDA's cudaStream_t points to

/// kd-trees built in parallel by published algorithms.
namespace kdscope {}

/// The public interface; programs write kdscope::Tree for kdscope::library::Tree.
namespace kdscope::library {

/// The index that stands for no point where fewer were found than asked for.
inline constexpr std::uint32_t no_point = 0xffffffffu;

/// The type of all coordinates of a set of points.
enum class CoordinateType : std::uint8_t { float32, int32 };

/// Where an array of the caller is.
enum class Memory : std::uint8_t { host, cuda };

/// A view of points in memory of the caller, one after another: point i has the coordinates [i * dimensions, (i + 1) *
/// dimensions). It owns nothing; functions that take it read it before they return.
class Points {
 public:
  /// coordinates: [n * dimensions].
  Points(std::span<const float> coordinates, std::uint32_t dimensions)
      : Points(coordinates.data(), coordinates.size(), dimensions, CoordinateType::float32) {}
  /// The same of integers.
  Points(std::span<const std::int32_t> coordinates, std::uint32_t dimensions)
      : Points(coordinates.data(), coordinates.size(), dimensions, CoordinateType::int32) {}

  /// Returns the same points with the statement that they lie in the memory of a CUDA device. They are read behind the
  /// work that `stream` has when they are used; null is the default stream. CUDA builds and searches read and check
  /// them there. The host gets a copy for builders other than "rank", whose checks or trees need one.
  Points on_cuda(CUstream_st* stream = nullptr) const {
    Points there = *this;
    there.memory_ = Memory::cuda;
    there.stream_ = stream;
    return there;
  }

  const void* coordinates() const { return coordinates_; }            ///< address of the first coordinate
  std::size_t coordinate_count() const { return coordinate_count_; }  ///< n * dimensions
  std::uint32_t dimensions() const { return dimensions_; }            ///< coordinates per point
  /// number of points
  std::size_t size() const { return dimensions_ == 0 ? 0 : coordinate_count_ / dimensions_; }
  CoordinateType type() const { return type_; }    ///< of the coordinates
  Memory memory() const { return memory_; }        ///< where the coordinates are
  CUstream_st* stream() const { return stream_; }  ///< see on_cuda()

 private:
  Points(const void* coordinates, std::size_t count, std::uint32_t dimensions, CoordinateType type)
      : coordinates_(coordinates), coordinate_count_(count), dimensions_(dimensions), type_(type) {}
  const void* coordinates_;
  std::size_t coordinate_count_;
  std::uint32_t dimensions_;
  CoordinateType type_;
  Memory memory_ = Memory::host;
  CUstream_st* stream_ = nullptr;
};

/// How to build.
struct BuildOptions {
  std::string builder = {};  ///< id as builders() lists it; empty: "rank" if it takes the points, else the usual one
  /// those that differ from the builder's defaults; `kdscope-cli list algorithms` names them
  std::map<std::string, std::string> parameters = {};
  /// "cpu", "cuda", or "auto": CUDA if the points are there or a device can be used
  std::string backend = "auto";
  int processors = 0;         ///< threads or multiprocessors to use; 0 for all
  std::stop_token stop = {};  ///< a requested stop ends the work with an error of kind cancelled
};

/// The form of the region around a query.
enum class Region : std::uint8_t {
  ball,  ///< Euclidean distance at most the radius
  box    ///< every coordinate differs by at most the radius
};

/// How to search.
struct SearchOptions {
  /// nearest(): leaves out points farther away. Floats have the tolerance that Tree::within() describes.
  double max_distance = std::numeric_limits<double>::infinity();
  Region region = Region::ball;  ///< within(), count()
  std::string search = {};       ///< id of the search, see `kdscope-cli list searches`; empty: one that is fast here
  std::string backend = "auto";  ///< "cpu", "cuda", or "auto": where the tree was built
  int processors = 0;            ///< as in BuildOptions
  std::stop_token stop = {};     ///< as in BuildOptions
};

/// The nearest points of every query, nearest first; equally distant ones by index.
struct Neighbours {
  std::uint32_t k = 0;                    ///< entries per query
  std::vector<std::uint32_t> indices;     ///< [queries * k] original indices; no_point where there are fewer
  std::vector<double> squared_distances;  ///< [queries * k] infinity where there are fewer
};

/// The points around every query, nearest first; equally distant ones by index. Query q has the entries [offsets[q],
/// offsets[q + 1]).
struct PointsWithin {
  std::vector<std::uint64_t> offsets;  ///< [queries + 1]
  std::vector<std::uint32_t> indices;  ///< original indices
  /// One per index; for boxes, the square of the largest difference.
  std::vector<double> squared_distances;
};

/// A finished kd-tree. Copies share it. A tree built by CUDA stays on its device, where searches read it. hash(),
/// permutation(), the coordinates and the split dimensions need a copy on the host, which the first of them makes.
class Tree {
 public:
  std::size_t size() const;                                      ///< points
  std::uint32_t dimensions() const;                              ///< coordinates per point
  CoordinateType type() const;                                   ///< of the coordinates
  const std::string& builder() const;                            ///< "rank"
  const std::map<std::string, std::string>& parameters() const;  ///< complete, with "auto" resolved
  const std::string& backend() const;                            ///< "cpu" or "cuda": where it was built
  int processors() const;                                        ///< threads or multiprocessors that built it
  double build_ms() const;                                       ///< time of the build, points already in place
  /// Makes the copy on the host, if there is none yet. Errors: out of memory, and those of the device. After an error,
  /// the functions that need the copy return 0 or an empty span.
  Result<void> copy_to_host() const;
  /// Returns the hash of the tree. Equal trees have equal hashes on every machine and back end.
  std::uint64_t hash() const;
  /// Returns the kind of tree: "left-balanced" (node i has the children 2i + 1 and 2i + 2), "leaf-buckets" and others.
  std::string_view kind() const;
  /// Returns the original index of each point, [size()], in the order of the tree: for left-balanced trees that of the
  /// nodes in level order. Points that the tree leaves out as duplicates come last. Valid as long as the tree.
  std::span<const std::uint32_t> permutation() const;
  /// Returns the coordinates in the same order, [size() * dimensions()] of type(). Empty if it is not their type.
  std::span<const float> float_coordinates() const;
  std::span<const std::int32_t> int_coordinates() const;  ///< See float_coordinates().

  /// Returns the dimension that each node of a left-balanced tree splits, [size()] in level order: points of its left
  /// subtree have a coordinate that is not larger there than the node's. Empty for other kinds of trees.
  std::span<const std::uint8_t> split_dimensions() const;

  /// Finds the k nearest points of every query. Distances are computed in float for float points and in double for
  /// integers, and are exactly those of every back end. A query at a point finds this point, too. Queries of the other
  /// type are converted if that changes no number. Work O(queries k log n) expected. Errors: queries of other
  /// dimensions, or with a coordinate that is not finite or that the type of the points does not hold; k of 0, or of
  /// more than the search finds (64 in trees of "hu", 128 in others); distances whose squares floats cannot hold;
  /// cancelled; and those of the back end.
  Result<Neighbours> nearest(const Points& queries, std::uint32_t k, const SearchOptions& options = {}) const;
  /// Does the same into arrays of the caller, [queries * k] each.
  Result<void> nearest_into(const Points& queries, std::uint32_t k, std::span<std::uint32_t> indices,
                            std::span<double> squared_distances, const SearchOptions& options = {}) const;
  /// Does the same into arrays of the caller in the memory of the CUDA device that searches, [queries * k] each, which
  /// are full when the function returns. The queries may be there, too. Distances of integers are rounded to float, and
  /// it is not checked whether floats can hold the squares of distances. Errors: those of nearest(); no CUDA device; a
  /// tree of kind "split-planes", whose search works on the host as well.
  Result<void> nearest_on_cuda(const Points& queries, std::uint32_t k, std::span<std::uint32_t> indices,
                               std::span<float> squared_distances, const SearchOptions& options = {}) const;
  /// Finds all points within a radius. For integers, it is exact. For floats, it is first enlarged by what rounding can
  /// add to the distance of two points: min((m + r) / 2^22, r / 2^10), where m is the query's largest coordinate
  /// without its sign. Errors: those of nearest(), and a radius that is negative or not finite.
  Result<PointsWithin> within(const Points& queries, double radius, const SearchOptions& options = {}) const;
  /// Counts them: [queries]. The same radius, and the same errors.
  Result<std::vector<std::uint32_t>> count(const Points& queries, double radius,
                                           const SearchOptions& options = {}) const;

  struct State;  ///< defined inside the library
  /// For the library alone.
  explicit Tree(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  const State& state() const { return *state_; }  ///< for sources of kdscope itself

 private:
  std::shared_ptr<const State> state_;
};

/// Builds a kd-tree at full speed. Work O(n log n) for most builders. Errors: coordinates that are no whole number of
/// points, or not finite; points that the builder does not take; an unknown builder, parameter or back end; no device;
/// out of memory; cancelled.
Result<Tree> build(const Points& points, const BuildOptions& options = {});

/// How to record.
struct RecordOptions : BuildOptions {
  bool only_last_step_of_levels = false;  ///< keeps less: the last step of each level
  std::uint64_t memory_budget = 0;        ///< bytes of the recording; 0: half of the free memory
  std::size_t most_steps = 0;             ///< ends after this many steps; 0 for no limit
  /// A search to record on the finished tree instead of the build, as texts: {"question", "nearest"}, {"query", "1,2"},
  /// {"k", "3"}, {"radius", "5"}, {"search", "stack-free"}; empty for none
  std::map<std::string, std::string> search = {};
};

/// The type of an array's elements.
enum class ElementType : std::uint8_t { uint8, uint32, int32, float32, uint64, float64 };

/// An array of a recorded run after a step. Valid as long as the RecordedState from which it comes.
struct ArrayView {
  std::string name;                        ///< as the source calls it: "tags"
  ElementType type = ElementType::uint32;  ///< of the elements
  std::vector<std::size_t> shape;          ///< one number, or two for arrays of several values per index
  const void* elements = nullptr;          ///< address of the first

  /// Returns the elements if they are of the type T, or an empty span.
  template <class T>
  std::span<const T> as() const;
};

/// A check that was made after a step.
struct Check {
  std::string name;       ///< "permutation"
  std::string statement;  ///< what must hold, in one sentence
  bool passed = true;     ///< whether it holds
  std::string detail;     ///< what differs if it failed
};

/// A step of a recorded run.
struct Step {
  std::string name;                ///< "sort"
  std::vector<std::string> path;   ///< phases, outermost first; ends with the name: {"build", "level 1", "sort"}
  std::string title;               ///< a sentence: "Sort by tag, then by x"
  int level = -1;                  ///< level of the tree; -1 for none
  std::vector<std::string> wrote;  ///< names of the arrays that the step wrote
  std::vector<Check> checks;       ///< made after the step
};

/// The state of a recorded run immediately after a step. Copies share it.
class RecordedState {
 public:
  /// Returns the names of the arrays that have been written, in the order of their declaration.
  std::vector<std::string> names() const;
  /// Returns an array. Error of kind bad_usage: there is none of that name, or it is not written yet.
  Result<ArrayView> array(std::string_view name) const;

  struct State;  ///< defined inside the library
  /// For the library alone.
  explicit RecordedState(std::shared_ptr<const State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const State> state_;
};

/// A recorded run. Copies share it.
class Trace {
 public:
  const std::string& builder() const;  ///< "wald"
  std::size_t step_count() const;      ///< steps of the run
  /// Returns a step. Precondition: index < step_count().
  Step step(std::size_t index) const;
  /// Returns the state after a step. Precondition: index < step_count(). Work and memory: O(size of all arrays).
  RecordedState state_after(std::size_t index) const;
  /// Writes the run to a file that the workbench opens, HDF5. Errors: it cannot be written.
  Result<void> save(const std::string& path) const;

  struct State;  ///< defined inside the library
  /// For the library alone.
  explicit Trace(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  const State& state() const { return *state_; }  ///< for sources of kdscope itself

 private:
  std::shared_ptr<const State> state_;
};

/// Builds once, and keeps the state after every step. Errors are those of build(), those of the search, and
/// over_budget.
Result<Trace> record(const Points& points, const RecordOptions& options = {});
/// Reads a file of save() or of the workbench. Nothing in a file is trusted. Errors: bad_input, io_failure.
Result<Trace> load_trace(const std::string& path);

/// A construction algorithm.
struct BuilderInfo {
  std::string id;                      ///< "wald"
  std::string title;                   ///< "Left-balanced tag-and-sort"
  std::string citation;                ///< "Wald 2023"
  std::string summary;                 ///< two sentences at most
  std::uint32_t least_dimensions = 1;  ///< fewest coordinates per point
  std::uint32_t most_dimensions = 8;   ///< most coordinates per point
  std::uint64_t most_points = 0;       ///< largest number of points
};
/// Returns the builders that take points, in the order of their ids.
std::vector<BuilderInfo> builders();

/// Returns kdscope's version, "0.1.0".
const char* version();

template <class T>
std::span<const T> ArrayView::as() const {
  constexpr bool is_float = T(1) / T(2) != T(0), is_signed = T(-1) < T(0);
  constexpr ElementType wanted = sizeof(T) == 1   ? ElementType::uint8
                                 : sizeof(T) == 8 ? (is_float ? ElementType::float64 : ElementType::uint64)
                                 : is_float       ? ElementType::float32
                                 : is_signed      ? ElementType::int32
                                                  : ElementType::uint32;
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  return type == wanted ? std::span<const T>(static_cast<const T*>(elements), count) : std::span<const T>();
}

}  // namespace kdscope::library
