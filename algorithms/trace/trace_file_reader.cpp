#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/caught.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/trace/child_process.hpp"
#include "algorithms/trace/earlier_formats.hpp"
#include "algorithms/trace/file_seal.hpp"
#include "algorithms/trace/hdf5_handles.hpp"
#include "algorithms/trace/stored_values.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/trace/trace_format.hpp"
#include "algorithms/trace/trace_stream.hpp"
#include "algorithms/trace/trace_structure.hpp"
#include "algorithms/trace/trace_validity.hpp"

namespace kdscope {
namespace {

using namespace trace_format;
using hdf5::Handle;
using trace_stream::Part;
using trace_stream::receive_part;
using trace_stream::Receiver;
using trace_stream::Sender;

/// Reads the offsets of `lists` lists in a column of `size` elements.
Offsets read_offsets(hid_t group, const std::string& name, std::size_t lists, std::size_t size) {
  Offsets begin = hdf5::read_column<std::uint64_t>(group, name);
  if (begin.size() != lists + 1 || begin.front() != 0 || begin.back() != size ||
      !std::is_sorted(begin.begin(), begin.end()))
    hdf5::refuse("does not divide its column", "data set " + name);
  return begin;
}

void expect_size(std::size_t found, std::size_t wanted, const std::string& name) {
  if (found != wanted)
    hdf5::refuse("has " + std::to_string(found) + " elements instead of " + std::to_string(wanted), "data set " + name);
}

template <class T>
std::vector<T> read_column(hid_t group, const std::string& name, std::size_t size) {
  std::vector<T> column = hdf5::read_column<T>(group, name);
  expect_size(column.size(), size, name);
  return column;
}

std::vector<std::string> read_texts(hid_t group, const std::string& name, std::size_t size) {
  std::vector<std::string> column = hdf5::read_texts(group, name);
  expect_size(column.size(), size, name);
  return column;
}

template <class Item>
std::vector<Item> part(const std::vector<Item>& items, const Offsets& begin, std::size_t list) {
  return {items.begin() + static_cast<std::ptrdiff_t>(begin[list]),
          items.begin() + static_cast<std::ptrdiff_t>(begin[list + 1])};
}

/// Returns the value to which `named` maps a name.
template <class Named>
auto value_named(Named named, const std::string& name, const std::string& object) {
  const auto value = named(name);
  if (!value) hdf5::refuse("holds \"" + name + "\", which is unknown", object);
  return *value;
}

std::vector<IndexRange> read_ranges(hid_t group) {
  const auto begin = hdf5::read_column<std::uint64_t>(group, "range_begin");
  const auto end = read_column<std::uint64_t>(group, "range_end", begin.size());
  std::vector<IndexRange> ranges;
  for (std::size_t i = 0; i < begin.size(); ++i) ranges.push_back({begin[i], end[i]});
  return ranges;
}

/// Reads the text attributes of a group.
std::map<std::string, std::string> read_named_texts(hid_t file, const char* group_name) {
  const Handle group = hdf5::open_group(file, group_name);
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  if (H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names) < 0)
    hdf5::refuse("cannot be read", std::string("group ") + group_name);
  std::map<std::string, std::string> texts;
  for (const std::string& name : names) texts[name] = hdf5::text(group, name);
  return texts;
}

/// Reads the entries that formats before 4 lack.
void read_build(hid_t file, TraceHeader& h) {
  const Handle build = hdf5::open_group(file, "build");
  h.build.commit = hdf5::text(build, "commit");
  h.build.local_changes = hdf5::number(build, "local_changes", 1) != 0;
  h.build.compiler = hdf5::text(build, "compiler");
  h.build.flags = hdf5::text(build, "flags");
  h.build.build_type = hdf5::text(build, "build_type");
  const Handle sources = hdf5::open_group(file, "sources");
  const auto region = hdf5::read_texts(sources, "region");
  const auto name = read_texts(sources, "file", region.size()), text = read_texts(sources, "text", region.size());
  const auto first_line = read_column<std::uint32_t>(sources, "first_line", region.size());
  for (std::size_t i = 0; i < region.size(); ++i) h.sources.push_back({region[i], name[i], first_line[i], text[i]});
  h.data_warnings = hdf5::read_texts(file, "data_warnings");
}

TraceHeader read_header(hid_t file) {
  TraceHeader h;
  h.algorithm = hdf5::text(file, "algorithm");
  h.title = hdf5::text(file, "title");
  h.citation = hdf5::text(file, "citation");
  h.data_set = hdf5::text(file, "data_set");
  h.n = hdf5::number(file, "n", no_id);
  h.dim = static_cast<std::uint32_t>(hdf5::number(file, "dim", 512));
  const auto scalar_named = [](const std::string& name) -> std::optional<ScalarType> {
    for (const ScalarType type : {ScalarType::float32, ScalarType::int32})
      if (name == name_of(type)) return type;
    return std::nullopt;
  };
  h.scalar = value_named(scalar_named, hdf5::text(file, "scalar"), "attribute scalar");
  h.up_axis = static_cast<std::uint32_t>(hdf5::number(file, "up_axis", 511));
  h.backend = hdf5::text(file, "backend");
  h.device = hdf5::text(file, "device");
  h.version = hdf5::text(file, "version");
  h.tree_hash = hdf5::number(file, "tree_hash");
  h.parameters = read_named_texts(file, "parameters");
  return h;
}

/// Reads the checks of all steps. Files of earlier versions of kdscope name no violating elements.
std::vector<CheckResult> read_checks(hid_t group) {
  std::vector<CheckResult> checks;
  for (std::string& name : hdf5::read_texts(group, "name")) checks.push_back({std::move(name), {}, true, {}});
  const std::size_t count = checks.size();
  auto statement = read_texts(group, "statement", count), detail = read_texts(group, "detail", count);
  const auto passed = read_column<std::uint8_t>(group, "passed", count);
  for (std::size_t c = 0; c < count; ++c) {
    checks[c].statement = std::move(statement[c]);
    checks[c].passed = passed[c] != 0;
    checks[c].detail = std::move(detail[c]);
  }
  if (H5Lexists(group, "violations", H5P_DEFAULT) <= 0) return checks;
  auto array = read_texts(group, "array", count);
  const auto violations = read_column<std::uint64_t>(group, "violations", count);
  const auto elements = read_ranges(group);
  const Offsets first = read_offsets(group, "first_range", count, elements.size());
  for (std::size_t c = 0; c < count; ++c) {
    checks[c].array = std::move(array[c]);
    checks[c].violations = violations[c];
    checks[c].elements = part(elements, first, c);
  }
  return checks;
}

std::vector<Step> read_steps(hid_t file) {
  const Handle group = hdf5::open_group(file, "steps");
  const auto name = hdf5::read_texts(group, "name");
  const std::size_t count = name.size();
  const auto title = read_texts(group, "title", count), kind = read_texts(group, "kind", count),
             phase = read_texts(group, "phase", count), anchor = read_texts(group, "code_anchor", count);
  const auto level = read_column<std::int32_t>(group, "level", count);
  const auto grid = read_column<std::uint64_t>(group, "grid", count),
             block = read_column<std::uint64_t>(group, "block", count);
  const auto elapsed_ms = read_column<double>(group, "elapsed_ms", count);
  const auto path = hdf5::read_texts(group, "path"), wrote = hdf5::read_texts(group, "wrote");
  const Offsets path_begin = read_offsets(group, "path_begin", count, path.size());
  const Offsets wrote_begin = read_offsets(group, "wrote_begin", count, wrote.size());

  const Handle marks = hdf5::open_group(group, "highlights");
  const auto role = hdf5::read_texts(marks, "role"), space = read_texts(marks, "space", role.size());
  const auto ranges = read_ranges(marks);
  const auto node = hdf5::read_column<std::uint32_t>(marks, "node");
  const Offsets mark_begin = read_offsets(marks, "begin", count, role.size());
  const Offsets first_range = read_offsets(marks, "first_range", role.size(), ranges.size());
  const Offsets first_node = read_offsets(marks, "first_node", role.size(), node.size());

  const Handle results = hdf5::open_group(group, "checks");
  const std::vector<CheckResult> checks = read_checks(results);
  const Offsets check_begin = read_offsets(results, "begin", count, checks.size());

  const auto kind_named = [](const std::string& text) -> std::optional<StepKind> {
    for (const StepKind value : {StepKind::launch, StepKind::library, StepKind::host})
      if (text == name_of(value)) return value;
    return std::nullopt;
  };
  std::vector<Step> steps(count);
  for (std::size_t i = 0; i < count; ++i) {
    Step& s = steps[i];
    s.ordinal = static_cast<std::uint32_t>(i);
    s.name = name[i];
    s.title = title[i];
    s.kind = value_named(kind_named, kind[i], "data set steps/kind");
    s.phase = phase[i];
    s.code_anchor = anchor[i];
    s.level = level[i];
    s.grid = grid[i];
    s.block = block[i];
    s.elapsed_ms = elapsed_ms[i];
    s.path = part(path, path_begin, i);
    s.wrote = part(wrote, wrote_begin, i);
    for (std::uint64_t h = mark_begin[i]; h < mark_begin[i + 1]; ++h)
      s.highlights.push_back({value_named(role_named, role[h], "data set role"),
                              value_named(space_named, space[h], "data set space"), part(ranges, first_range, h),
                              part(node, first_node, h)});
    s.checks = part(checks, check_begin, i);
  }
  return steps;
}

/// Converts split dimensions of 8 bits, where 255 meant none, to the current form.
TypedArray widened(const TypedArray& dimensions) {
  std::vector<std::uint32_t> wide;
  for (const std::uint8_t dim : dimensions.as<std::uint8_t>()) wide.push_back(dim == 255 ? no_id : dim);
  return TypedArray::of(wide);
}

/// The mapped file of this child process. HDF5 takes an image instead of a name, so the process needs no right to open
/// files.
void* mapped_image = nullptr;

/// Returns where the chunks of a column are in the file, or an empty column if only HDF5 can read it.
StoredColumn stored_column([[maybe_unused]] const hdf5::Column& column, [[maybe_unused]] ElementType type,
                           [[maybe_unused]] std::uint64_t file_bytes) {
#if H5_VERSION_GE(1, 10, 5)
  constexpr std::uint64_t worth_it = 64 << 10;
  const Handle options(H5Dget_create_plist(column.id()), H5Pclose);
  hsize_t chunk = 0;
  if (column.size() * size_of(type) < worth_it || H5Pget_layout(options) != H5D_CHUNKED ||
      H5Pget_chunk(options, 1, &chunk) != 1 || chunk == 0)
    return {};
  StoredColumn stored{type, column.size(), chunk, {}};
  int shuffle = -1, deflate = -1;
  const int filters = H5Pget_nfilters(options);
  for (int f = 0; f < filters; ++f) {
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(options, static_cast<unsigned>(f), &flags, &values, nullptr, 0, nullptr, &config);
    (filter == H5Z_FILTER_SHUFFLE ? shuffle : deflate) = f;
  }
  if (shuffle > deflate) return {};
  // Releases of HDF5 differ in whether the address of a chunk counts from the beginning of the file or from the end of
  // its user block. The first chunk shows which.
  std::optional<std::uint64_t> base;
  for (hsize_t begin = 0; begin < column.size(); begin += chunk) {
    unsigned skipped = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t bytes = 0;
    if (H5Dget_chunk_info_by_coord(column.id(), &begin, &skipped, &address, &bytes) < 0 || address > file_bytes ||
        bytes > file_bytes)
      return {};
    if (!base) {
      std::uint32_t mask = 0;
      std::vector<char> raw(bytes);
      if (H5Dread_chunk(column.id(), H5P_DEFAULT, &begin, &mask, raw.data()) < 0) return {};
      const auto is_behind = [&](std::uint64_t user_block) {
        return address + user_block + bytes <= file_bytes &&
               std::memcmp(static_cast<const char*>(mapped_image) + address + user_block, raw.data(), bytes) == 0;
      };
      if (is_behind(0) == is_behind(seal_bytes)) return {};  // undecided
      base = is_behind(0) ? 0 : seal_bytes;
    }
    const auto used = [&](int filter) { return filter >= 0 && (skipped >> filter & 1) == 0; };
    stored.chunks.push_back({address + *base, bytes, used(shuffle), used(deflate)});
  }
  return stored;
#else
  return {};
#endif
}

/// What the child process knows of the values that it does not send.
struct ValuesElsewhere {
  std::uint64_t file_bytes = 0;
  bool allowed = false;               ///< whether values may stay in the file
  std::vector<StoredColumn> columns;  ///< of every array so far
};

/// Sends each version of an array while reading it, so that this process holds only a piece of it, or where it is.
void send_versions(Sender& out, std::uint32_t array, hid_t group, ElementType type, bool widen,
                   ValuesElsewhere& elsewhere) {
  const auto step = hdf5::read_column<std::uint32_t>(group, "step");
  const std::size_t count = step.size();
  const auto keyframe = read_column<std::uint8_t>(group, "keyframe", count);
  const auto size = read_column<std::uint64_t>(group, "size", count);
  const auto ranges = read_ranges(group);
  const Offsets first_range = read_offsets(group, "first_range", count, ranges.size());
  const hdf5::Column values = hdf5::Column::open(group, "values", hdf5::disk_type(type));
  const Offsets value_begin = read_offsets(group, "value_begin", count, values.size());
  if (elsewhere.allowed && !widen) elsewhere.columns.back() = stored_column(values, type, elsewhere.file_bytes);
  const bool stays = elsewhere.columns.back().size > 0;
  for (std::size_t i = 0; i < count; ++i) {
    ArrayVersion v;
    v.step = step[i];
    v.keyframe = keyframe[i] != 0;
    v.size = size[i];
    v.ranges = part(ranges, first_range, i);
    std::uint64_t first = value_begin[i], stored = value_begin[i + 1] - first;
    if (stays) {
      out.part(Part::version_elsewhere);
      out(array, first, v, type, stored);
      continue;
    }
    out.part(Part::version);
    out(array, v);
    const auto read = [&](std::uint64_t begin, std::uint64_t end, void* bytes) {
      values.read(first + begin, end - begin, hdf5::memory_type(type), bytes);
    };
    if (!widen) {
      out.values(type, stored, read);
      continue;
    }
    TypedArray narrow(type, stored);
    read(0, stored, narrow.bytes().data());
    const TypedArray wide = widened(narrow);
    out.values(wide.type(), wide.size(), [&](std::uint64_t begin, std::uint64_t end, void* bytes) {
      const auto piece = wide.as<std::uint32_t>().subspan(begin, end - begin);
      std::memcpy(bytes, piece.data(), piece.size_bytes());
    });
  }
}

/// Returns a text, or "" if it is absent. Formats before 7 lack it, and so does every array without that relation.
std::string text_if_any(hid_t object, const std::string& name) {
  return H5Aexists(object, name.c_str()) > 0 ? hdf5::text(object, name) : std::string();
}

std::vector<ArrayDimension> read_dimensions(hid_t group, std::uint64_t version) {
  std::vector<ArrayDimension> dimensions;
  for (std::string& name : hdf5::read_texts(group, "dimension_names")) dimensions.push_back({std::move(name)});
  if (version <= format_with_named_relations || dimensions.empty()) return dimensions;
  auto row = read_texts(group, "dimension_rows", dimensions.size());
  const auto from_least = read_column<std::uint8_t>(group, "dimension_from_least", dimensions.size());
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    dimensions[d].row = std::move(row[d]);
    dimensions[d].from_least = from_least[d] != 0;
  }
  return dimensions;
}

