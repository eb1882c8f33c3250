// Trees, points and answers that stay in the memory of a CUDA device.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "algorithms/library/internals.hpp"
#include "app/python/bindings.hpp"
#include "app/python/cuda_neighbours.hpp"
#include "app/python/dlpack.hpp"
#include "app/python/exceptions.hpp"

namespace py = pybind11;

namespace kdscope::python {

#if !defined(KDSCOPE_HAS_CUDA)
Result<void> find_neighbours(const library::Tree&, const library::Points&, std::uint32_t, double, const CudaMemory&,
                             const CudaMemory&, std::stop_token) {
  return {};  // there is no CudaMemory
}
#endif

namespace {

using library::Points;

/// Points as Python names them: address, number, dimensions, whether they are floats, whether they lie on a device, and
/// the stream whose work makes them.
using NamedPoints = std::tuple<std::uintptr_t, std::size_t, std::uint32_t, bool, bool, std::uintptr_t>;

Points points_of(const NamedPoints& named) {
  const auto [address, count, dimensions, are_floats, are_there, stream] = named;
  const std::size_t coordinates = count * dimensions;
  const Points points =
      are_floats ? Points(std::span(reinterpret_cast<const float*>(address), coordinates), dimensions)
                 : Points(std::span(reinterpret_cast<const std::int32_t*>(address), coordinates), dimensions);
  return are_there ? points.on_cuda(reinterpret_cast<CUstream_st*>(stream)) : points;
}

library::Tree build_there(const NamedPoints& points, const std::string& builder,
                          const std::map<std::string, std::string>& parameters) {
  return interruptible(true, [&](std::stop_token stop) {
    return library::build(points_of(points), {builder, parameters, "cuda", 0, std::move(stop)});
  });
}

/// Returns distances, float32, and indices, int64, [queries * k] each.
py::tuple nearest_there(const library::Tree& tree, const NamedPoints& queries, std::uint32_t k, double bound) {
  using Answers = std::pair<std::shared_ptr<CudaMemory>, std::shared_ptr<CudaMemory>>;
  const auto search = [&](std::stop_token stop) -> Result<Answers> {
    try {
      const int device = tree.state().report.device.ordinal;
      const Points asked = points_of(queries);
      const std::size_t count = asked.size() * k;
      const Answers answers(std::make_shared<CudaMemory>(device, 4 * count),
                            std::make_shared<CudaMemory>(device, 8 * count));
      if (count > 0)
        if (auto done = find_neighbours(tree, asked, k, bound, *answers.first, *answers.second, std::move(stop)); !done)
          return done.error();
      return answers;
    } catch (const ErrorException& e) {
      return e.error();
    }
  };
  // Starting a thread takes a fraction of a search on a device, and each may be long
  const Answers answers = interruptible(true, search);
  return py::make_tuple(answers.first, answers.second);
}

}  // namespace

void add_cuda(py::module_& module) {
  py::class_<CudaMemory, std::shared_ptr<CudaMemory>>(module, "CudaMemory")
      .def_property_readonly(
          "address", [](const CudaMemory& memory) { return reinterpret_cast<std::uintptr_t>(memory.address()); })
      .def_property_readonly("device", &CudaMemory::device);
  py::class_<library::Tree>(module, "CudaTree")
      .def(py::init(&build_there), py::arg("points"), py::arg("builder"), py::arg("parameters"))
      .def("nearest", &nearest_there, py::arg("queries"), py::arg("k"), py::arg("bound"))
      .def_property_readonly("builder", &library::Tree::builder)
      .def_property_readonly("build_ms", &library::Tree::build_ms)
      .def_property_readonly("device", [](const library::Tree& tree) { return tree.state().report.device.ordinal; });
  py::class_<LentArray>(module, "LentArray")
      .def(py::init<const py::capsule&>(), py::arg("capsule"))
      .def_property_readonly("address", &LentArray::address)
      .def_property_readonly("shape", &LentArray::shape)
      .def_property_readonly("strides", &LentArray::strides)
      .def_property_readonly("type", &LentArray::type);
  module.def("lend_array", &lend_array, py::arg("owner"), py::arg("address"), py::arg("shape"), py::arg("type"),
             py::arg("device_type"), py::arg("device"));
}

}  // namespace kdscope::python
