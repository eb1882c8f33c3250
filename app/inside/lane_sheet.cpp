#include "app/inside/lane_sheet.hpp"

#include <QHeaderView>
#include <QStyledItemDelegate>
#include <algorithm>
#include <bit>
#include <map>

#include "app/appearance/appearance.hpp"
#include "app/appearance/key_list.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/panes/legend.hpp"

namespace kdscope {
namespace {

using namespace access_log;

constexpr std::uint32_t warp_lanes = 32;
constexpr std::uint32_t most_idle_lanes = 4096;  // rows of lanes without accesses; no device has larger blocks
// Digits in parts of the interface font, and the least ones in front of an audience: 14 pixels on 1280 x 720
constexpr double usual_digits = 0.95, least_digits = 0.78, digits_of_few_lanes[] = {1.75, 1.4, 1.2, usual_digits},
                 digits_for_audience[] = {2, 1.75, 1.5, 1.3, 1.15, 0.95, 0.86, least_digits};
constexpr double usual_heads = 0.9, largest_heads = 1.3;
constexpr double widest_cells = 1.5, highest_cells = 2.8;  // for an audience, where room is left

/// "partition.hpp" of "partition.hpp:62"
std::string file_of(const std::string& line) { return line.substr(0, line.rfind(':')); }

bool has_lanes(const Launch& launch) { return launch.kind == LaunchKind::blocks || launch.kind == LaunchKind::warps; }

}  // namespace

LaneSheetModel::LaneSheetModel(const Inside& inside, QObject* parent) : QAbstractTableModel(parent), inside_(inside) {}

void LaneSheetModel::clear() {
  beginResetModel();
  look_ = nullptr;
  sheet_ = {};
  call_ = nullptr;
  together_ = false;
  lanes_.clear();
  sheet_rows_.clear();
  tail_end_.reset();
  endResetModel();
}

void LaneSheetModel::show_interval() {
  if (!inside_.is_open() || inside_.walk().empty()) return clear();
  beginResetModel();
  look_ = &inside_.look();
  stretch_ = inside_.walk().number();
  const LaunchRecording& recording = look_->recording();
  const Stretch& at = inside_.walk().stretch();
  const Launch& launch = recording.launches[at.launch];
  sheet_ = sheet_of(recording, at);
  call_ = at.call ? &recording.intervals[*at.call] : nullptr;
  together_ = call_ && !call_->values.empty();
  lanes_.clear();
  sheet_rows_.clear();
  // A lane without accesses has a row too: a block's idle lanes are holes
  std::uint32_t next = 0;
  const auto add_idle_until = [&](std::uint32_t lane) {
    for (; has_lanes(launch) && next < std::min({lane, launch.lanes, most_idle_lanes}); ++next) {
      lanes_.push_back(next);
      sheet_rows_.push_back(-1);
    }
  };
  for (std::size_t row = 0; row < sheet_.lanes.size(); ++row) {
    if (sheet_.lanes[row] != every_lane) add_idle_until(sheet_.lanes[row]);
    lanes_.push_back(sheet_.lanes[row]);
    sheet_rows_.push_back(static_cast<int>(row));
    if (sheet_.lanes[row] != every_lane) next = sheet_.lanes[row] + 1;
  }
  add_idle_until(launch.lanes);
  const auto& stretches = inside_.walk().stretches();
  const bool is_last = stretch_ + 1 == stretches.size() || stretches[stretch_ + 1].launch != at.launch;
  cut_at_.reset();
  if (launch.left_out > 0 && is_last && at.begin < at.end) cut_at_ = recording.accesses[at.end - 1].lane;
  // The file of most columns
  usual_file_.clear();
  std::map<std::string, int> columns_of;
  for (const SheetColumn& column : sheet_.columns) ++columns_of[file_of(recording.line_of(column.site))];
  for (const auto& [file, columns] : columns_of)
    if (for_audience_ && (usual_file_.empty() || columns > columns_of[usual_file_])) usual_file_ = file;
  tail_end_.reset();
  if (for_audience_ && !cut_at_) join_idle_tail();
  endResetModel();
}

/// Leaves one row to the lanes at the end that access nothing, and vote or receive the same. It begins at a multiple of
/// four, so that the last lanes of a group stay in sight.
void LaneSheetModel::join_idle_tail() {
  constexpr std::size_t group = 4;
  const auto is_idle = [&](std::size_t row) {
    return sheet_rows_[row] < 0 && together_text(static_cast<int>(row)) == together_text(rowCount() - 1);
  };
  std::size_t first = lanes_.size();
  while (first > 0 && is_idle(first - 1)) --first;
  while (first < lanes_.size() && lanes_[first] % group != 0) ++first;
  if (first + 1 >= lanes_.size()) return;
  tail_end_ = lanes_.back();
  lanes_.resize(first + 1);
  sheet_rows_.resize(first + 1);
}

bool LaneSheetModel::has_lane(int row, std::uint32_t lane) const {
  if (lane_of(row) == lane) return true;
  return tail_end_ && row + 1 == rowCount() && lane > lane_of(row) && lane <= *tail_end_;
}

bool LaneSheetModel::repeats(int column) const {
  return !is_together(column) && sheet_.columns[static_cast<std::size_t>(column - together_)].repetition > 0;
}

int LaneSheetModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(lanes_.size());
}

int LaneSheetModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(sheet_.columns.size()) + together_;
}

const Access* LaneSheetModel::access_at(int row, int column) const {
  const int of_sheet = row >= 0 && row < rowCount() ? sheet_rows_[static_cast<std::size_t>(row)] : -1;
  const int access_column = column - together_;
  if (of_sheet < 0 || access_column < 0 || column >= columnCount()) return nullptr;
  return sheet_.columns[static_cast<std::size_t>(access_column)].cells[static_cast<std::size_t>(of_sheet)];
}

std::optional<std::size_t> LaneSheetModel::place_at(int row, int column) const {
  const Access* access = access_at(row, column);
  if (!access) return std::nullopt;
  return static_cast<std::size_t>(access - look_->recording().accesses.data());
}

QModelIndex LaneSheetModel::cell_of(std::size_t access) const {
  const Access* wanted = &look_->recording().accesses[access];
  const auto row = row_of_lane(wanted->lane);
  if (!row) return {};
  for (int column = together_; column < columnCount(); ++column)
    if (access_at(*row, column) == wanted) return index(*row, column);
  return {};
}

std::optional<int> LaneSheetModel::row_of_lane(std::uint32_t lane) const {
  for (int row = 0; row < rowCount(); ++row)
    if (has_lane(row, lane)) return row;
  return std::nullopt;
}

bool LaneSheetModel::begins_warp(int row) const {
  return lane_of(row) != every_lane && lane_of(row) % warp_lanes == 0 && row > 0;
}

bool LaneSheetModel::is_left_out(int row) const {
  return cut_at_ && (*cut_at_ == every_lane || lane_of(row) > *cut_at_) && lane_of(row) != every_lane;
}

std::optional<bool> LaneSheetModel::bit_at(int row) const {
  if (!together_ || call_->call != "ballot" || lane_of(row) >= warp_lanes) return std::nullopt;
  return (call_->values.front() >> lane_of(row) & 1) != 0;
}

QString LaneSheetModel::together_text(int row) const {
  const std::uint32_t lane = lane_of(row);
  if (const auto bit = bit_at(row)) return *bit ? QStringLiteral("1") : QStringLiteral("0");
  if (call_->call == "smallest" || call_->call == "largest" || lane >= call_->values.size()) return {};
  const QString value = foreign_text(value_text(*call_, lane));
  if (lane < call_->sources.size()) return tr("lane %1: %2").arg(call_->sources[lane]).arg(value);
  return value;
}

QString LaneSheetModel::text_at(int row, int column) const {
  if (is_together(column)) return together_text(row);
  const Access* access = access_at(row, column);
  return access ? foreign_text(cell_text(look_->recording(), *access)) : QString();
}

