#pragma once
// Zhou, Hou, Wang & Guo's builder of SAH trees over triangles (2008, §3): large nodes over chunks of triangles, small
// nodes as bit masks, all nodes breadth first. Exec and Recorder decide whether the function runs on the CPU or the
// GPU, stepped or timed.

#include <utility>

#include "algorithms/builders/zhou/arrays.hpp"
#include "algorithms/builders/zhou/build.hpp"
#include "algorithms/builders/zhou/chunks.hpp"
#include "algorithms/builders/zhou/options.hpp"
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

/// The lists that a level of large nodes works in. They serve all levels.
template <class Exec>
struct ChunkLists {
  explicit ChunkLists(Exec& exec)
      : owner(exec, "chunks"),
        first(exec, "chunks"),
        size(exec, "chunks"),
        chunk_box(exec, "chunk boxes"),
        tight(exec, "node boxes"),
        ranks(exec, "ranks"),
        chunk_counts(exec, "chunk counts"),
        counts(exec, "child counts"),
        before(exec, "counts before"),
        straddlers(exec, "straddlers") {}
  void grow_to(std::uint32_t nodes, std::uint32_t chunks, std::uint32_t references) {
    owner.grow_to(chunks), first.grow_to(chunks), size.grow_to(chunks), chunk_box.grow_to(chunks),
        chunk_counts.grow_to(chunks), before.grow_to(chunks);
    tight.grow_to(nodes), counts.grow_to(nodes), ranks.grow_to(references);
  }

  GrowingArray<std::uint32_t, Exec> owner, first, size;  ///< [chunks]
  GrowingArray<Box3, Exec> chunk_box, tight;             ///< [chunks], [active]
  GrowingArray<SideRanks, Exec> ranks;                   ///< [references]
  GrowingArray<SideCounts, Exec> chunk_counts, counts;   ///< [chunks], [active]
  GrowingArray<std::uint64_t, Exec> before;              ///< [chunks]
  GrowingArray<Straddler, Exec> straddlers;              ///< [references that go to both children]
};

/// A build under way. Its members are the steps.
template <class Exec, class Recorder>
class Build : zhou::Build<Exec, Recorder> {
  using Base = zhou::Build<Exec, Recorder>;
  using Base::apart, Base::exec, Base::rec, Base::options, Base::nodes, Base::kept, Base::large, Base::presenter,
      Base::level, Base::read_nodes;

 public:
  Build(Exec& exec_of_build, MeshOnDevice<Exec> mesh, const ZhouOptions& options_of_build, Recorder& recorder)
      : Base(exec_of_build, recorder, options_of_build),
        mesh_there_(std::move(mesh)),
        mesh_{mesh_there_.points.view(), mesh_there_.triangles.data()},
        n_(static_cast<std::uint32_t>(mesh_there_.triangles.size() / 3)),
        cost_{options.rules.traversal_cost},
        now_(exec, "references"),
        next_(exec, "references") {}

  SplitPlaneTreeOnDevice<Exec> tree() {
    triangle_boxes();
    root();
    split_large();
    for (References<Exec>* list : {&now_, &next_}) *list = References<Exec>(exec, "references");
    this->template split_small_nodes<BoxFaces>(cost_);
    return this->lay_out(Primitive::triangle, 3, ScalarType::float32);
  }

 private:
  bool small_root() const { return n_ <= options.rules.small; }
  References<Exec>& references_of_root() { return small_root() ? kept : now_; }

  void triangle_boxes() {
    References<Exec>& all = references_of_root();
    rec.step(
        steps::triangle_boxes,
        [&](const char* name) {
          for (References<Exec>* list : {&now_, &next_, &kept})
            list->reserve(small_root() && list != &kept ? 0 : n_ + n_ / 4);
          all.grow_to(n_);
          nodes.reserve(n_ + 1);
          large.reserve(small_root() ? 0 : n_ + n_ / 4);
          exec.for_each(name, n_, TriangleBoxes{mesh_, all.view()});
        },
        [&](auto& writer) {
          const PointsView& points = mesh_.points;
          presenter.emplace(PointSet{points.type, points.dim, points.stride - points.dim,
                                     writer.read(points.words, mesh_there_.points.words.size())},
                            writer.read(mesh_.corners, mesh_there_.triangles.size()), options);
          presenter->boxed(writer, writer.read(all.view().box, n_));
        });
  }

