// The search for a parameter's best value: its measurements, its stored results, and its handling of foreign files.

#include "algorithms/registry/tuning.hpp"

#include <stdlib.h>

#include <filesystem>
#include <iterator>
#include <map>

#include "tests/support/catch.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;
using test::content_of;
using test::put;

namespace {

/// A temporary folder that replaces the user's.
struct Folder : test::TemporaryFolder {
  Folder() { ::setenv("KDSCOPE_TUNING", path.c_str(), 1); }
};

const Device device{Backend::cuda, 0, "A \"big\" GPU, 80/2", 0, ""};

TuningReport report(std::vector<TuningRow> rows) { return {device, rows, std::move(rows), {}, ""}; }

/// Returns rows whose best value is 64 at 2,000, 128 at 20,000, and 1024 at 200,000.
std::vector<TuningRow> three_sizes() {
  return {{"wehr", "tpb", 2'000, "32", 2},   {"wehr", "tpb", 2'000, "64", 1.5},   {"wehr", "tpb", 20'000, "64", 4},
          {"wehr", "tpb", 20'000, "128", 3}, {"wehr", "tpb", 200'000, "1024", 7}, {"wehr", "tpb", 200'000, "64", 7.25}};
}

/// Returns a search whose builds take `milliseconds`.
TuningRequest pretended(std::function<Result<double>(std::uint64_t n, const std::string& tpb)> milliseconds) {
  TuningRequest request;
  request.algorithm = "wehr";
  request.backend = Backend::cpu;
  request.sizes = {10, 100};
  request.data = [](std::uint64_t n) -> Result<std::shared_ptr<const DataSet>> {
    auto set = std::make_shared<DataSet>();
    set->points.words.resize(2 * n);
    return std::shared_ptr<const DataSet>(set);
  };
  std::map<std::pair<std::size_t, std::string>, int> builds;
  request.measure = [milliseconds, builds](const RunRequest& run, const RunControl&) mutable -> Result<BuildReport> {
    const auto ms = milliseconds(run.points->points.size(), run.parameters.at("tpb"));
    if (!ms) return ms.error();
    BuildReport built;
    built.build_ms = {builds[{run.points->points.size(), run.parameters.at("tpb")}]++ == 0 ? 1000 : *ms};  // warms up
    return built;
  };
  return request;
}

}  // namespace

TEST_CASE("ten sizes lie evenly between 2,000 and the largest") {
  const auto sizes = tuning_sizes(500'000);
  REQUIRE(sizes.size() == 10);
  CHECK(sizes.front() == 2'000);
  CHECK(sizes.back() == 500'000);
  for (std::size_t i = 1; i < sizes.size(); ++i)
    CHECK(static_cast<double>(sizes[i]) / static_cast<double>(sizes[i - 1]) == Approx(1.847).epsilon(0.06));
  CHECK(tuning_sizes(500) == std::vector<std::uint64_t>{500});
  CHECK(tuning_sizes(2'000) == std::vector<std::uint64_t>{2'000});
  CHECK(tuning_sizes(1'234'567).back() <= 1'234'567);
}

TEST_CASE("a search measures every size with every candidate") {
  const auto candidates = tunable_parameters(*find_algorithm("wehr")).at(0).candidates;
  REQUIRE(candidates.size() >= 2);
  std::vector<double> fractions;
  RunControl control;
  control.progress = [&](double fraction, std::string_view) { fractions.push_back(fraction); };
  std::size_t heard = 0;
  const auto request = pretended([](std::uint64_t n, const std::string& tpb) {
    return Result<double>(std::abs(std::stod(tpb) - (n == 10 ? 96 : 512)) + 1);
  });
  const auto found = search_tuning(
      request, [&](const TuningRow&) { ++heard; }, control);
  REQUIRE(found);
  REQUIRE(found->rows.size() == 2 * candidates.size());
  CHECK(heard == 2 * candidates.size());
  CHECK(found->cut_short.empty());
  CHECK(found->rows[0].median_ms == 65);
  CHECK(best_tuning(found->rows, 10)->value == "96");
  CHECK(best_tuning(found->rows, 31)->value == "96");
  CHECK(best_tuning(found->rows, 32)->value == "512");
  CHECK(best_tuning(found->rows, 1'000'000)->value == "512");
  CHECK(best_tuning(found->rows, 0)->value == "96");
  CHECK(best_tuning({}, 10) == nullptr);
  CHECK(std::is_sorted(fractions.begin(), fractions.end()));
  CHECK(fractions.size() == 2 * candidates.size() * 6);  // one of six rounds warms up; the usual value is a candidate
  CHECK(found->undecided.empty());
  REQUIRE(found->kept.size() == 2);
  CHECK(found->kept[0].value == "96");
  CHECK(found->kept[1].value == "512");
}

TEST_CASE("a drift of the machine's speed chooses no value, and what is not clearly faster is not kept") {
  // Every build is faster than the one before it, whatever the value
  int builds = 0;
  const auto drifting = search_tuning(
      pretended([&](std::uint64_t, const std::string&) { return Result<double>(1000.0 - ++builds); }), nullptr);
  REQUIRE(drifting);
  CHECK(drifting->undecided.size() == 2);
  REQUIRE(drifting->kept.size() == 2);
  CHECK(drifting->kept[0].value == "auto");
  CHECK(drifting->kept[1].value == "auto");

  // Another value is faster by half, but not in every build
  int turn = 0;
  const auto noisy = search_tuning(pretended([&](std::uint64_t, const std::string& tpb) {
                                     return Result<double>(tpb == "128" ? (++turn % 3 == 0 ? 30.0 : 5.0) : 10.0);
                                   }),
                                   nullptr);
  REQUIRE(noisy);
  CHECK(noisy->kept[0].value == "auto");
  CHECK(noisy->undecided.front() == 10);
}

TEST_CASE("a search ends where memory does, when stopped, and with the builder's own error") {
  const auto full =
      search_tuning(pretended([](std::uint64_t n, const std::string&) {
                      return n == 10 ? Result<double>(1.0) : Error{ErrorKind::out_of_memory, "no more", "", ""};
                    }),
                    nullptr);
  REQUIRE(full);
  CHECK(full->rows.size() == tunable_parameters(*find_algorithm("wehr")).at(0).candidates.size());
  CHECK(full->cut_short == "no more.");

  std::stop_source source;
  RunControl control;
  control.stop = source.get_token();
  int builds = 0;
  const auto stopped = search_tuning(pretended([&](std::uint64_t, const std::string&) {
                                       if (++builds == 5) source.request_stop();
                                       return Result<double>(1.0);
                                     }),
                                     nullptr, control);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::cancelled);
  CHECK(builds == 5);  // none begins after the request

  const auto broken = search_tuning(pretended([](std::uint64_t, const std::string&) {
                                      return Result<double>(Error{ErrorKind::device_failure, "gone", "", ""});
                                    }),
                                    nullptr);
  REQUIRE_FALSE(broken);
  CHECK(broken.error().kind == ErrorKind::device_failure);
}

TEST_CASE("searches that cannot be are refused") {
  TuningRequest request = pretended([](std::uint64_t, const std::string&) { return Result<double>(1.0); });
  const auto refused = [&](const char* algorithm, const char* parameter, Parameters fixed = {}) {
    request.algorithm = algorithm;
    request.parameter = parameter;
    request.parameters = std::move(fixed);
    const auto found = search_tuning(request, nullptr);
    return !found && found.error().kind == ErrorKind::bad_usage;
  };
  CHECK(refused("no-such", ""));
  CHECK(refused("wald", ""));
  CHECK(refused("wehr", "f"));
  CHECK(refused("wehr", "tpb", {{"base", "1"}}));
  CHECK_FALSE(refused("wehr", "tpb", {{"base", "8"}}));
}

TEST_CASE("what was found is kept for its device, and says what auto means") {
  const Folder folder;
  CHECK(tuned_value(device, "wehr", "tpb", 2'000).value() == std::nullopt);
  REQUIRE(store_tuning(report(three_sizes())));
  CHECK(tuned_value(device, "wehr", "tpb", 1).value() == "64");
  CHECK(tuned_value(device, "wehr", "tpb", 6'000).value() == "64");
  CHECK(tuned_value(device, "wehr", "tpb", 7'000).value() == "128");
  CHECK(tuned_value(device, "wehr", "tpb", 10'000'000).value() == "1024");
  CHECK(tuned_value(device, "wald", "tpb", 2'000).value() == std::nullopt);
  CHECK(tuned_value(device, "wehr", "base", 2'000).value() == std::nullopt);
  Device other = device;
  other.name = "another";
  CHECK(tuned_value(other, "wehr", "tpb", 2'000).value() == std::nullopt);
  CHECK(stored_tuning(device)->at(1).median_ms == 1.5);

  // Another algorithm's rows are kept, and a new search replaces its own older rows.
  REQUIRE(store_tuning(report({{"other", "tpb", 5, "7", 1}})));
  REQUIRE(store_tuning(report({{"wehr", "tpb", 2'000, "256", 1}})));
  CHECK(stored_tuning(device)->size() == 2);
  CHECK(tuned_value(device, "wehr", "tpb", 200'000).value() == "256");
  // No temporary file is left.
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
  // Where no value is clearly faster, auto stays what it is, and other sizes keep theirs.
  REQUIRE(store_tuning(report({{"wehr", "tpb", 2'000, "auto", 1}, {"wehr", "tpb", 200'000, "256", 1}})));
  CHECK(tuned_value(device, "wehr", "tpb", 3'000).value() == std::nullopt);
  CHECK(tuned_value(device, "wehr", "tpb", 100'000).value() == "256");
  // A value that the builder does not offer is not used.
  REQUIRE(store_tuning(report({{"wehr", "tpb", 2'000, "33", 1}})));
  CHECK(tuned_value(device, "wehr", "tpb", 2'000).value() == std::nullopt);
}

TEST_CASE("a run takes the value that was found, unless another parameter rules it out") {
  const Folder folder;
  auto set = std::make_shared<DataSet>();
  set->points = points_from_rows<float>(1, {3, 1, 2, 5, 4});
  RunRequest request{{}, "wehr", {}, Backend::cpu, false, set};
  const auto tpb = [&] { return build(request).value().parameters.at("tpb"); };
  const std::string before = tpb();
  const std::string other = before == "64" ? "128" : "64";
  TuningReport found;
  found.device = find_devices().devices.back();
  REQUIRE(found.device.backend == Backend::cpu);
  found.kept = {{"wehr", "tpb", 1'000, other, 1}};
  REQUIRE(store_tuning(found));
  CHECK(tpb() == other);
  CHECK(record(request).value()->header.parameters.at("tpb") == other);
  request.parameters = {{"cutoff", "32"}};  // below both
  CHECK(tpb() == "32");
  request.parameters = {{"tpb", before}};
  CHECK(tpb() == before);
  request.parameters = {};
  put(tuning_path(found.device), "damaged");
  CHECK(tpb() == before);
}

TEST_CASE("damaged and foreign files are a sentence, and the next search replaces them") {
  const Folder folder;
  REQUIRE(store_tuning(report(three_sizes())));
  const std::string path = tuning_path(device), good = content_of(path);
  const auto refused = [&](const std::string& text) {
    put(path, text);
    const auto rows = stored_tuning(device);
    const auto value = tuned_value(device, "wehr", "tpb", 2'000);
    return !rows && !value && rows.error().message().find(path) == 0;
  };
  for (std::size_t length = 0; length < good.size(); ++length) {
    INFO(length);
    REQUIRE(refused(good.substr(0, length)));
  }
  CHECK(refused("something else\n"));
  CHECK(refused(good + "more"));
  CHECK(refused(std::string(5 << 20, 'x')));
  std::string changed = good;
  CHECK(refused(changed.replace(changed.find("big"), 3, "old")));
  for (const char* number : {"-1", "nan", "inf", "x", ""}) {
    changed = good;
    CHECK(refused(changed.replace(changed.find(" 1.5\n") + 1, 3, number)));
  }
  // With any byte changed, the result must be rows or an error, never a crash.
  for (std::size_t at = 0; at < good.size(); ++at) {
    changed = good;
    changed[at] = static_cast<char>(changed[at] ^ 0x15);
    put(path, changed);
    (void)tuned_value(device, "wehr", "tpb", 2'000);
  }
  put(path, "something else");
  REQUIRE(store_tuning(report(three_sizes())));
  CHECK(content_of(path) == good);
}

TEST_CASE("a place that cannot be written or read is a sentence") {
  const Folder folder;
  REQUIRE(std::filesystem::create_directories(tuning_path(device)));
  CHECK_FALSE(stored_tuning(device));
  const auto stored = store_tuning(report(three_sizes()));
  REQUIRE_FALSE(stored);
  CHECK(stored.error().kind == ErrorKind::io_failure);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
  ::setenv("KDSCOPE_TUNING", "/dev/null/no", 1);
  CHECK_FALSE(store_tuning(report(three_sizes())));
}

TEST_CASE("the folder follows the environment") {
  ::unsetenv("KDSCOPE_TUNING");
  ::setenv("XDG_CONFIG_HOME", "/config", 1);
  CHECK(tuning_path(device) == "/config/kdscope/tuning/cuda-A__big__GPU__80_2.txt");
  const Folder folder;
  CHECK(tuning_path(device) == folder.path.string() + "/cuda-A__big__GPU__80_2.txt");
}
