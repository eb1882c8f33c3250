#pragma once
// The messages between kdscope and a variant's process: JSON, one value per line. The request goes to the process's
// standard input. The process sends its events through descriptor 3, so that nothing else that a variant prints is an
// event.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/variants/named_memory.hpp"

namespace kdscope::variants {

inline constexpr int event_descriptor = 3;

/// A recording that a variant's process makes.
struct RecordRequest {
  std::string data;       ///< specification of the data set (datasets.hpp)
  std::string data_name;  ///< name of the data set in the trace; empty: `data`
  Parameters parameters;
  std::string trace_file;              ///< the file that the process writes
  std::size_t most_steps = 0;          ///< see BuildRequest
  std::vector<RecordedSource> stages;  ///< the variant's regions
  Backend backend = Backend::cpu;
  bool sanitize = false;  ///< on CUDA: under compute-sanitizer; the process announces its arrays
  bool timed = false;     ///< build once at full speed, and record nothing
};

/// One line from a variant's process.
struct Event {
  enum class Kind : std::uint8_t {
    ready,          ///< the process has started; `text`: the id of the kit that it was built with
    step,           ///< a step begins; `text`: its path
    replaced,       ///< the recording is written; `names`: the stages whose replacements were launched
    failed,         ///< the recording failed with `error`
    out_of_bounds,  ///< an access out of bounds, at `place` unless no array is there; the process ends
    built,          ///< a timed build took `milliseconds`; `text`: the tree's hash
    array,          ///< the array `place` was allocated at `address`, with elements of `element_bytes`
  };
  Kind kind = Kind::ready;
  std::string text = {};
  std::vector<std::string> names = {};
  Error error = {};
  std::optional<PlaceInArray> place = {};
  bool writes = false;     ///< whether the access out of bounds writes
  std::uint32_t line = 0;  ///< line of that access in the variant's file; 0 if unknown
  std::uint64_t address = 0, element_bytes = 0;
  double milliseconds = 0;
};

std::string line_of(const RecordRequest& request);
std::string line_of(const Event& event);
/// Parse a line. Errors of kind bad_input: the line is not a request or not an event.
Result<RecordRequest> request_from(const std::string& line);
Result<Event> event_from(const std::string& line);

}  // namespace kdscope::variants
