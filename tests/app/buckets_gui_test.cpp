// Leaf buckets and smallest boxes in the window: tree, view, legend and figures, for every algorithm that makes them.

#include <QAction>
#include <QPainter>

#include "app/export/partition_figure.hpp"
#include "app/panes/legend.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/tree_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/small_leaves.hpp"
#include "tests/support/point_algorithms.hpp"

using namespace kdscope;

namespace {

struct OpenBuckets : OpenWorkbench {
  /// Runs ten points in small leaves and goes to the last step.
  void run(const AlgorithmSpec& algorithm) {
    open_another([&] { workbench.desk().run({"hu-10", algorithm.id, small_leaves(algorithm), Backend::cpu}); });
    show_end();
  }
  bool legend_tells(const QString& word) const {
    const auto entries = legend_entries(workbench);
    return std::any_of(entries.begin(), entries.end(), [&](const LegendEntry& entry) { return entry.word == word; });
  }
};

QImage figure_of(const Cursor& cursor, bool smallest_boxes) {
  QImage image(600, 600, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  PartitionFigure(cursor, {}, {.tight_boxes = smallest_boxes}).paint(painter, image.rect(), theme(ThemeId::light), 15);
  return image;
}

}  // namespace

TEST_CASE("buckets stand below their leaves, and smallest boxes in their cells, where a run has them",
          "[screen][share]") {
  OpenBuckets open;
  QAction& boxes = open.find<QAction>("smallest_boxes");
  int made = 0;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    INFO(algorithm.id);
    open.run(algorithm);
    const bool buckets = open.workbench.playback().trace()->find(partition_arrays::leaf) != nullptr;
    CHECK(boxes.isEnabled() == buckets);
    CHECK(open.legend_tells(QStringLiteral("bucket")) == buckets);
    CHECK(open.legend_tells(QStringLiteral("smallest box")) == buckets);
    const Cursor& cursor = *open.workbench.playback().cursor();
    CHECK((differing_pixels(figure_of(cursor, true), figure_of(cursor, false)) > 0) == buckets);
    if (!buckets) continue;
    ++made;

    TreeView& tree = open.window.tree();
    for (const DiagramNode& node : tree.diagram().nodes) {
      const QString tip = tree.node_tip(node.node);
      INFO(tip.toStdString());
      CHECK(tip.contains(QStringLiteral("leaf with")) == node.keeps_bucket);
      if (node.keeps_bucket) CHECK(tip.contains(QString::number(node.bucket.front())));
    }
    REQUIRE(boxes.isChecked());
    SceneView& view = open.window.scene();
    REQUIRE(view.can_draw());
    const QImage with = view.picture();
    boxes.trigger();
    CHECK_FALSE(open.workbench.looks().appearance().smallest_boxes);
    const QImage without = view.picture();
    CHECK(differing_pixels(with, without) > 50);
    boxes.trigger();
    CHECK(open.workbench.looks().appearance().smallest_boxes);
    CHECK(differing_pixels(with, view.picture()) == 0);
  }
  CHECK(made > 0);
}
