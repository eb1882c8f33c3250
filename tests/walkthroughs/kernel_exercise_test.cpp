// "Be the kernel": every step of every builder can be performed, and the entries are graded one by one.

#include "walkthroughs/practice/kernel_exercise.hpp"

#include <algorithm>
#include <set>

#include "algorithms/core/hash.hpp"
#include "algorithms/trace/element_name.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/walkthroughs/practice_runs.hpp"
#include "visualizer/model/count_array.hpp"
#include "walkthroughs/practice/generate.hpp"
#include "walkthroughs/practice/results.hpp"

namespace kdscope::kernel_exercise_test {

namespace {

KernelExercise exercise_at(const std::shared_ptr<const Trace>& trace, const std::string& path,
                           const KernelScope& scope = {}) {
  const auto steps = steps_matching(*trace, path);
  REQUIRE(steps.size() == 1);
  auto exercise = KernelExercise::at(trace, steps.front(), scope);
  INFO((exercise ? std::string() : exercise.error().message()));
  REQUIRE(exercise);
  return *exercise;
}

std::string refusal(const std::shared_ptr<const Trace>& trace, std::uint32_t step, const KernelScope& scope = {}) {
  const auto exercise = KernelExercise::at(trace, step, scope);
  REQUIRE_FALSE(exercise);
  CHECK(exercise.error().kind == ErrorKind::bad_usage);
  return exercise.error().message();
}

}  // namespace

TEST_CASE("the tags of the ten points are updated cell by cell") {
  const auto trace = test::record_run("wald", "wald-10");
  KernelExercise exercise = exercise_at(trace, "level 0 / update tags");
  CHECK(exercise.task() ==
        "Perform the step \"level 0 / update tags\": fill in 10 cells. Update tags: left of the pivot to the left "
        "child, right of it to the right child.");
  REQUIRE(exercise.cells().size() == 10);
  const char* tags[] = {"1", "1", "1", "1", "1", "1", "0", "2", "2", "2"};  // Wald 2023, section 5
  for (std::uint64_t i = 0; i < 10; ++i) {
    CHECK(exercise.cells()[i].row == "tags");
    CHECK(exercise.cells()[i].place == "position " + std::to_string(i));
    CHECK(exercise.cells()[i].before == "0");
    CHECK(exercise.shown(i).empty());
    CHECK(exercise.next_blank() == i);
    if (i == 6) CHECK(exercise.enter("tags", i, "1") == Verdict::wrong);
    CHECK(exercise.enter("tags", i, tags[i], 100 + static_cast<std::int64_t>(i)) == Verdict::right);
    CHECK(exercise.shown(i) == tags[i]);
  }
  CHECK_FALSE(exercise.next_blank());
  CHECK_FALSE(exercise.reveal_next());
  const KernelExercise::Progress progress = exercise.progress();
  CHECK(progress.complete());
  CHECK(progress.right == 10);
  CHECK(progress.wrong_entries == 1);
  CHECK(progress.first_wrong == 6);
  CHECK(exercise.summary() ==
        "10 of 10 cells right, 1 wrong entry. The first wrong one is entry 7: tags at position 6 = 1 instead of 0.");
}

TEST_CASE("what a step moves to a settled position is asked for, too") {
  // Wald 2023, section 5: the sort of level 1 brings the root, p1, to the front.
  KernelExercise exercise = exercise_at(test::record_run("wald", "wald-10"), "level 1 / sort");
  CHECK(exercise.hint(1).ends_with(" Sort by tag, points of one tag by y."));
  CHECK(exercise.cells().size() == 20);
  CHECK(exercise.enter("tags", 0, "1") == Verdict::wrong);
  CHECK(exercise.enter("tags", 0, "0") == Verdict::right);
  CHECK(exercise.enter("index", 0, "1") == Verdict::right);
}

TEST_CASE("entries are taken in any order, and only for blank cells") {
  const auto trace = test::record_run("wald", "wald-10");
  KernelExercise exercise = exercise_at(trace, "level 1 / update tags");
  CHECK(exercise.cells().size() == 9);  // position 0 is settled
  CHECK(exercise.enter("tags", 0, "0") == Verdict::no_cell);
  CHECK(exercise.enter("rank", 3, "0") == Verdict::no_cell);
  CHECK(exercise.enter(std::size_t{99}, "0") == Verdict::no_cell);
  for (const char* unread : {"", " ", "four", "4.5", "4 5", "0x", "-", "99999999999999999999"})
    CHECK(exercise.enter("tags", 9, unread) == Verdict::unread);
  CHECK(exercise.entries().empty());
  CHECK(exercise.enter("tags", 9, "0b110") == Verdict::right);
  CHECK(exercise.enter("tags", 9, "6") == Verdict::filled);
  CHECK(exercise.enter("tags", 8, " 0x2 ") == Verdict::right);
  CHECK(exercise.enter("tags", 1, "4") == Verdict::wrong);
  CHECK(exercise.shown(*exercise.find("tags", 1)).empty());
  CHECK(exercise.summary() ==
        "2 of 9 cells right, 1 wrong entry. The first wrong one is entry 3: tags at position 1 = 4.");
  CHECK(exercise.next_blank() == exercise.find("tags", 1));
  // The model answer is stepped cell by cell.
  while (const auto cell = exercise.reveal_next(7)) CHECK(exercise.shown(*cell) == exercise.model_answer(*cell));
  const auto progress = exercise.progress();
  CHECK(progress.right == 2);
  CHECK(progress.revealed == 7);
  CHECK(progress.complete());
  CHECK(exercise.summary() ==
        "2 of 9 cells right, 7 shown, 1 wrong entry. The first wrong one is entry 3: tags at position 1 = 4 instead of "
        "3.");

  // The sequence becomes attempts, which a result file keeps.
  const std::vector<Attempt> attempts = exercise.attempts();
  REQUIRE(attempts.size() == 10);
  CHECK(attempts[0].outcome == Outcome::right);
  CHECK(attempts[0].given.text == "0b110");
  CHECK(attempts[2].outcome == Outcome::wrong);
  CHECK(attempts[2].stop == "build / level 1 / update tags (be the kernel)");
  CHECK(attempts[2].asked == "tags at position 1 (wald on wald-10)");
  CHECK(attempts[3].outcome == Outcome::revealed);
  CHECK(attempts[3].seconds == 7);
  const auto read = read_results(results_text({"Anna", attempts}), "f").value();
  CHECK(read.attempts.size() == attempts.size());
}

TEST_CASE("a sequence of writes is graded, and not only its end") {
  const auto trace = test::record_run("wald", "wald-10");
  KernelExercise exercise = exercise_at(trace, "level 0 / update tags");
  // Cell 4 is wrong, then right; cell 5 is right, then wrong.
  const auto verdicts = exercise.perform({{0, "1", 1, false},
                                          {4, "2", 2, true},
                                          {4, "1", 3, false},
                                          {5, "1", 4, false},
                                          {5, "2", 5, false},
                                          {6, "x", 6, false}});
  CHECK(verdicts ==
        std::vector{Verdict::right, Verdict::wrong, Verdict::right, Verdict::right, Verdict::wrong, Verdict::unread});
  CHECK(exercise.progress().right == 2);
  CHECK_FALSE(exercise.is_filled(5));
  CHECK(exercise.finding() ==
        "The first wrong write is number 2 of 5: tags at position 4 = 2. 8 cells are still to be written.");
  const auto attempts = exercise.attempts();
  REQUIRE(attempts.size() == 5);
  CHECK(attempts[1].hinted);
  CHECK_FALSE(attempts[2].hinted);
  // A shown cell takes no more writes.
  CHECK(exercise.reveal(7));
  CHECK_FALSE(exercise.reveal(7));
  CHECK_FALSE(exercise.reveal(99));
  CHECK(exercise.perform({{7, "2", 7, false}}) == std::vector{Verdict::filled});
  CHECK(exercise.is_revealed(7));
  CHECK(
      exercise.thread_task(4) ==
      "Thread 4 writes tags at position 4. Update tags: left of the pivot to the left child, right of it to the right "
      "child.");
  CHECK(exercise.hint(4).starts_with("tags at position 4 held node 0 before. Its segment is positions 0 to 9."));
  CHECK(exercise.hint(4).find("pivot there is position 6.") != std::string::npos);
}

TEST_CASE("right values in the wrong order are named so, wrong values are not") {
  const auto trace = test::record_run("wehr", "sixteen", {{"base", "4"}, {"tpb", "4"}});
  const std::string path = "level 0 / parallel radix sort / pass 0 / distribution";
  KernelExercise exercise = exercise_at(trace, path);
  const std::size_t first = *exercise.find("I'", 0), second = *exercise.find("I'", 1);
  exercise.perform({{first, exercise.model_answer(second), 0, false}});
  CHECK(exercise.finding().find("I' at position 0 = " + exercise.model_answer(second) +
                                ", a value that belongs elsewhere in the row, so the order is wrong.") !=
        std::string::npos);
  KernelExercise other = exercise_at(trace, path);
  other.perform({{first, "77", 0, false}});
  CHECK(other.finding().find("the order is wrong") == std::string::npos);
}

TEST_CASE("points have their names in answers, hints and findings, and are typed with or without the letter") {
  const auto trace = test::record_run("wehr", "sixteen", {{"base", "4"}, {"tpb", "4"}});
  KernelExercise exercise = exercise_at(trace, "level 0 / parallel radix sort / pass 0 / distribution");
  const std::size_t cell = *exercise.find("I'", 0);
  const std::string name = exercise.model_answer(cell);
  REQUIRE(name.starts_with("p"));
  CHECK(exercise.enter(cell, "77") == Verdict::wrong);
  CHECK(exercise.finding().find("I' at position 0 = p77.") != std::string::npos);
  CHECK(exercise.enter(cell, "p") == Verdict::unread);
  CHECK(exercise.enter(cell, name.substr(1)) == Verdict::right);
  CHECK(exercise.shown(cell) == name);
  CHECK(exercise.enter(*exercise.find("I'", 1), exercise.model_answer(*exercise.find("I'", 1))) == Verdict::right);
}

TEST_CASE("the model answer of every step of every builder grades as right when it is performed") {
  std::size_t performed = 0;
  for (const AlgorithmSpec& algorithm : algorithms()) {
    const auto trace = test::small_run(algorithm, 3, 14);
    for (const std::uint32_t step : kernel_steps(trace, 1)) {
      auto exercise = KernelExercise::at(trace, step);
      REQUIRE(exercise);
      std::vector<KernelWrite> writes;
      for (std::size_t i = 0; i < exercise->cells().size(); ++i) {
        writes.push_back({i, exercise->model_answer(i), 0, false});
        CHECK_FALSE(exercise->thread_task(i).empty());
        CHECK_FALSE(exercise->hint(i).empty());
      }
      const auto verdicts = exercise->perform(writes);
      INFO(algorithm.id << ", " << path_text(trace->steps[step]));
      CHECK(std::count(verdicts.begin(), verdicts.end(), Verdict::right) == static_cast<std::ptrdiff_t>(writes.size()));
      CHECK(exercise->finding() == "Right: " + std::to_string(writes.size()) +
                                       (writes.size() == 1 ? " cell" : " cells") + ", no wrong write.");
      ++performed;
    }
  }
  CHECK(performed > 50);
}

TEST_CASE("one thread performs the cells of its index") {
  const auto trace = test::record_run("wald", "wald-10");
  KernelExercise exercise = exercise_at(trace, "level 0 / update tags", {7, {}});
  REQUIRE(exercise.cells().size() == 1);
  CHECK(exercise.task().starts_with("Perform the step \"level 0 / update tags\" for thread 7: fill in 1 cell."));
  CHECK(exercise.enter("tags", 7, "2") == Verdict::right);
  CHECK(exercise.progress().complete());
  const auto update = steps_matching(*trace, "level 0 / update tags").front();
  CHECK(refusal(trace, update, {10, {}}).find("writes nothing that can be filled in") != std::string::npos);
}

TEST_CASE("steps without an exercise are refused with a reason") {
  const auto trace = test::record_run("wald", "wald-10");
  CHECK(refusal(trace, 0).find("the first step starts from nothing") != std::string::npos);
  CHECK(refusal(trace, 10).find("there is no such step; the steps are 1 to 9") != std::string::npos);
  CHECK(refusal(trace, 9).find("writes nothing that can be filled in") != std::string::npos);
  CHECK(refusal(std::make_shared<Trace>(), 1).find("there is no such step") != std::string::npos);
  const auto large = test::record_run("wald", "uniform:n=3000,dim=2");
  const auto update = steps_matching(*large, "level 0 / update tags").front();
  CHECK(refusal(large, update).find("writes 3000 cells, of which at most 2000") != std::string::npos);
  CHECK(KernelExercise::at(large, update, {17, {}}));
  const auto search = test::record_run("wald", "wald-10", {}, {{"query", "16,21"}});
  CHECK(refusal(search, 1).find("ask for the next node") != std::string::npos);
}

TEST_CASE("the histograms and the scatter of a radix sort are performed") {
  const auto trace = test::record_run("wehr", "sixteen", {{"base", "4"}, {"tpb", "4"}});
  KernelExercise count = exercise_at(trace, "level 0 / parallel radix sort / pass 0 / histogram creation");
  std::set<std::string> rows;
  for (const KernelCell& cell : count.cells()) rows.insert(cell.row);
  CHECK(rows == std::set<std::string>{"block", "digit", "h"});
  // Cells of the histogram are named by what they count: those of the model behind the histogram pane.
  Cursor cursor(trace);
  cursor.seek(count.step());
  const auto array = CountArray::at(cursor, "h");
  REQUIRE(array);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < count.cells().size(); ++i) {
    if (count.cells()[i].array != "h") continue;
    const CountCell cell = array->cell(count.cells()[i].index);
    std::string place = count.cells()[i].place;
    for (const auto& [name, index] : {std::pair{array->layers().name, cell.layer},
                                      {array->rows().name, cell.row},
                                      {array->columns().name, cell.column}})
      CHECK((place + ",").find(name + " " + std::to_string(index) + ",") != std::string::npos);
    ++compared;
  }
  CHECK(compared == array->size());
  KernelExercise scatter = exercise_at(trace, "level 0 / parallel radix sort / pass 0 / distribution");
  CHECK(scatter.find("I'", 15));
  CHECK(scatter.enter("T", 0, "12") == Verdict::right);
}

