#include "app/panes/question_panel.hpp"

#include <QApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "algorithms/trace/coordinate_names.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/form_field.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/key_list.hpp"
#include "app/appearance/lesson_markdown.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/smaller_text.hpp"
#include "app/appearance/whole_lines.hpp"
#include "app/panes/viewer.hpp"
#include "app/questioning/questioning.hpp"
#include "walkthroughs/reader/in_short.hpp"
#include "walkthroughs/reader/question_text.hpp"

namespace kdscope {
namespace {

constexpr QMargins around(12, 6, 12, 8);
constexpr int between = 6, between_choices = 4;      // parts; with room
constexpr int indent = 22;                           // of lists
constexpr double size_of_parts = 0.9;                // of what stands below a card's question, in its size
constexpr double smaller = 0.95, least_hint = 0.86;  // of what a field asks for

/// The beginning of a question that has no line for its number.
QString short_head(const QString& number) { return QStringLiteral("**%1:** ").arg(number); }

QString on_key(const QString& words, const QString& key) { return QStringLiteral("%1 (%2)").arg(words, key); }

QToolButton* text_button(const QString& text, const QString& tip, const char* name, QWidget* parent,
                         const Changed& clicked) {
  auto* made = named(new QToolButton(parent), {name, tip, tip});
  made->setText(text);
  made->setFocusPolicy(Qt::TabFocus);
  made->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  QObject::connect(made, &QToolButton::clicked, made, clicked);
  return made;
}

QToolButton* arrow_button(Symbol symbol, const QString& words, const QString& key, QWidget* parent,
                          const Changed& clicked) {
  auto* made = named(new QToolButton(parent), {"", words, on_key(words, key)});
  made->setIcon(icon(symbol));
  made->setAutoRaise(true);
  made->setFocusPolicy(Qt::TabFocus);
  QObject::connect(made, &QToolButton::clicked, made, clicked);
  return made;
}

/// A text without a frame, which scrolls where it has less room than it needs.
QTextBrowser* text_page(const FieldText& text) {
  auto* page = named(new QTextBrowser, text);
  page->setDocument(new ClosedDocument(page));
  page->setFrameShape(QFrame::NoFrame);
  page->viewport()->setAutoFillBackground(false);
  page->setOpenLinks(false);
  page->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // a text of one line has no room for it
  page->document()->setDocumentMargin(0);
  page->document()->setIndentWidth(indent);
  new WholeLines(*page);
  return page;
}

void show_markdown(QTextBrowser& page, const QString& text, bool is_card) {
  set_markdown(*page.document(), text, is_card ? audience_line_height : 100);
  page.moveCursor(QTextCursor::Start);  // a page that is shown later scrolls to its cursor
}

/// The explanation; a class reads it without the sentences that send a person to a control.
QString answer_text(const Question& question, bool is_card) {
  const std::string all = starting_with_prose(question.answer), seen = without_controls(all);
  return foreign_text(is_card && !seen.empty() ? seen : all);
}

/// A box without a frame's room, whose parts are this far apart.
template <class Layout>
Layout* bare(Layout* layout, int spacing) {
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(spacing);
  return layout;
}

}  // namespace

ChoiceButton::ChoiceButton(int number, const QString& text, QWidget* parent)
    : QAbstractButton(parent), number_(number), theme_(&theme(ThemeId::light)) {
  setText(text);
  setCheckable(true);
  setAttribute(Qt::WA_Hover);
  setAccessibleName(QStringLiteral("%1: %2").arg(number).arg(text));
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ChoiceButton::show_verdict(Verdict verdict, const Theme& theme) {
  verdict_ = verdict;
  theme_ = &theme;
  update();
}

void ChoiceButton::show_votes(int votes, int of_all) {
  votes_ = votes;
  all_votes_ = of_all;
  setAccessibleDescription(of_all > 0 ? tr("%1 of %2 votes").arg(votes).arg(of_all) : QString());
  update();
}

void ChoiceButton::mousePressEvent(QMouseEvent* event) {
  if (!takes_votes_) return QAbstractButton::mousePressEvent(event);
  if (event->button() == Qt::LeftButton || event->button() == Qt::RightButton)
    emit voted(event->button() == Qt::LeftButton ? 1 : -1);
}

QRect ChoiceButton::text_rect(int width) const {
  const int line = fontMetrics().height(), left = line * 3 / 2;
  const int right = takes_votes_ ? 2 * line : line / 2;
  const QRect room(left, static_cast<int>(padding_ * line), std::max(line, width - left - right), 1 << 16);
  return fontMetrics().boundingRect(room, Qt::AlignLeft | Qt::TextWordWrap, text());
}

int ChoiceButton::height_for(int width) const {
  const QRect text = text_rect(width);
  return text.height() + 2 * text.top();
}

QSize ChoiceButton::sizeHint() const {
  const int width = fontMetrics().averageCharWidth() * 30;
  return {width, height_for(width)};
}

void ChoiceButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& t = *theme_;
  const Rgb mark = verdict_ == Verdict::right ? t.passed : verdict_ == Verdict::wrong ? t.failed : t.focus;
  const bool marked = isChecked() || verdict_ != Verdict::none;
  const double line = marked ? 2 : 1, round = fontMetrics().height() / 4.0;
  const QRectF frame = QRectF(rect()).adjusted(line, line, -line, -line);
  painter.setPen(QPen(colour(marked || hasFocus() ? mark : t.line), line));
  painter.setBrush(colour(marked                        ? mix(t.base, mark, 0.16)
                          : underMouse() && isEnabled() ? mix(t.base, t.focus, 0.08)
                                                        : t.base));
  painter.drawRoundedRect(frame, round, round);
  if (votes_ > 0) {
    QPainterPath inside;
    inside.addRoundedRect(frame, round, round);
    painter.setClipPath(inside);
    painter.fillRect(QRectF(frame.left(), frame.top(), frame.width() * votes_ / all_votes_, frame.height()),
                     colour(mix(t.base, mark, 0.3)));
    painter.setClipping(false);
  }
  const int text_height = fontMetrics().height();
  const QRect room = text_rect(width());
  painter.setPen(colour(marked ? mark : t.muted_text));
  QFont bold = font();
  bold.setBold(true);
  painter.setFont(bold);
  const QString sign = verdict_ == Verdict::right   ? QStringLiteral("\u2713")
                       : verdict_ == Verdict::wrong ? QStringLiteral("\u2717")
                                                    : QString::number(number_);
  painter.drawText(QRect(0, room.top(), text_height * 3 / 2, text_height), Qt::AlignCenter, sign);
  if (all_votes_ > 0)
    painter.drawText(QRect(width() - 2 * text_height, room.top(), 3 * text_height / 2, text_height),
                     Qt::AlignRight | Qt::AlignVCenter, QString::number(votes_));
  painter.setFont(font());
  painter.setPen(colour(t.text));
  painter.drawText(
      QRect(room.left(), room.top(), width() - room.left() - (takes_votes_ ? 2 * text_height : 0), room.height()),
      Qt::AlignLeft | Qt::TextWordWrap, text());
}

QuestionPanel::QuestionPanel(Workbench& workbench, QWidget* parent, Shape shape)
    : QWidget(parent),
      workbench_(workbench),
      questions_(workbench.questions()),
      room_(parent),
      shape_(shape),
      number_(named(plain_label({}, this), {"question_number"})),
      progress_(named(plain_label({}, this), {"question_progress"})),
      coordinate_(plain_label()),
      feedback_(named(plain_label({}, this), {"question_feedback"})),
      previous_(arrow_button(Symbol::previous_stop, tr("Previous question"), tr("Ctrl+PageUp"), this,
                             [this] { questions_.go_to(questions_.current() - 1); })),
      next_(arrow_button(Symbol::next_stop, tr("Next question"), tr("Ctrl+PageDown"), this,
                         [this] { questions_.go_to(questions_.current() + 1); })),
      page_(text_page({"question_page", tr("Question")})),
      explanation_(text_page({"question_explanation", tr("Explanation")})),
      measured_(text_page({""})),
      choice_grid_(bare(new QGridLayout(choices_), 4)),
      button_grid_(bare(new QGridLayout(buttons_), 4)),
      field_(named(new QLineEdit, {"question_field", tr("Answer")})),
      check_(text_button(tr("Check"), on_key(tr("Check the answer"), tr("Enter")), "question_check", buttons_,
                         [this] { questions_.check(); })),
      hint_(text_button(tr("Hint"), on_key(tr("Show the hint"), tr("H")), "question_hint", buttons_,
                        [this] { questions_.hint(); })),
      reveal_(text_button(tr("Show the answer"), on_key(tr("Show the answer"), tr("A")), "question_reveal", buttons_,
                          [this] { questions_.reveal(); })),
      skip_(text_button(tr("Skip"), on_key(tr("Skip the question"), tr("K")), "question_skip", buttons_,
                        [this] { questions_.skip(); })),
      go_on_(text_button(tr("Next question"), on_key(tr("To the next open question, or the next stop"), tr("Enter")),
                         "question_go_on", buttons_, [this] { workbench_.lessons().go_on(); })),
      again_(text_button(tr("Try again"), tr("Ask this question again"), "question_again", buttons_,
                         [this] { questions_.try_again(); })) {
  setObjectName(QStringLiteral("question_panel"));
  setAccessibleName(tr("Question"));
  setAutoFillBackground(true);
  describe_keys(*this, tr("Questions"),
                {{tr("1 to 9"), tr("Choose an answer")}, {tr("Digits, Backspace"), tr("Write an answer of numbers")}});
  progress_->setForegroundRole(QPalette::PlaceholderText);
  progress_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  progress_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  feedback_->setWordWrap(true);
  field_->setClearButtonEnabled(true);

  auto* answer = new QHBoxLayout(field_row_);
  answer->setContentsMargins(0, 0, 0, 0);
  answer->addWidget(coordinate_);
  answer->addWidget(field_, 1);
  auto* column = new QVBoxLayout(this);
  auto* head = new QHBoxLayout;
  head->setSpacing(6);
  for (QWidget* first : std::initializer_list<QWidget*>{number_, previous_, next_}) head->addWidget(first);
  head->addWidget(progress_, 1);
  column->addLayout(head);
  column->addWidget(page_);
  column->addWidget(choices_);
  for (QWidget* next : std::initializer_list<QWidget*>{field_row_, feedback_, explanation_}) column->addWidget(next);
  if (is_card()) {
    column->addStretch(1);
    for (QWidget* left_out : std::initializer_list<QWidget*>{number_, previous_, next_, progress_}) left_out->hide();
    for (QTextBrowser* page : {page_, explanation_}) page->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  }
  measured_->setParent(this);
  measured_->hide();
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);

