#pragma once
// What the two sides say of themselves first, and how the far runner's end is reported.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/text/field.hpp"

namespace kdscope::variants::remote {

/// The first frame of each side.
struct Greeting {
  std::string protocol = {};              ///< runner_id()
  std::string version = {};               ///< "0.1.0, commit 1234abcd"
  std::string host = {};                  ///< name of the machine
  std::vector<std::string> devices = {};  ///< "cuda  NVIDIA H100, 80 GiB (...)", of the far side alone
  bool compresses = false;                ///< whether the side can expand compressed frames
};
template <class Io>
void fields(Io& io, Greeting& g) {
  io(Field{"protocol", g.protocol}, Field{"version", g.version}, Field{"host", g.host}, Field{"devices", g.devices},
     Field{"compresses", g.compresses});
}

/// Returns the greeting of this process, without devices.
Greeting own_greeting();
/// Returns a line for each device of this machine.
std::vector<std::string> device_lines();

std::string payload_of(const Greeting& greeting);
/// Reads a greeting. Its texts are printable and short. Errors of kind bad_input: it is none.
Result<Greeting> greeting_from(std::string_view payload);

/// How a process ended, in the payload of FrameKind::ended.
struct RunnerEnd {
  int signal = 0;  ///< that ended it, or 0
  int code = 0;    ///< its exit code
};
std::string payload_of(const RunnerEnd& end);
/// Returns nullopt if the payload is none. A signal that ends no process becomes an exit code.
std::optional<RunnerEnd> end_from(std::string_view payload);

}  // namespace kdscope::variants::remote
