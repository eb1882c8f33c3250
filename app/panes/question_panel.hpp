#pragma once
// The question at hand: its text, the ways to answer it, and what came of it. Stands below the narration of the window
// and of a presentation.

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QTextBrowser>
#include <QToolButton>
#include <QWidget>
#include <optional>
#include <vector>

#include "app/workbench/workbench.hpp"
#include "visualizer/style/theme.hpp"

class QGridLayout;
class QVBoxLayout;

namespace kdscope {

/// One of the texts to choose from, with its number. Long texts wrap. In front of a class, a click counts a vote
/// instead of choosing, a right click takes one away, and a bar behind the text shows the share of all votes.
class ChoiceButton : public QAbstractButton {
  Q_OBJECT

 public:
  enum class Verdict { none, right, wrong };
  ChoiceButton(int number, const QString& text, QWidget* parent = nullptr);
  void show_verdict(Verdict verdict, const Theme& theme);
  Verdict verdict() const { return verdict_; }
  void take_votes() { takes_votes_ = true; }
  void show_votes(int votes, int of_all);
  /// Sets the room above and below the text, in heights of a line.
  void set_padding(double lines) { padding_ = lines; }
  QSize sizeHint() const override;
  /// Returns the height that its text needs at a width.
  int height_for(int width) const;
  /// Whether its text needs one line at this width.
  bool is_one_line_at(int width) const { return height_for(width) <= height_for(1 << 15); }

 signals:
  /// A vote more or less.
  void voted(int change);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  QRect text_rect(int width) const;

  int number_;
  bool takes_votes_ = false;
  int votes_ = 0, all_votes_ = 0;
  double padding_ = 0.25;
  Verdict verdict_ = Verdict::none;
  const Theme* theme_;
};

/// Follows Workbench::questions(); hidden while nothing is asked. In its window, digits choose one of
/// several texts or write an answer of numbers.
class QuestionPanel : public QWidget {
  Q_OBJECT

 public:
  /// A column of the window, or a card of a presentation. The card counts how many of a class chose each text, leaves
  /// all keys but digits to the presentation, has neither buttons nor scroll bars, and becomes smaller to fit its
  /// place.
  enum class Shape { column, card };
  /// `parent` is the pane whose height text and question share, also where the panel moves into a scroll area of it.
  QuestionPanel(Workbench& workbench, QWidget* parent, Shape shape);
  /// Moves the keyboard focus to the field for the answer, if there is one.
  void edit();
  /// The height that it needs at this width; a higher text of the question scrolls.
  int height_for(int width, int most_of_page = QWIDGETSIZE_MAX);
  /// What stands on a card: a question, its answer below all choices, or below the right choice alone.
  enum class Shows { question, answer, answer_alone };
  /// The height that a card needs at a width for one of a stop's questions, in texts of a size relative to the
  /// interface font.
  int height_of(const Question& question, int index, int count, Shows shows, int width, double size) const;
  /// The same of the question at hand, in the card's usual size, whatever it shows now.
  int height_of_this(Shows shows, int width) const;
  bool shows_answer() const { return !explanation_->isHidden(); }
  /// The size of a card's text, relative to the interface font, and the one that an audience can still read.
  void set_text_sizes(double usual, double least);
  /// A card shows the question as before it was settled, or with its answer.
  void put_answer_away(bool away);
  /// The height of a card, with texts so small that it is at most this high, or as small as can be read; then, and in a
  /// column at once, the text of a question scrolls. A column is higher where two lines above its choices need it.
  int height_within(int width, int most);
  /// What a reader must see next: the explanation, the verdict, the hint, or what was chosen or typed; null for a
  /// question as it is first asked.
  QWidget* news() const;
  /// The buttons of a column, which stand below it.
  QWidget* buttons() const { return buttons_; }
  /// All words in sight, for readers and tests.
  QString words() const;

 signals:
  /// It shows a question, or another state of one, or nothing is asked any more: its height may be another.
  void shown();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void show_question();
  void show_choices();
  void set_fonts();
  void lay_out() { lay_out(width()); }
  void lay_out(int width);
  void lay_out_choices(int width);
  void show_head();
  static QString number_text(int question, int count);
  bool is_card() const { return shape_ == Shape::card; }
  bool is_room_low() const;
  /// Whether the number of the question stands in its text.
  bool has_short_head() const { return is_card() || (low_ && questions_.count() == 1); }
  bool takes_digits(const QObject* watched) const;
  bool leaves(const QKeyEvent& key) const;
  std::optional<QString> written_by(const QKeyEvent& key) const;

  Workbench& workbench_;
  Questions& questions_;
  QWidget* const room_;
  const Shape shape_;
  QLabel *number_, *progress_, *coordinate_, *feedback_;
  QToolButton *previous_, *next_;
  QTextBrowser *page_, *explanation_;  ///< the question; what stands below its verdict
  QTextBrowser* measured_;             ///< a question that is not shown
  QWidget *choices_ = new QWidget, *field_row_ = new QWidget, *buttons_ = new QWidget(this);
  QGridLayout *choice_grid_, *button_grid_;
  QLineEdit* field_;
  QToolButton *check_, *hint_, *reveal_, *skip_, *go_on_, *again_;
  std::vector<ChoiceButton*> choice_buttons_;
  std::vector<std::string> choice_texts_;              // those that choice_buttons_ show
  QString short_progress_, how_;                       ///< `how_`: the question at hand is answered
  double size_ = 1, usual_size_ = 1, least_size_ = 1;  // of a card's texts
  int most_of_page_ = QWIDGETSIZE_MAX;                 // the height of the question's text
  bool right_choice_only_ = false;                     // a card leaves out the other choices
  bool explanation_only_ = false;                      // a card leaves out the question
  bool is_away_ = false;                               // the answer of a card
  bool low_ = false;                                   // the head gave its line to the narration
  bool showing_ = false;
};

}  // namespace kdscope
