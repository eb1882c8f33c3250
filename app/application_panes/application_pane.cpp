#include "app/application_panes/application_pane.hpp"

#include <QSignalBlocker>

#include "app/appearance/appearance.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/plain_text.hpp"

namespace kdscope {
namespace {

/// Gives a pane the name that its page takes over.
QWidget& named_pane(QWidget& pane, const QString& name) {
  pane.setAccessibleName(name);
  return pane;
}

}  // namespace

ApplicationPane::ApplicationPane(Workbench& workbench, const QString& name, const FieldText& action,
                                 const FieldText& summary, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      page_(named_pane(*this, name)),
      start_(button(action, [this] { working() ? cancel() : start(); })),
      summary_(text_line(summary)),
      start_text_(action.spoken) {
  connect(&job_, &BackgroundJob::started, this, &ApplicationPane::show_state);
  // The result is taken after the job has finished.
  connect(&job_, &BackgroundJob::finished, this, &ApplicationPane::go_on, Qt::QueuedConnection);
  connect(&workbench.playback(), &Playback::opened, this, &ApplicationPane::take_run);
  connect(&workbench.jobs(), &Jobs::busy_changed, this, &ApplicationPane::show_state);
}

void ApplicationPane::show_state() {
  start_->setEnabled(suits());
  start_->setText(working() ? tr("Cancel") : start_text_);
  start_->setIcon(working() ? icon(Symbol::cancel) : QIcon());
  start_->setDefault(!working());
  show_fields();
}

void ApplicationPane::show_message(const QString& text, bool failed) {
  summary_->setText(text);
  QPalette palette;
  if (failed) palette.setColor(summary_->foregroundRole(), colour(theme_of(workbench_.looks().appearance()).failed));
  summary_->setPalette(palette);
}

void ApplicationPane::show_error(const Error& error, const QString& when_cancelled) {
  const bool cancelled = error.kind == ErrorKind::cancelled;
  show_message(cancelled ? when_cancelled : foreign_text(error.message()), !cancelled);
}

void PlayButton::show_playing(bool playing) {
  const QSignalBlocker quiet(this);
  setChecked(playing);
  setIcon(kdscope::icon(playing ? Symbol::pause : Symbol::play));
}

}  // namespace kdscope
