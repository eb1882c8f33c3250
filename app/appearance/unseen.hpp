#pragma once
// Widgets that nobody sees, of which others paint a picture.

#include <QWidget>

namespace kdscope {

/// Shows a widget without a parent on no screen. The program may end while it is there.
inline void show_unseen(QWidget& widget) {
  widget.setAttribute(Qt::WA_DontShowOnScreen);
  widget.setAttribute(Qt::WA_QuitOnClose, false);
  widget.show();
}

}  // namespace kdscope
