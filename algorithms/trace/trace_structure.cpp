#include "algorithms/trace/trace_structure.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/trace/hdf5_handles.hpp"

namespace kdscope::hdf5 {
namespace {

/// The address of an object in the file, which is the same for every link to the object.
#if H5_VERSION_GE(1, 12, 0)
using ObjectInfo = H5O_info2_t;
using Place = std::string;
herr_t describe(hid_t object, ObjectInfo& info) { return H5Oget_info3(object, &info, H5O_INFO_BASIC); }
Place place_of(const ObjectInfo& info) { return {reinterpret_cast<const char*>(&info.token), sizeof info.token}; }
#else
using ObjectInfo = H5O_info_t;
using Place = haddr_t;
herr_t describe(hid_t object, ObjectInfo& info) { return H5Oget_info2(object, &info, H5O_INFO_BASIC); }
Place place_of(const ObjectInfo& info) { return info.addr; }
#endif

[[noreturn]] void reject(std::string what, const std::string& object) {
  throw ErrorException({ErrorKind::bad_input, std::move(what), object, "record it again, or ask for another copy"});
}

struct Link {
  std::string name;
  H5L_type_t type;
};

class Walk {
 public:
  explicit Walk(const StructureBounds& bounds) : bounds_(bounds) {}

  void visit(hid_t object, const std::string& path, int depth) {
    ObjectInfo info;
    if (describe(object, info) < 0) reject("cannot be read", path);
    if (!places_.insert(place_of(info)).second) reject("has another name, too, as no object of a trace has", path);
    if (places_.size() > most_objects) reject("is one object more than a trace may have", path);
    check_attributes(object, path);
    if (info.type == H5O_TYPE_DATASET) return check_column(object, path);
    if (info.type != H5O_TYPE_GROUP) reject("is neither a group nor a data set", path);
    if (depth > most_depth) reject("lies deeper than the groups of a trace", path);
    for (const Link& link : links_of(object, path)) {
      const std::string below = (depth == 0 ? "" : path) + "/" + link.name;
      // Reject names that HDF5 would read as a path through other links.
      if (link.name.empty() || link.name == "." || link.name.find('/') != std::string::npos)
        reject("is no name of an object", below);
      if (link.type != H5L_TYPE_HARD)
        reject(link.type == H5L_TYPE_SOFT ? "is a soft link, which no trace has"
                                          : "is a link to another file, which no trace has",
               below);
      const Handle child(H5Oopen(object, link.name.c_str(), H5P_DEFAULT), H5Oclose);
      if (!child) reject("cannot be opened", below);
      visit(child, below, depth + 1);
    }
  }

  std::uint64_t claimed() const { return claimed_; }

 private:
  static constexpr std::size_t most_objects = 500'000;
  static constexpr std::size_t most_attributes = 1'000;
  static constexpr int most_depth = 2;  // depth of groups: /arrays/NAME

  static std::vector<Link> links_of(hid_t group, const std::string& path) {
    std::vector<Link> links;
    const auto collect = [](hid_t, const char* name, const H5L_info_t* info, void* list) -> herr_t {
      auto& found = *static_cast<std::vector<Link>*>(list);
      found.push_back({name, info->type});
      return found.size() > most_objects ? -1 : 0;
    };
    if (H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect, &links) < 0) reject("cannot be read", path);
    return links;
  }

  void check_attributes(hid_t object, const std::string& path) {
    std::vector<std::string> names;
    const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
      auto& found = *static_cast<std::vector<std::string>*>(list);
      found.emplace_back(name);
      return found.size() > most_attributes ? -1 : 0;
    };
    if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect, &names) < 0)
      reject("has attributes that cannot be read", path);
    for (const std::string& name : names) {
      const std::string where = path + ", attribute " + name;
      const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
      if (!attribute) reject("cannot be opened", where);
      const Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
      if (H5Sget_simple_extent_npoints(space) != 1) reject("has other than one value", where);
      if (H5Tget_class(type) != H5T_INTEGER || H5Tget_size(type) > sizeof(std::uint64_t)) check_text(type, where);
      claim(H5Tget_size(type), where);
    }
  }

  void check_text(hid_t type, const std::string& where) const {
    if (H5Tget_class(type) != H5T_STRING || H5Tcommitted(type) > 0)
      reject("is of a type that a trace does not have", where);
    if (H5Tis_variable_str(type) > 0 && !bounds_.variable_texts)
      reject("holds texts of variable length, which no trace has since format 5", where);
  }

  void check_column(hid_t set, const std::string& path) {
    const Handle options(H5Dget_create_plist(set), H5Pclose);
    if (!options) reject("cannot be read", path);
    if (H5Pget_external_count(options) != 0) reject("keeps its values in another file, as no trace does", path);
    const H5D_layout_t layout = H5Pget_layout(options);
    if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED)
      reject("takes its values from other data sets, as no trace does", path);

    const Handle type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
    constexpr ElementType element_types[] = {ElementType::uint8,   ElementType::uint32, ElementType::int32,
                                             ElementType::float32, ElementType::uint64, ElementType::float64};
    if (std::none_of(std::begin(element_types), std::end(element_types),
                     [&](ElementType one) { return H5Tequal(type, disk_type(one)) > 0; }))
      check_text(type, path);
    hsize_t count = 0, most = 0;
    if (H5Sget_simple_extent_ndims(space) != 1 || H5Sget_simple_extent_dims(space, &count, &most) != 1 || most != count)
      reject("is no column of fixed length", path);
    const std::uint64_t width = H5Tget_size(type);
    check_filters(options, layout, width, path);

    const std::uint64_t stored = H5Dget_storage_size(set);
    if (width == 0 || count > UINT64_MAX / width || count * width / best_compression > stored)
      reject("is longer than the bytes stored for it", path);
    if (stored > bounds_.file_bytes - stored_) reject("stores more bytes than the file has left for it", path);
    stored_ += stored;
    claim(count * width, path);
  }

  static void check_filters(hid_t options, H5D_layout_t layout, std::uint64_t width, const std::string& path) {
    hsize_t chunk = 0;
    if (layout == H5D_CHUNKED && (H5Pget_chunk(options, 1, &chunk) != 1 || chunk > most_chunk_bytes / width))
      reject("has chunks larger than those of a trace", path);
    std::set<H5Z_filter_t> used;
    for (int f = 0; f < H5Pget_nfilters(options); ++f) {
      unsigned flags = 0, config = 0;
      std::size_t values = 0;
      const H5Z_filter_t filter =
          H5Pget_filter2(options, static_cast<unsigned>(f), &flags, &values, nullptr, 0, nullptr, &config);
      if ((filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_DEFLATE) || !used.insert(filter).second)
        reject("is compressed as no trace is", path);
    }
  }

  void claim(std::uint64_t bytes, const std::string& where) {
    if (bytes > bounds_.most_bytes - claimed_)
      throw ErrorException({ErrorKind::out_of_memory,
                            "the trace takes more than " + memory_text(bounds_.most_bytes) +
                                " of memory, the most for a file of its size on this machine now",
                            where, "close other traces, or record fewer points"});
    claimed_ += bytes;
  }

  StructureBounds bounds_;
  std::set<Place> places_;
  std::uint64_t stored_ = 0, claimed_ = 0;
};

}  // namespace

std::uint64_t check_structure(hid_t file, const StructureBounds& bounds) {
  const Handle root(H5Oopen(file, "/", H5P_DEFAULT), H5Oclose);
  if (!root) reject("cannot be opened", "/");
  Walk walk(bounds);
  walk.visit(root, "/", 0);
  return walk.claimed();
}

}  // namespace kdscope::hdf5
