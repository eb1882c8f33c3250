#pragma once
// HDF5's plain C API with owned handles and checked calls, without its printed errors; only for trace files. Failures
// are thrown as ErrorException whose `where` names the object in the file. The reader and the writer of trace files
// catch them.

#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope::hdf5 {

[[noreturn]] inline void cannot_write(const std::string& object) {
  throw ErrorException(
      {ErrorKind::io_failure, "cannot be written", object, "check the space left and the permissions"});
}
[[noreturn]] inline void refuse(std::string what, const std::string& object) {
  throw ErrorException({ErrorKind::bad_input, std::move(what), object, ""});
}

/// An HDF5 id that closes itself.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() { close(); }
  explicit operator bool() const { return id_ >= 0; }
  operator hid_t() const { return id_; }  // NOLINT: passed to the C API
  /// Closes the id early. Returns false if HDF5 failed; closing a file writes its last data.
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

inline hid_t disk_type(ElementType type) {
  switch (type) {
    case ElementType::uint8:
      return H5T_STD_U8LE;
    case ElementType::uint32:
      return H5T_STD_U32LE;
    case ElementType::int32:
      return H5T_STD_I32LE;
    case ElementType::float32:
      return H5T_IEEE_F32LE;
    case ElementType::uint64:
      return H5T_STD_U64LE;
    case ElementType::float64:
      break;
  }
  return H5T_IEEE_F64LE;
}

inline hid_t memory_type(ElementType type) {
  switch (type) {
    case ElementType::uint8:
      return H5T_NATIVE_UINT8;
    case ElementType::uint32:
      return H5T_NATIVE_UINT32;
    case ElementType::int32:
      return H5T_NATIVE_INT32;
    case ElementType::float32:
      return H5T_NATIVE_FLOAT;
    case ElementType::uint64:
      return H5T_NATIVE_UINT64;
    case ElementType::float64:
      break;
  }
  return H5T_NATIVE_DOUBLE;
}

/// Returns the type of UTF-8 texts of at most `width` bytes, padded with zeros. The length is fixed, because HDF5
/// trusts the lengths that a file stores for texts of variable length.
inline Handle text_type(std::size_t width) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, std::max<std::size_t>(width, 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

/// Returns the text in a field of `width` bytes.
inline std::string unpadded(const char* field, std::size_t width) {
  return {field, std::find(field, field + width, '\0')};
}

inline Handle create_group(hid_t parent, const std::string& name) {
  Handle group(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (!group) cannot_write(name);
  return group;
}

inline Handle open_group(hid_t parent, const std::string& name) {
  Handle group(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group) refuse("is missing", "group " + name);
  return group;
}

// ---- attributes: a text or an unsigned 64-bit number ----------------------------------------------------------------

inline void write_attribute(hid_t object, const std::string& name, hid_t type, const void* value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!attribute || H5Awrite(attribute, type, value) < 0) cannot_write("attribute " + name);
}

inline void set_text(hid_t object, const std::string& name, const std::string& value) {
  constexpr std::size_t most = 64'000;  // HDF5 keeps attributes in headers of 64 KiB
  if (value.find('\0') != std::string::npos) cannot_write("attribute " + name + ", which holds a zero byte,");
  if (value.size() > most) cannot_write("attribute " + name + ", which is longer than 64,000 bytes,");
  write_attribute(object, name, text_type(value.size()), value.empty() ? "" : value.data());
}

inline void set_number(hid_t object, const std::string& name, std::uint64_t value) {
  write_attribute(object, name, H5T_NATIVE_UINT64, &value);
}

inline Handle open_attribute(hid_t object, const std::string& name, H5T_class_t expected) {
  Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute) refuse("is missing", "attribute " + name);
  const Handle type(H5Aget_type(attribute), H5Tclose);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  if (H5Tget_class(type) != expected || H5Sget_simple_extent_npoints(space) != 1)
    refuse("is of another type than expected", "attribute " + name);
  return attribute;
}

/// Reads a text attribute of fixed length, or of variable length as in formats up to 4.
inline std::string text(hid_t object, const std::string& name) {
  const Handle attribute = open_attribute(object, name, H5T_STRING);
  const Handle type(H5Aget_type(attribute), H5Tclose);
  if (H5Tis_variable_str(type) > 0) {
    char* value = nullptr;
    if (H5Aread(attribute, type, &value) < 0) refuse("cannot be read", "attribute " + name);
    std::string copy = value ? value : "";
    H5free_memory(value);
    return copy;
  }
  std::vector<char> field(H5Tget_size(type));
  if (H5Aread(attribute, type, field.data()) < 0) refuse("cannot be read", "attribute " + name);
  return unpadded(field.data(), field.size());
}

inline std::uint64_t number(hid_t object, const std::string& name, std::uint64_t max = UINT64_MAX) {
  const Handle attribute = open_attribute(object, name, H5T_INTEGER);
  std::uint64_t value = 0;
  if (H5Aread(attribute, H5T_NATIVE_UINT64, &value) < 0) refuse("cannot be read", "attribute " + name);
  if (value > max)
    refuse("is " + std::to_string(value) + ", at most " + std::to_string(max) + " is possible", "attribute " + name);
  return value;
}

// ---- columns: one-dimensional data sets -----------------------------------------------------------------------------

