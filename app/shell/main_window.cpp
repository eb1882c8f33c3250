#include "app/shell/main_window.hpp"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPen>
#include <QPlainTextEdit>
#include <QTimer>
#include <QToolBar>
#include <QVBoxLayout>

#include "app/appearance/appearance.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/key_list.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/mnemonics.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/application_panes/cloud_pane.hpp"
#include "app/application_panes/picture_pane.hpp"
#include "app/application_panes/tracking_pane.hpp"
#include "app/compare/compare_window.hpp"
#include "app/debug/variants_pane.hpp"
#include "app/debug/watch_pane.hpp"
#include "app/devices/device_list.hpp"
#include "app/export/export_dialog.hpp"
#include "app/inside/look_inside.hpp"
#include "app/kernel/be_the_kernel.hpp"
#include "app/lesson_editing/lesson_editing.hpp"
#include "app/measure_panes/experiment_pane.hpp"
#include "app/measure_panes/roofline_pane.hpp"
#include "app/measure_panes/timing_pane.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/panes/before_badge.hpp"
#include "app/panes/biography_pane.hpp"
#include "app/panes/bookmarks_pane.hpp"
#include "app/panes/candidates_pane.hpp"
#include "app/panes/change_bar.hpp"
#include "app/panes/checks_pane.hpp"
#include "app/panes/curtain.hpp"
#include "app/panes/histogram_pane.hpp"
#include "app/panes/legend.hpp"
#include "app/panes/message_bar.hpp"
#include "app/panes/narration_pane.hpp"
#include "app/panes/parallel_coordinates_pane.hpp"
#include "app/panes/source_pane.hpp"
#include "app/panes/timeline_pane.hpp"
#include "app/panes/tree_pane.hpp"
#include "app/panes/viewer.hpp"
#include "app/panes/violation_badge.hpp"
#include "app/point_editing/point_editing.hpp"
#include "app/present/pane_keys.hpp"
#include "app/present/presentation.hpp"
#include "app/run/file_reading.hpp"
#include "app/run/run_panel.hpp"
#include "app/search/search_pane.hpp"
#include "app/shell/view_menu.hpp"
#include "app/views/dock_title.hpp"
#include "app/views/scene_view.hpp"
#include "app/workspace/layouts.hpp"
#include "app/workspace/workspace.hpp"
#include "visualizer/model/question_concealment.hpp"
#include "walkthroughs/reader/panes.hpp"

namespace kdscope {
namespace {

/// A label in a rounded frame, with a menu.
class Badge : public QLabel {
 public:
  using QLabel::QLabel;
  QMenu* menu = nullptr;
  bool stands_out = false;