QString LaneSheetModel::head_of(int column) const {
  if (is_together(column)) {
    const QString call = foreign_text(call_->call);
    if (call_->call == "ballot")
      return tr("%1\n%2 of 32").arg(call).arg(std::popcount(static_cast<std::uint32_t>(call_->values.front())));
    if (call_->call == "smallest" || call_->call == "largest") return tr("%1\n%2").arg(call).arg(call_->values.front());
    return call_->call == "exclusive_sum" ? tr("sums\nbefore") : tr("%1\nfrom").arg(call);
  }
  const SheetColumn& of = sheet_.columns[static_cast<std::size_t>(column - together_)];
  const LaunchRecording& recording = look_->recording();
  std::string array;
  for (const Access* access : of.cells)
    if (access) {
      array = recording.array_of(*access).name;
      break;
    }
  QString again = of.repetition > 0 ? QStringLiteral(" #%1").arg(of.repetition + 1) : QString();
  if (repeats_joined_ && of.repetition == 0) {
    std::uint32_t last = 0;
    for (const SheetColumn& other : sheet_.columns)
      if (other.site == of.site) last = std::max(last, other.repetition);
    if (last > 0) again = tr(" #1 of %1").arg(last + 1);
  }
  const std::string line = recording.line_of(of.site), file = file_of(line);
  const bool usual = !usual_file_.empty() && file == usual_file_ && file.size() < line.size();
  const QString where = usual ? tr("line %1").arg(foreign_text(line.substr(file.size() + 1))) : foreign_text(line);
  return where + again + QLatin1Char('\n') + foreign_text(array);
}

std::string LaneSheetModel::line_of(int column) const {
  if (is_together(column)) return {};
  return look_->recording().line_of(sheet_.columns[static_cast<std::size_t>(column - together_)].site);
}

QVariant LaneSheetModel::data(const QModelIndex& index, int role) const {
  switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
      return text_at(index.row(), index.column());
    case Qt::ToolTipRole:
      if (const auto place = place_at(index.row(), index.column())) return plain_tip(inside_.access_text(*place));
      if (is_left_out(index.row())) return tr("The recording ended before this lane");
      return {};
    default:
      return {};
  }
}

QVariant LaneSheetModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Horizontal) return head_of(section);
  const std::uint32_t lane = lane_of(section);
  if (lane == every_lane) return tr("every lane");
  const Launch& launch = look_->recording().launches[sheet_.launch];
  if (tail_end_ && section + 1 == rowCount()) return tr("lanes %1 to %2").arg(lane).arg(*tail_end_);
  return has_lanes(launch) ? tr("lane %1").arg(lane) : QString::number(lane);
}

/// Paints the grounds by what an access does: what was read is pale, what was written is tinted, and a hole is grey.
class LaneSheet::Painter : public QStyledItemDelegate {
 public:
  explicit Painter(LaneSheet& sheet) : QStyledItemDelegate(&sheet), sheet_(sheet) {}
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& t = *sheet_.theme_;
    const LaneSheetModel& cells = *sheet_.model_;
    const Access* access = cells.access_at(index.row(), index.column());
    const std::uint32_t lane = cells.lane_of(index.row());
    const Rgb row = mix(t.base, t.line, lane != every_lane && lane / warp_lanes % 2 == 1 ? 0.16 : 0.0);
    Rgb ground = row;
    if (access) {
      const auto kind = static_cast<AccessKind>(access->kind);
      if (kind == AccessKind::write) ground = lane_writes_ground(t, row);
      if (kind == AccessKind::atomic) ground = lane_adds_ground(t, row);
      const LaunchRecording& recording = sheet_.workbench_.inside().look().recording();
      if (access->unwritten || recording.out_of_bounds(*access)) ground = mix(row, t.failed, 0.4);
    } else if (cells.is_together(index.column())) {
      const auto bit = cells.bit_at(index.row());
      ground = bit && *bit ? t.focus : mix(row, t.line, 0.1);
    } else {
      ground = mix(row, t.line, 0.45);
    }
    painter->fillRect(option.rect, colour(ground));
    if (cells.is_left_out(index.row()) && !access)
      painter->fillRect(option.rect, QBrush(colour(t.muted_text), Qt::BDiagPattern));
    painter->setPen(colour(mix(ground, t.line, 0.6)));
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    painter->drawLine(option.rect.topRight(), option.rect.bottomRight());
    if (cells.begins_warp(index.row()))
      painter->fillRect(QRect(option.rect.topLeft(), QSize(option.rect.width(), 2)), colour(t.muted_text));
    const bool marked = !sheet_.marked_line_.empty() && cells.line_of(index.column()) == sheet_.marked_line_;
    if (marked) painter->fillRect(QRect(option.rect.topLeft(), QSize(3, option.rect.height())), colour(t.focus));
    paint_text(*painter, option.rect, index, ground);
    paint_place(*painter, option.rect, index);
  }

 private:
  void paint_text(QPainter& painter, const QRect& at, const QModelIndex& index, Rgb ground) const {
    const QString text = index.data().toString();
    if (text.isEmpty()) return;
    painter.setPen(colour(text_on(ground)));
    painter.setFont(sheet_.font());
    const QRect inner = at.adjusted(6, 0, -4, 0);
    painter.drawText(inner, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(text, Qt::ElideRight, inner.width()));
  }
  /// Frames the access of the place, or the row of its lane.
  void paint_place(QPainter& painter, const QRect& at, const QModelIndex& index) const {
    const LaunchWalk& walk = sheet_.workbench_.inside().walk();
    if (!walk.lane() || !sheet_.model_->has_lane(index.row(), *walk.lane())) return;
    const QColor ink = colour(sheet_.theme_->selection);
    painter.fillRect(QRect(at.left(), at.top(), at.width(), 2), ink);
    painter.fillRect(QRect(at.left(), at.bottom() - 1, at.width(), 2), ink);
    if (!walk.access() || sheet_.model_->place_at(index.row(), index.column()) != walk.access()) return;
    painter.setPen(QPen(ink, 3));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(at.adjusted(1, 1, -2, -2));
  }
  LaneSheet& sheet_;
};

