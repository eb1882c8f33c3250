#include <fcntl.h>

#include <chrono>
#include <new>
#include <string_view>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "algorithms/trace/child_process.hpp"
#include "algorithms/trace/file_seal.hpp"
#include "algorithms/trace/hdf5_handles.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/trace/trace_format.hpp"
#include "algorithms/trace/trace_stream.hpp"

namespace kdscope {
namespace {

using namespace trace_format;
using hdf5::Handle;
using trace_stream::Part;
using trace_stream::Receiver;
using trace_stream::Sender;

/// Returns the column of get(item) for all items.
template <class Items, class Get>
auto column_of(const Items& items, Get get) {
  std::vector<std::decay_t<decltype(get(*items.begin()))>> column;
  for (const auto& item : items) column.push_back(get(item));
  return column;
}

/// A list of lists as one list, and the place where each list begins.
template <class Item>
struct Flattened {
  std::vector<Item> items;
  Offsets begin{0};
  void add(const std::vector<Item>& list) {
    items.insert(items.end(), list.begin(), list.end());
    begin.push_back(items.size());
  }
};

void write_ranges(hid_t group, const Flattened<IndexRange>& ranges) {
  hdf5::write_column(group, "first_range", ranges.begin);
  hdf5::write_column(group, "range_begin", column_of(ranges.items, [](const IndexRange& r) { return r.begin; }));
  hdf5::write_column(group, "range_end", column_of(ranges.items, [](const IndexRange& r) { return r.end; }));
}

void write_header(hid_t file, const TraceHeader& h) {
  hdf5::set_number(file, "format_version", format_version);
  hdf5::set_text(file, "algorithm", h.algorithm);
  hdf5::set_text(file, "title", h.title);
  hdf5::set_text(file, "citation", h.citation);
  hdf5::set_text(file, "data_set", h.data_set);
  hdf5::set_number(file, "n", h.n);
  hdf5::set_number(file, "dim", h.dim);
  hdf5::set_text(file, "scalar", name_of(h.scalar));
  hdf5::set_number(file, "up_axis", h.up_axis);
  hdf5::set_text(file, "backend", h.backend);
  hdf5::set_text(file, "device", h.device);
  hdf5::set_text(file, "version", h.version);
  hdf5::set_number(file, "tree_hash", h.tree_hash);
  hdf5::set_text(file, "tree_kind", h.tree_kind);
  const Handle parameters = hdf5::create_group(file, "parameters");
  for (const auto& [name, value] : h.parameters) hdf5::set_text(parameters, name, value);
  const Handle search = hdf5::create_group(file, "search");
  for (const auto& [name, value] : h.search) hdf5::set_text(search, name, value);
  const Handle build = hdf5::create_group(file, "build");
  hdf5::set_text(build, "commit", h.build.commit);
  hdf5::set_number(build, "local_changes", h.build.local_changes);
  hdf5::set_text(build, "compiler", h.build.compiler);
  hdf5::set_text(build, "flags", h.build.flags);
  hdf5::set_text(build, "build_type", h.build.build_type);
  const Handle sources = hdf5::create_group(file, "sources");
  hdf5::write_texts(sources, "region", column_of(h.sources, [](const RecordedSource& s) { return s.region; }));
  hdf5::write_texts(sources, "file", column_of(h.sources, [](const RecordedSource& s) { return s.file; }));
  hdf5::write_column(sources, "first_line", column_of(h.sources, [](const RecordedSource& s) { return s.first_line; }));
  hdf5::write_texts(sources, "text", column_of(h.sources, [](const RecordedSource& s) { return s.text; }));
  hdf5::write_texts(file, "data_warnings", h.data_warnings);
}

void write_steps(hid_t file, const std::vector<Step>& steps) {
  const Handle group = hdf5::create_group(file, "steps");
  hdf5::write_texts(group, "name", column_of(steps, [](const Step& s) { return s.name; }));
  hdf5::write_texts(group, "title", column_of(steps, [](const Step& s) { return s.title; }));
  hdf5::write_texts(group, "kind", column_of(steps, [](const Step& s) { return std::string(name_of(s.kind)); }));
  hdf5::write_texts(group, "phase", column_of(steps, [](const Step& s) { return s.phase; }));
  hdf5::write_texts(group, "code_anchor", column_of(steps, [](const Step& s) { return s.code_anchor; }));
  hdf5::write_column(group, "level",
                     column_of(steps, [](const Step& s) { return static_cast<std::int32_t>(s.level); }));
  hdf5::write_column(group, "grid", column_of(steps, [](const Step& s) { return s.grid; }));
  hdf5::write_column(group, "block", column_of(steps, [](const Step& s) { return s.block; }));
  hdf5::write_column(group, "elapsed_ms", column_of(steps, [](const Step& s) { return s.elapsed_ms; }));

  Flattened<std::string> path, wrote;
  Flattened<Highlight> highlights;
  Flattened<CheckResult> checks;
  for (const Step& step : steps) {
    path.add(step.path);
    wrote.add(step.wrote);
    highlights.add(step.highlights);
    checks.add(step.checks);
  }
  hdf5::write_texts(group, "path", path.items);
  hdf5::write_column(group, "path_begin", path.begin);
  hdf5::write_texts(group, "wrote", wrote.items);
  hdf5::write_column(group, "wrote_begin", wrote.begin);

  const Handle marks = hdf5::create_group(group, "highlights");
  Flattened<IndexRange> ranges;
  Flattened<std::uint32_t> nodes;
  for (const Highlight& h : highlights.items) {
    ranges.add(h.ranges);
    nodes.add(h.nodes);
  }
  hdf5::write_column(marks, "begin", highlights.begin);
  hdf5::write_texts(marks, "role", column_of(highlights.items, [](auto& h) { return std::string(name_of(h.role)); }));
  hdf5::write_texts(marks, "space", column_of(highlights.items, [](auto& h) { return std::string(name_of(h.space)); }));
  write_ranges(marks, ranges);
  hdf5::write_column(marks, "node", nodes.items);
  hdf5::write_column(marks, "first_node", nodes.begin);

  const Handle results = hdf5::create_group(group, "checks");
  hdf5::write_column(results, "begin", checks.begin);
  hdf5::write_texts(results, "name", column_of(checks.items, [](const CheckResult& c) { return c.name; }));
  hdf5::write_texts(results, "statement", column_of(checks.items, [](const CheckResult& c) { return c.statement; }));
  hdf5::write_texts(results, "detail", column_of(checks.items, [](const CheckResult& c) { return c.detail; }));
  hdf5::write_column(results, "passed", column_of(checks.items, [](auto& c) { return std::uint8_t{c.passed}; }));
  hdf5::write_texts(results, "array", column_of(checks.items, [](const CheckResult& c) { return c.array; }));
  hdf5::write_column(results, "violations", column_of(checks.items, [](const CheckResult& c) { return c.violations; }));
  Flattened<IndexRange> elements;
  for (const CheckResult& c : checks.items) elements.add(c.elements);
  write_ranges(results, elements);
}

void write_versions(hid_t group, const Trace::Array& array) {
  const std::vector<ArrayVersion>& versions = array.versions;
  hdf5::write_column(group, "step", column_of(versions, [](const ArrayVersion& v) { return v.step; }));
  hdf5::write_column(group, "keyframe", column_of(versions, [](auto& v) { return std::uint8_t{v.keyframe}; }));
  hdf5::write_column(group, "size", column_of(versions, [](const ArrayVersion& v) { return v.size; }));
  Flattened<IndexRange> ranges;
  Offsets value_begin{0};
  for (const ArrayVersion& v : versions) {
    ranges.add(v.ranges);
    value_begin.push_back(value_begin.back() + v.values.size());
  }
  write_ranges(group, ranges);
  hdf5::write_column(group, "value_begin", value_begin);
  const ElementType type = array.info.type;
  hdf5::Column values = hdf5::Column::create(group, "values", hdf5::disk_type(type), value_begin.back());
  for (std::size_t v = 0; v < versions.size(); ++v)
    values.write(value_begin[v], versions[v].values.size(), hdf5::memory_type(type), versions[v].values.bytes().data());
}

void write_arrays(hid_t file, const std::vector<Trace::Array>& arrays) {
  const Handle parent = hdf5::create_group(file, "arrays");
  hdf5::write_texts(parent, "names", column_of(arrays, [](const Trace::Array& a) { return a.info.name; }));
  for (const Trace::Array& array : arrays) {
    const ArrayInfo& info = array.info;
    const Handle group = hdf5::create_group(parent, group_name(info.name));
    hdf5::set_text(group, "label", info.label);
    hdf5::set_text(group, "type", name_of(info.type));
    hdf5::set_text(group, "index_space", name_of(info.index_space));
    hdf5::set_text(group, "value_space", name_of(info.value_space));
    hdf5::set_number(group, "components", info.components);
    hdf5::set_number(group, "shown_as_row", info.shown_as_row);
    if (info.dimension != no_id) hdf5::set_number(group, "dimension", info.dimension);
    hdf5::write_texts(group, "dimension_names", column_of(info.dimensions, [](auto& d) { return d.name; }));
    if (!info.dimensions.empty()) {
      hdf5::write_texts(group, "dimension_rows", column_of(info.dimensions, [](auto& d) { return d.row; }));
      hdf5::write_column(group, "dimension_from_least",
                         column_of(info.dimensions, [](auto& d) { return std::uint8_t{d.from_least}; }));
    }
    if (!info.order.empty()) hdf5::set_text(group, "order", info.order);
    if (!info.owner.empty()) hdf5::set_text(group, "owner", info.owner);
    if (!info.offsets.empty()) hdf5::set_text(group, "offsets", info.offsets);
    if (info.side != Side::none) hdf5::set_text(group, "side", name_of(info.side));
    if (!info.component_names.empty()) hdf5::write_texts(group, "component_names", info.component_names);
    if (info.gather) {
      hdf5::set_text(group, "gather_source", info.gather->source);
      hdf5::set_text(group, "gather_through", info.gather->through);
      hdf5::set_number(group, "gather_component", info.gather->component);
    } else {
      write_versions(group, array);
    }
  }
}

/// Composes the file in memory and sends it, because HDF5 1.10 crashes at exit if the disk was full.
void send_image(Sender& out, const Trace& trace) {
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose), access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_userblock(creation, seal_bytes);
  constexpr std::size_t growth = 4 << 20;
  H5Pset_fapl_core(access, growth, false);
  const Handle file(H5Fcreate("trace", H5F_ACC_TRUNC, creation, access), H5Fclose);
  if (!file) hdf5::cannot_write("");
  write_header(file, trace.header);
  write_steps(file, trace.steps);
  write_arrays(file, trace.arrays);
  void* image = nullptr;
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 || H5Fget_vfd_handle(file, access, &image) < 0) throw std::bad_alloc();
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);  // returns only the size, without the user block
  if (size < 0) throw std::bad_alloc();
  out.part(Part::image);
  out.raw({*static_cast<const char**>(image), seal_bytes + static_cast<std::size_t>(size)});
}

