// Tests the file that keeps measured runs: what is written is read, and files of earlier versions open.

#include "app/measure/kept_file.hpp"

#include "app/measure/kept_table.hpp"
#include "tests/measure/kept_runs.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace kdscope::kept_file_test {
using namespace kdscope::test;

namespace {

const std::string earlier_json = KDSCOPE_SOURCE_DIR "/tests/measure/bench-1.json";
const std::string earlier_table = KDSCOPE_SOURCE_DIR "/tests/measure/my-sweep.results.csv";

}  // namespace

TEST_CASE("the file of one run that earlier versions of bench wrote opens") {
  const auto runs = read_runs(earlier_json).value();
  REQUIRE(runs.size() == 1);
  const MeasuredRun& run = runs.front();
  CHECK(run.commit == std::string(40, '1'));
  CHECK(run.date == "2026-05-01T10:00:00Z");
  CHECK(run.time_limit_s == 60);
  CHECK(run.options.size() == 24);
  REQUIRE(run.tables.size() == 1);
  const MeasuredTable& table = run.tables.front();
  CHECK(table.device == "2 threads of Example CPU");
  CHECK(table.copy_gigabytes == 18.005578510269387);
  REQUIRE(table.rows.size() == 3);
  const MeasuredRow& build = table.rows[0];
  CHECK(build.what.kind == WorkKind::build);
  CHECK(build.what.title() == "wald on uniform:n=300 with processors=1");  // which the options give
  CHECK(build.n == 300);
  CHECK(build.samples.values == std::vector<double>{0.05316, 0.057045, 0.051658});
  CHECK(build.samples.median() == 0.05316);
  CHECK(build.facts.parameters == Parameters{{"sort", "radix"}, {"split", "round-robin"}});
  CHECK(build.facts.hash == 0xdb52d2921296b940);
  CHECK(build.facts.launches == 48);
  const MeasuredRow& search = table.rows[1];
  CHECK(search.what.kind == WorkKind::search);
  CHECK(search.what.name() == "wald, stack, k=4");
  CHECK(search.what.order == "given");
}

TEST_CASE("the table that earlier versions kept beside an experiment file opens") {
  const auto runs = read_runs(earlier_table).value();
  REQUIRE(runs.size() == 2);
  const MeasuredRun& first = runs.front();
  CHECK(first.commit == std::string(40, '1'));
  CHECK(first.date == "2026-05-01T10:00:00Z");
  CHECK(first.options.empty());
  CHECK(newest(runs).commit == std::string(40, '2') + "+changes");
  for (const MeasuredRun& run : runs) {
    REQUIRE(run.tables.size() == 2);  // builds on one thread, and on two
    for (const MeasuredTable& table : run.tables) CHECK(table.rows.size() == 4);
  }
  const MeasuredTable& table = first.tables.back();
  CHECK(table.device == "2 threads of Example CPU");
  CHECK(table.processors == 2);
  const MeasuredRow& row = table.rows.front();
  CHECK(row.what.title() == "wald, sort=radix on uniform:n=50,dim=2 with processors=2");
  CHECK(row.what.given == Parameters{{"sort", "radix"}});
  CHECK(row.distribution == "uniform:n={n},dim=2");
  CHECK(row.n == 50);
  CHECK(row.samples.values.empty());
  CHECK(row.samples.count() == 3);
  CHECK(row.samples.median() == 0.048473);
  CHECK(row.samples.least() == 0.047842);
  CHECK(row.samples.most() == 0.048863);
  CHECK(row.samples.noise() == 0.0005152187237798434);
}

