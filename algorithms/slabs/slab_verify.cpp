#include "algorithms/slabs/slab_verify.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>
#include <span>

#include "algorithms/builders/rank/options.hpp"
#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/caught.hpp"
#include "algorithms/core/input_file.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/exec/parallel_ranges.hpp"
#include "algorithms/registry/run_on.hpp"
#include "algorithms/slabs/tree_header.hpp"
#include "algorithms/slabs/upper_levels.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"
#include "algorithms/trees/npy_array.hpp"
#include "algorithms/trees/tree_hash.hpp"
#include "datasets/file_source.hpp"

namespace kdscope::slabs {
namespace {

/// The violation of a check that comes first, whatever the order in which threads find violations.
class FirstViolation {
 public:
  /// place: where the violation is; the lowest one is kept.
  template <class Text>
  void at(std::uint64_t place, const Text& text) {
    if (place >= place_) return;
    const std::lock_guard lock(mutex_);
    if (place < place_) place_ = place, text_ = text();
  }
  CheckResult result(const char* name, const char* statement) const {
    CheckResult check{name, statement, true, ""};
    if (!text_.empty()) check.fail(text_);
    return check;
  }

 private:
  std::atomic<std::uint64_t> place_ = std::numeric_limits<std::uint64_t>::max();
  std::mutex mutex_;
  std::string text_;
};

/// Rows of a tree's file in memory.
struct Rows {
  const Shape& shape;
  std::vector<char> bytes;

  void resize(std::uint64_t rows) { bytes.resize(rows * shape.row_bytes()); }
  const char* row(std::uint64_t i) const { return bytes.data() + i * shape.row_bytes(); }
  PointId point(std::uint64_t i) const {
    PointId id;
    std::memcpy(&id.value, row(i), 4);
    return id;
  }
  std::uint32_t split_dim(std::uint64_t i) const { return static_cast<std::uint8_t>(row(i)[4]); }
  std::uint32_t word(std::uint64_t i, std::uint32_t d) const {
    std::uint32_t word = 0;
    std::memcpy(&word, row(i) + 5 + 4 * d, 4);
    return word;
  }
  rank::Order order(std::uint64_t i, std::uint32_t d) const {
    return rank::order_of(ordered_key(word(i, d), shape.type), point(i));
  }
};

class SlabCheck {
 public:
  SlabCheck(DiskFile tree, std::uint64_t begin, std::optional<PointsOnDisk> points, const Shape& shape,
            std::uint64_t memory, const Watch& watch)
      : tree_(std::move(tree)),
        begin_(begin),
        points_(std::move(points)),
        shape_(shape),
        memory_(memory),
        watch_(watch),
        n_(static_cast<std::uint32_t>(shape.n)),
        seen_((shape.n + 31) / 32),
        upper_nodes_{shape_, {}},
        subtree_{shape_, {}} {}

  SlabVerification run() {
    while (largest_subtree(n_, upper_) * shape_.row_bytes() > memory_ / 2) ++upper_;
    if (n_ > 0) {
      upper_nodes_.resize(full_tree_size(upper_));
      read_rows(0, upper_nodes_.bytes);
      check_range(full_tree_size(upper_),
                  [&](std::uint32_t i) { return check_node(upper_nodes_, i, {i}, std::nullopt); });
      for (std::uint32_t s = 0; s < 1u << upper_; ++s) {
        watch_.check();
        watch_.report(double(s) / double(1u << upper_) / (points_ ? 2 : 1), "check the order");
        check_subtree(s);
      }
      // Ids are below n, and each occurs once: then none is missing
      if (points_) compare_points();
    }
    SlabVerification verification{shape_, finish_tree_hash(hash_sum_, shape_.n, shape_.dim, shape_.type), {}};
    auto& findings = verification.findings;
    findings.push_back(permutation_.result("permutation", "every point is there exactly once"));
    findings.push_back(finite_.result("finite", "every coordinate is a finite number"));
    if (points_) findings.push_back(records_.result("records", "each node holds its point's record, unchanged"));
    findings.push_back(dims_.result("split dimensions", "node i splits dimension level(i) mod k"));
    findings.push_back(order_.result(
        "kd-order", "every point lies on its side of all of its ancestors' planes, ties by original index"));
    return verification;
  }

 private:
  void read_rows(std::uint64_t first, std::span<char> to) const {
    tree_.read_on_threads(begin_ + first * shape_.row_bytes(), to);
  }

