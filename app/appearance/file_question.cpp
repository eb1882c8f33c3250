#include "app/appearance/file_question.hpp"

#include <QFileDialog>
#include <QFileIconProvider>
#include <QFileInfo>
#include <QHeaderView>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <utility>

#include "app/appearance/icons.hpp"

namespace kdscope {
namespace {

/// The window's icons in place of coloured ones.
class FileIcons : public QFileIconProvider {
 public:
  QIcon icon(IconType) const override { return kdscope::icon(Symbol::open); }
  QIcon icon(const QFileInfo& file) const override {
    return kdscope::icon(file.isFile() ? Symbol::file : Symbol::open);
  }
};

/// Gives Qt's own dialog the look of the window: its icons, and a list of files in which no name or date is cut.
void match_window(QFileDialog& dialog) {
  for (const auto& [name, symbol] : {std::pair("backButton", Symbol::previous_stop),
                                     {"forwardButton", Symbol::next_stop},
                                     {"toParentButton", Symbol::parent_folder},
                                     {"newFolderButton", Symbol::new_folder}})
    if (auto* button = dialog.findChild<QToolButton*>(QLatin1String(name))) button->setIcon(icon(symbol));
  for (const char* name : {"listModeButton", "detailModeButton"})
    if (auto* button = dialog.findChild<QToolButton*>(QLatin1String(name))) button->hide();
  static FileIcons icons;
  dialog.setIconProvider(&icons);
  dialog.setOption(QFileDialog::HideNameFilterDetails);  // dozens of endings would be cut
  dialog.setViewMode(QFileDialog::Detail);
  if (auto* files = dialog.findChild<QTreeView*>(QStringLiteral("treeView"))) {
    enum Column { name, size, type, date };
    files->header()->hideSection(type);  // the name's ending says it
    files->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    files->header()->setSectionResizeMode(name, QHeaderView::Stretch);
  }
  const QFontMetrics letters = dialog.fontMetrics();
  const QSize wanted(letters.averageCharWidth() * 96, letters.height() * 22);
  if (auto* halves = dialog.findChild<QSplitter*>(QStringLiteral("splitter")))
    halves->setSizes({letters.averageCharWidth() * 18, letters.averageCharWidth() * 78});
  dialog.resize(wanted.boundedTo(dialog.parentWidget()->window()->size()));
}

}  // namespace

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
  match_window(*dialog);
  const QFileInfo start(question.start);
  const QString folder = start.isDir() ? question.start : start.path();
  if (!question.start.isEmpty() && QFileInfo(folder).isDir()) dialog->setDirectory(folder);
  if (to_save && !start.isDir()) dialog->selectFile(start.fileName());
  QObject::connect(dialog, &QFileDialog::fileSelected, &widget, std::move(then));
  dialog->open();
  return dialog;
}

}  // namespace kdscope
