#include "app/panes/narration_pane.hpp"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextTable>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <memory>

#include "app/appearance/appearance.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/lesson_markdown.hpp"
#include "app/appearance/mnemonics.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/whole_lines.hpp"
#include "app/panes/question_column.hpp"
#include "app/panes/title_card.hpp"
#include "app/panes/viewer.hpp"
#include "app/pseudocode/step_values.hpp"
#include "app/recording/navigation.hpp"
#include "visualizer/model/step_heading.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "walkthroughs/reader/in_short.hpp"
#include "walkthroughs/reader/question_text.hpp"

namespace kdscope {
namespace {

constexpr const char* link_to_lesson = "kdscope:lesson";
constexpr int line_height = 118, close_lines = 104;  // in percent
constexpr int largest_text = 200;                    // with a heading of its own; a text scale

}  // namespace

NarrationPane::NarrationPane(Workbench& workbench, QWidget* parent, Reader reader)
    : QWidget(parent),
      workbench_(workbench),
      reader_(reader),
      stops_(new QWidget(this)),  // until a title bar takes it
      previous_(new QToolButton),
      next_(new QToolButton),
      text_(new QTextBrowser) {
  auto* bar = new QHBoxLayout(stops_);
  bar->setContentsMargins(0, 0, 12, 0);
  bar->setSpacing(2);
  bar->addWidget(previous_);
  bar->addWidget(next_);
  previous_->setIcon(icon(Symbol::previous_stop));
  previous_->setToolTip(tr("Previous stop (PageUp)"));
  previous_->setAccessibleName(tr("Previous stop"));
  next_->setIcon(icon(Symbol::next_stop));
  next_->setToolTip(tr("Next stop (PageDown)"));
  next_->setAccessibleName(tr("Next stop"));
  for (QToolButton* button : {previous_, next_}) button->setAutoRaise(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  if (reader == Reader::person) {
    layout->addWidget(new QuestionColumn(workbench, *text_, *this), 1);
    begin_ = new QPushButton;
    begin_->setObjectName(QStringLiteral("begin"));
    begin_->setDefault(true);
    begin_->hide();
    auto* below = new QHBoxLayout;
    below->setContentsMargins(12, 0, 12, 0);
    below->addWidget(begin_, 0, Qt::AlignLeft);
    layout->addLayout(below);
    connect(begin_, &QPushButton::clicked, this, [this] {
      workbench_.lessons().at_introduction() ? workbench_.lessons().stop_forward() : next_lesson_->trigger();
    });
    connect(&workbench.questions(), &Questions::changed, this, &NarrationPane::show_button);
  } else {
    layout->addWidget(text_, 1);
  }
  if (reader == Reader::audience)
    text_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  else
    new WholeLines(*text_);
  text_->setDocument(new ClosedDocument(text_));
  text_->setFrameShape(QFrame::NoFrame);
  text_->setOpenLinks(false);
  connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
    if (link.toString() == QLatin1String(link_to_lesson)) workbench_.desk().return_to_lesson();
  });
  text_->setWordWrapMode(QTextOption::WordWrap);  // never between two letters of a word
  text_->setAccessibleName(tr("Narration"));
  text_->document()->setDocumentMargin(12);
  text_->document()->setIndentWidth(22);
  stops_->hide();

  connect(previous_, &QToolButton::clicked, &workbench.lessons(), &LessonPlayer::stop_back);
  connect(next_, &QToolButton::clicked, &workbench.lessons(), &LessonPlayer::stop_forward);
  connect(&workbench.playback(), &Playback::stepped, this, [this] {
    keeps_text_ = false;
    heights_.clear();
    show_step();
  });
  when_restyled(*this, workbench, [this] {
    if (workbench_.playback().cursor()) show_step();
  });
  for (const auto signal : {&Playback::axes_changed, &Playback::concealment_changed})
    connect(&workbench.playback(), signal, this, [this] {
      if (workbench_.playback().cursor()) show_again();
    });
  if (reader == Reader::overlooked_speaker)
    connect(&workbench.questions(), &Questions::changed, this, [this] {
      if (workbench_.playback().cursor()) show_again();
    });
  if (workbench.playback().cursor()) show_step();
}

QSize NarrationPane::minimumSizeHint() const {
  constexpr int fewest_lines = 8;  // of large text in a low window, what leaves the bars their room
  return {text_->minimumSizeHint().width(),
          std::min(fewest_lines * fontMetrics().height(), window()->height() * 2 / 5)};
}

void NarrationPane::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  // Set the text again: links keep the colour of the palette with which their text was set.
  if (event->type() == QEvent::PaletteChange && workbench_.playback().cursor()) show_again();
}

