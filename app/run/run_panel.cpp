#include "app/run/run_panel.hpp"

#include <QFileInfo>
#include <QScrollArea>
#include <QSignalBlocker>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/registry/parameter_check.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/run/field_grid.hpp"
#include "app/run/file_reading.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

/// The entry for edited points in the list of data. It is no source's id: these have no blanks.
const QString own_points = QStringLiteral("own points");

QLabel* small_print(const QString& text = {}) {
  auto* label = plain_label(text);
  label->setWordWrap(true);
  label->setForegroundRole(QPalette::PlaceholderText);
  return label;
}

Choices choices_of_algorithm() {
  Choices choices;
  for (const AlgorithmSpec& spec : algorithms())
    choices.emplace_back(
        QStringLiteral("%1 (%2)").arg(QString::fromStdString(spec.title), QString::fromStdString(spec.citation)),
        QString::fromStdString(spec.id));
  return choices;
}

Choices choices_of_data() {
  Choices choices;
  for (const DataSource& source : data_sources())
    choices.emplace_back(QString::fromStdString(source.title), QString::fromStdString(source.id));
  choices.emplace_back(RunPanel::tr("A file\u2026"), QString());
  choices.emplace_back(RunPanel::tr("Own points"), own_points);
  return choices;
}

/// Names the back ends of a device, and why it has no CUDA.
QString devices_text(const DeviceReport& devices) {
  QStringList lines;
  for (const Device& device : devices.devices)
    lines << (device.backend == Backend::automatic
                  ? QString()
                  : QString::fromUtf8(name_of(device.backend)).toUpper() + QStringLiteral(": ")) +
                 foreign_text(device.name);
  if (!devices.cuda_status.empty()) lines << foreign_text(devices.cuda_status);
  for (QString& line : lines) line = line.left(1).toUpper() + line.mid(1);
  return lines.join(QLatin1Char('\n'));
}

/// Puts a list below its name.
QVBoxLayout* titled(QComboBox& box) {
  auto* column = new QVBoxLayout;
  column->setSpacing(tokens::space_small);
  auto* label = rich_label(QStringLiteral("<b>%1</b>").arg(box.accessibleName()));
  label->setBuddy(&box);
  // Repeat the choice in the tool tip: the dock may be too narrow for it.
  const auto repeat = [&box] { box.setToolTip(plain_tip(box.currentText())); };
  QObject::connect(&box, &QComboBox::currentTextChanged, &box, repeat);
  repeat();
  column->addWidget(label);
  column->addWidget(&box);
  return column;
}

/// Replaces the fields in a place by an empty grid.
FieldGrid* fresh_fields(QWidget*& box, QVBoxLayout* place) {
  delete box;
  auto* fields = new FieldGrid;
  box = fields;
  place->addWidget(box);
  return fields;
}

}  // namespace

