#include "app/measure_panes/tuning_panel.hpp"

#include <QFormLayout>
#include <QPointer>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

#include "algorithms/run/run.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/value_table.hpp"
#include "datasets/datasets.hpp"

namespace kdscope {
namespace {

constexpr std::uint64_t size_limits[] = {2'000, 20'000, 100'000, 500'000, 2'000'000};
constexpr std::uint64_t usual_limit_on_cpu = 20'000, usual_limit_on_cuda = 500'000;

/// The algorithm's id and the parameter's name in the chosen entry.
std::pair<std::string, std::string> search_of(const QComboBox& box) {
  const QStringList parts = box.currentData().toStringList();
  return parts.size() == 2 ? std::pair(parts[0].toStdString(), parts[1].toStdString())
                           : std::pair<std::string, std::string>();
}

Choices choices_of_parameter() {
  Choices choices;
  for (const AlgorithmSpec& algorithm : algorithms())
    for (const ParameterSpec& parameter : tunable_parameters(algorithm))
      choices.emplace_back(QString::fromStdString(algorithm.citation + ": " + parameter.title),
                           QStringList{QString::fromStdString(algorithm.id), QString::fromStdString(parameter.name)});
  return choices;
}

Choices choices_of_size() {
  Choices choices;
  for (const std::uint64_t n : size_limits)
    choices.emplace_back(QStringLiteral("%L1").arg(n), QVariant::fromValue<qulonglong>(n));
  return choices;
}

}  // namespace

TuningPanel::TuningPanel(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      parameter_(choice(narrow_combo(8), {"tuning_parameter", tr("Parameter to search")}, choices_of_parameter(),
                        [this] { show_stored(); })),
      max_n_(choice(narrow_combo(8), {"tuning_max_n", tr("Most points")}, choices_of_size())),
      start_(button({"tune", tr("Find the best values"),
                     tr("Builds uniform points of several sizes with every value, and keeps the fastest values for "
                        "\"auto\"")},
                    [this] { start(); })),
      device_(text_line({""})),
      status_(text_line({"tuning_status"})),
      table_(value_table({"tuning_table", tr("Milliseconds by number of points and value")})) {
  start_->setDefault(true);
  setAccessibleName(tr("Search for automatic parameters"));
  const bool cuda = workbench.devices().devices.front().backend == Backend::cuda;
  max_n_->setCurrentIndex(
      max_n_->findData(QVariant::fromValue<qulonglong>(cuda ? usual_limit_on_cuda : usual_limit_on_cpu)));
  for (QComboBox* box : {parameter_, max_n_}) {
    box->setToolTip(box->currentText());
    connect(box, &QComboBox::currentTextChanged, box, &QWidget::setToolTip);
  }
  device_->setForegroundRole(QPalette::PlaceholderText);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(rich_label(QStringLiteral("<b>%1</b>").arg(tr("What \"auto\" means on this device"))));
  auto* form = new QFormLayout;
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->addRow(tr("Search for"), parameter_);
  form->addRow(tr("Most points"), max_n_);
  layout->addLayout(form);
  layout->addWidget(start_, 0, Qt::AlignLeft);
  layout->addWidget(status_);
  layout->addWidget(table_);
  layout->addWidget(device_);
  setVisible(parameter_->count() > 0);

  connect(&workbench.playback(), &Playback::opened, this, &TuningPanel::choose_open);
  connect(&workbench.device_choice(), &DeviceChoice::chosen_changed, this, [this] {
    show_stored();
    show_busy();
  });
  connect(&workbench.jobs(), &Jobs::busy_changed, this, &TuningPanel::show_busy);
  connect(&workbench.looks(), &Looks::changed, this, &TuningPanel::fill_table);
  choose_open();
  show_busy();
}

/// Chooses a parameter of the open run's algorithm, where it has one.
void TuningPanel::choose_open() {
  const std::string open = workbench_.desk().request().algorithm;
  for (int i = 0; i < parameter_->count() && search_of(*parameter_).first != open && !running_; ++i)
    if (parameter_->itemData(i).toStringList().value(0).toStdString() == open) parameter_->setCurrentIndex(i);
  show_stored();
}

Device TuningPanel::device() const {
  const std::vector<Device>& devices = workbench_.devices().devices;
  const Backend wanted = workbench_.desk().request().backend;
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [&](const Device& d) { return wanted == Backend::automatic || d.backend == wanted; });
  return found == devices.end() ? devices.front() : *found;
}

void TuningPanel::start() {
  if (parameter_->count() == 0 || workbench_.jobs().busy()) return;
  const auto [algorithm, parameter] = search_of(*parameter_);
  TuningRequest request;
  request.algorithm = algorithm;
  request.parameter = parameter;
  request.backend = device().backend;
  request.sizes = tuning_sizes(max_n_->currentData().toULongLong());
  request.data = [](std::uint64_t n) { return open_data_set("uniform:n=" + std::to_string(n) + ",dim=3,seed=1"); };
  request.measure = [](const RunRequest& run, const RunControl& control) { return run_build(run, control); };
  running_ = true;
  rows_.clear();
  fill_table();
  status_->setText(tr("Searching\u2026 The Cancel button is at the top of the window."));
  // Deliver rows and the result through the workbench, which outlives the job; the panel may be gone before it ends.
  workbench_.jobs().start(
      tr("Searching for %1").arg(parameter_->currentText()),
      [panel = QPointer(this), workbench = &workbench_, request](const RunControl& control) -> BackgroundJob::Finish {
        const auto heard = [&](const TuningRow& row) {
          QMetaObject::invokeMethod(
              workbench,
              [panel, row] {
                if (!panel) return;
                panel->rows_.push_back(row);
                panel->fill_table();
              },
              Qt::QueuedConnection);
        };
        const auto found = search_tuning(request, heard, control);
        return [panel, found] {
          if (panel) panel->finish(found);
        };
      },
      [panel = QPointer(this)](const Error& error) {
        if (panel) panel->finish(error);
      });
}

void TuningPanel::finish(const Result<TuningReport>& found) {
  running_ = false;
  const auto stored = found ? store_tuning(*found) : Result<void>(found.error());
  show_stored();
  if (!stored) {
    status_->setText(stored.error().kind == ErrorKind::cancelled ? tr("Cancelled: no result of this search was kept.")
                                                                 : tr("No result of this search was kept."));
    workbench_.messages().report(stored.error());
  } else if (!found->cut_short.empty()) {
    workbench_.messages().report({ErrorKind::out_of_memory,
                                  "larger sizes were left out of the search: " + found->cut_short, "",
                                  "choose fewer points"});
  }
}

void TuningPanel::show_stored() {
  if (running_ || parameter_->count() == 0) return;
  const Device device = this->device();
  device_->setText(foreign_text(device.name));
  if (workbench_.device_choice().chosen().is_elsewhere()) {  // its builders read the values that are kept there
    rows_.clear();
    status_->setText(tr("Values are kept on the machine whose builders use them: run kdscope-cli tune there."));
    return fill_table();
  }
  const auto stored = stored_tuning(device);
  rows_.clear();
  const auto [algorithm, parameter] = search_of(*parameter_);
  for (const TuningRow& row : stored ? *stored : std::vector<TuningRow>())
    if (row.algorithm == algorithm && row.parameter == parameter) rows_.push_back(row);
  if (!stored)
    status_->setText(foreign_text(stored.error().message()));
  else if (rows_.empty())
    status_->setText(tr("Not searched yet: \"auto\" is the algorithm's own choice."));
  else
    status_->setText(
        tr("Kept: \"auto\" takes the best value of the nearest number of points. Medians in milliseconds."));
  fill_table();
}

void TuningPanel::fill_table() {
  QStringList values, titles{tr("points"), tr("best")};
  std::set<std::uint64_t> sizes;
  for (const TuningRow& row : rows_) {
    sizes.insert(row.n);
    if (const QString value = QString::fromStdString(row.value); !values.contains(value)) values << value;
  }
  table_->clearContents();
  table_->setColumnCount(2 + static_cast<int>(values.size()));
  table_->setHorizontalHeaderLabels(titles + values);
  table_->setRowCount(static_cast<int>(sizes.size()));
  const auto put = [&](int row, int column, const QString& text, bool best) {
    auto* cell = new QTableWidgetItem(text);
    cell->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    QFont font = table_->font();
    font.setBold(best);
    cell->setFont(font);
    table_->setItem(row, column, cell);
  };
  int line = 0;
  for (const std::uint64_t n : sizes) {
    const TuningRow* best = best_tuning(rows_, n);
    put(line, 0, QStringLiteral("%L1").arg(n), false);
    put(line, 1, QString::fromStdString(best->value), true);
    for (const TuningRow& row : rows_) {
      if (row.n != n) continue;
      const bool is_best = row.value == best->value;
      put(line, 2 + static_cast<int>(values.indexOf(QString::fromStdString(row.value))),
          (is_best ? QStringLiteral("\u2713 ") : QString()) + QString::number(row.median_ms, 'g', 3), is_best);
    }
    ++line;
  }
  table_->setVisible(line > 0);
  fit_height(*table_);
}

void TuningPanel::show_busy() {
  const bool busy = workbench_.jobs().busy();
  start_->setEnabled(!busy && !workbench_.device_choice().chosen().is_elsewhere());
  for (QComboBox* box : {parameter_, max_n_}) box->setEnabled(!running_ || !busy);
}

}  // namespace kdscope