 protected:
  void mousePressEvent(QMouseEvent*) override {
    if (menu) menu->popup(mapToGlobal(rect().bottomLeft()));
  }
  void paintEvent(QPaintEvent* event) override {
    paint_badge(*this, QPen(palette().color(stands_out ? QPalette::Highlight : QPalette::Mid), 1.2), Qt::NoBrush);
    QLabel::paintEvent(event);
  }
};

/// Returns whether a widget takes keys as text.
bool edits_text(const QObject* widget) {
  if (const auto* line = qobject_cast<const QLineEdit*>(widget)) return !line->isReadOnly();
  if (const auto* text = qobject_cast<const QTextEdit*>(widget)) return !text->isReadOnly();
  if (const auto* text = qobject_cast<const QPlainTextEdit*>(widget)) return !text->isReadOnly();
  const auto* list = qobject_cast<const QComboBox*>(widget);
  return qobject_cast<const QAbstractSpinBox*>(widget) || (list && list->isEditable());
}

bool is_key_of(const QMenu& menu, const QKeySequence& key) {
  const QList<QAction*> actions = menu.actions();
  return std::any_of(actions.begin(), actions.end(), [&](const QAction* action) {
    return action->menu() ? is_key_of(*action->menu(), key) : action->shortcuts().contains(key);
  });
}

/// A bar that the user cannot move, float or hide.
QToolBar* fixed_bar(QWidget* content) {
  auto* bar = new QToolBar;
  bar->setMovable(false);
  bar->setFloatable(false);
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  bar->toggleViewAction()->setVisible(false);
  content->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(content);
  return bar;
}

}  // namespace

MainWindow::MainWindow(Workbench& workbench, QWidget* parent)
    : WorkbenchWindow(parent),
      workbench_(workbench),
      actions_(workbench, this),
      practice_(workbench, this),
      motion_(workbench, this),
      scene_(new SceneView),
      tree_pane_(new TreePane),
      tree_(&tree_pane_->view()),
      arrays_(new ArraysPane(workbench)),
      histogram_(new HistogramPane(workbench)),
      message_(new MessageBar(workbench)),
      transport_(new TransportBar(workbench, actions_)),
      lesson_name_(plain_label()),
      badge_(new Badge),
      violations_(new ViolationBadge(workbench)),
      note_(rich_label()),
      layouts_(new Layouts(*this, workbench)) {
  badge_->setTextFormat(Qt::PlainText);
  setWindowTitle(QStringLiteral("kdscope"));
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  // Do not animate docks: meanwhile, tab bars that restoreState() is about to show may disappear (seen with Qt 6.4).
  // Before the panes, whose filters thereby see a key first: some of their fields take digits only.
  qApp->installEventFilter(this);
  setAnimated(false);
  setContextMenuPolicy(Qt::NoContextMenu);
  // Keep the window within its screen even with large text: panes narrower than their contents scroll or cut them off.
  layout()->setSizeConstraint(QLayout::SetNoConstraint);
  setMinimumSize(640, 400);

  auto* middle = new QWidget;
  auto* column = new QVBoxLayout(middle);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(scene_, 1);
  column->addWidget(note_);
  note_->setWordWrap(true);
  note_->setContentsMargins(10, 3, 10, 3);
  note_->setForegroundRole(QPalette::PlaceholderText);
  note_->setObjectName(QStringLiteral("view_note"));
  connect(note_, &QLabel::linkActivated, &workbench_, [this] { workbench_.looks().set_equal_scales(false); });
  note_->hide();
  setCentralWidget(middle);

  QToolBar* transport_bar = fixed_bar(transport_);
  transport_bar->setObjectName(QStringLiteral("transport"));
  addToolBar(Qt::BottomToolBarArea, transport_bar);

  make_docks();
  make_menus();
  make_corner();
  message_->lie_over(*scene_);
  connect(message_, &MessageBar::other_reading_wanted, this, [this](const RunRequest& run) {
    ask_how_to_read(*this, workbench_, QString::fromStdString(run.data), tr("Open"),
                    [this, run](const QString& specification, const QStringList& warnings) {
                      message_->leave_out(warnings);
                      RunRequest again = run;
                      again.data = specification.toStdString();
                      workbench_.desk().run(again);
                    });
  });
  // Add the features that bring their own docks, menu entries and keys.
  add_export(*this, workbench_);
  add_point_editing(*this, workbench);
  add_kernel_practice(*this, workbench);
  add_searching(*this, workbench);
  add_pictures(*this, workbench);
  add_tracking(*this, workbench);
  add_point_clouds(*this, workbench);
  add_dock(QStringLiteral("biography"), new BiographyPane(workbench), nullptr, QStringLiteral("timeline"), false);
  add_dock(QStringLiteral("legend"), new LegendPane(workbench), nullptr, QStringLiteral("timeline"), false);
  add_dock(QStringLiteral("roofline"), new RooflinePane(workbench), nullptr, QStringLiteral("timing"), false);
  presentation_ = new Presentation(*this, workbench);
  add_side_by_side(*this, workbench_);
  menu(QStringLiteral("view")).insertAction(menu(QStringLiteral("view")).actions().front(), presentation_->action());
  add_variants(*this, workbench);
  add_watches(*this, workbench);
  add_looking_inside(*this, workbench);
  workspace_ = new Workspace(*this, workbench);
  static_cast<NarrationPane*>(docks_.at(QStringLiteral("narration"))->widget())
      ->set_next_lesson(menu(QStringLiteral("lessons")).findChild<QAction*>(QStringLiteral("next_lesson")));
  add_lesson_editing(*this, workbench);
  new PaneKeys(*this);
  list_docks();
  for (const QAction* entry : menuBar()->actions()) keep_mnemonics(*entry->menu());
  layouts_->start();

  connect(&workbench.playback(), &Playback::opened, this, &MainWindow::open_run);
  connect(&workbench.lessons(), &LessonPlayer::shown, this, &MainWindow::open_run);
  for (const auto signal : {&Playback::stepped, &Playback::concealment_changed})
    connect(&workbench.playback(), signal, this, &MainWindow::show_step);
  for (const char* pane : {"narration", "source", "checks", "arrays", "histogram", "candidates", "coordinates"})
    cover_while_coming(*docks_.at(QString::fromLatin1(pane))->widget(), workbench.playback(),
                       workbench.coming_values());
  attach(*scene_, workbench.playback(), workbench);
  tree_pane_->follow(workbench);
  connect(&workbench.looks(), &Looks::changed, this, &MainWindow::show_appearance);
  connect(&workbench.device_choice(), &DeviceChoice::chosen_changed, this, [this] {
    show_device();
    lay_out_bars();
  });
  connect(arrays_, &ArraysPane::legend_pressed, this, [this] {
    docks_.at(QStringLiteral("legend"))->show();
    docks_.at(QStringLiteral("legend"))->raise();
  });
  connect(scene_, &SceneView::note_changed, this, &MainWindow::show_note);
  show_appearance();
}

QDockWidget* MainWindow::add_dock(const QString& id, QWidget* pane, QWidget* title_extra, const QString& beside,
                                  bool shown) {
  const Pane& row = pane_named(id.toStdString());
  auto* dock = new QDockWidget(tr(row.title), this);
  dock->setObjectName(id);
  dock->toggleViewAction()->setToolTip(tr(row.shows));
  dock->setWidget(pane);
  dock->setTitleBarWidget(new DockTitle(dock, pane, title_extra));
  docks_[id] = dock;
  listed_.push_back(dock);
  layouts_->add(dock, beside, shown);
  return dock;
}

void MainWindow::make_docks() {
  QWidget* zoom_buttons = tree_->zoom_buttons();
  static_cast<QHBoxLayout*>(zoom_buttons->layout())->insertWidget(0, new BeforeBadge(workbench_, "tree"));
  add_dock(QStringLiteral("tree"), tree_pane_, zoom_buttons, {});
  auto* narration = new NarrationPane(workbench_);
  add_dock(QStringLiteral("narration"), narration, narration->stop_buttons(), {});
  add_dock(QStringLiteral("run"), new RunPanel(workbench_), nullptr, {});
  auto* source = new SourcePane(workbench_);
  add_dock(QStringLiteral("source"), source, source->run_buttons(), {});
  add_dock(QStringLiteral("checks"), new ChecksPane(workbench_), nullptr, {});
  add_dock(QStringLiteral("timeline"), new TimelinePane(workbench_), nullptr, {});
  add_dock(QStringLiteral("timing"), new TimingPane(workbench_), nullptr, {});
  change_bar_ = new ChangeBar(workbench_);
  QDockWidget* arrays = add_dock(QStringLiteral("arrays"), arrays_, change_bar_, {});
  static_cast<DockTitle*>(arrays->titleBarWidget())->set_lead(arrays_->title_place());
  add_dock(QStringLiteral("histogram"), histogram_, nullptr, {});
  candidates_ = new CandidatesPane(workbench_);
  add_dock(QStringLiteral("candidates"), candidates_, nullptr, {});
  auto* coordinates = new ParallelCoordinatesPane(workbench_);
  add_dock(QStringLiteral("coordinates"), coordinates, coordinates->buttons(), {});
  add_dock(QStringLiteral("experiments"), new ExperimentPane(workbench_), nullptr, {});
  bookmarks_ = new BookmarksPane(workbench_);
  add_dock(QStringLiteral("bookmarks"), bookmarks_, bookmarks_->buttons(), QStringLiteral("timeline"), false);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
}

QByteArray MainWindow::layout_state() const { return layouts_->state(); }
bool MainWindow::restore_layout_state(const QByteArray& state) { return layouts_->restore(state); }

QMenu* MainWindow::add_menu(const QString& name, const QString& title) {
  auto* menu = name == QLatin1String("panes") ? new QMenu(title, this) : menuBar()->addMenu(title);
  menu->setObjectName(name);
  menus_[name] = menu;
  return menu;
}

void MainWindow::list_docks() {
  QMenu& panes = menu(QStringLiteral("panes"));
  const auto group = [](const QDockWidget* dock) { return pane_named(dock->objectName().toStdString()).group; };
  std::vector<QDockWidget*> by_group = listed_;
  std::ranges::stable_sort(by_group, {}, group);
  panes.addSeparator();
  const QString titles[] = {tr("&Pictures"), tr("L&earn"),   tr("&Data and search"),
                            tr("&Apply"),    tr("&Measure"), tr("De&bug")};
  QMenu* entries = nullptr;
  for (std::size_t i = 0; i < by_group.size(); ++i) {
    QDockWidget* dock = by_group[i];
    if (i == 0 || group(dock) != group(by_group[i - 1])) {
      entries = panes.addMenu(titles[static_cast<std::size_t>(group(dock))]);
      entries->setToolTipsVisible(true);
    }
    entries->addAction(dock->toggleViewAction());
    // A pane that a person opens comes to the front of its tabs.
    connect(dock->toggleViewAction(), &QAction::triggered, dock, [dock](bool shown) {
      if (shown) dock->raise();
    });
  }
}

void MainWindow::fill_edit_menu(QMenu& edit) {
  QAction* undo = workbench_.undo_stack().createUndoAction(this, tr("&Undo"));
  undo->setShortcut(QKeySequence::Undo);
  QAction* redo = workbench_.undo_stack().createRedoAction(this, tr("&Redo"));
  redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
  edit.addActions({undo, redo});
  edit.addSeparator();
  QAction* clear = edit.addAction(tr("&Clear the selection, or dismiss the message"), Qt::Key_Escape, this, [this] {
    if (workbench_.inside().is_open()) return workbench_.inside().go_out();  // Escape leads out of a launch first
    if (!workbench_.playback().selection() && message_->can_dismiss()) return message_->dismiss_all();
    workbench_.playback().select(Selection{});
  });
  clear->setObjectName(QStringLiteral("clear_selection"));
  clear->setEnabled(false);
  // Leave Escape to others while there is nothing to clear, and to a text field while it has the focus.
  const auto offer = [this, clear, &workbench = workbench_] {
    const QWidget* field = QApplication::focusWidget();
    const bool edits = qobject_cast<const QLineEdit*>(field) || qobject_cast<const QAbstractSpinBox*>(field);
    clear->setEnabled((workbench.playback().selection() || workbench.inside().is_open() || message_->can_dismiss()) &&
                      !edits);
  };
  connect(qApp, &QApplication::focusChanged, clear, offer);
  connect(&workbench_.playback(), &Playback::selected, clear, offer);
  connect(message_, &MessageBar::visibility_changed, clear, offer);
  for (const auto signal : {&Inside::opened, &Inside::closed}) connect(&workbench_.inside(), signal, clear, offer);

  edit.addSeparator();
  const auto find = [&](const QString& text, const QKeySequence& key, const char* name, auto what) {
    QAction* action = edit.addAction(text, key, this, [this, what] {
      layouts_->reveal(*docks_.at(QStringLiteral("arrays")));
      what(*arrays_);
    });
    action->setObjectName(QString::fromLatin1(name));
  };
  find(tr("&Find in the arrays\u2026"), Qt::CTRL | Qt::Key_F, "find", [](ArraysPane& arrays) { arrays.find(); });
  find(tr("Find &next"), Qt::Key_F3, "find_next", [](ArraysPane& arrays) { arrays.find_again(1); });
  find(tr("Find &previous"), Qt::SHIFT | Qt::Key_F3, "find_previous",
       [](ArraysPane& arrays) { arrays.find_again(-1); });
}

void MainWindow::fill_go_menu(QMenu& go) {
  for (const QList<QAction*>& group :
       {QList{actions_.first, actions_.back, actions_.play, actions_.forward, actions_.last},
        QList{actions_.level_back, actions_.level_forward, actions_.stop_back, actions_.stop_forward},
        QList{actions_.go_to_step, actions_.faster, actions_.slower}, QList{motion_.animate},
        QList{actions_.next_violation, actions_.previous_violation}, QList<QAction*>(change_bar_->walk_actions())}) {
    go.addActions(group);
    if (group.contains(motion_.animate))
      go.addMenu(tr("Mo&ves of this step"))->addActions({motion_.replay, motion_.pause, motion_.back, motion_.on});
    go.addSeparator();
  }
  bookmarks_->fill_menu(go);
}

void MainWindow::fill_experiment_menu(QMenu& experiments_menu) {
  std::map<std::string, QMenu*> of_source;
  for (const Experiment& experiment : experiments()) {
    const ExperimentSpec& spec = experiment.spec;
    // "Wald 2023, Table 1" is the entry "Table 1" of the menu "Wald 2023".
    const std::size_t comma = spec.citation.find(", ");
    QMenu*& source = of_source[spec.citation.substr(0, comma)];
    if (!source) source = experiments_menu.addMenu(as_label(spec.citation.substr(0, comma)));
    const std::string place = comma == std::string::npos ? std::string() : spec.citation.substr(comma + 2) + ": ";
    QString text = as_label(place + spec.title);
    text[0] = text[0].toUpper();
    QAction* action = source->addAction(text, [this, id = spec.id] { open_experiment(id); });
    action->setObjectName(QString::fromStdString(spec.id));
  }
  experiments_menu.addSeparator();
  QAction* open_file = experiments_menu.addAction(tr("Open experiment file\u2026"), this,
                                                  [this] { show_experiments()->choose_experiment_file(); });
  open_file->setObjectName(QStringLiteral("open_experiment_file"));
}

void MainWindow::make_menus() {
  QMenu* file = add_menu(QStringLiteral("file"), tr("&File"));
  file->addAction(icon(Symbol::open), tr("&Open\u2026"), QKeySequence::Open, this, [this] { workspace_->open(); });
  file->addAction(tr("Open &points from a file\u2026"), Qt::CTRL | Qt::SHIFT | Qt::Key_O, this,
                  [this] {
                    ask_for_points(*this, {}, [this](const QString& path) {
                      ask_how_to_read(*this, workbench_, path, tr("Open"),
                                      [this](const QString& specification, const QStringList& warnings) {
                                        message_->leave_out(warnings);
                                        workbench_.open(specification);
                                      });
                    });
                  })
      ->setObjectName(QStringLiteral("open_points"));
  file->actions().back()->setIconText(tr("Open\u2026"));  // in the Points pane
  file->addSeparator();
  file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);

