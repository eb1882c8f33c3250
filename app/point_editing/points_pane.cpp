#include "app/point_editing/points_pane.hpp"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <numeric>

#include "algorithms/core/ids.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/point_label.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_rows = 1'000'000;
/// For points of more dimensions, the columns are the dimensions on the axes.
constexpr std::uint32_t most_columns = 8;
/// Most runs of neighbours that the table selects. Qt compares all pairs of ranges, so with more runs the rows are only
/// painted as chosen.
constexpr std::size_t most_ranges = 500;
/// Longer text is read off the UI thread.
constexpr qsizetype much_text = 1 << 20;

std::size_t runs_of_neighbours(const std::vector<std::uint32_t>& ascending) {
  std::size_t runs = ascending.empty() ? 0 : 1;
  for (std::size_t i = 1; i < ascending.size(); ++i) runs += ascending[i] != ascending[i - 1] + 1;
  return runs;
}

QString name_of_dimension(const DataSet& data, std::uint32_t d) {
  return foreign_text(d < data.column_names.size() ? data.column_names[d] : coordinate_name(d, data.points.dim));
}

/// Delete removes rows, and typing starts an edit, as in a spreadsheet.
class PointsTable : public QTableView {
 public:
  using QTableView::QTableView;
  std::function<void()> erase;
  /// Returns whether the last click or key started a new selection instead of adding to the chosen rows.
  bool starts_anew() const { return starts_anew_; }

 protected:
  QItemSelectionModel::SelectionFlags selectionCommand(const QModelIndex& index, const QEvent* event) const override {
    const auto command = QTableView::selectionCommand(index, event);
    starts_anew_ = command & QItemSelectionModel::Clear;
    return command;
  }
  bool event(QEvent* event) override {
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete)
      event->accept();
    return QTableView::event(event);
  }
  void keyPressEvent(QKeyEvent* event) override {
    if (event->key() == Qt::Key_Delete && state() != EditingState)
      erase();
    else
      QTableView::keyPressEvent(event);
  }

 private:
  mutable bool starts_anew_ = true;
};

/// Paints chosen rows as selected, even if they are too scattered for the table's own selection.
class ChosenRows : public QStyledItemDelegate {
 public:
  ChosenRows(const PointEditor& editor, QObject* parent) : QStyledItemDelegate(parent), editor_(editor) {}

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const auto& chosen = editor_.chosen();
    if (std::binary_search(chosen.begin(), chosen.end(), static_cast<std::uint32_t>(index.row())))
      option->state |= QStyle::State_Selected;
  }

 private:
  const PointEditor& editor_;
};

}  // namespace

PointsModel::PointsModel(Workbench& workbench, PointEditor& editor, QObject* parent)
    : QAbstractTableModel(parent), workbench_(workbench), editor_(editor) {}

void PointsModel::take_points() {
  const auto next = workbench_.edits().points();
  std::vector<std::uint32_t> columns;
  for (std::uint32_t d = 0; next && d < next->points.dim; ++d)
    if (next->points.dim <= most_columns ||
        shows_dimension(axes_or_first(workbench_.playback().axes(), next->points.dim), next->points.dim, d))
      columns.push_back(d);
  const bool same_shape = columns == columns_ && next && points_ && next->points.dim == points_->points.dim &&
                          next->points.size() == points_->points.size();
  if (!same_shape) beginResetModel();
  points_ = next;
  columns_ = std::move(columns);
  then_.clear();
  const PointDifferences& changes = editor_.changes();
  if (!changes.moved.empty() || !changes.added.empty()) {
    then_.resize(points_->points.size());
    std::iota(then_.begin(), then_.end(), 0u);
    for (auto& then : then_) then = no_id - 1;  // neither moved nor added
    for (const auto& move : changes.moved) then_[move.now] = move.then;
    for (const std::uint32_t now : changes.added) then_[now] = no_id;
  }
  if (!same_shape)
    endResetModel();
  else if (rowCount() > 0)
    emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
  emit headerDataChanged(Qt::Horizontal, 0, std::max(0, columnCount() - 1));
}

bool PointsModel::is_left_out(std::size_t row) const {
  const Cursor* cursor = workbench_.playback().cursor();
  return cursor && points_ == workbench_.edits().recorded_points() &&
         kdscope::is_left_out(*cursor, {static_cast<std::uint32_t>(row)});
}

int PointsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !points_ ? 0 : static_cast<int>(std::min(points_->points.size(), most_rows));
}

int PointsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !points_ ? 0 : static_cast<int>(columns_.size());
}

