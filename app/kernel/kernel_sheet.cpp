#include "app/kernel/kernel_sheet.hpp"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <algorithm>
#include <array>
#include <map>

#include "algorithms/trace/element_name.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/key_list.hpp"
#include "app/appearance/plain_text.hpp"
#include "visualizer/model/array_table.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

/// Of more columns, only those with cells are shown.
constexpr std::uint64_t most_columns = 200;
constexpr int longest_text = 24;
// As in the arrays, in heights of a line: rows, and the widest columns
constexpr double row_height = 1.3;
constexpr int widest_column = 5;

/// The parts of "block 1, digit 2": "block 1", "digit" and "2".
std::array<QString, 3> parts_of(const std::string& place) {
  const QString all = foreign_text(place), last = all.section(QStringLiteral(", "), -1);
  return {all.chopped(last.size()).chopped(all == last ? 0 : 2), last.section(QLatin1Char(' '), 0, -2),
          last.section(QLatin1Char(' '), -1)};
}

SheetRows sheet_of_dimensions(const KernelExercise& exercise, const std::string& array) {
  SheetRows sheet;
  std::map<QString, int> columns;
  std::map<QString, std::size_t> rows;
  for (std::size_t i = 0; i < exercise.cells().size(); ++i) {
    const KernelCell& cell = exercise.cells()[i];
    if (cell.array != array) continue;
    const auto [outer, counted, inner] = parts_of(cell.place);
    sheet.title = counted;
    const auto column = columns.try_emplace(inner, static_cast<int>(columns.size())).first->second;
    if (column == static_cast<int>(sheet.columns.size())) sheet.columns.push_back(inner);
    const QString label =
        outer.isEmpty() ? foreign_text(cell.row) : foreign_text(cell.row) + QStringLiteral(", ") + outer;
    const auto row = rows.try_emplace(label, rows.size()).first->second;
    if (row == sheet.rows.size()) sheet.rows.push_back({label, true, {}, {}});
    auto& cells = sheet.rows[row].cells;
    cells.resize(std::max(cells.size(), static_cast<std::size_t>(column) + 1), -1);
    cells[static_cast<std::size_t>(column)] = static_cast<int>(i);
  }
  for (SheetRows::Row& row : sheet.rows) row.cells.resize(sheet.columns.size(), -1);
  return sheet;
}

SheetRows sheet_of_space(const KernelExercise& exercise, const Cursor& before, Space space, const Axes& axes) {
  const Trace& trace = exercise.trace();
  const auto is_here = [&](const KernelCell& cell) {
    const ArrayInfo& info = trace.find(cell.array)->info;
    return info.index_space == space && info.dimensions.size() < 2;
  };
  const ArrayTable table(before, nullptr, space, axes);
  SheetRows sheet{
      space == Space::none ? KernelSheet::tr("elements") : foreign_text(std::string(name_of(space))), {}, {}};
  std::vector<std::uint64_t> columns;
  for (const KernelCell& cell : exercise.cells())
    if (is_here(cell)) columns.push_back(cell.index);
  if (table.column_count() <= most_columns)
    for (std::uint64_t column = 0; column < table.column_count(); ++column) columns.push_back(column);
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  for (const std::uint64_t column : columns) sheet.columns.push_back(foreign_text(element_name(space, column)));

  // The arrays before the step.
  std::vector<SheetRows::Row> before_rows;
  std::map<std::pair<std::string, std::uint32_t>, std::vector<QString>> given;
  const auto is_written = [&](const TableRow& row) {
    return std::any_of(exercise.cells().begin(), exercise.cells().end(), [&](const KernelCell& cell) {
      return cell.array == row.name && cell.component == row.component;
    });
  };
  for (std::size_t r = 1; r < table.rows().size(); ++r) {
    const TableRow& row = table.rows()[r];
    if (row.size == 0) continue;
    std::vector<QString> texts;
    for (const std::uint64_t column : columns)
      texts.push_back(column < table.column_count() ? foreign_text(table.cell(r, column).text) : QString());
    if (std::all_of(texts.begin(), texts.end(), [](const QString& text) { return text.isEmpty(); })) continue;
    given[{row.name, row.component}] = texts;
    const QString label = foreign_text(row.label);
    before_rows.push_back({is_written(row) ? KernelSheet::tr("%1 before").arg(label) : label, false, texts, {}});
  }

  // What the step writes stands first, so that it is in sight in a low pane.
  std::vector<std::pair<std::string, std::uint32_t>> written;
  for (std::size_t i = 0; i < exercise.cells().size(); ++i) {
    const KernelCell& cell = exercise.cells()[i];
    if (!is_here(cell)) continue;
    const std::pair key(cell.array, cell.component);
    const bool known = given.contains(key);
    auto at = std::find(written.begin(), written.end(), key);
    if (at == written.end()) {
      written.push_back(key);
      at = written.end() - 1;
      const QString label = foreign_text(cell.row);
      sheet.rows.push_back({known ? KernelSheet::tr("%1 after").arg(label) : label, true,
                            known ? given[key] : std::vector<QString>(), std::vector<int>(columns.size(), -1)});
    }
    const std::size_t row = sheet.rows.size() - static_cast<std::size_t>(written.end() - at);
    const auto column = std::lower_bound(columns.begin(), columns.end(), cell.index) - columns.begin();
    sheet.rows[row].cells[static_cast<std::size_t>(column)] = static_cast<int>(i);
  }
  sheet.rows.insert(sheet.rows.end(), before_rows.begin(), before_rows.end());
  return sheet;
}

}  // namespace