TEST_CASE("runs are read as they were written, and added at the end") {
  const TemporaryFolder folder;
  const std::string file = folder.file("kept.json");
  CHECK(runs_to_add_to(file)->empty());
  MeasuredRun odd = run_of("abc+changes", day_2, row_of({1.0 / 3, 0.1}));
  odd.tables.front().device = "the \"big\", one";
  odd.tables.front().rows.front().facts.hash = ~std::uint64_t(0);
  odd.tables.front().rows.front().what.processors = 2;
  MeasuredRow late = row_of({});
  late.reason = "it takes more than the time limit of 60 s";
  late.over_time = true;
  odd.tables.front().rows.push_back(late);
  const std::vector<MeasuredRun> kept{run_of("abc", day_1, row_of(2, 0.5)), odd};
  REQUIRE(add_runs(file, {kept[0]}));
  REQUIRE(add_runs(file, {kept[1]}));
  CHECK(content_of(file) == json_of(kept));
  const auto read = read_runs(file).value();
  CHECK(json_of(read) == json_of(kept));
  CHECK(read.back().tables.front().rows.front().what == odd.tables.front().rows.front().what);
  CHECK(read.back().tables.front().rows.front().samples.values == std::vector{1.0 / 3, 0.1});
  CHECK(read.back().tables.front().rows.back().over_time);
  CHECK(read.front().tables.front().rows.front().samples.deviation() == 0.5);
  CHECK(newest(read).date == day_2);
  CHECK(newest({kept[1], kept[0]}).date == day_2);
  CHECK(add_runs(folder.file("no/such/folder.json"), kept).error().kind == ErrorKind::io_failure);

  // What earlier versions kept is kept on.
  for (const std::string& earlier : {earlier_json, earlier_table}) {
    const auto old = read_runs(earlier).value();
    const std::string copy = folder.file("copy.json");
    std::filesystem::remove(copy);
    REQUIRE(add_runs(copy, old));
    CHECK(json_of(*read_runs(copy)) == json_of(old));
  }
  put(file, content_of(earlier_json));
  REQUIRE(add_runs(file, kept));
  CHECK(read_runs(file)->size() == 3);
  put(file, content_of(earlier_table));
  CHECK(add_runs(file, kept).error().what == "this table of an earlier version takes no more results");
  CHECK(content_of(file) == content_of(earlier_table));
}

TEST_CASE("a damaged table is refused with its line, and takes no rows") {
  const TemporaryFolder folder;
  const std::string file = folder.file("e.results.csv"), sound = content_of(earlier_table);
  const auto damaged = [&](std::string text, const std::string& from, const std::string& to, const char* line) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    put(file, text.replace(at, from.size(), to));
    const auto read = read_runs(file);
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == ErrorKind::bad_input);
    CHECK(read.error().where == file + line);
    CHECK_FALSE(add_runs(file, {run_of("abc", day_1, row_of(2, 0))}));
    CHECK(content_of(file) == text);
  };
  damaged(sound, "date,commit", "date;commit", "");
  damaged(sound, "date,commit,device", "date,commit,devices", ":1");
  damaged(sound, "2026-05-01T", "2026-05-01 ", ":2");
  damaged(sound, ",cpu,", ",auto,", ":2");
  damaged(sound, "sort=radix", "radix", ":2");
  damaged(sound, ",0.020441,", ",two,", ":2");
  damaged(sound, ",0.027752,", ",nan,", ":3");
  damaged(sound, ",0.027752,", ",0.027752,0.027752,", ":3");
  damaged(sound, ",1,3,", ",-1,3,", ":2");
  damaged(sound, ",1,3,", ",1,0,", ":2");
  damaged(sound, "0x", "", ":2");
  damaged(sound, "2 threads", "2 \"threads", ":2");
  damaged(sound.substr(0, sound.size() - 5), "date", "date", ":17");
  damaged(sound + "\n", "date", "date", ":18");
  for (std::size_t size = 1; size < sound.size(); ++size) {
    const std::string text = sound.substr(0, size);
    if (!is_kept_table(text)) continue;
    const auto read = runs_in_table(text, file);
    if (read) CHECK(text.back() == '\n');
  }
}

}  // namespace kdscope::kept_file_test
