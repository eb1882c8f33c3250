#pragma once
// A search as an audience reads it: what is asked, and what the search knows at this step. No controls.

#include <QWidget>
#include <cstddef>

#include "algorithms/queries/recorded_search.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class MarkdownLabel;

/// Returns what a search is asked as one sentence: "Which point is nearest to (50, 40)?". Numbers have at most five
/// significant digits.
QString question_of(const SearchOfRun& search);

class AudienceSearch : public QWidget {
  Q_OBJECT

 public:
  AudienceSearch(Workbench& workbench, QWidget* parent);
  QString text() const;
  /// Relative to the interface font.
  void set_text_size(double size);
  /// The height of the words in lines of this width, before or after the answer, whichever is more.
  int heightForWidth(int width) const override;

 private:
  void show_step();

  Workbench& workbench_;
  double size_ = 1;
  MarkdownLabel* words_;
  MarkdownLabel* answered_;  ///< the words that an answer reveals, for their height; never shown
};

}  // namespace kdscope
