// Tests the session's rules, without a window.

#include <fstream>

#include "algorithms/registry/source_regions.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "app/command_line/command_line.hpp"
#include "app/recording/navigation.hpp"
#include "app/recording/run.hpp"
#include "app/select/selection.hpp"
#include "datasets/data_form.hpp"
#include "tests/app/broken_trace.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/point_algorithms.hpp"
#include "tests/support/temporary_folder.hpp"
#include "visualizer/model/step_heading.hpp"

namespace kdscope::session_test {

namespace {

std::shared_ptr<const Trace> small_trace() {
  TraceBuilder builder({});
  const auto declare = [&](const char* name, Space index, Space value) {
    builder.declare({name, "", ElementType::uint32, index, value});
  };
  declare("index", Space::position, Space::point);
  declare(partition_arrays::node_of_point, Space::point, Space::node);
  const auto step = [&](std::vector<std::string> path, int level) {
    Step s;
    s.name = path.back();
    s.path = std::move(path);
    s.level = level;
    builder.begin_step(std::move(s));
  };
  step({"build", "start"}, -1);
  builder.write("index", TypedArray::of(std::vector<std::uint32_t>{0, 1, 2, 3}));
  builder.write(partition_arrays::node_of_point, TypedArray::of(std::vector<std::uint32_t>{0, 0, 0, 0}));
  step({"build", "level 0", "sort"}, 0);
  builder.write("index", TypedArray::of(std::vector<std::uint32_t>{3, 1, 0, 2}));
  step({"build", "level 0", "update tags"}, 0);
  builder.write(partition_arrays::node_of_point, TypedArray::of(std::vector<std::uint32_t>{0, 1, 2, 1}));
  step({"build", "level 1", "sort"}, 1);
  return builder.finish();
}

Result<CommandLine> parse(std::vector<std::string> arguments) { return parse_command_line(arguments); }

}  // namespace

TEST_CASE("the heading of a step is a sentence with its level") {
  Step step;
  step.name = "sort";
  CHECK(step_heading(step) == "Sort");
  step.level = 1;
  CHECK(step_heading(step) == "Level 1: sort");
  step.title = "Sort by tag, then by y";
  CHECK(step_heading(step) == "Level 1: sort by tag, then by y");
  step.title = "Update tags: left of the pivot to the left child";
  CHECK(step_heading(step) == "Level 1: update tags \u2013 left of the pivot to the left child");
  step.title = "T comes first";  // a name
  CHECK(step_heading(step) == "Level 1: T comes first");
  step.level = -1;
  step.title = "All nodes: 10";
  CHECK(step_heading(step) == "All nodes: 10");
}

TEST_CASE("levels and phases of a trace") {
  const auto trace = small_trace();
  CHECK(level_starts(*trace) == std::vector<std::uint32_t>{0, 1, 3});
  CHECK(next_level(*trace, 0) == 1);
  CHECK(next_level(*trace, 2) == 3);
  CHECK(next_level(*trace, 3) == 3);
  CHECK(previous_level(*trace, 3) == 1);
  CHECK(previous_level(*trace, 2) == 1);
  CHECK(previous_level(*trace, 1) == 0);
  CHECK(previous_level(*trace, 0) == 0);

  const auto phases = phase_tree(*trace);
  REQUIRE(phases.size() == 1);
  CHECK(phases[0].name == "build");
  CHECK(phases[0].first == 0);
  CHECK(phases[0].last == 3);
  REQUIRE(phases[0].children.size() == 3);
  CHECK(phases[0].children[0].is_step);
  CHECK(phases[0].children[1].name == "level 0");
  REQUIRE(phases[0].children[1].children.size() == 2);
  CHECK(phases[0].children[1].children[1].first == 2);
}

TEST_CASE("a selection is seen in every space and follows its point") {
  Cursor cursor(small_trace());
  cursor.seek(2);
  const LinkedSelection position = resolve_selection(cursor, {Space::position, 0});
  CHECK(position.points == std::vector<std::uint32_t>{3});
  CHECK(position.nodes == std::vector<std::uint32_t>{1});
  const LinkedSelection point = resolve_selection(cursor, {Space::point, 3});
  CHECK(point.positions == std::vector<IndexRange>{{0, 1}});
  const LinkedSelection node = resolve_selection(cursor, {Space::node, 1});
  CHECK(node.points == std::vector<std::uint32_t>{1, 3});
  CHECK(node.positions == std::vector<IndexRange>{{0, 2}});
  CHECK(resolve_selection(cursor, {}).points.empty());
  CHECK(resolve_selection(cursor, {Space::position, 99}).points.empty());

  const Selection pinned = persist_as_point(cursor, {Space::position, 0});
  CHECK(pinned == Selection{Space::point, 3});
  cursor.seek(0);
  CHECK(resolve_selection(cursor, pinned).positions == std::vector<IndexRange>{{3, 4}});
}

TEST_CASE("data specifications survive the form") {
  for (const DataSource& source : data_sources()) {
    INFO(source.id);
    CHECK(specification_of(parse_data_form(source.id)) == source.id);
    DataForm form{source.id, {}, ""};
    for (const DataParameter& parameter : source.parameters)
      form.parameters[parameter.name] =
          parameter.choices.empty() ? std::to_string(parameter.max) : parameter.choices.back();
    const DataForm again = parse_data_form(specification_of(form));
    for (const auto& [name, value] : again.parameters) CHECK(form.parameters.at(name) == value);
    CHECK(specification_of(again) == specification_of(form));
  }
  CHECK(parse_data_form("/tmp/points:1.csv").file == "/tmp/points:1.csv");
  const DataForm file = parse_data_form("a/b.csv:columns=x,y z,2,type=float,shift=auto");
  CHECK(file.source.empty());
  CHECK(file.file == "a/b.csv");
  CHECK(file.parameters.at("columns") == "x,y z,2");
  CHECK(file.parameters.at("type") == "float");
  CHECK(file.parameters.at("missing") == "refuse");
  CHECK(specification_of(file) == "a/b.csv:columns=x,y z,2,type=float,shift=auto");
  // What cannot be read stays where a person sees it, and where the reader refuses it.
  for (const char* wrong : {"b.csv:type=double", "b.csv:colums=x", "b.csv:scale=", "b.csv:type=int,type=int"})
    CHECK(parse_data_form(wrong).file == wrong);
  CHECK(specification_of(parse_data_form("my,points=2.csv")) == "my,points=2.csv");
}

TEST_CASE("the command line") {
  const auto line = parse({"bunny", "--step", "12", "--theme=dark", "--text-scale", "150%", "--size", "1920x1080",
                           "--backend", "cpu"})
                        .value();
  CHECK(line.open == "bunny");
  CHECK(line.step == 12u);
  CHECK(line.theme == "dark");
  CHECK(line.text_scale == 150);
  CHECK(line.width == 1920);
  CHECK(line.height == 1080);
  CHECK(line.backend == Backend::cpu);
  CHECK_FALSE(line.equal_scales);
  CHECK(parse({"--scales", "fill"})->equal_scales == false);
  CHECK(parse({"--scales=equal"})->equal_scales == true);
  CHECK(parse({})->open.empty());
  CHECK_FALSE(parse({})->fresh);
  CHECK(parse({"s.kdsession", "--layout", "debug", "--fresh"})->layout == "debug");
  CHECK(parse({"--fresh", "s.kdsession"})->open == "s.kdsession");
  CHECK(parse({"--device", "lab", "--data", "wald-10"})->device == "lab");
  const auto run = parse({"wald-10", "--algorithm", "hu", "--param", "leaf_size=2", "--param", "chunk=64"});
  CHECK(run->algorithm == "hu");
  CHECK((run->parameters == Parameters{{"leaf_size", "2"}, {"chunk", "64"}}));
  const std::vector<std::vector<std::string>> wrong = {{"--nonsense"},
                                                       {"--step"},
                                                       {"--step", "-1"},
                                                       {"--step", "x"},
                                                       {"--theme", "pink"},
                                                       {"--layout", "chaos"},
                                                       {"--scales", "log"},
                                                       {"--text-scale", "79"},
                                                       {"--text-scale", "301"},
                                                       {"--size", "1920"},
                                                       {"--size", "10x10"},
                                                       {"--size", "1920xabc"},
                                                       {"--backend", "tpu"},
                                                       {"a", "b"},
                                                       {"a", "--lesson", "b"},
                                                       {"--render", "a", "--screenshot", "b"},
                                                       {"--render", "a", "--device", "b"},
                                                       {"--in-process", "--device", "b"},
                                                       {"--algorithm", "hu"},
                                                       {"--data", "wald-10", "--param", "leaf_size=2"},
                                                       {"a", "--algorithm", "hu", "--param", "leaf_size"},
                                                       {"--lesson", "b", "--algorithm", "hu"},
                                                       {"s.kdtrace", "--algorithm", "hu"},
                                                       {"--lesson="}};
  for (const auto& arguments : wrong) {
    INFO(arguments.front());
    const auto failed = parse(arguments);
    REQUIRE_FALSE(failed);
    CHECK(failed.error().kind == ErrorKind::bad_usage);
    CHECK(failed.error().message().size() > 20);
  }
}

TEST_CASE("a failed run names what can be done") {
  DeviceReport gpu, no_gpu;
  gpu.devices.resize(2);
  gpu.devices[0].backend = Backend::cuda;
  gpu.devices[1].backend = Backend::cpu;
  no_gpu.devices = {gpu.devices[1]};
  const auto offer = [](ErrorKind kind, const RunRequest& run, const DeviceReport& devices) {
    return offer_for({kind, "", "", ""}, run, devices);
  };
  RunRequest cuda{"wald-10", "wald", {}, Backend::cuda};
  RunRequest automatic = cuda, cpu = cuda;
  automatic.backend = Backend::automatic;
  cpu.backend = Backend::cpu;
  CHECK(offer(ErrorKind::no_device, cuda, no_gpu) == Offer::run_on_cpu);
  for (const RunRequest& run : {cuda, automatic}) {
    CHECK(offer(ErrorKind::device_failure, run, gpu) == Offer::run_on_cpu);
    CHECK(offer(ErrorKind::out_of_memory, run, gpu) == Offer::run_on_cpu);
    CHECK(offer(ErrorKind::over_budget, run, gpu) == Offer::record_thinned);
    CHECK(offer(ErrorKind::bad_input, run, gpu) == Offer::none);
    CHECK(offer_for({ErrorKind::device_failure, "", "", ""}, run, gpu, true) == Offer::run_here);
    CHECK(offer_for({ErrorKind::out_of_memory, "", "", ""}, run, gpu, true) == Offer::run_on_cpu);
  }
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("a.csv")) << "1,2\n";
  RunRequest of_file{folder.file("a.csv") + ":type=int", "wald", {}, Backend::cpu};
  CHECK(offer(ErrorKind::bad_input, of_file, no_gpu) == Offer::read_otherwise);
  CHECK(offer(ErrorKind::io_failure, of_file, no_gpu) == Offer::none);
  of_file.data = folder.file("absent.csv");
  CHECK(offer(ErrorKind::bad_input, of_file, no_gpu) == Offer::none);
  // If the run was already on the CPU, the CPU is not offered.
  CHECK(offer(ErrorKind::device_failure, automatic, no_gpu) == Offer::none);
  CHECK(offer(ErrorKind::device_failure, cpu, gpu) == Offer::none);
  for (RunRequest run : {automatic, cpu}) {
    const DeviceReport& devices = run.backend == Backend::cpu ? gpu : no_gpu;
    CHECK(offer(ErrorKind::out_of_memory, run, devices) == Offer::record_thinned);
    CHECK(offer(ErrorKind::over_budget, run, devices) == Offer::record_thinned);
    run.thin = true;
    CHECK(offer(ErrorKind::out_of_memory, run, devices) == Offer::none);
    CHECK(offer(ErrorKind::over_budget, run, devices) == Offer::none);
  }
  // A recording that was rejected for its budget, with the registry's message.
  const auto refused = record({{}, {}, {}, Backend::cpu, false, *open_data_set("uniform:n=5000,dim=3"), 1000});
  REQUIRE_FALSE(refused);
  CHECK(offer_for(refused.error(), automatic, gpu) == Offer::record_thinned);
  CHECK(refused.error().message().starts_with("recording 5,000 points takes about "));
  CHECK(refused.error().message().find(" of memory, its budget is 1 MiB (") != std::string::npos);
  CHECK(refused.error().message().ends_with(
      "; raise the budget, record only the last step of each level, or use fewer points."));
  // The user may try it anyway with more memory, if there is more.
  constexpr std::uint64_t gibi = 1ull << 30;
  RunRequest small = automatic;
  small.trace_budget_bytes = 1000;
  CHECK(raised_budget(refused.error(), small, 5 * gibi + 7) == 5 * gibi);
  CHECK(raised_budget(refused.error(), small, gibi / 2) == gibi / 2);
  CHECK(raised_budget(refused.error(), small, 1000) == 0);
  CHECK(raised_budget(refused.error(), automatic, default_trace_budget()) == 0);
  CHECK(raised_budget({ErrorKind::bad_input, "", "", ""}, small, 5 * gibi) == 0);
}

