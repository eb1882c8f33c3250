// Tests that every launch and every copy of every builder belongs to a step, so that the times of the steps add up to
// the build's time.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algorithms/exec/sequential_exec.hpp"
#include "algorithms/registry/run_on.hpp"
#include "constructions.hpp"
#include "tests/builders/runs.hpp"
#include "tests/builders/triangle_soups.hpp"
#include "tests/builders/ways_to_build.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::launches_in_steps_test {

namespace {

/// Returns parameters with which a builder takes all of its steps on few points.
std::vector<Parameters> ways_in_steps(const AlgorithmSpec& spec) {
  std::vector<Parameters> all = test::ways_to_build(spec);
  for (const ParameterSpec& parameter : spec.parameters) {
    // Few points take all steps if blocks finish small subtrees
    if (parameter.name == "subtree") all.push_back({{parameter.name, std::to_string(parameter.min)}});
    // Large nodes down to few primitives make more nodes than there was room for at first
    if (parameter.name == "small") all.push_back({{parameter.name, std::to_string(parameter.min)}});
    if (parameter.name == "parts") all.push_back({{parameter.name, "2"}});
  }
  return all;
}

/// A back end that counts the copies of builders, in steps and outside of them.
class CountingExec : public SequentialExec {
 public:
  using SequentialExec::SequentialExec;
  // All members of a group share them
  static inline bool open = false;  ///< whether a step is
  static inline std::size_t inside = 0;
  static inline std::vector<std::string> outside;

  template <class T>
  Array<T, CountingExec> array(const char* name, std::size_t n, Allocation allocation = Allocation::state) {
    return {*this, name, n, allocation};
  }
  void open_range(const char*) { open = true; }
  void close_range() { open = false; }
  template <class T>
  void upload(T* to, std::span<const T> from) {
    count("upload"), SequentialExec::upload(to, from);
  }
  template <class T>
  void download(std::span<T> to, const T* from) {
    count("download"), SequentialExec::download(to, from);
  }
  template <class T>
  void copy(T* to, const T* from, std::size_t n) {
    if (n > 0) count("copy");  // an array that grows before it holds anything copies nothing
    SequentialExec::copy(to, from, n);
  }

 private:
  static void count(const char* what) {
    if (open)
      ++inside;
    else
      outside.emplace_back(what);
  }
};

template <class Construction, class Machine>
void build_stepped(Machine& machine, const DataSet& data, const typename Construction::Options& options) {
  auto there = Construction::upload(machine, data);
  TimingRecorder<Machine> recorder(machine);
  CountingExec::outside.clear(), CountingExec::inside = 0;
  const auto tree = Construction::build(machine, std::move(there), options, recorder);
}

}  // namespace

TEST_CASE("every copy of every builder lies in a step") {
  std::size_t copies = 0;
  for_each_construction([&]<class Construction>(const char* id) {
    const AlgorithmSpec& spec = *find_algorithm(id);
    const auto data =
        spec.takes_triangles ? test::triangle_soup(test::Soup::spread, 300) : test::data("uniform:n=300,dim=3");
    for (const Parameters& parameters : ways_in_steps(spec)) {
      INFO(id << (parameters.empty() ? "" : " " + parameters.begin()->first + "=" + parameters.begin()->second));
      const auto resolved = resolved_options(id, parameters, data->points, cpu_device());
      if (parameters.empty()) REQUIRE(resolved);
      if (!resolved) continue;  // the choice needs a value of another parameter
      const auto& options = resolved->as<typename Construction::Options>();
      if constexpr (requires { Construction::in_parts; }) {
        DeviceGroup<CountingExec> group(options.parts, [](std::uint32_t) { return std::make_unique<CountingExec>(); });
        build_stepped<Construction>(group, *data, options);
      } else {
        CountingExec exec;
        build_stepped<Construction>(exec, *data, options);
      }
      CHECK(CountingExec::outside == std::vector<std::string>());
      copies += CountingExec::inside;
    }
  });
  CHECK(copies > 20);
}

TEST_CASE("every launch of every builder lies in a step") {
  std::size_t ways_seen = 0;
  for (const AlgorithmSpec& spec : algorithms()) {
    const auto data =
        spec.takes_triangles ? test::triangle_soup(test::Soup::spread, 300) : test::data("uniform:n=300,dim=3");
    for (const Parameters& parameters : ways_in_steps(spec)) {
      INFO(spec.id << (parameters.empty() ? "" : " " + parameters.begin()->first + "=" + parameters.begin()->second));
      RunRequest request{{}, spec.id, parameters, Backend::cpu, false, data};
      request.time_steps = true;
      request.repeat = 0;
      const auto built = build(request);
      if (parameters.empty() || parameters.contains("parts")) REQUIRE(built);
      if (!built) continue;  // the choice needs a value of another parameter
      std::uint64_t inside = 0;
      for (const StepTime& step : built->step_times) inside += step.launches;
      CHECK(inside == built->stepped_launches);
      ways_seen += inside > 3;
      if (parameters.empty() || parameters.contains("parts")) CHECK(inside > 3);
    }
  }
  CHECK(ways_seen > 20);
}

}  // namespace kdscope::launches_in_steps_test
