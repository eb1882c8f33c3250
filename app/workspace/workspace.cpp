#include "app/workspace/workspace.hpp"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <string_view>
#include <utility>

#include "algorithms/trace/trace_file.hpp"
#include "app/appearance/file_question.hpp"
#include "app/appearance/icons.hpp"
#include "app/recording/run.hpp"
#include "app/session/point_edits.hpp"
#include "app/views/scene_view.hpp"
#include "app/workbench/step_motion.hpp"
#include "app/workbench/workbench_window.hpp"
#include "app/workspace/course_menu.hpp"
#include "app/workspace/kept_answers.hpp"
#include "app/workspace/layouts.hpp"
#include "app/workspace/lesson_files.hpp"
#include "app/workspace/recent_files.hpp"
#include "datasets/data_form.hpp"
#include "visualizer/style/theme.hpp"
#include "walkthroughs/practice/results.hpp"

namespace kdscope {

QString state_folder() {
  // Compute the folder here, because Qt 6.4 has no standard location for it.
  const QString chosen = qEnvironmentVariable("XDG_STATE_HOME");
  return (QDir::isAbsolutePath(chosen) ? chosen : QDir::homePath() + QStringLiteral("/.local/state")) +
         QStringLiteral("/kdscope");
}

Workspace::Workspace(WorkbenchWindow& window, Workbench& workbench)
    : QObject(&window),
      window_(window),
      workbench_(workbench),
      recent_(new RecentFiles(&window)),
      course_(new CourseMenu(window.menu(QStringLiteral("lessons")), workbench)),
      lessons_(new LessonFiles(window, workbench, *this)) {
  fill_menu();
  window.installEventFilter(this);
  connect(&autosave_timer_, &QTimer::timeout, this, &Workspace::autosave);
  autosave_timer_.setSingleShot(true);
  const auto touch = [this] { touched(); };
  connect(&workbench.playback(), &Playback::opened, this, &Workspace::run_opened);
  connect(&workbench, &Workbench::session_opened, this, &Workspace::session_opened);
  connect(&workbench.playback(), &Playback::stepped, this, touch);
  connect(&workbench.playback(), &Playback::selected, this, touch);
  connect(&workbench.playback(), &Playback::baseline_changed, this, touch);
  connect(&workbench.playback(), &Playback::axes_changed, this, touch);
  connect(&workbench.marks(), &Marks::changed, this, touch);
  connect(&workbench.edits(), &PointEdits::changed, this, touch);
  connect(&workbench.looks(), &Looks::changed, this, touch);
  connect(&workbench.editor(), &LessonEditor::changed, this, touch);
  connect(&window.layouts(), &Layouts::changed, this, touch);
  connect(&window.scene(), &SceneView::camera_changed, this, [this] {
    workbench_.looks().set_camera(window_.scene().camera());
    touched();
  });
}

void Workspace::fill_menu() {
  QMenu& file = window_.menu(QStringLiteral("file"));
  QAction* before = file.actions().value(2);  // behind what opens
  connect(recent_, &RecentFiles::chosen, &workbench_, &Workbench::open);
  connect(recent_, &RecentFiles::missing, this, [this](const QString& path) {
    workbench_.messages().report({ErrorKind::bad_input, "the file no longer exists", path.toStdString(),
                                  "it was removed from the list; use Open if it was moved"});
  });
  file.insertMenu(before, recent_);
  file.insertSeparator(before);
  const auto entry = [&](const QString& text, const char* name, const QKeySequence& key, void (Workspace::*what)()) {
    auto* action = new QAction(text, this);
    action->setShortcut(key);
    action->setObjectName(QString::fromLatin1(name));
    connect(action, &QAction::triggered, this, what);
    file.insertAction(before, action);
    action->setEnabled(session_files_available());
    if (!session_files_available()) action->setText(text + tr(" (off: this build has no yaml-cpp)"));
  };
  entry(tr("&Save session"), "save_session", QKeySequence::Save, &Workspace::save);
  entry(tr("Save session &as\u2026"), "save_session_as", Qt::CTRL | Qt::SHIFT | Qt::Key_S, &Workspace::save_as);
  auto* trace = new QAction(tr("Save &trace\u2026"), this);
  trace->setObjectName(QStringLiteral("save_trace"));
  trace->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_T);
  trace->setEnabled(false);
  connect(trace, &QAction::triggered, this, &Workspace::save_trace_as);
  connect(&workbench_.playback(), &Playback::opened, trace, [trace] { trace->setEnabled(trace_files_available()); });
  if (!trace_files_available()) trace->setText(trace->text() + tr(" (off: this build has no HDF5)"));
  file.insertSeparator(before);
  file.insertAction(before, trace);
  auto* compare = new QAction(tr("&Compare with\u2026"), this);
  compare->setObjectName(QStringLiteral("compare_with"));
  compare->setEnabled(false);
  connect(compare, &QAction::triggered, this, &Workspace::compare);
  connect(&workbench_.playback(), &Playback::opened, compare,
          [compare] { compare->setEnabled(trace_files_available()); });
  if (!trace_files_available()) compare->setText(compare->text() + tr(" (off: this build has no HDF5)"));
  file.insertAction(before, compare);
  file.insertSeparator(before);
  auto* hand_in = new QAction(tr("&Hand in\u2026"), this);
  hand_in->setObjectName(QStringLiteral("hand_in"));
  connect(hand_in, &QAction::triggered, this, &Workspace::hand_in);
  file.insertAction(before, hand_in);
}