LaneSheet::LaneSheet(Workbench& workbench, QWidget* parent)
    : QTableView(parent),
      workbench_(workbench),
      model_(new LaneSheetModel(workbench.inside(), this)),
      theme_(&theme(ThemeId::light)) {
  setObjectName(QStringLiteral("lane_sheet"));
  setAccessibleName(tr("Accesses by lane"));
  setModel(model_);
  setItemDelegate(new Painter(*this));
  setFrameShape(QFrame::NoFrame);
  viewport()->setBackgroundRole(QPalette::Window);  // white is what was read
  setShowGrid(false);
  setWordWrap(false);
  setSelectionMode(QAbstractItemView::NoSelection);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  for (QHeaderView* header : {horizontalHeader(), verticalHeader()}) {
    header->setHighlightSections(false);
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setFocusPolicy(Qt::NoFocus);
  }
  horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  verticalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
  describe_keys(*this, tr("Inside a launch"),
                {{tr("Up and Down"), tr("To the lane above or below")},
                 {tr("W"), tr("Who wrote this?")},
                 {tr("R"), tr("Who reads it next?")}});
}

void LaneSheet::set_appearance(const Theme& theme, int text_scale) {
  theme_ = &theme;
  text_scale_ = text_scale;
  fit();
  viewport()->update();
}

void LaneSheet::set_digits(double factor) {
  setFont(code_font(text_scale_, factor));
  const double heads = std::clamp(0.8 * factor, usual_heads, largest_heads);
  horizontalHeader()->setFont(interface_font(text_scale_, heads));
  horizontalHeader()->setFixedHeight(QFontMetrics(horizontalHeader()->font()).height() * 5 / 2);
  verticalHeader()->setFont(interface_font(text_scale_, factor < usual_heads ? factor : heads));
  const QFontMetrics metrics(font());
  const int height = std::max(metrics.height(), QFontMetrics(verticalHeader()->font()).height());
  verticalHeader()->setMinimumSectionSize(height);
  verticalHeader()->setDefaultSectionSize(metrics.height() * 5 / 4);
  horizontalHeader()->setMinimumSectionSize(metrics.averageCharWidth() * 4);
}

void LaneSheet::show_to_audience() {
  for_audience_ = true;
  viewport()->setBackgroundRole(QPalette::Base);
  model_->show_to_audience();
  if (model_->rowCount() > 0) model_->show_interval();
  fit();
}

void LaneSheet::fit() { for_audience_ ? fit_audience() : fit_person(); }

/// Writes few lanes larger, where all of them and all columns stay in sight.
void LaneSheet::fit_person() {
  const QSize room = viewport()->size();
  for (const double factor : digits_of_few_lanes) {
    set_digits(factor);
    const bool fits_down = model_->rowCount() * verticalHeader()->defaultSectionSize() <= room.height();
    if (!fits_down && factor > usual_digits) continue;
    fit_columns();
    if (horizontalHeader()->length() <= room.width()) break;
  }
}

int LaneSheet::wanted_height() const {
  const int row = QFontMetrics(code_font(text_scale_, usual_digits)).height() * 5 / 4;
  return horizontalHeader()->height() + row * model_->rowCount() + 2 * frameWidth();
}

