#include "app/appearance/file_question.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <utility>

namespace kdscope {

QFileDialog* ask_for_file(QWidget& widget, const FileQuestion& question, std::function<void(const QString&)> then) {
  const bool to_save = !question.suffix.isEmpty();
  auto* dialog = new QFileDialog(&widget, question.title);
  dialog->setObjectName(question.name);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setOption(QFileDialog::DontUseNativeDialog);  // follows theme and text scale
  dialog->setAcceptMode(to_save ? QFileDialog::AcceptSave : QFileDialog::AcceptOpen);
  dialog->setFileMode(to_save ? QFileDialog::AnyFile : QFileDialog::ExistingFile);
  dialog->setNameFilters(question.filters);
  if (to_save) dialog->setDefaultSuffix(question.suffix);
  const QFileInfo start(question.start);
  const QString folder = start.isDir() ? question.start : start.path();
  if (!question.start.isEmpty() && QFileInfo(folder).isDir()) dialog->setDirectory(folder);
  if (to_save && !start.isDir()) dialog->selectFile(start.fileName());
  QObject::connect(dialog, &QFileDialog::fileSelected, &widget, std::move(then));
  dialog->open();
  return dialog;
}

}  // namespace kdscope
