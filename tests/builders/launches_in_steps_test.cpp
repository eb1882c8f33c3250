// Tests that every launch of every builder belongs to a step, so that the times of the steps add up to the build's
// time.
#include <algorithm>
#include <set>

#include "algorithms/exec/cpu_exec.hpp"
#include "constructions.hpp"
#include "tests/builders/runs.hpp"
#include "tests/builders/triangle_soups.hpp"
#include "tests/builders/ways_to_build.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

/// The launches of one build, by whether a step was open.
struct Launches {
  bool in_step = false;
  std::size_t inside = 0;
  std::set<std::string> outside;
  void note(const char* name) {
    if (in_step)
      ++inside;
    else
      outside.insert(name);
  }
};

/// The CPU back end, which records each launch.
class NotingExec : public CpuExec {
 public:
  explicit NotingExec(Launches& launches) : launches_(launches) {}
  template <class T>
  Array<T, NotingExec> array(const char* name, std::size_t n, Allocation allocation = Allocation::state) {
    return {*this, name, n, allocation};
  }
  template <class Body>
  void for_each(const char* name, std::uint32_t n, Body body) {
    launches_.note(name);
    CpuExec::for_each(name, n, body);
  }
  template <class Body>
  void for_each_block(const char* name, std::uint32_t blocks, int lanes, std::size_t shared_bytes, Body body) {
    launches_.note(name);
    CpuExec::for_each_block(name, blocks, lanes, shared_bytes, body);
  }
  template <class Body>
  void for_each_warp(const char* name, std::uint32_t warps, std::size_t shared_bytes, Body body) {
    launches_.note(name);
    CpuExec::for_each_warp(name, warps, shared_bytes, body);
  }
  template <class Key, class Value>
  void sort_pairs(const char* name, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values, std::uint32_t n,
                  int key_bits) {
    launches_.note(name);
    CpuExec::sort_pairs(name, keys, values, n, key_bits);
  }
  template <class T, class Less>
  void sort(const char* name, T* data, std::uint32_t n, Less less) {
    launches_.note(name);
    CpuExec::sort(name, data, n, less);
  }
  template <class T, class Map, class Combine>
  T reduce(const char* name, std::uint32_t n, Map map, Combine combine, T identity) {
    launches_.note(name);
    return CpuExec::reduce(name, n, map, combine, identity);
  }
  template <class T>
  void inclusive_sum(const char* name, T* data, std::uint32_t n) {
    launches_.note(name);
    CpuExec::inclusive_sum(name, data, n);
  }
  template <class T, class Map>
  void transform_exclusive_scan(const char* name, std::uint32_t n, Map map, T* out) {
    launches_.note(name);
    CpuExec::transform_exclusive_scan(name, n, map, out);
  }
  template <class T, class Before, class Map, class After>
  void compact_indices(const char* name, std::uint32_t items, Before before, std::uint32_t count, Map map, T* out,
                       After after, T* sum = nullptr) {
    launches_.note(name);
    CpuExec::compact_indices(name, items, before, count, map, out, after, sum);
  }

 private:
  Launches& launches_;
};

/// Opens and closes steps, as TimingRecorder does.
struct NotingRecorder {
  Launches& launches;
  template <class Work, class Show = LabelAlone>
  void step(const StepLabel& label, Work&& work, Show&& = {}) {
    launches.in_step = true;
    do_work(work, label);
    launches.in_step = false;
  }
  template <class T>
  NoProbeRows<T> probe_rows(const char*, std::uint32_t, int) {
    return {};
  }
};

/// Returns the launches of a build with the default parameters of a builder and the given ones.
template <class Construction>
Launches launches_of(const std::string& id, const Parameters& given, bool in_parts) {
  const AlgorithmSpec& spec = *find_algorithm(id);
  const auto data =
      spec.takes_triangles ? test::triangle_soup(test::Soup::spread, 300) : test::data("uniform:n=300,dim=3");
  BuildRequest request{id, data, given, Backend::cpu};
  const auto built = build(request);
  if (!built) return {};  // the choice needs a value of another parameter
  const auto options = options_of<Construction>(built->parameters);
  Launches launches;
  NotingRecorder recorder{launches};
  if constexpr (requires { Construction::in_parts; }) {
    DeviceGroup<NotingExec> group(in_parts ? options.parts : 1,
                                  [&](std::uint32_t) { return std::make_unique<NotingExec>(launches); });
    Construction::build(group, Construction::upload(group, *data), options, recorder);
  } else {
    NotingExec exec(launches);
    Construction::build(exec, Construction::upload(exec, *data), options, recorder);
  }
  return launches;
}

}  // namespace

TEST_CASE("every launch of every builder lies in a step") {
  std::size_t builders_seen = 0, ways_seen = 0;
  for_each_construction([&]<class Construction>(const char* id) {
    ++builders_seen;
    std::vector<Parameters> all = test::ways_to_build(*find_algorithm(id));
    if constexpr (requires { Construction::in_parts; }) all.push_back({{"parts", "2"}});
    // Few points take all steps if blocks finish small subtrees
    for (const ParameterSpec& parameter : find_algorithm(id)->parameters)
      if (parameter.name == "subtree") all.push_back({{parameter.name, std::to_string(parameter.min)}});
    for (const Parameters& parameters : all) {
      INFO(id << (parameters.empty() ? "" : " " + parameters.begin()->first + "=" + parameters.begin()->second));
      const Launches launches = launches_of<Construction>(id, parameters, parameters.contains("parts"));
      CHECK(launches.outside == std::set<std::string>{});
      ways_seen += launches.inside > 3;
      if (parameters.empty() || parameters.contains("parts")) CHECK(launches.inside > 3);
    }
  });
  CHECK(builders_seen == algorithms().size());
  CHECK(ways_seen > 20);
}
