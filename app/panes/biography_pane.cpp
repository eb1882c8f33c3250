#include "app/panes/biography_pane.hpp"

#include <QFile>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>
#include <algorithm>

#include "algorithms/core/replaced_file.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/file_question.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/point_label.hpp"
#include "app/panes/curtain.hpp"
#include "app/questioning/questioning.hpp"
#include "app/views/shown_updates.hpp"
#include "visualizer/model/missing_values.hpp"

namespace kdscope {
namespace {

/// Up to this number, recorded elements are examined without asking first: about a third of a second.
constexpr std::uint64_t most_at_once = 300'000'000;
constexpr int pause_ms = 40;

/// Columns before those of the biography: step and phase. The column after them: what changed.
constexpr int first_field = 2;

QString no_point() { return BiographyPane::tr("Select a point: its life, step by step, appears here."); }

}  // namespace

void BiographyTable::show(std::shared_ptr<const Biography> life, std::shared_ptr<const Trace> trace,
                          bool changes_only) {
  beginResetModel();
  life_ = std::move(life);
  trace_ = std::move(trace);
  lines_.clear();
  for (std::size_t i = 0; life_ && i < life_->lines.size(); ++i)
    if (!changes_only || !life_->lines[i].what.empty()) lines_.push_back(i);
  endResetModel();
}

int BiographyTable::row_of(std::uint32_t step) const {
  const auto after = std::upper_bound(lines_.begin(), lines_.end(), step, [this](std::uint32_t s, std::size_t line) {
    return s < life_->lines[line].step;
  });
  return static_cast<int>(after - lines_.begin()) - 1;
}

int BiographyTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !life_ ? 0 : static_cast<int>(life_->columns.size()) + first_field + 1;
}

QVariant BiographyTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || !life_) return {};
  if (section == 0) return tr("step");
  if (section == 1) return tr("phase");
  const auto field = static_cast<std::size_t>(section - first_field);
  return field < life_->columns.size() ? foreign_text(life_->columns[field]) : tr("what changed");
}

