#pragma once
// The list of devices, this machine's and those elsewhere, and the menu that chooses the one for the next run.

#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>

#include "app/workbench/workbench.hpp"

class QMenu;

namespace kdscope {

class DeviceList : public QDialog {
  Q_OBJECT

 public:
  explicit DeviceList(Workbench& workbench, QWidget* parent = nullptr);
  /// Opens the form that adds a device.
  void add();

 private:
  void show_devices();
  void show_current();
  void remove();
  /// The device of the current row.
  const KnownDevice& current() const;

  Workbench& workbench_;
  QTableWidget* table_;
  QLabel* words_;
  QPushButton *use_, *connect_, *remove_;
};

/// Fills the menu: each device, "Add" and the list. The dialogs belong to the window.
void fill_device_menu(QMenu& menu, Workbench& workbench, QWidget& window);

/// A device in a few words: "CUDA: NVIDIA H100", or why it did not answer.
QString device_words(const KnownDevice& device);

}  // namespace kdscope
