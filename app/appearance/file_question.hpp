#pragma once
// Asks for a file without waiting for the answer: the window goes on, and other runs may open meanwhile.

#include <QString>
#include <QStringList>
#include <functional>

class QFileDialog;
class QWidget;

namespace kdscope {

struct FileQuestion {
  QString title;
  QStringList filters;
  QString suffix = {};  ///< of a file to save, without the dot; empty: a file to open
  QString start = {};   ///< the proposed file, or the folder that is shown; empty: the present folder
  QString name = QStringLiteral("file_dialog");  ///< of the dialog
  QStringList used = {};                         ///< folders used lately, which stand beside the files
};

/// The folder of the data that comes with kdscope; it may be missing.
QString example_data();

/// Opens the dialog, which belongs to the widget, and calls `then` with the chosen path. What the answer is about must
/// be in `then`, because the widget may show something else by then.
QFileDialog* ask_for_file(QWidget& widget, const FileQuestion& question, std::function<void(const QString&)> then);

}  // namespace kdscope
