#pragma once
// Code shared by the writer and the reader of trace files: the versions of the format, the names of groups, and the
// protocol by which a child process sends its result or error.

#include <hdf5.h>

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/child_process.hpp"
#include "algorithms/trace/trace_stream.hpp"

namespace kdscope::trace_format {

using Offsets = std::vector<std::uint64_t>;

inline constexpr std::uint64_t format_version = 8;
/// Format 7 held builds only, no searches.
inline constexpr std::uint64_t format_without_searches = 7;
/// Format 6 declared no relations of arrays; names and their endings expressed them.
inline constexpr std::uint64_t format_with_named_relations = 6;
/// Format 5 did not name the kind of the tree.
inline constexpr std::uint64_t format_without_tree_kind = 5;
/// Format 4 had texts of variable length.
inline constexpr std::uint64_t format_with_variable_texts = 4;
/// Format 3 stored neither the build nor its sources nor warnings about the data.
inline constexpr std::uint64_t format_without_sources = 3;
/// Format 2 had split dimensions of 8 bits and no arrays that belong to a dimension.
inline constexpr std::uint64_t format_with_narrow_dimensions = 2;

/// Returns the error for a trace that does not fit into this machine's memory.
Error out_of_memory(const std::string& path);

/// Returns the name of an array's group, in which '/', '%' and a leading '.' are escaped.
std::string group_name(const std::string& array);

/// Prefixes an error's place inside the file with the path. Makes names from the file printable; they may have any
/// length and any bytes.
Error in_file(Error error, const std::string& path);

[[noreturn]] void throw_error(trace_stream::Receiver& in);

/// Sends the output of send(out), or the error that it throws.
template <class Send>
void send_or_error(Send send) {
  trace_stream::Sender out(ChildProcess::pipe_descriptor);
  const auto send_error = [&](Error error) {
    out.part(trace_stream::Part::error);
    out(error);
  };
  try {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // otherwise HDF5 prints its errors
    send(out);
  } catch (const ErrorException& e) {
    send_error(e.error());
  } catch (const std::exception&) {  // bad_alloc, length_error
    send_error(out_of_memory(""));
  }
  out.flush();
}

}  // namespace kdscope::trace_format
