// Measures the names and marks of points in the view of a presentation, over the shipped lessons: a name stands inside
// its own cell or is joined to its mark by a line, and marks cover one another only where points nearly coincide.

#include "app/present/presentation.hpp"
#include "app/views/scene_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/share.hpp"
#include "visualizer/model/partition.hpp"
#include "visualizer/model/trace_lookup.hpp"

using namespace kdscope;

namespace {

using Rect = std::array<double, 4>;  // left, bottom, right and top, in pixels

bool overlap(const Rect& a, const Rect& b) { return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]; }

/// Returns the boxes of the leaves of the partition that do not belong to a node's subtree, in pixels.
std::vector<Rect> cells_of_others(const Scene& scene, const Partition& partition, NodeId node) {
  std::vector<Rect> cells;
  const auto& nodes = partition.nodes();
  for (const NodeId cell : partition.cells()) {
    bool own = false;
    for (std::uint32_t up = cell.value; up < nodes.size(); up = nodes[up].parent) own |= up == node.value;
    Box box;
    if (own || !partition.box(cell, box)) continue;
    const auto lo = scene.place_of(box.lo), hi = scene.place_of(box.hi);
    if (lo && hi) cells.push_back({(*lo)[0], (*lo)[1], (*hi)[0], (*hi)[1]});
  }
  return cells;
}

void check_names(const Scene& scene, const Cursor& now) {
  const Partition partition = Partition::at(now, {});
  const NodesOfPoints of_points = nodes_of_points(now);
  const double edge = 2;  // planes are as wide
  for (const WrittenName& name : scene.names()) {
    if (name.joined || name.point.value >= of_points.node.size()) continue;
    const std::uint32_t node = of_points.node[name.point.value];
    if (!partition.alive({node})) continue;
    const Rect inner{name.room[0] + edge, name.room[1] + edge, name.room[2] - edge, name.room[3] - edge};
    for (const Rect& cell : cells_of_others(scene, partition, {node})) {
      CAPTURE(name.point.value, name.room, cell);
      CHECK_FALSE(overlap(inner, cell));
    }
  }
  for (std::size_t i = 0; i < scene.names().size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(overlap(scene.names()[i].room, scene.names()[j].room));
}

/// The circles of two marks do not meet unless the points are nearer than the smallest mark is wide.
void check_marks(const Scene& scene, std::size_t n, double text) {
  const double smallest = 0.46 * text;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < i; ++j) {
      const auto a = scene.place_of_point({i}), b = scene.place_of_point({j});
      if (!a || !b) continue;
      const double apart = std::hypot((*a)[0] - (*b)[0], (*a)[1] - (*b)[1]);
      CAPTURE(i, j, apart, scene.mark_diameter());
      if (apart > smallest) CHECK(apart >= scene.mark_diameter());
    }
}

}  // namespace

TEST_CASE("names of points stand in their own cells or are joined to their marks, which do not cover one another",
          "[share][screen]") {
  OpenWorkbench open;
  open.show_answers();
  int names = 0;
  std::size_t number = 0;
  for (const Lesson& lesson : open.workbench.lessons().catalogue().lessons) {
    if (number++ % test::every_nth(6) != 0) continue;
    if (open.workbench.lessons().lesson()->id != lesson.id) open.open_lesson(lesson.id);
    for (const QSize& size : {QSize(1280, 720), QSize(1920, 1080)}) {
      open.workbench.lessons().go_to_stop(-1);
      Presentation& presentation = open.window.presentation();
      presentation.start({QRect(QPoint(), size)}, 0);
      REQUIRE(presentation.running());
      AudienceWindow& audience = *presentation.audience();
      REQUIRE(QTest::qWaitForWindowExposed(&audience, patience_ms));
      for (const Stop& stop : lesson.stops) {
        open.workbench.lessons().stop_forward();
        wait_until_idle(open.workbench);
        INFO(lesson.id << ", " << stop.title << ", " << size.width());
        const Scene& scene = audience.scene().scene();
        if (!audience.scene().isVisible() || !scene.is_2d() || scene.names().empty()) continue;
        names += static_cast<int>(scene.names().size());
        check_names(scene, *open.workbench.playback().cursor());
        check_marks(scene, scene.points_drawn(), 16.0 * audience.text_scale() / 100);
      }
      presentation.stop();
      open.settle();
    }
  }
  CHECK(names > 100);
}
