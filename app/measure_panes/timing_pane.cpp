#include "app/measure_panes/timing_pane.hpp"

#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "algorithms/text/numbers.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/quantities.hpp"
#include "app/measure_panes/tuning_panel.hpp"
#include "app/views/shown_updates.hpp"

namespace kdscope {
namespace {

QString row(const QString& name, const QString& recorded, const QString& full) {
  return QStringLiteral(
             "<tr><td style='padding:2px 8px 2px 0'>%1</td><td align='right' style='padding:2px 8px 2px 0'>%2</td>"
             "<td align='right' style='padding:2px 0'><b>%3</b></td></tr>")
      .arg(name, recorded, full);
}

}  // namespace

void StepBars::show_times(std::vector<StepTime> times, const Theme& theme) {
  times_ = std::move(times);
  updateGeometry();
  set_theme(theme);
}

QSize StepBars::sizeHint() const {
  return {240, static_cast<int>(times_.size()) * static_cast<int>(fontMetrics().height() * 1.35)};
}

DisplayList StepBars::draw() const {
  const QFontMetricsF metrics(font());
  const double line = std::floor(metrics.height() * 1.35);
  double longest = 0, names = 0, numbers = 0;
  for (const StepTime& time : times_) {
    longest = std::max(longest, time.ms);
    names = std::max(names, metrics.horizontalAdvance(foreign_text(time.name)));
    numbers = std::max(numbers, metrics.horizontalAdvance(milliseconds(time.ms)));
  }
  names = std::min(names, width() / 2.0);
  const double room = std::max(0.0, width() - names - numbers - 16);
  DisplayList list{.width = double(width()), .height = double(height()), .items = {}};
  for (std::size_t i = 0; i < times_.size(); ++i) {
    const double top = static_cast<double>(i) * line, length = longest > 0 ? room * times_[i].ms / longest : 0;
    const QString name = metrics.elidedText(foreign_text(times_[i].name), Qt::ElideLeft, names);
    draw_words(list, {0, top + line / 2}, name.toStdString());
    list.box(names + 8, top + line * 0.22, std::max(1.0, length), line * 0.56, of_theme(&Theme::focus));
    draw_words(list, {names + 8 + length + 6, top + line / 2}, milliseconds(times_[i].ms).toStdString());
  }
  return list;
}

TimingPane::TimingPane(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      start_(new QPushButton(tr("Time at full speed"))),
      summary_(rich_label()),
      bars_(new StepBars) {
  auto* page = new QWidget;
  page->setBackgroundRole(QPalette::Base);
  auto* inner = new QVBoxLayout(page);
  inner->setContentsMargins(12, 10, 12, 10);
  inner->addWidget(start_, 0, Qt::AlignLeft);
  inner->addWidget(summary_);
  inner->addWidget(bars_);
  inner->addSpacing(10);
  inner->addWidget(new TuningPanel(workbench));
  inner->addStretch(1);
  summary_->setWordWrap(true);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* scroll = new QScrollArea;
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setAccessibleName(tr("Timing"));
  scroll->setBackgroundRole(QPalette::Base);
  scroll->setWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(scroll);
  start_->setEnabled(false);
  setWindowTitle(tr("The same run without recording"));
  start_->setDefault(true);
  start_->setObjectName(QStringLiteral("time_full_speed"));
  connect(start_, &QPushButton::clicked, &workbench.desk(), &RunDesk::time_full_speed);
  auto* timing_shown = new ShownUpdate(this, [this] { show_timing(); });
  connect(&workbench.desk(), &RunDesk::timing_changed, timing_shown, &ShownUpdate::request);
  connect(&workbench.looks(), &Looks::changed, timing_shown, &ShownUpdate::request);
  connect(&workbench.jobs(), &Jobs::busy_changed, this,
          [this] { start_->setEnabled(workbench_.playback().cursor() && !workbench_.jobs().busy()); });
  show_timing();
}

void TimingPane::show_timing() {
  start_->setEnabled(workbench_.playback().cursor() && !workbench_.jobs().busy());
  const Theme& t = theme_of(workbench_.looks().appearance());
  const auto& timing = workbench_.desk().timing();
  if (!workbench_.playback().cursor() || !timing) {
    summary_->setText(
        tr("The steps that you see were recorded, which copies every array. This runs the same code without "
           "recording, several times, and compares the trees."));
    bars_->show_times({}, t);
    return;
  }
  const Trace& trace = workbench_.playback().cursor()->trace();
  double recorded = 0;
  for (const Step& step : trace.steps) recorded += step.elapsed_ms;
  const auto [fastest, slowest] = std::minmax_element(timing->build_ms.begin(), timing->build_ms.end());
  const bool same = timing->tree_hash == trace.header.tree_hash;
  const Rgb ink = same ? t.passed : t.failed;
  QString text =
      QStringLiteral("<table cellspacing='0' width='100%'>") + row(QString(), tr("recorded"), tr("full speed"));
  text += row(tr("build"), milliseconds(recorded), milliseconds(median_ms(timing->build_ms)));
  text += row(tr("range of %1").arg(timing->build_ms.size()), QString(),
              QStringLiteral("%1 \u2013 %2").arg(milliseconds(*fastest), milliseconds(*slowest)));
  if (timing->device.backend == Backend::cuda) {
    text += row(tr("upload"), QString(), milliseconds(timing->upload_ms));
    text += row(tr("download"), QString(), milliseconds(timing->download_ms));
  }
  text += row(tr("memory"), bytes(trace.stored_bytes()), bytes(timing->peak_bytes));
  text += row(tr("of which sort"), QString(), bytes(timing->sort_temporary_bytes)) + QStringLiteral("</table>");
  text += QStringLiteral("<p style='color:%1'><b>%2</b></p>")
              .arg(colour(ink).name(),
                   same ? tr("\u2713 Both runs built the same tree.") : tr("\u2717 The two trees differ."));
  text += QStringLiteral("<p>%1 %2").arg(tr("tree hash"), QString::fromStdString(hash_text(timing->tree_hash)));
  if (!same)
    text += QStringLiteral("<br>%1 %2").arg(tr("recorded"), QString::fromStdString(hash_text(trace.header.tree_hash)));
  text += QStringLiteral("<br>%1</p>").arg(foreign_text(timing->device.name).toHtmlEscaped());
  if (!timing->step_times.empty())
    text += QStringLiteral("<p>%1</p>").arg(tr("The steps, each timed once in a separate first build:"));
  summary_->setText(text);
  bars_->show_times(timing->step_times, t);
}

}  // namespace kdscope
