#pragma once
// The slider through the steps of a run: a tick where a level begins, a coloured band for each phase, a mark for each
// bookmark.

#include <QAbstractSlider>
#include <QPainter>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "app/recording/navigation.hpp"
#include "app/session/session.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// Draws a phase as a plain ground with a name, in the accent if it is the present one.
void paint_phase(QPainter& painter, const QRectF& at, const Theme& theme, int kind, bool is_here, const QString& name);

/// Pressing anywhere goes to the step at that place. In a presentation, the stops of a lesson take the place of steps.
class StepSlider : public QAbstractSlider {
  Q_OBJECT

 public:
  explicit StepSlider(QWidget* parent = nullptr);
  void set_ticks(std::vector<std::uint32_t> ticks);
  /// Draws each phase as a coloured band above the groove, with its name where that fits. The tool tip lists all names.
  void set_bands(std::vector<PhaseBand> bands);
  /// Draws one grey band in place of all from a step on, until set_bands().
  void cover_bands(std::uint32_t from);
  void set_bookmarks(std::vector<Bookmark> bookmarks);
  /// Marks steps with violated checks, ascending, each by a cross and a stroke through the groove.
  void set_violated(std::vector<std::uint32_t> steps);
  const std::vector<std::uint32_t>& violated() const { return violated_; }
  void set_theme(const Theme& theme);
  /// Draws thin bands without names and a thin groove, where height is scarce.
  void set_low(bool low);
  /// Says what stands at each place, if these are no steps.
  void set_names(std::vector<QString> names) { names_ = std::move(names); }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }
  double x_of(int step) const;
  /// Where a band is painted.
  QRectF strip(const PhaseBand& band) const;
  /// Where the phase at hand has its whole name: in its strip or, where that has too little room, over its neighbours.
  /// Empty where no phase is at hand.
  QRectF room_of_present() const;
  const std::vector<PhaseBand>& bands() const { return bands_; }
  /// The tool tip of a step: its phase, its bookmark, and the meaning of all colours.
  QString tip_at(std::uint32_t step) const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  bool event(QEvent* event) override;

 private:
  int step_at(double x) const;
  double middle() const;
  void paint_bands(QPainter& painter) const;
  std::vector<std::uint32_t> ticks_, violated_;
  std::vector<PhaseBand> bands_;
  std::vector<Bookmark> bookmarks_;
  std::vector<QString> names_;
  const Theme* theme_;
  bool low_ = false;
  std::optional<std::uint32_t> covered_from_;
};

/// "[A] sort  [B] update tags" as rich text, each letter on its colour; the kind `current` in bold, -1 for none.
QString phase_legend(const std::vector<PhaseBand>& bands, const Theme& theme, int current = -1,
                     const QString& between = QStringLiteral("&ensp; "));

}  // namespace kdscope
