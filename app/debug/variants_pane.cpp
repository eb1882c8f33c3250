#include "app/debug/variants_pane.hpp"

#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSaveFile>
#include <QToolButton>
#include <algorithm>

#include "algorithms/registry/searches.hpp"
#include "algorithms/trace/printed_text.hpp"
#include "algorithms/variants/inside/writers.hpp"
#include "algorithms/variants/kit.hpp"
#include "algorithms/variants/stage_source.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/file_question.hpp"
#include "app/appearance/form_field.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/scrolling_page.hpp"
#include "app/debug/variant_editor.hpp"
#include "app/panes/curtain.hpp"
#include "app/workbench/workbench_window.hpp"
#include "datasets/data_file.hpp"

namespace kdscope {
namespace {

constexpr int editor_pause_ms = 150;  // between the writes of one save
constexpr qint64 largest_file = 1 << 20;

QString text_of_file(const QString& path, bool& readable) {
  QFile file(path);
  readable = file.open(QIODevice::ReadOnly) && file.size() <= largest_file;
  return readable ? QString::fromUtf8(file.readAll()) : QString();
}

QString message_text(const variants::CompilerMessage& message) {
  return VariantsPane::tr("line %1: %2: %3")
      .arg(message.line)
      .arg(foreign_text(message.kind), foreign_text(message.text));
}

}  // namespace

VariantsPane::VariantsPane(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      new_(button<QToolButton>({"new_variant", tr("New"),
                                tr("Writes a file with a stage of the open algorithm as it is, for you to change")})),
      gallery_(button<QToolButton>({"gallery", tr("Gallery"), tr("Broken variants to practise on: find the bug")})),
      stages_(new QMenu(this)),
      exercises_(new QMenu(this)),
      open_(button(
          {"open_variant", tr("Open\u2026")}, [this] { ask_for_file(); }, icon(Symbol::open))),
      build_(button({"build_variant", tr("Build and compare"),
                     tr("Saves the file, compiles it, records it in a process of its own, and opens the first element "
                        "that differs from the original (Ctrl+R)")},
                    [this] { build(); })),
      shrink_(button({"shrink_variant", tr("Shrink"),
                      tr("Finds the fewest points on which the variant fails, with simple coordinates, and opens it on "
                         "them")},
                     [this] { shrink(); })),
      keep_(button({"keep_failure", tr("Keep\u2026"),
                    tr("Keeps the variant and the points on which it fails as an exercise, which Open brings back")},
                   [this] {
                     ask_for_new(QFileInfo(path_).completeBaseName() + QStringLiteral("-failure.md"),
                                 [this](const QString& path) { keep_failure(path); });
                   })),
      measure_(button({"measure_variant", tr("Measure"),
                       tr("Builds with the variant and with the original in turn, at full speed, and tells whether one "
                          "is faster")},
                      [this] { measure(); })),
      watch_(tick({"watch_variant", tr("Watch"),
                   tr("Builds and compares each time that the file is saved, by this or another editor")},
                  [this] { set_watching(watch_->isChecked()); })),
      target_(choice(new QComboBox,
                     {"variant_target", tr("Where the variant runs"),
                      tr("On the CPU, every access is checked. On CUDA, accesses are checked only on request, which "
                         "takes seconds more.")},
                     {{tr("CPU"), {}}, {tr("CUDA"), {}}, {tr("CUDA, accesses checked"), {}}})),
      name_(plain_label()),
      outcome_(text_line({"variant_outcome"})),
      task_(named(rich_label(), {"exercise"})),
      solution_(button({"solution", tr("Show the solution")}, [this] { show_exercise(true); })),
      messages_(named(new QListWidget, {"compiler_messages", tr("Messages of the compiler")})),
      of_step_(tick(
          {"prints_of_step", tr("Printed by this step only"),
           tr("Without the tick, the lines of all steps, each below its step's name")},
          [this] { show_prints(); }, true)),
      prints_(named(new QPlainTextEdit, {"variant_prints", tr("What the variant printed")})),
      editor_(new VariantEditor) {
  build_->setDefault(true);
  setAccessibleName(tr("Variants"));
  auto* column = new QVBoxLayout(scrolling_page(*this));
  column->setContentsMargins(8, 6, 8, 0);
  column->setSizeConstraint(QLayout::SetMinimumSize);  // else the area squeezes the page by the scroll bar's width
  column->setSpacing(4);
  for (const auto& widgets : {std::vector<QWidget*>{new_, gallery_, open_, target_},
                              std::vector<QWidget*>{build_, watch_, measure_, shrink_, keep_}}) {
    auto* row = new QHBoxLayout;
    for (QWidget* widget : widgets) row->addWidget(widget);
    row->addStretch();
    column->addLayout(row);
  }
  column->addWidget(name_);
  column->addWidget(task_);
  column->addWidget(solution_, 0, Qt::AlignLeft);
  for (QWidget* widget : std::initializer_list<QWidget*>{outcome_, messages_, of_step_, prints_})
    column->addWidget(widget);
  column->addWidget(editor_, 1);

  for (const auto& [tool, menu] : {std::pair{new_, stages_}, std::pair{gallery_, exercises_}}) {
    tool->setPopupMode(QToolButton::InstantPopup);
    tool->setMenu(menu);
  }
  build_->setShortcut(Qt::CTRL | Qt::Key_R);
  const auto kit = variants::find_kit();
  target_->setVisible(kit && !kit->cuda_compiler.empty());
  task_->setWordWrap(true);
  outcome_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  outcome_->setAlignment(Qt::AlignTop | Qt::AlignLeft);  // below the tools, also while nothing is open
  messages_->setWordWrap(true);
  prints_->setReadOnly(true);
  prints_->setLineWrapMode(QPlainTextEdit::NoWrap);
  constexpr int lines_of_prints = 6;
  prints_->setFixedHeight(lines_of_prints * prints_->fontMetrics().lineSpacing() + 4 * prints_->frameWidth() + 8);
  new Curtain(prints_, workbench, [](const Concealment& concealed, const Trace&) { return concealed.hides_values(); });
  changed_.setSingleShot(true);
  changed_.setInterval(editor_pause_ms);
  connect_all();
  show_messages({});
  show_exercise(false);
  show_prints();
  show_outcome(tr("A variant is one file that replaces stages of an algorithm by your own code. Choose New and a stage "
                  "of the open algorithm, change the code, then Build and compare. A variant runs with your rights, so "
                  "read one of somebody else before you build it."),
               true);
  show_buttons();
}

void VariantsPane::connect_all() {
  for (auto changes : {&Playback::opened, &Playback::stepped})
    connect(&workbench_.playback(), changes, this, &VariantsPane::show_prints);
  connect(stages_, &QMenu::aboutToShow, this, &VariantsPane::list_stages);
  connect(exercises_, &QMenu::aboutToShow, this, &VariantsPane::list_gallery);
  for (const auto chosen : {&QListWidget::itemClicked, &QListWidget::itemActivated})
    connect(messages_, chosen, this, [this](QListWidgetItem* item) {
      editor_->go_to(item->data(Qt::UserRole).toInt(), item->data(Qt::UserRole + 1).toInt());
      editor_->setFocus();
    });
  connect(editor_->document(), &QTextDocument::modificationChanged, this, &VariantsPane::show_buttons);
  connect(&files_, &QFileSystemWatcher::fileChanged, &changed_, qOverload<>(&QTimer::start));
  connect(&files_, &QFileSystemWatcher::directoryChanged, &changed_, qOverload<>(&QTimer::start));
  connect(&changed_, &QTimer::timeout, this, &VariantsPane::file_changed);
  connect(&workbench_.playback(), &Playback::opened, this, &VariantsPane::show_buttons);
  connect(
      &workbench_.jobs(), &Jobs::busy_changed, this,
      [this](const QString& what) {
        show_buttons();
        if (what.isEmpty() && std::exchange(waiting_, false)) build();
      },
      Qt::QueuedConnection);
  const auto restyle = [this] { editor_->set_theme(theme_of(workbench_.looks().appearance())); };
  connect(&workbench_.looks(), &Looks::changed, this, restyle);
  restyle();
}

void VariantsPane::list_stages() {
  stages_->clear();
  if (!workbench_.playback().cursor()) return;
  const auto add = [this](QMenu& menu, const variants::Stage& stage) {
    // The first words of the docstring stand where other menus have their keys
    const QString about = foreign_text(stage.docstring).section(QLatin1Char('.'), 0, 0).simplified();
    const QString words = menu.fontMetrics().elidedText(about, Qt::ElideRight, 28 * menu.fontMetrics().height());
    const QString text = as_label(stage.name) + QLatin1Char('\t') + as_label(words);
    QAction* action = menu.addAction(text, this, [this, name = stage.name] {
      ask_for_new(QString::fromStdString("my_" + name + ".cu"),
                  [this, name](const QString& path) { write_new(name, path); });
    });
    action->setObjectName(QString::fromStdString(stage.name));
    if (!stage.docstring.empty()) action->setToolTip(plain_tip(foreign_text(stage.docstring)));
  };
  const std::string& algorithm = workbench_.desk().request().algorithm;
  for (const variants::Stage& stage : variants::stages_of(algorithm)) add(*stages_, stage);
  stages_->setToolTipsVisible(true);
  if (!stages_->isEmpty()) {
    stages_->addSeparator();
    if (const auto helpers = variants::helpers_of(algorithm); !helpers.empty()) {
      QMenu* menu = stages_->addMenu(tr("A helper of stages"));
      menu->setToolTipsVisible(true);
      for (const variants::Stage& helper : helpers) add(*menu, helper);
    }
    QAction* builder = stages_->addAction(tr("The whole builder"), this, [this] {
      ask_for_new(QString::fromStdString("my_" + workbench_.desk().request().algorithm + ".cu"),
                  [this](const QString& path) { write_new("", path); });
    });
    builder->setObjectName(QStringLiteral("whole_builder"));
    QMenu* searches = stages_->addMenu(tr("A search over its trees"));
    for (const Search* search : searches_of(workbench_.playback().trace()->header.tree_kind)) {
      const std::string& id = search->spec.id;
      QAction* action = searches->addAction(as_label(search->spec.title), this, [this, id] {
        ask_for_new(QString::fromStdString("my_" + id + ".cu"),
                    [this, id](const QString& path) { write_new_search(id, path); });
      });
      action->setObjectName(QString::fromStdString(id));
    }
  }
  if (stages_->isEmpty()) stages_->addAction(tr("No stage of this algorithm can be replaced"))->setEnabled(false);
}

void VariantsPane::list_gallery() {
  exercises_->clear();
  const Gallery gallery = read_gallery(gallery_folder());
  for (const GalleryEntry& entry : gallery.entries) {
    QAction* action = exercises_->addAction(as_label(entry.title + " (" + entry.source + ")"), this, [this, entry] {
      ask_for_new(QString::fromStdString("my-" + entry.id + ".cu"),
                  [this, entry](const QString& path) { start_exercise(entry, path); });
    });
    action->setObjectName(QString::fromStdString(entry.id));
  }
  for (const Error& problem : gallery.problems)
    exercises_->addAction(icon(Symbol::warning), as_label(problem.message()))->setEnabled(false);
  if (exercises_->isEmpty()) exercises_->addAction(tr("The gallery is empty"))->setEnabled(false);
}

void VariantsPane::ask_for_new(const QString& name, std::function<void(const QString&)> write) {
  const bool exercise = name.endsWith(QStringLiteral(".md"));
  kdscope::ask_for_file(*this,
                        {tr("Write a new variant"),
                         {exercise ? tr("Exercises (*.md)") : tr("C++ and CUDA (*.cu *.cpp)"), tr("All files (*)")},
                         exercise ? QStringLiteral("md") : QStringLiteral("cu"),
                         name,
                         QStringLiteral("variant_dialog")},
                        std::move(write));
}

void VariantsPane::ask_for_file() {
  kdscope::ask_for_file(
      *this,
      {tr("Open a variant"),
       {tr("Variants and exercises (*.cu *.cpp *.md)"), tr("All files (*)")},
       {},
       path_.isEmpty() ? QString() : QFileInfo(path_).path(),
       QStringLiteral("variant_dialog")},
      [this](const QString& path) { path.endsWith(QStringLiteral(".md")) ? open_exercise(path) : open(path); });
}

void VariantsPane::write_new(const std::string& stage, const QString& path) {
  const std::string& algorithm = workbench_.desk().request().algorithm;
  const std::string name = QFileInfo(path).fileName().toStdString();
  Result<std::string> text = std::string();
  if (stage.empty()) {
    const auto kit = variants::find_kit();
    text = kit ? variants::new_builder(algorithm, kit->include_folders.front(), name) : kit.error();
  } else {
    const auto found = variants::find_stage(algorithm, stage);
    text = found ? Result<std::string>(variants::new_variant(algorithm, {*found}, name)) : found.error();
  }
  write_and_open(text, path);
}

void VariantsPane::write_new_search(const std::string& search, const QString& path) {
  const auto kit = variants::find_kit();
  write_and_open(
      kit ? variants::search_program(search, workbench_.desk().request().algorithm, kit->include_folders.front(), true)
          : kit.error(),
      path);
}

void VariantsPane::write_and_open(const Result<std::string>& text, const QString& path) {
  if (!text) return workbench_.messages().report(text.error());
  if (write(path, *text)) open(path);
}

void VariantsPane::start_exercise(const GalleryEntry& entry, const QString& path) {
  bool readable = false;
  const QString text = text_of_file(QString::fromStdString(entry.variant), readable);
  if (!readable)
    return workbench_.messages().report(
        {ErrorKind::io_failure, "cannot be read", entry.variant, "install the gallery again"});
  if (!write(path, text.toStdString())) return;
  open(path);
  exercise_ = entry;
  show_exercise(false);
  build();
}

void VariantsPane::open_exercise(const QString& path) {
  const auto entry = read_gallery_entry(path.toStdString());
  if (!entry) return workbench_.messages().report(entry.error());
  open(QString::fromStdString(entry->variant));
  exercise_ = *entry;
  show_exercise(false);
  show_outcome(tr("This exercise brings code of its author, which runs with your rights: it could read or delete your "
                  "files. Read it, then Build and compare."),
               true);
}

void VariantsPane::keep_failure(const QString& path) {
  if (!trial_) return;
  const QFileInfo file(path);
  std::string data = trial_->data;
  Result<void> kept;
  if (trial_->own_points) {
    const QString points = file.completeBaseName() + (trial_->own_points->triangles.empty() ? ".npy" : ".ply");
    data = points.toStdString();
    kept = save_data_set(*trial_->own_points, file.dir().filePath(points).toStdString());
  }
  if (kept) kept = write_exercise(path.toStdString(), *trial_, data);
  if (!kept) return workbench_.messages().report(kept.error());
  show_outcome(tr("Kept as %1.").arg(foreign_text(file.fileName())), true);
}

bool VariantsPane::write(const QString& path, const std::string& text) {
  QSaveFile file(path);
  if (file.open(QIODevice::WriteOnly) && file.write(text.data(), static_cast<qint64>(text.size())) >= 0 &&
      file.commit())
    return true;
  workbench_.messages().report(
      {ErrorKind::io_failure, "cannot be written", path.toStdString(), "choose another folder, or check the disk"});
  return false;
}

/// The exercise; with its solution and story once it is solved or given up.
void VariantsPane::show_exercise(bool solved) {
  task_->setVisible(exercise_.has_value());
  solution_->setVisible(exercise_ && !solved);
  if (!exercise_) return;
  std::string text = "**" + exercise_->title + ".** " + exercise_->exercise;
  if (solved) text += "\n\n" + exercise_->solution + "\n\n" + exercise_->story;
  ClosedDocument page;
  page.setMarkdown(foreign_text(text), QTextDocument::MarkdownNoHTML);
  task_->setText(page.toHtml());
}

void VariantsPane::open(const QString& path) {
  const bool another = path_ != QFileInfo(path).absoluteFilePath();
  if (another && editor_->document()->isModified() && !save()) return;
  if (!files_.files().isEmpty()) files_.removePaths(files_.files());
  if (!files_.directories().isEmpty()) files_.removePaths(files_.directories());
  path_ = QFileInfo(path).absoluteFilePath();
  trial_.reset();
  exercise_.reset();
  show_exercise(false);
  load();
  if (another) editor_->document()->clearUndoRedoStacks();
  // A program that replaces the file ends the watch on it, but not that on its folder.
  files_.addPath(path_);
  files_.addPath(QFileInfo(path_).path());
  show_messages({});
  show_outcome(tr("Change the code, then Build and compare."), true);
  show_buttons();
}

void VariantsPane::load() {
  bool readable = false;
  const QString text = text_of_file(path_, readable);
  if (!readable) {
    workbench_.messages().report({ErrorKind::io_failure, "cannot be read, or is larger than 1 MiB", path_.toStdString(),
                                  "check the file, or choose another one"});
    return;
  }
  on_disk_ = text;
  const int line = editor_->current_line();
  // Insert the text, so that undo brings back what was there.
  QTextCursor all(editor_->document());
  all.select(QTextCursor::Document);
  all.insertText(text);
  editor_->document()->setModified(false);
  editor_->go_to(line, 1);
}

bool VariantsPane::save() {
  const QByteArray text = editor_->toPlainText().toUtf8();
  QSaveFile file(path_);
  if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit()) {
    workbench_.messages().report({ErrorKind::io_failure, "cannot be written", path_.toStdString(),
                                  "check the disk; the text stays in the Variants pane"});
    return false;
  }
  workbench_.messages().conclude({});
  on_disk_ = QString::fromUtf8(text);
  editor_->document()->setModified(false);
  if (!files_.files().contains(path_)) files_.addPath(path_);  // the file was replaced
  return true;
}

void VariantsPane::file_changed() {
  if (path_.isEmpty()) return;
  if (!files_.files().contains(path_)) files_.addPath(path_);
  bool readable = false;
  const QString text = text_of_file(path_, readable);
  if (!readable || text == on_disk_) return;
  if (editor_->document()->isModified()) {
    on_disk_ = text;
    show_outcome(tr("Another program changed the file. Build overwrites that change with the text shown here; Open "
                    "shows the file instead."),
                 false);
    return;
  }
  load();
  if (watch_->isChecked()) build();
}

void VariantsPane::set_watching(bool on) {
  watch_->setChecked(on);
  if (on && !path_.isEmpty()) build();
}

void VariantsPane::build() {
  if (path_.isEmpty()) return;
  if (editor_->document()->isModified() && !save()) return;
  if (workbench_.jobs().busy()) {
    waiting_ = true;
    return;
  }
  shrunk_.clear();
  if (const auto file = variants::read_variant(path_.toStdString()); file && file->is_search) return build_search();
  if (auto request = request_to_build()) build(std::move(*request));
}

void VariantsPane::measure() {
  if (path_.isEmpty() || workbench_.jobs().busy() || (editor_->document()->isModified() && !save())) return;
  const auto request = request_to_build();
  if (!request) return;
  if (request->own_points) return show_outcome(tr("Points of your own are not measured yet. Open other data."), false);
  show_outcome(tr("Measuring\u2026"), true);
  workbench_.jobs().start(tr("Measuring %1").arg(QFileInfo(path_).fileName()), [this,
                                                                                request](const RunControl& control) {
    constexpr int builds = 11;
    auto errors = std::make_shared<variants::CompilerErrors>();
    auto measured = std::make_shared<Result<variants::Measurement>>(time_variant(*request, builds, *errors, control));
    return [this, measured, errors] {
      show_messages(errors->messages);
      const bool good = measured->has_value();
      show_outcome(foreign_text(good ? timing_text(**measured) : measured->error().message()), good);
    };
  });
}

/// What to build: the open file on the data of its exercise or, if the open run is one of its algorithm, on those of
/// the run. Nothing, with a message, if these have been edited since.
std::optional<TrialRequest> VariantsPane::request_to_build() {
  TrialRequest request;
  request.file = path_.toStdString();
  request.backend = target_->currentIndex() == 0 ? Backend::cpu : Backend::cuda;
  if (target_->currentIndex() == 2) request.tools = {"memcheck"};
  const auto file = variants::read_variant(request.file);
  const RunRequest& run = workbench_.desk().request();
  if (exercise_) {
    request.data = exercise_->data;
    request.parameters = exercise_->parameters;
    if (const auto order = lane_order_named(exercise_->order); order && order->kind == LaneOrder::Kind::shuffled)
      request.seed = order->seed;
  } else if (file && workbench_.playback().cursor() && file->algorithm == run.algorithm) {
    if (workbench_.edits().stale()) {
      show_outcome(tr("The points have been edited. Run the algorithm on them first."), false);
      return std::nullopt;
    }
    request.data = run.data;
    request.own_points = run.points;
    request.parameters = run.parameters;
    if (trial_ && trial_->data == request.data && trial_->own_points == request.own_points &&
        trial_->backend == request.backend && trial_->file.algorithm == file->algorithm && !trial_->original_depends &&
        trial_->original->header.parameters == workbench_.playback().trace()->header.parameters)
      request.original = trial_->original;
  }
  return request;
}

void VariantsPane::build(TrialRequest request) {
  show_outcome(tr("Building\u2026"), true);
  workbench_.jobs().start(tr("Building %1").arg(QFileInfo(path_).fileName()),
                          [this, request](const RunControl& control) {
                            auto errors = std::make_shared<variants::CompilerErrors>();
                            auto trial = std::make_shared<Result<VariantTrial>>(try_variant(request, *errors, control));
                            return [this, trial, errors] { finish(std::move(*trial), *errors); };
                          });
}

void VariantsPane::build_search() {
  const auto trace = workbench_.playback().trace();
  if (!trace) return show_outcome(tr("Open a run, and search its tree first."), false);
  trial_.reset();
  show_outcome(tr("Building\u2026"), true);
  StepLookRequest request{trace, workbench_.desk().request(), workbench_.playback().step()};
  request.search_file = path_.toStdString();
  workbench_.jobs().start(tr("Building %1").arg(QFileInfo(path_).fileName()),
                          [this, request](const RunControl& control) {
                            auto errors = std::make_shared<variants::CompilerErrors>();
                            auto trial = std::make_shared<Result<SearchTrial>>(try_search(request, *errors, control));
                            return [this, trial, errors] { finish_search(std::move(*trial), *errors); };
                          });
}

void VariantsPane::finish_search(Result<SearchTrial> trial, const variants::CompilerErrors& errors) {
  if (!trial) return show_failure(trial.error(), errors);
  show_messages({});
  const bool good = trial->difference.empty() && trial->look.faults.empty() && trial->look.crash.empty();
  show_outcome(tr("The search %1.").arg(foreign_text(outcome_text(*trial))), good);
  if (workbench_.playback().concealment().hides_values() || workbench_.playback().is_confined()) return;
  Inside& inside = workbench_.inside();
  inside.close();
  std::optional<access_log::Access> wrong;
  if (trial->access) wrong = trial->look.recording.accesses[*trial->access];
  inside.keep(workbench_.playback().step(), prepared(std::move(trial->look)));
  inside.open();
  if (!wrong) return;
  if (const auto place = access_log::place_of(inside.look().recording(), *wrong)) inside.go_to_access(*place);
}

void VariantsPane::shrink() {
  if (!trial_ || trial_->equal() || workbench_.jobs().busy()) return;
  ShrinkRequest request{trial_->file, request_of(*trial_)};
  request.run.parameters = trial_->original->header.parameters;  // "auto" as it was chosen for these points
  if (trial_->order.kind == LaneOrder::Kind::shuffled) request.seed = trial_->order.seed;
  show_outcome(tr("Shrinking\u2026"), true);
  workbench_.jobs().start(
      tr("Shrinking the points of %1").arg(QFileInfo(path_).fileName()), [this, request](const RunControl& control) {
        variants::CompilerErrors errors;
        std::vector<variants::CompilerMessage> warnings;
        auto found = std::make_shared<Result<ShrunkFailure>>(shrink_failure(request, errors, warnings, control));
        return [this, found, parameters = request.run.parameters] { finish_shrinking(std::move(*found), parameters); };
      });
}

void VariantsPane::finish_shrinking(Result<ShrunkFailure> found, const Parameters& parameters) {
  if (!found) return show_outcome(foreign_text(found.error().message()), false);
  shrunk_ = foreign_text(shrunk_text(found->shrunk));
  TrialRequest request;
  request.file = path_.toStdString();
  request.data = trial_ ? trial_->data : std::string();
  request.parameters = parameters;
  request.own_points = std::make_shared<const DataSet>(std::move(found->shrunk.data));
  build(std::move(request));
}

void VariantsPane::finish(Result<VariantTrial> trial, const variants::CompilerErrors& errors) {
  if (!trial) return show_failure(trial.error(), errors);
  trial_ = std::move(*trial);
  std::vector<variants::CompilerMessage> messages = trial_->warnings;
  const std::uint32_t fault_line = trial_->run.fault ? trial_->run.fault->line : 0;
  if (fault_line > 0) messages.insert(messages.begin(), {fault_line, 1, "fault", trial_->run.crash});
  show_messages(messages);
  const bool good = trial_->equal() && !trial_->not_used();
  if (exercise_ && good) show_exercise(true);
  show_outcome((exercise_ && good ? tr("Solved: the variant %1.") : tr("The variant %1."))
                       .arg(foreign_text(outcome_text(*trial_))) +
                   (shrunk_.isEmpty() ? QString() : tr(" The points were %1.").arg(shrunk_)),
               good);
  if (fault_line > 0) editor_->go_to(static_cast<int>(fault_line), 1);
  if (trial_->run.trace)
    workbench_.desk().show_run(run_of(*trial_));  // one that is equal opens at the step that is shown now
}

void VariantsPane::show_failure(const Error& error, const variants::CompilerErrors& errors) {
  trial_.reset();
  show_messages(errors.messages);
  show_outcome(foreign_text(error.message()), false);
  const auto first = std::ranges::find(errors.messages, "error", &variants::CompilerMessage::kind);
  if (first == errors.messages.end()) return;
  messages_->setCurrentRow(static_cast<int>(first - errors.messages.begin()));
  editor_->go_to(static_cast<int>(first->line), static_cast<int>(first->column));
}

void VariantsPane::show_messages(const std::vector<variants::CompilerMessage>& messages) {
  messages_->clear();
  std::map<int, QString> lines;
  for (const variants::CompilerMessage& message : messages) {
    auto* item = new QListWidgetItem(message_text(message), messages_);
    item->setData(Qt::UserRole, message.line);
    item->setData(Qt::UserRole + 1, message.column);
    QString& text = lines[static_cast<int>(message.line)];
    text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + foreign_text(message.text);
  }
  messages_->setVisible(!messages.empty());
  constexpr int most_rows = 4;
  messages_->setFixedHeight(std::min(messages_->count(), most_rows) * 3 * fontMetrics().lineSpacing() / 2 +
                            2 * messages_->frameWidth());
  editor_->mark_lines(std::move(lines));
}

/// Shows what the variant of the open run printed at the step, or at all steps.
void VariantsPane::show_prints() {
  const Trace* trace = workbench_.playback().cursor() ? workbench_.playback().trace().get() : nullptr;
  const bool any = trace && has_printed_text(*trace);
  of_step_->setVisible(any);
  prints_->setVisible(any);
  if (!any) return;
  const std::uint32_t shown = workbench_.playback().step();
  QString text;
  for (const Step& step : trace->steps) {
    if (of_step_->isChecked() && step.ordinal != shown) continue;
    const std::string printed = printed_text(*trace, step.ordinal);
    if (printed.empty() || !workbench_.playback().allows(step.ordinal)) continue;
    if (!of_step_->isChecked()) text += tr("step %1 (%2):\n").arg(step.ordinal).arg(foreign_text(path_text(step)));
    text += foreign_text(printed);
    if (!text.endsWith(QLatin1Char('\n'))) text += QLatin1Char('\n');
  }
  if (text.isEmpty()) text = tr("This step printed nothing.");
  if (prints_->toPlainText() != text) prints_->setPlainText(text);
}

void VariantsPane::show_outcome(const QString& text, bool good) {
  outcome_->setText(text);
  QPalette palette;
  if (!good) palette.setColor(QPalette::WindowText, colour(theme_of(workbench_.looks().appearance()).failed));
  outcome_->setPalette(palette);
  outcome_->setAccessibleDescription(text);
}

void VariantsPane::show_buttons() {
  const bool open = !path_.isEmpty();
  name_->setVisible(open);
  editor_->setVisible(open);
  name_->setText(open ? foreign_text(QFileInfo(path_).fileName() +
                                     (editor_->document()->isModified() ? tr(" (changed)") : QString()))
                      : QString());
  name_->setToolTip(plain_tip(path_));
  new_->setEnabled(workbench_.playback().cursor() != nullptr);
  build_->setEnabled(open && !workbench_.jobs().busy());
  measure_->setVisible(open);
  measure_->setEnabled(open && !workbench_.jobs().busy());
  for (QPushButton* button : {shrink_, keep_}) {
    button->setVisible(open);
    button->setEnabled(trial_ && !trial_->equal() && !workbench_.jobs().busy());
  }
  watch_->setEnabled(open);
}

void add_variants(WorkbenchWindow& window, Workbench& workbench) {
  window.add_dock(QStringLiteral("variants"), new VariantsPane(workbench), nullptr, QStringLiteral("source"), false);
}

}  // namespace kdscope