  /// Calls f(i) for i in [0, n), in parallel, and adds the hashes that it returns.
  template <class F>
  void check_range(std::uint32_t n, const F& f) {
    for_ranges(n, [&](std::uint32_t begin, std::uint32_t end) {
      std::uint64_t sum = 0;
      for (std::uint32_t i = begin; i < end; ++i) sum += f(i);
      hash_sum_ += sum;
    });
  }

  void check_subtree(std::uint32_t s) {
    const NodeId root{full_tree_size(upper_) + s};
    const std::uint32_t size = subtree_size(root, n_);
    subtree_.resize(size);
    const auto node_of_local = [&](std::uint32_t local) {
      const int down = level_of(NodeId{local});
      return NodeId{((root.value + 1) << down) - 1 + (local - full_tree_size(down))};
    };
    for (std::uint32_t begin = 0; begin < size;) {
      const std::uint32_t end = std::min(size, 2 * begin + 1);
      read_rows(node_of_local(begin).value,
                std::span(subtree_.bytes).subspan(begin * shape_.row_bytes(), (end - begin) * shape_.row_bytes()));
      begin = end;
    }
    check_range(size, [&](std::uint32_t local) { return check_node(subtree_, local, node_of_local(local), root); });
  }

  /// Checks a node, which is row `at` of `rows`: the rows of the upper nodes or, with a root, those of its subtree.
  /// Returns its share of the hash.
  std::uint64_t check_node(const Rows& rows, std::uint32_t at, NodeId node, std::optional<NodeId> root) {
    const PointId point = rows.point(at);
    const auto name = [&] { return "node " + std::to_string(node.value); };
    if (point.value >= n_) {
      permutation_.at(point.value, [&] {
        return name() + " has point " + std::to_string(point.value) + " of " + std::to_string(n_);
      });
    } else if (const std::uint32_t bit = 1u << point.value % 32;
               seen_[point.value / 32].fetch_or(bit, std::memory_order_relaxed) & bit) {
      permutation_.at(point.value, [&] { return "point " + std::to_string(point.value) + " is in several nodes"; });
    }
    std::uint32_t record[rank::max_dim];
    for (std::uint32_t d = 0; d < shape_.dim; ++d) {
      record[d] = rows.word(at, d);
      if (shape_.type == ScalarType::float32 && !std::isfinite(float_of(record[d])))
        finite_.at(node.value, [&] { return name() + " has a coordinate that is not finite"; });
    }
    const std::uint32_t own_dim = static_cast<std::uint32_t>(level_of(node)) % shape_.dim, found = rows.split_dim(at);
    if (found != own_dim)
      dims_.at(node.value, [&] {
        return name() + " splits dimension " + std::to_string(found) + ", not " + std::to_string(own_dim);
      });
    // Walk up: first within the subtree, then among the upper nodes
    std::uint32_t local = at;
    for (NodeId below = node; below.value != 0; below = parent_of(below)) {
      const NodeId above = parent_of(below);
      const bool within = root && local != 0;
      if (within) local = (local - 1) / 2;
      const std::uint32_t d = static_cast<std::uint32_t>(level_of(above)) % shape_.dim;
      const rank::Order plane = within ? subtree_.order(local, d) : upper_nodes_.order(above.value, d);
      if ((rank::order_of(ordered_key(record[d], shape_.type), point) < plane) != (below == left_child(above)))
        order_.at(node.value, [&] {
          return name() + " lies on the wrong side of node " + std::to_string(above.value) + " in dimension " +
                 std::to_string(d);
        });
    }
    return node_hash(node, point, found, {record, 1, shape_.dim, shape_.dim, shape_.type}, 0);
  }

  /// Compares the coordinates of all nodes with those of their points, as many points at a time as memory takes.
  void compare_points() {
    constexpr std::uint32_t chunk = 16384;
    subtree_.bytes = {};
    const std::uint64_t slab = std::max<std::uint64_t>(1, memory_ / 2 / shape_.point_bytes()),
                        slabs = (shape_.n + slab - 1) / slab;
    std::vector<std::uint32_t> words;
    for (std::uint64_t first = 0; first < shape_.n; first += slab) {
      const std::uint64_t count = std::min(slab, shape_.n - first);
      watch_.check();
      watch_.report(0.5 + 0.5 * double(first / slab) / double(slabs), "compare the coordinates");
      words.resize(count * shape_.dim);
      points_->file.read_on_threads(points_->begin + first * shape_.point_bytes(), std::span(words));
      for_ranges((n_ - 1) / chunk + 1, [&](std::uint32_t begin, std::uint32_t end) {
        Rows rows{shape_, {}};
        for (std::uint32_t c = begin; c < end && !watch_.stop.stop_requested(); ++c) {
          const std::uint32_t node = c * chunk, nodes = std::min(chunk, n_ - node);
          rows.resize(nodes);
          tree_.read(begin_ + node * shape_.row_bytes(), std::span(rows.bytes));
          for (std::uint32_t i = 0; i < nodes; ++i) {
            const PointId point = rows.point(i);
            if (point.value < first || point.value - first >= count) continue;
            if (std::memcmp(rows.row(i) + 5, &words[(point.value - first) * shape_.dim], shape_.point_bytes()) != 0)
              records_.at(node + i, [&] {
                return "node " + std::to_string(node + i) + " differs from point " + std::to_string(point.value);
              });
          }
        }
      });
    }
    watch_.check();
  }

