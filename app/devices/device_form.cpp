#include "app/devices/device_form.hpp"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QVBoxLayout>
#include <array>

#include "app/appearance/appearance.hpp"
#include "app/appearance/form_field.hpp"
#include "app/appearance/plain_text.hpp"

namespace kdscope {
namespace {

/// A way to a device. %1 in the command stands for its place: a host, an image, a number.
struct DeviceTemplate {
  const char *title, *place, *example, *command, *help;
  int wait_s = 60;
};

constexpr std::array<DeviceTemplate, 7> templates{{
    {"A server, by ssh", "Host", "lab-gpu",
     "ssh -c ^aes128-gcm@openssh.com -o BatchMode=yes -o ServerAliveInterval=15 %1 kdscope-runner --far",
     "ssh has to get in without a question: a key in an agent or without a passphrase, and a host that it knows. Try "
     "ssh -o BatchMode=yes HOST true in a terminal."},
    {"A cluster, by ssh and Slurm", "Login host", "cluster",
     "ssh -c ^aes128-gcm@openssh.com -o BatchMode=yes -o ServerAliveInterval=15 %1 srun --gres=gpu:1 kdscope-runner "
     "--far",
     "The window keeps the place that Slurm gives as long as it uses the device.", 3600},
    {"Slurm on this machine", "Options of srun", "--gres=gpu:1", "srun %1 kdscope-runner --far",
     "The window keeps the place that Slurm gives as long as it uses the device.", 3600},
    {"A container, by docker", "Image", "kdscope", "docker run -i --rm --gpus all %1 kdscope-runner --far",
     "kdscope has to be installed in the image, in the same version."},
    {"A container, by podman", "Image", "kdscope",
     "podman run -i --rm --device nvidia.com/gpu=all %1 kdscope-runner --far",
     "kdscope has to be installed in the image, in the same version."},
    {"Another GPU of this machine", "Number of the GPU", "1", "env CUDA_VISIBLE_DEVICES=%1 kdscope-runner --far",
     "Its number is that of nvidia-smi."},
    {"Another command", "", "", "",
     "A command that starts kdscope-runner --far and carries its standard input and "
     "output. It must not ask anything."},
}};

const DeviceTemplate& template_of(const QComboBox& box) {
  return templates.at(static_cast<std::size_t>(box.currentIndex()));
}

Choices choices_of_template() {
  Choices choices;
  for (const DeviceTemplate& each : templates) choices.emplace_back(DeviceForm::tr(each.title), QVariant());
  return choices;
}

}  // namespace

DeviceForm::DeviceForm(Workbench& workbench, QWidget* parent)
    : QDialog(parent),
      workbench_(workbench),
      template_(choice(narrow_combo(24), {"device_template", tr("How it is reached")}, choices_of_template(),
                       [this] { show_template(); })),
      place_label_(plain_label()),
      help_(text_line({"device_help"})),
      problem_(text_line({"device_problem"})),
      name_(entry({"device_name", tr("Name")}, tr("such as lab"))),
      place_(entry({"device_place", tr("Place")}, {}, [this] { fill_command(); })),
      command_(entry({"device_command", tr("Command")}, tr("starts kdscope-runner --far there"))),
      wait_(number(new QSpinBox,
                   {"device_wait", tr("Longest wait"), tr("Until kdscope-runner answers; a queue may need more")},
                   Range{1, 1'000'000, 60})) {
  setObjectName(QStringLiteral("device_form"));
  setWindowTitle(tr("Add a device"));
  setWindowModality(Qt::WindowModal);
  setAttribute(Qt::WA_DeleteOnClose);
  help_->setForegroundRole(QPalette::PlaceholderText);
  wait_->setSuffix(tr(" s"));
  wait_->setGroupSeparatorShown(true);
  auto* form = new QFormLayout;
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  form->addRow(tr("&Name"), name_);
  form->addRow(tr("&Reached as"), template_);
  place_label_->setBuddy(place_);
  form->addRow(place_label_, place_);
  form->addRow(tr("&Command"), command_);
  form->addRow(tr("Longest &wait"), wait_);
  auto* column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addWidget(help_);
  column->addWidget(problem_);
  column->addStretch(1);
  auto* buttons = new QDialogButtonBox;
  auto* add = button({"add_this_device", tr("&Add")});
  add->setDefault(true);
  buttons->addButton(add, QDialogButtonBox::AcceptRole);
  buttons->addButton(QDialogButtonBox::Cancel);
  column->addWidget(buttons);
  resize(fontMetrics().height() * 40, sizeHint().height());
  connect(buttons, &QDialogButtonBox::accepted, this, &DeviceForm::add);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  problem_->hide();
  show_template();
}

void DeviceForm::show_template() {
  const DeviceTemplate& chosen = template_of(*template_);
  const bool has_place = *chosen.place != '\0';
  place_label_->setText(tr(chosen.place));
  place_->setAccessibleName(tr(chosen.place));
  place_->setPlaceholderText(tr("such as %1").arg(QLatin1String(chosen.example)));
  place_label_->setVisible(has_place);
  place_->setVisible(has_place);
  help_->setText(tr(chosen.help));
  wait_->setValue(chosen.wait_s);
  place_->clear();
  fill_command();
}

void DeviceForm::fill_command() {
  const QString command = QLatin1String(template_of(*template_).command), place = place_->text().trimmed();
  if (!command.isEmpty()) command_->setText(place.isEmpty() ? QString() : command.arg(place));
}

void DeviceForm::add() {
  const auto words = variants::remote::command_from(command_->text().toStdString());
  const std::string name = name_->text().trimmed().toStdString();
  const auto kept = words ? workbench_.device_choice().add({name, {*words, std::chrono::seconds(wait_->value())}})
                          : Result<void>(words.error());
  if (kept) {
    emit added(QString::fromStdString(name));
    return accept();
  }
  QString text = foreign_text(kept.error().message());
  if (kept.error().where.empty()) text[0] = text[0].toUpper();
  QPalette palette = problem_->palette();
  palette.setColor(QPalette::WindowText, colour(theme_of(workbench_.looks().appearance()).failed));
  problem_->setPalette(palette);
  problem_->setText(text);
  problem_->show();
}

}  // namespace kdscope
