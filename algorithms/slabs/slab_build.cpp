#include "algorithms/slabs/slab_build.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/caught.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "algorithms/exec/parallel_ranges.hpp"
#include "algorithms/registry/run_on.hpp"
#include "algorithms/slabs/subtrees.hpp"
#include "algorithms/slabs/tree_header.hpp"
#include "algorithms/slabs/upper_levels.hpp"
#include "algorithms/trees/tree_hash.hpp"
#include "datasets/file_source.hpp"

namespace kdscope::slabs {
namespace {

/// Rows that a thread writes at once.
constexpr std::uint32_t rows_at_once = 16384;

std::string folder_of_file(const std::string& file) {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  return folder.empty() ? "." : folder;
}

Result<void> check_room(const std::string& folder, std::uint64_t bytes, const std::string& of) {
  const std::uint64_t there = room_in(folder);
  if (bytes <= there) return {};
  return Error{ErrorKind::io_failure,
               of + " needs " + std::to_string(bytes) + " bytes (" + memory_text(bytes) + "), the disk has room for " +
                   std::to_string(there),
               folder, "free some room, or choose another disk"};
}

/// Runs work and adds its time to `ms`.
template <class Work>
void timed_into(double& ms, const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// Writes nodes into the file of a tree, and sums up its hash.
class TreeWriter {
 public:
  TreeWriter(DiskFile file, const Shape& shape) : file_(std::move(file)), shape_(shape) {
    const std::string header = tree_header(shape);
    header_bytes_ = header.size();
    file_.reserve(header_bytes_ + shape.n * shape.row_bytes());
    file_.write(0, std::span<const char>(header));
  }
  /// Writes nodes that follow one another, all on one level. words: [points, k] coordinates, of which the first is that
  /// of dimension `front`. Called from one thread; works on all.
  void write(NodeId first, std::span<const PointId> points, std::span<const std::uint32_t> words, std::uint32_t front) {
    const std::uint32_t k = shape_.dim, n = static_cast<std::uint32_t>(points.size());
    const std::uint8_t split_dim =
        static_cast<std::uint8_t>(n == 0 ? 0 : static_cast<std::uint32_t>(level_of(first)) % k);
    const std::uint64_t row_bytes = shape_.row_bytes();
    for_ranges((n + rows_at_once - 1) / rows_at_once, [&](std::uint32_t begin_chunk, std::uint32_t end_chunk) {
      std::vector<char> rows;
      std::vector<std::uint32_t> record(k);
      std::uint64_t sum = 0;
      for (std::uint32_t chunk = begin_chunk; chunk < end_chunk; ++chunk) {
        const std::uint32_t begin = chunk * rows_at_once, end = std::min(n, begin + rows_at_once);
        rows.resize((end - begin) * row_bytes);
        char* to = rows.data();
        for (std::uint32_t i = begin; i < end; ++i, to += row_bytes) {
          for (std::uint32_t d = 0, own = front; d < k; ++d, own = own + 1 == k ? 0 : own + 1)
            record[own] = words[std::size_t(i) * k + d];
          std::memcpy(to, &points[i].value, 4);
          to[4] = static_cast<char>(split_dim);
          std::memcpy(to + 5, record.data(), 4 * k);
          sum += node_hash({first.value + i}, points[i], split_dim, {record.data(), 1, k, k, shape_.type}, 0);
        }
        file_.write(header_bytes_ + (std::uint64_t{first.value} + begin) * row_bytes, std::span<const char>(rows));
      }
      hash_sum_ += sum;
    });
  }
  std::uint64_t tree_hash() const { return finish_tree_hash(hash_sum_, shape_.n, shape_.dim, shape_.type); }

 private:
  DiskFile file_;
  Shape shape_;
  std::uint64_t header_bytes_ = 0;
  std::atomic<std::uint64_t> hash_sum_ = 0;
};

std::unique_ptr<SubtreeBuilder> subtree_builder(const PreparedSlabs& prepared, const std::stop_token& stop) {
#ifdef KDSCOPE_HAS_CUDA
  if (prepared.device.backend == Backend::cuda)
    return subtrees_on_cuda(prepared.device.ordinal, prepared.request.processors, prepared.plan.memory, stop);
#endif
  return subtrees_on_cpu(prepared.plan.memory, stop);
}

class SlabBuild {
 public:
  SlabBuild(const PreparedSlabs& prepared, const RunControl& control)
      : prepared_(prepared),
        plan_(prepared.plan),
        watch_{control.stop,
               [&control](double fraction, const std::string& what) {
                 if (control.progress) control.progress(fraction, what);
               }},
        input_{DiskFile::reading(prepared.request.points), prepared.request.points, prepared.input_begin, plan_.input} {
  }

  SlabReport run() {
    timed_into(report_.total_ms, [&] {
      const SlabRequest& request = prepared_.request;
      auto file = value_of(ReplacedFile::begin(request.tree));
      TreeWriter tree(DiskFile::writing(file.temporary(), request.tree), plan_.input);
      Scratch scratch(prepared_.scratch_in_memory
                          ? DiskFile::scratch_in_memory()
                          : DiskFile::scratch(request.scratch.empty() ? folder_of_file(request.tree) : request.scratch,
                                              plan_.scratch_bytes),
                      plan_);
      UpperNodes nodes;
      timed_into(report_.pivots_ms, [&] { nodes = find_pivots(input_, plan_, watch_); });
      timed_into(report_.partition_ms, [&] { partition_points(input_, plan_, nodes, scratch, watch_); });
      write_upper(nodes, tree);
      build_subtrees(scratch, tree);
      report_.passes = nodes.passes;
      report_.tree_hash = tree.tree_hash();
      watch_.check();
      watch_.report(1, "write to disk");
      timed_into(report_.keep_ms, [&] {
        if (const Result<void> kept = file.keep(); !kept) throw ErrorException(kept.error());
      });
    });
    return report_;
  }

 private:
  void write_upper(const UpperNodes& nodes, TreeWriter& tree) {
    std::vector<PointId> points;
    for (const rank::Order pivot : nodes.pivots) points.push_back(rank::point_of(pivot));
    for (int level = 0; level < plan_.upper; ++level) {
      const std::uint32_t first = full_tree_size(level), count = 1u << level;
      tree.write(
          NodeId{first}, std::span(points).subspan(first, count),
          std::span(nodes.words).subspan(std::size_t(first) * plan_.input.dim, std::size_t(count) * plan_.input.dim),
          0);
    }
  }

  void build_subtrees(const Scratch& scratch, TreeWriter& tree) {
    const auto builder = subtree_builder(prepared_, watch_.stop);
    for (std::uint32_t s = 0; s < 1u << plan_.upper; ++s) {
      watch_.check();
      watch_.report((double(plan_.passes) + double(s) / double(1u << plan_.upper)) / double(plan_.passes + 1),
                    "subtree " + std::to_string(s + 1) + " of " + std::to_string(1u << plan_.upper));
      if (scratch.begin_of(s + 1) > scratch.begin_of(s)) build_subtree(s, scratch, *builder, tree);
    }
    report_.peak_bytes = builder->peak();
  }

  void build_subtree(std::uint32_t s, const Scratch& scratch, SubtreeBuilder& builder, TreeWriter& tree) {
    const std::uint64_t first = scratch.begin_of(s);
    const std::uint32_t n = static_cast<std::uint32_t>(scratch.begin_of(s + 1) - first), k = plan_.input.dim;
    const std::uint32_t piece = std::min(n, static_cast<std::uint32_t>(plan_.piece_points));
    std::vector<std::uint32_t> words(std::size_t(piece) * k);
    timed_into(report_.upload_ms, [&] {
      builder.begin(n, k, plan_.input.type);
      for (std::uint32_t at = 0; at < n; at += piece) {
        const std::span<std::uint32_t> part = std::span(words).first(std::size_t(std::min(piece, n - at)) * k);
        scratch.read_words(first + at, part);
        builder.upload(std::size_t(at) * k, part);
      }
    });
    timed_into(report_.build_ms, [&] { builder.build(); });
    timed_into(report_.download_ms, [&] {
      std::vector<PointId> original(n), points(piece);  // original index of each position
      scratch.read_points(first, original);
      // A level of the subtree is a run of nodes on a level of the tree
      const std::uint64_t root = full_tree_size(plan_.upper) + s;
      for (int down = 0; full_tree_size(down) < n; ++down) {
        const std::uint32_t begin = full_tree_size(down), end = std::min(n, full_tree_size(down + 1));
        const std::uint64_t to = ((root + 1) << down) - 1;
        for (std::uint32_t at = begin; at < end; at += piece) {
          const std::uint32_t count = std::min(piece, end - at);
          builder.download(at, std::span(words).first(std::size_t(count) * k), std::span(points).first(count));
          for_ranges(count, [&](std::uint32_t from, std::uint32_t behind) {
            for (std::uint32_t i = from; i < behind; ++i) points[i] = original[points[i].value];
          });
          tree.write(NodeId{static_cast<std::uint32_t>(to + at - begin)}, std::span(points).first(count),
                     std::span(words).first(std::size_t(count) * k), static_cast<std::uint32_t>(plan_.upper) % k);
        }
      }
    });
  }

  const PreparedSlabs& prepared_;
  const Plan& plan_;
  Watch watch_;
  PointsOnDisk input_;
  SlabReport report_;
};

Result<PreparedSlabs> prepared_from(SlabRequest request) {
  PreparedSlabs prepared;
  std::error_code ignored;
  if (std::filesystem::path(request.tree).extension() != ".npy")
    return Error{ErrorKind::bad_usage, "a build in slabs writes its tree as .npy", request.tree, "choose this ending"};
  if (std::filesystem::exists(request.tree, ignored))
    return Error{ErrorKind::bad_usage, "there is something of this name already", request.tree,
                 "remove it, or choose another name"};
  const std::optional<NpyRows> rows = npy_rows_of(request.points);
  if (!rows)
    return Error{ErrorKind::bad_input, "only NPY files of float32 or int32 in rows are built in slabs", request.points,
                 "save the array with numpy.save(name, numpy.ascontiguousarray(array, 'float32'))"};
  auto device = choose_device(request.backend, true,
#ifdef KDSCOPE_HAS_CUDA
                              true
#else
                              false
#endif
  );
  if (!device) return device.error();
  auto share = limited(*device, request.processors);
  if (!share) return share.error();
  prepared.device = std::move(*share);
  const bool on_cpu = prepared.device.backend == Backend::cpu;
  const std::uint64_t there = on_cpu ? available_memory() : prepared.device.memory_bytes;
  if (request.memory > there)
    return Error{ErrorKind::out_of_memory,
                 "--memory is " + memory_text(request.memory) + ", " +
                     (on_cpu ? "this machine has " + memory_text(there) + " left"
                             : prepared.device.name + " has " + memory_text(there)),
                 "", "give less"};
  auto plan = plan_build({rows->n, rows->dim, rows->type}, request.memory, on_cpu, request.points);
  if (!plan) return plan.error();
  prepared.plan = *plan;
  prepared.input_begin = rows->begin;
  // The page cache holds the tree as well, so take half of the memory at most
  prepared.scratch_in_memory =
      !on_cpu && request.host_scratch && request.scratch.empty() && plan->scratch_bytes < available_memory() / 2;
  const std::string tree_folder = folder_of_file(request.tree),
                    scratch_folder = request.scratch.empty() ? tree_folder : request.scratch;
  std::uint64_t beside = prepared.scratch_in_memory ? 0 : plan->scratch_bytes;
  if (beside > 0 && !share_a_disk(tree_folder, scratch_folder)) {
    if (auto room = check_room(scratch_folder, beside, "the scratch file"); !room) return room.error();
    beside = 0;
  }
  if (auto room = check_room(tree_folder, plan->tree_bytes + beside,
                             beside > 0 ? "the tree with its scratch file" : "the tree");
      !room)
    return room.error();
  prepared.request = std::move(request);
  return prepared;
}

}  // namespace

Result<PreparedSlabs> prepare(SlabRequest request) {
  return caught([&] { return prepared_from(std::move(request)); });
}

Result<SlabReport> build_in_slabs(const PreparedSlabs& prepared, const RunControl& control) {
  return guarded(prepared.device, [&] { return SlabBuild(prepared, control).run(); });
}

}  // namespace kdscope::slabs