/// Shows the step where it was scrolled to; new text starts at its top.
void NarrationPane::show_again() {
  const int reading_at = text_->verticalScrollBar()->value();
  show_step();
  text_->verticalScrollBar()->setValue(reading_at);
}

QFont NarrationPane::audience_font(double size) const {
  return interface_font(text_scale_of(*this, workbench_.looks().appearance()), size);
}

/// A document that breaks a text as the pane does.
std::unique_ptr<QTextDocument> NarrationPane::measured(const std::string& markdown, const QFont& font) const {
  auto document = std::make_unique<QTextDocument>();
  document->setDocumentMargin(text_->document()->documentMargin());
  document->setIndentWidth(text_->document()->indentWidth());
  document->setDefaultTextOption(text_->document()->defaultTextOption());
  document->setDefaultFont(font);
  set_markdown(*document, foreign_text(markdown), audience_line_height);
  return document;
}

int NarrationPane::width_of_tables(double size) const {
  const Lesson* lesson = workbench_.lessons().lesson();
  if (!lesson) return 0;
  const int scale = text_scale_of(*this, workbench_.looks().appearance());
  const QString key = QStringLiteral("%1 %2 %3").arg(scale).arg(size).arg(QString::fromStdString(lesson->id));
  if (std::exchange(measured_tables_, key) == key) return width_of_tables_;
  width_of_tables_ = 0;
  for (const Stop& stop : lesson->stops) {
    if (("\n" + stop.narration).find("\n|") == std::string::npos) continue;
    const auto narrow = measured(in_short(stop.narration).front(), audience_font(size));
    narrow->setTextWidth(1);
    width_of_tables_ = std::max(
        width_of_tables_, static_cast<int>(narrow->size().width()) + text_->verticalScrollBar()->sizeHint().width());
  }
  return width_of_tables_;
}

void NarrationPane::set_text_size(double size) {
  if (std::exchange(size_, size) != size && workbench_.playback().cursor()) show_again();
}

bool NarrationPane::scroll(bool down) {
  QScrollBar* bar = text_->verticalScrollBar();
  const int before = bar->value();
  bar->setValue(before + (down ? 1 : -1) * 3 * text_->fontMetrics().lineSpacing());
  return bar->value() != before;
}

void NarrationPane::show_all(bool all) {
  if (std::exchange(shows_all_, all) != all && workbench_.playback().cursor()) show_step();
}

void NarrationPane::set_next_lesson(QAction* next) {
  next_lesson_ = next;
  connect(next, &QAction::changed, this, &NarrationPane::show_button);
  show_button();
}

/// Below an introduction, the button begins the lesson; at its end, once no question is open, it leads on.
void NarrationPane::show_button() {
  if (!begin_) return;
  const bool begins = workbench_.lessons().at_introduction() && !workbench_.lessons().stop_steps().empty(),
             ends = workbench_.lessons().at_last_stop() && next_lesson_ && next_lesson_->isVisible() &&
                    next_lesson_->isEnabled() && !workbench_.questions().is_open() &&
                    !workbench_.questions().next_open();
  if (ends)
    begin_->setText(QStringLiteral("%1 (%2)").arg(words_of(*next_lesson_),
                                                  next_lesson_->shortcut().toString(QKeySequence::NativeText)));
  else
    begin_->setText(tr("Begin (PageDown)"));
  begin_->setVisible(begins || ends);
}

void NarrationPane::show_step() {
  const Lesson* lesson = workbench_.lessons().lesson();
  const int stop = workbench_.lessons().stop_index(),
            count = static_cast<int>(workbench_.lessons().stop_steps().size());
  stops_->setVisible(count > 0 && stops_->parentWidget() != this);
  const bool introduction = workbench_.lessons().at_introduction();
  shortened_ = false;
  setWindowTitle(place_text());
  show_button();
  if (count > 0) {
    previous_->setEnabled(!introduction);
    next_->setEnabled(
        introduction ||
        (stop >= 0 ? stop + 1 < count : workbench_.lessons().stop_steps().back() > workbench_.playback().step()));
  }
  if (lesson && introduction)
    set_text(introduction_text(*lesson));
  else if (!lesson || stop < 0)
    set_text(step_text(), reader_ != Reader::audience);
  else if (reader_ == Reader::audience)
    set_text_for_class(lesson->stops[static_cast<std::size_t>(stop)].narration);
  else
    set_text(stop_text(*lesson, stop));
  text_->moveCursor(QTextCursor::Start);    // a browser that is shown later scrolls to its cursor
  text_->verticalScrollBar()->setValue(0);  // where the pane was lower than its first line, the cursor scrolled it
}