TEST_CASE("recording and timing build the same tree, and a stop is heard") {
  const RunRequest run{"uniform:n=500,dim=3", "brown", {}, Backend::cpu};
  const auto recording = record_run(run).value();
  const auto timed = time_run(run, 3).value();
  CHECK(timed.build_ms.size() == 3);
  CHECK(timed.tree_hash == recording.trace->header.tree_hash);
  CHECK_FALSE(timed.step_times.empty());

  std::stop_source stop;
  stop.request_stop();
  RunControl control;
  control.stop = stop.get_token();
  const auto cancelled = record_run(run, control);
  REQUIRE_FALSE(cancelled);
  CHECK(cancelled.error().kind == ErrorKind::cancelled);
  CHECK(record_run({"no-such-data", run.algorithm, {}}).error().kind == ErrorKind::bad_input);
  CHECK_FALSE(record_run({"wald-10", "no-such-algorithm", {}}));
  CHECK_FALSE(open_trace("/nonexistent.kdtrace"));
}

TEST_CASE("points that come without an algorithm are run by the usual one, or by one that takes them") {
  const auto usual = record_run({"wald-10", "", {}, Backend::cpu}).value();
  CHECK(usual.run.algorithm == "wald");
  CHECK(usual.trace->header.algorithm == usual.run.algorithm);
  const std::uint32_t wide = find_algorithm(usual.run.algorithm)->max_dim + 1;
  const auto other = record_run({"uniform:n=10,dim=" + std::to_string(wide), "", {}, Backend::cpu}).value();
  CHECK(find_algorithm(other.run.algorithm)->max_dim >= wide);
  const auto refused = record_run({"uniform:n=2,dim=5000", "", {}, Backend::cpu});
  CHECK_FALSE(refused);
}