/// Takes the largest digits with which all columns and rows fit, or the smallest where the rows cannot. Repetitions of
/// a line leave their room to other lines before a column is left out.
void LaneSheet::fit_audience() {
  const int rows = model_->rowCount(), columns = model_->columnCount();
  const auto room_across = [&] { return width() - 2 * frameWidth() - verticalHeader()->width(); };
  const auto down = [&] { return height() - 2 * frameWidth() - horizontalHeader()->height(); };
  const auto fits_down = [&] { return rows * verticalHeader()->minimumSectionSize() <= down(); };
  const auto shows = [&](int column, bool joined) { return !joined || !model_->repeats(column); };
  const auto across = [&](bool joined) {
    int sum = 0;
    for (int column = 0; column < columns; ++column) sum += shows(column, joined) ? columnWidth(column) : 0;
    return sum;
  };
  for (int column = 0; column < columns; ++column) setColumnHidden(column, false);
  for (int row = 0; row < rows; ++row) setRowHidden(row, false);
  set_digits(least_digits);
  const bool can_fit_down = fits_down();
  bool joined = false;
  for (const bool joins : {false, true}) {
    joined = joins;
    model_->set_repeats_joined(joins);
    bool fits = false;
    for (const double factor : digits_for_audience) {
      if (!can_fit_down && factor > least_digits) continue;
      set_digits(factor);
      fit_columns();
      fits = across(joins) <= room_across() && (fits_down() || !can_fit_down);
      if (fits) break;
    }
    if (fits) break;
  }

  const int least_height = verticalHeader()->minimumSectionSize(), room_down = down();
  verticalHeader()->setDefaultSectionSize(
      std::clamp(room_down / std::max(1, rows), least_height,
                 std::max(least_height, static_cast<int>(QFontMetrics(font()).height() * highest_cells))));
  const double wider = std::clamp(1.0 * room_across() / std::max(1, across(joined)), 1.0, widest_cells);
  for (int column = 0; column < columns; ++column)
    setColumnWidth(column, static_cast<int>(columnWidth(column) * wider));

  // Whole rows and columns: those of the place, or the first ones
  const QModelIndex place = cell_of_place();
  const int most_rows = std::max(1, room_down / verticalHeader()->defaultSectionSize());
  const int first_row = std::max(0, (place.isValid() ? place.row() : 0) + 1 - most_rows);
  for (int row = 0; row < rows; ++row) setRowHidden(row, row < first_row || row >= first_row + most_rows);
  int first_column = 0, left = room_across();
  for (int column = place.isValid() ? place.column() : 0; column >= 0 && left >= 0; --column)
    if (shows(column, joined) || column == place.column())
      if ((left -= columnWidth(column)) >= 0) first_column = column;
  left = room_across();
  for (int column = 0; column < columns; ++column) {
    const bool wanted = column >= first_column && (shows(column, joined) || column == place.column());
    if (wanted) left -= columnWidth(column);
    setColumnHidden(column, !wanted || left < 0);
  }
  emit fitted();
}

QString LaneSheet::cut_text() const {
  if (!for_audience_) return {};
  QStringList texts;
  const int rows = model_->rowCount();
  int first = 0, last = rows - 1, columns = 0;
  while (first < rows && isRowHidden(first)) ++first;
  while (last > first && isRowHidden(last)) --last;
  if (first < rows && last + 1 - first < rows)
    texts << tr("lanes %1 to %2 of %3")
                 .arg(model_->lane_of(first))
                 .arg(model_->last_lane_of(last))
                 .arg(model_->last_lane_of(rows - 1) + 1);
  for (int column = 0; column < model_->columnCount(); ++column) columns += !isColumnHidden(column);
  if (columns < model_->columnCount()) texts << tr("%1 of %2 columns").arg(columns).arg(model_->columnCount());
  return texts.join(QStringLiteral(", "));
}

void LaneSheet::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fit();
}