/// Returns whether all of the text has room. `small_lists`: what stands in lists is small print.
bool NarrationPane::set_text(const QString& markdown, bool small_lists) {
  const int scale = text_scale_of(*this, workbench_.looks().appearance());
  layout()->setContentsMargins(0, 0, 0, 0);
  layout()->activate();
  const bool large = reader_ == Reader::person && scale > large_text, is_audience = reader_ == Reader::audience;
  text_->setFont(is_audience ? audience_font(size_) : interface_font(scale, lesson_size(large ? scale : 100)));
  set_markdown(*text_->document(), markdown, is_audience ? audience_line_height : large ? close_lines : line_height);
  const auto set_size = [](const QTextBlock& block, int adjustment) {
    QTextCursor cursor(block);
    cursor.select(QTextCursor::BlockUnderCursor);
    QTextCharFormat size;
    size.setProperty(QTextFormat::FontSizeAdjustment, adjustment);
    cursor.mergeCharFormat(size);
    if (block.textList()) cursor.mergeBlockCharFormat(size);  // of its sign
  };
  // Large text has its heading in its own size, so that it leaves the room to what follows.
  if (QTextBlock heading = text_->document()->begin(); large && heading.blockFormat().headingLevel() > 0)
    set_size(heading, 0);
  for (QTextBlock block = text_->document()->begin(); small_lists && block.isValid(); block = block.next())
    if (block.textList()) set_size(block, -1);
  const bool has_room = text_->document()->size().height() <= text_->viewport()->height();
  if (is_audience && !has_room) leave_out_cut_line();
  return has_room;
}

int NarrationPane::height_for(int width, double size, Left left, const Stop* other) const {
  const Lesson* lesson = workbench_.lessons().lesson();
  const int stop = workbench_.lessons().stop_index();
  if (!other && (!lesson || stop < 0)) return 0;
  const std::string& narration = (other ? *other : lesson->stops[static_cast<std::size_t>(stop)]).narration;
  const std::vector<std::string> versions =
      left == Left::all ? std::vector{without_controls(narration)} : in_short(narration);
  const auto tables = std::find_if(versions.rbegin(), versions.rend(), [](const std::string& each) {
    return ("\n" + each).find("\n|") != std::string::npos;
  });
  const std::string& text = keeps_text_ && !other && left != Left::all          ? version_
                            : left == Left::most                                ? versions.front()
                            : left == Left::tables && tables != versions.rend() ? *tables
                                                                                : versions.back();
  const QFont font = audience_font(size);
  // The layout asks again and again
  int& height =
      heights_[QStringLiteral("%1 %2 %3").arg(width).arg(font.pointSizeF()).arg(QString::fromStdString(text))];
  if (height > 0) return height;
  const auto document = measured(text, font);
  document->setTextWidth(width);
  return height = static_cast<int>(std::ceil(document->size().height()));
}

/// Shows all of a text, or the first shorter version that fits, or nothing, without the title, which stands above all
/// panes. The speaker's notes have all.
void NarrationPane::set_text_for_class(const std::string& narration) {
  const std::string all = without_controls(narration);
  const auto fits = [this](const std::string& version) {
    version_ = version;
    return set_text(foreign_text(version));
  };
  if (shows_all_)  // and scrolls
    set_text(foreign_text(all));
  else if (keeps_text_)
    set_text(foreign_text(version_));
  else if (!fits(all) && !std::ranges::any_of(in_short(narration), fits))
    fits({});
  shortened_ = !shows_all_ && version_ != all;
}

/// Ends the text below its last whole line.
void NarrationPane::leave_out_cut_line() {
  const double room = text_->viewport()->height();
  layout()->setContentsMargins(0, 0, 0, static_cast<int>(room - end_of_whole_lines(*text_->document(), room)));
}

void NarrationPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (reader_ == Reader::audience && workbench_.playback().cursor()) show_again();
}

/// Where the current step stands among the lesson's stops; empty without a lesson.
QString NarrationPane::place_text() const {
  const auto& steps = workbench_.lessons().stop_steps();
  const int stop = workbench_.lessons().stop_index(), count = static_cast<int>(steps.size());
  if (count == 0) return {};
  if (workbench_.lessons().at_introduction()) return tr("Introduction");
  if (stop >= 0) return tr("Stop %1 of %2").arg(stop + 1).arg(count);
  const std::uint32_t step = workbench_.playback().step();
  const auto passed =
      static_cast<int>(std::count_if(steps.begin(), steps.end(), [&](std::uint32_t s) { return s < step; }));
  if (passed == 0) return tr("Before stop 1 of %1").arg(count);
  if (passed == count) return tr("After stop %1").arg(count);
  return tr("Between stops %1 and %2").arg(passed).arg(passed + 1);
}

