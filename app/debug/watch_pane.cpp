#include "app/debug/watch_pane.hpp"

#include <QAction>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "algorithms/text/numbers.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/panes/curtain.hpp"
#include "app/views/shown_updates.hpp"
#include "app/workbench/workbench_window.hpp"

namespace kdscope {
namespace {

enum Column { expression_column, value_column, before_column, columns };
constexpr int most_watches = 100;

QString value_text(double value) {
  if (std::isnan(value)) return QStringLiteral("\u2013");
  constexpr double exact = 1e15;  // whole numbers up to here are shown with every digit
  if (value == std::floor(value) && std::abs(value) < exact) return QString::number(static_cast<qint64>(value));
  return QString::fromStdString(short_number(value));
}

}  // namespace

WatchPane::WatchPane(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      shown_(new ShownUpdate(this, [this] { show_values(); })),
      field_(new QLineEdit),
      table_(new QTableWidget(0, columns)),
      status_(plain_label()),
      write_(new QAction(tr("Run to &condition\u2026"), this)),
      next_(new QAction(icon(Symbol::next_stop), tr("Run to the next step where the &watch holds"), this)),
      previous_(new QAction(icon(Symbol::previous_stop), tr("Run back to the step where the watch holds"), this)) {
  setAccessibleName(tr("Watches"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 6, 8, 0);
  column->setSpacing(4);
  auto* row = new QHBoxLayout;
  row->addWidget(field_, 1);
  auto* adds = new QPushButton(tr("Add"));
  adds->setObjectName(QStringLiteral("add_watch"));
  row->addWidget(adds);
  for (const auto& [action, key, name] :
       {std::tuple{previous_, QKeySequence(Qt::SHIFT | Qt::Key_F12), "previous_watch"},
        {next_, QKeySequence(Qt::Key_F12), "next_watch"}}) {
    action->setShortcut(key);
    action->setObjectName(QString::fromLatin1(name));
    QString words = action->text();
    action->setToolTip(
        QStringLiteral("%1 (%2)").arg(words.remove(QLatin1Char('&')), key.toString(QKeySequence::NativeText)));
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    row->addWidget(button);
  }
  column->addLayout(row);
  column->addWidget(table_, 1);
  column->addWidget(status_);
  field_->setObjectName(QStringLiteral("watch_text"));
  field_->setAccessibleName(tr("Expression to watch"));
  write_->setShortcut(Qt::CTRL | Qt::Key_F12);
  write_->setObjectName(QStringLiteral("write_condition"));
  table_->setObjectName(QStringLiteral("watches"));
  table_->setAccessibleName(tr("Watches and their values"));
  table_->setHorizontalHeaderLabels({tr("Watch"), tr("Value"), tr("Before")});
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setSectionResizeMode(expression_column, QHeaderView::Stretch);
  table_->setMinimumHeight(40);
  status_->setWordWrap(true);
  status_->setObjectName(QStringLiteral("watch_status"));
  auto* remove = new QAction(tr("Remove the watch"), table_);
  remove->setShortcut(Qt::Key_Delete);
  remove->setShortcutContext(Qt::WidgetShortcut);
  table_->addAction(remove);
  table_->setContextMenuPolicy(Qt::ActionsContextMenu);

  const auto add_field = [this] {
    if (add(field_->text())) field_->clear();
  };
  connect(field_, &QLineEdit::returnPressed, this, add_field);
  connect(adds, &QPushButton::clicked, this, add_field);
  connect(remove, &QAction::triggered, this, [this] { this->remove(table_->currentRow()); });
  connect(next_, &QAction::triggered, this, [this] { go(1); });
  connect(previous_, &QAction::triggered, this, [this] { go(-1); });
  connect(table_, &QTableWidget::itemChanged, this, [this](QTableWidgetItem* item) {
    if (!filling_ && item->column() == expression_column)
      stops_[static_cast<std::size_t>(item->row())] = item->checkState() == Qt::Checked;
  });
  field_->installEventFilter(this);
  connect(field_, &QLineEdit::textChanged, this, &WatchPane::show_actions);
  connect(&workbench.playback(), &Playback::opened, this, &WatchPane::parse_all);
  connect(&workbench.playback(), &Playback::stepped, shown_, &ShownUpdate::request);
  connect(&workbench.playback(), &Playback::baseline_changed, shown_, &ShownUpdate::request);
  new Curtain(this, workbench, [](const Concealment& concealed, const Trace&) { return concealed.hides_values(); });
  connect(&workbench.playback(), &Playback::stepped, this, &WatchPane::stop_playing);
  parse_all();
}

bool WatchPane::eventFilter(QObject* watched, QEvent* event) {
  if (watched == field_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    for (QAction* action : {next_, previous_})
      if (action->isEnabled() && action->shortcut() == QKeySequence(key->keyCombination())) {
        action->trigger();
        return true;
      }
  }
  return QWidget::eventFilter(watched, event);
}

bool WatchPane::add(const QString& text) {
  const QString wanted = text.trimmed();
  if (wanted.isEmpty() || !workbench_.playback().cursor()) return false;
  if (count() == most_watches) {
    say(tr("There are %1 watches already; remove one first.").arg(most_watches));
    return false;
  }
  auto expression = Expression::parse(wanted.toStdString(), *workbench_.playback().trace());
  if (!expression) {
    say(foreign_text(expression.error().message()));
    return false;
  }
  texts_.push_back(wanted);
  stops_.push_back(false);
  expressions_.push_back(std::move(expression));
  say({});
  show_values();
  table_->setCurrentCell(count() - 1, expression_column);
  return true;
}

void WatchPane::remove(int row) {
  if (row < 0 || row >= count()) return;
  texts_.erase(texts_.begin() + row);
  stops_.erase(stops_.begin() + row);
  expressions_.erase(expressions_.begin() + row);
  say({});
  show_values();
}

void WatchPane::set_stops(int row, bool stops) {
  if (row < 0 || row >= count()) return;
  stops_[static_cast<std::size_t>(row)] = stops;
  show_values();
}

void WatchPane::parse_all() {
  expressions_.clear();
  for (const QString& text : texts_)
    expressions_.push_back(workbench_.playback().cursor()
                               ? Expression::parse(text.toStdString(), *workbench_.playback().trace())
                               : Result<Expression>(Error{ErrorKind::bad_usage, "no run is open", "", ""}));
  field_->setPlaceholderText(
      workbench_.playback().cursor()
          ? tr("%1 or violations > 0").arg(foreign_text(Expression::examples(*workbench_.playback().trace())))
          : QString());
  show_actions();
  say({});
}

void WatchPane::show_values() {
  filling_ = true;
  table_->setRowCount(count());
  const Cursor *cursor = workbench_.playback().cursor(), *baseline = workbench_.playback().baseline();
  for (int row = 0; row < count(); ++row) {
    const auto& expression = expressions_[static_cast<std::size_t>(row)];
    const auto cell = [&](int column, const QString& text) -> QTableWidgetItem& {
      if (!table_->item(row, column)) table_->setItem(row, column, new QTableWidgetItem);
      QTableWidgetItem& item = *table_->item(row, column);
      item.setText(text);
      item.setToolTip({});
      return item;
    };
    QTableWidgetItem& name = cell(expression_column, texts_[static_cast<std::size_t>(row)]);
    name.setCheckState(stops_[static_cast<std::size_t>(row)] ? Qt::Checked : Qt::Unchecked);
    name.setToolTip(tr("A tick: playing stops at each step where it holds"));
    QString now, before;
    if (expression && cursor) now = value_text(expression->value(*cursor));
    if (expression && baseline) before = value_text(expression->value(*baseline));
    QTableWidgetItem& value = cell(value_column, expression ? now : tr("not in this run"));
    QFont font = table_->font();
    font.setBold(expression && baseline && now != before);
    value.setFont(font);
    if (!expression) value.setToolTip(plain_tip(foreign_text(expression.error().message())));
    cell(before_column, before);
  }
  table_->horizontalHeaderItem(before_column)->setToolTip(plain_tip(workbench_.playback().baseline_text()));
  filling_ = false;
  show_actions();
}

void WatchPane::show_actions() {
  const bool open = workbench_.playback().cursor() != nullptr;
  write_->setEnabled(open);
  for (QAction* action : {next_, previous_})
    action->setEnabled(open && (count() > 0 || !field_->text().trimmed().isEmpty()));
}

void WatchPane::go(int direction) {
  if (!workbench_.playback().cursor()) return;
  if (!field_->text().trimmed().isEmpty()) {
    if (!add(field_->text())) return;
    field_->clear();
  }
  const int row = table_->currentRow() < 0 ? 0 : table_->currentRow();
  if (row >= count()) return;
  const auto& expression = expressions_[static_cast<std::size_t>(row)];
  if (!expression) return say(foreign_text(expression.error().message()));
  const QString text = texts_[static_cast<std::size_t>(row)];
  const std::shared_ptr<const Trace> trace = workbench_.playback().trace();
  if (trace->stored_bytes() <= searched_at_once_)
    return show_found(text, *expression, step_where(*expression, *workbench_.playback().cursor(), direction),
                      direction);
  if (workbench_.jobs().busy()) return say(tr("Other work is running; wait for its end, or cancel it."));
  say(tr("Looking for a step where %1 holds\u2026").arg(text));
  workbench_.jobs().start(
      tr("Running to %1").arg(text),
      [this, text, direction, trace, condition = *expression,
       from = workbench_.playback().step()](const RunControl& control) -> BackgroundJob::Finish {
        Cursor cursor(trace);
        cursor.seek(from);
        const auto progress = [&](double share) {
          if (control.progress) control.progress(share, "steps");
        };
        const auto step = step_where(condition, cursor, direction, control.stop, progress);
        return [this, text, direction, trace, condition, step] {
          if (workbench_.playback().trace() == trace) show_found(text, condition, step, direction);
        };
      },
      [this, text](const Error& error) {
        say(error.kind == ErrorKind::cancelled ? tr("The run to %1 was cancelled.").arg(text)
                                               : foreign_text(error.message()));
      });
}

void WatchPane::write_condition() {
  field_->setFocus();
  field_->selectAll();
  say(tr("Write a condition; %1 runs to the next step where it holds, %2 back.")
          .arg(next_->shortcut().toString(QKeySequence::NativeText),
               previous_->shortcut().toString(QKeySequence::NativeText)));
}

void WatchPane::show_found(const QString& text, const Expression& expression, std::optional<std::uint32_t> step,
                           int direction) {
  if (!step)
    return say((direction > 0 ? tr("%1 holds at no later step.") : tr("%1 holds at no earlier step.")).arg(text));
  if (!workbench_.playback().allows(*step))
    return say(tr("%1 holds at a step that the exercise keeps back.").arg(text));
  workbench_.playback().seek(*step, [this, text, expression, at = *step] {
    ExpressionWalk there(expression, workbench_.playback().trace());
    there.seek(at);
    const QString reading = foreign_text(there.reading());
    say(tr("%1 holds at step %2").arg(text).arg(at) +
        (reading.isEmpty() ? QStringLiteral(".") : QStringLiteral(": %1.").arg(reading)));
  });
}

void WatchPane::stop_playing() {
  if (!workbench_.transport().playing()) return;
  for (std::size_t i = 0; i < expressions_.size(); ++i)
    if (stops_[i] && expressions_[i] && expressions_[i]->holds(*workbench_.playback().cursor())) {
      workbench_.transport().set_playing(false);
      say(tr("Stopped: %1 holds at step %2.").arg(texts_[i]).arg(workbench_.playback().step()));
      return;
    }
}

void WatchPane::say(const QString& text) {
  status_->setText(text);
  status_->setVisible(!text.isEmpty());
}

void add_watches(WorkbenchWindow& window, Workbench& workbench) {
  auto* pane = new WatchPane(workbench);
  QDockWidget* dock = window.add_dock(QStringLiteral("watches"), pane, nullptr, QStringLiteral("checks"), false);
  QObject::connect(pane->actions_of_menu().front(), &QAction::triggered, dock, [dock, pane] {
    dock->show();
    dock->raise();
    pane->write_condition();
  });
  QMenu& go = window.menu(QStringLiteral("go"));
  go.addMenu(QObject::tr("&Run to"))->addActions(pane->actions_of_menu());
}

}  // namespace kdscope