RunPanel::RunPanel(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      algorithm_(choice(narrow_combo(), {"algorithm", tr("Algorithm")}, choices_of_algorithm(),
                        [this] { make_parameter_fields(); })),
      source_(choice(narrow_combo(), {"data_source", tr("Data")}, choices_of_data(), [this] { make_data_fields(); })),
      place_(choice(narrow_combo(), {"run_device", tr("Device")}, {},
                    [this] {
                      const std::string name = place_->currentData().toString().toStdString();
                      workbench_.messages().conclude(workbench_.device_choice().choose(name));
                    })),
      backend_(choice(narrow_combo(), {"run_backend", tr("Back end")}, {}, [this] { validate(); })),
      summary_(small_print()),
      description_(small_print()),
      device_(small_print()),
      problem_(text_line({""})),
      file_row_(new QWidget),
      file_(entry({"data_file", tr("Data file")}, tr("CSV, XYZ, NPY, PCD, PLY, OBJ or STL"), [this] { validate(); })),
      how_read_(button({"how_read", tr("Choose how it is read\u2026"),
                        tr("Columns, type, shift, scale and more, with the first points as they are read")},
                       [this] { choose_reading(); })),
      budget_(number(new QSpinBox, {""}, Range{0, 1 << 24, 0})),
      run_(button({"run", tr("Run")}, [this] { workbench_.desk().run(spec()); })),
      cancel_(button({"cancel_run", tr("Cancel")},
                     [this] {
                       cancel_->setEnabled(false);
                       workbench_.jobs().cancel();
                     })),
      own_(button(
          {"make_own", tr("Edit a copy"), tr("Opens these points to be edited; nothing runs until you start it")},
          [this] { take_as_own_points(); })),
      progress_(new QProgressBar) {
  setAccessibleName(tr("Run panel"));
  setWindowTitle(tr("Algorithm, data and back end"));
  lay_out();
  connect(&workbench.edits(), &PointEdits::changed, this, &RunPanel::show_points);
  connect(&workbench.device_choice(), &DeviceChoice::changed, this, &RunPanel::show_devices);
  connect(&workbench.playback(), &Playback::opened, this, [this] { fill(workbench_.desk().request()); });
  connect(&workbench.jobs(), &Jobs::busy_changed, this, &RunPanel::show_busy);
  connect(&workbench.looks(), &Looks::changed, this, &RunPanel::validate);
  connect(&workbench.jobs(), &Jobs::progressed, this, &RunPanel::show_progress);
  make_parameter_fields();
  make_data_fields();
  show_devices();
  show_busy();
}

/// Places the fields in a page that scrolls, and below it the buttons that start and stop the run.
void RunPanel::lay_out() {
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(0);
  auto* scroll = named(new QScrollArea, {"", tr("What to run")});
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  outer->addWidget(scroll, 1);
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(12, 6, 12, 12);
  layout->setSpacing(6);
  scroll->setWidget(page);

  layout->addLayout(titled(*algorithm_));
  layout->addLayout(parameter_place_);
  layout->addSpacing(4);
  layout->addLayout(titled(*source_));
  auto* file_layout = new QHBoxLayout(file_row_);
  file_layout->setContentsMargins(0, 0, 0, 0);
  file_layout->addWidget(file_, 1);
  file_layout->addWidget(button(
      {"", tr("Browse\u2026")}, [this] { choose_file(); }, icon(Symbol::open)));
  for (QWidget* each : std::initializer_list<QWidget*>{file_row_, how_read_, description_}) layout->addWidget(each);
  layout->addLayout(data_place_);
  layout->addWidget(own_);
  layout->addSpacing(4);
  auto* devices = new FieldGrid;
  devices->add(tr("Device"), tr("The machine that records the run."), place_);
  devices->add(tr("Back end"), tr("What executes the run on that machine."), backend_);
  layout->addWidget(devices);
  layout->addWidget(device_);
  auto* limits = new FieldGrid;
  budget_->setSingleStep(1024);
  budget_->setGroupSeparatorShown(true);
  budget_->setSuffix(tr(" MiB"));
  budget_->setSpecialValueText(tr("automatic"));
  limits->add(
      tr("Memory for the recording"),
      tr("A recording that needs more is refused. Automatic: half of the memory that the machine has left, now %1.")
          .arg(QString::fromStdString(memory_text(default_trace_budget()))),
      budget_);
  layout->addWidget(limits);
  layout->addWidget(summary_);
  layout->addStretch(1);

  // Keep the buttons that start and stop the run in sight, however small the dock is.
  auto* footer = new QVBoxLayout;
  footer->setContentsMargins(12, 6, 12, 8);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(tokens::space);
  run_->setDefault(true);
  buttons->addWidget(run_, 2);
  buttons->addWidget(cancel_, 1);
  footer->addWidget(problem_);
  footer->addWidget(progress_);
  footer->addLayout(buttons);  // last, so that nothing that appears moves them
  outer->addLayout(footer);
  problem_->hide();
  progress_->setTextVisible(false);
  cancel_->setEnabled(false);
}

void RunPanel::show_devices() {
  const DeviceChoice& choice = workbench_.device_choice();
  const QSignalBlocker quiet_place(place_), quiet_backend(backend_);
  place_->clear();
  for (const KnownDevice& device : choice.all())
    place_->addItem(device.is_elsewhere() ? foreign_text(device.named.name) : tr("This machine"),
                    QString::fromStdString(device.named.name));
  place_->setCurrentIndex(place_->findData(QString::fromStdString(choice.chosen().named.name)));
  place_->setToolTip(plain_tip(place_->currentText()));
  show_backends(*backend_, workbench_.devices());
  const KnownDevice& chosen = choice.chosen();
  device_->setText(chosen.waits   ? tr("Connecting\u2026")
                   : chosen.error ? foreign_text(chosen.error->message())
                                  : devices_text(chosen.report));
  validate();
}

void RunPanel::show_progress(double fraction) {
  progress_->setRange(0, 1000);
  progress_->setValue(static_cast<int>(fraction * 1000));
}

void RunPanel::make_parameter_fields() {
  FieldGrid* fields = fresh_fields(parameter_box_, parameter_place_);
  parameter_fields_.clear();
  const AlgorithmSpec* spec = find_algorithm(algorithm_->currentData().toString().toStdString());
  summary_->setText(spec ? QString::fromStdString(spec->summary) : tr("This build has no algorithm."));
  if (!spec) return;
  for (const ParameterSpec& parameter : spec->parameters) {
    std::vector<std::pair<QString, QString>> choices;
    for (const Choice& choice : parameter.choices)
      choices.emplace_back(QString::fromStdString(choice.value), QString::fromStdString(choice.help));
    const QString start = QString::fromStdString(parameter.default_value);
    const FormField field = choices.empty() ? integer_field(parameter.min, parameter.max, start, parameter.automatic,
                                                            [this] { validate(); })
                                            : choice_field(choices, start, [this] { validate(); });
    parameter_fields_[parameter.name] = field;
    fields->add(QString::fromStdString(parameter.title), QString::fromStdString(parameter.help), field.widget);
  }
  validate();
}

void RunPanel::make_data_fields() {
  FieldGrid* fields = fresh_fields(data_box_, data_place_);
  data_fields_.clear();
  const DataSource* source = data_source_of(source_->currentData().toString().toStdString());
  file_row_->setVisible(takes_file());
  how_read_->setVisible(takes_file());
  own_->setVisible(!takes_own_points());
  description_->setText(source ? QString::fromStdString(source->description)
                               : tr("A file can also be dropped on the window."));
  if (takes_own_points()) show_points();
  if (source)
    for (const DataParameter& parameter : source->parameters) {
      const FormField field = field_of(parameter, [this] { validate(); });
      data_fields_[parameter.name] = field;
      field.widget->setObjectName(QString::fromStdString(parameter.name));
      fields->add(QString::fromStdString(parameter.title()), QString::fromStdString(parameter.help), field.widget);
    }
  validate();
}

RunRequest RunPanel::spec() const {
  RunRequest run;
  run.algorithm = algorithm_->currentData().toString().toStdString();
  run.backend = static_cast<Backend>(backend_->currentData().toInt());
  run.trace_budget_bytes = static_cast<std::uint64_t>(budget_->value()) << 20;
  for (const auto& [name, field] : parameter_fields_) run.parameters[name] = field.value().toStdString();
  if (takes_own_points()) {
    run.points = workbench_.edits().points();
    run.data = run.points ? run.points->name : std::string();
    return run;
  }
  DataForm form{source_->currentData().toString().toStdString(), {}, file_->text().toStdString()};
  for (const auto& [name, field] : data_fields_) form.parameters[name] = field.value().toStdString();
  run.data = specification_of(form);
  return run;
}

void RunPanel::fill(const RunRequest& run) {
  if (const int index = algorithm_->findData(QString::fromStdString(run.algorithm)); index >= 0)
    algorithm_->setCurrentIndex(index);
  budget_->setValue(static_cast<int>(run.trace_budget_bytes >> 20));
  // Set each parameter that the run leaves out to its default, whatever the form had before.
  if (const AlgorithmSpec* algorithm = find_algorithm(run.algorithm))
    for (const ParameterSpec& parameter : algorithm->parameters) {
      const auto given = run.parameters.find(parameter.name);
      parameter_fields_.at(parameter.name)
          .set(QString::fromStdString(given == run.parameters.end() ? parameter.default_value : given->second));
    }
  const DataForm form = run.points ? DataForm{own_points.toStdString(), {}, {}} : parse_data_form(run.data);
  source_->setCurrentIndex(source_->findData(QString::fromStdString(form.source)));
  file_->setText(form.source.empty() ? QString::fromStdString(specification_of(form)) : QString());
  for (const auto& [name, value] : form.parameters)
    if (const auto field = data_fields_.find(name); field != data_fields_.end())
      field->second.set(QString::fromStdString(value));
  if (const int index = backend_->findData(static_cast<int>(run.backend)); index >= 0) backend_->setCurrentIndex(index);
}

void RunPanel::choose_reading() {
  ask_how_to_read(*this, workbench_, file_->text(), tr("Use"),
                  [this](const QString& text, const QStringList&) { file_->setText(text); });
}

void RunPanel::choose_file() {
  ask_for_points(*this, QFileInfo(QString::fromStdString(data_file_of(file_->text().toStdString()))).path(),
                 [this](const QString& path) { file_->setText(path); });
}

bool RunPanel::takes_file() const { return source_->currentData().toString().isEmpty(); }

bool RunPanel::takes_own_points() const { return source_->currentData().toString() == own_points; }

void RunPanel::show_points() {
  // Let Run take the edited points until a person chooses other data.
  if (workbench_.edits().stale() && !takes_own_points()) {
    source_->setCurrentIndex(source_->findData(own_points));
    return;
  }
  if (!takes_own_points()) return;
  const auto data = workbench_.edits().points();
  description_->setText(data ? tr("%L1 points: %2. Edit them in the view, or in the Points pane.")
                                   .arg(data->points.size())
                                   .arg(foreign_text(data->name))
                             : tr("There are no points yet."));
  validate();
}

void RunPanel::take_as_own_points() {
  const RunRequest run = spec();
  workbench_.jobs().start(tr("Opening %1").arg(QString::fromStdString(run.data)), [this, run](const RunControl&) {
    auto opened = std::make_shared<Result<std::shared_ptr<const DataSet>>>(open_data_set(run.data));
    return [this, run, opened] {
      if (!*opened) {
        workbench_.messages().report(opened->error());
        return;
      }
      auto data = std::make_shared<DataSet>(***opened);
      const QString what = tr("take %1").arg(foreign_text(data->name));
      data->name = own_points_name("from " + data->name);
      workbench_.edits().edit(std::move(data), what);
    };
  });
}

PointSet RunPanel::form_points() const {
  if (takes_own_points() && workbench_.edits().points()) return workbench_.edits().points()->points;
  // Make up points: coordinates do not matter, and their number is limited to save time.
  const auto number = [this](const char* name, std::uint32_t otherwise) {
    const auto field = data_fields_.find(name);
    return field == data_fields_.end() ? otherwise : field->second.value().remove(QLatin1Char(',')).toUInt();
  };
  PointSet points;
  constexpr std::size_t most_words = 6'400'000;
  points.dim = std::clamp(number("dim", 2), 1u, most_dimensions());
  points.words.resize(
      std::clamp<std::size_t>(number("n", 1), 1u, std::min<std::size_t>(100'000, most_words / points.dim)) *
      points.dim);
  return points;
}

void RunPanel::validate() {
  const RunRequest run = spec();
  QString problem;
  const AlgorithmSpec* algorithm = find_algorithm(run.algorithm);
  if (!algorithm) {
    problem = tr("Choose an algorithm.");
  } else if (takes_own_points()) {
    const auto data = workbench_.edits().points();
    if (!data || data->points.size() == 0)
      problem = tr("There are no points yet: add some, or paste them.");
    else if (data->points.dim < algorithm->min_dim || data->points.dim > algorithm->max_dim)
      problem = tr("This algorithm takes %1 to %2 dimensions.").arg(algorithm->min_dim).arg(algorithm->max_dim);
  } else if (takes_file()) {
    const QString file = QString::fromStdString(data_file_of(run.data));
    if (file_->text().isEmpty())
      problem = tr("Choose a file.");
    else if (!QFileInfo(file).isFile())
      problem = tr("There is no file %1.").arg(file);
  } else if (const auto dim = data_fields_.find("dim"); dim != data_fields_.end()) {
    const std::uint32_t k = dim->second.value().toUInt();
    if (k < algorithm->min_dim || k > algorithm->max_dim)
      problem = tr("This algorithm takes %1 to %2 dimensions.").arg(algorithm->min_dim).arg(algorithm->max_dim);
  }
  if (problem.isEmpty())
    if (const auto fits = check_parameters(run.algorithm, run.parameters, run.backend, form_points()); !fits)
      problem = foreign_text(fits.error().message());
  how_read_->setEnabled(QFileInfo(QString::fromStdString(data_file_of(file_->text().toStdString()))).isFile());
  const Theme& t = theme_of(workbench_.looks().appearance());
  QPalette palette = problem_->palette();
  palette.setColor(QPalette::WindowText, colour(t.failed));
  problem_->setPalette(palette);
  problem_->setText(problem);
  problem_->setVisible(!problem.isEmpty());
  run_->setEnabled(problem.isEmpty() && !workbench_.jobs().busy());
  own_->setEnabled(run_->isEnabled() && workbench_.playback().cursor());
}

void RunPanel::show_busy() {
  const bool busy = workbench_.jobs().busy();
  cancel_->setEnabled(busy);
  progress_->setRange(0, busy ? 0 : 1);
  progress_->setVisible(busy);
  validate();
}

}  // namespace kdscope