void send_array(Sender& out, std::uint32_t array, hid_t group, const std::string& name, std::uint64_t version,
                NamedRelations& relations, ValuesElsewhere& elsewhere) {
  ArrayInfo info;
  info.name = name;
  info.label = hdf5::text(group, "label");
  info.type = value_named(element_type_named, hdf5::text(group, "type"), "attribute type");
  info.index_space = value_named(space_named, hdf5::text(group, "index_space"), "attribute index_space");
  info.value_space = value_named(space_named, hdf5::text(group, "value_space"), "attribute value_space");
  info.components = static_cast<std::uint32_t>(hdf5::number(group, "components", 1 << 20));
  info.shown_as_row = hdf5::number(group, "shown_as_row", 1) != 0;
  if (H5Aexists(group, "dimension") > 0)
    info.dimension = static_cast<std::uint32_t>(hdf5::number(group, "dimension", UINT32_MAX));
  info.dimensions = read_dimensions(group, version);
  if (H5Lexists(group, "component_names", H5P_DEFAULT) > 0)
    info.component_names = hdf5::read_texts(group, "component_names");
  info.order = text_if_any(group, "order");
  info.owner = text_if_any(group, "owner");
  info.offsets = text_if_any(group, "offsets");
  if (const std::string side = text_if_any(group, "side"); !side.empty())
    info.side = value_named(side_named, side, "attribute side");
  if (version <= format_with_named_relations) relations.declare(info);
  const bool derived = H5Aexists(group, "gather_source") > 0;
  if (derived)
    info.gather = Gather{hdf5::text(group, "gather_source"), hdf5::text(group, "gather_through"),
                         static_cast<std::uint32_t>(hdf5::number(group, "gather_component", UINT32_MAX))};
  const ElementType stored = info.type;
  const bool widen =
      version == format_with_narrow_dimensions && name == partition_arrays::split_dim && stored == ElementType::uint8;
  if (widen) info.type = ElementType::uint32;
  out.part(Part::array);
  out(info);
  elsewhere.columns.emplace_back();
  if (!derived) send_versions(out, array, group, stored, widen, elsewhere);
}

