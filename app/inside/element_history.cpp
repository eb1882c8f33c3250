#include "app/inside/element_history.hpp"

#include <QHeaderView>
#include <QVBoxLayout>

#include "app/appearance/appearance.hpp"
#include "app/appearance/form_field.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/value_table.hpp"
#include "app/variant_trials/step_look.hpp"

namespace kdscope {
namespace {

using namespace access_log;

/// "writes 7", where and in which line, one below the other.
QString text_of(const LaunchRecording& recording, std::optional<std::size_t> place) {
  if (!place) return QObject::tr("no access");
  const Access& access = recording.accesses[*place];
  const QString deed = access.is(AccessKind::read)    ? QObject::tr("reads %1")
                       : access.is(AccessKind::write) ? QObject::tr("writes %1")
                                                      : QObject::tr("changes to %1");
  return QStringLiteral("%1\n%2\n%3")
      .arg(deed.arg(foreign_text(recording.value_of(access))), foreign_text(recording.place_of(access)),
           foreign_text(recording.line_of(access.site)));
}

}  // namespace

ElementHistory::ElementHistory(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      head_(text_line({"inside_element"})),
      table_(value_table({"inside_element_accesses", tr("Accesses to the element")})) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 4, 0, 0);
  column->addWidget(head_);
  column->addWidget(table_, 1);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setFocusPolicy(Qt::ClickFocus);
  table_->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  connect(table_, &QTableWidget::cellClicked, this, [this](int row) {
    const QVariant place = table_->item(row, table_->columnCount() - 1)->data(Qt::UserRole);
    if (place.isValid() && workbench_.inside().is_open())
      workbench_.inside().go_to_access(static_cast<std::size_t>(place.toULongLong()));
  });
  clear();
}

void ElementHistory::show_elements(const NamedElements& elements, const QString& name) {
  elements_ = elements, name_ = name;
  problem_.clear();
  show();
}

void ElementHistory::keep_original(std::uint32_t step, OriginalBeside original) {
  if (of_.lock() != workbench_.playback().trace()) originals_.clear();
  of_ = workbench_.playback().trace();
  originals_[step] = std::move(original);
  show();
}

const OriginalBeside* ElementHistory::original() const {
  const auto found = originals_.find(workbench_.playback().step());
  return found == originals_.end() || of_.lock() != workbench_.playback().trace() ? nullptr : &found->second;
}

bool ElementHistory::misses_original() const {
  const auto trace = workbench_.playback().trace();
  return trace && is_of_variant(*trace) && !original();
}

void ElementHistory::report(const QString& problem) {
  problem_ = problem;
  show();
}

void ElementHistory::clear() {
  elements_.reset();
  problem_.clear();
  show();
}

void ElementHistory::show() {
  table_->clear();
  table_->setRowCount(0);
  differs_ = false;
  table_->setVisible(elements_ && workbench_.inside().is_open());
  if (!table_->isVisibleTo(this))
    return head_->setText(
        tr("Choose an element and ask who wrote it: its accesses are listed here, those of a variant "
           "beside the original's."));
  const LaunchRecording& recording = workbench_.inside().look().recording();
  const LaunchRecording* const beside = original() ? original()->recording.get() : nullptr;
  const QStringList titles = beside ? QStringList{tr("original"), tr("variant")} : QStringList{tr("accesses")};
  table_->setColumnCount(static_cast<int>(titles.size()));
  table_->setHorizontalHeaderLabels(titles);
  std::vector<AccessPair> pairs;
  if (beside)
    pairs = accesses_beside(*beside, recording, *elements_);
  else
    for (const std::size_t place : accesses_of_element(recording, *elements_))
      pairs.push_back({recording.launches[recording.accesses[place].launch].step, {}, place});
  table_->setRowCount(static_cast<int>(pairs.size()));
  int first = -1;
  const QColor differs = colour(theme_of(workbench_.looks().appearance()).failed);
  for (int row = 0; row < table_->rowCount(); ++row) {
    const AccessPair& pair = pairs[static_cast<std::size_t>(row)];
    QStringList texts{text_of(recording, pair.variant)};
    if (beside) texts.prepend(text_of(*beside, pair.original));
    put_texts(*table_, row, texts);
    QTableWidgetItem& own = *table_->item(row, static_cast<int>(texts.size()) - 1);
    own.setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    if (pair.variant) own.setData(Qt::UserRole, QVariant::fromValue<qulonglong>(*pair.variant));
    if (!beside || !pair.differs) continue;
    own.setForeground(differs);
    if (first < 0) first = row;
  }
  table_->resizeRowsToContents();
  differs_ = first >= 0;
  if (differs_) {
    table_->selectRow(first);
    table_->scrollToItem(table_->item(first, 0));
  }
  QString text = name_;
  if (pairs.empty()) text += tr(": no recorded lane reads or writes it");
  if (beside && !pairs.empty())
    text += first < 0 ? tr(": the original and the variant access it alike in this step")
                      : tr(": the first access that differs is number %1").arg(first + 1);
  if (!beside && misses_original())
    text += problem_.isEmpty() ? tr(". The original is being recorded\u2026") : QStringLiteral(". ") + problem_;
  head_->setText(text);
}

}  // namespace kdscope
