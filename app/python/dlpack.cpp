#include "app/python/dlpack.hpp"

#include <memory>
#include <string_view>
#include <utility>

#include "app/python/exceptions.hpp"

namespace py = pybind11;

namespace kdscope::python {
namespace {

// The structures of the protocol before version 1.0, which every program exchanges.
struct DlTensor {
  void* data;
  std::int32_t device_type, device;
  std::int32_t dimensions;
  std::uint8_t type_code, type_bits;
  std::uint16_t type_lanes;
  std::int64_t *shape, *strides;  ///< strides: in elements, or null
  std::uint64_t byte_offset;
};
struct DlManagedTensor {
  DlTensor array;
  void* context;
  void (*release)(DlManagedTensor*);
};

constexpr const char *fresh = "dltensor", *used = "used_dltensor";
constexpr std::string_view kinds = "iuf";  // by type code

/// An array that is lent, and what keeps it.
struct Lending {
  DlManagedTensor tensor;
  std::vector<std::int64_t> shape;
  py::object owner;
};

void end_lending(DlManagedTensor* tensor) {
  const py::gil_scoped_acquire acquired;
  delete static_cast<Lending*>(tensor->context);
}

/// Of a capsule that nobody used.
void end_capsule(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, fresh)) return;
  end_lending(static_cast<DlManagedTensor*>(PyCapsule_GetPointer(capsule, fresh)));
}

}  // namespace

LentArray::LentArray(const py::capsule& capsule) {
  if (!PyCapsule_IsValid(capsule.ptr(), fresh))
    raise({ErrorKind::bad_usage, "__dlpack__() of the array returned no unused capsule 'dltensor'", "",
           "give an array of a library that supports DLPack"});
  auto* tensor = static_cast<DlManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), fresh));
  const DlTensor& array = tensor->array;
  const auto code = array.type_code < kinds.size() ? kinds[array.type_code] : '\0';
  if (code == '\0' || array.type_lanes != 1 || array.type_bits % 8 != 0)
    raise({ErrorKind::bad_usage, "the array has elements that are no integers and no floats of whole bytes", "",
           "convert it to float32 or int32"});
  const std::int64_t bytes = array.type_bits / 8;
  type_ = std::string("<") + code + std::to_string(bytes);
  shape_.assign(array.shape, array.shape + array.dimensions);
  strides_.resize(shape_.size());
  std::int64_t stride = bytes;
  for (std::size_t d = shape_.size(); d-- > 0; stride *= shape_[d])
    strides_[d] = array.strides ? array.strides[d] * bytes : stride;
  address_ = reinterpret_cast<std::uintptr_t>(array.data) + array.byte_offset;
  PyCapsule_SetName(capsule.ptr(), used);
  lent_ = tensor;
}

LentArray::~LentArray() {
  auto* tensor = static_cast<DlManagedTensor*>(lent_);
  if (tensor->release) tensor->release(tensor);
}

py::capsule lend_array(const py::object& owner, std::uintptr_t address, std::vector<std::int64_t> shape,
                       const std::string& type, int device_type, int device) {
  auto lending = std::make_unique<Lending>(Lending{{}, std::move(shape), owner});
  const auto code = static_cast<std::uint8_t>(kinds.find(type.at(1)));
  const auto bits = static_cast<std::uint8_t>(8 * std::stoi(type.substr(2)));
  lending->tensor = {
      {reinterpret_cast<void*>(address), device_type, device, static_cast<std::int32_t>(lending->shape.size()), code,
       bits, 1, lending->shape.data(), nullptr, 0},
      lending.get(),
      end_lending};
  PyObject* capsule = PyCapsule_New(&lending->tensor, fresh, end_capsule);
  if (!capsule) throw py::error_already_set();
  lending.release();
  return py::reinterpret_steal<py::capsule>(capsule);
}

}  // namespace kdscope::python
