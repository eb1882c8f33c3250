#pragma once
// SubtreeBuilder on an executor. Only subtrees_on_cpu.cpp and subtrees_on_cuda.cu include this header.

#include <utility>

#include "algorithms/builders/rank/rank.hpp"
#include "algorithms/record/recorders.hpp"
#include "algorithms/slabs/subtrees.hpp"

namespace kdscope::slabs {

template <class Exec>
class SubtreesOn final : public SubtreeBuilder {
 public:
  /// arguments: those of the executor.
  template <class... Arguments>
  explicit SubtreesOn(std::uint64_t memory, Arguments&&... arguments) : exec_(std::forward<Arguments>(arguments)...) {
    exec_.memory().limit_to(memory);
  }

  void begin(std::uint32_t n, std::uint32_t dim, ScalarType type) override {
    exec_.check_stop();
    points_ = {};
    tree_ = {};
    points_ = {exec_.template array<std::uint32_t>("points", std::size_t(n) * dim), n, dim, dim, type};
  }
  void upload(std::size_t at, std::span<const std::uint32_t> words) override {
    exec_.upload(points_.words.data() + at, words);
  }
  void build() override {
    NullRecorder recorder;
    tree_ = rank::build(exec_, std::move(points_), rank::RankOptions(), recorder);
    exec_.synchronize();
  }
  void download(std::uint32_t node, std::span<std::uint32_t> words, std::span<PointId> points) override {
    exec_.download(words, tree_.points.words.data() + std::size_t(node) * tree_.points.stride);
    exec_.download(points, tree_.point_of_node.data() + node);
  }
  std::uint64_t peak() override { return exec_.memory().peak(); }

 private:
  Exec exec_;
  PointsOnDevice<Exec> points_;
  LeftBalancedTreeOnDevice<Exec> tree_;
};

}  // namespace kdscope::slabs
