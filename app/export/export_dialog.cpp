#include "app/export/export_dialog.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QStandardPaths>
#include <QVBoxLayout>

#include "app/appearance/appearance.hpp"
#include "app/appearance/file_question.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/views/scene_view.hpp"
#include "app/workbench/open_questions.hpp"
#include "app/workbench/workbench.hpp"
#include "app/workbench/workbench_window.hpp"
#include "walkthroughs/reader/panes.hpp"

namespace kdscope {
namespace {

struct Preset {
  const char* name;
  int width, height;
};
constexpr Preset presets[] = {{"720p", 1280, 720}, {"1080p", 1920, 1080}, {"4K", 3840, 2160}, {"8K", 7680, 4320}};

QString title_of(ExportWhat what) {
  switch (what) {
    case ExportWhat::view:
      return ExportDialog::tr(pane_named("view").title);
    case ExportWhat::tree:
      return ExportDialog::tr(pane_named("tree").title);
    case ExportWhat::partition:
      return ExportDialog::tr("Partition of x and y");
    case ExportWhat::coordinates:
      return ExportDialog::tr(pane_named("coordinates").title);
    case ExportWhat::page:
      return ExportDialog::tr("Web page");
    case ExportWhat::handout:
      return ExportDialog::tr("Handout of the lesson");
    case ExportWhat::table:
      break;
  }
  return ExportDialog::tr("Arrays as a table");
}

QString title_of(ExportFormat format) {
  switch (format) {
    case ExportFormat::png:
      return ExportDialog::tr("PNG picture");
    case ExportFormat::svg:
      return ExportDialog::tr("SVG, vector lines and text");
    case ExportFormat::pdf:
      return ExportDialog::tr("PDF, vector lines and text");
    case ExportFormat::gif:
      return ExportDialog::tr("GIF film");
    case ExportFormat::mp4:
      return ExportDialog::tr("MP4 film");
    case ExportFormat::webm:
      return ExportDialog::tr("WebM film");
    case ExportFormat::html:
      return ExportDialog::tr("HTML, one file that works offline");
    case ExportFormat::csv:
      break;
  }
  return ExportDialog::tr("CSV");
}

/// The folder of the last export, for the next one.
QString& last_folder() {
  static QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  return folder;
}

template <class Widget>
Widget* named(Widget* widget, const char* name, const QString& spoken) {
  widget->setObjectName(QString::fromLatin1(name));
  widget->setAccessibleName(spoken);
  return widget;
}

QSpinBox* spin(int low, int high, int value) {
  auto* box = new QSpinBox;
  box->setRange(low, high);
  box->setValue(value);
  return box;
}

/// Puts widgets side by side into one row of the form.
QWidget* row_of(std::initializer_list<QWidget*> widgets) {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  for (QWidget* widget : widgets) layout->addWidget(widget);
  layout->addStretch(1);
  return row;
}

}  // namespace

ExportDialog::ExportDialog(Workbench& workbench, const Scene& look, QWidget* parent)
    : QDialog(parent), workbench_(workbench), look_(look) {
  setObjectName(QStringLiteral("export"));
  setWindowTitle(tr("Export"));
  auto* layout = new QVBoxLayout(this);
  inputs_ = new QWidget;
  form_ = new QFormLayout(inputs_);
  form_->setContentsMargins(0, 0, 0, 0);
  form_->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);  // a list is as wide as its words
  make_form(*form_);
  layout->addWidget(inputs_);
  message_ = named(plain_label(), "export_message", tr("Problem or result"));
  message_->setWordWrap(true);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  layout->addWidget(message_);
  progress_ = named(new QProgressBar, "export_progress", tr("Progress"));
  progress_->setRange(0, 1000);
  progress_->hide();
  layout->addWidget(progress_);
  layout->addStretch(1);
  auto* buttons = new QHBoxLayout;
  start_ = named(new QPushButton(tr("&Export")), "export_start", tr("Export"));
  close_ = named(new QPushButton(tr("Close")), "export_close", tr("Close"));
  start_->setDefault(true);
  buttons->addStretch(1);
  buttons->addWidget(start_);
  buttons->addWidget(close_);
  layout->addLayout(buttons);
  setMinimumWidth(38 * fontMetrics().averageCharWidth() * 2);