/// The size of the file, the most memory that its trace may take, and the most that is read at once.
struct ReadBounds {
  std::uint64_t file_bytes = 0, most_bytes = 0, most_at_once = 0;
};

/// Returns the computing time of a child process for this many bytes: enough for a slow machine with sanitizers, but
/// short enough to reject small files soon on which HDF5 loops forever.
constexpr std::uint64_t seconds_for(std::uint64_t bytes) {
  constexpr std::uint64_t at_least = 2, bytes_per_second = 16 << 20;
  return at_least + bytes / bytes_per_second;
}

Handle open_image(std::size_t bytes) {
  mapped_image = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, ChildProcess::file_descriptor, 0);
  if (mapped_image == MAP_FAILED) throw std::bad_alloc();
  // HDF5 copies an image for each of its owners. Give all of them the same mapping.
  H5FD_file_image_callbacks_t shared{};
  shared.image_malloc = [](std::size_t, H5FD_file_image_op_t, void*) { return mapped_image; };
  shared.image_memcpy = [](void* to, const void*, std::size_t, H5FD_file_image_op_t, void*) { return to; };
  shared.image_realloc = [](void*, std::size_t, H5FD_file_image_op_t, void*) -> void* { return nullptr; };
  shared.image_free = [](void*, H5FD_file_image_op_t, void*) -> herr_t { return 0; };
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t no_growth = 4096;
  if (H5Pset_fapl_core(access, no_growth, false) < 0 || H5Pset_file_image_callbacks(access, &shared) < 0 ||
      H5Pset_file_image(access, mapped_image, bytes) < 0)
    throw std::bad_alloc();
  return {H5Fopen("trace", H5F_ACC_RDONLY, access), H5Fclose};
}

