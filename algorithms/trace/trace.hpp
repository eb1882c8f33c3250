#pragma once
// The parts of a recorded run: a header, steps, and typed arrays with one version per step that wrote them. Depends
// neither on CUDA nor on any builder, so a trace recorded on a GPU server opens anywhere.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/error.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/index_range.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trace/space.hpp"

namespace kdscope {

enum class ElementType : std::uint8_t { uint8, uint32, int32, float32, uint64, float64 };
std::size_t size_of(ElementType type);
const char* name_of(ElementType type);

template <class T>
struct ElementTypeOf;
template <>
struct ElementTypeOf<std::uint8_t> {
  static constexpr ElementType value = ElementType::uint8;
};
template <>
struct ElementTypeOf<std::uint32_t> {
  static constexpr ElementType value = ElementType::uint32;
};
template <>
struct ElementTypeOf<std::int32_t> {
  static constexpr ElementType value = ElementType::int32;
};
template <>
struct ElementTypeOf<float> {
  static constexpr ElementType value = ElementType::float32;
};
template <>
struct ElementTypeOf<std::uint64_t> {
  static constexpr ElementType value = ElementType::uint64;
};
template <>
struct ElementTypeOf<double> {
  static constexpr ElementType value = ElementType::float64;
};
/// Ids are stored as plain numbers.
template <>
struct ElementTypeOf<PointId> : ElementTypeOf<std::uint32_t> {};
template <>
struct ElementTypeOf<NodeId> : ElementTypeOf<std::uint32_t> {};

std::optional<ElementType> element_type_named(std::string_view name);

/// A flat array whose element type is known at run time. Its elements are in memory, or come when they are first looked
/// at.
class TypedArray {
 public:
  TypedArray() = default;
  explicit TypedArray(ElementType type, std::size_t n = 0) : type_(type), bytes_(n * size_of(type)) {}
  template <class T>
  static TypedArray of(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    TypedArray a(ElementTypeOf<T>::value, values.size());
    if (!values.empty()) std::memcpy(a.bytes_.data(), values.data(), values.size_bytes());
    return a;
  }
  template <class T>
  static TypedArray of(const std::vector<T>& values) {
    return of(std::span<const T>(values));
  }
  /// Returns an array of n elements that `make` returns when they are first looked at, by this array or a copy of it. A
  /// look throws what `make` throws, and the next one calls it again. Several threads may look at once; one of them
  /// calls `make`.
  static TypedArray later(ElementType type, std::size_t n, std::function<TypedArray()> make);

  ElementType type() const { return type_; }
  std::size_t size() const { return byte_count() / size_of(type_); }
  /// Returns the memory of the elements, in bytes, without looking at them.
  std::size_t byte_count() const;
  /// Returns whether the elements are in memory, so that a look takes no time.
  bool present() const;
  std::span<std::byte> bytes() {
    if (later_) take_elements();
    return bytes_;
  }
  std::span<const std::byte> bytes() const { return later_ ? later_bytes() : std::span<const std::byte>(bytes_); }
  void resize(std::size_t n) {
    if (later_) take_elements();
    bytes_.resize(n * size_of(type_));
  }
  /// Returns the elements. T must be the array's own type.
  template <class T>
  std::span<const T> as() const {
    if (ElementTypeOf<T>::value != type_)
      throw ErrorException({ErrorKind::bad_usage, "array read as another type", "", ""});
    return {reinterpret_cast<const T*>(bytes().data()), size()};
  }
  /// Returns element i as a double; exact up to 2^53.
  double number(std::size_t i) const;
  /// Returns element i in the fewest characters that read back as the same value.
  std::string text(std::size_t i) const;
  /// Returns the text for display. A double that equals a float prints as that float (3.0000002, not
  /// 3.000000238418579). Different values still have different texts.
  std::string short_text(std::size_t i) const;
  bool operator==(const TypedArray& other) const;

 private:
  struct Later;
  std::span<const std::byte> later_bytes() const;
  void take_elements();

