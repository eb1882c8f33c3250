// Tests phases as bands on the slider and swatches in the timeline: their places, their names, and the targets of
// clicks.

#include <QHelpEvent>
#include <QLabel>
#include <QToolTip>

#include "app/appearance/appearance.hpp"
#include "app/panes/timeline_pane.hpp"
#include "app/views/step_slider.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/point_algorithms.hpp"

using namespace kdscope;

namespace {

void check_bands(OpenWorkbench& open) {
  open.show_answers();
  auto& slider = *open.window.findChild<StepSlider*>();
  const std::vector<PhaseBand> bands = slider.bands();
  REQUIRE_FALSE(bands.empty());
  const Theme& t = theme_of(open.workbench.looks().appearance());
  open.show_step(0);
  const QImage picture = slider.grab().toImage();
  const QRectF name_of_present = slider.room_of_present();
  for (const PhaseBand& band : bands) {
    INFO(band.name << ", steps " << band.first << " to " << band.last);
    const QRectF strip = slider.strip(band);
    CHECK(slider.rect().contains(strip.toRect()));
    const PhaseBand* here = band_at(bands, 0);
    const bool is_free = !name_of_present.intersects(strip);
    if ((!here || here->first != band.first) && is_free) {  // the present phase's band is outlined
      int coloured = 0;                                     // the band may have a hatch and a name
      for (int x = static_cast<int>(strip.left()) + 1; x < std::min(strip.left() + 5, strip.right() - 1); ++x)
        for (int y = static_cast<int>(strip.top()) + 1; y < strip.bottom() - 1; ++y)
          coloured += picture.pixelColor(x, y) == colour(phase_ground(t, band.kind));
      CHECK(coloured > 0);
    }
    // A tool tip names the phase and all colours, however narrow the phase's band.
    QHelpEvent hover(QEvent::ToolTip, strip.center().toPoint(), slider.mapToGlobal(strip.center().toPoint()));
    QApplication::sendEvent(&slider, &hover);
    const bool by_step = QToolTip::text() == slider.tip_at((band.first + band.last) / 2) ||
                         QToolTip::text() == slider.tip_at((band.first + band.last + 1) / 2);
    CHECK(by_step);
    CHECK(QToolTip::text().contains(QString::fromStdString(band.name)));
    for (std::uint32_t step = band.first; step <= band.last; ++step) {
      CHECK(slider.tip_at(step).contains(QString::fromStdString(band.name)));
      for (const PhaseBand& kind : band_kinds(bands))
        CHECK(slider.tip_at(step)
                  .replace(QStringLiteral("&nbsp;"), QStringLiteral(" "))
                  .contains(QString::fromStdString(kind.name)));
    }
    // A click on the band goes to its phase.
    QTest::mouseClick(
        &slider, Qt::LeftButton, {},
        QPoint(static_cast<int>(slider.x_of(static_cast<int>(band.first))), static_cast<int>(strip.center().y())));
    CHECK(open.step() == band.first);
    QTest::mouseClick(&slider, Qt::LeftButton, {}, strip.center().toPoint());
    CHECK(open.step() >= band.first);
    CHECK(open.step() <= band.last);
  }
  QToolTip::hideText();
}

void check_timeline(OpenWorkbench& open) {
  auto& timeline = *open.window.findChild<TimelinePane*>();
  const auto bands = phase_bands(*open.workbench.playback().trace());
  const QString legend =
      open.find<QLabel>("phase_legend").text().replace(QStringLiteral("&nbsp;"), QStringLiteral(" "));
  for (const PhaseBand& kind : band_kinds(bands)) {
    CHECK(legend.contains(QString::fromStdString(kind.name)));
    CHECK(legend.contains(QString::fromStdString(letter_of_kind(kind.kind))));
  }
  std::uint32_t step = 0;
  for (QTreeWidgetItemIterator item(&timeline.tree(), QTreeWidgetItemIterator::NoChildren); *item; ++item, ++step) {
    INFO("step " << step);
    CHECK((*item)->data(0, Qt::UserRole).toUInt() == step);
    CHECK((*item)->text(1) == QString::number(step));
    CHECK((*item)->icon(0).isNull() == (band_at(bands, step) == nullptr));
  }
  CHECK(step == open.workbench.playback().step_count());
}

}  // namespace

TEST_CASE("bands and swatches of every lesson and theme: colours, clicks, tool tips", "[share]") {
  OpenWorkbench open;
  std::size_t theme = 0;
  for (const Lesson& lesson : test::shown_lessons(open.workbench.lessons().catalogue())) {
    open.workbench.looks().set_theme(kdscope::theme(all_themes[theme++ % all_themes.size()]).name);
    open.open_lesson(lesson.id);
    INFO(lesson.id);
    check_bands(open);
    check_timeline(open);
  }
}

TEST_CASE("bands and swatches of every algorithm, on a narrow slider and with large text", "[share]") {
  OpenWorkbench open;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms())
    for (const int scale : {100, 200}) {
      open.workbench.looks().set_text_scale(scale);
      RunRequest spec{"uniform:n=200,dim=3,seed=5", algorithm.id, {}};
      open.open_run(spec);
      INFO(algorithm.id << " at " << scale << " %");
      check_timeline(open);
      auto& slider = *open.window.findChild<StepSlider*>();
      CHECK(slider.width() >= 80);
      for (const PhaseBand& band : slider.bands())
        CHECK(slider.tip_at(band.first).contains(QString::fromStdString(band.name)));
    }
}