TEST_CASE("bit masks are entered in any base") {
  const auto trace = test::record_run("zhou-sah", "zhou-8");
  KernelExercise exercise = exercise_at(trace, "level 0 / small nodes / split small nodes");
  const auto set = exercise.find("set", 1);
  REQUIRE(set);
  CHECK(exercise.enter(*set, "0b10110110") == Verdict::wrong);
  CHECK(exercise.enter(*set, "0b10110111") == Verdict::right);
  CHECK(exercise.enter("set", 2, "0x48") == Verdict::right);
}

TEST_CASE("numbers that are not whole are right within rounding") {
  const auto trace = test::record_run("hu", "uniform:n=12,dim=2,seed=3", {{"leaf_size", "2"}});
  KernelExercise exercise = exercise_at(trace, "level 0 / bounding boxes");
  const auto cell = exercise.find("aabbMin.x", 1);
  REQUIRE(cell);
  const double value = std::stod(exercise.model_answer(*cell));
  CHECK(exercise.enter(*cell, std::to_string(value * 1.01)) == Verdict::wrong);
  CHECK(exercise.enter(*cell, "x") == Verdict::unread);
  CHECK(exercise.enter(*cell, std::to_string(value * 1.000001)) == Verdict::right);
}

TEST_CASE("every step of every builder can be performed, and the trace's own tables are the model answer") {
  std::size_t exercises = 0, cells = 0;
  for (const AlgorithmSpec& algorithm : algorithms())
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const auto trace = test::small_run(algorithm, seed, 20);
      std::size_t of_run = 0;
      Cursor before(trace), after(trace);
      for (std::uint32_t step = 1; step < trace->steps.size(); ++step) {
        auto exercise = KernelExercise::at(trace, step);
        INFO(algorithm.id << " on " << trace->header.data_set << ", " << path_text(trace->steps[step]));
        if (!exercise) {
          CHECK_FALSE(exercise.error().what.empty());
          continue;
        }
        before.seek(step - 1);
        after.seek(step);
        ++of_run;
        // Enter the cells in a random order, every third one wrongly at first.
        std::vector<std::size_t> order(exercise->cells().size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[mix64(seed * 1000 + i) % i]);
        std::size_t wrong = 0;
        for (const std::size_t i : order) {
          const KernelCell cell = exercise->cells()[i];
          const RowReader now(after, cell.array, cell.component), then(before, cell.array, cell.component);
          REQUIRE(exercise->find(cell.array, cell.component, cell.index) == i);
          REQUIRE(cell.before == (then.is_missing(cell.index) ? ""
                                                              : value_name(trace->find(cell.array)->info.value_space,
                                                                           then.short_text(cell.index))));
          if (i % 3 == 0) {
            const double other = now.number(cell.index) + 1;
            REQUIRE(exercise->enter(i, now.whole() ? std::to_string(static_cast<std::uint64_t>(other)) : "1e300") ==
                    Verdict::wrong);
            ++wrong;
          }
          REQUIRE(exercise->enter(i, now.text(cell.index)) == Verdict::right);
          ++cells;
        }
        const auto progress = exercise->progress();
        CHECK(progress.complete());
        CHECK(progress.right == order.size());
        CHECK(progress.wrong_entries == wrong);
        CHECK(exercise->attempts().size() == order.size() + wrong);
      }
      exercises += of_run;
      if (trace->header.n > 4 || algorithm.takes_triangles) CHECK(of_run > 0);
    }
  CHECK(exercises > 500);
  CHECK(cells > 10'000);
}

