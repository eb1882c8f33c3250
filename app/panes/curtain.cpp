#include "app/panes/curtain.hpp"

#include <QEvent>
#include <QPainter>
#include <QTimer>
#include <utility>

#include "app/workbench/open_questions.hpp"

namespace kdscope {

Curtain::Curtain(QWidget* pane, const QString& words) : QLabel(words, pane) {
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
}

Curtain::Curtain(QWidget* pane, Workbench& workbench, const Hides& hides, Playback* of) : Curtain(pane, QString()) {
  Playback& playback = of ? *of : workbench.playback();
  const auto follow = [this, &workbench, &playback, hides] {
    if (!playback.cursor()) return draw(false);
    const auto part = [&](const Concealment& concealed) { return hides(concealed, *playback.trace()); };
    setText(hidden_words(workbench, part));
    draw(part(playback.concealment()));
  };
  for (const auto signal : {&Playback::opened, &Playback::stepped, &Playback::concealment_changed})
    connect(&playback, signal, this, follow);
  connect(&workbench.questions(), &Questions::changed, this, follow);  // the introduction is over
  follow();
}

void Curtain::draw(bool shown) {
  setVisible(shown);
  if (isHidden()) return;
  setGeometry(parentWidget()->rect());
  raise();
  update();  // the picture may be another one
}

void Curtain::set_picture(std::function<void(QPainter&, const QRect&)> picture) {
  picture_ = std::move(picture);
  setAlignment(Qt::AlignHCenter | Qt::AlignBottom);
}

void Curtain::paintEvent(QPaintEvent* event) {
  if (picture_) {
    QPainter painter(this);
    const int words =
        contentsRect().bottom() - fontMetrics().boundingRect(contentsRect(), Qt::TextWordWrap, text()).height();
    painter.save();
    picture_(painter, QRect(0, 0, width(), words));
    painter.restore();
    painter.fillRect(rect().adjusted(0, words, 0, 0), palette().base());
  }
  QLabel::paintEvent(event);
}

bool Curtain::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
  if (watched == parentWidget() && event->type() == QEvent::ChildAdded && !isHidden()) raise();
  return QLabel::eventFilter(watched, event);
}

void cover_while_coming(QWidget& pane, Playback& playback, const ComingValues& values) {
  constexpr int moment_ms = 200;
  auto* curtain = new Curtain(&pane, {});
  curtain->setObjectName(QStringLiteral("coming"));
  auto* patience = new QTimer(curtain);
  patience->setSingleShot(true);
  patience->setInterval(moment_ms);
  QObject::connect(patience, &QTimer::timeout, curtain, [curtain] { curtain->draw(true); });
  QObject::connect(&values, &ComingValues::changed, curtain, [curtain, patience, &playback] {
    if (!playback.wait()) {
      patience->stop();
      return curtain->draw(false);
    }
    curtain->setText(QObject::tr("Step %1: its values come").arg(playback.wait()->step));
    if (curtain->isHidden() && !patience->isActive()) patience->start();
  });
}

}  // namespace kdscope