  connect(&questions_, &Questions::changed, this, &QuestionPanel::show_question);
  connect(&workbench.playback(), &Playback::stepped, this, &QuestionPanel::show_question);
  when_restyled(*this, workbench, [this] { show_question(); });
  connect(field_, &QLineEdit::textEdited, &questions_, &Questions::type);
  // A click on the button that empties the field is no edit.
  connect(field_, &QLineEdit::textChanged, this, [this](const QString& text) {
    if (!showing_ && text.isEmpty()) questions_.type(text);
  });
  connect(field_, &QLineEdit::returnPressed, &questions_, &Questions::check);
  field_->installEventFilter(this);
  qApp->installEventFilter(this);
  show_question();
}

void QuestionPanel::edit() {
  if (!field_row_->isVisible()) return;
  field_->setFocus(Qt::ShortcutFocusReason);
  field_->selectAll();
}

QWidget* QuestionPanel::news() const {
  if (!explanation_->isHidden()) return explanation_;
  if (!feedback_->isHidden()) return feedback_;
  if (questions_.hinted()) return page_;
  if (questions_.chosen()) return choices_;
  return questions_.text().isEmpty() ? nullptr : field_row_;
}

QString QuestionPanel::words() const {
  QStringList words{number_->text(), progress_->text(), page_->toPlainText(), feedback_->text(),
                    explanation_->toPlainText()};
  for (const ChoiceButton* choice : choice_buttons_) words << choice->text();
  return words.join(QLatin1Char('\n'));
}