/// An open column, to which parts are appended or from which parts are read.
class Column {
 public:
  /// Creates a column of `count` elements, compressed if it is larger than a few KB.
  static Column create(hid_t group, const std::string& name, hid_t type, hsize_t count) {
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(options, false);  // the same trace makes the same bytes
    const hsize_t width = H5Tget_size(type);
    constexpr hsize_t chunk_bytes = 512 << 10;  // fits HDF5's cache of chunks
    if (count * width > 8192 && width <= chunk_bytes && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
      const hsize_t chunk = std::min<hsize_t>(count, chunk_bytes / width);
      H5Pset_chunk(options, 1, &chunk);
      if (H5Tget_class(type) != H5T_STRING) H5Pset_shuffle(options);
      H5Pset_deflate(options, 1);
    }
    Column column(
        name, Handle(H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, options, H5P_DEFAULT), H5Dclose), count);
    if (!column.set_) cannot_write(name);
    return column;
  }

  /// Opens a column of exactly this type.
  static Column open(hid_t group, const std::string& name, hid_t type) {
    Column column = open_any(group, name);
    if (H5Tequal(column.type(), type) <= 0) refuse_shape(name);
    return column;
  }
  /// Opens a column of texts of fixed or variable length.
  static Column open_texts(hid_t group, const std::string& name) {
    Column column = open_any(group, name);
    if (H5Tget_class(column.type()) != H5T_STRING) refuse_shape(name);
    return column;
  }

  Handle type() const { return {H5Dget_type(set_), H5Tclose}; }
  hsize_t size() const { return count_; }

  void write(hsize_t begin, hsize_t count, hid_t type, const void* values) {
    transfer<true>(begin, count, type, const_cast<void*>(values));
  }
  void read(hsize_t begin, hsize_t count, hid_t type, void* values) const {
    const_cast<Column*>(this)->transfer<false>(begin, count, type, values);
  }
  hid_t id() const { return set_; }

 private:
  static Column open_any(hid_t group, const std::string& name) {
    Handle set(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set) refuse("is missing", "data set " + name);
    const Handle space(H5Dget_space(set), H5Sclose);
    hsize_t count = 0;
    if (H5Sget_simple_extent_ndims(space) != 1 || H5Sget_simple_extent_dims(space, &count, nullptr) != 1)
      refuse_shape(name);
    return Column(name, std::move(set), count);
  }
  [[noreturn]] static void refuse_shape(const std::string& name) {
    refuse("is of another type or shape than expected", "data set " + name);
  }

  Column(std::string name, Handle set, hsize_t count) : name_(std::move(name)), set_(std::move(set)), count_(count) {}

  template <bool writing>
  void transfer(hsize_t begin, hsize_t count, hid_t type, void* values) {
    if (count == 0) return;
    const Handle file_space(H5Dget_space(set_), H5Sclose), memory_space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    H5Sselect_hyperslab(file_space, H5S_SELECT_SET, &begin, nullptr, &count, nullptr);
    if constexpr (writing) {
      if (H5Dwrite(set_, type, memory_space, file_space, H5P_DEFAULT, values) < 0) cannot_write(name_);
    } else {
      if (H5Dread(set_, type, memory_space, file_space, H5P_DEFAULT, values) < 0)
        refuse("cannot be read", "data set " + name_);
    }
  }

  std::string name_;
  Handle set_;
  hsize_t count_;
};

template <class T>
void write_column(hid_t group, const std::string& name, const std::vector<T>& values) {
  const ElementType type = ElementTypeOf<T>::value;
  Column::create(group, name, disk_type(type), values.size()).write(0, values.size(), memory_type(type), values.data());
}

template <class T>
std::vector<T> read_column(hid_t group, const std::string& name) {
  const ElementType type = ElementTypeOf<T>::value;
  const Column column = Column::open(group, name, disk_type(type));
  std::vector<T> values(column.size());
  column.read(0, values.size(), memory_type(type), values.data());
  return values;
}

/// Writes a column of texts, all with the width of the longest one.
inline void write_texts(hid_t group, const std::string& name, const std::vector<std::string>& values) {
  std::size_t width = 1;
  for (const std::string& value : values) {
    if (value.find('\0') != std::string::npos) cannot_write(name + ", which holds a zero byte,");
    width = std::max(width, value.size());
  }
  std::string fields(width * values.size(), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) values[i].copy(&fields[i * width], width);
  const Handle type = text_type(width);
  Column::create(group, name, type, values.size()).write(0, values.size(), type, fields.data());
}

/// Reads a column of texts of fixed length, or of variable length as in formats up to 4.
inline std::vector<std::string> read_texts(hid_t group, const std::string& name) {
  const Column column = Column::open_texts(group, name);
  const Handle type = column.type();
  std::vector<std::string> values;
  values.reserve(column.size());
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> pointers(column.size());
    column.read(0, pointers.size(), type, pointers.data());
    for (const char* text : pointers) values.emplace_back(text ? text : "");
    for (char* text : pointers) H5free_memory(text);
    return values;
  }
  const std::size_t width = H5Tget_size(type);
  std::vector<char> fields(width * column.size());
  column.read(0, column.size(), type, fields.data());
  for (std::size_t i = 0; i < column.size(); ++i) values.push_back(unpadded(&fields[i * width], width));
  return values;
}

}  // namespace kdscope::hdf5
