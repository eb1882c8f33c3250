#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "algorithms/exec/cuda_arrays.hpp"
#include "algorithms/library/library.hpp"
#include "app/python/bindings.hpp"
#include "app/python/exceptions.hpp"

namespace py = pybind11;

namespace kdscope::python {

void raise(const Error& error) {
  PyObject* type = PyExc_RuntimeError;
  switch (error.kind) {
    case ErrorKind::bad_usage:
    case ErrorKind::bad_input:
      type = PyExc_ValueError;
      break;
    case ErrorKind::out_of_memory:
    case ErrorKind::over_budget:
      type = PyExc_MemoryError;
      break;
    case ErrorKind::cancelled:
      type = PyExc_KeyboardInterrupt;
      break;
    case ErrorKind::io_failure:
      type = PyExc_OSError;
      break;
    case ErrorKind::failed_check:
    case ErrorKind::no_device:
    case ErrorKind::device_failure:
      break;
  }
  PyErr_SetString(type, error.message().c_str());
  throw py::error_already_set();
}

}  // namespace kdscope::python

PYBIND11_MODULE(_core, module) {
  using namespace kdscope;
  module.doc() = "The compiled part of kdscope. Its names may change; use the module kdscope.";
  python::add_cuda(module);
  python::add_search(module);
  python::add_trace(module);
  python::add_variant(module);
  module.attr("version") = library::version();
#if defined(KDSCOPE_HAS_CUDA)
  module.attr("has_cuda") = true;
#else
  module.attr("has_cuda") = false;
#endif
  // Copies an array from the memory of a CUDA device, behind the work that a stream has.
  module.def(
      "from_cuda",
      [](const std::vector<py::ssize_t>& shape, const std::string& type, std::uintptr_t address,
         std::uintptr_t stream) {
        py::array array{py::dtype(type), shape};
        python::interruptible(
            false,
            [to = array.mutable_data(), bytes = array.nbytes(), address, stream](std::stop_token) -> Result<void> {
              try {
                if (bytes > 0)
                  copy_from_cuda(to, reinterpret_cast<const void*>(address), static_cast<std::size_t>(bytes),
                                 reinterpret_cast<CUstream_st*>(stream));
                return {};
              } catch (const ErrorException& e) {
                return e.error();
              }
            });
        return array;
      },
      py::arg("shape"), py::arg("type"), py::arg("address"), py::arg("stream"));
  module.def("builders", [] {
    py::list builders;
    for (const library::BuilderInfo& each : library::builders())
      builders.append(py::make_tuple(each.id, each.title, each.citation, each.summary, each.least_dimensions,
                                     each.most_dimensions, each.most_points));
    return builders;
  });
}
