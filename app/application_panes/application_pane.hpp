#pragma once
// What the panes of applications share: work in the background that one button starts and cancels, a text about its
// result, and the open run.

#include <QPointer>
#include <QWidget>
#include <functional>
#include <memory>

#include "app/appearance/form_field.hpp"
#include "app/workbench/background_job.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class ApplicationPane : public QWidget {
  Q_OBJECT

 public:
  /// Whether work runs in the background.
  bool working() const { return job_.running(); }

 protected:
  /// action: the button; summary: the text.
  ApplicationPane(Workbench& workbench, const QString& name, const FieldText& action, const FieldText& summary,
                  QWidget* parent);

  /// Another run was opened. Constructors call it at their end.
  virtual void take_run() = 0;
  /// Whether the application works on the open run.
  virtual bool suits() const = 0;
  /// The button was clicked: to start, or to cancel what runs.
  virtual void start() = 0;
  virtual void cancel() { job_.cancel(); }
  /// Work ended, and its result was taken.
  virtual void go_on() { show_state(); }
  /// Enables the fields of the application.
  virtual void show_fields() = 0;
  /// Work has thrown.
  virtual void fail(const Error& error) { show_error(error); }

  /// Runs work in the background. Precondition: not working().
  template <class T>
  void work_on(const QString& what, std::function<Result<T>(const RunControl&)> work,
               std::function<void(Result<T>)> take);
  /// Shows what can be done now.
  void show_state();
  void show_message(const QString& text, bool failed = false);
  /// Shows why work ended without a result.
  void show_error(const Error& error, const QString& when_cancelled = tr("Cancelled."));

  Workbench& workbench_;
  FormColumn page_;
  QPushButton* start_;
  QLabel* summary_;

 private:
  const QString start_text_;
  BackgroundJob job_;
};

/// A button that plays frames while it is pressed.
class PlayButton : public QPushButton {
 public:
  PlayButton() { show_playing(false); }
  bool playing() const { return isChecked(); }
  /// Shows whether frames are played, without a signal.
  void show_playing(bool playing);
};

template <class T>
void ApplicationPane::work_on(const QString& what, std::function<Result<T>(const RunControl&)> work,
                              std::function<void(Result<T>)> take) {
  job_.start(
      what,
      [pane = QPointer(this), work = std::move(work),
       take = std::move(take)](const RunControl& control) -> BackgroundJob::Finish {
        const auto made = std::make_shared<Result<T>>(work(control));
        return [pane, take, made] {
          if (pane) take(std::move(*made));
        };
      },
      [pane = QPointer(this)](const Error& error) {
        if (pane) pane->fail(error);
      });
}

}  // namespace kdscope
