#include "app/run/file_reading.hpp"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include "app/appearance/file_question.hpp"
#include "app/appearance/icons.hpp"
#include "app/run/field_grid.hpp"
#include "datasets/data_form.hpp"

namespace kdscope {

FileReading::FileReading(Workbench& workbench, const QString& specification, const QString& accept, QWidget* parent)
    : QDialog(parent), file_(new QLineEdit), preview_(new FilePreview(workbench)), accept_(new QPushButton(accept)) {
  setObjectName(QStringLiteral("file_reading"));
  setWindowTitle(tr("How the file is read"));
  setWindowModality(Qt::WindowModal);
  auto* column = new QVBoxLayout(this);
  auto* row = new QHBoxLayout;
  auto* browse = new QPushButton(icon(Symbol::open), tr("Browse\u2026"));
  browse->setAutoDefault(false);
  row->addWidget(file_, 1);
  row->addWidget(browse);
  file_->setObjectName(QStringLiteral("read_path"));
  file_->setAccessibleName(tr("Data file"));
  auto* grid = new FieldGrid;
  for (const DataParameter& parameter : file_parameters()) {
    const FormField field = field_of(parameter, [this] { show_choice(); });
    fields_[parameter.name] = field;
    grid->add(QString::fromStdString(parameter.name), QString::fromStdString(parameter.help), field.widget);
  }
  auto* buttons = new QDialogButtonBox;
  buttons->addButton(accept_, QDialogButtonBox::AcceptRole);
  buttons->addButton(QDialogButtonBox::Cancel);
  QPushButton* subtract =
      button({"subtract_offset", tr("Subtract the offset"), tr("Reads the file with shift=auto")}, [this] {
        fields_.at("shift").set(QStringLiteral("auto"));
        accept_->setFocus();  // the clicked button goes
      });
  subtract->setAutoDefault(false);
  subtract->hide();
  buttons->addButton(subtract, QDialogButtonBox::ActionRole);
  accept_->setObjectName(QStringLiteral("accept_reading"));
  accept_->setDefault(true);
  column->addLayout(row);
  column->addWidget(grid);
  column->addWidget(preview_, 1);
  column->addWidget(buttons);
  resize(fontMetrics().height() * 44, fontMetrics().height() * 28);

  connect(file_, &QLineEdit::textChanged, this, &FileReading::show_choice);
  connect(file_, &QLineEdit::editingFinished, this, [this] {
    const std::string text = file_->text().toStdString();
    if (const DataForm form = parse_data_form(text); form.source.empty() && form.file != text) fill(file_->text());
  });
  connect(browse, &QPushButton::clicked, this, [this] {
    ask_for_points(*this, QFileInfo(file_->text()).path(), [this](const QString& path) { file_->setText(path); });
  });
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(preview_, &FilePreview::shown, this, [this, subtract](bool refused, const QStringList& warnings) {
    accept_->setEnabled(!refused);
    warnings_ = warnings;
    subtract->setVisible(!warnings.filter(QStringLiteral("shift=auto")).isEmpty());
  });
  fill(specification);
}

QString FileReading::specification() const {
  DataForm form{"", {}, file_->text().toStdString()};
  if (data_file_of(form.file) != form.file) return file_->text();  // parameters that are typed behind the name
  for (const auto& [name, field] : fields_) form.parameters[name] = field.value().toStdString();
  return QString::fromStdString(specification_of(form));
}

void FileReading::fill(const QString& specification) {
  const DataForm form = parse_data_form(specification.toStdString());
  for (const DataParameter& parameter : file_parameters()) {
    const auto given = form.parameters.find(parameter.name);
    fields_.at(parameter.name)
        .set(QString::fromStdString(given == form.parameters.end() ? parameter.default_value : given->second));
  }
  file_->setText(QString::fromStdString(form.file));
  show_choice();
}

void FileReading::show_choice() {
  accept_->setEnabled(!file_->text().isEmpty());
  preview_->show_specification(file_->text().isEmpty() ? std::string() : specification().toStdString());
}

void FileReading::done(int result) {
  QDialog::done(result);
  if (preview_->reading())
    connect(preview_, &FilePreview::rested, this, &QObject::deleteLater);
  else
    deleteLater();
}

void ask_how_to_read(QWidget& parent, Workbench& workbench, const QString& specification, const QString& accept,
                     std::function<void(const QString&, const QStringList&)> then) {
  auto* dialog = new FileReading(workbench, specification, accept, parent.window());
  QObject::connect(dialog, &QDialog::accepted, &parent,
                   [dialog, then] { then(dialog->specification(), dialog->warnings()); });
  dialog->open();
}

void ask_for_points(QWidget& parent, const QString& folder, std::function<void(const QString&)> then) {
  ask_for_file(parent,
               {QObject::tr("Open points"),
                {QObject::tr("Points (*.csv *.xyz *.npy *.pcd *.ply *.obj *.stl *.txt)"), QObject::tr("All files (*)")},
                {},
                folder},
               std::move(then));
}

}  // namespace kdscope