/// Fits each column to its head and to a sample of its cells.
void LaneSheet::fit_columns() {
  constexpr int most_fitted = 300, most_sampled = 40;
  const QFontMetrics metrics(font()), head(horizontalHeader()->font());
  const int last = model_->rowCount() - 1;
  const QString widest = last < 0 ? QString() : model_->headerData(last, Qt::Vertical, Qt::DisplayRole).toString();
  verticalHeader()->setFixedWidth(std::max(head.horizontalAdvance(widest), head.horizontalAdvance(tr("every lane"))) +
                                  16);
  horizontalHeader()->setDefaultSectionSize(metrics.averageCharWidth() * 16);
  for (int column = 0; column < std::min(model_->columnCount(), most_fitted); ++column) {
    int width = 0;
    for (const QString& line :
         model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().split(QLatin1Char('\n')))
      width = std::max(width, head.horizontalAdvance(line) + metrics.averageCharWidth());
    qsizetype longest = 0;
    const int stride = std::max(1, model_->rowCount() / most_sampled);
    for (int row = 0; row < model_->rowCount(); row += stride)
      longest = std::max(longest, model_->index(row, column).data().toString().size());
    setColumnWidth(column, std::max(width, metrics.averageCharWidth() * static_cast<int>(longest + 1)) + 12);
  }
}

/// The cell of the place's access, or else the first one of its lane.
QModelIndex LaneSheet::cell_of_place() const {
  if (!workbench_.inside().is_open() || workbench_.inside().walk().empty()) return {};
  const LaunchWalk& walk = workbench_.inside().walk();
  if (const QModelIndex cell = walk.access() ? model_->cell_of(*walk.access()) : QModelIndex(); cell.isValid())
    return cell;
  const auto row = walk.lane() ? model_->row_of_lane(*walk.lane()) : std::nullopt;
  return row ? model_->index(*row, 0) : QModelIndex();
}

void LaneSheet::show_place() {
  const Inside& inside = workbench_.inside();
  if (!inside.is_open() || inside.walk().empty()) return model_->clear();
  const LaunchWalk& walk = inside.walk();
  if (!model_->is_of(&inside.look(), walk.number())) {
    model_->show_interval();
    if (!for_audience_) fit_person();
    scrollToTop();
    horizontalScrollBar()->setValue(0);
  }
  if (for_audience_) fit_audience();
  if (const QModelIndex cell = cell_of_place(); cell.isValid()) {
    if (!for_audience_) scrollTo(cell);
    selectionModel()->setCurrentIndex(cell, QItemSelectionModel::NoUpdate);
  }
  viewport()->update();
}

void LaneSheet::mark_line(const std::string& line) {
  marked_line_ = line;
  for (int column = 0; column < model_->columnCount(); ++column)
    if (!line.empty() && model_->line_of(column) == line) {
      scrollTo(model_->index(std::max(0, rowAt(0)), column));
      break;
    }
  viewport()->update();
}

void LaneSheet::choose(const QModelIndex& cell) {
  if (!cell.isValid()) return;
  const auto place = model_->place_at(cell.row(), cell.column());
  place ? workbench_.inside().go_to_access(*place) : workbench_.inside().go_to_lane(model_->lane_of(cell.row()));
}

bool LaneSheet::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->modifiers() == Qt::NoModifier && (key->key() == Qt::Key_W || key->key() == Qt::Key_R)) {
      event->accept();
      return true;
    }
  }
  return QTableView::event(event);
}

void LaneSheet::keyPressEvent(QKeyEvent* event) {
  const Inside& inside = workbench_.inside();
  if (!inside.is_open() || inside.walk().empty() || event->modifiers() != Qt::NoModifier) return event->ignore();
  switch (event->key()) {
    case Qt::Key_W:
      emit asks_for_writer();
      return;
    case Qt::Key_R:
      emit asks_for_reader();
      return;
    case Qt::Key_Up:
    case Qt::Key_Down: {
      const auto lane = inside.walk().lane();
      const int from = lane ? model_->row_of_lane(*lane).value_or(0) : event->key() == Qt::Key_Down ? -1 : 0;
      const int row = std::clamp(from + (event->key() == Qt::Key_Down ? 1 : -1), 0, model_->rowCount() - 1);
      if (model_->rowCount() == 0) return;
      if (inside.walk().access())
        choose(model_->index(row, model_->cell_of(*inside.walk().access()).column()));
      else
        workbench_.inside().go_to_lane(model_->lane_of(row));
      return;
    }
    default:
      event->ignore();
  }
}

void LaneSheet::mousePressEvent(QMouseEvent* event) {
  setFocus();
  if (event->button() == Qt::LeftButton) choose(indexAt(event->pos()));
}

}  // namespace kdscope
