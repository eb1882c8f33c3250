#include "app/measure_panes/experiment_pane.hpp"

#include <QFile>
#include <QFileInfo>
#include <QHeaderView>
#include <QLineEdit>
#include <QPointer>
#include <QSignalBlocker>
#include <QSplitter>
#include <algorithm>
#include <sstream>

#include "algorithms/core/replaced_file.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/file_question.hpp"
#include "app/appearance/form_field.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/scrolling_page.hpp"
#include "app/experiments/experiment_file.hpp"
#include "app/measure/kept_file.hpp"

namespace kdscope {
namespace {

/// Larger sizes take minutes or longer.
constexpr std::uint64_t usual_max_n_on_cuda = 100'000'000;

/// "Figure 5, Wehr & Radkowski 2018": puts the place first, because a narrow field shows only the beginning, and the
/// place distinguishes experiments.
QString place_first(const QString& citation) {
  const qsizetype comma = citation.lastIndexOf(QLatin1String(", "));
  return comma < 0 ? citation : citation.mid(comma + 2) + QStringLiteral(", ") + citation.left(comma);
}

Choices choices_of_experiment() {
  Choices choices;
  for (const Experiment& e : experiments())
    choices.emplace_back(place_first(QString::fromStdString(e.spec.citation)), QString::fromStdString(e.spec.id));
  return choices;
}

/// Rows of a label and a field, one below the other where the width ends.
QFormLayout* label_rows(std::initializer_list<std::pair<QString, QWidget*>> rows) {
  auto* form = new QFormLayout;
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  for (const auto& [label, field] : rows) form->addRow(label, field);
  return form;
}

QString value_text(double value) { return QString::number(value, 'g', value >= 1000 ? 5 : 3); }

}  // namespace

ExperimentPane::ExperimentPane(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      side_(new QWidget),
      choice_(choice(narrow_combo(8), {"experiment", tr("Experiment")}, choices_of_experiment(),
                     [this] { make_options(); })),
      max_n_(choice(narrow_combo(8), {"experiment_max_n", tr("Largest N"), tr("Larger sizes are left out")}, {},
                    [this] { reset_rows(); })),
      backend_(choice(narrow_combo(8), {"experiment_backend", tr("Back end")}, {})),
      repeat_(number(new QSpinBox,
                     {"experiment_repeat", tr("Repeats"),
                      tr("Timed builds per size; automatic: as the file states, else 25, or fewer if they would take "
                         "over two seconds")},
                     Range{0, 1000, 0})),
      open_(button(
          {"open_experiment", tr("Open file\u2026"),
           tr("An experiment file: a sweep of your own, in YAML; or results that kdscope-cli kept of one or of bench")},
          [this] { choose_experiment_file(); })),
      run_(button({"run_experiment", tr("Run")}, [this] { run(); })),
      cancel_(button(
          {"cancel_experiment", tr("Cancel")},
          [this] {
            cancel_->setEnabled(false);
            say(tr("Cancelling\u2026"));
            workbench_.jobs().cancel();
          },
          icon(Symbol::cancel))),
      save_(button({"save_experiment", tr("Save\u2026")}, [this] { choose_file(); })),
      progress_(new QProgressBar),
      title_(text_line({""})),
      status_(text_line({"experiment_status"})),
      chart_(new ExperimentChart),
      chart_beside_(named(new ExperimentChart, {"experiment_chart_beside"})),
      table_(named(new QTableWidget, {"experiment_table", tr("Values of the experiment")})) {
  run_->setDefault(true);
  setWindowTitle(tr("Printed and measured here"));
  parameters_ = label_rows({});
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(run_, 1);
  buttons->addWidget(cancel_, 1);
  auto* column = new QVBoxLayout(side_);
  column->setContentsMargins(0, 0, 0, 0);
  for (QWidget* widget : std::initializer_list<QWidget*>{choice_, open_, title_}) column->addWidget(widget);
  column->addSpacing(6);
  column->addLayout(label_rows({{tr("Largest N"), max_n_}, {tr("Repeats"), repeat_}, {tr("Back end"), backend_}}));
  column->addLayout(parameters_);
  column->addSpacing(6);
  column->addLayout(buttons);
  column->addWidget(progress_);
  column->addWidget(status_);
  column->addStretch(1);
  column->addWidget(save_);

  auto* split = new QSplitter(Qt::Vertical);
  auto* charts = new QSplitter(Qt::Horizontal);
  for (QSplitter* each : {split, charts}) each->setChildrenCollapsible(false);
  charts->addWidget(chart_);
  charts->addWidget(chart_beside_);
  chart_beside_->hide();
  split->addWidget(charts);
  split->addWidget(table_);
  split->setStretchFactor(0, 5);
  split->setStretchFactor(1, 2);
  split->setSizes({500, 230});
  setAccessibleName(tr("Experiment"));
  layout_ = new QBoxLayout(QBoxLayout::LeftToRight, scrolling_page(*this));
  layout_->setContentsMargins(10, 8, 10, 8);
  layout_->setSpacing(10);
  layout_->addWidget(side_);
  layout_->addWidget(split, 1);

  title_->setForegroundRole(QPalette::PlaceholderText);
  repeat_->setSpecialValueText(tr("automatic"));
  progress_->setTextVisible(false);
  progress_->setRange(0, 1000);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
  for (QHeaderView* header : {table_->horizontalHeader(), table_->verticalHeader()})
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->verticalHeader()->hide();
  table_->setAlternatingRowColors(true);
  show_backends(*backend_, workbench.devices());
  make_options();

  connect(&workbench.device_choice(), &DeviceChoice::chosen_changed, this, [this] {
    show_backends(*backend_, workbench_.devices());
    if (!running_ && std::ranges::none_of(rows_, &ExperimentRow::measured)) reset_rows();
  });
  connect(&workbench.jobs(), &Jobs::busy_changed, this, &ExperimentPane::show_busy);
  connect(&workbench.looks(), &Looks::changed, this, [this] {
    say(status_->text(), failed_);
    show_rows();
  });
  connect(&workbench.jobs(), &Jobs::progressed, this, [this](double fraction, const QString& what) {
    if (!running_ || !cancel_->isEnabled()) return;
    progress_->setValue(static_cast<int>(fraction * 1000));
    say(what);
  });
}

void ExperimentPane::choose(const std::string& id) {
  if (running_) return;
  if (const int index = choice_->findData(QString::fromStdString(id)); index >= 0) choice_->setCurrentIndex(index);
}

void ExperimentPane::open_file(const QString& path) {
  if (workbench_.jobs().busy()) return;
  const QString whole_path = QFileInfo(path).absoluteFilePath();
  workbench_.jobs().start(
      tr("Opening %1").arg(foreign_text(whole_path)),
      [pane = QPointer(this), whole_path](const RunControl&) -> BackgroundJob::Finish {
        const std::string file = QFile::encodeName(whole_path).toStdString();
        const auto ends_in = [&](const char* end) {
          return whole_path.endsWith(QLatin1String(end), Qt::CaseInsensitive);
        };
        if (ends_in(".json") || ends_in(".csv")) {
          auto results = read_runs(file);
          return [pane, whole_path, results = std::move(results)] {
            if (!pane) return;
            if (results)
              pane->show_bench(whole_path, bench_charts(newest(*results)));
            else
              pane->say(foreign_text(results.error().message()), true);
          };
        }
        auto read = read_experiment(file);
        return [pane, whole_path, read = std::move(read)] {
          if (!pane) return;
          if (read)
            pane->show_file(whole_path, *read);
          else
            pane->say(foreign_text(read.error().message()), true);
        };
      },
      [pane = QPointer(this)](const Error& error) {
        if (pane) pane->say(foreign_text(error.message()), true);
      });
}

void ExperimentPane::show_file(const QString& path, Experiment experiment) {
  files_[path] = std::make_shared<const Experiment>(std::move(experiment));
  choose_opened(path, QFileInfo(path).fileName(), path);
}

void ExperimentPane::show_bench(const QString& path, std::vector<BenchChart> charts) {
  if (charts.empty()) return say(tr("%1 has no rows of known size.").arg(foreign_text(path)), true);
  for (std::size_t i = charts.size(); i-- > 0;) {  // the first one stays chosen
    const QString title = QString::fromStdString(charts[i].title), key = path + QLatin1Char('#') + title;
    files_[key] = std::make_shared<const Experiment>(std::move(charts[i].times));
    beside_of_file_.erase(key);
    if (!charts[i].speeds.spec.rows.empty())
      beside_of_file_[key] = std::make_shared<const Experiment>(std::move(charts[i].speeds));
    choose_opened(key, title + QStringLiteral(", ") + QFileInfo(path).fileName(), path);
  }
}

void ExperimentPane::choose_opened(const QString& key, const QString& text, const QString& path) {
  int index = choice_->findData(key);
  {
    const QSignalBlocker quiet(choice_);
    if (index < 0) {
      index = choice_->count();
      choice_->addItem(foreign_text(text), key);
      choice_->setItemData(index, plain_tip(path), Qt::ToolTipRole);
    }
    choice_->setCurrentIndex(index);
  }
  make_options();
}

void ExperimentPane::choose_experiment_file() {
  ask_for_file(*this,
               {tr("Open experiment file"),
                {tr("Experiment files and kept results (*.yaml *.yml *.json *.results.csv)"), tr("All files (*)")}},
               [this](const QString& path) { open_file(path); });
}

void ExperimentPane::make_options() {
  const QString chosen = choice_->currentData().toString();
  const auto file = files_.find(chosen);
  // A built-in experiment lives as long as the program, and needs no owner.
  experiment_ = file != files_.end()
                    ? file->second
                    : std::shared_ptr<const Experiment>(std::shared_ptr<void>(), find_experiment(chosen.toStdString()));
  const auto second = beside_of_file_.find(chosen);
  beside_ = second != beside_of_file_.end() ? second->second : nullptr;
  chart_beside_->setVisible(beside_ != nullptr);
  while (parameters_->rowCount() > 0) parameters_->removeRow(0);
  parameter_fields_.clear();
  if (!experiment_) return;
  const ExperimentSpec& spec = experiment_->spec;
  title_->setText(foreign_text(spec.title));
  title_->setToolTip(plain_tip(QString::fromStdString(spec.notes)));
  {
    const QSignalBlocker quiet(max_n_);
    max_n_->clear();
    std::vector<std::uint64_t> sizes;
    for (const ExperimentRow& row : spec.rows) sizes.push_back(row.n);
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    const std::uint64_t usual = !experiment_->measure ? sizes.back()
                                : workbench_.devices().devices.front().backend == Backend::cuda
                                    ? usual_max_n_on_cuda
                                    : spec.usual_max_n_on_cpu;
    for (const std::uint64_t n : sizes) {
      max_n_->addItem(QString::fromStdString(axis_text(static_cast<double>(n), "")),
                      QVariant::fromValue<qulonglong>(n));
      if (n <= usual) max_n_->setCurrentIndex(max_n_->count() - 1);
    }
  }
  for (const ParameterSpec& parameter : spec.parameters) {
    const QString name = QString::fromStdString(parameter.title);
    QComboBox* box = kdscope::choice(narrow_combo(8), {("experiment_" + parameter.name).c_str(), name}, {});
    for (const Choice& choice : parameter.choices) {
      box->addItem(QString::fromStdString(choice.value));
      box->setItemData(box->count() - 1, QString::fromStdString(choice.help), Qt::ToolTipRole);
    }
    if (parameter.choices.empty()) {  // an integer: typed, or one of the candidates
      box->setEditable(true);
      box->lineEdit()->setAccessibleName(name);
      if (parameter.automatic) box->addItem(QString::fromLatin1(automatic_value));
      for (const std::string& candidate : parameter.candidates) box->addItem(QString::fromStdString(candidate));
    }
    box->setCurrentText(QString::fromStdString(parameter.default_value));
    box->setToolTip(QString::fromStdString(parameter.help));
    parameters_->addRow(name, box);
    parameter_fields_[parameter.name] = box;
  }
  reset_rows();
}

ExperimentOptions ExperimentPane::options() const {
  ExperimentOptions options;
  options.max_n = max_n_->currentData().toULongLong();
  options.repeat = repeat_->value();
  options.backend = static_cast<Backend>(backend_->currentData().toInt());
  for (const auto& [name, box] : parameter_fields_) options.parameters[name] = box->currentText().toStdString();
  return options;
}

void ExperimentPane::reset_rows() {
  if (!experiment_ || running_) return;
  rows_ = rows_in_range(*experiment_);
  const KnownDevice& device = workbench_.device_choice().chosen();
  say(experiment_->measure ? tr("Press Run to measure the experiment on %1.")
                                 .arg(device.is_elsewhere() ? foreign_text(device.named.name) : tr("this machine"))
                           : tr("These are kept results; kdscope-cli measures them again."));
  show_rows();
  show_busy();
}

std::vector<ExperimentRow> ExperimentPane::rows_in_range(const Experiment& experiment) const {
  std::vector<ExperimentRow> rows = experiment.spec.rows;
  const std::uint64_t most = options().max_n;
  std::erase_if(rows, [&](const ExperimentRow& row) { return row.n > most; });
  return rows;
}

void ExperimentPane::run() {
  if (!experiment_ || !experiment_->measure || workbench_.jobs().busy()) return;
  reset_rows();
  running_ = true;
  progress_->setValue(0);
  // Deliver rows and the result through the workbench, which outlives the job; the pane may be gone before it ends.
  workbench_.jobs().start(
      tr("Measuring %1").arg(choice_->currentText()),
      [pane = QPointer(this), workbench = &workbench_, experiment = experiment_,
       options = options()](const RunControl& control) -> BackgroundJob::Finish {
        const auto sink = [&](std::size_t index, const ExperimentRow& row) {
          QMetaObject::invokeMethod(
              workbench,
              [pane, index, row] {
                if (pane) pane->add_row(index, row);
              },
              Qt::QueuedConnection);
        };
        const auto result = run_experiment(*experiment, options, sink, control);
        return [pane, result] {
          if (pane) pane->finish(result);
        };
      },
      [pane = QPointer(this)](const Error& error) {
        if (pane) pane->finish(error);
      });
}

void ExperimentPane::add_row(std::size_t index, const ExperimentRow& row) {
  // Find the row's place among the shown rows, which are those of the spec without the larger sizes.
  const std::vector<ExperimentRow>& all = experiment_->spec.rows;
  const std::uint64_t most = options().max_n;
  const auto place = std::count_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(index),
                                   [&](const ExperimentRow& before) { return before.n <= most; });
  rows_.at(static_cast<std::size_t>(place)) = row;
  show_rows();
}

void ExperimentPane::finish(const Result<void>& result) {
  running_ = false;
  show_busy();
  const auto measured = std::count_if(rows_.begin(), rows_.end(), [](const auto& row) { return row.measured(); });
  if (result)
    say(tr("Done: %n row(s) measured.", nullptr, static_cast<int>(measured)));
  else if (result.error().kind == ErrorKind::cancelled)
    say(tr("Cancelled. %n row(s) measured.", nullptr, static_cast<int>(measured)));
  else
    say(QString::fromStdString(result.error().message()), true);
}

void ExperimentPane::show_busy() {
  const bool busy = workbench_.jobs().busy();
  const bool measures = experiment_ && experiment_->measure;
  for (QWidget* field : {static_cast<QWidget*>(choice_), static_cast<QWidget*>(max_n_)}) field->setEnabled(!running_);
  for (QWidget* field : {static_cast<QWidget*>(backend_), static_cast<QWidget*>(repeat_)})
    field->setEnabled(!running_ && measures);
  for (const auto& [name, box] : parameter_fields_) box->setEnabled(!running_);
  open_->setEnabled(!busy);
  run_->setEnabled(measures && !busy);
  run_->setToolTip(busy && !running_ ? tr("Something else is running") : QString());
  cancel_->setEnabled(running_);
  progress_->setVisible(running_);
  save_->setEnabled(!running_ && std::any_of(rows_.begin(), rows_.end(), [](const ExperimentRow& row) {
    return row.measured() || !row.reason.empty();
  }));
}

void ExperimentPane::show_rows() {
  if (!experiment_) return;
  chart_->show_rows(experiment_->spec, rows_, theme_of(workbench_.looks().appearance()));
  if (beside_)
    chart_beside_->show_rows(beside_->spec, rows_in_range(*beside_), theme_of(workbench_.looks().appearance()));
  fill_table();
}

void ExperimentPane::fill_table() {
  const ExperimentSpec& spec = experiment_->spec;
  const QString unit = QString::fromStdString(spec.y.unit);
  const bool mean = spec.statistic == Statistic::mean_and_deviation, facets = !spec.facet_column.empty();
  QStringList titles{QString::fromStdString(spec.series_column), QString::fromStdString(spec.x_column),
                     (mean ? tr("mean, %1") : tr("measured, %1")).arg(unit),
                     mean ? tr("\u00b1 deviation") : tr("from \u2013 to")};
  if (facets) titles.prepend(QString::fromStdString(spec.facet_column));
  const int value_column = facets ? 3 : 2;
  for (const std::string& detail : spec.details) titles << QString::fromStdString(detail);
  for (const PrintedSeries& printed : spec.printed) titles << QString::fromStdString(printed.title);
  titles << tr("builds") << tr("tree hash");
  table_->setColumnCount(static_cast<int>(titles.size()));
  table_->setHorizontalHeaderLabels(titles);
  table_->setRowCount(static_cast<int>(rows_.size()));
  int latest = -1;
  for (int r = 0; r < table_->rowCount(); ++r) {
    const ExperimentRow& row = rows_[static_cast<std::size_t>(r)];
    const QString none = row.reason.empty() ? QStringLiteral("\u2013") : QString::fromStdString(row.reason);
    QStringList cells{
        QString::fromStdString(row.series), QString::fromStdString(axis_text(row.x, spec.x.unit)),
        row.measured() ? value_text(row.middle(spec.statistic)) : none,
        !row.measured() ? QString()
        : mean          ? value_text(row.samples.deviation())
               : value_text(row.samples.least()) + QStringLiteral(" \u2013 ") + value_text(row.samples.most())};
    if (facets) cells.prepend(QString::fromStdString(row.facet));
    for (std::size_t d = 0; d < spec.details.size(); ++d)
      cells << (d < row.details.size() ? QString::fromStdString(row.details[d]) : QString());
    for (const PrintedValue& printed : row.printed) cells << QString::fromStdString(printed.text);
    cells << (row.measured() ? QString::number(row.samples.count()) : QString())
          << (row.facts.hash != 0 ? QStringLiteral("%1").arg(row.facts.hash, 16, 16, QLatin1Char('0')) : QString());
    for (int c = 0; c < cells.size(); ++c) {
      auto* cell = new QTableWidgetItem(cells[c]);
      cell->setTextAlignment((c < value_column - 1 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
      if (c == value_column && row.measured()) {
        QFont bold = table_->font();
        bold.setBold(true);
        cell->setFont(bold);
      }
      table_->setItem(r, c, cell);
    }
    if (row.measured() || !row.reason.empty()) latest = r;
  }
  if (latest >= 0) table_->scrollToItem(table_->item(latest, 0));
}

void ExperimentPane::say(const QString& text, bool failed) {
  failed_ = failed;
  const Theme& t = theme_of(workbench_.looks().appearance());
  QPalette palette = status_->palette();
  palette.setColor(QPalette::WindowText, colour(failed ? t.failed : t.text));
  status_->setPalette(palette);
  status_->setText(text);
}

std::string ExperimentPane::csv() const {
  std::ostringstream csv;
  write_csv_header(csv, experiment_->spec);
  for (const ExperimentRow& row : rows_)
    if (row.measured() || !row.reason.empty()) write_csv_row(csv, experiment_->spec, row);
  return csv.str();
}

bool ExperimentPane::save(const QString& path) { return write(path, csv(), chart_->svg()); }

bool ExperimentPane::write(const QString& path, const std::string& csv, const std::string& svg) {
  const std::string& text = path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive) ? svg : csv;
  const auto saved = replace_file(QFile::encodeName(path).toStdString(), text);
  saved ? say(tr("Saved to %1.").arg(path)) : say(QString::fromStdString(saved.error().message()), true);
  return saved.has_value();
}

void ExperimentPane::choose_file() {
  ask_for_file(*this,
               {tr("Save experiment"),
                {tr("CSV (*.csv)"), tr("Chart (*.svg)")},
                QStringLiteral("csv"),
                QString::fromStdString(experiment_->spec.id) + QStringLiteral(".csv")},
               [this, csv = csv(), svg = chart_->svg()](const QString& path) { write(path, csv, svg); });
}

void ExperimentPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  // Place the options beside the chart, or above it in a narrow dock.
  const int em = fontMetrics().height();
  const bool wide = width() > 38 * em;
  layout_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  side_->setMaximumWidth(wide ? 14 * em : QWIDGETSIZE_MAX);
}

}  // namespace kdscope
