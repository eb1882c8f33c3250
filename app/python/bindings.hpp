#pragma once
// The parts of the module kdscope._core. Python's side of the package gives them their signatures, and checks shapes.

#include <pybind11/pybind11.h>

namespace kdscope::python {

void add_cuda(pybind11::module_& module);
void add_search(pybind11::module_& module);
void add_trace(pybind11::module_& module);
void add_variant(pybind11::module_& module);

}  // namespace kdscope::python