  connect(what_, &QComboBox::currentIndexChanged, this, &ExportDialog::list_formats);
  connect(format_, &QComboBox::currentIndexChanged, this, [this] {
    if (is_film(format()) && first_->value() == last_->value()) {  // nobody wants a film of one step
      first_->setValue(0);
      last_->setValue(last_->maximum());
    }
    show_rows();
    suggest_file();
  });
  for (QSpinBox* box : {first_, last_, width_, height_, frames_, stop_frames_})
    connect(box, &QSpinBox::valueChanged, this, &ExportDialog::show_problem);
  connect(speed_, &QDoubleSpinBox::valueChanged, this, &ExportDialog::show_problem);
  connect(file_, &QLineEdit::textChanged, this, &ExportDialog::show_problem);
  connect(table_, &QComboBox::currentIndexChanged, this, &ExportDialog::show_problem);
  connect(start_, &QPushButton::clicked, this, &ExportDialog::start);
  connect(close_, &QPushButton::clicked, this, &ExportDialog::reject);
  connect(&exporter_, &Exporter::progressed, this, [this](double fraction, const QString& now) {
    progress_->setValue(static_cast<int>(1000 * fraction));
    progress_->setFormat(QStringLiteral("%p %   ") + now);
  });
  connect(&exporter_, &Exporter::wrote, this, [this](const QString& path) { written_ << path; });
  connect(&exporter_, &Exporter::finished, this, &ExportDialog::end);
  list_formats();
}

void ExportDialog::make_form(QFormLayout& form) {
  const Trace& trace = *workbench_.playback().trace();
  const int step = static_cast<int>(workbench_.playback().step()), last = static_cast<int>(trace.steps.size()) - 1;
  what_ = named(new QComboBox, "export_what", tr("What is exported"));
  for (const ExportWhat what : {ExportWhat::view, ExportWhat::tree, ExportWhat::partition, ExportWhat::coordinates,
                                ExportWhat::table, ExportWhat::page, ExportWhat::handout})
    if (what != ExportWhat::handout || workbench_.lessons().lesson())
      what_->addItem(title_of(what), static_cast<int>(what));
  form.addRow(tr("&What"), what_);
  format_ = named(new QComboBox, "export_format", tr("File format"));
  form.addRow(tr("&As"), format_);
  table_ = named(new QComboBox, "export_table", tr("Lines of the table"));
  for (const Space space : export_tables(trace))
    table_->addItem(tr("one line per %1").arg(QLatin1String(name_of(space))), QString::fromLatin1(name_of(space)));
  form.addRow(tr("&Table"), table_);

  first_ = named(spin(0, last, step), "export_first", tr("First step"));
  last_ = named(spin(0, last, step), "export_last", tr("Last step"));
  auto* this_step = named(new QPushButton(tr("This step")), "export_this_step", tr("This step"));
  auto* all_steps = named(new QPushButton(tr("All steps")), "export_all_steps", tr("All steps"));
  const auto choose_steps = [this](int from, int to) {
    return [this, from, to] {
      first_->setValue(from);
      last_->setValue(to);
    };
  };
  connect(this_step, &QPushButton::clicked, this, choose_steps(step, step));
  connect(all_steps, &QPushButton::clicked, this, choose_steps(0, last));
  steps_row_ = row_of({first_, plain_label(tr("to")), last_, this_step, all_steps});
  form.addRow(tr("&Steps"), steps_row_);

  size_row_ = size_row();
  form.addRow(tr("S&ize"), size_row_);
  theme_ = named(new QComboBox, "export_theme", tr("Theme"));
  for (const ThemeId id : all_themes)
    theme_->addItem(QString::fromUtf8(theme(id).title), QString::fromUtf8(theme(id).name));
  theme_->setCurrentIndex(theme_->findData(QString::fromStdString(workbench_.looks().appearance().theme)));
  form.addRow(tr("T&heme"), theme_);
  captions_ = named(new QCheckBox(tr("Title and place of the step")), "export_captions", tr("Captions"));
  captions_->setChecked(true);
  form.addRow(tr("&Captions"), captions_);
  answers_ = named(new QCheckBox(tr("Below the questions")), "export_answers", tr("Answers"));
  form.addRow(tr("A&nswers"), answers_);

  speed_ = named(new QDoubleSpinBox, "export_speed", tr("Steps per second"));
  speed_->setRange(0.05, 60);
  speed_->setValue(1);
  form.addRow(tr("Steps per secon&d"), speed_);
  frames_ = named(spin(1, 600, 5), "export_frames", tr("Frames per step"));
  form.addRow(tr("F&rames per step"), frames_);
  stop_frames_ = named(spin(1, 600, 15), "export_stop_frames", tr("Frames at a stop of the lesson"));
  form.addRow(tr("Frames at a s&top"), stop_frames_);

  file_ = named(new QLineEdit, "export_file", tr("File"));
  auto* browse = named(new QPushButton(tr("&Browse\u2026")), "export_browse", tr("Choose a file"));
  connect(browse, &QPushButton::clicked, this, &ExportDialog::choose_file);
  file_row_ = new QWidget;
  file_row_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  auto* file_layout = new QHBoxLayout(file_row_);
  file_layout->setContentsMargins(0, 0, 0, 0);
  file_layout->addWidget(file_, 1);
  file_layout->addWidget(browse);
  form.addRow(tr("&File"), file_row_);
  for (const auto& [row, first] :
       {std::pair<QWidget*, QWidget*>{steps_row_, first_}, {size_row_, width_}, {file_row_, file_}})
    static_cast<QLabel*>(form.labelForField(row))->setBuddy(first);
}