/// Reads the file of this child process and sends the trace.
void send_file(Sender& out, const ReadBounds& bounds) {
  const Handle file = open_image(bounds.file_bytes);
  if (!file) hdf5::refuse("is no HDF5 file", "");
  const std::uint64_t version = hdf5::number(file, "format_version");
  if (version < format_with_narrow_dimensions || version > format_version)
    throw ErrorException({ErrorKind::bad_input,
                          "has trace format " + std::to_string(version) + ", this kdscope reads formats " +
                              std::to_string(format_with_narrow_dimensions) + " to " + std::to_string(format_version),
                          "", "open it with the kdscope that wrote it, or a newer one"});
  const std::uint64_t claimed =
      hdf5::check_structure(file, {bounds.file_bytes, bounds.most_bytes, version <= format_with_variable_texts});
  // Extend the limits now that the sizes are known: allow time, and memory for copies of all columns and for texts of
  // variable length, whose lengths are still unknown.
  constexpr std::uint64_t copies = 4, texts = 16;
  ChildProcess::set_limits(ChildLimits().memory_bytes + copies * claimed + (1 + texts) * bounds.file_bytes,
                           seconds_for(bounds.file_bytes + claimed));

  TraceHeader header = read_header(file);
  if (version > format_without_sources) read_build(file, header);
  if (version > format_without_tree_kind) header.tree_kind = hdf5::text(file, "tree_kind");
  if (version > format_without_searches) header.search = read_named_texts(file, "search");
  out.part(Part::header);
  out(header);
  for (Step& step : read_steps(file)) {
    out.part(Part::step);
    out(step);
  }
  const Handle arrays = hdf5::open_group(file, "arrays");
  const std::vector<std::string> array_names = hdf5::read_texts(arrays, "names");
  NamedRelations relations(array_names);
  ValuesElsewhere elsewhere{bounds.file_bytes, stored_values_available() && claimed > bounds.most_at_once, {}};
  for (std::uint32_t array = 0; array < array_names.size(); ++array) {
    const std::string& name = array_names[array];
    try {
      send_array(out, array, hdf5::open_group(arrays, group_name(name)), name, version, relations, elsewhere);
    } catch (const ErrorException& e) {
      hdf5::refuse(e.error().what, "array " + name + ", " + e.error().where);
    }
  }
  out.part(Part::end);
  out(elsewhere.columns);
}

