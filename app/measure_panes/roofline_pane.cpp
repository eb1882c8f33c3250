#include "app/measure_panes/roofline_pane.hpp"

#include <QHBoxLayout>
#include <QPointer>
#include <QVBoxLayout>
#include <algorithm>

#include "algorithms/text/counts.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/quantities.hpp"
#include "app/appearance/scrolling_page.hpp"
#include "app/appearance/value_table.hpp"
#include "app/views/shown_updates.hpp"

namespace kdscope {
namespace {

QString time_text(double ms) { return QString::fromStdString(short_time(ms)); }
QString size_text(std::uint64_t bytes) { return QString::fromStdString(decimal_bytes(static_cast<double>(bytes))); }

using variants::RowsBy;

QString percent(double share) {
  return QStringLiteral("%1 %").arg(QString::number(100 * share, 'g', share < 1 ? 2 : 3));
}

QString speed_text(const variants::StepRow& row) {
  return QString::number(row.original->gigabytes_per_second(), 'g', 3);
}

}  // namespace

RooflinePane::RooflinePane(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      start_(button({"measure_roofline", tr("Measure"),
                     tr("Times every step in several builds at full speed, counts the bytes that it reads and writes, "
                        "and measures how fast this device copies memory")},
                    [this] { measure(); })),
      by_(choice(new QComboBox, {"roofline_by", tr("One row per")},
                 {{tr("By phase"), static_cast<int>(RowsBy::phase)},
                  {tr("By level"), static_cast<int>(RowsBy::level)},
                  {tr("By step"), static_cast<int>(RowsBy::step)}})),
      summary_(text_line({"roofline_summary"})),
      legend_(text_line({"roofline_legend"})),
      chart_(new RooflineChart),
      table_(value_table({"roofline_table", tr("Bytes and times; Enter goes to the first step of a row")})) {
  start_->setDefault(true);
  setAccessibleName(tr("Roofline"));
  QWidget* page = scrolling_page(*this);
  page->setBackgroundRole(QPalette::Base);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(12, 10, 12, 10);
  column->setSizeConstraint(QLayout::SetMinimumSize);
  auto* row = new QHBoxLayout;
  row->addWidget(start_);
  row->addWidget(by_);
  row->addStretch(1);
  column->addLayout(row);
  column->addWidget(summary_);
  column->addWidget(chart_, 1);
  column->addWidget(legend_);
  column->addWidget(table_);
  column->addStretch(0);

  for (QLabel* label : {summary_, legend_}) label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  legend_->setText(tr(
      "On the line, a step is as fast as a copy of as many bytes: memory limits it. Far above the line, "
      "instructions, latency or launches do. Below the line, caches serve a part of the accesses. The dashed line is "
      "the shortest time per launch of any step: a launch by itself costs at most that."));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);

  auto* rows_shown = new ShownUpdate(this, [this] {
    if (measured_)
      show_rows();
    else
      show_message(summary_->text(), failed_);  // in the theme's colour
  });
  connect(by_, &QComboBox::currentIndexChanged, rows_shown, &ShownUpdate::request);
  connect(chart_, &RooflineChart::clicked, this, &RooflinePane::go_to);
  connect(table_, &QTableWidget::cellClicked, this, &RooflinePane::go_to);
  connect(table_, &QTableWidget::cellActivated, this, &RooflinePane::go_to);
  connect(table_, &QTableWidget::currentCellChanged, this, [this](int current) { chart_->mark(current); });
  connect(&workbench.playback(), &Playback::opened, this, &RooflinePane::drop_if_other_run);
  connect(&workbench.jobs(), &Jobs::busy_changed, this, &RooflinePane::show_busy);
  connect(&workbench.looks(), &Looks::changed, rows_shown, &ShownUpdate::request);
  auto* step_shown = new ShownUpdate(this, [this] { show_step(); });
  connect(&workbench.playback(), &Playback::stepped, step_shown, &ShownUpdate::request);
  show_rows();
  show_busy();
}

RowsBy RooflinePane::by() const { return static_cast<RowsBy>(by_->currentData().toInt()); }

void RooflinePane::measure() {
  if (!workbench_.playback().cursor() || workbench_.jobs().busy()) return;
  show_message(tr("Measuring\u2026 The Cancel button is at the top of the window."));
  // The pane may be gone before the job ends
  workbench_.jobs().start(
      tr("Measuring the roofline"),
      [pane = QPointer(this), run = workbench_.desk().request(),
       of = workbench_.playback().trace()](const RunControl& control) -> BackgroundJob::Finish {
        auto measured = std::make_shared<Result<Roofline>>(measure_roofline(run, control));
        return [pane, measured, of] {
          if (pane) pane->finish(std::move(*measured), of);
        };
      },
      [pane = QPointer(this), of = workbench_.playback().trace()](const Error& error) {
        if (pane) pane->finish(error, of);
      });
}

void RooflinePane::finish(Result<Roofline> measured, const std::shared_ptr<const Trace>& of) {
  if (of != workbench_.playback().trace()) return;
  if (measured) return show_measured(std::move(*measured));
  const bool cancelled = measured.error().kind == ErrorKind::cancelled;
  show_message(cancelled ? tr("Cancelled. Nothing was measured.") : foreign_text(measured.error().message()),
               !cancelled);
}

void RooflinePane::show_measured(Roofline measured) {
  measured_ = std::move(measured);
  measured_of_ = workbench_.playback().trace();
  show_rows();
}

void RooflinePane::drop_if_other_run() {
  if (measured_of_ == workbench_.playback().trace()) return;
  measured_.reset();
  measured_of_ = nullptr;
  show_rows();
  show_busy();
}

void RooflinePane::show_rows() {
  rows_ = measured_ ? rows_of(*measured_, by()) : std::vector<variants::StepRow>();
  const Theme& theme = theme_of(workbench_.looks().appearance());
  std::vector<RooflinePoint> points;
  for (const variants::StepRow& row : rows_)
    points.push_back({static_cast<double>(row.original->bytes()), row.original->ms, tip_of(row).toStdString(),
                      row.original->counted()});
  chart_->show_points(std::move(points),
                      measured_ ? RooflineBounds{measured_->copy_gigabytes, measured_->shortest_launch_ms().value_or(0)}
                                : RooflineBounds{},
                      theme);
  fill_table();
  for (QWidget* part : {static_cast<QWidget*>(chart_), static_cast<QWidget*>(legend_), static_cast<QWidget*>(table_)})
    part->setVisible(measured_.has_value());
  if (!measured_) {
    show_message(
        tr("Choose Measure to plot what each step of the open run reads and writes, and how long it takes, beside a "
           "copy of as many bytes. The bytes are counted by a copy of the builder, which is compiled at its first use: "
           "that takes several seconds and needs a C++ compiler."));
    return;
  }
  const auto without = std::count_if(rows_.begin(), rows_.end(),
                                     [](const variants::StepRow& row) { return row.original->bytes() == 0; });
  QString text =
      tr("A build takes %1 on %2: the medians of its steps over %3 builds, and %4 between the steps. A copy on "
         "this device reads and writes %5 GB/s.")
          .arg(time_text(measured_->build_ms()), foreign_text(measured_->device.name))
          .arg(measured_->builds)
          .arg(time_text(measured_->timed.between_ms), QString::number(measured_->copy_gigabytes, 'g', 3));
  if (measured_->tree_hash != measured_of_->header.tree_hash)
    text += QLatin1Char(' ') + tr("The timed builds gave another tree than the open run, so these are not its times.");
  if (without > 0)
    text += QLatin1Char(' ') +
            tr("No bytes were counted in %1, which the plot lacks.")
                .arg(QString::fromStdString(count_text(static_cast<std::uint64_t>(without), "row", "rows")));
  if (!std::ranges::all_of(rows_, [](const variants::StepRow& row) { return row.original->counted(); }))
    text += QLatin1Char(' ') + tr(bytes_not_counted) + QLatin1Char(' ') +
            tr("Such points are hollow, at the bytes that are known.");
  show_message(text);
  show_step();
}

void RooflinePane::fill_table() {
  const QSignalBlocker quiet(table_);
  const QStringList titles{tr("#"), tr("step"), tr("bytes"), tr("time"), tr("GB/s"), tr("of copy"), tr("launches")};
  table_->clearContents();
  table_->setColumnCount(static_cast<int>(titles.size()));
  table_->setHorizontalHeaderLabels(titles);
  table_->horizontalHeaderItem(1)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->setRowCount(static_cast<int>(rows_.size()));
  for (int i = 0; i < table_->rowCount(); ++i) {
    const variants::StepRow& row = rows_[static_cast<std::size_t>(i)];
    const bool counted = row.original->bytes() > 0 && row.original->counted();
    const QString none = QStringLiteral("\u2013");
    const QStringList texts{QString::number(i + 1),
                            foreign_text(row.name),
                            counted                   ? size_text(row.original->bytes())
                            : row.original->counted() ? none
                                                      : tr("not counted"),
                            time_text(row.original->ms),
                            counted ? speed_text(row) : none,
                            counted ? percent(share_of_copy(row, *measured_)) : none,
                            thousands(row.original->launches)};
    put_texts(*table_, i, texts, 1);
    for (int column = 0; column < texts.size(); ++column) table_->item(i, column)->setToolTip(plain_tip(tip_of(row)));
  }
  fit_height(*table_);
}

QString RooflinePane::tip_of(const variants::StepRow& row) const {
  QString text =
      foreign_text(row.name) + QLatin1Char('\n') +
      QStringLiteral("%1, %2").arg(time_text(row.original->ms),
                                   QString::fromStdString(count_text(row.original->launches, "launch", "launches")));
  if (const auto launch = measured_->shortest_launch_ms(); launch && row.original->launches > 0)
    text += tr(", by themselves at most %1").arg(time_text(*launch * static_cast<double>(row.original->launches)));
  if (row.original->bytes() == 0) return text + QLatin1Char('\n') + tr("No bytes were counted in the build on the CPU");
  if (!row.original->counted())
    return text + QLatin1Char('\n') + tr(bytes_not_counted) + QLatin1Char('\n') +
           tr("At least %1").arg(size_text(row.original->bytes()));
  text += QLatin1Char('\n') +
          tr("%1 read, %2 written").arg(size_text(row.original->bytes_read), size_text(row.original->bytes_written));
  const double share = share_of_copy(row, *measured_);
  text += QLatin1Char('\n') + tr("%1 GB/s, %2 of a copy").arg(speed_text(row), percent(share));
  if (share > 1) text += QLatin1Char('\n') + tr("Faster than a copy: caches serve a part of the accesses");
  return text;
}

void RooflinePane::show_step() {
  if (!measured_ || !workbench_.playback().cursor()) return;
  const std::string name = row_of(workbench_.playback().trace()->steps[workbench_.playback().step()], by());
  const auto found =
      std::find_if(rows_.begin(), rows_.end(), [&](const variants::StepRow& row) { return row.name == name; });
  const int row = found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
  if (row < 0) table_->clearSelection();
  table_->setCurrentCell(row, row < 0 ? -1 : std::max(0, table_->currentColumn()));
  chart_->mark(row);
}

void RooflinePane::go_to(int row) {
  if (row < 0 || row >= static_cast<int>(rows_.size()) || !workbench_.playback().cursor()) return;
  const auto step = first_step_of(rows_[static_cast<std::size_t>(row)].name, by(), *workbench_.playback().trace());
  if (step) workbench_.playback().seek(*step);
}

void RooflinePane::show_busy() { start_->setEnabled(workbench_.playback().cursor() && !workbench_.jobs().busy()); }

void RooflinePane::show_message(const QString& text, bool failed) {
  failed_ = failed;
  summary_->setText(text);
  QPalette palette;
  if (failed) palette.setColor(summary_->foregroundRole(), colour(theme_of(workbench_.looks().appearance()).failed));
  summary_->setPalette(palette);
  summary_->setAccessibleDescription(text);
}

}  // namespace kdscope
