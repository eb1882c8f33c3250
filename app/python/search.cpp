// Searches: numpy arrays in, numpy arrays out. Coordinates are read where they are, and answers are written where
// Python gets them.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/library/host_search.hpp"
#include "app/python/bindings.hpp"
#include "app/python/exceptions.hpp"
#include "app/python/numbers.hpp"

namespace py = pybind11;

namespace kdscope::python {
namespace {

using library::HostOptions, library::HostPoints, library::HostSearch;

/// Work on fewer points or answers than this ends sooner than a person can press Ctrl+C.
constexpr std::size_t least_long_work = 20'000;

std::vector<py::ssize_t> shape_before_last(const py::array& array) {
  return {array.shape(), array.shape() + (array.ndim() - 1)};
}

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
std::span<const double> span_of(const Doubles& numbers) {
  return {numbers.data(), static_cast<std::size_t>(numbers.size())};
}

HostSearch build(const py::array& points, const std::string& builder, const std::map<std::string, std::string>& given,
                 const std::string& backend) {
  const HostPoints view = host_points(points);
  return interruptible(view.size() >= least_long_work, [&](std::stop_token stop) {
    return HostSearch::build(view, {builder, given, backend, 0, std::move(stop)});
  });
}

py::tuple nearest(const HostSearch& tree, const py::array& queries, std::size_t k, bool squeeze, double p,
                  double max_distance, int threads) {
  const HostPoints view = host_points(queries);
  std::vector<py::ssize_t> shape = shape_before_last(queries);
  if (!squeeze) shape.push_back(static_cast<py::ssize_t>(k));
  py::array_t<double> distances(shape);
  py::array_t<std::int64_t> indices(shape);
  const std::span<double> distances_out(distances.mutable_data(), static_cast<std::size_t>(distances.size()));
  const std::span<std::int64_t> indices_out(indices.mutable_data(), static_cast<std::size_t>(indices.size()));
  interruptible(view.size() * std::max<std::size_t>(1, k) >= least_long_work, [&](std::stop_token stop) {
    return tree.nearest_into(view, k, indices_out, distances_out, {p, max_distance, threads, false, std::move(stop)});
  });
  return py::make_tuple(distances, indices);
}

/// Returns whether a search around many queries, or in many points, may take long.
bool may_take_long(const HostSearch& tree, std::size_t queries) {
  return queries * 16 + tree.size() >= least_long_work;
}

/// Returns a list of a query's indices.
py::list list_of(const library::IndicesWithin& found, std::size_t query) {
  const std::size_t first = found.offsets[query], count = found.offsets[query + 1] - first;
  py::list list(count);
  for (std::size_t i = 0; i < count; ++i)
    PyList_SET_ITEM(list.ptr(), static_cast<py::ssize_t>(i), PyLong_FromUnsignedLong(found.indices[first + i]));
  return list;
}

library::IndicesWithin found_within(const HostSearch& tree, const py::array& queries, const Doubles& radii, double p,
                                    int threads, bool sorted) {
  const HostPoints view = host_points(queries);
  return interruptible(may_take_long(tree, view.size()), [&](std::stop_token stop) {
    return tree.within(view, span_of(radii),
                       {p, std::numeric_limits<double>::infinity(), threads, sorted, std::move(stop)});
  });
}

py::list within(const HostSearch& tree, const py::array& queries, const Doubles& radii, double p, int threads,
                bool sorted) {
  const library::IndicesWithin found = found_within(tree, queries, radii, p, threads, sorted);
  py::list lists(found.offsets.size() - 1);
  for (std::size_t query = 0; query + 1 < found.offsets.size(); ++query)
    PyList_SET_ITEM(lists.ptr(), static_cast<py::ssize_t>(query), list_of(found, query).release().ptr());
  return lists;
}

py::tuple within_arrays(const HostSearch& tree, const py::array& queries, const Doubles& radii, double p, int threads) {
  const library::IndicesWithin found = found_within(tree, queries, radii, p, threads, true);
  py::array_t<std::int64_t> offsets(static_cast<py::ssize_t>(found.offsets.size())),
      indices(static_cast<py::ssize_t>(found.indices.size()));
  std::copy(found.offsets.begin(), found.offsets.end(), offsets.mutable_data());
  std::copy(found.indices.begin(), found.indices.end(), indices.mutable_data());
  return py::make_tuple(offsets, indices);
}

py::array_t<std::int64_t> count_within(const HostSearch& tree, const py::array& queries, const Doubles& radii, double p,
                                       int threads) {
  const HostPoints view = host_points(queries);
  py::array_t<std::int64_t> counts(shape_before_last(queries));
  const std::span<std::int64_t> out(counts.mutable_data(), static_cast<std::size_t>(counts.size()));
  interruptible(may_take_long(tree, view.size()), [&](std::stop_token stop) {
    return tree.count_into(view, span_of(radii), out,
                           {p, std::numeric_limits<double>::infinity(), threads, false, std::move(stop)});
  });
  return counts;
}

py::array count_pairs(const HostSearch& tree, const HostSearch& other, const Doubles& radii, double p,
                      const std::optional<Doubles>& weights, const std::optional<Doubles>& other_weights, int threads) {
  const bool is_long = tree.size() + other.size() >= 2000;
  const auto options = [&](std::stop_token stop) {
    return HostOptions{p, std::numeric_limits<double>::infinity(), threads, false, std::move(stop)};
  };
  if (!weights && !other_weights) {
    const auto counts = interruptible(is_long, [&](std::stop_token stop) {
      return tree.count_pairs(other, span_of(radii), options(std::move(stop)));
    });
    py::array_t<std::int64_t> result(static_cast<py::ssize_t>(counts.size()));
    std::copy(counts.begin(), counts.end(), result.mutable_data());
    return result;
  }
  const auto of = [](const std::optional<Doubles>& given) {
    return given ? span_of(*given) : std::span<const double>();
  };
  const auto sums = interruptible(is_long, [&](std::stop_token stop) {
    return tree.weigh_pairs(other, span_of(radii), of(weights), of(other_weights), options(std::move(stop)));
  });
  return py::array_t<double>(static_cast<py::ssize_t>(sums.size()), sums.data());
}

py::array_t<double> array_of(std::span<const double> numbers) {
  return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

}  // namespace

HostPoints host_points(const py::array& array) {
  if (array.ndim() < 1 || !(array.flags() & py::array::c_style))
    raise({ErrorKind::bad_usage, "an array of points is not contiguous", "",
           "use the module kdscope, not kdscope._core"});
  const auto count = static_cast<std::size_t>(array.size());
  const auto dimensions = static_cast<std::uint32_t>(array.shape(array.ndim() - 1));
  const py::dtype type = array.dtype();
  if (type.kind() == 'f' && type.itemsize() == 4)
    return {std::span(static_cast<const float*>(array.data()), count), dimensions};
  if (type.kind() == 'f' && type.itemsize() == 8)
    return {std::span(static_cast<const double*>(array.data()), count), dimensions};
  if (type.kind() == 'i' && type.itemsize() == 4)
    return {std::span(static_cast<const std::int32_t*>(array.data()), count), dimensions};
  raise({ErrorKind::bad_usage, "an array of points has another type than float32, float64 or int32", "",
         "use the module kdscope, not kdscope._core"});
}

void add_search(py::module_& module) {
  py::class_<HostSearch>(module, "Search")
      .def(py::init(&build), py::arg("points"), py::arg("builder"), py::arg("parameters"), py::arg("backend"))
      .def("nearest", &nearest, py::arg("queries"), py::arg("k"), py::arg("squeeze"), py::arg("p"),
           py::arg("max_distance"), py::arg("threads"))
      .def("within", &within, py::arg("queries"), py::arg("radii"), py::arg("p"), py::arg("threads"), py::arg("sorted"))
      .def("within_arrays", &within_arrays, py::arg("queries"), py::arg("radii"), py::arg("p"), py::arg("threads"))
      .def("count_within", &count_within, py::arg("queries"), py::arg("radii"), py::arg("p"), py::arg("threads"))
      .def("count_pairs", &count_pairs, py::arg("other"), py::arg("radii"), py::arg("p"), py::arg("weights"),
           py::arg("other_weights"), py::arg("threads"))
      .def_property_readonly("n", &HostSearch::size)
      .def_property_readonly("m", &HostSearch::dimensions)
      .def_property_readonly("boxes", &HostSearch::box_count)
      .def_property_readonly("builder", &HostSearch::builder)
      .def_property_readonly("build_ms", &HostSearch::build_ms)
      .def_property_readonly("mins", [](const HostSearch& tree) { return array_of(tree.lower_ends()); })
      .def_property_readonly("maxes", [](const HostSearch& tree) { return array_of(tree.upper_ends()); });
}

}  // namespace kdscope::python