std::vector<SheetRows> sheets_of(const KernelExercise& exercise, const Axes& axes) {
  const auto trace = std::shared_ptr<const Trace>(&exercise.trace(), [](const Trace*) {});
  Cursor before(trace);
  before.seek(exercise.step() - 1);
  std::vector<SheetRows> sheets;
  std::vector<Space> spaces;
  std::vector<std::string> arrays;
  for (const KernelCell& cell : exercise.cells()) {
    const ArrayInfo& info = trace->find(cell.array)->info;
    if (info.dimensions.size() > 1) {
      if (std::find(arrays.begin(), arrays.end(), cell.array) != arrays.end()) continue;
      arrays.push_back(cell.array);
    } else if (std::find(spaces.begin(), spaces.end(), info.index_space) == spaces.end()) {
      spaces.push_back(info.index_space);
    }
  }
  std::sort(spaces.begin(), spaces.end());
  for (const Space space : spaces) sheets.push_back(sheet_of_space(exercise, before, space, axes));
  for (const std::string& array : arrays) sheets.push_back(sheet_of_dimensions(exercise, array));
  return sheets;
}

class KernelSheet::Model : public QAbstractTableModel {
 public:
  explicit Model(const KernelSheet& sheet) : QAbstractTableModel(const_cast<KernelSheet*>(&sheet)), sheet_(sheet) {}
  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(sheet_.rows_.rows.size());
  }
  int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(sheet_.rows_.columns.size());
  }
  int cell_at(int row, int column) const {
    const auto& cells = sheet_.rows_.rows[static_cast<std::size_t>(row)].cells;
    return static_cast<std::size_t>(column) < cells.size() ? cells[static_cast<std::size_t>(column)] : -1;
  }
  QString given_at(int row, int column) const {
    const auto& given = sheet_.rows_.rows[static_cast<std::size_t>(row)].given;
    return static_cast<std::size_t>(column) < given.size() ? given[static_cast<std::size_t>(column)] : QString();
  }
  QVariant data(const QModelIndex& index, int role) const override {
    using Mark = KernelPractice::Mark;
    const SheetRows::Row& row = sheet_.rows_.rows[static_cast<std::size_t>(index.row())];
    const int cell = cell_at(index.row(), index.column());
    const KernelPractice& practice = sheet_.practice_;
    const bool live = cell >= 0 && practice.exercise();
    const Mark mark = live ? practice.mark(static_cast<std::size_t>(cell)) : Mark::blank;
    const Theme& t = theme_of(sheet_.workbench_.looks().appearance());
    switch (role) {
      case Qt::DisplayRole:
      case Qt::AccessibleTextRole: {
        if (!live) return given_at(index.row(), index.column());
        const QString& text = practice.text(static_cast<std::size_t>(cell));
        if (mark == Mark::blank) return QStringLiteral("?");
        return mark == Mark::right   ? text + QStringLiteral(" \u2713")
               : mark == Mark::wrong ? text + QStringLiteral(" \u2717")
                                     : text;
      }
      case Qt::ToolTipRole:
        if (live) return plain_tip(foreign_text(practice.exercise()->thread_task(static_cast<std::size_t>(cell))));
        return {};
      case Qt::TextAlignmentRole:
        return Qt::AlignCenter;
      case Qt::BackgroundRole:
        if (!row.written) return {};
        return colour(mark == Mark::right   ? mix(t.base, t.passed, 0.16)
                      : mark == Mark::wrong ? mix(t.base, t.failed, 0.16)
                                            : mix(t.base, t.focus, live ? 0.14 : 0.04));
      case Qt::ForegroundRole:
        if (row.written && !live) return colour(t.muted_text);
        if (mark == Mark::right || mark == Mark::wrong) return colour(mark == Mark::right ? t.passed : t.failed);
        return {};
      case Qt::FontRole: {
        QFont font = sheet_.font();
        font.setItalic(mark == Mark::shown);
        font.setBold(live && mark != Mark::shown);
        return font;
      }
      default:
        return {};
    }
  }
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (role == Qt::FontRole && orientation == Qt::Vertical) {
      QFont font = sheet_.font();
      font.setBold(sheet_.rows_.rows[static_cast<std::size_t>(section)].written);
      return font;
    }
    if (role != Qt::DisplayRole) return {};
    return orientation == Qt::Horizontal ? sheet_.rows_.columns[static_cast<std::size_t>(section)]
                                         : sheet_.rows_.rows[static_cast<std::size_t>(section)].label + QChar::Nbsp;
  }
  void refresh() {
    if (rowCount() > 0 && columnCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
  }

 private:
  const KernelSheet& sheet_;
};