void Workspace::remember(const Memory& memory) {
  settings_ = memory.settings_file.isEmpty()
                  ? std::make_unique<QSettings>(QStringLiteral("kdscope"), QStringLiteral("kdscope"))
                  : std::make_unique<QSettings>(memory.settings_file, QSettings::IniFormat);
  recent_->keep_in(settings_.get());
  course_->keep_in(settings_.get());
  new KeptAnswers(workbench_, memory.state_folder, this);
  student_ = settings_->value(QStringLiteral("student")).toString();
  workbench_.questions().set_hides(settings_->value(QStringLiteral("hide_answers"), true).toBool());
  if (!session_files_available()) return;
  autosave_ = std::make_unique<Autosave>(memory.state_folder);
  autosave_timer_.setInterval(memory.autosave_ms);
  connect(autosave_.get(), &Autosave::failed, this,
          [this](const Error& error) { workbench_.messages().report(error); });
  // Delete a restored autosave once this program's own autosave contains it.
  connect(autosave_.get(), &Autosave::written, this, [this] {
    if (!restored_.isEmpty()) autosave_->discard_left(std::exchange(restored_, QString()));
  });
}

void Workspace::restore_looks() {
  if (!settings_) return;
  const std::string name = settings_->value(QStringLiteral("theme")).toString().toStdString();
  if (theme_named(name)) workbench_.looks().set_theme(name);
  const int percent = settings_->value(QStringLiteral("text_scale")).toInt();
  if (percent > 0) workbench_.looks().set_text_scale(percent);
  usually_animates_ = workbench_.motion().enabled();
  workbench_.motion().set_enabled(settings_->value(QStringLiteral("animate_moves"), usually_animates_).toBool());
  window_.restoreGeometry(settings_->value(QStringLiteral("geometry")).toByteArray());
  window_.layouts().start_with(settings_->value(QStringLiteral("layout")).toByteArray());
}

void Workspace::show_for_this_run(const std::string& theme, int text_scale) {
  theme_of_run_ = theme, text_scale_of_run_ = text_scale;
  if (!theme.empty()) workbench_.looks().set_theme(theme);
  if (text_scale > 0) workbench_.looks().set_text_scale(text_scale);
}

