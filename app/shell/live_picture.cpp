#include "app/shell/live_picture.hpp"

#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

#include "app/appearance/appearance.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/recording/run.hpp"
#include "app/views/scene_view.hpp"
#include "visualizer/model/search_overlay.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

constexpr int ms_per_step = 900, ms_at_end = 2500;
constexpr int least_height = 200;

}  // namespace

LivePicture::LivePicture(Workbench& workbench, const std::string& lesson, const QString& title, QWidget* parent)
    : QFrame(parent), workbench_(workbench), lesson_(lesson), view_(new SceneView) {
  setObjectName(QStringLiteral("live_") + QString::fromStdString(lesson));
  setAccessibleName(title);
  setFrameShape(QFrame::NoFrame);
  setAttribute(Qt::WA_Hover);
  setFocusPolicy(Qt::TabFocus);
  setCursor(Qt::PointingHandCursor);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(tokens::radius, tokens::radius, tokens::radius, tokens::space);
  column->addWidget(view_, 1);
  view_->setMinimumHeight(least_height);
  QLabel* name = plain_label(title);
  name->setAlignment(Qt::AlignCenter);
  name->setWordWrap(true);
  column->addWidget(name);
  view_->setAttribute(Qt::WA_TransparentForMouseEvents);
  view_->setFocusPolicy(Qt::NoFocus);
  for (QWidget* part : view_->findChildren<QWidget*>()) {
    part->setAttribute(Qt::WA_TransparentForMouseEvents);
    part->setFocusPolicy(Qt::NoFocus);
  }
  view_->set_options({.labels = PointLabels::none});  // nobody asks for a point by its name here
  clock_.setSingleShot(true);
  connect(&clock_, &QTimer::timeout, this, [this] {
    cursor_->seek(cursor_->step() + 1 < cursor_->step_count() ? cursor_->step() + 1 : 0);
    show_step();
  });
  const auto restyle = [this] { view_->set_theme(theme_of(workbench_.looks().appearance()).id); };
  connect(&workbench.looks(), &Looks::changed, this, restyle);
  restyle();
  for (const Lesson& each : workbench.lessons().catalogue().lessons)
    if (each.id == lesson)
      job_.start(
          title,
          [this, run = run_of(each, Backend::cpu)](const RunControl& control) -> BackgroundJob::Finish {
            const auto recorded = record_run(run, control);
            return [this, trace = recorded ? recorded->trace : nullptr] { play(trace); };
          },
          [](const Error&) {});
}

void LivePicture::play(std::shared_ptr<const Trace> trace) {
  if (!trace) return;
  cursor_.emplace(std::move(trace));
  show_step();
}

void LivePicture::show_step() {
  view_->show_step(*cursor_);
  view_->show_overlay("search", is_search(cursor_->trace()) ? search_overlay(*cursor_) : Overlay());
  clock_.start(cursor_->step() + 1 < cursor_->step_count() ? ms_per_step : ms_at_end);
}

/// A card: with a ring where Enter would open the lesson, tinted where a click would.
void LivePicture::paintEvent(QPaintEvent*) {
  const Theme& t = theme_of(workbench_.looks().appearance());
  const double line = hasFocus() ? tokens::accent_line : tokens::border;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(colour(hasFocus() ? t.focus : t.line), line));
  painter.setBrush(colour(underMouse() ? mix(t.base, t.focus, 0.16) : t.base));
  painter.drawRoundedRect(QRectF(rect()).adjusted(line / 2, line / 2, -line / 2, -line / 2), tokens::radius,
                          tokens::radius);
}

void LivePicture::mouseReleaseEvent(QMouseEvent* event) {
  if (rect().contains(event->pos())) workbench_.desk().open_lesson(lesson_);
}

void LivePicture::keyPressEvent(QKeyEvent* event) {
  const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
  opens ? workbench_.desk().open_lesson(lesson_) : QFrame::keyPressEvent(event);
}

}  // namespace kdscope