QString NarrationPane::introduction_text(const Lesson& lesson) const {
  QString text = title_card(lesson, workbench_.lessons().catalogue());
  const Progress progress = workbench_.questions().answers().progress(lesson);
  if (reader_ == Reader::person && progress.answered > 0)
    text +=
        QStringLiteral("\n\n") + tr("%1 of %2 questions are answered.").arg(progress.answered).arg(progress.questions);
  return text;
}

/// A line of its own or, where text is so large that it would be the only one, the first words of the text.
QString NarrationPane::heading(const std::string& title, const std::string& text) const {
  const bool prose = !text.empty() && QChar::fromLatin1(text[0]).isLetter();
  const bool alone =
      is_for_speaker() || !prose || text_scale_of(*this, workbench_.looks().appearance()) <= largest_text;
  return (alone ? QStringLiteral("### %1\n\n") : QStringLiteral("**%1.** ")).arg(foreign_text(title));
}

QString NarrationPane::stop_text(const Lesson& lesson, int stop) const {
  const Stop& s = lesson.stops[static_cast<std::size_t>(stop)];
  QString text = heading(s.title, s.narration);
  if (is_for_speaker() && !s.notes.empty()) text += foreign_text(s.notes) + QStringLiteral("\n\n---\n\n");
  text += foreign_text(s.narration);
  if (!is_for_speaker()) return text;
  const Questions& questions = workbench_.questions();
  for (std::size_t i = 0; i < s.questions.size(); ++i) {
    const bool shown = reader_ == Reader::speaker || questions.state(static_cast<int>(i)) != QuestionState::open;
    text += QStringLiteral("\n\n**%1** %2\n\n%3")
                .arg(tr("Question:"), foreign_text(s.questions[i].text),
                     shown ? foreign_text(starting_with_prose(s.questions[i].answer))
                           : QLatin1Char('*') + tr("The answer stands here once the question is settled.") +
                                 QLatin1Char('*'));
  }
  return text;
}

QString NarrationPane::step_text() const {
  const Cursor& cursor = *workbench_.playback().cursor();
  const Step& step = cursor.current();
  const Trace& trace = cursor.trace();
  // In front of a class the title stands above all panes.
  QString text = reader_ == Reader::audience ? QString() : heading(step_heading(step), step.name);
  if (const Lesson* left = workbench_.desk().lesson_left(); left && reader_ == Reader::person)
    text = QStringLiteral("[") + tr("Back to the lesson: %1").arg(foreign_text(left->title)) +
           QStringLiteral("](%1)\n\n").arg(QLatin1String(link_to_lesson)) + text;
  if (const std::string sentence = sentence_of(trace, step); !sentence.empty())
    text += foreign_text(sentence) + QStringLiteral("\n\n");

  // One quiet line: what changed, and who did it
  QStringList changes, facts;
  const bool other = workbench_.playback().place().baseline.with == ComparedWith::other_run;
  std::uint64_t elsewhere = 0;
  for (const std::string& name : step.wrote) {
    const Trace::Array* array = trace.find(name);
    if (!array || !array->info.shown_as_row) continue;
    if (!shows_dimension(workbench_.playback().axes(), trace.header.dim, array->info.dimension)) {
      ++elsewhere;
      continue;
    }
    const QString row = QStringLiteral("**%1**").arg(foreign_text(array->info.label));
    const Cursor* before = workbench_.playback().baseline();
    if (!before) {
      changes << row;
      continue;
    }
    std::uint64_t changed = 0;
    for (const IndexRange& r : changed_ranges(*before, cursor, name)) changed += r.end - r.begin;
    const std::uint64_t size = cursor.row_size(name);
    if (changed == size && size > 0)
      changes << tr("all of %1").arg(row);
    else if (changed > 0 || other)
      changes << tr("%L1 of %L2 %3").arg(changed).arg(size).arg(row);
  }
  if (elsewhere > 0) changes << tr("%L1 arrays of dimensions that are not on the axes").arg(elsewhere);
  if (!changes.isEmpty())
    facts << (other ? tr("Other than in %1: %2").arg(foreign_text(workbench_.playback().other_run().name))
              : workbench_.playback().baseline() ? tr("Changes %1")
                                                 : tr("Writes %1"))
                 .arg(changes.join(QStringLiteral(", ")));
  for (const Highlight& h : step.highlights)
    if (h.role == Role::segment && h.ranges.size() > 1) facts << tr("Works on %L1 segments").arg(h.ranges.size());
  if (step.block > 0) facts << tr("Launches %1").arg(foreign_text(launch_text(step)));
  for (const QString& fact : facts) text += QStringLiteral("- ") + fact + QStringLiteral("\n");
  return text;
}

}  // namespace kdscope