  DiskFile tree_;
  std::uint64_t begin_;  ///< byte of node 0
  std::optional<PointsOnDisk> points_;
  Shape shape_;
  std::uint64_t memory_;
  const Watch& watch_;
  std::uint32_t n_;
  int upper_ = 0;
  std::vector<std::atomic<std::uint32_t>> seen_;  ///< one bit per point
  Rows upper_nodes_, subtree_;
  std::atomic<std::uint64_t> hash_sum_ = 0;
  FirstViolation permutation_, finite_, records_, dims_, order_;
};

/// Finds the shape of a tree's file, and the byte of its first row.
std::pair<Shape, std::uint64_t> shape_of_tree(const std::string& path) {
  const Error other{ErrorKind::bad_input, "this is no left-balanced tree in an NPY file", path,
                    "name a tree.npy that build --tree-out wrote"};
  const auto file = value_of(InputFile::open(path));
  const auto beginning = value_of(file.read_beginning());
  if (!beginning.starts_with("\x93NUMPY\x01")) throw ErrorException(other);
  const tree_files::NpyArray array = tree_files::npy_array_at(beginning, 0, path);
  const std::uint64_t dim = array.number_after("4', (");
  Shape shape{array.number_after("'shape': ("), static_cast<std::uint32_t>(dim),
              array.header.find("'<i4'") != array.header.npos ? ScalarType::int32 : ScalarType::float32};
  if (dim == 0 || dim > rank::max_dim || shape.n > max_points_of_tree) throw ErrorException(other);
  const std::string header = tree_header(shape);
  if (!beginning.starts_with(header)) throw ErrorException(other);
  if (file.size() != header.size() + shape.n * shape.row_bytes())
    throw ErrorException({ErrorKind::bad_input,
                          "the header promises " + std::to_string(shape.n) + " rows of " +
                              std::to_string(shape.row_bytes()) + " bytes, " +
                              std::to_string(file.size() - header.size()) + " bytes follow",
                          path, "the file is cut short or altered"});
  return {shape, header.size()};
}

SlabVerification verified(const std::string& tree, const std::string& points, std::uint64_t memory,
                          const RunControl& control) {
  const auto [shape, begin] = shape_of_tree(tree);
  const Watch watch{control.stop, control.progress};
  std::optional<PointsOnDisk> input;
  if (!points.empty()) {
    const std::optional<NpyRows> rows = npy_rows_of(points);
    if (!rows || rows->n != shape.n || rows->dim != shape.dim || rows->type != shape.type)
      throw ErrorException({ErrorKind::bad_input,
                            "it is no NPY file of " + std::to_string(shape.n) + " x " + std::to_string(shape.dim) +
                                " coordinates of type " + name_of(shape.type) + ", as the tree has them",
                            points, "name the file that the tree was built from"});
    input.emplace(DiskFile::reading(points), points, rows->begin, shape);
  }
  // A bit per point, and the rows of a subtree of at least a few levels
  const std::uint64_t least = std::max<std::uint64_t>(shape.n / 8 * 4, 64 * shape.row_bytes());
  if (memory < least)
    throw ErrorException({ErrorKind::out_of_memory,
                          "checking " + std::to_string(shape.n) + " nodes needs at least " + std::to_string(least) +
                              " bytes of memory (" + memory_text(least) + "), and only " + std::to_string(memory) +
                              " are allowed",
                          tree, "allow more"});
  return SlabCheck(DiskFile::reading(tree), begin, std::move(input), shape, memory, watch).run();
}

}  // namespace

Result<SlabVerification> verify_in_slabs(const std::string& tree, const std::string& points, std::uint64_t memory,
                                         const RunControl& control) {
  return guarded(cpu_device(), [&] { return verified(tree, points, memory, control); });
}

}  // namespace kdscope::slabs
