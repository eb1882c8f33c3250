#include "app/appearance/file_question.hpp"

#include <QDir>
#include <QFileDialog>
#include <QFileIconProvider>
#include <QFileInfo>
#include <QHeaderView>
#include <QListView>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QTreeView>
#include <QUrl>
#include <utility>

#include "app/appearance/icons.hpp"
#include "walkthroughs/reader/lesson.hpp"

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

/// Names the folders beside the list by what they are for.
class FolderNames : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    constexpr int url = Qt::UserRole + 1;  // of the dialog's own model
    const QString folder = index.data(url).toUrl().toLocalFile();
    if (folder == example_data()) option->text = QObject::tr("Example data");
    if (folder == QDir::homePath()) option->text = QObject::tr("Home");
  }
};

/// Lists the folders that a person wants beside the files: the shipped data, home, and folders used lately.
void offer_folders(QFileDialog& dialog, const QStringList& used) {
  QList<QUrl> places;
  for (const QString& folder : QStringList{example_data(), QDir::homePath()} + used)
    if (const QUrl url = QUrl::fromLocalFile(folder); QFileInfo(folder).isDir() && !places.contains(url)) places << url;
  constexpr qsizetype most_places = 8;
  dialog.setSidebarUrls(places.mid(0, most_places));
  dialog.setLabelText(QFileDialog::LookIn, QObject::tr("Folder:"));
  if (auto* side = dialog.findChild<QListView*>(QStringLiteral("sidebar")))
    side->setItemDelegate(new FolderNames(side));
}

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

QString example_data() {
  const QDir lessons(QString::fromStdString(lessons_folder()));
  return QDir::cleanPath(lessons.filePath(QStringLiteral("../datasets/files")));
}

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
  offer_folders(*dialog, question.used);
  const QFileInfo start(question.start);
  const QString folder = start.isDir() ? question.start : start.path();
  if (!question.start.isEmpty() && QFileInfo(folder).isDir()) dialog->setDirectory(folder);
  if (to_save && !start.isDir()) dialog->selectFile(start.fileName());
  QObject::connect(dialog, &QFileDialog::fileSelected, &widget, std::move(then));
  dialog->open();
  return dialog;
}

}  // namespace kdscope