  void root() {
    rec.step(
        steps::root,
        [&] {
          const Box3* const box = references_of_root().view().box;
          const Box3 scene = n_ == 0 ? Box3{{0, 0, 0}, {0, 0, 0}}
                                     : exec.reduce("scene box", n_, BoxOfReference{box}, Unite{}, empty_box());
          large.start(scene, n_);
        },
        [&](auto& writer) { presenter->rooted(writer, read_nodes(writer)); });
  }

  /// Splits large nodes, level by level, until all are small or leaves.
  void split_large() {
    ChunkLists<Exec> lists(exec);
    lists.tight.reserve(n_ / options.rules.small + 1), lists.counts.reserve(n_ / options.rules.small + 1);
    for (; large.active().count > 0; ++level) {
      const std::uint32_t m = large.totals().references;
      // A level at most doubles its references.
      if (kept.size() + 2ull * m > most_references(n_)) too_many_references(n_, level);
      const Chunks chunks = make_chunks(lists);
      chunk_boxes(chunks, lists);
      reduce_boxes(chunks, lists);
      this->split_large_nodes(lists.tight.data(), NoOp{});
      mark_sides(chunks, lists);
      reduce_counts(chunks, lists);
      this->filter_small_nodes(ReducedCounts{lists.counts.data()}, cost_);
      sort_and_clip(chunks, lists, m);
      large.advance();
      std::swap(now_, next_);
    }
  }

  int lanes() const { return static_cast<int>(options.chunk); }

  Chunks make_chunks(ChunkLists<Exec>& lists) {
    const std::uint32_t a = large.active().count, c = large.totals().chunks, m = large.totals().references;
    Chunks chunks;
    rec.step(
        steps::make_chunks.at(level),
        [&](const char* name) {
          lists.grow_to(a, c, m);
          large.make_room();
          chunks = {lists.owner.data(), lists.first.data(), lists.size.data(), c, options.chunk};
          exec.for_each(name, c, MakeChunks{nodes.view(), large.active(), chunks});
        },
        [&](auto& writer) {
          presenter->chunked(writer,
                             {writer.read(large.active().node, a), writer.read(large.active().first, a),
                              writer.read(now_.view().primitive, m), writer.read(now_.view().box, m),
                              writer.read(chunks.owner, c), writer.read(chunks.first, c), writer.read(chunks.size, c)});
        });
    return chunks;
  }

  void chunk_boxes(const Chunks& chunks, ChunkLists<Exec>& lists) {
    rec.step(
        steps::chunk_boxes.at(level),
        [&](const char* name) {
          this->for_each_block(name, chunks.count, lanes(), options.chunk * sizeof(Box3),
                               ChunkBoxes{chunks, now_.view().box, lists.chunk_box.data()});
          // Initialise the results of the reductions
          exec.for_each("identities", large.active().count, Identities{lists.tight.data(), lists.counts.data()});
        },
        [&](auto& writer) { presenter->boxed_chunks(writer, writer.read(lists.chunk_box.data(), chunks.count)); });
  }

  /// Reduces the values of the chunks to one per node. Each pass has its own launch if steps must not share launches.
  template <class Operator>
  SegmentedReduction<Operator> reduction(const Chunks& chunks, GrowingArray<typename Operator::Value, Exec>& of_chunks,
                                         GrowingArray<typename Operator::Value, Exec>& of_nodes) const {
    return {of_chunks.data(), chunks.owner, chunks.count, of_nodes.data(), apart ? 1 : passes_per_block};
  }