KernelSheet::KernelSheet(KernelPractice& practice, const Workbench& workbench, SheetRows rows, QWidget* parent)
    : QTableView(parent), practice_(practice), workbench_(workbench), rows_(std::move(rows)), model_(new Model(*this)) {
  setObjectName(QStringLiteral("kernel_sheet"));
  setAccessibleName(tr("Cells by %1").arg(rows_.title));
  setModel(model_);
  setFrameShape(QFrame::NoFrame);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  verticalHeader()->setHighlightSections(false);
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
  // What the columns count stands in the corner, as in the arrays
  auto* corner = new QHBoxLayout(findChild<QAbstractButton*>());
  corner->setContentsMargins(tokens::space, 0, tokens::space, 0);
  auto* title = plain_label(rows_.title);
  title->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  corner->addWidget(title);
  horizontalHeader()->setFocusPolicy(Qt::NoFocus);
  verticalHeader()->setFocusPolicy(Qt::NoFocus);
  describe_keys(*this, tr("Be the kernel"),
                {{tr("0 to 9, 0x, 0b"), tr("Write the value of the cell")},
                 {tr("Enter or Tab"), tr("Next thread; after the last one, check")},
                 {tr("Shift+Tab"), tr("Previous thread")},
                 {tr("Arrows"), tr("From cell to cell")},
                 {tr("C"), tr("Check all writes")},
                 {tr("H"), tr("Hint for this cell")},
                 {tr("A"), tr("Model answer of this thread")}});
  fit();
  refresh();
}

std::pair<int, int> KernelSheet::place_of(std::size_t cell) const {
  for (int row = 0; row < model_->rowCount(); ++row) {
    const auto& cells = rows_.rows[static_cast<std::size_t>(row)].cells;
    const auto at = std::find(cells.begin(), cells.end(), static_cast<int>(cell));
    if (at != cells.end()) return {row, static_cast<int>(at - cells.begin())};
  }
  return {-1, -1};
}

bool KernelSheet::has_current() const { return practice_.exercise() && place_of(practice_.current()).first >= 0; }

QString KernelSheet::shown_text(int row, int column) const {
  return model_->data(model_->index(row, column), Qt::DisplayRole).toString();
}

void KernelSheet::refresh() {
  model_->refresh();
  if (!practice_.exercise()) return;
  const auto [row, column] = place_of(practice_.current());
  if (row < 0) {
    selectionModel()->clear();
    return;
  }
  if (currentIndex() != model_->index(row, column) || !selectionModel()->hasSelection())
    setCurrentIndex(model_->index(row, column));
}

void KernelSheet::fit() {
  const QFontMetrics metrics(font());
  std::size_t widest = 2;
  for (const SheetRows::Row& row : rows_.rows)
    for (const QString& text : row.given) widest = std::max(widest, static_cast<std::size_t>(text.size()));
  if (practice_.exercise())
    for (std::size_t i = 0; i < practice_.exercise()->cells().size(); ++i)
      widest = std::max(widest, practice_.exercise()->model_answer(i).size());
  int width = metrics.averageCharWidth() * static_cast<int>(std::min<std::size_t>(widest, longest_text) + 1) +
              metrics.horizontalAdvance(QStringLiteral("\u2717")) + tokens::space_small;
  for (const QString& column : rows_.columns)
    width = std::max(width, metrics.horizontalAdvance(column) + metrics.averageCharWidth() * 2);
  horizontalHeader()->setMinimumSectionSize(width);
  verticalHeader()->setMinimumSectionSize(metrics.height());
  verticalHeader()->setDefaultSectionSize(static_cast<int>(metrics.height() * row_height));
  QFont written = font();
  written.setBold(true);
  int label = metrics.horizontalAdvance(rows_.title);
  for (const SheetRows::Row& row : rows_.rows)
    label = std::max(label, QFontMetrics(written).horizontalAdvance(row.label));
  verticalHeader()->setFixedWidth(label + 2 * tokens::space);
  setMaximumWidth(verticalHeader()->width() +
                  std::max(width, widest_column * metrics.height()) * static_cast<int>(rows_.columns.size()));
  setFixedHeight(sizeHint().height());
}

