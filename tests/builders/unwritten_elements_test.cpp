// Tests that no recording depends on unwritten elements: recordings are the same whatever new memory contains.

#include <memory>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "tests/builders/runs.hpp"
#include "tests/builders/triangle_soups.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::unwritten_elements_test {

namespace {

std::shared_ptr<const Trace> record_in_memory_of(std::uint8_t byte, const RunRequest& request) {
  RunControl control;
  control.unwritten = byte;
  return record(request, control).value();
}

/// Checks that two recordings show the same contents, step by step.
void check_shows_the_same(const std::shared_ptr<const Trace>& one, const std::shared_ptr<const Trace>& other) {
  REQUIRE(one->steps.size() == other->steps.size());
  CHECK(one->header == other->header);
  Cursor a(one), b(other);
  for (std::uint32_t s = 0; s < a.step_count(); ++s) {
    a.seek(s), b.seek(s);
    INFO("step " << s << ", " << path_text(a.current()));
    CHECK(a.current().title == b.current().title);
    CHECK(a.current().highlights == b.current().highlights);
    CHECK(a.current().checks == b.current().checks);
    for (const Trace::Array& array : one->arrays) {
      const TypedArray *in_one = a.array(array.info.name), *in_other = b.array(array.info.name);
      INFO("array " << array.info.name);
      REQUIRE((in_one == nullptr) == (in_other == nullptr));
      if (in_one) CHECK(*in_one == *in_other);
    }
  }
}

RunRequest request_of(const std::string& id, std::shared_ptr<const DataSet> data, Parameters parameters) {
  parameters = typed_options(id, parameters).value().texts();
  return {{}, id, std::move(parameters), Backend::cpu, false, std::move(data)};
}

/// Returns parameters that lead an algorithm through all its stages with few points.
Parameters small_parameters(const std::string& id) {
  if (id == "wehr") return {{"tpb", "8"}, {"cutoff", "8"}, {"base", "4"}};
  if (id == "hu") return {{"leaf_size", "2"}, {"dimensions_at_once", "1"}};
  if (id == "brown") return {{"warps", "2"}};
  if (id == "zhou-sah") return {{"small", "8"}, {"chunk", "4"}};
  if (id == "zhou-vvh") return {{"small", "8"}};
  return {};
}

}  // namespace

TEST_CASE("a recording shows only what its steps have written, whatever memory held before") {
  for (const AlgorithmSpec& spec : algorithms()) {
    std::vector<std::shared_ptr<const DataSet>> sets;
    if (spec.takes_triangles)
      for (const test::Soup soup : {test::Soup::spread, test::Soup::clustered})
        sets.push_back(test::triangle_soup(soup, 120));
    else
      for (const char* points :
           {"uniform:n=150,dim=3,seed=1", "grid:n=100,dim=2,side=8", "equal:n=70,dim=2", "uniform:n=1,dim=2"})
        sets.push_back(test::data(points));
    for (const auto& data : sets) {
      INFO(spec.id << " on " << data->name);
      const RunRequest request = request_of(spec.id, data, small_parameters(spec.id));
      check_shows_the_same(record_in_memory_of(unwritten_byte, request), record_in_memory_of(0xee, request));
    }
  }
}

}  // namespace kdscope::unwritten_elements_test
