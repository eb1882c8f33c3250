#include "algorithms/trace/trace_validity.hpp"

#include <algorithm>
#include <set>

#include "algorithms/core/ids.hpp"

namespace kdscope {
namespace {

[[noreturn]] void refuse_trace(std::string what, std::string where) {
  throw ErrorException({ErrorKind::bad_input, std::move(what), std::move(where), ""});
}

std::string at_version(const Trace::Array& array, const ArrayVersion& version) {
  return "array " + array.info.name + ", step " + std::to_string(version.step);
}

void check_version(const Trace::Array& array, const ArrayVersion& v, const ArrayVersion* before, std::size_t steps) {
  const std::string where = at_version(array, v);
  if (v.step >= steps) refuse_trace("the step does not exist, there are " + std::to_string(steps), where);
  if (before && v.step <= before->step) refuse_trace("versions are not in the order of their steps", where);
  if (v.values.type() != array.info.type) refuse_trace("values are of another type than the array", where);
  if (v.keyframe) {
    if (!v.ranges.empty() || v.values.size() != v.size)
      refuse_trace("the size differs from the number of values", where);
  } else {
    if (!before) refuse_trace("the first version must hold the whole array", where);
    std::uint64_t covered = before->size, replaced = 0, from = 0;
    for (const IndexRange& r : v.ranges) {
      if (r.begin < from || r.end <= r.begin || r.end > v.size)
        refuse_trace("a changed range lies outside of the array", where);
      if (r.begin <= covered) covered = std::max(covered, r.end);
      from = r.end;
      replaced += r.end - r.begin;
    }
    if (covered < v.size) refuse_trace("the array grows by elements without values", where);
    if (replaced != v.values.size()) refuse_trace("the changed ranges and the number of values differ", where);
  }
  if (v.size % array.info.components != 0) refuse_trace("the size is no multiple of the components", where);
}

void check_array(const Trace& trace, const Trace::Array& array) {
  const ArrayInfo& info = array.info;
  const std::string where = "array " + info.name;
  if (info.components == 0) refuse_trace("has no components", where);
  if (!info.component_names.empty() && info.component_names.size() != info.components)
    refuse_trace("names other than its components", where);
  if (info.dimension != no_id && info.dimension >= trace.header.dim)
    refuse_trace("belongs to dimension " + std::to_string(info.dimension) + ", which points do not have", where);
  if (info.gather) {
    const Trace::Array* source = trace.find(info.gather->source);
    const Trace::Array* through = trace.find(info.gather->through);
    if (!source || !through || source->info.gather || through->info.gather)
      refuse_trace("is gathered from an array that the trace does not hold", where);
    if (info.gather->component >= source->info.components)
      refuse_trace("is gathered from a component that its source does not have", where);
    const ElementType index = through->info.type;
    if (index != ElementType::uint8 && index != ElementType::uint32 && index != ElementType::uint64)
      refuse_trace("is gathered through an array that holds no indices", where);
    if (!array.versions.empty()) refuse_trace("is derived, yet holds values", where);
    return;
  }
  for (std::size_t v = 0; v < array.versions.size(); ++v)
    check_version(array, array.versions[v], v == 0 ? nullptr : &array.versions[v - 1], trace.steps.size());
}

void check_step(const Trace& trace, std::size_t s, const std::set<std::string_view>& names) {
  const Step& step = trace.steps[s];
  const std::string where = "step " + std::to_string(s);
  // Views nest phases by recursion, so their depth is limited.
  constexpr std::size_t most_phases = 64;
  if (step.path.size() > most_phases)
    refuse_trace("its path has " + std::to_string(step.path.size()) + " phases, at most " +
                     std::to_string(most_phases) + " are possible",
                 where);
  if (step.ordinal != s) refuse_trace("its ordinal is " + std::to_string(step.ordinal), where);
  for (const std::string& name : step.wrote)
    if (!names.count(name)) refuse_trace("writes array " + name + ", which the trace does not hold", where);
  for (const Highlight& h : step.highlights) {
    if (!h.nodes.empty() && h.nodes.size() != h.ranges.size())
      refuse_trace("a highlight has more ranges than nodes", where);
    for (const IndexRange& r : h.ranges)
      if (r.end < r.begin) refuse_trace("a highlighted range ends before it begins", where);
  }
  for (const CheckResult& check : step.checks) {
    std::uint64_t from = 0;
    for (const IndexRange& r : check.elements) {
      if (r.begin < from || r.end <= r.begin)
        refuse_trace("the violating elements of check " + check.name + " are not ascending", where);
      from = r.end;
    }
  }
}

/// Checks that the arrays which views read by name have the promised types and sizes.
void check_standard_arrays(const Trace& trace) {
  const std::uint64_t n = trace.header.n;
  const std::uint32_t dim = trace.header.dim;
  const auto expect = [&](const char* name, ElementType type, std::uint32_t components) {
    const Trace::Array* array = trace.find(name);
    if (array && (array->info.gather || array->info.type != type || array->info.components != components))
      refuse_trace("must be stored as " + std::to_string(components) + " x " + name_of(type) + " an index",
                   "array " + std::string(name));
    return array;
  };
  namespace partition = partition_arrays;
  const ElementType scalar = trace.header.scalar == ScalarType::int32 ? ElementType::int32 : ElementType::float32;
  if (const Trace::Array* points = expect(points_array, scalar, dim))
    for (const ArrayVersion& v : points->versions)
      if (v.size / dim != n)
        refuse_trace("its size is not that of " + std::to_string(n) + " points", at_version(*points, v));
  if (const Trace::Array* triangles = expect(triangles_array, ElementType::uint32, 3))
    for (const ArrayVersion& v : triangles->versions)
      if (v.size % 3 != 0) refuse_trace("its size is not that of whole triangles", at_version(*triangles, v));
  expect(partition::parent, ElementType::uint32, 1);
  expect(partition::node_of_point, ElementType::uint32, 1);
  expect(partition::split_dim, ElementType::uint32, 1);
  expect(partition::split_value, ElementType::float64, 1);
  expect(partition::box, ElementType::float64, 2 * dim);
  expect(partition::tight_box, ElementType::float64, 2 * dim);
  expect(partition::leaf, ElementType::uint8, 1);
  expect(partition::point, ElementType::uint32, 1);
}

}  // namespace

Result<void> check_trace(const Trace& trace) try {
  if (trace.header.dim == 0 || trace.header.dim > 512)
    refuse_trace("points have " + std::to_string(trace.header.dim) + " dimensions, 1 to 512 are possible", "header");
  std::set<std::string_view> names;
  for (const Trace::Array& array : trace.arrays)
    if (!names.insert(array.info.name).second) refuse_trace("is there twice", "array " + array.info.name);
  for (const Trace::Array& array : trace.arrays) check_array(trace, array);
  for (std::size_t s = 0; s < trace.steps.size(); ++s) check_step(trace, s, names);
  check_standard_arrays(trace);
  return {};
} catch (const ErrorException& e) {
  return e.error();
}

}  // namespace kdscope
