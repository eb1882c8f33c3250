#pragma once
// One line under the arrays: what to find, how many elements match, and which of them is shown.

#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QWidget>
#include <optional>

#include "visualizer/model/element_search.hpp"

namespace kdscope {

/// Holds the query and its matches; its owner searches, and shows what is found. Enter and F3 go to the next match,
/// Shift+Enter and Shift+F3 to the previous one, wrapping around at the ends. Escape closes.
class FindBar : public QWidget {
  Q_OBJECT

 public:
  explicit FindBar(QWidget* parent = nullptr);
  /// Shows the line with its text selected.
  void start();
  QString text() const { return text_->text(); }
  /// "3 of 17", "17 matches", "no match at this step", or an error message.
  QString words() const { return words_->text(); }

  /// Takes the matches of the text at this step. The match that was shown stays if one of them is at its column.
  void set_matches(Result<ElementMatches> matches);
  /// Moves on (1) or back (-1) among the matches and emits found(); without matches it shows the reason.
  void walk(int direction);

 signals:
  /// New matches are needed: the text changed, or the line opened.
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
  bool asked_ = false;               // errors show only after Enter: half a query is no mistake
};

}  // namespace kdscope