QVariant PointsModel::data(const QModelIndex& index, int role) const {
  if (!points_ || index.row() >= rowCount() || index.column() >= columnCount()) return {};
  const PointSet& points = points_->points;
  const auto row = static_cast<std::size_t>(index.row());
  const std::uint32_t then = row < then_.size() ? then_[row] : no_id - 1;
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
      return QString::fromStdString(coordinate_text(points.word(row, dimension_of(index.column())), points.type));
    case Qt::TextAlignmentRole:
      return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::BackgroundRole:
      return then == no_id - 1 ? QVariant() : colour(changed_ground(theme_of(workbench_.looks().appearance())));
    case Qt::ForegroundRole:
      if (then == no_id - 1)
        return is_left_out(row) ? QVariant(colour(theme_of(workbench_.looks().appearance()).muted_text)) : QVariant();
      return colour(text_on(changed_ground(theme_of(workbench_.looks().appearance()))));
    case Qt::FontRole: {
      if (then == no_id - 1) return {};
      QFont bold = QApplication::font();
      bold.setBold(true);
      return bold;
    }
    case Qt::ToolTipRole:
      if (then == no_id) return tr("New since the run");
      if (then != no_id - 1) {
        const PointSet& recorded = workbench_.edits().recorded_points()->points;
        return tr("Was %1 in the run")
            .arg(coordinates_text(&recorded.words[std::size_t(then) * recorded.stride()], recorded.dim, recorded.type,
                                  workbench_.playback().axes()));
      }
      return is_left_out(row)
                 ? QString::fromStdString(left_out_text(nodes_of_points(*workbench_.playback().cursor()),
                                                        *workbench_.playback().cursor()->array(points_array),
                                                        points.dim, {static_cast<std::uint32_t>(row)}))
                 : QString();
    default:
      return {};
  }
}

QVariant PointsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || !points_) return {};
  if (orientation == Qt::Horizontal) return name_of_dimension(*points_, dimension_of(section));
  const std::uint32_t then = static_cast<std::size_t>(section) < then_.size() ? then_[section] : no_id - 1;
  return point_label(static_cast<std::uint64_t>(section)) + (then == no_id       ? QStringLiteral(" +")
                                                             : then == no_id - 1 ? QString()
                                                                                 : QStringLiteral(" *"));
}

Qt::ItemFlags PointsModel::flags(const QModelIndex& index) const {
  return QAbstractTableModel::flags(index) | Qt::ItemIsEditable;
}

bool PointsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !points_ || index.row() >= rowCount()) return false;
  const PointSet& points = points_->points;
  const auto point = static_cast<std::uint32_t>(index.row());
  auto word = coordinate_word(value.toString().toStdString(), points.type);
  if (!word) {
    Error error = word.error();
    error.where = tr("point %1, %2")
                      .arg(point_label(point), name_of_dimension(*points_, dimension_of(index.column())))
                      .toStdString();
    workbench_.messages().report(error);
    return false;
  }
  const auto from = points.words.begin() + std::ptrdiff_t(point) * points.stride();
  std::vector<std::uint32_t> words(from, from + points.stride());
  words[dimension_of(index.column())] = *word;
  workbench_.edits().edit(move_of(points, {point}, std::move(words)), tr("move point %1").arg(point_label(point)));
  return true;
}

