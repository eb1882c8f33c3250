#include "app/present/presentation.hpp"

#include <QGuiApplication>
#include <QMenu>
#include <QShortcut>
#include <algorithm>
#include <cmath>

#include "app/appearance/appearance.hpp"
#include "app/appearance/key_list.hpp"
#include "app/panes/stop_list.hpp"
#include "app/views/scene_view.hpp"
#include "app/workbench/workbench.hpp"
#include "app/workbench/workbench_window.hpp"

namespace kdscope {

namespace {

QAction* stop_forward_of(const QMenu& go) {
  for (QAction* action : go.actions())
    if (action->shortcuts().contains(QKeySequence(Qt::Key_PageDown))) return action;
  return nullptr;
}

}  // namespace

int presentation_scale(int screen_height) {
  // The smallest texts are the tree's small print and the tables' indices, in proportion to the text scale.
  constexpr double smallest_in_tree = 12.7;
  const double smallest_in_tables = 0.9 * QFontInfo(interface_font(100)).pixelSize();
  return static_cast<int>(std::ceil(100 * least_text_pixels / std::min(smallest_in_tree, smallest_in_tables) *
                                    screen_height / least_text_screen));
}

Presentation::Presentation(WorkbenchWindow& window, Workbench& workbench)
    : QObject(&window), window_(window), workbench_(workbench), toggle_(new QAction(tr("&Present"), this)) {
  toggle_->setShortcut(Qt::Key_F5);
  toggle_->setObjectName(QStringLiteral("present"));
  toggle_->setEnabled(workbench.playback().cursor() != nullptr);
  make_keys();
  // The window has the list of stops too.
  auto* stops = new QAction(tr("Sto&ps\u2026"), this);
  stops->setObjectName(QStringLiteral("stops"));
  stops->setShortcut(Qt::Key_L);
  auto* list = new StopList(workbench, &window);
  connect(stops, &QAction::triggered, list, &StopList::show_stops);
  QMenu& go = window.menu(QStringLiteral("go"));
  go.insertAction(go.actions().value(go.actions().indexOf(stop_forward_of(go)) + 1), stops);
  connect(toggle_, &QAction::triggered, this, [this] { running() ? stop() : start(); });
  connect(&workbench.playback(), &Playback::opened, toggle_, [this] { toggle_->setEnabled(true); });
  const auto screens_changed = [this] {
    if (!running()) return;
    stop();
    start();
  };
  connect(qGuiApp, &QGuiApplication::screenAdded, this, screens_changed);
  connect(qGuiApp, &QGuiApplication::screenRemoved, this, screens_changed);
}

Presentation::~Presentation() {
  // Ignore signals of the audience window: the workbench's window is being destroyed, and its parts may be gone.
  if (audience_) audience_->disconnect(this);
  delete notes_;
  delete audience_;
}

void Presentation::start() {
  std::vector<QRect> screens;
  std::size_t own = 0;
  for (QScreen* screen : QGuiApplication::screens()) {
    if (screen == window_.screen()) own = screens.size();
    screens.push_back(screen->geometry());
  }
  start(std::move(screens), own);
}

void Presentation::start(std::vector<QRect> screens, std::size_t own) {
  if (running() || screens.empty() || !workbench_.playback().cursor()) return;
  screens_ = std::move(screens);
  audience_screen_ = screens_.size() > 1 ? (own == 0 ? 1 : 0) : 0;
  started_ = QTime::currentTime();
  workbench_.questions().ask_class(true);
  workbench_.transport().show_class(true);
  audience_ = new AudienceWindow(workbench_, &window_, usual_scale());
  const auto follow = [this] { audience_->scene().set_camera(window_.scene().camera()); };
  // A stop is seen as its lesson means it, and all of a plane is in sight.
  if (workbench_.lessons().stop_index() < 0 && !window_.scene().fitted_to() && !window_.scene().is_2d()) follow();
  connect(&window_.scene(), &SceneView::camera_changed, audience_, follow);
  audience_->setAttribute(Qt::WA_DeleteOnClose);
  connect(audience_, &QObject::destroyed, this, &Presentation::leave);
  for (QAction* key : keys_) key->setEnabled(true);
  add_keys(*audience_);
  show_notes(screens_.size() > 1);
  place();
  // Redraw the workbench's view only if the presentation leaves it visible.
  window_.scene().setUpdatesEnabled(screens_.size() > 1 && !notes_);
}

/// The text scale that the audience's screen needs, or the window's if a person chose a larger one.
int Presentation::usual_scale() const {
  const int least = presentation_scale(screens_[audience_screen_].height());
  const Looks& looks = workbench_.looks();
  const int chosen = looks.appearance().text_scale;
  return chosen == looks.usual_text_scale() ? least : std::clamp(chosen, least, 2 * least);
}

void Presentation::keep_notes_in(const QString& folder) {
  if (const auto opened = own_notes_.open(folder); !opened) workbench_.messages().report(opened.error());
}

void Presentation::stop() {
  if (!running()) return;
  workbench_.transport().set_playing(false);
  delete audience_;
}

void Presentation::leave() {
  for (QAction* key : keys_) key->setEnabled(false);
  delete notes_;
  workbench_.transport().show_class(false);
  // Not yet: the audience's window is still connected. Nor if it comes back on other screens.
  const auto end_class = [this] {
    if (!running()) workbench_.questions().ask_class(false);
  };
  QMetaObject::invokeMethod(this, end_class, Qt::QueuedConnection);
  window_.scene().setUpdatesEnabled(true);
  window_.activateWindow();
}

void Presentation::place() {
  const auto cover = [](QWidget& window, const QRect& screen) {
    window.setGeometry(screen);
    window.showFullScreen();
    window.setGeometry(screen);  // in case there is no window manager
    window.raise();
  };
  if (notes_) {
    if (screens_.size() > 1) {
      cover(*notes_, screens_[audience_screen_ == 0 ? 1 : 0]);
    } else {
      const QRect screen = screens_.front();
      notes_->setGeometry(QRect(screen.center() - QPoint(0, screen.height() * 2 / 5), screen.size() * 0.45));
      notes_->show();
    }
  }
  cover(*audience_, screens_[audience_screen_]);
  if (notes_ && screens_.size() == 1) notes_->raise();
  audience_->activateWindow();
  audience_->setFocus();
}

void Presentation::show_notes(bool shown) {
  if (shown == (notes_ != nullptr)) return;
  if (shown) {
    const int height =
        screens_.size() > 1 ? screens_[audience_screen_ == 0 ? 1 : 0].height() : screens_.front().height() / 2;
    notes_ = new NotesWindow(workbench_, own_notes_, audience_, std::max(100, presentation_scale(height) * 3 / 4),
                             started_, screens_.size() == 1);
    // Make it a dialog of the audience's window, because window managers stack dialogs above a full-screen window. Qt
    // makes no other kind of window transient.
    if (screens_.size() == 1) notes_->setWindowFlags(Qt::Dialog | Qt::WindowStaysOnTopHint);
    add_keys(*notes_);
  } else {
    delete notes_;
  }
}

/// From question to question and from stop to stop: a remote has two keys.
void Presentation::next(bool forward) {
  LessonPlayer& lessons = workbench_.lessons();
  Questions& questions = workbench_.questions();
  if (lessons.stop_steps().empty()) return forward ? workbench_.transport().forward() : workbench_.transport().back();
  const auto lesson = [this](const char* name) {
    return window_.menu(QStringLiteral("lessons")).findChild<QAction*>(QLatin1String(name));
  };
  QAction* after = lesson("next_lesson");
  if (audience_->at_end()) return forward ? after->trigger() : audience_->leave_end();
  if (!forward && lessons.at_introduction()) return lesson("previous_lesson")->trigger();
  if (const int question = questions.current() + (forward ? 1 : -1);
      questions.current() >= 0 && question >= 0 && question < questions.count())
    return questions.go_to(question);
  if (forward && lessons.at_last_stop()) return audience_->show_end(after->data().toString());
  forward ? lessons.stop_forward() : lessons.stop_back();
}

void Presentation::draw(const std::function<void(DrawingLayer&)>& change) {
  if (audience_) change(audience_->drawing());
}

/// Adds the keys to one of the presentation's windows: its own, those that answer questions, and the moves of the Go
/// menu, except those that have other keys here and those that are kept in the workbench's window.
void Presentation::add_keys(QWidget& window) {
  window.addActions(QList<QAction*>(keys_.begin(), keys_.end()));
  for (const char* menu : {"practise", "go"})
    for (QAction* action : window_.menu(QLatin1String(menu)).actions()) {
      const auto is_own = [&](const QAction* own) { return own->shortcuts().contains(action->shortcut()); };
      if (std::none_of(keys_.begin(), keys_.end(), is_own) && !is_kept_in_window(*action)) window.addAction(action);
    }
}

/// Makes the actions of a presentation once, so that the window's list of keys has them too.
void Presentation::make_keys() {
  const auto key = [&](const QList<QKeySequence>& keys, const QString& what, auto&& run) {
    auto* action = new QAction(what, this);
    action->setShortcuts(keys);
    action->setEnabled(false);  // until a presentation runs
    group_key(*action, tr("Presentation"));
    connect(action, &QAction::triggered, this, run);
    keys_.push_back(action);
  };
  // What deletes the window that handles the key, or opens another one, comes later.
  const auto later = [this](auto&& run) {
    return [this, run] {
      QTimer::singleShot(0, this, [this, run] {
        if (running()) run();
      });
    };
  };
  key({Qt::Key_PageDown}, tr("Next question, stop or step"), [this] { next(true); });
  key({Qt::Key_PageUp}, tr("Previous question, stop or step"), [this] { next(false); });
  key({Qt::Key_L}, tr("Go to a stop"), later([this] {
        auto* stops = new StopList(workbench_, audience_);
        stops->setAttribute(Qt::WA_DeleteOnClose);
        stops->setWindowFlag(Qt::WindowStaysOnTopHint);
        stops->show_stops();
      }));
  int number = Qt::Key_1;
  // Behind the ninth, there are no digits left
  for (const std::string& id : lesson_panes()) {
    const Qt::Key own = number <= Qt::Key_9 ? static_cast<Qt::Key>(number) : Qt::Key_I;
    key({QKeySequence(own), QKeySequence(Qt::ALT | own)}, tr("%1 alone, or back").arg(tr(pane_named(id).title)),
        [this, id] { audience_->show_alone(id); });
    ++number;
  }
  key({Qt::Key_0}, tr("All panes of the stop"), [this] { audience_->show_alone({}); });
  key({Qt::Key_Q}, tr("Question beside a pane alone, on or off"), [this] { audience_->ask_alone(); });
  key({Qt::Key_A}, tr("Show the answer; then put it away, or back"),
      [this] { workbench_.questions().is_open() ? workbench_.questions().reveal() : audience_->put_answer_away(); });
  key({Qt::Key_P}, tr("Pointer on or off"),
      [this] { draw([](DrawingLayer& layer) { layer.toggle(DrawingLayer::Aid::pointer); }); });
  key({Qt::Key_O}, tr("Spotlight on or off"),
      [this] { draw([](DrawingLayer& layer) { layer.toggle(DrawingLayer::Aid::spotlight); }); });
  key({Qt::Key_D}, tr("Draw with a pen, on or off"),
      [this] { draw([](DrawingLayer& layer) { layer.set_pen(!layer.has_pen()); }); });
  key({Qt::Key_C}, tr("Clear the drawing"), [this] { draw([](DrawingLayer& layer) { layer.clear(); }); });
  key({Qt::Key_B, Qt::Key_Period}, tr("Black screen on or off"),
      [this] { audience_->set_black(!audience_->is_black()); });
  key({Qt::Key_Down}, tr("All of the narration, then on in it"), [this] { audience_->read_on(true); });
  key({Qt::Key_Up}, tr("Back in the narration, then to the question"), [this] { audience_->read_on(false); });
  key({Qt::Key_N}, tr("Notes on or off"), later([this] {
        show_notes(!notes_);
        place();
      }));
  key({Qt::Key_E}, tr("Write your own notes"), later([this] {
        if (!notes_) {
          show_notes(true);
          place();
        }
        notes_->edit();
      }));
  key({Qt::Key_S}, tr("Swap the screens"), [this] {
    if (screens_.size() < 2) return;
    audience_screen_ = audience_screen_ == 0 ? 1 : 0;
    place();
  });
  const auto scale = [this](int percent) {
    return [this, percent] {
      const int least = presentation_scale(screens_[audience_screen_].height());
      audience_->set_text_scale(percent == 0 ? usual_scale()
                                             : std::clamp(audience_->text_scale() + percent, least, 2 * least));
    };
  };
  key({QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)}, tr("Larger text"), scale(20));
  key({QKeySequence(Qt::CTRL | Qt::Key_Minus)}, tr("Smaller text"), scale(-20));
  key({QKeySequence(Qt::CTRL | Qt::Key_0)}, tr("Normal text"), scale(0));
  key({QKeySequence::HelpContents}, tr("Keys of the presentation"), later([this] {
        auto* keys = new KeyList(window_, audience_,
                                 {tr("Presentation"), plain_title(window_.menu(QStringLiteral("go"))),
                                  plain_title(window_.menu(QStringLiteral("practise"))), tr("Questions")});
        keys->setAttribute(Qt::WA_DeleteOnClose);
        keys->setWindowFlag(Qt::WindowStaysOnTopHint);
        keys->setFont(interface_font(audience_->text_scale()));
        keys->show_keys();
      }));
  key({Qt::Key_Escape, Qt::Key_F5}, tr("End the presentation"), later([this] { stop(); }));
}

}  // namespace kdscope