QSize KernelSheet::sizeHint() const {
  const int rows = model_->rowCount() * verticalHeader()->defaultSectionSize();
  const int least = horizontalHeader()->minimumSectionSize() * horizontalHeader()->count();
  const bool scrolls = verticalHeader()->width() + least > width();
  return {300,
          rows + horizontalHeader()->sizeHint().height() + (scrolls ? horizontalScrollBar()->sizeHint().height() : 0)};
}

void KernelSheet::resizeEvent(QResizeEvent* event) {
  setFixedHeight(sizeHint().height());
  QTableView::resizeEvent(event);
}

/// Returns whether the table uses a key itself; others go to the window's actions.
bool KernelSheet::takes(const QKeyEvent& key) const {
  if (!practice_.exercise() || (key.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier))) return false;
  const bool shift = key.modifiers() & Qt::ShiftModifier;
  switch (key.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
      return true;
    case Qt::Key_Backspace:
    case Qt::Key_Delete:
    case Qt::Key_Escape:
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
      return !shift;
    default:
      break;
  }
  const QString text = key.text().toLower();
  const char letter = letter_of(practice_.exercise()->cells()[practice_.current()].values);
  return !shift && text.size() == 1 &&
         (text[0] == QLatin1Char(letter) || QStringLiteral("0123456789-.+xabcdefh").contains(text));
}

bool KernelSheet::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && takes(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  return QTableView::event(event);
}

/// Goes to the next thread, or checks after the last one.
void KernelSheet::go_on() {
  if (!practice_.walk(1)) practice_.check();
}

bool KernelSheet::focusNextPrevChild(bool next) {
  if (!practice_.exercise()) return QTableView::focusNextPrevChild(next);
  next ? go_on() : static_cast<void>(practice_.walk(-1));
  return true;
}

/// Goes to the nearest cell in a direction.
void KernelSheet::move(int rows, int columns) {
  auto [row, column] = place_of(practice_.current());
  for (row += rows, column += columns;
       row >= 0 && row < model_->rowCount() && column >= 0 && column < model_->columnCount();
       row += rows, column += columns)
    if (const int cell = model_->cell_at(row, column); cell >= 0)
      return practice_.go_to(static_cast<std::size_t>(cell));
}

void KernelSheet::keyPressEvent(QKeyEvent* event) {
  if (!takes(*event)) return QTableView::keyPressEvent(event);
  event->accept();
  const QString before = practice_.is_typing() ? practice_.text(practice_.current()) : QString();
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Tab:
      return go_on();
    case Qt::Key_Backtab:
      practice_.walk(-1);
      return;
    case Qt::Key_Backspace:
      return practice_.type(before.chopped(before.isEmpty() ? 0 : 1));
    case Qt::Key_Delete:
      return practice_.type(QString());
    case Qt::Key_Escape:
      return window()->setFocus();
    case Qt::Key_Left:
      return move(0, -1);
    case Qt::Key_Right:
      return move(0, 1);
    case Qt::Key_Up:
      return move(-1, 0);
    case Qt::Key_Down:
      return move(1, 0);
    default:
      break;
  }
  // Letters are digits after 0x and 0b, and commands elsewhere.
  const QString text = event->text().toLower();
  const QString prefix = before.startsWith(QLatin1Char('-')) ? before.mid(1) : before;
  const bool hex = prefix.startsWith(QLatin1String("0x"));
  const bool number = !before.isEmpty() && !hex;
  const bool digit = !text[0].isLetter() || (hex && QStringLiteral("abcdef").contains(text)) ||
                     (prefix == QLatin1String("0") && QStringLiteral("xb").contains(text)) ||
                     (number && text == QLatin1String("e"));
  if (digit) {
    if (before.size() < longest_text) practice_.type(before + text);
  } else if (text == QLatin1String("c")) {
    practice_.check();
  } else if (text == QLatin1String("h")) {
    practice_.hint();
  } else if (text == QLatin1String("a")) {
    practice_.show_thread();
  }
}

void KernelSheet::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  const QModelIndex at = indexAt(event->position().toPoint());
  if (!at.isValid() || !practice_.exercise() || event->button() != Qt::LeftButton) return;
  if (const int cell = model_->cell_at(at.row(), at.column()); cell >= 0)
    practice_.go_to(static_cast<std::size_t>(cell));
  else if (const QString given = model_->given_at(at.row(), at.column()); !given.isEmpty())
    practice_.type(given);
}

void KernelSheet::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() == QEvent::FontChange && model_) fit();
}

}  // namespace kdscope
