#pragma once
// A picture that moves by itself: the steps of a lesson's run, one after another, and again.

#include <QFrame>
#include <QTimer>
#include <memory>
#include <optional>
#include <string>

#include "app/workbench/background_job.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class SceneView;

/// Records the run of a lesson in the background, then plays it. A click, Enter or Space opens the lesson. If there is
/// no such lesson, or its run fails, the picture stays empty.
class LivePicture : public QFrame {
  Q_OBJECT

 public:
  LivePicture(Workbench& workbench, const std::string& lesson, const QString& title, QWidget* parent = nullptr);
  /// The step in the picture; nullopt before the run is recorded.
  std::optional<std::uint32_t> step() const { return cursor_ ? std::optional(cursor_->step()) : std::nullopt; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void play(std::shared_ptr<const Trace> trace);
  void show_step();

  Workbench& workbench_;
  const std::string lesson_;
  SceneView* view_;
  std::optional<Cursor> cursor_;
  QTimer clock_;
  BackgroundJob job_;
};

}  // namespace kdscope
