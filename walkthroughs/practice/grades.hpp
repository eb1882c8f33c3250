#pragma once
// A class's results as a table: which student answered which question, and how. No Qt here.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "walkthroughs/practice/results.hpp"

namespace kdscope {

/// A result file that was read.
struct HandIn {
  std::string file;  ///< its name, for the table
  Results results;
};

/// How a student's work on one question ended.
struct Grade {
  Outcome outcome = Outcome::skipped;
  std::uint32_t tries = 0;  ///< answers given
  bool hinted = false;      ///< the hint was open at some try
  bool first_try = false;  ///< the first answer of all was right, without the hint and before any solution was revealed
};

/// A question that some student worked on.
struct GradedQuestion {
  std::string lesson;  ///< id; empty for questions on one's own run
  std::string stop;
  std::uint32_t question = 0;  ///< index within its stop
  std::string asked;           ///< its text in the first file that has it
};

struct GradeRow {
  std::string student, file;
  std::vector<std::optional<Grade>> grades;  ///< [questions]
};

struct GradeTable {
  std::vector<GradedQuestion> questions;
  std::vector<GradeRow> rows;  ///< as the hand-ins
};

/// Returns the name of a question: "wald/ten-points / The root is found by counting / 1", with numbers from 1.
std::string name_of(const GradedQuestion& question);

/// Grades hand-ins. A question is right if a right answer came before its solution was revealed. With fresh data
/// ("another one like this") the text differs, and the question starts anew; the best of these counts: right, then
/// revealed, then wrong, then skipped. Questions stand lesson by lesson in the order in which the files first have
/// them, those outside lessons at the end. Work O(attempts log attempts).
GradeTable grade_table(const std::vector<HandIn>& hand_ins);

/// Returns the table as CSV: one row per student with totals, of which "first try" counts Grade::first_try, then the
/// outcome and the number of tries per question. A question that a student did not open has empty fields. Texts that a
/// spreadsheet would run as a formula begin with an apostrophe.
std::string grades_csv(const GradeTable& table);

/// Returns a bar chart as SVG: per question the share of students with each outcome, and of those who did not open it.
std::string grades_svg(const GradeTable& table);

}  // namespace kdscope
