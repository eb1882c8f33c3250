#pragma once
// Arrays of other programs and arrays for them, by the protocol DLPack (https://dmlc.github.io/dlpack).

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kdscope::python {

/// An array that another program lends, until the object ends.
class LentArray {
 public:
  /// capsule: what an array's __dlpack__() returns; it is used up. Raises ValueError for other objects, and for numbers
  /// that numpy does not have.
  explicit LentArray(const pybind11::capsule& capsule);
  ~LentArray();
  LentArray(const LentArray&) = delete;
  LentArray& operator=(const LentArray&) = delete;

  std::uintptr_t address() const { return address_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  const std::vector<std::int64_t>& strides() const { return strides_; }  ///< in bytes
  const std::string& type() const { return type_; }                      ///< "<f4", as numpy writes it

 private:
  void* lent_;
  std::uintptr_t address_ = 0;
  std::vector<std::int64_t> shape_, strides_;
  std::string type_;
};

/// Returns a capsule of a contiguous array, which keeps `owner` until its user is done. type: "<f4" or "<i8".
/// device_type: 1 for the host, 2 for CUDA.
pybind11::capsule lend_array(const pybind11::object& owner, std::uintptr_t address, std::vector<std::int64_t> shape,
                             const std::string& type, int device_type, int device);

}  // namespace kdscope::python