  void reduce_boxes(const Chunks& chunks, ChunkLists<Exec>& lists) {
    reduction<UniteBoxes>(chunks, lists.chunk_box, lists.tight)
        .run(exec, rec, steps::reduce_boxes.at(level), [&](auto& writer, std::uint32_t passes) {
          presenter->reduced_boxes(writer, passes, writer.read(lists.chunk_box.data(), chunks.count),
                                   writer.read(lists.tight.data(), large.active().count));
        });
  }

  void reduce_counts(const Chunks& chunks, ChunkLists<Exec>& lists) {
    reduction<AddCounts>(chunks, lists.chunk_counts, lists.counts)
        .run(exec, rec, steps::reduce_counts.at(level), [&](auto& writer, std::uint32_t passes) {
          presenter->reduced_counts(writer, passes, writer.read(lists.chunk_counts.data(), chunks.count),
                                    writer.read(lists.counts.data(), large.active().count));
        });
  }

  void mark_sides(const Chunks& chunks, ChunkLists<Exec>& lists) {
    rec.step(
        steps::mark_sides.at(level),
        [&](const char* name) {
          this->for_each_block(name, chunks.count, lanes(), 2 * options.chunk * sizeof(std::uint32_t) + 16,
                               MarkSides{nodes.view(), large.plan(), chunks, now_.view().box, lists.ranks.data(),
                                         lists.chunk_counts.data()});
          // Scan the counts first: the reduction overwrites its input.
          exec.transform_exclusive_scan("counts before", chunks.count, CountsOfChunk{lists.chunk_counts.data()},
                                        lists.before.data());
        },
        [&](auto& writer) {
          presenter->marked(writer, writer.read(lists.ranks.data(), large.totals().references),
                            writer.read(lists.chunk_counts.data(), chunks.count));
        });
  }

  /// Moves the level's m references to its children.
  void sort_and_clip(const Chunks& chunks, ChunkLists<Exec>& lists, std::uint32_t m) {
    const std::uint32_t a = large.active().count, both = large.totals().references + large.totals().kept - m;
    rec.step(
        steps::sort_and_clip.at(level),
        [&] {
          next_.grow_to(large.totals().references);
          kept.grow_to(kept.size() + large.totals().kept);
          lists.straddlers.grow_to(both);
          const ReferenceLists there{now_.view(), next_.view(), kept.view()};
          exec.for_each_block("sort references", chunks.count, lanes(), 0,
                              MoveReferences{large.active(), large.plan(), chunks, lists.ranks.data(),
                                             lists.before.data(), there, lists.straddlers.data()});
          exec.for_each("clip", 2 * both,
                        ClipStraddlers{nodes.view(), large.plan(), mesh_, there, lists.straddlers.data()});
        },
        [&](auto& writer) {
          presenter->clipped(
              writer, read_nodes(writer),
              {large.read_pending(writer), writer.read(large.plan().halved, a), writer.read(lists.tight.data(), a),
               writer.read(next_.view().primitive, large.totals().references),
               writer.read(next_.view().box, large.totals().references),
               writer.read(kept.view().primitive, kept.size()), m, both});
        });
  }

  MeshOnDevice<Exec> mesh_there_;
  MeshView mesh_;
  std::uint32_t n_;  // triangles
  SurfaceAreaCost cost_;
  References<Exec> now_, next_;  // the references of the level's large nodes, and of the next level's
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
SplitPlaneTreeOnDevice<Exec> build(Exec& exec, MeshOnDevice<Exec> mesh, const ZhouOptions& options, Recorder& rec) {
  return Build<Exec, Recorder>(exec, std::move(mesh), options, rec).tree();
}

/// The builder in the form that builders/timed_run.hpp runs.
struct Construction : zhou::BuildsTreesOf<Primitive::triangle> {
  static constexpr UploadMesh upload{};
  template <class Exec, class Recorder>
  static auto build(Exec& exec, MeshOnDevice<Exec> mesh, const Options& options, Recorder& rec) {
    return zhou_sah::build(exec, std::move(mesh), options, rec);
  }
};

}  // namespace kdscope::zhou_sah