QWidget* ExportDialog::size_row() {
  width_ = named(spin(64, most_width, 1920), "export_width", tr("Width in pixels"));
  height_ = named(spin(64, most_height, 1080), "export_height", tr("Height in pixels"));
  auto* choice = named(new QPushButton(tr("Usual sizes")), "export_sizes", tr("Usual sizes"));
  auto* menu = new QMenu(choice);
  for (const Preset& preset : presets)
    menu->addAction(
        QStringLiteral("%1: %2 \u00d7 %3").arg(QLatin1String(preset.name)).arg(preset.width).arg(preset.height), this,
        [this, &preset] {
          width_->setValue(preset.width);
          height_->setValue(preset.height);
        });
  choice->setMenu(menu);
  return row_of({width_, plain_label(QStringLiteral("\u00d7")), height_, choice});
}

ExportWhat ExportDialog::what() const { return static_cast<ExportWhat>(what_->currentData().toInt()); }
ExportFormat ExportDialog::format() const { return static_cast<ExportFormat>(format_->currentData().toInt()); }

void ExportDialog::list_formats() {
  const QVariant before = format_->currentData();
  {
    const QSignalBlocker quiet(format_);
    format_->clear();
    for (const ExportFormat format : formats_of(what())) format_->addItem(title_of(format), static_cast<int>(format));
    format_->setCurrentIndex(std::max(0, before.isValid() && what_->hasFocus() ? format_->findData(before) : 0));
  }
  show_rows();
  suggest_file();
}

void ExportDialog::show_rows() {
  const bool numbers = format() == ExportFormat::csv, film = is_film(format()), lesson = is_of_lesson(what());
  form_->setRowVisible(table_, what() == ExportWhat::table);
  form_->setRowVisible(steps_row_, !lesson);
  form_->setRowVisible(answers_, what() == ExportWhat::handout);
  for (QWidget* row : std::initializer_list<QWidget*>{size_row_, theme_, captions_})
    form_->setRowVisible(row, !numbers && !lesson);
  form_->setRowVisible(speed_, film);
  form_->setRowVisible(frames_, film && format() != ExportFormat::gif);
  form_->setRowVisible(stop_frames_,
                       film && format() != ExportFormat::gif && !workbench_.lessons().stop_steps().empty());
  show_problem();
}

void ExportDialog::suggest_file() {
  const QString ending = QLatin1Char('.') + QLatin1String(name_of(format()));
  QString path = file_->text();
  if (path.isEmpty() || path.contains(QLatin1String("kdscope-")))  // a suggested name follows the choice
    path = QDir(last_folder()).filePath(QStringLiteral("kdscope-%1").arg(QLatin1String(name_of(what()))));
  else if (export_format_of(path.toStdString()))
    path.chop(QFileInfo(path).suffix().size() + 1);
  file_->setText(path + ending);
}

void ExportDialog::choose_file() {
  const QString ending = QLatin1String(name_of(format()));
  ask_for_file(*this, {tr("Export to"), {tr("%1 (*.%2)").arg(format_->currentText(), ending)}, ending, file_->text()},
               [this](const QString& path) {
                 const QString dotted = QLatin1Char('.') + QLatin1String(name_of(format()));
                 file_->setText(path.endsWith(dotted) ? path : path + dotted);
               });
}

