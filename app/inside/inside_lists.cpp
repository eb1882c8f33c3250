#include "app/inside/inside_lists.hpp"

#include <QHeaderView>
#include <algorithm>
#include <bit>

#include "algorithms/variants/inside/writers.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/form_field.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/quantities.hpp"
#include "app/appearance/value_table.hpp"

namespace kdscope {
namespace {

using namespace access_log;

constexpr const char* kind_words[] = {"read", "write", "atomic"};

/// Returns what a line of the list of intervals says of it.
QString interval_text(const LaunchRecording& recording, const Stretch& at) {
  const LaunchKind kind = recording.launches[at.launch].kind;
  if (!at.call && kind == LaunchKind::threads) return QObject::tr("all indices");
  if (!at.call) return QObject::tr("behind the last interval");
  const Interval& call = recording.intervals[*at.call];
  const QString name = foreign_text(call.call);
  if (call.call != "ballot" || call.values.empty()) return name;
  return QObject::tr("%1, %2 of 32").arg(name).arg(std::popcount(static_cast<std::uint32_t>(call.values.front())));
}

}  // namespace

InsideLists::InsideLists(Workbench& workbench, QWidget* parent)
    : QTabWidget(parent),
      workbench_(workbench),
      intervals_(value_table({"inside_intervals", tr("Intervals of the block")})),
      lines_(value_table({"inside_lines", tr("Lines by what they cost")})),
      faults_(named(new QListWidget, {"inside_faults", tr("What is wrong in the launch")})),
      history_(new ElementHistory(workbench)) {
  setObjectName(QStringLiteral("inside_tabs"));
  setDocumentMode(true);
  addTab(intervals_, tr("Intervals"));
  addTab(lines_, tr("Lines"));
  addTab(faults_, tr("Findings"));
  addTab(history_, tr("Element"));
  for (QTableWidget* table : {intervals_, lines_}) {
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setFocusPolicy(Qt::ClickFocus);
    table->setFrameShape(QFrame::NoFrame);
    table->viewport()->setBackgroundRole(QPalette::Window);
  }
  intervals_->setColumnCount(4);
  intervals_->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
  intervals_->setWordWrap(false);
  intervals_->setTextElideMode(Qt::ElideLeft);  // the number of a line ends it
  faults_->setWordWrap(true);
  faults_->setFrameShape(QFrame::NoFrame);
  connect(intervals_, &QTableWidget::cellClicked, this, [this](int row) {
    workbench_.inside().go_to_stretch(intervals_->item(row, 0)->data(Qt::UserRole).toULongLong());
  });
  connect(lines_, &QTableWidget::cellClicked, this, &InsideLists::choose_line);
  for (const auto signal : {&QListWidget::itemClicked, &QListWidget::itemActivated})
    connect(faults_, signal, this, [this](QListWidgetItem* item) { choose_fault(faults_->row(item)); });
}

void InsideLists::show_look() {
  listed_group_.reset();
  history_->clear();
  if (!workbench_.inside().is_open() || workbench_.inside().walk().empty()) return;
  show_lines();
  show_faults();
  setCurrentIndex(workbench_.inside().look().look.faults.empty() ? 0 : 2);
}

void InsideLists::show_intervals() {
  const LaunchWalk& walk = workbench_.inside().walk();
  const auto& stretches = walk.stretches();
  const auto same = [&](std::size_t i) {
    return stretches[i].launch == walk.stretch().launch && stretches[i].group == walk.stretch().group;
  };
  std::size_t first = walk.number();
  while (first > 0 && same(first - 1)) --first;
  const std::pair group{walk.stretch().launch, walk.stretch().group};
  if (listed_group_ != group) {
    listed_group_ = group;
    std::size_t end = walk.number();
    while (end < stretches.size() && same(end)) ++end;
    const QSignalBlocker quiet(intervals_);
    intervals_->setHorizontalHeaderLabels({tr("#"), tr("interval"), tr("called in"), tr("accesses")});
    for (const int text : {1, 2})
      intervals_->horizontalHeaderItem(text)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    intervals_->setRowCount(static_cast<int>(end - first));
    for (std::size_t i = first; i < end; ++i) {
      const Stretch& each = stretches[i];
      const std::string line = each.call ? walk.recording().line_of(walk.recording().intervals[*each.call].site) : "";
      put_texts(*intervals_, static_cast<int>(i - first),
                {QString::number(each.interval), interval_text(walk.recording(), each), foreign_text(line),
                 thousands(each.end - each.begin)},
                1);
      intervals_->item(static_cast<int>(i - first), 2)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
      intervals_->item(static_cast<int>(i - first), 0)->setData(Qt::UserRole, QVariant::fromValue<qulonglong>(i));
    }
    intervals_->resizeColumnsToContents();
  }
  intervals_->setCurrentCell(static_cast<int>(walk.number() - first), 0);
}

void InsideLists::show_lines() {
  const InsideLook& look = workbench_.inside().look();
  // Costs come first, so that a narrow list shows what it is sorted by
  const std::pair<QString, QString> columns[] = {
      {tr("line"), {}},
      {tr("access"), {}},
      {tr("sectors"), tr("32-byte pieces of global memory that were moved")},
      {tr("least"), tr("The fewest that would hold the same bytes")},
      {tr("conflicts"), tr("Passes over the banks of shared memory beyond one")},
      {tr("times"), tr("Warps that made the access, each time")},
      {tr("lanes"), tr("Active lanes of 32, on average")}};
  const QSignalBlocker quiet(lines_);
  lines_->clearContents();
  lines_->setColumnCount(static_cast<int>(std::size(columns)));
  for (int column = 0; column < lines_->columnCount(); ++column) {
    auto* title = new QTableWidgetItem(columns[column].first);
    title->setToolTip(columns[column].second);
    if (column == 0) title->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    lines_->setHorizontalHeaderItem(column, title);
  }
  lines_->setRowCount(static_cast<int>(look.costs.size()));
  for (int row = 0; row < lines_->rowCount(); ++row) {
    const LineCost& cost = look.costs[static_cast<std::size_t>(row)];
    const QString none = QStringLiteral("\u2013");
    put_texts(*lines_, row,
              {foreign_text(cost.line),
               QStringLiteral("%1 %2").arg(QLatin1String(kind_words[static_cast<std::size_t>(cost.kind)]),
                                           foreign_text(cost.array)),
               cost.shared ? none : thousands(cost.sectors), cost.shared ? none : thousands(cost.least_sectors),
               cost.shared ? thousands(cost.bank_conflicts) : none, thousands(cost.warp_accesses),
               QString::number(cost.lanes_active(), 'f', 1)});
  }
  lines_->resizeColumnsToContents();
}

void InsideLists::show_faults() {
  const std::vector<Fault>& faults = workbench_.inside().look().look.faults;
  faults_->clear();
  for (const Fault& fault : faults) {
    QString text = tr("%1: %2").arg(QString::fromUtf8(name_of(fault.kind)), foreign_text(fault.sentence));
    if (fault.times > 1) text += tr(" (%1 times)").arg(thousands(fault.times));
    auto* item = new QListWidgetItem(text, faults_);
    item->setForeground(colour(theme_of(workbench_.looks().appearance()).failed));
  }
  if (faults.empty())
    new QListWidgetItem(tr("Nothing is wrong in what was recorded: all accesses lie in their arrays, all elements that "
                           "are read were written, and no two lanes, blocks or indices race."),
                        faults_);
  setTabText(2, faults.empty() ? tr("Findings") : tr("Findings (%1)").arg(faults.size()));
}

void InsideLists::show_history() { setCurrentWidget(history_); }

void InsideLists::choose_line(int row) {
  if (row < 0 || !workbench_.inside().is_open()) return;
  const LineCost& cost = workbench_.inside().look().costs[static_cast<std::size_t>(row)];
  const LaunchWalk& walk = workbench_.inside().walk();
  const LaunchRecording& recording = walk.recording();
  const auto is_of_line = [&](const Access& access) {
    return access.launch == cost.launch && access.is(cost.kind) && recording.array_of(access).name == cost.array &&
           recording.line_of(access.site) == cost.line;
  };
  // In the interval that is shown, or else the first one
  const auto begin = recording.accesses.begin();
  const auto here = begin + static_cast<std::ptrdiff_t>(walk.stretch().begin),
             end = begin + static_cast<std::ptrdiff_t>(walk.stretch().end);
  auto found = std::find_if(here, end, is_of_line);
  if (found == end) found = std::ranges::find_if(recording.accesses, is_of_line);
  if (found == recording.accesses.end()) return;
  workbench_.inside().go_to_access(static_cast<std::size_t>(found - begin));
  emit line_chosen(cost.line);
}

void InsideLists::choose_fault(int row) {
  if (!workbench_.inside().is_open()) return;
  const std::vector<Fault>& faults = workbench_.inside().look().look.faults;
  if (row < 0 || row >= static_cast<int>(faults.size())) return;
  const Fault& fault = faults[static_cast<std::size_t>(row)];
  if (!fault.first) return;
  if (const auto place = place_of(workbench_.inside().look().recording(), *fault.first))
    workbench_.inside().go_to_access(*place);
}

}  // namespace kdscope