void Workspace::offer_restore() {
  if (!autosave_ || autosave_->left().empty()) return;
  const Autosave::Left left = autosave_->left().front();
  auto* box = new QMessageBox(QMessageBox::Question, tr("Restore the session"),
                              tr("kdscope did not end properly. Restore the session of %1?")
                                  .arg(QLocale().toString(left.when, QLocale::ShortFormat)),
                              QMessageBox::NoButton, &window_);
  box->setObjectName(QStringLiteral("restore"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  QAbstractButton* restore = box->addButton(tr("&Restore"), QMessageBox::AcceptRole);
  QAbstractButton* discard = box->addButton(tr("&Discard"), QMessageBox::DestructiveRole);
  box->addButton(tr("Ask &later"), QMessageBox::RejectRole);
  box->setDefaultButton(static_cast<QPushButton*>(restore));
  connect(box, &QMessageBox::buttonClicked, this, [this, restore, discard, left](QAbstractButton* button) {
    if (button == restore) {
      restoring_ = left.path;
      if (!workbench_.jobs().busy()) return workbench_.open(left.path);
      connect(
          &workbench_.jobs(), &Jobs::busy_changed, this, [this, path = left.path] { workbench_.open(path); },
          static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    } else if (button == discard) {
      autosave_->discard_left(left.path);
    } else {
      autosave_->release_left();
    }
  });
  box->open();
}

bool Workspace::Work::operator==(const Work& other) const {
  const auto equal = [](const auto& a, const auto& b) { return a == b || (a && b && equal_points(*a, *b)); };
  return equal(own_points, other.own_points) && equal(edited_points, other.edited_points) &&
         bookmarks == other.bookmarks;
}

Workspace::Work Workspace::work() const {
  const SavedSession saved = workbench_.saved_session();
  if (workbench_.desk().has_points_of_lesson()) return {{}, {}, saved.session.bookmarks};  // the lesson keeps them
  return {saved.session.run.points, saved.edited_points, saved.session.bookmarks};
}

bool Workspace::unsaved() const {
  const Work now = work();
  return now != saved_work_ && (now || !file_.isEmpty());
}

SavedSession Workspace::present() const {
  SavedSession saved = workbench_.saved_session();
  // A view that fits the points fits them in a window of another size, too.
  const SceneView& scene = window_.scene();
  if (scene.can_draw())
    saved.session.looks.camera =
        scene.fitted_to() == CameraPreset::reset ? std::nullopt : std::optional(scene.camera());
  saved.layout = window_.layouts().state_with_sizes().toBase64().toStdString();
  return saved;
}

void Workspace::run_opened() {
  keep_replaced_work();
  const SavedSession now = workbench_.saved_session();
  const bool same =
      now.session.run.data == latest_.session.run.data && now.session.trace_file == latest_.session.trace_file;
  if (!same) {  // another document
    saved_work_ = {};
    set_file({});
  }
  const QString data =
      QString::fromStdString(now.session.trace_file.empty() ? now.session.run.data : now.session.trace_file);
  if (const Lesson* lesson = workbench_.lessons().lesson();
      lesson && !workbench_.lessons().is_listed(*lesson) && !lesson->path.empty())
    recent_->add(QString::fromStdString(lesson->path));
  else if (QFileInfo(QString::fromStdString(parse_data_form(data.toStdString()).file)).isFile())
    recent_->add(data);
  as_opened_ = now.session;
  latest_ = now;
  latest_points_of_lesson_ = workbench_.desk().has_points_of_lesson();
  const auto& damaged = workbench_.lessons().catalogue().problems;
  if (!damaged.empty() && !std::exchange(said_lessons_, true)) {
    Error first = damaged.front();
    first.what = "a lesson is left out: " + first.what;
    if (damaged.size() > 1)
      first.remedy += (first.remedy.empty() ? "" : "; ") + std::string("the Lessons menu lists ") +
                      std::to_string(damaged.size()) + " that are damaged";
    workbench_.messages().report(first);
  }
}

void Workspace::keep_replaced_work() {
  const Work now = work(), before{latest_.session.run.points, latest_.edited_points, latest_.session.bookmarks};
  if (!autosave_ || !before || before == saved_work_) return;
  const auto& points = before.edited_points ? before.edited_points : before.own_points;
  // Undo or redo brings them back, and a drag is one command.
  if (workbench_.desk().going_back() || workbench_.playback().continues()) return;
  const auto shown = workbench_.edits().points();
  const bool lost = (points && !latest_points_of_lesson_ && !(shown && equal_points(*points, *shown))) ||
                    (!before.bookmarks.empty() && now.bookmarks.empty());
  if (!lost) return;
  recent_->add(autosave_->keep(latest_));
  workbench_.messages().report(
      {ErrorKind::bad_usage, "own points or bookmarks were not saved", "", "File > Open recent brings them back"});
}

void Workspace::session_opened(const QString& path, const SavedSession& saved, Opening opening) {
  window_.restore_layout_state(QByteArray::fromBase64(QByteArray::fromStdString(saved.layout)));
  workbench_.editor().restore(saved.draft, saved.draft_file);
  if (opening == Opening::looks_alone) return;
  if (saved.session.looks.camera) window_.scene().set_camera(*saved.session.looks.camera);
  if (path == restoring_) {  // a restored session is still unsaved
    restored_ = std::exchange(restoring_, QString());
    set_file(QString::fromStdString(saved.file));
    as_opened_ = {};
    if (autosave_) autosave();
    return;
  }
  recent_->add(path);
  saved_work_ = work();
  set_file(opening == Opening::whole ? path : QString());  // saving must not overwrite parts that were not read
  as_opened_ = workbench_.session();
}

void Workspace::touched() {
  latest_ = workbench_.saved_session();
  latest_points_of_lesson_ = workbench_.desk().has_points_of_lesson();
  window_.setWindowModified(unsaved() || workbench_.editor().unsaved());
  if (autosave_ && !autosave_timer_.isActive() && workbench_.playback().cursor()) autosave_timer_.start();
}

void Workspace::autosave() {
  if (workbench_.session() == as_opened_ && !unsaved() && !workbench_.editor().unsaved()) return;
  SavedSession saved = present();
  saved.file = file_.toStdString();
  autosave_->write(std::move(saved));
}

void Workspace::set_file(const QString& path) {
  file_ = path;
  window_.setWindowModified(unsaved() || workbench_.editor().unsaved());
  window_.show_title(file_.isEmpty() ? QString() : QFileInfo(file_).fileName());
}

bool Workspace::save_to(const QString& path) {
  QGuiApplication::setOverrideCursor(Qt::WaitCursor);
  const auto saved = save_session(present(), path.toStdString());
  QGuiApplication::restoreOverrideCursor();
  if (!workbench_.messages().conclude(saved)) return false;
  saved_work_ = work();
  as_opened_ = workbench_.session();
  set_file(path);
  recent_->add(path);
  return true;
}

void Workspace::save() {
  if (file_.isEmpty())
    save_as();
  else
    save_to(file_);
}

void Workspace::save_as() {
  const QString name = file_.isEmpty() ? tr("session") + QLatin1String(session_ending) : QFileInfo(file_).fileName();
  ask_for_file(session_ending, tr("Save session"), name, [this](const QString& path) { save_to(path); });
}

void Workspace::save_trace_as() {
  const auto trace = workbench_.playback().trace();
  if (!trace) return;
  const QString name = QString::fromStdString(trace->header.algorithm) + QStringLiteral("-%1").arg(trace->header.n) +
                       QLatin1String(trace_ending);
  ask_for_file(trace_ending, tr("Save trace"), name, [this, trace](const QString& path) {
    const auto looks = workbench_.inside().looks();
    workbench_.jobs().start(tr("Saving %1").arg(path), [this, trace, looks, path](const RunControl&) {
      const auto whole = access_log::with_looks(trace, looks);
      auto saved = std::make_shared<Result<void>>(save_trace(*whole, path.toStdString()));
      return [this, saved, path] {
        if (workbench_.messages().conclude(*saved)) recent_->add(path);
      };
    });
  });
}

void Workspace::open() {
  ask_for_file(nullptr, tr("Open"), {}, [this](const QString& path) { workbench_.open(path); });
}

void Workspace::compare() {
  ask_for_file(nullptr, tr("Compare with a trace of the same data"), {},
               [this](const QString& path) { workbench_.desk().compare_with(path); });
}

void Workspace::hand_in() {
  auto* dialog = new HandInDialog(workbench_, student_, &window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    student_ = dialog->student();
    if (settings_) settings_->setValue(QStringLiteral("student"), student_);
    QString name = student_;
    name.replace(QLatin1Char('/'), QLatin1Char('-'));
    ask_for_file(results_ending, tr("Hand in"), name + QLatin1String(results_ending),
                 [this, student = student_, attempts = dialog->attempts()](const QString& path) {
                   workbench_.messages().conclude(kdscope::hand_in(student, attempts, path));
                 });
  });
  dialog->open();
}

void Workspace::ask_for_file(const char* ending, const QString& title, const QString& name,
                             std::function<void(const QString&)> then, const QString& only) {
  const bool to_save = ending != nullptr;
  const QString sessions = tr("Sessions (*.kdsession)"), traces = tr("Traces (*.kdtrace)");
  const QString all =
      tr("Sessions, traces and points (*.kdsession *.kdtrace *.csv *.xyz *.npy *.pcd *.ply *.obj *.stl *.txt)");
  const QString of_ending = !to_save                                     ? QString()
                            : ending == std::string_view(results_ending) ? tr("Results (*.kdresults)")
                            : ending == std::string_view(trace_ending)   ? traces
                                                                         : sessions;
  QStringList filters{only};
  if (only.isEmpty())
    filters = to_save ? QStringList(of_ending) : QStringList{all, sessions, traces, tr("All files (*)")};
  const QString folder =
      file_.isEmpty() && settings_ ? settings_->value(QStringLiteral("folder")).toString() : QFileInfo(file_).path();
  FileQuestion question{title, filters, to_save ? QString::fromLatin1(ending).mid(1) : QString(),
                        QFileInfo(folder).isDir() ? QDir(folder).filePath(name) : name};
  question.used = recent_->folders();
  kdscope::ask_for_file(window_, question, [this, then = std::move(then)](const QString& path) {
    if (settings_) settings_->setValue(QStringLiteral("folder"), QFileInfo(path).path());
    then(path);
  });
}

void Workspace::note_file(const QString& path) { recent_->add(path); }

bool Workspace::eventFilter(QObject* watched, QEvent* event) {
  if (watched != &window_ || event->type() != QEvent::Close) return false;
  if (!leaving_ && workbench_.editor().unsaved()) {
    event->ignore();
    lessons_->keep_or_drop([this] { window_.close(); });
    return true;
  }
  if (!leaving_ && unsaved() && session_files_available()) {
    event->ignore();
    ask_to_save();
    return true;
  }
  if (settings_) {
    settings_->setValue(QStringLiteral("geometry"), window_.saveGeometry());
    settings_->setValue(QStringLiteral("layout"), window_.layouts().state_with_sizes());
    if (const std::string& name = workbench_.looks().appearance().theme; name != theme_of_run_)
      settings_->setValue(QStringLiteral("theme"), QString::fromStdString(name));
    // Unless a person chooses otherwise, what suits the screen and the system's wish for less motion hold, also when
    // these change later.
    const int percent = workbench_.looks().appearance().text_scale;
    if (percent != text_scale_of_run_ && percent != workbench_.looks().usual_text_scale())
      settings_->setValue(QStringLiteral("text_scale"), percent);
    else if (percent != text_scale_of_run_)
      settings_->remove(QStringLiteral("text_scale"));
    if (const bool animates = workbench_.motion().enabled(); animates != usually_animates_)
      settings_->setValue(QStringLiteral("animate_moves"), animates);
    else
      settings_->remove(QStringLiteral("animate_moves"));
    settings_->setValue(QStringLiteral("hide_answers"), workbench_.questions().hides());
    settings_->sync();
  }
  autosave_timer_.stop();
  if (autosave_) autosave_->clear();
  return false;
}

void Workspace::ask_to_save() {
  if (window_.findChild<QMessageBox*>(QStringLiteral("unsaved"))) return;
  const Work now = work();
  QStringList what;
  if (now.own_points || now.edited_points) what << tr("own points");
  if (now.bookmarks.size() == 1) what << tr("a bookmark");
  if (now.bookmarks.size() > 1) what << tr("%1 bookmarks").arg(now.bookmarks.size());
  if (what.isEmpty()) what << tr("changes");
  auto* box =
      new QMessageBox(QMessageBox::Question, tr("Unsaved work"),
                      tr("Save the session before you leave? Not saved in any file: %1.").arg(what.join(tr(" and "))),
                      QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &window_);
  box->setObjectName(QStringLiteral("unsaved"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setDefaultButton(QMessageBox::Save);
  connect(box, &QMessageBox::finished, this, [this](int answer) {
    if (answer == QMessageBox::Discard) leave();
    if (answer != QMessageBox::Save) return;
    const auto save_and_leave = [this](const QString& path) {
      if (save_to(path)) leave();
    };
    if (file_.isEmpty())
      ask_for_file(session_ending, tr("Save session"), tr("session") + QLatin1String(session_ending), save_and_leave);
    else
      save_and_leave(file_);
  });
  box->open();
}

void Workspace::end() {
  if (autosave_ && (unsaved() || workbench_.editor().unsaved()) && session_files_available()) {
    SavedSession saved = present();
    saved.file = file_.toStdString();
    recent_->add(autosave_->keep(std::move(saved)));
  }
  leaving_ = true;
  window_.close();
}

void Workspace::leave() {
  leaving_ = true;
  QTimer::singleShot(0, &window_, &QWidget::close);
}

}  // namespace kdscope
