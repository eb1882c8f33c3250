#pragma once
// A finished tree of any kind, and the table of functions that each kind of tree provides. The app, the command line
// and the recorder use trees only through these. Each kind has a folder beside this file.

#include <any>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/core/split.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

class TreeKind;

/// A finished tree on the host, of one kind or none. Copies are deep, except for the data that trees share.
class Tree {
 public:
  Tree() = default;
  /// Takes a tree of a kind, which is a struct with `static const TreeKind& kind()`.
  template <class T>
  requires requires {
    { T::kind() } -> std::same_as<const TreeKind&>;
  }
  Tree(T tree) : kind_(&T::kind()), tree_(std::move(tree)) {}

  /// Returns the tree's kind. Precondition: the tree is not empty.
  const TreeKind& kind() const { return *kind_; }
  bool empty() const { return kind_ == nullptr; }
  /// Returns the tree as the struct of its kind. Throws std::bad_any_cast for another kind.
  template <class T>
  const T& as() const {
    return std::any_cast<const T&>(tree_);
  }
  template <class T>
  T& as() {
    return std::any_cast<T&>(tree_);
  }
  template <class T>
  bool is() const {
    return std::any_cast<T>(&tree_) != nullptr;
  }

 private:
  const TreeKind* kind_ = nullptr;
  std::any tree_;
};

/// Facts about a finished tree beside its size, for display and for programs.
struct TreeFacts {
  std::vector<std::pair<std::string, std::string>> lines;                            ///< title, text
  std::vector<std::pair<std::string, std::variant<std::uint64_t, double>>> numbers;  ///< name, value
};

enum class TreeFormat : std::uint8_t { csv, npy };
namespace tree_files {
class CsvRows;
struct NpyArray;
}  // namespace tree_files

/// All functions on the trees of one kind. `tree` is always of this kind.
class TreeKind {
 public:
  virtual ~TreeKind() = default;
  /// Returns the kind's name in traces: "left-balanced".
  virtual std::string_view id() const = 0;

  /// Returns the 64-bit hash. Equal trees have equal hashes on every machine and back end. Work O(n k).
  virtual std::uint64_t hash(const Tree& tree) const = 0;
  /// Checks everything that a finished tree must satisfy, one result per property. input: the points or vertices over
  /// which the tree must be built. Rules that the tree does not know are inferred if possible, otherwise omitted.
  virtual std::vector<CheckResult> verify(const Tree& tree, const PointSet& input) const = 0;
  /// Returns, as one sentence, the rules that verify() omits because this tree does not know them; empty if it checks
  /// all rules.
  virtual std::string unchecked(const Tree& tree) const = 0;
  /// Checks that a tree over triangles has those of the data, which verify() does not see. Returns nullopt for other
  /// trees.
  virtual std::optional<CheckResult> same_triangles(const Tree& tree, const DataSet& data) const = 0;
  /// Makes verify() expect this rule of split dimensions. Returns false for kinds that have only one rule.
  virtual bool expect_split(Tree& tree, Split split) const = 0;

  /// points() returns the point records as the tree holds them; original_points() returns them at their original
  /// indices (verify() reports indices out of range).
  virtual const PointSet& points(const Tree& tree) const = 0;
  virtual PointSet original_points(const Tree& tree) const = 0;
  /// Returns the original indices of all points in the order of the tree's nodes or positions, in which points that are
  /// near one another mostly follow one another. Points that the tree leaves out come last. Work O(n).
  virtual std::vector<std::uint32_t> points_in_order(const Tree& tree) const = 0;
  /// Returns the original indices of points that the tree leaves out because a point with a lower index has the same
  /// coordinates; ascending.
  virtual std::vector<std::uint32_t> left_out(const Tree& tree) const = 0;
  /// Whether the tree is over triangles, so that rays are searched for, not points.
  virtual bool over_triangles(const Tree&) const { return false; }
  /// Returns the amount of input: "24 points", "8 triangles".
  virtual std::string contents(const Tree& tree) const = 0;
  /// Converts integer coordinates to floats, because a CSV file of whole floats looks like one of integers.
  virtual void become_float(Tree& tree) const = 0;
  virtual TreeFacts facts(const Tree& tree) const = 0;
  /// Casts random rays through the tree and against all triangles, and checks that both have the same hits. Returns
  /// nullopt for kinds without triangles. progress: called with the finished share. Throws ErrorException on a stop
  /// request. Work O(rays triangles).
  virtual std::optional<CheckResult> check_rays(const Tree& tree, std::uint32_t rays, std::stop_token stop,
                                                const std::function<void(double)>& progress) const = 0;

