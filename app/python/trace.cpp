// Recorded runs: states as arrays without copies, and a run as a web page.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/library/internals.hpp"
#include "algorithms/text/quotes.hpp"
#include "app/pseudocode/page_code.hpp"
#include "app/python/bindings.hpp"
#include "app/python/exceptions.hpp"
#include "app/python/numbers.hpp"
#include "visualizer/web/lesson_page.hpp"

namespace py = pybind11;

namespace kdscope::python {
namespace {

py::dtype dtype_of(library::ElementType type) {
  switch (type) {
    case library::ElementType::uint8:
      return py::dtype::of<std::uint8_t>();
    case library::ElementType::uint32:
      return py::dtype::of<std::uint32_t>();
    case library::ElementType::int32:
      return py::dtype::of<std::int32_t>();
    case library::ElementType::float32:
      return py::dtype::of<float>();
    case library::ElementType::uint64:
      return py::dtype::of<std::uint64_t>();
    case library::ElementType::float64:
      break;
  }
  return py::dtype::of<double>();
}

/// Returns an array of a state that cannot be written to. It refers to the state's memory and keeps it.
py::array array_of_state(const library::RecordedState& state, const std::string& name) {
  const library::ArrayView view = value_of(state.array(name));
  auto kept = std::make_unique<library::RecordedState>(state);
  const py::capsule base(kept.get(), [](void* of) { delete static_cast<library::RecordedState*>(of); });
  kept.release();
  py::array array(dtype_of(view.type), std::vector<py::ssize_t>(view.shape.begin(), view.shape.end()), view.elements,
                  base);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

library::Trace record_points(const py::array& points, const std::string& builder,
                             const std::map<std::string, std::string>& parameters, const std::string& backend,
                             const std::map<std::string, std::string>& search, std::uint64_t memory_budget,
                             std::size_t most_steps) {
  const library::HostPoints view = host_points(points);
  library::RecordOptions options;
  options.builder = builder;
  options.parameters = parameters;
  options.backend = backend;
  options.search = search;
  options.memory_budget = memory_budget;
  options.most_steps = most_steps;
  const auto record_view = [&](const auto* numbers) {
    return interruptible(true, [&](std::stop_token stop) {
      options.stop = std::move(stop);
      return library::record(library::Points(std::span(numbers, view.count), view.dimensions), options);
    });
  };
  if (view.type == library::NumberType::int32) return record_view(static_cast<const std::int32_t*>(view.coordinates));
  if (view.type == library::NumberType::float32) return record_view(static_cast<const float*>(view.coordinates));
  raise({ErrorKind::bad_usage, "a recording shows coordinates as the builder has them, float32 or int32", "",
         "give points.astype(numpy.float32)"});
}

py::dict dict_of(const library::Step& step) {
  py::list checks;
  for (const library::Check& check : step.checks)
    checks.append(py::make_tuple(check.name, check.statement, check.passed, check.detail));
  py::dict members;
  members["name"] = step.name;
  members["path"] = py::tuple(py::cast(step.path));
  members["title"] = step.title;
  members["level"] = step.level;
  members["wrote"] = py::tuple(py::cast(step.wrote));
  members["checks"] = py::tuple(checks);
  return members;
}

py::dict header_of(const library::Trace& trace) {
  const TraceHeader& header = trace.state().trace->header;
  py::dict members;
  members["builder"] = header.algorithm;
  members["title"] = header.title;
  members["citation"] = header.citation;
  members["parameters"] = header.parameters;
  members["search"] = header.search;
  members["n"] = header.n;
  members["m"] = header.dim;
  members["backend"] = header.backend;
  members["device"] = header.device;
  members["version"] = header.version;
  members["tree_hash"] = header.tree_hash;
  return members;
}

std::string page_of(const library::Trace& trace) {
  return interruptible(true, [&](std::stop_token stop) -> Result<std::string> {
    const std::shared_ptr<const Trace>& recorded = trace.state().trace;
    const auto baked =
        BakedLesson::bake(run_as_lesson(*recorded), recorded, page_code(recorded, std::nullopt), {}, stop);
    if (!baked) return baked.error();
    return baked->page();
  });
}

}  // namespace

void add_trace(py::module_& module) {
  py::class_<library::RecordedState>(module, "State")
      .def("names", &library::RecordedState::names)
      .def("array", &array_of_state, py::arg("name"));
  py::class_<library::Trace>(module, "Trace")
      .def_property_readonly("step_count", &library::Trace::step_count)
      .def("header", &header_of)
      .def(
          "step",
          [](const library::Trace& trace, std::size_t index) {
            if (index >= trace.step_count()) throw py::index_error("there is no step " + std::to_string(index));
            return dict_of(trace.step(index));
          },
          py::arg("index"))
      .def(
          "state",
          [](const library::Trace& trace, std::size_t index) {
            if (index >= trace.step_count()) throw py::index_error("there is no step " + std::to_string(index));
            const py::gil_scoped_release released;
            return trace.state_after(index);
          },
          py::arg("index"))
      .def(
          "save",
          [](const library::Trace& trace, const std::string& path) {
            interruptible(false, [&](std::stop_token) { return trace.save(path); });
          },
          py::arg("path"))
      .def("page", &page_of);
  module.def("record", &record_points, py::arg("points"), py::arg("builder"), py::arg("parameters"), py::arg("backend"),
             py::arg("search"), py::arg("memory_budget"), py::arg("most_steps"));
  module.def(
      "load_trace",
      [](const std::string& path) {
        return interruptible(false, [&](std::stop_token) { return library::load_trace(path); });
      },
      py::arg("path"));
}

}  // namespace kdscope::python