TEST_CASE("an exercise is repeated with fresh points") {
  const auto trace = test::record_run("wald", "wald-10");
  const auto fresh = test::record_run("wald", fresh_data(*trace, 3));
  const KernelExercise one = exercise_at(trace, "level 1 / update tags"),
                       other = exercise_at(fresh, "level 1 / update tags");
  CHECK(one.cells().size() == other.cells().size());
  CHECK(kernel_steps(trace) == kernel_steps(fresh));
}

TEST_CASE("a trace with any values gives questions and exercises, or none") {
  std::size_t questions = 0, exercises = 0;
  for (const AlgorithmSpec& algorithm : algorithms())
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      // Damage a share of all stored elements, as a wrong builder could.
      auto damaged = std::make_shared<Trace>(*test::small_run(algorithm, seed, 12));
      std::uint64_t state = seed;
      for (Trace::Array& array : damaged->arrays)
        for (ArrayVersion& version : array.versions)
          for (std::byte& byte : version.values.bytes())
            if ((state = mix64(state + 1)) % 20 == 0) byte = static_cast<std::byte>(state >> 32 & 0xff);
      for (std::uint32_t step = 0; step < damaged->steps.size(); ++step) {
        for (const GeneratedQuestion& question : generated_questions(damaged, step, seed)) {
          CHECK(question.question.expects);
          ++questions;
        }
        auto exercise = KernelExercise::at(damaged, step);
        if (!exercise) continue;
        ++exercises;
        while (exercise->next_blank()) exercise->reveal_next();
        CHECK(exercise->progress().complete());
      }
      CHECK_FALSE(fresh_data(*damaged, seed).empty());
    }
  CHECK(questions > 100);
  CHECK(exercises > 100);
}

}  // namespace kdscope::kernel_exercise_test