void QuestionPanel::show_choices() {
  const Question* question = questions_.question();
  const bool is_choice = question && question->expects && question->expects->kind == AnswerKind::choice;
  const std::vector<std::string> texts = is_choice ? question->expects->texts : std::vector<std::string>();
  choices_->setVisible(is_choice);
  if (texts != choice_texts_) {
    choice_texts_ = texts;
    while (QLayoutItem* row = choice_grid_->takeAt(0)) {
      row->widget()->deleteLater();
      delete row;
    }
    choice_buttons_.clear();
    for (std::uint32_t i = 0; i < texts.size(); ++i) {
      auto* choice = new ChoiceButton(static_cast<int>(i) + 1, foreign_text(texts[i]));
      choice_grid_->addWidget(choice, static_cast<int>(i), 0);
      choice_buttons_.push_back(choice);
      connect(choice, &QAbstractButton::clicked, this, [this, i] {
        questions_.choose(i);
        show_question();  // a settled question takes no choice
      });
      if (is_card()) {
        choice->take_votes();
        choice->setFocusPolicy(Qt::NoFocus);
        choice->setToolTip(tr("A click counts a vote of the class, a right click takes one away"));
        connect(choice, &ChoiceButton::voted, this, [this, i](int change) {
          if (i >= questions_.votes().size()) return;  // another question is asked by now
          questions_.vote(i, questions_.votes()[i] + change);
          show_choices();
        });
      }
      choice->show();  // now, because a layout leaves out what is shown only later
    }
  }
  const auto chosen = questions_.chosen();
  const QuestionState state = questions_.state();
  const bool solved = !is_away_ && (state == QuestionState::right || state == QuestionState::revealed);
  const std::vector<int>& votes = questions_.votes();
  const int all_votes = std::accumulate(votes.begin(), votes.end(), 0);
  for (std::uint32_t i = 0; i < choice_buttons_.size(); ++i) {
    const bool checked = chosen == i && !is_away_;
    choice_buttons_[i]->setChecked(checked);
    choice_buttons_[i]->setEnabled(questions_.is_open() || is_card());
    // The explanation needs the room of the others, and often begins with the chosen one itself.
    choice_buttons_[i]->setVisible(!solved || (is_card() ? !right_choice_only_ || checked
                                                         : checked && !begins_with_answer(question->answer, texts[i])));
    choice_buttons_[i]->show_verdict(checked && solved               ? ChoiceButton::Verdict::right
                                     : checked && questions_.wrong() ? ChoiceButton::Verdict::wrong
                                                                     : ChoiceButton::Verdict::none,
                                     theme_of(workbench_.looks().appearance()));
    if (is_card() && i < votes.size()) choice_buttons_[i]->show_votes(votes[i], all_votes);
  }
}

