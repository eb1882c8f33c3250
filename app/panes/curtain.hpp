#pragma once
// Covers a pane while a question asks for what it shows.

#include <QLabel>
#include <functional>

#include "app/workbench/workbench.hpp"

namespace kdscope {

/// A label over the whole of a pane, shown while `hides` holds for what the playback conceals. Belongs to the pane.
class Curtain : public QLabel {
  Q_OBJECT

 public:
  using Hides = std::function<bool(const Concealment&, const Trace&)>;
  Curtain(QWidget* pane, Playback& playback, Hides hides);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void draw();

  Playback& playback_;
  Hides hides_;
};

}  // namespace kdscope
