#include "app/devices/device_list.hpp"

#include <QActionGroup>
#include <QHeaderView>
#include <QMenu>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "app/appearance/appearance.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/value_table.hpp"
#include "app/devices/device_form.hpp"

namespace kdscope {
namespace {

QString load_text(const KnownDevice& device) {
  if (device.seen.isNull()) return {};
  // The last device is the CPU, whose processors share the load.
  return DeviceList::tr("%1 of %L2").arg(device.load, 0, 'f', 1).arg(device.report.devices.back().processors);
}

QString seen_text(const KnownDevice& device) {
  if (device.waits) return DeviceList::tr("connecting\u2026");
  if (!device.is_elsewhere()) return DeviceList::tr("now");
  if (device.error) return DeviceList::tr("no answer");
  return device.seen.isNull() ? DeviceList::tr("not yet")
                              : QLocale().toString(device.seen.time(), QLocale::ShortFormat);
}

}  // namespace

QString device_words(const KnownDevice& device) {
  if (device.error) return foreign_text(device.error->message());
  QStringList each;
  for (const Device& one : device.report.devices)
    each << (one.backend == Backend::automatic
                 ? QString()
                 : QString::fromUtf8(name_of(one.backend)).toUpper() + QStringLiteral(": ")) +
                foreign_text(one.name);
  return each.join(QStringLiteral("; "));
}

DeviceList::DeviceList(Workbench& workbench, QWidget* parent)
    : QDialog(parent),
      workbench_(workbench),
      table_(named(new QTableWidget, {"device_table", tr("Devices; Enter chooses one for the next run")})),
      words_(text_line({"device_words"})),
      use_(button({"use_device", tr("&Use"), tr("The next run is made on this device; what runs goes on")},
                  [this] { workbench_.messages().conclude(workbench_.device_choice().choose(current().named.name)); })),
      connect_(button({"connect_device", tr("&Connect"), tr("Asks the device what it is, and whether it answers")},
                      [this] { workbench_.device_choice().ask(current().named.name); })),
      remove_(button({"remove_device", tr("&Remove"), tr("Forgets how the device is reached; nothing changes there")},
                     [this] { remove(); })) {
  setObjectName(QStringLiteral("device_list"));
  setWindowTitle(tr("Devices"));
  table_->setColumnCount(6);
  table_->setHorizontalHeaderLabels(
      {tr("Device"), tr("Back ends and GPUs"), tr("kdscope"), tr("Load"), tr("Last answer"), tr("Command")});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setWordWrap(false);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* column = new QVBoxLayout(this);
  column->addWidget(table_, 1);
  column->addWidget(words_);
  auto* row = new QHBoxLayout;
  for (QPushButton* each : {use_, connect_, remove_}) row->addWidget(each);
  row->addStretch(1);
  row->addWidget(button({"add_device", tr("&Add\u2026"), tr("A server, a cluster or a container")}, [this] { add(); }));
  row->addWidget(button({"close_devices", tr("Close")}, [this] { close(); }));
  column->addLayout(row);
  for (QPushButton* each : findChildren<QPushButton*>()) each->setAutoDefault(false);
  resize(fontMetrics().height() * 58, fontMetrics().height() * 20);

  connect(table_, &QTableWidget::currentCellChanged, this, &DeviceList::show_current);
  connect(table_, &QTableWidget::cellActivated, use_, &QPushButton::click);
  connect(&workbench.device_choice(), &DeviceChoice::changed, this, &DeviceList::show_devices);
  connect(&workbench.looks(), &Looks::changed, this, &DeviceList::show_devices);
  show_devices();
  table_->setCurrentCell(0, 0);
}

const KnownDevice& DeviceList::current() const {
  const auto& all = workbench_.device_choice().all();
  const auto row = static_cast<std::size_t>(std::max(0, table_->currentRow()));
  return row < all.size() ? all[row] : all.front();
}

void DeviceList::show_devices() {
  const DeviceChoice& choice = workbench_.device_choice();
  {
    const QSignalBlocker quiet(table_);
    table_->setRowCount(static_cast<int>(choice.all().size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
      const KnownDevice& device = choice.all()[static_cast<std::size_t>(row)];
      const bool chosen = &device == &choice.chosen();
      const QString name = device.is_elsewhere() ? foreign_text(device.named.name)
                                                 : tr("This machine (%1)").arg(foreign_text(device.host));
      const QStringList texts{(chosen ? QStringLiteral("\u2713 ") : QString()) + name,
                              device_words(device),
                              foreign_text(device.version.substr(0, device.version.find(','))),
                              load_text(device),
                              seen_text(device),
                              foreign_text(variants::remote::command_text(device.named.way.command))};
      for (int column = 0; column < texts.size(); ++column) {
        auto* cell = new QTableWidgetItem(texts[column]);
        QFont font = table_->font();
        font.setBold(chosen && column == 0);
        cell->setFont(font);
        cell->setToolTip(plain_tip(texts[column]));
        if (device.error && (column == 1 || column == 4))
          cell->setForeground(colour(theme_of(workbench_.looks().appearance()).failed));
        table_->setItem(row, column, cell);
      }
    }
    if (table_->currentRow() < 0) table_->setCurrentCell(0, 0);
  }
  table_->resizeColumnsToContents();
  const int widest = 22 * fontMetrics().height();  // a sentence of a device that does not answer is long
  for (int column = 0; column < table_->columnCount(); ++column)
    table_->setColumnWidth(column, std::min(table_->columnWidth(column) + fontMetrics().height() / 2, widest));
  show_current();
}

void DeviceList::show_current() {
  const KnownDevice& device = current();
  const bool failed = device.error.has_value();
  QString text = device_words(device);
  if (!failed && device.report.devices.front().backend != Backend::cuda && !device.report.cuda_status.empty())
    text += QStringLiteral(". ") + foreign_text(device.report.cuda_status);
  words_->setText(text);
  QPalette palette = words_->palette();
  const Theme& t = theme_of(workbench_.looks().appearance());
  palette.setColor(QPalette::WindowText, colour(failed ? t.failed : t.text));
  words_->setPalette(palette);
  use_->setEnabled(&device != &workbench_.device_choice().chosen());
  connect_->setEnabled(!device.waits);
  remove_->setEnabled(device.is_elsewhere());
}

void DeviceList::add() {
  auto* form = new DeviceForm(workbench_, this);
  connect(form, &DeviceForm::added, this, [this](const QString& name) {
    const auto& all = workbench_.device_choice().all();
    for (std::size_t row = 0; row < all.size(); ++row)
      if (all[row].named.name == name.toStdString()) table_->setCurrentCell(static_cast<int>(row), 0);
  });
  form->open();
}

void DeviceList::remove() {
  workbench_.messages().conclude(workbench_.device_choice().remove(std::string(current().named.name)));
}

void fill_device_menu(QMenu& menu, Workbench& workbench, QWidget& window) {
  const auto list = [&workbench, &window] {
    auto* dialog = window.findChild<DeviceList*>();
    if (!dialog) dialog = new DeviceList(workbench, &window);
    workbench.messages().conclude(workbench.device_choice().read());
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
    return dialog;
  };
  auto* group = new QActionGroup(&menu);
  const auto fill = [&menu, &workbench, group, list] {
    menu.clear();  // deletes the entries that belong to it
    for (const KnownDevice& device : workbench.device_choice().all()) {
      const std::string& name = device.named.name;
      QAction* action = menu.addAction(device.is_elsewhere() ? as_label(name) : DeviceList::tr("This machine"));
      action->setObjectName(QStringLiteral("device_") + QString::fromStdString(name));
      action->setCheckable(true);
      action->setChecked(&device == &workbench.device_choice().chosen());
      action->setToolTip(plain_tip(device_words(device)));
      group->addAction(action);
      QObject::connect(action, &QAction::triggered, &workbench,
                       [&workbench, name] { workbench.messages().conclude(workbench.device_choice().choose(name)); });
    }
    menu.addSeparator();
    QAction* add = menu.addAction(DeviceList::tr("&Add\u2026"), &menu, [list] { list()->add(); });
    add->setObjectName(QStringLiteral("add_a_device"));
    QAction* all = menu.addAction(DeviceList::tr("&List of devices\u2026"), &menu, [list] { list(); });
    all->setObjectName(QStringLiteral("list_devices"));
  };
  menu.setToolTipsVisible(true);
  // The menu may be open, with the entry that was chosen.
  QObject::connect(&workbench.device_choice(), &DeviceChoice::changed, &menu, fill, Qt::QueuedConnection);
  fill();
}

}  // namespace kdscope