void QuestionPanel::set_fonts() {
  const int scale = text_scale_of(*this, workbench_.looks().appearance());
  const double parts = is_card() ? size_of_parts * size_ : 1;  // of what stands below the question
  setFont(interface_font(scale, parts));
  for (QTextBrowser* page : {page_, explanation_})
    page->setFont(interface_font(scale, is_card() ? size_ : lesson_size(scale)));
  buttons_->setFont(interface_font(scale_of_bars(scale)));
  QFont bold = interface_font(scale, parts);
  bold.setBold(true);
  number_->setFont(bold);
  feedback_->setFont(bold);
}

/// Whether the pane is so low that a line of the head, and room around the parts, is missed in the narration.
bool QuestionPanel::is_room_low() const {
  constexpr int low = 18;  // lines
  return room_ && room_->height() < low * page_->fontMetrics().height();
}

QString QuestionPanel::number_text(int question, int count) {
  return count > 1 ? tr("Question %1 of %2").arg(question + 1).arg(count) : tr("Question");
}

int QuestionPanel::height_of(const Question& question, int index, int count, Shows shows, int width,
                             double size) const {
  const int scale = text_scale_of(*this, workbench_.looks().appearance());
  const int inner = width - around.left() - around.right();
  const QFont parts = interface_font(scale, size_of_parts * size);
  measured_->setFont(interface_font(scale, size));
  const auto height_of_page = [&](const QString& text) {
    show_markdown(*measured_, text, is_card());
    return height_of_text(*measured_, inner);
  };
  int height = around.top() + around.bottom() +
               height_of_page(short_head(number_text(index, count)) + foreign_text(starting_with_prose(question.text)));
  if (shows != Shows::question) height += between + height_of_page(answer_text(question, is_card()));
  if (!question.expects) return height;
  height += between;
  if (question.expects->kind != AnswerKind::choice) {
    QLineEdit field;
    field.setFont(parts);
    return height + field.sizeHint().height();  // where the verdict comes
  }
  height -= between_choices;
  for (std::uint32_t i = 0; i < question.expects->texts.size(); ++i) {
    if (shows == Shows::answer_alone && i != question.expects->right) continue;
    ChoiceButton choice(1, foreign_text(question.expects->texts[i]));
    choice.take_votes();
    choice.setFont(parts);
    height += between_choices + choice.height_for(inner);
  }
  return height;
}