TEST_CASE("the source of every step of every algorithm is in this build") {
  for (const AlgorithmSpec& algorithm : algorithms()) {
    for (const ParameterSpec& parameter : algorithm.parameters)
      for (const Choice& choice : parameter.choices) {
        const auto recording =
            record_run({"wald-10", algorithm.id, test::parameters_with(parameter, choice), Backend::cpu}).value();
        for (const Step& step : recording.trace->steps) {
          INFO(path_text(step) << " " << step.code_anchor);
          const SourceRegion* region = find_source_region(step.code_anchor);
          REQUIRE(region != nullptr);
          CHECK(region->text.size() > 40);
          CHECK(region->first_line > 1);
        }
      }
  }
  CHECK(find_source_region("no/such") == nullptr);
}

TRACE_CASE("two traces of the same data are opened at the first step that differs") {
  const test::TemporaryFolder folder;
  const auto save = [&](const char* name, const Trace& trace) {
    REQUIRE(save_trace(trace, folder.file(name)));
    return folder.file(name);
  };
  const BrokenTrace broken = broken_trace();
  const auto original = record_run({"uniform:n=40,dim=2,seed=3", "wald", {}, Backend::cpu}).value();
  const std::string a = save("wrong.kdtrace", *broken.trace), b = save("original.kdtrace", *original.trace);

  const auto opened = open_traces(a, b).value();
  CHECK(opened.trace_file == a);
  CHECK(opened.other.name == "original.kdtrace");
  CHECK(opened.first_difference == broken.step);
  const auto same = open_traces(b, b).value();
  CHECK_FALSE(same.first_difference);

  const auto six = record_run({"wald-6", "wald", {}, Backend::cpu}).value();
  const auto refused = open_traces(a, save("six.kdtrace", *six.trace));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().where == folder.file("six.kdtrace"));
  CHECK(refused.error().message().find("other data") != std::string::npos);
  CHECK(open_traces(a, folder.file("none.kdtrace")).error().where == folder.file("none.kdtrace"));
}

TEST_CASE("the command line compares two trace files, and nothing else") {
  CHECK(parse({"a.kdtrace", "b.kdtrace"})->other == "b.kdtrace");
  CHECK(parse({"a.kdtrace"})->other.empty());
  for (const auto& words : {std::vector<std::string>{"bunny", "b.kdtrace"}, {"a.kdtrace", "bunny"}}) {
    const auto refused = parse(words);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message().find("name two trace files") != std::string::npos);
  }
}

}  // namespace kdscope::session_test