  ElementType type_ = ElementType::uint32;
  std::vector<std::byte> bytes_;
  std::shared_ptr<Later> later_;  ///< null for an array whose elements are in bytes_
};

/// Derives a row from two others without storing it: row[i] = source[through[i] * components + component].
struct Gather {
  std::string source;
  std::string through;
  std::uint32_t component = 0;
  bool operator==(const Gather&) const = default;
};

/// One dimension of a multi-dimensional array, or of a histogram, which has one.
struct ArrayDimension {
  std::string name;  ///< "digit"
  /// The array whose values are indices along the dimension, here also "digit". If there is no such array, views ignore
  /// the dimension. Of a histogram: the array, in the same space, with the upper end of each bin.
  std::string row = name;
  /// Whether indices count from the row's least value among the elements that the outer dimensions select.
  bool from_least = false;
  bool operator==(const ArrayDimension&) const = default;
};

/// The child of a split that an array describes.
enum class Side : std::uint8_t { none, left, right };
const char* name_of(Side side);
std::optional<Side> side_named(std::string_view name);

/// A state array and its meaning. Names are those of the source. Views follow these declarations, never the names.
struct ArrayInfo {
  std::string name;        ///< unique in the trace: "tags", "partition.box"
  std::string label = {};  ///< the name that the source prints: "tags", "data[i].x"
  ElementType type = ElementType::uint32;
  Space index_space = Space::position;
  Space value_space = Space::none;
  std::uint32_t components = 1;                 ///< values per index; k for [n x k] arrays
  std::vector<ArrayDimension> dimensions = {};  ///< outermost first, for arrays of several dimensions
  bool shown_as_row = true;                     ///< appears in array tables
  std::optional<Gather> gather = {};            ///< set for derived rows; such an array has no versions
  /// The dimension to which the array belongs, if a builder keeps one array per dimension; otherwise no_id. The array's
  /// positions are in that dimension's order. Tables of many dimensions show only the selected ones.
  std::uint32_t dimension = no_id;
  /// [components] the names of the components in rows, "left"; empty: named by dimension or number.
  std::vector<std::string> component_names = {};
  // Relations: names of other arrays of the trace, empty for none.
  std::string order = {};    ///< [indices] the point at each index, for lists that are not in the trace's own order
  std::string owner = {};    ///< [indices] the node to which each index belongs, for such lists
  std::string offsets = {};  ///< [outermost + 1] where each index of a ragged array's outermost dimension begins
  Side side = Side::none;    ///< the child that the array describes
  bool operator==(const ArrayInfo&) const = default;
};

/// Contents of an array after a step: everything, or the differences from the previous version.
struct ArrayVersion {
  std::uint32_t step = 0;
  bool keyframe = true;
  std::uint64_t size = 0;          ///< elements after this step
  std::vector<IndexRange> ranges;  ///< deltas: the elements replaced, ascending, disjoint
  TypedArray values;  ///< keyframes: all elements; deltas: the replaced ones in order. Large files are read later
};

enum class Role : std::uint8_t { pivot, segment, settled, read, write, compare };
const char* name_of(Role role);
std::optional<Role> role_named(std::string_view name);

/// The ranges of an index space that a step involves. If a step reads a dimension, rows by position that belong to no
/// dimension are in that dimension's order.
struct Highlight {
  Role role = Role::segment;
  Space space = Space::position;
  std::vector<IndexRange> ranges;
  std::vector<std::uint32_t> nodes;  ///< the node to which each range belongs; empty if none
  bool operator==(const Highlight&) const = default;
};

enum class StepKind : std::uint8_t { launch, library, host };  ///< library: a sort or scan of Thrust or CUB
const char* name_of(StepKind kind);

/// One step. The state at a step is the state immediately after it.
struct Step {
  std::uint32_t ordinal = 0;
  std::string name;               ///< "sort", "update tags"; label for profilers, traces and lessons
  std::vector<std::string> path;  ///< phases, outermost first: {"build", "level 1", "sort"}; ends with name
  int level = -1;                 ///< tree level that the step works on, -1 for none
  std::string phase;              ///< strategy or stage that the step belongs to, "parallel radix sort"; empty for none
  StepKind kind = StepKind::launch;
  std::uint64_t grid = 0, block = 0;  ///< launch dimensions; 0 where the library chooses
  std::string title;                  ///< title for display: "Sort by tag, then by x"
  std::string code_anchor;            ///< region of our source: "wald/update_tags"
  double elapsed_ms = 0;              ///< time in the recorded (not the full-speed) run, without copies
  std::vector<std::string> wrote;     ///< names of the arrays that the step wrote
  std::vector<Highlight> highlights;
  std::vector<CheckResult> checks;
};

/// Returns the path as a text: "build / level 1 / sort".
std::string path_text(const std::vector<std::string>& path);
inline std::string path_text(const Step& step) { return path_text(step.path); }

/// The build of kdscope that recorded a run. All texts are empty in traces of formats before 4, which do not store
/// them.
struct BuildProvenance {
  std::string commit;          ///< full hash of the source tree's commit; "unknown" outside a git work tree
  bool local_changes = false;  ///< whether the tree differed from that commit
  std::string compiler;        ///< "GNU 12.2.0"
  std::string flags;           ///< flags of the compiler, without paths
  std::string build_type;      ///< "Release"
  bool operator==(const BuildProvenance&) const = default;
};

/// Returns "commit 0123abc with local changes, GNU 12.2.0 -O3 -DNDEBUG, Release"; empty if nothing is known.
std::string text_of(const BuildProvenance& build);
/// Returns "commit 0123abc with local changes" or "an unknown commit".
std::string commit_text(const BuildProvenance& build);

/// A source region as it was built into the program that recorded a run.
struct RecordedSource {
  std::string region;            ///< the code_anchor of the region's steps
  std::string file;              ///< path in the source tree
  std::uint32_t first_line = 0;  ///< line of the text's beginning in that file, from 1
  std::string text;
  bool operator==(const RecordedSource&) const = default;
};

/// The algorithm, data, device and code of a run.
struct TraceHeader {
  std::string algorithm, title, citation;
  std::map<std::string, std::string> parameters;
  std::string data_set;  ///< the specification that generates the data again
  std::uint64_t n = 0;   ///< number of points
  std::uint32_t dim = 0;
  ScalarType scalar = ScalarType::float32;
  std::uint32_t up_axis = 2;    ///< the dimension that points up in pictures, from the data set
  std::string backend;          ///< "cpu" or "cuda"
  std::string device;           ///< "NVIDIA H100 80GB HBM3", "2 threads"
  std::string version;          ///< version of kdscope
  std::uint64_t tree_hash = 0;  ///< hash of the finished tree
  std::string tree_kind = {};   ///< id of the tree's kind (trees/tree.hpp); empty before format 6
  BuildProvenance build = {};
  std::vector<RecordedSource> sources = {};     ///< the algorithm's and those of its steps; none before format 4
  std::vector<std::string> data_warnings = {};  ///< see DataSet::warnings
  /// The search whose steps the trace holds, by name: search, question, query, k, radius and the search's parameters
  /// (queries/recorded_search.hpp). Empty if the steps are those of a build. The query "all" stands for a batch.
  std::map<std::string, std::string> search = {};
  bool operator==(const TraceHeader&) const = default;
};

/// The names of the standard arrays that every builder records ("the partition so far"). Views of the tree and of space
/// read only these. Node i of the list is row i of each array. tight_box and leaf exist if leaves keep buckets of
/// points, and count if leaves list triangles.
namespace partition_arrays {
inline constexpr const char* parent = "partition.parent";            ///< [m] uint32, no_id for the root
inline constexpr const char* split_dim = "partition.split_dim";      ///< [m] uint32, no_id while not split
inline constexpr const char* split_value = "partition.split_value";  ///< [m] float64, in the points' units
inline constexpr const char* box = "partition.box";                  ///< [m x 2k] float64: k lower, then k upper ends
inline constexpr const char* tight_box =
    "partition.tight_box";                             ///< [m x 2k] float64: smallest box of the node's points, as box
inline constexpr const char* leaf = "partition.leaf";  ///< [m] uint8: 1 once a node is a final leaf, with its points
inline constexpr const char* count =
    "partition.count";  ///< [m] uint32: number of primitives that the node lists, if they are not its points
inline constexpr const char* point = "partition.point";  ///< [m] uint32: point stored at the node, or no_id
inline constexpr const char* node_of_point =
    "partition.node_of_point";  ///< [n] uint32, no_id for points left out of the tree
}  // namespace partition_arrays

/// The names of the standard arrays that every recorded search writes after each step, beside the complete partition of
/// its tree. Distances of points are not squared; those of a ray are multiples of its direction.
namespace search_arrays {
inline constexpr const char* query = "search.query";  ///< [k] float64, or [2k] of a ray: origin, direction
inline constexpr const char* reach = "search.reach";  ///< [1] float64: what lies farther away is of no interest
inline constexpr const char* box = "search.box";  ///< [1] uint8: 1 if the reach is half the side of a box, 2 if it is
                                                  ///< half the diagonal of a square on its corner (the metric L1)
inline constexpr const char* count = "search.count";      ///< [1] uint32: points counted so far; may be missing
inline constexpr const char* state = "search.state";      ///< [m] uint8 by node: a SearchState
inline constexpr const char* visited = "search.visited";  ///< [v] uint32: the nodes visited, in this order
inline constexpr const char* waiting = "search.waiting";  ///< [w] uint32: nodes in the stack or queue
inline constexpr const char* waiting_distance = "search.waiting_distance";  ///< [w] float64
inline constexpr const char* found = "search.found";  ///< [f] uint32: points or triangles, nearest first
inline constexpr const char* found_distance = "search.found_distance";  ///< [f] float64
inline constexpr const char* tested = "search.tested";  ///< [t] uint32: points or triangles tested in this step
inline constexpr const char* tested_distance = "search.tested_distance";  ///< [t] float64
inline constexpr const char* segment = "search.segment";      ///< [0 or 2] float64: where the ray enters and leaves
inline constexpr const char* bin_count = "search.bin_count";  ///< [bins] uint32: histogram of the round; may be missing
inline constexpr const char* bin_radius = "search.bin_radius";  ///< [bins] float64: outer radii
}  // namespace search_arrays

/// The names of the standard arrays of a recorded batch, in which every point is a query of the finished tree. They are
/// written once per order in which threads serve the queries.
namespace batch_arrays {
inline constexpr const char* visits = "batch.visits";  ///< [n] uint32 by point: nodes that its query visits
inline constexpr const char* query = "batch.query";    ///< [n] uint32: the point that each thread has as its query
inline constexpr const char* turns = "batch.turns";    ///< [n] uint32 by thread: nodes that its query visits
inline constexpr const char* warp = "batch.warp";      ///< [n] uint32: the warp of each thread
inline constexpr const char* idle = "batch.idle";      ///< [n] uint32: turns of the warp in which the thread is idle
inline constexpr const char* lanes = "batch.lanes";    ///< [warps x turns] uint32: lanes at work; may be missing
inline constexpr const char* nodes =
    "batch.nodes";  ///< [warps x turns] uint32: different nodes that a warp's lanes visit in a turn; may be missing
}  // namespace batch_arrays

/// What a search has done with a node so far.
enum class SearchState : std::uint8_t { untouched, waiting, visited, skipped, dropped };

/// The name of the static array of coordinates, [n x k] in original order, which every trace of points has.
inline constexpr const char* points_array = "points";
/// The name of the static array of triangles over these points, [t x 3] uint32, which every trace of a mesh has.
inline constexpr const char* triangles_array = "triangles";

/// A recorded run. A TraceBuilder or a trace file fills it; afterwards it is immutable and shared between threads.
struct Trace {
  struct Array {
    ArrayInfo info;
    std::vector<ArrayVersion> versions;  ///< in ascending order of steps
  };
  TraceHeader header;
  std::vector<Step> steps;
  std::vector<Array> arrays;