QVariant BiographyTable::data(const QModelIndex& index, int role) const {
  const BiographyLine& line = life_->lines[lines_[static_cast<std::size_t>(index.row())]];
  const int field = index.column() - first_field, fields = static_cast<int>(line.fields.size());
  const bool own = field >= 0 && field < fields, changed = own && line.changed[static_cast<std::size_t>(field)];
  switch (role) {
    case Qt::DisplayRole: {
      if (index.column() == 0) return line.step;
      const std::vector<std::string>& path = trace_->steps[line.step].path;
      if (index.column() == 1)
        return foreign_text(path.size() > 1 ? path[path.size() - 2] + " / " + path.back() : path_text(path));
      return foreign_text(own ? line.fields[static_cast<std::size_t>(field)] : line.what);
    }
    case Qt::ToolTipRole:
      return plain_tip(foreign_text(trace_->steps[line.step].title));
    case Qt::TextAlignmentRole: {
      const bool number = index.column() == 0 || (own && field + 1 < fields);
      return int((number ? Qt::AlignHCenter : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    case Qt::FontRole: {
      QFont font = interface_font(workbench_.looks().appearance().text_scale);
      font.setBold(changed);
      font.setUnderline(changed);
      return changed ? QVariant(font) : QVariant();
    }
    case Qt::ForegroundRole:
      return own && !changed ? QVariant(colour(theme_of(workbench_.looks().appearance()).muted_text)) : QVariant();
    default:
      return {};
  }
}

BiographyPane::BiographyPane(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      model_(new BiographyTable(workbench, this)),
      table_(new QTableView),
      title_(plain_label()),
      empty_(plain_label()),
      changes_only_(new QCheckBox(tr("Changes only"))),
      save_(new QPushButton(tr("Save as CSV\u2026"))),
      follow_(new QPushButton(tr("Follow the point"))) {
  setAccessibleName(tr("Biography"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* top = new QHBoxLayout;
  top->setContentsMargins(10, 4, 10, 4);
  top->addWidget(title_, 1);
  top->addWidget(changes_only_);
  top->addWidget(save_);
  column->addLayout(top);
  column->addWidget(table_, 1);
  column->addWidget(empty_, 1);
  column->addWidget(follow_, 0, Qt::AlignCenter);
  column->addSpacing(8);
  title_->setObjectName(QStringLiteral("biography_title"));
  title_->setAccessibleName(tr("Steps that change it"));
  title_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  title_->setWordWrap(true);
  empty_->setObjectName(QStringLiteral("biography_empty"));
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  empty_->setContentsMargins(16, 0, 16, 0);
  empty_->setForegroundRole(QPalette::PlaceholderText);
  changes_only_->setObjectName(QStringLiteral("biography_changes_only"));
  changes_only_->setToolTip(tr("Leave out steps that do nothing to the point"));
  save_->setObjectName(QStringLiteral("biography_save"));
  follow_->setObjectName(QStringLiteral("biography_follow"));
  table_->setObjectName(QStringLiteral("biography_table"));
  table_->setAccessibleName(tr("Biography, one line per step"));
  table_->setModel(model_);
  table_->setFrameShape(QFrame::NoFrame);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setWordWrap(false);
  table_->setTabKeyNavigation(false);
  table_->setShowGrid(false);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setStretchLastSection(true);

  new Curtain(this, workbench, [&playback = workbench.playback()](const Concealment& concealed, const Trace&) {
    return hides_statements(concealed) || playback.is_confined();
  });
  later_.setSingleShot(true);
  later_.setInterval(pause_ms);
  auto* refreshed = new ShownUpdate(this, [this] { later_.start(); });
  const auto wait = [refreshed] { refreshed->request(); };
  // The pane may have been hidden during the pause
  connect(&later_, &QTimer::timeout, this, [this, wait] { isVisible() ? refresh() : wait(); });
  connect(&workbench.playback(), &Playback::opened, this, [this, wait] {
    say(no_point(), false);
    wait();
  });
  connect(&workbench.playback(), &Playback::selected, this, wait);
  connect(&workbench.playback(), &Playback::stepped, this, [this, wait] {
    // Any other selection than a point may resolve to another point at another step.
    if (workbench_.playback().selection().space != Space::point) wait();
    show_step();
  });
  connect(&workbench.looks(), &Looks::changed, this, [this, wait] {
    if (life_)
      show_table();
    else
      wait();
  });
  connect(changes_only_, &QCheckBox::toggled, this, &BiographyPane::show_table);
  connect(save_, &QPushButton::clicked, this, &BiographyPane::choose_file);
  connect(follow_, &QPushButton::clicked, this, [this] {
    if (const auto point = selected_point()) tell_in_background(*point);
  });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
    if (now.isValid() && !placing_) workbench_.playback().seek(model_->step_of(now.row()));
  });
  connect(table_, &QTableView::clicked, this,
          [this](const QModelIndex& at) { workbench_.playback().seek(model_->step_of(at.row())); });
  say(no_point(), false);
  wait();
}

std::optional<PointId> BiographyPane::selected_point() const {
  const Cursor* cursor = workbench_.playback().cursor();
  if (!cursor || !workbench_.playback().selection()) return std::nullopt;
  const LinkedSelection& linked = workbench_.playback().linked();
  if (linked.points.size() != 1 || linked.points.front() >= cursor->trace().header.n) return std::nullopt;
  return PointId{linked.points.front()};
}

void BiographyPane::say(const QString& words, bool offer_to_run) {
  empty_->setText(words);
  empty_->setVisible(!words.isEmpty());
  follow_->setVisible(offer_to_run);
  for (QWidget* each : std::initializer_list<QWidget*>{title_, table_, changes_only_, save_})
    each->setVisible(words.isEmpty());
  if (words.isEmpty()) return;
  title_->clear();
  setWindowTitle(QString());
  life_.reset();
  model_->show(nullptr, nullptr, false);
}

void BiographyPane::refresh() {
  const auto point = selected_point();
  if (!point) {
    const std::size_t selected = workbench_.playback().cursor() ? workbench_.playback().linked().points.size() : 0;
    say(selected > 1
            ? tr("%L1 points are selected. Select one of them: its life, step by step, appears here.").arg(selected)
            : no_point(),
        false);
    return;
  }
  const auto trace = workbench_.playback().trace();
  if (life_ && life_->point == *point && of_trace_ == trace) return;
  if (Biography::work(*trace) > most_at_once || lacks_values(*trace)) {
    say(tr("Point %1 in %L2 steps of %L3 points: this takes a while.")
            .arg(point_label(point->value))
            .arg(trace->steps.size())
            .arg(trace->header.n),
        true);
    return;
  }
  auto life = Biography::of(*trace, *point);
  if (life)
    show_life(std::make_shared<const Biography>(std::move(*life)));
  else
    say(foreign_text(life.error().message()), false);
}

void BiographyPane::tell_in_background(PointId point) {
  const auto trace = workbench_.playback().trace();
  workbench_.jobs().start(
      tr("Following point %1").arg(point_label(point.value)), [this, trace, point](const RunControl& control) {
        auto life = std::make_shared<Result<Biography>>(Biography::of(*trace, point, [&](double share) {
          if (control.progress) control.progress(share, "");
          return !control.stop.stop_requested();
        }));
        return [this, trace, life] {
          if (!*life)
            workbench_.messages().report(life->error());
          else if (selected_point() == (*life)->point && workbench_.playback().trace() == trace)
            show_life(std::make_shared<const Biography>(std::move(**life)));
        };
      });
}

void BiographyPane::show_life(std::shared_ptr<const Biography> life) {
  say(QString(), false);
  life_ = std::move(life);
  of_trace_ = workbench_.playback().trace();
  const auto changes = std::count_if(life_->lines.begin(), life_->lines.end(),
                                     [](const BiographyLine& line) { return !line.what.empty(); });
  const QString name = tr("point %1 %2").arg(point_label(life_->point.value), foreign_text(life_->coordinates));
  title_->setText(tr("%L1 of %L2 steps change it").arg(changes).arg(life_->lines.size()));
  setWindowTitle(name);
  show_table();
}

void BiographyPane::show_table() {
  placing_ = true;
  model_->show(life_, of_trace_, changes_only_->isChecked());
  placing_ = false;
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() * 3 / 2);
  table_->resizeColumnsToContents();
  const int room = table_->fontMetrics().averageCharWidth() * 2;  // widths are measured without bold
  for (int c = 0; c + 1 < model_->columnCount(); ++c) table_->setColumnWidth(c, table_->columnWidth(c) + room);
  show_step();
}

void BiographyPane::show_step() {
  if (!life_ || of_trace_ != workbench_.playback().trace()) return;
  const int row = model_->row_of(workbench_.playback().step());
  placing_ = true;
  if (row < 0) {
    table_->clearSelection();
    table_->setCurrentIndex({});
  } else if (row != table_->currentIndex().row()) {
    table_->setCurrentIndex(model_->index(row, std::max(0, table_->currentIndex().column())));
  }
  placing_ = false;
}

bool BiographyPane::save(const QString& path) { return life_ && write(path, csv_of(*life_, *of_trace_)); }

bool BiographyPane::write(const QString& path, const std::string& csv) {
  return workbench_.messages().conclude(replace_file(QFile::encodeName(path).toStdString(), csv));
}

void BiographyPane::choose_file() {
  if (!life_) return;
  ask_for_file(*this,
               {tr("Save the biography"),
                {tr("Comma-separated values (*.csv)")},
                QStringLiteral("csv"),
                QStringLiteral("point-%1.csv").arg(life_->point.value)},
               [this, csv = csv_of(*life_, *of_trace_)](const QString& path) { write(path, csv); });
}

}  // namespace kdscope
