#include "app/panes/curtain.hpp"

#include <QEvent>

#include "app/appearance/labels.hpp"

namespace kdscope {

Curtain::Curtain(QWidget* pane, Playback& playback, Hides hides)
    : QLabel(hidden_words(), pane), playback_(playback), hides_(std::move(hides)) {
  setObjectName(QStringLiteral("curtain"));
  setAlignment(Qt::AlignCenter);
  setWordWrap(true);
  setTextFormat(Qt::PlainText);
  setContentsMargins(16, 8, 16, 8);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  setForegroundRole(QPalette::PlaceholderText);
  hide();
  pane->installEventFilter(this);
  for (const auto signal : {&Playback::opened, &Playback::stepped, &Playback::concealment_changed})
    connect(&playback, signal, this, &Curtain::draw);
  draw();
}

void Curtain::draw() {
  setVisible(playback_.cursor() && hides_(playback_.concealment(), *playback_.trace()));
  if (isHidden()) return;
  setGeometry(parentWidget()->rect());
  raise();
}

bool Curtain::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
  if (watched == parentWidget() && event->type() == QEvent::ChildAdded && !isHidden()) raise();
  return QLabel::eventFilter(watched, event);
}

}  // namespace kdscope
