#include "app/present/presentation.hpp"

#include <QGuiApplication>
#include <QMenu>
#include <QShortcut>
#include <algorithm>
#include <cmath>

#include "app/look/appearance.hpp"
#include "app/views/scene_view.hpp"
#include "app/workbench/workbench.hpp"
#include "app/workbench/workbench_window.hpp"

namespace kdscope {

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
  toggle_->setEnabled(workbench.cursor() != nullptr);
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
  if (running() || screens.empty() || !workbench_.cursor()) return;
  screens_ = std::move(screens);
  audience_screen_ = screens_.size() > 1 ? (own == 0 ? 1 : 0) : 0;
  started_ = QTime::currentTime();
  audience_ = new AudienceWindow(workbench_, &window_, presentation_scale(screens_[audience_screen_].height()));
  audience_->setAttribute(Qt::WA_DeleteOnClose);
  connect(audience_, &QObject::destroyed, this, &Presentation::leave);
  add_keys(*audience_);
  show_notes(screens_.size() > 1);
  place();
  // Redraw the workbench's view only if the presentation leaves it visible.
  window_.scene().setUpdatesEnabled(screens_.size() > 1 && !notes_);
}

void Presentation::stop() {
  if (!running()) return;
  workbench_.set_playing(false);
  delete audience_;
}

void Presentation::leave() {
  delete notes_;
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
    notes_ = new NotesWindow(workbench_, audience_, std::max(100, presentation_scale(height) * 3 / 4), started_);
    // Make it a dialog of the audience's window, because window managers stack dialogs above a full-screen window. Qt
    // makes no other kind of window transient.
    if (screens_.size() == 1) notes_->setWindowFlags(Qt::Dialog | Qt::WindowStaysOnTopHint);
    add_keys(*notes_);
  } else {
    delete notes_;
  }
}

void Presentation::next(bool forward) {
  if (workbench_.stop_steps().empty())
    forward ? workbench_.forward() : workbench_.back();
  else
    forward ? workbench_.stop_forward() : workbench_.stop_back();
}

void Presentation::add_keys(QWidget& window) {
  // Add answering, and the moves of the Go menu, except those by stop and those that open something in the workbench's
  // window.
  window.addActions(window_.menu(QStringLiteral("practise")).actions());
  for (QAction* action : window_.menu(QStringLiteral("go")).actions()) {
    const bool by_stop = action->shortcuts().contains(QKeySequence(Qt::Key_PageUp)) ||
                         action->shortcuts().contains(QKeySequence(Qt::Key_PageDown));
    if (!by_stop && !action->text().endsWith(QChar(0x2026))) window.addAction(action);
  }
  const auto key = [&](std::initializer_list<QKeySequence> keys, const QString& what, auto&& run) {
    auto* action = new QAction(what, &window);
    action->setShortcuts(keys);
    connect(action, &QAction::triggered, this, run);
    window.addAction(action);
  };
  key({Qt::Key_PageDown}, tr("Next stop or step"), [this] { next(true); });
  key({Qt::Key_PageUp}, tr("Previous stop or step"), [this] { next(false); });
  key({Qt::Key_B, Qt::Key_Period}, tr("Black screen on or off"),
      [this] { audience_->set_black(!audience_->is_black()); });
  // Stop later, because stop() deletes the window that handles the key.
  key({Qt::Key_Escape, Qt::Key_F5}, tr("End the presentation"),
      [this] { QTimer::singleShot(0, this, &Presentation::stop); });
  key({Qt::Key_Down}, tr("Scroll the narration down"), [this] { audience_->narration().scroll(true); });
  key({Qt::Key_Up}, tr("Scroll the narration up"), [this] { audience_->narration().scroll(false); });
  key({Qt::Key_N}, tr("Notes on or off"), [this] {
    QTimer::singleShot(0, this, [this] {
      if (!running()) return;
      show_notes(!notes_);
      place();
    });
  });
  key({Qt::Key_S}, tr("Swap the screens"), [this] {
    if (screens_.size() < 2) return;
    audience_screen_ = audience_screen_ == 0 ? 1 : 0;
    place();
  });
  const auto scale = [this](int percent) {
    return [this, percent] {
      const int least = presentation_scale(screens_[audience_screen_].height());
      audience_->set_text_scale(percent == 0 ? least : std::clamp(audience_->text_scale() + percent, least, 2 * least));
    };
  };
  key({QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)}, tr("Larger text"), scale(20));
  key({QKeySequence(Qt::CTRL | Qt::Key_Minus)}, tr("Smaller text"), scale(-20));
  key({QKeySequence(Qt::CTRL | Qt::Key_0)}, tr("Normal text"), scale(0));
}

}  // namespace kdscope
