#pragma once
// One line under the arrays: what to find, how many elements match, and which of them is shown.

#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QWidget>
#include <optional>

#include "visualizer/model/element_search.hpp"

namespace kdscope {

/// Knows the query and its matches; whoever owns it searches and shows. Enter and F3 go to the next match, Shift with
/// either to the one before, past the ends around; Escape closes.
class FindBar : public QWidget {
  Q_OBJECT

 public:
  explicit FindBar(QWidget* parent = nullptr);
  /// Shows the line with its text selected.
  void start();
  QString text() const { return text_->text(); }
  /// "3 of 17", "17 matches", "no match", or the sentence of an error.
  QString words() const { return words_->text(); }

  /// The matches of the text at this step; the one that was shown stays, where there is one at its column.
  void set_matches(Result<ElementMatches> matches);
  /// Moves on (1) or back (-1) among the matches and emits found(); without matches it shows the reason.
  void walk(int direction);

 signals:
  /// The text is another one: matches are wanted.
  void text_changed();
  void found(std::size_t row, std::uint64_t column);
  void closed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void show_words();
  QLineEdit* text_;
  QLabel* words_;
  QToolButton *back_, *next_;
  std::optional<ElementMatches> matches_;
  std::optional<Error> error_;
  std::optional<std::uint64_t> at_;  // the match that is shown
  bool asked_ = false;               // half a query is no mistake: errors show once Enter was pressed
};

}  // namespace kdscope