  fill_edit_menu(*add_menu(QStringLiteral("edit"), tr("&Edit")));
  fill_go_menu(*add_menu(QStringLiteral("go"), tr("&Go")));

  QMenu* practise = add_menu(QStringLiteral("practise"), tr("&Practise"));
  for (QAction* action : practice_.all()) action ? practise->addAction(action) : void(practise->addSeparator());

  add_menu(QStringLiteral("lessons"), tr("&Lessons"));  // Workspace fills it

  fill_experiment_menu(*add_menu(QStringLiteral("experiments"), tr("E&xperiments")));
  fill_device_menu(*add_menu(QStringLiteral("devices"), tr("&Devices")), workbench_, *this);

  QMenu* view = add_menu(QStringLiteral("view"), tr("&View"));
  view->addSeparator();  // below a presentation and Side by side
  view->addMenu(add_menu(QStringLiteral("panes"), tr("&Panes")));
  auto* layout = new QMenu(tr("&Layout"), this);
  layouts_->fill_menu(*layout);
  view->addMenu(layout);
  view->addSeparator();
  fill_view_menu(*view, workbench_, *scene_);

  QMenu* help = add_menu(QStringLiteral("help"), tr("&Help"));
  auto* keys = new KeyList(*this);
  help->addAction(tr("&Keys"), QKeySequence::HelpContents, keys, &KeyList::show_keys);
  help->addAction(tr("&About kdscope"), [this] {
    auto* box = new QMessageBox(
        QMessageBox::NoIcon, tr("About kdscope"),
        tr("kdscope %1\nA workbench for parallel kd-tree construction.").arg(QString::fromUtf8(version())),
        QMessageBox::Close, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
  });
}

/// Shows the lesson, the violations and the device beside the menus.
void MainWindow::make_corner() {
  auto* corner = new QWidget;
  auto* row = new QHBoxLayout(corner);
  row->setContentsMargins(12, 2, 8, 2);
  row->setSpacing(14);
  row->addWidget(lesson_name_);
  row->addWidget(violations_);
  row->addWidget(badge_);
  menuBar()->setCornerWidget(corner);
  badge_->setObjectName(QStringLiteral("badge"));
  badge_->setAccessibleName(tr("Back end and device"));
  static_cast<Badge*>(badge_)->menu = &menu(QStringLiteral("devices"));
  badge_->setCursor(Qt::PointingHandCursor);
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  if (std::exchange(laid_out_, true)) return;
  layouts_->start();  // now the size is known
  setFocus();         // otherwise the first text field would have it and take the step keys
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  QTimer::singleShot(0, this, &MainWindow::lay_out_bars);
}

void MainWindow::open_run() {
  const TraceHeader& header = workbench_.playback().cursor()->trace().header;
  const std::string& file = workbench_.desk().trace_file();
  QString name = foreign_text(header.title + ", " + header.data_set);
  if (!file.empty()) name = foreign_text(file.substr(file.rfind('/') + 1));
  if (const Lesson* lesson = workbench_.lessons().lesson()) name = foreign_text(lesson->title);
  run_name_ = name;
  show_title(session_file_);
  show_device();
  // Show these panes at the first run that needs them, and hide them at the first that does not. The user may open or
  // close them in between.
  layouts_->show_for_run("histogram", histogram_->has_counts());
  layouts_->show_for_run("coordinates", ParallelCoordinatesPane::is_needed(workbench_));
  if (!std::exchange(fitted_, true)) layouts_->fit();  // now the number of arrays is known
  lay_out_bars();
}

/// What recorded the open run, and the device of the next run if that is another one.
void MainWindow::show_device() {
  const KnownDevice& next = workbench_.device_choice().chosen();
  const auto name = [](const std::string& device) {
    return device.empty() ? tr("this machine") : foreign_text(device);
  };
  QString tip;
  const std::string& from = workbench_.desk().device();
  if (workbench_.playback().cursor()) {
    const TraceHeader& header = workbench_.playback().cursor()->trace().header;
    badge_text_ = QStringLiteral("%1, %2").arg(foreign_text(header.backend).toUpper(), foreign_text(header.device));
    if (!from.empty()) badge_text_ = name(from) + QStringLiteral(": ") + badge_text_;
    tip = tr("The back end and device that recorded this run: %1").arg(badge_text_) + QLatin1Char('\n');
    next_device_ = from == next.named.name ? QString() : QStringLiteral(" \u2192 ") + name(next.named.name);
  } else {
    const Backend usual = next.report.devices.front().backend;
    badge_text_ = usual == Backend::automatic ? name(next.named.name) : QString::fromUtf8(name_of(usual)).toUpper();
    if (next.is_elsewhere() && usual != Backend::automatic)
      badge_text_ = name(next.named.name) + QStringLiteral(": ") + badge_text_;
  }
  auto& badge = static_cast<Badge&>(*badge_);
  badge.stands_out = !next_device_.isEmpty();
  badge.setForegroundRole(badge.stands_out ? QPalette::WindowText : QPalette::PlaceholderText);
  badge_->setToolTip(
      plain_tip(tip + tr("The next run is made on %1. A click chooses another device.").arg(name(next.named.name))));
}

void MainWindow::show_title(const QString& file) {
  session_file_ = file;
  const QString name = run_name_, shown = foreign_text(file);
  const QString both = file.isEmpty() || name.isEmpty() ? shown + name : shown + QStringLiteral(": ") + name;
  setWindowTitle(both.isEmpty() ? QStringLiteral("kdscope") : both + QStringLiteral("[*] \u2013 kdscope"));
}

void MainWindow::lay_out_bars() {
  // The menus come first in their bar. Shorten or hide the rest to fit.
  const QFontMetrics metrics(menuBar()->font());
  int room = width() - 2 * metrics.height();
  for (QAction* action : menuBar()->actions())
    room -= metrics.horizontalAdvance(action->text().remove(QLatin1Char('&'))) + metrics.height();
  const QString short_badge = badge_text_.section(QLatin1Char(','), 0, 0);
  badge_->setText(badge_text_ + next_device_);
  if (badge_->sizeHint().width() > room) badge_->setText(short_badge + next_device_);
  room -= badge_->sizeHint().width() + metrics.height();
  if (!violations_->isHidden()) room -= violations_->sizeHint().width() + metrics.height();
  const QFontMetrics name(lesson_name_->font());
  lesson_name_->setVisible(room > 6 * name.height());
  lesson_name_->setText(name.elidedText(run_name_, Qt::ElideRight, room));
  lesson_name_->setToolTip(plain_tip(run_name_));
  // Lay out both bars again, because neither notices that its text has grown.
  menuBar()->cornerWidget()->layout()->activate();
  menuBar()->setCornerWidget(menuBar()->cornerWidget());
  menuBar()->cornerWidget()->show();
  transport_->layout()->invalidate();
  transport_->layout()->activate();
}

void MainWindow::show_step() {
  // Show plots from the step that finds their values; before it, while a question hides them, and where the last stop
  // of a lesson does not speak of them, others have the room.
  const Playback& playback = workbench_.playback();
  const LessonPlayer& lessons = workbench_.lessons();
  const auto speaks_of = [&](const char* pane) {
    if (!lessons.lesson()) return true;
    const auto passed = std::ranges::upper_bound(lessons.stop_steps(), playback.step()) - lessons.stop_steps().begin();
    const auto stop = lessons.stop_index() >= 0 ? lessons.stop_index() : passed - 1;
    return stop >= 0 && std::ranges::count(lessons.lesson()->stops[static_cast<std::size_t>(stop)].panes, pane);
  };
  layouts_->show_for_run("candidates", candidates_->shows_candidates() &&
                                           !hides_candidates(playback.concealment(), *playback.trace()) &&
                                           speaks_of("candidates"));
  layouts_->put_in_front("histogram", histogram_->has_counts_now() && speaks_of("histogram"));
}

void MainWindow::show_note() {
  const QString note = scene_->note(), alarm = scene_->alarm();
  QString text = note.toHtmlEscaped();
  if (!alarm.isEmpty())
    text = QStringLiteral("<b style='color:%1'>%2</b>%3")
               .arg(colour(theme_of(workbench_.looks().appearance()).failed).name(), alarm.toHtmlEscaped(),
                    note.mid(alarm.size()).toHtmlEscaped());
  if (const auto elongation = scene_->elongation()) {
    if (!text.isEmpty()) text += QLatin1Char(' ');
    text += tr("The sides are %1 to 1: <a href='fill'>fill the view</a> (Shift+X).")
                .arg(QLocale::c().toString(*elongation, 'g', 2));
  }
  note_->setText(text);
  note_->setVisible(!text.isEmpty());
}

void MainWindow::show_appearance() {
  const Appearance& looks = workbench_.looks().appearance();
  apply_appearance(*qApp, looks);
  show_note();
  const int scale = scale_of_bars(looks.text_scale);
  QFont bars = interface_font(scale);
  for (const QDockWidget* dock : docks()) dock->titleBarWidget()->setFont(bars);
  badge_->setFont(bars);
  lesson_name_->setFont(bars);
  const int pad = 10 * scale / 100;
  badge_->setContentsMargins(pad, pad / 5, pad, pad / 5);
  QTimer::singleShot(0, this, &MainWindow::lay_out_bars);
  if (std::exchange(fitted_text_scale_, looks.text_scale) != looks.text_scale && laid_out_)
    layouts_->fit();  // only the text scale affects the room, not the colours
  show_device();
}

void MainWindow::open_experiment(const std::string& id) { show_experiments()->choose(id); }

ExperimentPane* MainWindow::show_experiments() {
  QDockWidget* dock = docks_.at(QStringLiteral("experiments"));
  if (dock->isHidden()) {  // a chart needs more room than a dock has
    dock->setFloating(true);
    const QSize size = this->size() * 0.86;
    dock->setGeometry(QRect(mapToGlobal(QPoint((width() - size.width()) / 2, (height() - size.height()) / 2)), size));
  }
  dock->show();
  dock->raise();
  return static_cast<ExperimentPane*>(dock->widget());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.size() == 1 && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  workbench_.open(event->mimeData()->urls().front().toLocalFile());
}

bool MainWindow::focusNextPrevChild(bool next) {
  // A pane behind another tab lies outside the window, but is not hidden: Tab passes over it
  const auto in_sight = [](const QWidget* at) {
    while (at && !qobject_cast<const QDockWidget*>(at)) at = at->parentWidget();
    return !at || !at->visibleRegion().isEmpty();
  };
  const QWidget* first = focusWidget();
  while (WorkbenchWindow::focusNextPrevChild(next)) {
    if (in_sight(focusWidget()) || focusWidget() == first) return true;
    if (!first) first = focusWidget();
  }
  return false;
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  // The transport's keys are window-wide, yet Space must still press a focused button and open a focused list, and no
  // key may move through the run while text is edited, except a remote's two in a field of one line.
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* pressed = static_cast<QKeyEvent*>(event);
    const int key = pressed->key();
    const QKeySequence keys(pressed->keyCombination());
    const bool of_remote = key == Qt::Key_PageUp || key == Qt::Key_PageDown;
    if (edits_text(watched) && !(of_remote && !qobject_cast<QAbstractScrollArea*>(watched)) &&
        (is_key_of(menu(QStringLiteral("go")), keys) || is_key_of(menu(QStringLiteral("practise")), keys))) {
      event->accept();
      return true;
    }
    const bool pressable = qobject_cast<QAbstractButton*>(watched) || qobject_cast<QComboBox*>(watched);
    if (pressable && key == Qt::Key_Space) {
      event->accept();
      return true;
    }
  }
  return QMainWindow::eventFilter(watched, event);
}

}  // namespace kdscope