  /// Finds an array by name. Work O(log arrays) for arrays that existed at index_arrays(), as in finished traces and in
  /// traces from files; otherwise O(arrays).
  const Array* find(std::string_view name) const;
  void index_arrays();
  /// Returns the memory that all versions take once they have been looked at, in bytes.
  std::uint64_t stored_bytes() const;

 private:
  std::map<std::string, std::size_t, std::less<>> places_;  // places of arrays, by name
};

/// Returns whether header, steps, array descriptions and every version are exactly equal.
bool equal(const Trace& a, const Trace& b);

/// Builds a trace step by step. Stores a delta if it is smaller than half of the array, otherwise a keyframe. At least
/// every sixteenth version is a keyframe, so that seeking stays cheap.
class TraceBuilder {
 public:
  explicit TraceBuilder(TraceHeader header);
  /// Declares an array. The declaration must precede the array's first write, and names must be unique.
  void declare(ArrayInfo info);
  bool declared(std::string_view name) const { return trace_.find(name) != nullptr; }
  /// Opens a step and sets its ordinal.
  void begin_step(Step step);
  Step& current_step();
  /// Adds a highlight to the open step.
  void highlight(Highlight h);
  /// Sets the contents of an array after the open step.
  void write(std::string_view name, TypedArray contents);
  std::uint64_t stored_bytes() const { return stored_bytes_; }
  TraceHeader& header() { return trace_.header; }
  /// The trace up to the open step.
  const Trace& so_far() const { return trace_; }
  /// Frees the values that the open step wrote, of which another process has a copy. The finished trace lacks them.
  void release_values();
  /// Finishes the trace. Keeps only those of the header's sources that are in the algorithm's folder or that a step
  /// names.
  std::shared_ptr<const Trace> finish();

