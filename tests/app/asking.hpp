#pragma once
// A window with a lesson of nine questions, of every kind of answer.

#include <QLabel>
#include <QLineEdit>

#include "app/panes/arrays_pane.hpp"
#include "app/panes/question_panel.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/own_lessons.hpp"

namespace kdscope {

inline constexpr const char* questions_lesson = R"(---
title: Ten points asked
source: "Wald 2023"
data: wald-10
algorithm: wald
---

The introduction.

## The root

```stop
select: level 0 / update tags
questions:
  - ask: Which position holds the root?
    answer: "Position 6: six nodes are in the left subtree."
    hint: Count the nodes on the lowest level.
    expects: {positions: 6}
    hides: marks changes tree splits code
    hides_rows: [tags]
  - ask: Where do the larger coordinates go?
    answer: To node 2.
    expects: {choice: to the right, among: [to the left, to the right, nowhere]}
    hides: tree
  - ask: Why is this enough?
    answer: N alone gives the shape.
```

It is found by counting.

## Two pivots

```stop
select: level 1 / update tags
questions:
  - ask: Which points are pivots?
    answer: Points 5 and 9.
    expects: {points: 5 9}
    hides: marks
  - ask: Which nodes are split?
    answer: Nodes 1 and 2.
    expects: {nodes: 1 2}
  - ask: Where is the new tag of the first settled pivot?
    answer: At position 4.
    expects: {cell: 4, row: tags}
  - ask: Where was the root split?
    answer: At 46.
    expects: {split: 46, dimension: 0, within: 2}
    hides: splits
  - ask: How many levels are there?
    answer: Four.
    expects: {number: 4}
  - ask: What is the name of the step?
    answer: Update tags.
    expects: {words: [update tags]}
```

Two at once.
)";

/// A window on the lesson above, which stands in place of the first one.
struct Asking : OwnLessons, OpenWorkbench {
  Questions& questions = workbench.questions();
  QuestionPanel& panel = find<QuestionPanel>("question_panel");
  QLineEdit& field = find<QLineEdit>("question_field");

  explicit Asking(QSize size = {1280, 800}) : OwnLessons(questions_lesson), OpenWorkbench(size) {
    REQUIRE(workbench.lessons().lesson()->title == "Ten points asked");
  }
  void go_to_stop(int stop) {
    settle();
    for (int before = workbench.lessons().stop_index(); before < stop; ++before) {
      press(Qt::Key_PageDown);
      REQUIRE(workbench.lessons().stop_index() == before + 1);
    }
    settle();
  }
  ArrayTableView& table() { return window.arrays().view(); }
  std::size_t row(const std::string& name) {
    const auto& rows = table().table()->rows();
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i].name == name) return i;
    FAIL("there is no row " << name);
    return 0;
  }
  void click_cell(ArrayTableView& view, std::size_t row, std::uint64_t column) {
    const QRect cell = view.cell_rect(row, column);
    REQUIRE_FALSE(cell.isEmpty());
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, cell.center());
    settle();
  }
  QString row_text(const std::string& name) {
    QStringList cells;
    for (std::uint64_t c = 0; c < 10; ++c) cells << table().shown_text(row(name), c);
    return cells.join(QLatin1Char(' '));
  }
  QString feedback() { return find<QLabel>("question_feedback").text(); }
  QString progress() { return find<QLabel>("question_progress").text(); }
};

}  // namespace kdscope