int QuestionPanel::height_of_this(Shows shows, int width) const {
  return height_of(*questions_.question(), questions_.current(), questions_.count(), shows, width, usual_size_);
}

void QuestionPanel::show_head() {
  const int count = questions_.count();
  low_ = is_room_low();
  const bool close = low_ && !is_card();
  layout()->setContentsMargins(around.left(), close ? 3 : around.top(), around.right(), close ? 4 : around.bottom());
  layout()->setSpacing(close ? 3 : between);
  choice_grid_->setSpacing(close ? 3 : between_choices);
  number_->setText(number_text(questions_.current(), count));
  for (QToolButton* button : {previous_, next_}) button->setVisible(count > 1 && !is_card());
  for (QLabel* label : {number_, progress_}) label->setVisible(!is_card() && !has_short_head());
  previous_->setEnabled(questions_.current() > 0);
  next_->setEnabled(questions_.current() + 1 < count);
  progress_->clear();
  if (const Lesson* lesson = workbench_.lessons().lesson()) {
    const Progress progress = questions_.answers().progress(*lesson);
    progress_->setText(tr("%1 of %2 answered").arg(progress.answered).arg(progress.questions));
    short_progress_ = QStringLiteral("%1 / %2").arg(progress.answered).arg(progress.questions);
    QStringList rest{progress_->text()};
    if (progress.shown > 0) rest << tr("%1 shown").arg(progress.shown);
    if (progress.skipped > 0) rest << tr("%1 skipped").arg(progress.skipped);
    progress_->setToolTip(rest.join(QStringLiteral(", ")));
  }
}