 private:
  Trace trace_;
  std::map<std::string, TypedArray, std::less<>> latest_;
  std::uint64_t stored_bytes_ = 0;
};

/// A position in a trace, with the contents of the arrays at that step. Moving costs O(changes on the way). Of a trace
/// whose values come later, moving reads nothing, and array() costs what its contents cost when one looks at them.
class Cursor {
 public:
  explicit Cursor(std::shared_ptr<const Trace> trace);
  const Trace& trace() const { return *trace_; }
  std::shared_ptr<const Trace> shared_trace() const { return trace_; }
  std::uint32_t step() const { return step_; }
  const Step& current() const { return trace_->steps.at(step_); }
  std::uint32_t step_count() const { return static_cast<std::uint32_t>(trace_->steps.size()); }
  /// Goes to a step; clamps to the last one.
  void seek(std::uint32_t step);
  /// Returns an array's contents after the current step; null if the array is unknown or not written yet. Gathers
  /// derived rows on demand; use number() or text() for single elements of those. Contents that come later are in
  /// memory when it returns. If they cannot be had, it reports the error and returns null, or throws it if nobody
  /// reports.
  const TypedArray* array(std::string_view name) const;
  /// Sets who reports contents that cannot be had, for the whole program, on any thread; null for nobody.
  static void report_lost_contents(std::function<void(const Error&)> report);
  /// Returns the number of elements of a row, derived or stored; 0 if it is not written yet.
  std::uint64_t row_size(std::string_view name) const;
  /// Returns an element of a row, derived or stored, as text; empty outside the row.
  std::string text(std::string_view name, std::uint64_t index) const;
  /// Returns the text for display: coordinates and planes, which are floats stored as doubles, in as few digits as
  /// floats need.
  std::string short_text(std::string_view name, std::uint64_t index) const;
  double number(std::string_view name, std::uint64_t index) const;
  /// Returns a hash of the whole state after the current step.
  std::uint64_t state_hash() const;

 private:
  struct Live {
    TypedArray contents;
    std::ptrdiff_t version = -1;  ///< index into versions, -1 before the first version
  };
  const Trace::Array* resolve(std::string_view name, std::uint64_t index, const TypedArray*& source,
                              std::uint64_t& source_index) const;
  std::shared_ptr<const Trace> trace_;
  std::uint32_t step_ = 0;
  std::vector<Live> live_;
};

/// Returns whether a run's tree is over the triangles of its mesh, that is, whether an array other than triangles_array
/// refers to triangles. Otherwise the tree is over points.
bool sorts_triangles(const Trace& trace);

/// Returns the indices of a row that are new, removed or changed between two cursors over traces with that row (at
/// another step or in another trace), as ascending ranges. Work O(row).
std::vector<IndexRange> changed_ranges(const Cursor& before, const Cursor& after, std::string_view row);

/// Returns all steps whose path contains the phases of `phase_path` consecutively, in order: "level 1 / sort".
std::vector<std::uint32_t> steps_matching(const Trace& trace, std::string_view phase_path);

}  // namespace kdscope
