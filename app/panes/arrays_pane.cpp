#include "app/panes/arrays_pane.hpp"

#include <QVBoxLayout>
#include <algorithm>

#include "app/appearance.hpp"

namespace kdscope {

ArraysPane::ArraysPane(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      tabs_(new QTabBar),
      view_(new ArrayTableView),
      overview_(new ColumnOverview) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(tabs_);
  layout->addWidget(view_, 1);
  layout->addWidget(overview_);
  overview_->hide();
  tabs_->setDrawBase(false);
  tabs_->setAccessibleName(tr("Index space"));
  tabs_->hide();
  view_->set_appearance(theme_of(workbench.session()), workbench.session().text_scale);

  connect(tabs_, &QTabBar::currentChanged, this, &ArraysPane::choose_space);
  connect(&workbench, &Workbench::run_opened, this, &ArraysPane::open_run);
  connect(&workbench, &Workbench::step_changed, this, &ArraysPane::show_step);
  connect(&workbench, &Workbench::baseline_changed, this, &ArraysPane::show_step);
  connect(&workbench, &Workbench::selection_changed, this, &ArraysPane::show_selection);
  connect(&workbench, &Workbench::change_walked, this, &ArraysPane::show_change);
  connect(&workbench, &Workbench::appearance_changed, this, [this] {
    view_->set_appearance(theme_of(workbench_.session()), workbench_.session().text_scale);
    if (view_->table()) overview_->show_table(*view_->table(), theme_of(workbench_.session()));
  });
  connect(view_, &ArrayTableView::window_changed, this, &ArraysPane::update_overview);
  connect(overview_, &ColumnOverview::pressed, view_, &ArrayTableView::centre);
  connect(view_, &ArrayTableView::column_picked, this, [this](std::uint64_t column) {
    workbench_.select({spaces_[static_cast<std::size_t>(tabs_->currentIndex())], column});
  });
  connect(view_, &ArrayTableView::picked_nothing, this, [this] { workbench_.select({}); });
}

void ArraysPane::open_run() {
  overview_->clear();
  view_->clear();
  spaces_ = table_spaces(workbench_.cursor()->trace());
  const QSignalBlocker quiet(tabs_);
  while (tabs_->count() > 0) tabs_->removeTab(0);
  for (Space space : spaces_) tabs_->addTab(tr("by %1").arg(QString::fromUtf8(name_of(space))));
  tabs_->setVisible(spaces_.size() > 1);
  if (!spaces_.empty()) view_->open(*workbench_.cursor(), spaces_.front());
}

void ArraysPane::choose_space(int tab) {
  if (tab < 0 || !workbench_.cursor()) return;
  overview_->clear();
  view_->open(*workbench_.cursor(), spaces_[static_cast<std::size_t>(tab)]);
  show_step();
}

void ArraysPane::show_step() {
  if (spaces_.empty()) return;
  view_->show_step(*workbench_.cursor(), workbench_.baseline());
  view_->follow_work();
  overview_->show_table(*view_->table(), theme_of(workbench_.session()));
  show_selection();
  view_->set_framed(0, 0);
}

void ArraysPane::show_change() {
  view_->set_framed(0, 0);
  if (!workbench_.change()) return;
  const Change change = workbench_.changes().at(*workbench_.change());
  const auto space = std::find(spaces_.begin(), spaces_.end(), change.index_space);
  if (change.seen_in != SeenIn::table || space == spaces_.end()) return;
  tabs_->setCurrentIndex(static_cast<int>(space - spaces_.begin()));
  const std::vector<TableRow>& rows = view_->table()->rows();
  for (std::size_t row = 1; row < rows.size(); ++row)
    if (rows[row].name == change.array && rows[row].component == change.component) view_->set_framed(row, change.index);
}

void ArraysPane::update_overview() {
  if (!view_->table()) return;
  overview_->set_window(view_->first_visible(), view_->visible_count());
  overview_->setVisible(view_->visible_count() < view_->table()->column_count());
}

void ArraysPane::show_selection() {
  if (!workbench_.cursor() || spaces_.empty()) return;
  const Selection selection = workbench_.session().selection;
  const Space space = spaces_[static_cast<std::size_t>(std::max(0, tabs_->currentIndex()))];
  std::vector<IndexRange> columns;
  if (selection) {
    const LinkedSelection& linked = workbench_.linked();
    if (space == Space::position)
      columns = linked.positions;
    else
      for (std::uint32_t index : space == Space::node ? linked.nodes : linked.points)
        columns.push_back({index, index + 1ull});
    if (space != Space::position && space != Space::node && space != Space::point) columns.clear();
  }
  if (!columns.empty()) view_->scroll_to(columns.front().begin);
  overview_->set_selected(columns);
  view_->set_selected(std::move(columns));
}

}  // namespace kdscope