void QuestionPanel::show_question() {
  const Question* question = questions_.question();
  // What has the focus may be hidden below; Qt then moves it to some other widget, where keys would press it.
  QWidget* const focused = QApplication::focusWidget();
  const bool had_focus = isAncestorOf(focused);
  setVisible(question != nullptr);
  buttons_->setVisible(question && !is_card());
  if (!question) {
    if (had_focus) window()->setFocus();
    emit shown();
    return;
  }
  showing_ = true;
  most_of_page_ = QWIDGETSIZE_MAX;
  const Theme& t = theme_of(workbench_.looks().appearance());
  set_fonts();

  show_head();
  const QuestionState state = questions_.state();
  const bool open = state == QuestionState::open, solved = !open && state != QuestionState::skipped && !is_away_;
  QString text = foreign_text(starting_with_prose(question->text));
  if (has_short_head()) text.prepend(short_head(number_->text()));  // one line less
  if (questions_.hinted() && open)
    text += QStringLiteral("\n\n**%1** %2").arg(tr("Hint:"), foreign_text(question->hint));
  show_markdown(*page_, text, is_card());
  show_markdown(*explanation_, solved ? answer_text(*question, is_card()) : QString(), is_card());
  explanation_->setVisible(solved);

  show_choices();
  const bool typed = question->expects && question->expects->kind != AnswerKind::choice;
  field_row_->setVisible(typed && open);
  if (typed) {
    const std::uint32_t dim = workbench_.playback().cursor() ? workbench_.playback().cursor()->trace().header.dim : 0;
    const bool split = question->expects->kind == AnswerKind::split;
    coordinate_->setVisible(split);
    if (split) coordinate_->setText(foreign_text(coordinate_name(question->expects->dimension, dim)) + tr(" ="));
    how_ = foreign_text(how_to_answer(*question->expects, dim, workbench_.playback().concealment()));
    field_->setPlaceholderText(how_);
    field_->setToolTip(plain_tip(how_));
    if (field_->text() != questions_.text()) field_->setText(questions_.text());
  }
  QString feedback = is_away_ ? QString() : questions_.feedback();
  // The tick of a choice is the verdict
  if (solved && std::ranges::any_of(choice_buttons_, [](const ChoiceButton* choice) { return !choice->isHidden(); }))
    feedback.clear();
  const bool right = state == QuestionState::right;
  if (!feedback.isEmpty() && (right || questions_.wrong()))
    feedback = (right ? QStringLiteral("\u2713 ") : QStringLiteral("\u2717 ")) + feedback;
  feedback_->setText(feedback);
  feedback_->setVisible(!feedback.isEmpty());
  QPalette ink = palette();
  ink.setColor(QPalette::WindowText, colour(right ? t.passed : questions_.wrong() ? t.failed : t.text));
  feedback_->setPalette(ink);

  check_->setVisible(open && question->expects.has_value());
  check_->setEnabled(questions_.can_check());
  hint_->setVisible(open && !question->hint.empty());
  hint_->setEnabled(questions_.can_hint());
  reveal_->setVisible(open);
  skip_->setVisible(open);
  go_on_->setVisible(!open && workbench_.lessons().can_go_on());
  go_on_->setText(questions_.next_open() ? tr("Next question") : tr("Next stop"));
  again_->setVisible(!open);
  lay_out();
  showing_ = false;
  if (questions_.wrong() && field_->hasFocus()) field_->selectAll();  // what is typed next replaces it
  if (had_focus && QApplication::focusWidget() != focused) window()->setFocus();
  emit shown();
}

/// Short choices stand side by side in a column. Their heights are set, because a grid asked for its height by a new
/// width keeps its rows where its own size stays.
void QuestionPanel::lay_out_choices(int width) {
  std::vector<ChoiceButton*> shown;
  for (ChoiceButton* choice : choice_buttons_) {
    choice_grid_->removeWidget(choice);
    if (!choice->isHidden()) shown.push_back(choice);
    choice->set_padding(low_ && !is_card() ? 0.1 : 0.25);
  }
  const auto count = static_cast<int>(shown.size());
  const auto width_of_one = [&](int columns) { return (width - (columns - 1) * choice_grid_->spacing()) / columns; };
  const auto fit = [&](int columns) {
    const int each = width_of_one(columns);
    return std::ranges::all_of(shown, [&](const auto* choice) { return choice->is_one_line_at(each); });
  };
  int columns = is_card() || count == 1 ? 1 : count == 2 || count == 4 ? 2 : 3;
  while (columns > 1 && !fit(columns)) --columns;
  for (const int column : {0, 1, 2}) choice_grid_->setColumnStretch(column, column < columns ? 1 : 0);
  for (int i = 0; i < count; ++i) {
    ChoiceButton* choice = shown[static_cast<std::size_t>(i)];
    choice_grid_->addWidget(choice, i / columns, i % columns);
    choice->setFixedHeight(choice->height_for(width_of_one(columns)));
  }
  choices_->updateGeometry();  // or the panel has room for the rows of before until the window is idle
}