PointsPane::PointsPane(Workbench& workbench, PointEditor& editor, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      editor_(editor),
      model_(new PointsModel(workbench, editor, this)),
      bar_(new QToolBar),
      summary_(rich_label()) {
  setAccessibleName(tr("Points"));
  setWindowTitle(tr("Points of the next run"));
  auto* table = new PointsTable;
  table->erase = [this] { editor_.erase_chosen(); };
  table_ = table;
  table_->setObjectName(QStringLiteral("points_table"));
  table_->setAccessibleName(tr("Coordinates of the points"));
  table_->setModel(model_);
  table_->setItemDelegate(new ChosenRows(editor, table_));
  table_->setTabKeyNavigation(false);  // Tab leaves the table; arrows move in it
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                          QAbstractItemView::AnyKeyPressed);
  table_->setFrameShape(QFrame::NoFrame);
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  table_->horizontalHeader()->setMinimumSectionSize(60);
  summary_->setWordWrap(true);
  summary_->setContentsMargins(10, 4, 10, 4);
  summary_->setObjectName(QStringLiteral("points_summary"));

  bar_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  const auto action = [&](const char* name, const QString& text, const QString& tip, auto act) {
    QAction* a = bar_->addAction(text, this, act);
    a->setObjectName(QLatin1String(name));
    a->setToolTip(tip);
    return a;
  };
  action("add_point", tr("Add"), tr("Adds a point, ready for its coordinates to be typed"), [this] { add_point(); });
  action("delete_points", tr("Delete"), tr("Deletes the chosen points (Del)"), [this] { editor_.erase_chosen(); });
  action("paste_points", tr("Paste"), tr("Replaces these points by rows of numbers from the clipboard"),
         [this] { paste(false); });
  action("append_points", tr("Append"), tr("Appends rows of numbers from the clipboard to these points"),
         [this] { paste(true); });
  QAction* copying =
      action("copy_points", tr("Copy"), tr("Copies the chosen points, or all, as text (Ctrl+C)"), [this] { copy(); });
  copying->setShortcut(QKeySequence::Copy);
  copying->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  addAction(copying);
  auto* fresh = new QToolButton;
  fresh->setText(tr("New"));
  fresh->setToolTip(tr("Starts an empty set of points"));
  fresh->setObjectName(QStringLiteral("new_points"));
  fresh->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(fresh);
  for (const ScalarType type : {ScalarType::float32, ScalarType::int32}) {
    menu->addSection(type == ScalarType::float32 ? tr("Decimal numbers") : tr("Whole numbers"));
    for (std::uint32_t dim = 1; dim <= std::min(most_columns, most_dimensions()); ++dim)
      menu->addAction(dim == 1 ? tr("1 dimension") : tr("%1 dimensions").arg(dim), this,
                      [this, type, dim] { start_new(type, dim); })
          ->setObjectName(QStringLiteral("new_%1%2").arg(QLatin1String(name_of(type))).arg(dim));
  }
  fresh->setMenu(menu);
  bar_->addWidget(fresh);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(bar_);
  layout->addWidget(summary_);
  layout->addWidget(table_, 1);
  points_shown_ = new ShownUpdate(this, [this] { show_points(); });
  chosen_shown_ = new ShownUpdate(this, [this] { show_chosen(); });
  connect(&workbench.edits(), &PointEdits::changed, points_shown_, &ShownUpdate::request);
  connect(&workbench.looks(), &Looks::changed, points_shown_, &ShownUpdate::request);
  connect(&workbench.playback(), &Playback::axes_changed, points_shown_, &ShownUpdate::request);
  connect(&workbench.playback(), &Playback::stepped, table_->viewport(),
          qOverload<>(&QWidget::update));  // which points the tree has left out
  connect(&editor, &PointEditor::chosen_changed, chosen_shown_, &ShownUpdate::request);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          [this, table](const QItemSelection&, const QItemSelection& left) {
            if (selecting_) return;
            selecting_ = true;
            std::vector<std::uint32_t> rows = selected_rows();
            if (std::exchange(scattered_, false) && !table->starts_anew()) {
              // Keep the rows chosen before, which the table's selection does not contain.
              std::vector<std::uint32_t> before, both;
              const auto taken_off = [&](std::uint32_t row) {
                return std::any_of(left.begin(), left.end(), [&](const QItemSelectionRange& r) {
                  return r.top() <= int(row) && int(row) <= r.bottom();
                });
              };
              std::copy_if(editor_.chosen().begin(), editor_.chosen().end(), std::back_inserter(before),
                           [&](std::uint32_t row) { return !taken_off(row); });
              std::set_union(before.begin(), before.end(), rows.begin(), rows.end(), std::back_inserter(both));
              rows = std::move(both);
            }
            editor_.choose(std::move(rows));
            selecting_ = false;
            if (runs_of_neighbours(editor_.chosen()) > most_ranges) show_chosen();
          });
  show_points();
}

QSize PointsPane::minimumSizeHint() const {
  constexpr int fewest_lines = 9;
  return {QWidget::minimumSizeHint().width(), fewest_lines * fontMetrics().height()};
}

void PointsPane::resizeEvent(QResizeEvent*) {
  summary_->setVisible(height() > 9 * fontMetrics().height());  // a low pane has room only for the table
}

void PointsPane::show_points() {
  selecting_ = true;
  model_->take_points();
  selecting_ = false;
  table_->verticalHeader()->setDefaultSectionSize(QFontMetrics(table_->font()).height() + 8);
  const auto data = workbench_.edits().points();
  if (!data) {
    summary_->setText(tr("Open a lesson or data, or paste points."));
    return;
  }
  const std::size_t n = data->points.size();
  QString text = tr("%L1 points, %2, %3")
                     .arg(n)
                     .arg(data->points.dim == 1 ? tr("1 dimension") : tr("%1 dimensions").arg(data->points.dim),
                          data->points.type == ScalarType::int32 ? tr("whole numbers") : tr("decimal numbers"));
  if (n > most_rows) text += tr("; the first %L1 are listed").arg(most_rows);
  if (const auto left_out = data->points.dim - static_cast<std::uint32_t>(model_->columnCount()); left_out > 0)
    text += tr("; the dimensions on the axes are listed");
  summary_->setText(text + QStringLiteral("<br>") + foreign_text(data->name).toHtmlEscaped());
  show_chosen();
}

