// Variants: a builder with stages of the user's own, compiled, run in a process of its own and compared.

#include <pybind11/stl.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "algorithms/library/internals.hpp"
#include "algorithms/registry/registry.hpp"
#include "app/python/bindings.hpp"
#include "app/python/exceptions.hpp"
#include "app/variant_trials/variant_trial.hpp"

namespace py = pybind11;

namespace kdscope::python {
namespace {

py::object trace_or_none(std::shared_ptr<const Trace> trace) {
  if (!trace) return py::none();
  return py::cast(library::Trace(std::make_shared<const library::Trace::State>(std::move(trace))));
}

/// Returns "FILE:LINE: message", one line per message of the compiler.
py::list messages_of(const std::vector<variants::CompilerMessage>& messages) {
  py::list lines;
  for (const variants::CompilerMessage& message : messages)
    lines.append(message.line > 0 ? "line " + std::to_string(message.line) + ": " + message.text : message.text);
  return lines;
}

/// Returns the first wrong element as (step, array, index, expected, found), or None.
py::object first_wrong(const VariantTrial& trial) {
  const Divergence& found = trial.divergence;
  if (!found.steps || found.arrays.empty()) return py::none();
  const DifferentArray& array = found.arrays.front();
  if (array.first.empty()) return py::make_tuple(found.steps->second, array.array, py::none(), array.a, array.b);
  const DifferentElement& element = array.first.front();
  return py::make_tuple(found.steps->second, array.array, element.index, element.a, element.b);
}

py::dict tried(const std::string& file, const std::string& data, const std::map<std::string, std::string>& parameters,
               const std::string& backend, double seconds) {
  TrialRequest request;
  request.file = file;
  request.data = data;
  request.parameters = parameters;
  request.backend = value_of(backend_named(backend));
  request.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  variants::CompilerErrors errors;
  try {
    const VariantTrial trial = interruptible(true, [&](std::stop_token stop) {
      return try_variant(request, errors, {std::move(stop), {}});
    });
    py::dict members;
    members["text"] = outcome_text(trial);
    members["equal"] = trial.equal();
    members["used"] = !trial.not_used();
    members["crash"] = trial.run.crash;
    members["first_wrong"] = trial.equal() ? py::none() : first_wrong(trial);
    members["warnings"] = messages_of(trial.warnings);
    members["trace"] = trace_or_none(trial.run.trace ? trace_of(trial) : nullptr);
    members["original"] = trace_or_none(trial.original);
    return members;
  } catch (py::error_already_set& raised) {
    if (errors.messages.empty() || !raised.matches(PyExc_ValueError)) throw;
    std::string text = py::str(raised.value());
    for (const py::handle line : messages_of(errors.messages)) text += "\n" + std::string(py::str(line));
    throw py::value_error(text);
  }
}

}  // namespace

void add_variant(py::module_& module) {
  module.def("variant", &tried, py::arg("file"), py::arg("data"), py::arg("parameters"), py::arg("backend"),
             py::arg("seconds"));
}

}  // namespace kdscope::python