/// Gives the texts their heights, and the buttons as many rows as they need.
void QuestionPanel::lay_out(int outer_width) {
  const int width = outer_width - layout()->contentsMargins().left() - layout()->contentsMargins().right();
  page_->setVisible(!explanation_only_);
  page_->setFixedHeight(std::min(most_of_page_, height_of_text(*page_, width)));
  explanation_->setFixedHeight(explanation_->isHidden() ? 0 : height_of_text(*explanation_, width));
  lay_out_choices(width);
  if (is_card()) {
    // Rather fewer words than smaller ones, and rather smaller ones than cut ones
    const QString fewer = how_.section(tr(", or "), -1);
    const auto fits = [&](const QString& words, const QFont& tried) {
      return QFontMetrics(tried).horizontalAdvance(words) <= width - 2 * QFontMetrics(tried).height();
    };
    field_->setPlaceholderText(fits(how_, font()) ? how_ : fewer.left(1).toUpper() + fewer.mid(1));
    field_->setFont(smaller_until(font(), smaller, least_hint * least_size_ / size_,
                                  [&](const QFont& tried) { return fits(field_->placeholderText(), tried); }));
    return;
  }
  // With large text, the numbers of the progress have to do.
  const int head = number_->sizeHint().width() + 2 * (previous_->isHidden() ? 0 : previous_->sizeHint().width() + 6);
  if (progress_->sizeHint().width() > width - head) progress_->setText(short_progress_);
  std::vector<QToolButton*> shown;
  int needed = 0;
  for (QToolButton* button : {check_, hint_, reveal_, skip_, go_on_, again_}) {
    button_grid_->removeWidget(button);
    if (button->isHidden()) continue;
    shown.push_back(button);
    needed += button->sizeHint().width() + button_grid_->spacing();
  }
  const int columns = needed <= width || shown.size() < 3 ? std::max<int>(1, static_cast<int>(shown.size())) : 2;
  for (int i = 0; i < static_cast<int>(shown.size()); ++i) button_grid_->addWidget(shown[i], i / columns, i % columns);
}

int QuestionPanel::height_for(int width, int most_of_page) {
  most_of_page_ = most_of_page;
  lay_out(width);
  layout()->update();
  layout()->activate();  // the layouts inside keep sizes until then
  return layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width) : layout()->totalSizeHint().height();
}

void QuestionPanel::put_answer_away(bool away) {
  if (std::exchange(is_away_, away) != away) show_question();
}

void QuestionPanel::set_text_sizes(double usual, double least) {
  usual_size_ = size_ = usual;
  least_size_ = least;
  right_choice_only_ = explanation_only_ = false;
  set_fonts();
}

int QuestionPanel::height_within(int width, int most) {
  const bool answered = !explanation_->isHidden();
  if (!is_card() && answered) return height_for(width);  // and scrolls with the narration
  // An answer takes the room of the wrong choices, then that of its question, which the class knows.
  enum class LeftOut { nothing, choices, question };
  for (const LeftOut left_out : {LeftOut::nothing, LeftOut::choices, LeftOut::question}) {
    right_choice_only_ = left_out != LeftOut::nothing;
    explanation_only_ = left_out == LeftOut::question;
    show_choices();
    const double least = answered && left_out == LeftOut::nothing ? usual_size_ : least_size_;
    for (size_ = usual_size_;; size_ = std::max(least, 0.92 * size_)) {
      set_fonts();
      if (const int height = height_for(width); height <= most) return height;
      if (size_ <= least) break;
    }
    if (!answered) break;
  }
  const int whole = height_for(width), lines = is_card() ? 1 : 2,
            least = answered ? 0 : height_of_text(*page_, page_->width(), lines);
  const int height = height_for(width, std::max(least, page_->minimumHeight() - (whole - most)));
  if (!is_card()) return height;
  page_->verticalScrollBar()->setValue(page_->verticalScrollBar()->maximum());
  return most;
}

void QuestionPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  lay_out();
}

void QuestionPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && !showing_) show_question();  // links and verdicts keep old colours
}

/// Returns whether a digit that this widget receives answers: it neither edits text nor is in another window.
bool QuestionPanel::takes_digits(const QObject* watched) const {
  const auto* widget = qobject_cast<const QWidget*>(watched);
  // In front of a class, digits belong to the choices in sight even once they are answered, and show no pane alone
  const bool has_choices = is_card() && !choice_buttons_.empty();
  return widget && isVisible() && widget->window() == window() && (questions_.is_open() || has_choices) &&
         !widget->inherits("QLineEdit") && !widget->inherits("QAbstractSpinBox") &&
         !(widget->inherits("QTextEdit") && !qobject_cast<const QTextEdit*>(widget)->isReadOnly()) &&
         !widget->inherits("QComboBox") && !widget->inherits("QPlainTextEdit") &&
         !widget->inherits("kdscope::KernelSheet");
}

/// Returns whether the field leaves a key to the commands: what a person types into an answer of numbers is numbers.
bool QuestionPanel::leaves(const QKeyEvent& key) const {
  const Question* question = questions_.question();
  if (!question || !question->expects || question->expects->kind == AnswerKind::words) return false;
  const bool plain = (key.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == Qt::NoModifier;
  const QString text = key.text();
  if (!plain || text.isEmpty() || !text[0].isPrint()) return false;
  const bool names = question->expects->kind == AnswerKind::points;
  return !QStringLiteral("0123456789+-., ").contains(text[0]) && !(names && text[0].toLower() == QLatin1Char('p'));
}

/// Returns the answer of numbers or names of points that a key writes without the field; nullopt for any other key. A
/// point is the black screen of a remote until a number has begun, and - plays slower.
std::optional<QString> QuestionPanel::written_by(const QKeyEvent& key) const {
  const bool plain = (key.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == Qt::NoModifier;
  if (!plain || field_row_->isHidden() || questions_.question()->expects->kind == AnswerKind::words)
    return std::nullopt;
  const QString before = questions_.wrong() ? QString() : questions_.text(), text = key.text();
  if (key.key() == Qt::Key_Backspace && !before.isEmpty()) return before.chopped(1);
  const QString names = questions_.question()->expects->kind == AnswerKind::points ? QStringLiteral("p") : QString(),
                signs = names + (before.isEmpty() ? QStringLiteral("0123456789") : QStringLiteral("0123456789.,"));
  return !text.isEmpty() && signs.contains(text[0]) ? std::optional(before + text) : std::nullopt;
}

bool QuestionPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == room_ && event->type() == QEvent::Resize && isVisible())
    low_ != is_room_low() ? show_question() : lay_out();
  if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress) return false;
  const auto* key = static_cast<QKeyEvent*>(event);
  if (watched == field_ && leaves(*key)) {
    event->ignore();
    return true;
  }
  // Escape leaves the field, and nothing else.
  if (watched == field_ && key->key() == Qt::Key_Escape) {
    if (event->type() == QEvent::KeyPress) window()->setFocus();
    event->accept();
    return true;
  }
  // Take a digit before shortcuts do.
  if (!takes_digits(watched)) return false;
  const bool plain = (key->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier,
             pressed = event->type() == QEvent::KeyPress;
  const int choice = key->key() - Qt::Key_1;
  if (const auto written = questions_.is_open() ? written_by(*key) : std::nullopt) {
    if (pressed) questions_.type(*written);
  } else if (plain && choice >= 0 && choice < 9 && !choice_buttons_.empty()) {
    if (pressed && questions_.is_open()) questions_.choose(static_cast<std::uint32_t>(choice));
  } else {
    return false;
  }
  event->accept();
  return true;
}

}  // namespace kdscope