/// Builds the trace that the child process sends. Values that stay in the file come from `values`.
std::shared_ptr<const Trace> receive_trace(Receiver& in, const std::shared_ptr<StoredValues>& values) {
  auto trace = std::make_shared<Trace>();
  while (receive_part(in, *trace, values)) {
  }
  std::vector<StoredColumn> columns;
  in(columns);
  values->set_columns(std::move(columns));
  trace->index_arrays();
  return trace;
}

/// Reads a file in a child process, so that HDF5 never touches it in this process.
std::shared_ptr<const Trace> read_file(Descriptor file, const std::string& path, std::uint64_t most_at_once) {
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) hdf5::refuse("cannot be read", "");
  ReadBounds bounds;
  bounds.most_at_once = most_at_once;
  bounds.file_bytes = static_cast<std::uint64_t>(status.st_size);
  bounds.most_bytes = std::min(hdf5::best_compression * bounds.file_bytes, available_memory() / 4 * 3);
  ChildLimits limits;
  limits.memory_bytes += bounds.file_bytes;
  limits.processor_seconds = seconds_for(bounds.file_bytes);
  ChildProcess child(file.number(), limits, [&] { send_or_error([&](Sender& out) { send_file(out, bounds); }); });
  Receiver in([&](void* bytes, std::size_t size) { return child.read_some(bytes, size); }, bounds.most_bytes);
  return receive_trace(in, std::make_shared<StoredValues>(std::move(file), path));
}

}  // namespace

bool trace_files_available() { return true; }

Result<std::shared_ptr<const Trace>> load_trace(const std::string& path, std::uint64_t most_at_once) try {
  Result<Descriptor> file = open_sealed(path);
  if (!file) return file.error();
  const std::shared_ptr<const Trace> trace = read_file(std::move(*file), path, most_at_once);
  ensure(check_trace(*trace));
  return trace;
} catch (const ErrorException& e) {
  return in_file(e.error(), path);
} catch (const std::bad_alloc&) {
  return out_of_memory(path);
} catch (const std::length_error&) {
  return out_of_memory(path);
}

}  // namespace kdscope