  virtual void write(const Tree& tree, TreeFormat format, std::ostream& out) const = 0;
  /// Returns whether a file that begins like this holds a tree of this kind.
  virtual bool begins(const tree_files::CsvRows& at_first_row) const = 0;
  virtual bool begins(const tree_files::NpyArray& first) const = 0;
  /// Reads the output of write(), from its first row or header on. Throws errors of kind bad_input that name the place.
  /// verify() checks whether the rows form a tree.
  virtual Tree read(tree_files::CsvRows& at_first_row) const = 0;
  virtual Tree read(const tree_files::NpyArray& first, std::string_view bytes, const std::string& path) const = 0;
  /// Returns the tree at the end of a trace. If the last state is no tree, throws an error of kind failed_check that
  /// names the array and the element that show it.
  virtual Tree from_trace(const Cursor& end) const = 0;
  /// Returns the row of the trace's standard partition for each of the tree's nodes; empty if both have the same
  /// numbers. Throws an error of kind failed_check if the partition is not the tree's.
  virtual std::vector<std::uint32_t> partition_rows(const Tree&, const Cursor&) const { return {}; }
};

/// Returns the kinds in the order of their folders.
const std::vector<const TreeKind*>& tree_kinds();
/// Returns the kind with this id, or null.
const TreeKind* find_tree_kind(std::string_view id);

inline std::uint64_t tree_hash(const Tree& tree) { return tree.kind().hash(tree); }
inline std::vector<CheckResult> verify_tree(const Tree& tree, const PointSet& input) {
  return tree.kind().verify(tree, input);
}

/// What all kinds have in common: calls the protected functions below with a T in place of a Tree. A kind derives from
/// it and implements these functions and the rest of TreeKind.
template <class T>
class TreeKindOf : public TreeKind {
 public:
  std::uint64_t hash(const Tree& tree) const final { return tree_hash(tree.as<T>()); }
  std::vector<CheckResult> verify(const Tree& tree, const PointSet& input) const final {
    return verify_of(tree.as<T>(), input);
  }
  std::string unchecked(const Tree& tree) const final { return unchecked_rules(tree.as<T>()); }
  std::optional<CheckResult> same_triangles(const Tree& tree, const DataSet& data) const final {
    return triangles_of(tree.as<T>(), data);
  }
  bool expect_split(Tree& tree, Split split) const final { return expect(tree.as<T>(), split); }
  const PointSet& points(const Tree& tree) const final { return points_of(tree.as<T>()); }
  PointSet original_points(const Tree& tree) const final { return original_points_of(tree.as<T>()); }
  std::vector<std::uint32_t> points_in_order(const Tree& tree) const final {
    const std::size_t n = points(tree).size();
    std::vector<std::uint32_t> order;
    std::vector<bool> taken(n, false);
    const auto take = [&](std::uint32_t point) {
      if (point >= n || taken[point]) return;
      taken[point] = true;
      order.push_back(point);
    };
    order.reserve(n);
    each_in_order(tree.as<T>(), take);
    for (std::uint32_t point = 0; point < n; ++point) take(point);
    return order;
  }
  std::vector<std::uint32_t> left_out(const Tree& tree) const final { return left_out_of(tree.as<T>()); }
  std::string contents(const Tree& tree) const final { return contents_of(tree.as<T>()); }
  void become_float(Tree& tree) const final { make_float_of(tree.as<T>()); }
  TreeFacts facts(const Tree& tree) const final { return facts_of(tree.as<T>()); }
  std::optional<CheckResult> check_rays(const Tree& tree, std::uint32_t rays, std::stop_token stop,
                                        const std::function<void(double)>& progress) const final {
    return rays_of(tree.as<T>(), rays, std::move(stop), progress);
  }
  void write(const Tree& tree, TreeFormat format, std::ostream& out) const final {
    write_of(tree.as<T>(), format, out);
  }

 protected:
  virtual std::vector<CheckResult> verify_of(const T& tree, const PointSet& input) const = 0;
  virtual std::string unchecked_rules(const T&) const { return {}; }
  virtual std::optional<CheckResult> triangles_of(const T&, const DataSet&) const { return std::nullopt; }
  virtual bool expect(T&, Split) const { return false; }
  virtual const PointSet& points_of(const T& tree) const = 0;
  virtual PointSet original_points_of(const T& tree) const { return points_of(tree); }
  /// Calls take() for each point in the order of nodes or positions. Indices may repeat or be out of range.
  virtual void each_in_order(const T& tree, const std::function<void(std::uint32_t)>& take) const = 0;
  virtual std::vector<std::uint32_t> left_out_of(const T&) const { return {}; }
  virtual std::string contents_of(const T& tree) const {
    const std::size_t n = points_of(tree).size() - left_out_of(tree).size();
    return std::to_string(n) + (n == 1 ? " point" : " points");
  }
  virtual void make_float_of(T& tree) const = 0;
  virtual TreeFacts facts_of(const T&) const { return {}; }
  virtual std::optional<CheckResult> rays_of(const T&, std::uint32_t, std::stop_token,
                                             const std::function<void(double)>&) const {
    return std::nullopt;
  }
  virtual void write_of(const T& tree, TreeFormat format, std::ostream& out) const = 0;
};

}  // namespace kdscope