/// Composes the file in a child process, because HDF5 damages a process in which it runs out of memory.
void write_file(const Trace& trace, ReplacedFile& to) {
  // Read what was left in another file, which the child process cannot reach
  for (const Trace::Array& array : trace.arrays)
    for (const ArrayVersion& version : array.versions) version.values.bytes();
  const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  ChildLimits limits;
  limits.memory_bytes = std::uint64_t(1) << 46;
  limits.processor_seconds = std::uint64_t(1) << 30;
  limits.silence = std::chrono::hours(24 * 20);  // no limit: compression may be slow
  ChildProcess child(nothing.number(), limits, [&] { send_or_error([&](Sender& out) { send_image(out, trace); }); });
  const auto read_some = [&](void* bytes, std::size_t size) { return child.read_some(bytes, size); };
  Receiver in(read_some, 1 << 20);  // enough for the texts of an error; the image is not kept
  if (in.part() != Part::image) throw_error(in);
  Result<void> written;
  in.raw([&](std::string_view piece) {
    written = to.write(piece);
    return written.has_value();
  });
  if (!written) throw ErrorException(written.error());
}

Result<void> write_sealed(const Trace& trace, ReplacedFile& to) {
  try {
    write_file(trace, to);
  } catch (const ErrorException& e) {
    if (e.error().kind == ErrorKind::bad_input)  // the child crashed
      return Error{ErrorKind::out_of_memory, "the trace cannot be composed: HDF5 ended, as it does without memory",
                   to.path(), "close other traces, or record fewer points"};
    return e.error().where.empty() ? in_file(e.error(), to.path()) : e.error();
  } catch (const std::bad_alloc&) {
    return out_of_memory(to.path());
  }
  if (Result<void> sealed = seal_file(to.temporary()); !sealed) {
    Error error = sealed.error();
    error.where = to.path();
    return error;
  }
  return {};
}

}  // namespace

Result<void> save_trace(const Trace& trace, const std::string& path) {
  Result<ReplacedFile> file = ReplacedFile::begin(path);
  if (!file) return file.error();
  if (Result<void> written = write_sealed(trace, *file); !written) return written;
  return file->keep();
}

}  // namespace kdscope
