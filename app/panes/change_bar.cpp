#include "app/panes/change_bar.hpp"

#include <QAbstractItemView>
#include <QHBoxLayout>
#include <QStylePainter>
#include <QToolButton>
#include <algorithm>

#include "app/appearance/flat_style.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/panes/motion_slider.hpp"
#include "app/workbench/step_motion.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

/// Up to this number of points, changes are counted at every step; above it, only when a person walks over them.
constexpr std::uint64_t counted_at_once = 200'000;

/// The list behind the words beside it, which name the choice: its arrow, or what it is for where there are no words.
class ListBehindWords : public QComboBox {
 public:
  void set_alone(bool alone) {
    if (std::exchange(alone_, alone) != alone) updateGeometry();
  }
  QSize sizeHint() const override {
    const int words = alone_ ? fontMetrics().horizontalAdvance(word()) + 2 * tokens::space : 0;
    return {fontMetrics().height() * 3 / 2 + words, QComboBox::sizeHint().height()};
  }
  QSize minimumSizeHint() const override { return sizeHint(); }
  void showPopup() override {
    view()->setMinimumWidth(view()->sizeHintForColumn(0));
    QComboBox::showPopup();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QStyleOptionComboBox option;
    initStyleOption(&option);
    QStylePainter painter(this);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    option.currentText = word();
    if (alone_) painter.drawControl(QStyle::CE_ComboBoxLabel, option);
  }

 private:
  static QString word() { return tr("Compare"); }
  bool alone_ = true;
};

QString text_of(const Change& change) {
  const QString was = change.before.empty() ? QObject::tr("new") : foreign_text(change.before);
  return QStringLiteral("%1 [%2]: %3 \u2192 %4")
      .arg(foreign_text(change.label))
      .arg(change.index)
      .arg(was, foreign_text(change.after));
}

}  // namespace

/// While a person walks over changes, their words share the title's room; else they take what it leaves.
QSize ChangeBar::sizeHint() const {
  return workbench_.playback().change() ? QWidget::sizeHint() : QWidget::minimumSizeHint();
}

ChangeBar::ChangeBar(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      text_(new CutLabel),
      baseline_(new ListBehindWords),
      next_(new QAction(icon(Symbol::next_stop), tr("Next change"), this)),
      back_(new QAction(icon(Symbol::previous_stop), tr("Previous change"), this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(tokens::space, 0, 6, 0);
  row->setSpacing(4);
  row->addStretch(1);
  auto* slider = new MotionSlider(workbench, this);
  row->addWidget(slider->label());
  row->addWidget(slider);
  row->addSpacing(tokens::space);
  row->addWidget(text_);
  row->addWidget(baseline_);
  text_->installEventFilter(this);
  text_->setCursor(Qt::PointingHandCursor);
  text_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  text_->setObjectName(QStringLiteral("changes"));
  text_->setAccessibleName(tr("Changes"));
  baseline_->setObjectName(QStringLiteral("baseline"));
  baseline_->setProperty(compact_control, true);
  baseline_->setAccessibleName(tr("State that changes are shown against"));
  baseline_->setToolTip(tr("Changes are shown against this state"));
  baseline_->setFocusPolicy(Qt::TabFocus);
  for (const auto& [action, key, direction] :
       {std::tuple{back_, QKeySequence(Qt::SHIFT | Qt::Key_F8), -1}, {next_, QKeySequence(Qt::Key_F8), 1}}) {
    action->setShortcut(key);
    action->setToolTip(QStringLiteral("%1 (%2)").arg(action->text(), key.toString(QKeySequence::NativeText)));
    action->setEnabled(false);
    connect(action, &QAction::triggered, &workbench,
            [&workbench, direction = direction] { workbench.playback().walk_changes(direction); });
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setObjectName(direction > 0 ? QStringLiteral("next_change") : QStringLiteral("previous_change"));
    row->addWidget(button);
  }
  connect(baseline_, &QComboBox::activated, this,
          [this](int choice) { workbench_.playback().compare_with(choices_[static_cast<std::size_t>(choice)]); });
  connect(&workbench.marks(), &Marks::changed, this, &ChangeBar::list_baselines);
  connect(&workbench.playback(), &Playback::opened, this, &ChangeBar::list_baselines);
  connect(&workbench.playback(), &Playback::baseline_changed, this, &ChangeBar::list_baselines);
  connect(&workbench.playback(), &Playback::stepped, this, &ChangeBar::show_baseline);
  connect(&workbench.playback(), &Playback::change_walked, this, &ChangeBar::show_text);
  connect(&workbench.motion(), &StepMotion::enabled_changed, this, &ChangeBar::show_text);
  list_baselines();
}

bool ChangeBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == text_ && event->type() == QEvent::MouseButtonPress) baseline_->showPopup();
  return QWidget::eventFilter(watched, event);
}

