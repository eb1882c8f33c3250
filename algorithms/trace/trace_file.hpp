#pragma once
// Traces as HDF5 files, readable with numpy and h5py. Written under a temporary name, then renamed.
//
// Layout, format version 8. Behind a user block of 512 bytes (file_seal.hpp), which HDF5 readers skip:
//
//   /                attributes: format_version, algorithm, title, citation, data_set, n, dim, scalar ("float",
//                    "int"), up_axis, backend, device, version, tree_hash, tree_kind (the id of a kind of tree)
//   /parameters      one text attribute per parameter
//   /search          one text attribute per name of TraceHeader::search; none if the steps are those of a build
//   /build           attributes commit, local_changes (0 or 1), compiler, flags, build_type: of the program that
//                    recorded it
//   /sources         columns region, file, text (texts), first_line (uint32): the code regions that the steps name, as
//                    they were built
//   /data_warnings   texts: numbers of the input file that the points represent differently
//   /steps           columns, one element per step: name, title, kind, code_anchor (texts), level (int32), grid, block
//                    (uint64), elapsed_ms (float64). A list of lists is two columns: all elements, and the place where
//                    the list of step i begins (i + 1: ends): path and path_begin, wrote and wrote_begin
//   /steps/highlights   begin [steps + 1] (first highlight of each step), role, space (texts), range_begin, range_end,
//                    first_range [highlights + 1], node, first_node [highlights + 1]
//   /steps/checks    begin [steps + 1], name, statement, detail (texts), passed (uint8); array (text), violations
//                    (uint64), range_begin, range_end, first_range [checks + 1]: the violating elements. Files of
//                    earlier versions of kdscope lack the columns from array on
//   /arrays          data set `names`: the arrays in order, and one group per array, named like it ('/', '%' and a
//                    leading '.' as %2F, %25, %2E)
//   /arrays/NAME     attributes label, type, index_space, value_space, components, shown_as_row; where they apply
//                    dimension, side ("left", "right"), and names of other arrays: order, owner, offsets (ArrayInfo),
//                    and for derived rows gather_source, gather_through, gather_component. Data sets dimension_names
//                    with dimension_rows and dimension_from_least, and component_names where components have names.
//                    Stored arrays also have the columns step, keyframe (uint8), size (uint64) with one element per
//                    version, and values with value_begin, range_begin and range_end with first_range, each one
//                    element longer
//
// Texts are UTF-8 of fixed length, padded with zeros: in a column, of the length of its longest one. h5py reads them as
// bytes, and columns as str through asstr().
//
//   with h5py.File("run.kdtrace") as f:           # state of tags at the version v, if that is a keyframe
//       tags = f["arrays/tags"]
//       tags["values"][tags["value_begin"][v]:tags["value_begin"][v + 1]].reshape(-1, tags.attrs["components"])
//
// Formats 2 to 7 are read too. They have no /search; 2 to 6 declare no order, owner, offsets and side, and no rows of
// dimensions, for which names stood; 2 to 5 have no tree_kind; 2 to 4 have texts of variable length; 2 and 3 have no
// /build, /sources and /data_warnings.

#include <cstdint>
#include <memory>
#include <string>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Returns whether this build can read and write trace files, that is, whether HDF5 was found when it was built.
bool trace_files_available();

/// Writes a trace. If this fails, an older file of that name remains unchanged. Only one file is read or written at a
/// time. Extra memory: the size of the (compressed) file.
Result<void> save_trace(const Trace& trace, const std::string& path);

/// Reads a trace. If its values take more than `most_at_once` bytes, those of large arrays are read when they are first
/// looked at: a look throws ErrorException if the file is damaged behind its seal, changed or gone. The file stays open
/// until then, and may be replaced by another of its name. Nothing in a file is trusted. HDF5 crashes, hangs and writes
/// beyond its memory on maliciously crafted files. It therefore runs in a child process, which opens no other file and
/// whose memory and time are limited; an error reports how the child ended. The child first walks the file. It rejects
/// links to other places, values in other files, types and compressions that traces do not use, and sizes beyond its
/// bounds before it reads any value. The trace takes at most 1100 times the bytes of the file, the limit of deflate,
/// and at most three quarters of the available memory. The parent checks sizes, ranges and ids again before use. Extra
/// time: a copy of all values through a pipe, and a fork, which takes longer the more memory this process uses.
Result<std::shared_ptr<const Trace>> load_trace(const std::string& path, std::uint64_t most_at_once = std::uint64_t(64)
                                                                                                      << 20);

}  // namespace kdscope