ExportRequest ExportDialog::request() const {
  ExportRequest request;
  request.what = what();
  request.format = format();
  request.path = file_->text().trimmed().toStdString();
  request.first = static_cast<std::uint32_t>(first_->value());
  request.last = static_cast<std::uint32_t>(last_->value());
  request.width = width_->value();
  request.height = height_->value();
  request.axes = workbench_.playback().place().axes;
  request.theme = theme_->currentData().toString().toStdString();
  request.text_scale = workbench_.looks().appearance().text_scale;
  request.smallest_boxes = workbench_.looks().appearance().smallest_boxes;
  request.surface = workbench_.looks().appearance().surface;
  request.all_planes = workbench_.looks().appearance().all_planes;
  request.equal_scales = workbench_.looks().appearance().equal_scales;
  request.colouring = workbench_.looks().appearance().colouring;
  request.captions = captions_->isChecked();
  request.answers = answers_->isChecked();
  request.steps_per_second = speed_->value();
  request.frames_per_step = frames_->value();
  request.frames_per_stop = stop_frames_->value();
  request.table = space_named(table_->currentData().toString().toStdString()).value_or(Space::position);
  return request;
}

void ExportDialog::show_problem() {
  const ExportRequest asked = request();
  const Result<void> possible = Exporter::check(asked, *workbench_.playback().trace());
  start_->setEnabled(possible.has_value());
  if (!possible) return say(foreign_text(possible.error().message()), true);
  const std::vector<std::string> files = files_of(asked);
  if (files.size() > 1)
    say(tr("%1 files; the first is %2")
            .arg(files.size())
            .arg(QFileInfo(QString::fromStdString(files.front())).fileName()),
        false);
  else
    say(QFileInfo::exists(file_->text()) ? tr("A file with this name exists and will be replaced.") : QString(), false);
}

void ExportDialog::say(const QString& words, bool problem) {
  message_->setText(words);
  QPalette ink = message_->palette();
  ink.setColor(QPalette::WindowText, problem ? colour(theme_of(workbench_.looks().appearance()).failed)
                                             : palette().color(QPalette::WindowText));
  message_->setPalette(ink);
}

void ExportDialog::start() {
  last_folder() = QFileInfo(file_->text()).absolutePath();
  written_.clear();
  inputs_->setEnabled(false);
  start_->setEnabled(false);
  close_->setText(tr("Cancel"));
  close_->setFocus();
  progress_->setValue(0);
  progress_->show();
  say({}, false);
  const Lesson* lesson = workbench_.lessons().lesson();
  exporter_.start(request(), {workbench_.playback().trace(), workbench_.lessons().stop_steps(),
                              workbench_.playback().selection(), &look_, lesson ? std::optional(*lesson) : std::nullopt,
                              [this](std::uint32_t step) { return concealment_at(workbench_, step); }});
}

void ExportDialog::end(const std::optional<Error>& error) {
  inputs_->setEnabled(true);
  start_->setEnabled(true);
  close_->setText(tr("Close"));
  progress_->hide();
  if (error)
    say(foreign_text(error->message()), error->kind != ErrorKind::cancelled);
  else if (written_.size() == 1)
    say(tr("\u2713 Written and read back: %1").arg(written_.front()), false);
  else
    say(tr("\u2713 Written and read back: %1 files, from %2").arg(written_.size()).arg(written_.front()), false);
}

void ExportDialog::reject() {
  if (exporter_.running())
    exporter_.cancel();
  else
    QDialog::reject();
}

void add_export(WorkbenchWindow& window, Workbench& workbench) {
  QMenu& file = window.menu(QStringLiteral("file"));
  auto* action = new QAction(ExportDialog::tr("&Export\u2026"), &window);
  action->setObjectName(QStringLiteral("export_action"));
  action->setShortcut(Qt::CTRL | Qt::Key_E);
  action->setEnabled(false);
  QObject::connect(&workbench.playback(), &Playback::opened, action, [action] { action->setEnabled(true); });
  QObject::connect(action, &QAction::triggered, &window, [&window, &workbench] {
    auto* dialog = new ExportDialog(workbench, window.scene().scene(), &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
  });
  // Insert it before the end of the menu, the separator above Quit.
  QAction* before = nullptr;
  for (QAction* each : file.actions())
    if (each->isSeparator()) before = each;
  file.insertAction(before, action);
}

}  // namespace kdscope