void ChangeBar::list_baselines() {
  choices_ = {{ComparedWith::previous_step}, {ComparedWith::previous_level}};
  baseline_->clear();
  baseline_->addItems({tr("the step before"), tr("the level before")});
  if (const OtherRun& other = workbench_.playback().other_run()) {
    choices_.push_back({ComparedWith::other_run});
    baseline_->addItem(foreign_text(other.name));
  }
  for (const Bookmark& mark : workbench_.marks().all()) {
    choices_.push_back({ComparedWith::bookmark, mark.step});
    const QString note = foreign_text(mark.note);
    baseline_->addItem(note.isEmpty() ? tr("bookmark, step %1").arg(mark.step)
                                      : tr("step %1: %2").arg(mark.step).arg(note));
  }
  for (int i = 0; i < baseline_->count(); ++i) baseline_->setItemData(i, baseline_->itemText(i), Qt::ToolTipRole);
  show_baseline();
}

void ChangeBar::show_baseline() {
  const auto choice = std::find(choices_.begin(), choices_.end(), workbench_.playback().place().baseline);
  baseline_->setCurrentIndex(choice == choices_.end() ? 0 : static_cast<int>(choice - choices_.begin()));
  for (QAction* action : {next_, back_}) action->setEnabled(workbench_.playback().cursor() != nullptr);
  show_text();
}

QString ChangeBar::end_text(int end, const QString& key) const {
  const Playback& playback = workbench_.playback();
  if (!playback.walks_through_steps())
    return (end > 0 ? tr("Last change. %1 again: from the first. ") : tr("First change. %1 again: from the last. "))
        .arg(key);
  if (!playback.step_with_changes(end))
    return end > 0 ? tr("Last change of the run. ") : tr("First change of the run. ");
  return (end > 0 ? tr("Last change of this step. %1 again: on to the next step. ")
                  : tr("First change of this step. %1 again: back to the step before. "))
      .arg(key);
}

void ChangeBar::show_text() {
  const Cursor *cursor = workbench_.playback().cursor(), *baseline = workbench_.playback().baseline();
  QString text, brief;
  if (cursor && !baseline) {
    const bool hidden = workbench_.playback().concealment().hides_values();
    text = workbench_.playback().place().baseline.with == ComparedWith::other_run
               ? tr("%1 has no such step").arg(foreign_text(workbench_.playback().other_run().name))
           : hidden ? (workbench_.lessons().at_introduction() ? QString()
                       : workbench_.playback().is_confined()  ? tr("changes are hidden while you perform a step")
                       : workbench_.motion().enabled() ? tr("changes and moves wait until the question is answered")
                                                       : tr("changes are hidden until the question is answered"))
                    : tr("nothing to compare with");
    brief = hidden && !text.isEmpty() ? tr("changes hidden") : text;
  } else if (cursor) {
    const bool other = workbench_.playback().place().baseline.with == ComparedWith::other_run;
    const QString with =
        other ? foreign_text(workbench_.playback().other_run().name) : tr("step %1").arg(baseline->step());
    QString since = (other ? tr("from %1") : tr("since %1")).arg(with);
    const bool counted = workbench_.playback().change() || cursor->trace().header.n <= counted_at_once;
    const std::uint64_t count = counted ? workbench_.playback().changes().size() : 0;
    if (counted && workbench_.playback().changes().leaves_out_dimensions()) since.prepend(tr("in the rows shown "));
    if (!counted) {
      text = (other ? tr("differences %1") : tr("changes %1")).arg(since);
    } else if (!workbench_.playback().change()) {
      if (count == 0)
        text = (other ? tr("no difference %1") : tr("no change %1")).arg(since);
      else if (count == 1)
        text = (other ? tr("1 difference %1") : tr("1 change %1")).arg(since);
      else
        text = (other ? tr("%L1 differences %2") : tr("%L1 changes %2")).arg(count).arg(since);
    } else {
      const std::uint64_t number = *workbench_.playback().change();
      const QString change = text_of(workbench_.playback().changes().at(number));
      text = (other ? tr("difference %L1 of %L2 %3: %4") : tr("change %L1 of %L2 %3: %4"))
                 .arg(number + 1)
                 .arg(count)
                 .arg(since, change);
      brief = tr("%L1 of %L2: %3").arg(number + 1).arg(count).arg(change);
      if (const int end = workbench_.playback().change_end())
        text = end_text(end, (end > 0 ? next_ : back_)->shortcut().toString(QKeySequence::NativeText)) + text;
    }
    if (!workbench_.playback().change()) brief = text.chopped(since.size() + 1);
  }
  text_->setText(text);
  static_cast<ListBehindWords*>(baseline_)->set_alone(text.isEmpty());
  text_->set_brief(brief);
  text_->setToolTip(plain_tip(text));
  text_->setAccessibleDescription(text);
}

}  // namespace kdscope
