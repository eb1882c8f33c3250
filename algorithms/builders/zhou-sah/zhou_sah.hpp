#pragma once
// Zhou, Hou, Wang & Guo's builder of SAH trees over triangles (2008, §3): large nodes over chunks of triangles, small
// nodes as bit masks, all nodes breadth first. Exec and Recorder decide whether the function runs on the CPU or the
// GPU, stepped or timed.

#include <optional>
#include <type_traits>

#include "algorithms/builders/zhou/arrays.hpp"
#include "algorithms/builders/zhou/chunks.hpp"
#include "algorithms/builders/zhou/options.hpp"
#include "algorithms/builders/zhou/small_stage.hpp"
#include "algorithms/core/error.hpp"
#include "algorithms/exec/growing_array.hpp"
#include "algorithms/exec/scans.hpp"
#include "algorithms/trees/split_planes/on_device.hpp"

namespace kdscope::zhou_sah {

/// The steps, in the order of the construction.
namespace steps {
inline constexpr StepLabel triangle_boxes{"triangle boxes", "zhou-sah/triangle_boxes"};
inline constexpr StepLabel root{"root", "zhou-sah/triangle_boxes", "", StepKind::library};
inline constexpr StepLabel make_chunks{"make chunks", "zhou/make_chunks",      "", StepKind::launch,
                                       false,         zhou::large_steps::phase};
inline constexpr StepLabel chunk_boxes{"chunk boxes", "zhou/chunk_boxes",      "", StepKind::launch,
                                       false,         zhou::large_steps::phase};
inline constexpr StepLabel reduce_boxes{"reduce boxes", "zhou/segmented_reduction", "", StepKind::launch, false,
                                        "node boxes"};
inline constexpr StepLabel mark_sides{"mark sides", "zhou/mark_sides",       "", StepKind::launch,
                                      false,        zhou::large_steps::phase};
inline constexpr StepLabel reduce_counts{"reduce counts", "zhou/segmented_reduction", "", StepKind::launch, false,
                                         "child counts"};
inline constexpr StepLabel sort_and_clip{"sort and clip",         "zhou/sort_and_clip", "", StepKind::launch, true,
                                         zhou::large_steps::phase};
}  // namespace steps

using namespace zhou;

// [region zhou-sah/triangle_boxes]
/// Computes the box of each triangle. references: [triangles].
struct TriangleBoxes {
  MeshView mesh;
  ReferencesView references;
  KDSCOPE_HD void operator()(std::uint32_t t) const {
    references.primitive[t] = t;
    references.box[t] = box_of(mesh.triangle(t));
  }
};
// [endregion]

/// Returns the most references that a level of n triangles may have, with those that are kept. Surfaces need 2 or 3 per
/// triangle, long triangles in all directions some 20. Where more than T triangles cover the same places, every halving
/// doubles their references, and no bound on the nodes ends that soon.
constexpr std::uint64_t most_references(std::uint32_t n) {
  constexpr std::uint64_t numbered = ~0u / BoxFaces::of_primitive;  // candidates are numbered in 32 bits
  const std::uint64_t wanted = 256ull * n + (1u << 22);
  return wanted < numbered ? wanted : numbered;
}
/// level: the one whose nodes have more references. A tree that is not deeper than the level before it has fewer.
[[noreturn]] inline void too_many_references(std::uint32_t n, int level) {
  throw ErrorException({ErrorKind::bad_input,
                        "clipping makes more than " + std::to_string(most_references(n)) + " references of these " +
                            std::to_string(n) +
                            " triangles: too many of them overlap, so that halving a node only lists them twice",
                        "level " + std::to_string(level),
                        "give depth=" + std::to_string(level - 1) + " or less, or triangles that overlap less"});
}

struct BoxOfReference {
  const Box3* box;
  KDSCOPE_HD Box3 operator()(std::uint32_t i) const { return box[i]; }
};
struct Unite {
  KDSCOPE_HD Box3 operator()(const Box3& a, const Box3& b) const { return united(a, b); }
};

/// Builds the tree of a mesh of float points in three dimensions, which it consumes: [n] triangles, 0 <= n <= 2^27.
/// trees/split_planes (tree.hpp, planes.hpp) defines the rules of the tree. Work O(r) per level for r references, which
/// are the triangles and the references that clipping adds; O(1) launches and one download of a few bytes per level;
/// about log2(n / T) + log2 T levels. Memory beside the mesh: a reference takes 28 bytes; twice that while a level
/// moves it; 6 more while it is marked; 16 more if it goes to both children; and 124 once it is kept for a small node
/// (its box and the sets of its six candidates). A node takes 55 bytes, 16 more for the output and 48 for the tree.
/// Each stage frees what later stages do not need; the peak is about 650 bytes per triangle of a scene. Throws
/// ErrorException.
/// Departures from the source: triangles are counted before they move, because their places follow from the counts; the
/// plane of an upper face lies one float above it; a large node is not split further after most_bad_refines halvings
/// that do not pay; and subtrees list their primitives separately from their nodes.
template <class Exec, class Recorder>
SplitPlaneTreeOnDevice<Exec> build(Exec& exec, MeshOnDevice<Exec> mesh_there, const ZhouOptions& options,
                                   Recorder& rec) {
  const MeshView mesh{mesh_there.points.view(), mesh_there.triangles.data()};
  const auto n = static_cast<std::uint32_t>(mesh_there.triangles.size() / 3);
  const SurfaceAreaCost cost{options.rules.traversal_cost};
  // Give every pass of a segmented reduction its own launch if steps must not share launches.
  constexpr std::uint32_t at_once = separate_launches<Recorder> ? 1 : passes_per_block;
  Nodes<Exec> nodes(exec);
  References<Exec> now(exec, "references"), next(exec, "references"), kept(exec, "kept references");
  LargeStage<Exec> large(exec, nodes, options.rules, options.chunk);
  // Only a recording shows the steps; a full-speed build does not compile this code.
  std::optional<StepPresenter> recorded;
  StepPresenter* recording = nullptr;
  const auto read_nodes = [&](auto& writer) { return read_node_list(nodes, writer); };

  const bool small_root = n <= options.rules.small;
  References<Exec>& all = small_root ? kept : now;
  rec.step(
      steps::triangle_boxes,
      [&](const char* name) {
        for (References<Exec>* list : {&now, &next, &kept}) list->reserve(small_root && list != &kept ? 0 : n + n / 4);
        all.grow_to(n);
        nodes.reserve(n + 1);
        large.reserve(small_root ? 0 : n + n / 4);
        exec.for_each(name, n, TriangleBoxes{mesh, all.view()});
      },
      [&](auto& writer) {
        const PointsView& points = mesh.points;
        recorded.emplace(PointSet{points.type, points.dim, points.stride - points.dim,
                                  writer.read(points.words, mesh_there.points.words.size())},
                         writer.read(mesh.corners, mesh_there.triangles.size()), options);
        recording = &*recorded;
        recording->boxed(writer, writer.read(all.view().box, n));
      });
  rec.step(
      steps::root,
      [&] {
        const Box3 scene = n == 0 ? Box3{{0, 0, 0}, {0, 0, 0}}
                                  : exec.reduce("scene box", n, BoxOfReference{all.view().box}, Unite{}, empty_box());
        large.start(scene, n);
      },
      [&](auto& writer) { recording->rooted(writer, read_nodes(writer)); });

  int level = 0;
  {
    GrowingArray<std::uint32_t, Exec> owner(exec, "chunks"), first(exec, "chunks"), size(exec, "chunks");
    GrowingArray<Box3, Exec> chunk_box(exec, "chunk boxes"), tight(exec, "node boxes");
    GrowingArray<SideRanks, Exec> ranks(exec, "ranks");
    GrowingArray<SideCounts, Exec> chunk_counts(exec, "chunk counts"), counts(exec, "child counts");
    GrowingArray<std::uint64_t, Exec> before(exec, "counts before");
    GrowingArray<Straddler, Exec> straddlers(exec, "straddlers");
    tight.reserve(n / options.rules.small + 1), counts.reserve(n / options.rules.small + 1);
    for (; large.active().count > 0; ++level) {
      const std::uint32_t a = large.active().count, c = large.totals().chunks, m = large.totals().references;
      // A level at most doubles its references.
      if (kept.size() + 2ull * m > most_references(n)) too_many_references(n, level);
      owner.grow_to(c), first.grow_to(c), size.grow_to(c), chunk_box.grow_to(c), chunk_counts.grow_to(c),
          before.grow_to(c);
      tight.grow_to(a), counts.grow_to(a), ranks.grow_to(m);
      large.make_room();
      const Chunks chunks{owner.data(), first.data(), size.data(), c, options.chunk};
      const int lanes = static_cast<int>(options.chunk);
      rec.step(
          steps::make_chunks.at(level),
          [&](const char* name) {
            exec.for_each(name, c, MakeChunks{nodes.view(), large.active(), chunks});
          },
          [&](auto& writer) {
            recording->chunked(writer, writer.read(large.active().node, a), writer.read(large.active().first, a),
                               writer.read(now.view().primitive, m), writer.read(now.view().box, m),
                               writer.read(chunks.owner, c), writer.read(chunks.first, c), writer.read(chunks.size, c));
          });
      rec.step(
          steps::chunk_boxes.at(level),
          [&](const char* name) {
            exec.for_each_block(name, c, lanes, options.chunk * sizeof(Box3),
                                ChunkBoxes{chunks, now.view().box, chunk_box.data()});
            // Initialise the results of the reductions
            exec.for_each("identities", a, Identities{tight.data(), counts.data()});
          },
          [&](auto& writer) { recording->boxed_chunks(writer, writer.read(chunk_box.data(), c)); });
      segmented_reduce<UniteBoxes>(exec, rec, steps::reduce_boxes.at(level), chunk_box.data(), owner.data(), c,
                                   tight.data(), at_once, [&](auto& writer, std::uint32_t passes) {
                                     recording->reduced_boxes(writer, passes, writer.read(chunk_box.data(), c),
                                                              writer.read(tight.data(), a));
                                   });
      split_large_nodes(exec, nodes, large, tight.data(), NoOp{}, rec, recording, level);
      rec.step(
          steps::mark_sides.at(level),
          [&](const char* name) {
            exec.for_each_block(
                name, c, lanes, 2 * options.chunk * sizeof(std::uint32_t) + 16,
                MarkSides{nodes.view(), large.plan(), chunks, now.view().box, ranks.data(), chunk_counts.data()});
            // Scan the counts first: the reduction overwrites its input.
            exec.transform_exclusive_scan("counts before", c, CountsOfChunk{chunk_counts.data()}, before.data());
          },
          [&](auto& writer) {
            recording->marked(writer, writer.read(ranks.data(), m), writer.read(chunk_counts.data(), c));
          });
      segmented_reduce<AddCounts>(exec, rec, steps::reduce_counts.at(level), chunk_counts.data(), owner.data(), c,
                                  counts.data(), at_once, [&](auto& writer, std::uint32_t passes) {
                                    recording->reduced_counts(writer, passes, writer.read(chunk_counts.data(), c),
                                                              writer.read(counts.data(), a));
                                  });
      rec.step(
          large_steps::filter_small_nodes.at(level),
          [&] { large.filter(ReducedCounts{counts.data()}, cost, kept.size()); },
          [&](auto& writer) {
            recording->filtered(writer, read_nodes(writer), writer.read(large.plan().kind, 2 * std::size_t(a)));
          });
      const std::uint32_t both = large.totals().references + large.totals().kept - m;
      rec.step(
          steps::sort_and_clip.at(level),
          [&] {
            next.grow_to(large.totals().references);
            kept.grow_to(kept.size() + large.totals().kept);
            straddlers.grow_to(both);
            const ReferenceLists lists{now.view(), next.view(), kept.view()};
            exec.for_each_block("sort references", c, lanes, 0,
                                MoveReferences{large.active(), large.plan(), chunks, ranks.data(), before.data(), lists,
                                               straddlers.data()});
            exec.for_each("clip", 2 * both, ClipStraddlers{nodes.view(), large.plan(), mesh, lists, straddlers.data()});
          },
          [&](auto& writer) {
            recording->clipped(writer, read_nodes(writer), large.read_pending(writer),
                               writer.read(large.plan().halved, a), writer.read(tight.data(), a),
                               writer.read(next.view().primitive, large.totals().references),
                               writer.read(next.view().box, large.totals().references),
                               writer.read(kept.view().primitive, kept.size()), m, both);
          });
      large.advance();
      std::swap(now, next);
    }
  }
  for (References<Exec>* list : {&now, &next}) *list = References<Exec>(exec, "references");

  const LevelNodes roots{large.small_roots(), 0, large.small_root_count()};
  const auto small = build_small_nodes<BoxFaces>(exec, nodes, roots, kept.view(), kept.size(), cost,
                                                 options.rules.depth, level, rec, recording, read_nodes);
  return lay_out(exec, nodes, large, small, roots, kept.view().primitive, kept.size(), Primitive::triangle, 3,
                 ScalarType::float32, rec, recording, read_nodes);
}

const OptionTable<ZhouOptions>& option_table();

/// The builder in the form that builders/timed_run.hpp runs.
struct Construction {
  using Tree = SplitPlaneTree;
  using Options = ZhouOptions;
  static constexpr UploadMesh upload{};
  static const OptionTable<Options>& option_table() { return zhou_sah::option_table(); }
  static void declare(ArrayList& list, const Options&) { zhou::declare(list, Primitive::triangle); }
  static void set_rules(SplitPlaneTree& tree, const ZhouOptions& options) {
    tree.rules = options.rules;
    tree.traversal_cost = options.rules.traversal_cost;
  }
  template <class Exec, class Recorder>
  static auto build(Exec& exec, MeshOnDevice<Exec> mesh, const Options& options, Recorder& rec) {
    return zhou_sah::build(exec, std::move(mesh), options, rec);
  }
};

}  // namespace kdscope::zhou_sah
