#pragma once
// Stages of one's own: the file of a variant, its build, and what came of it. The run opens in the window, compared
// with the original.

#include <QFileSystemWatcher>
#include <QTimer>
#include <QWidget>

#include "app/variant_trials/search_trial.hpp"
#include "app/variant_trials/shrunk_failure.hpp"
#include "app/variant_trials/variant_timing.hpp"
#include "app/workbench/workbench.hpp"
#include "walkthroughs/reader/gallery.hpp"

class QCheckBox;
class QComboBox;
class QLabel;
class QListWidget;
class QMenu;
class QPlainTextEdit;
class QPushButton;
class QToolButton;

namespace kdscope {

class VariantEditor;
class WorkbenchWindow;

/// Adds the pane "Variants" to the window.
void add_variants(WorkbenchWindow& window, Workbench& workbench);

class VariantsPane : public QWidget {
  Q_OBJECT

 public:
  explicit VariantsPane(Workbench& workbench, QWidget* parent = nullptr);

  /// Writes a file that replaces a stage of the open algorithm by a copy of itself, and opens it. stage: empty for a
  /// copy of the whole builder.
  void write_new(const std::string& stage, const QString& path);
  /// Writes a file that is a copy of a search over the open algorithm's trees, and opens it.
  void write_new_search(const std::string& search, const QString& path);
  /// Copies a broken variant of the gallery into a file, and opens it with its exercise. It is built on its own data.
  void start_exercise(const GalleryEntry& entry, const QString& path);
  /// Opens an exercise that someone has kept, or written, and builds it on its own data.
  void open_exercise(const QString& path);
  /// Shows the file of a variant. Changed text of another file is saved first; that of the same file is replaced, and
  /// undo brings it back.
  void open(const QString& path);
  /// Saves the text if it was changed, compiles it, records it on the open run's data (or the variant's usual data if
  /// another algorithm is open), compares it with the original, and opens it at the first element that differs. A
  /// search answers the queries of the open run's search, and the look inside it opens.
  void build();
  /// Finds the fewest points on which the variant fails as in the last trial, and opens the variant on them.
  void shrink();
  /// Times the variant beside the original on the open run's data, and shows the verdict.
  void measure();
  /// Writes the failed trial as an exercise: this file, which ends in .md, with the variant and the points beside it.
  void keep_failure(const QString& path);
  /// While on, the file is built each time that it is saved, here or by another program.
  void set_watching(bool on);

  QString path() const { return path_; }
  /// The last trial; null before the first, and while the file does not compile.
  const VariantTrial* trial() const { return trial_ ? &*trial_ : nullptr; }

 private:
  void list_stages();
  void list_gallery();
  /// Asks for the file to write.
  void ask_for_new(const QString& name, std::function<void(const QString&)> write);
  bool write(const QString& path, const std::string& text);
  void show_exercise(bool solved);
  void ask_for_file();
  bool save();
  void load();
  void file_changed();
  /// Follows the open run, the file and the editor.
  void connect_all();
  std::optional<TrialRequest> request_to_build();
  void build(TrialRequest request);
  void build_search();
  void finish_search(Result<SearchTrial> trial, const variants::CompilerErrors& errors);
  /// Shows why a file does not compile, or why its run failed.
  void show_failure(const Error& error, const variants::CompilerErrors& errors);
  void write_and_open(const Result<std::string>& text, const QString& path);
  void finish_shrinking(Result<ShrunkFailure> found, const Parameters& parameters);
  void finish(Result<VariantTrial> trial, const variants::CompilerErrors& errors);
  void show_messages(const std::vector<variants::CompilerMessage>& messages);
  void show_outcome(const QString& text, bool good);
  void show_prints();
  void show_buttons();

  Workbench& workbench_;
  QString path_, on_disk_;  ///< the file and the text that it was last known to hold
  QFileSystemWatcher files_;
  QTimer changed_;        ///< editors write in several steps
  bool waiting_ = false;  ///< to be built when the present job has ended
  std::optional<VariantTrial> trial_;
  QString shrunk_;                        ///< what shrinking found, shown with the outcome on the shrunk points
  std::optional<GalleryEntry> exercise_;  ///< of the open file

  QToolButton *new_, *gallery_;
  QMenu *stages_, *exercises_;
  QPushButton *open_, *build_, *shrink_, *keep_, *measure_;
  QCheckBox* watch_;
  QComboBox* target_;  ///< where the variant runs; hidden if kdscope was built without CUDA
  QLabel *name_, *outcome_, *task_;
  QPushButton* solution_;
  QListWidget* messages_;
  QCheckBox* of_step_;  ///< whether only what the shown step printed is listed
  QPlainTextEdit* prints_;
  VariantEditor* editor_;
};

}  // namespace kdscope