void PointsPane::show_chosen() {
  if (selecting_ || !model_->columnCount()) return;
  selecting_ = true;
  QItemSelection rows;
  const auto& chosen = editor_.chosen();
  scattered_ = runs_of_neighbours(chosen) > most_ranges;
  for (std::size_t i = 0; i < chosen.size() && !scattered_;) {  // runs of neighbours
    std::size_t end = i + 1;
    while (end < chosen.size() && chosen[end] == chosen[end - 1] + 1) ++end;
    const int first = static_cast<int>(chosen[i]),
              last = static_cast<int>(std::min<std::uint64_t>(chosen[end - 1], most_rows - 1));
    if (first <= last && last < model_->rowCount())
      rows.select(model_->index(first, 0), model_->index(last, model_->columnCount() - 1));
    i = end;
  }
  table_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
  if (!chosen.empty() && chosen.front() < std::uint32_t(model_->rowCount()))
    table_->scrollTo(model_->index(int(chosen.front()), 0));
  table_->viewport()->update();
  selecting_ = false;
}

std::vector<std::uint32_t> PointsPane::selected_rows() const {
  std::vector<std::uint32_t> rows;
  for (const QItemSelectionRange& range : table_->selectionModel()->selection())
    for (int row = range.top(); row <= range.bottom(); ++row) rows.push_back(static_cast<std::uint32_t>(row));
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

void PointsPane::add_point() {
  const auto data = workbench_.edits().points();
  if (!data) return;
  const Box box = bounding_box(data->points);
  std::vector<std::uint32_t> words(data->points.stride(), 0);
  for (std::size_t d = 0; d < box.lo.size(); ++d)
    words[d] = nearest_word((box.lo[d] + box.hi[d]) / 2, data->points.type);
  const auto added = static_cast<std::uint32_t>(data->points.size());
  workbench_.edits().edit(insertion_in(data->points, std::move(words)), tr("add point %1").arg(point_label(added)));
  editor_.choose({added});
  const QModelIndex cell = model_->index(static_cast<int>(added), 0);
  if (!cell.isValid()) return;
  table_->setFocus();
  table_->selectionModel()->setCurrentIndex(cell, QItemSelectionModel::NoUpdate);
  table_->edit(cell);
}

void PointsPane::start_new(ScalarType type, std::uint32_t dim) {
  auto data = std::make_shared<DataSet>();
  data->name = own_points_name("new");
  data->points.type = type;
  data->points.dim = dim;
  workbench_.edits().edit(std::move(data), tr("start with no points"));
}

void PointsPane::paste(bool append) {
  const QByteArray text = QApplication::clipboard()->text().toUtf8();
  const auto parse = [text] {
    return parse_pasted_points({text.constData(), static_cast<std::size_t>(text.size())}, most_dimensions());
  };
  if (text.size() < much_text) {
    take_pasted(parse(), append);
    return;
  }
  workbench_.jobs().start(tr("Reading the clipboard"), [this, parse, append](const RunControl&) {
    auto pasted = std::make_shared<Result<DataSet>>(parse());
    return [this, pasted, append] { take_pasted(std::move(*pasted), append); };
  });
}

void PointsPane::take_pasted(Result<DataSet> pasted, bool append) {
  const auto data = workbench_.edits().points();
  if (!pasted) {
    workbench_.messages().report(pasted.error());
    return;
  }
  const std::size_t count = pasted->points.size();
  if (!append || !data) {
    workbench_.edits().edit(std::make_shared<DataSet>(std::move(*pasted)), tr("paste %L1 points").arg(count));
    return;
  }
  auto words = words_as(data->points, pasted->points);
  if (!words) {
    workbench_.messages().report(words.error());
    return;
  }
  const auto first = static_cast<std::uint32_t>(data->points.size());
  workbench_.edits().edit(insertion_in(data->points, std::move(*words)), tr("paste %L1 more points").arg(count));
  std::vector<std::uint32_t> added(count);
  std::iota(added.begin(), added.end(), first);
  editor_.choose(std::move(added));
}

void PointsPane::copy() {
  const auto data = workbench_.edits().points();
  if (!data) return;
  std::vector<std::uint32_t> rows = editor_.chosen();
  if (rows.empty()) {
    rows.resize(data->points.size());
    std::iota(rows.begin(), rows.end(), 0u);
  }
  QApplication::clipboard()->setText(QString::fromStdString(text_of_points(data->points, rows)));
}

}  // namespace kdscope
