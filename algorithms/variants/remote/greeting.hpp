#pragma once
// What the two sides say of themselves first, and how the far runner's end is reported.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/text/field.hpp"

namespace kdscope::variants::remote {

/// The first frame of each side.
struct Greeting {
  std::string protocol = {};              ///< runner_id()
  std::string version = {};               ///< "0.1.0, commit 1234abcd"
  std::string host = {};                  ///< name of the machine
  DeviceReport devices = {};              ///< of the far side alone
  double load = 0;                        ///< processes that run or wait there, the mean of the last minute
  bool compresses = false;                ///< whether the side can expand compressed frames
};
template <class Io>
void fields(Io& io, Greeting& g) {
  io(Field{"protocol", g.protocol}, Field{"version", g.version}, Field{"host", g.host},
     Field{"devices", g.devices.devices}, Field{"cuda_status", g.devices.cuda_status}, Field{"load", g.load},
     Field{"compresses", g.compresses});
}

/// Returns the greeting of this process, without devices.
Greeting own_greeting();
/// Returns the same with devices and load, as the far side greets.
Greeting greeting_of_device();
/// Returns a line for each device: "cuda  NVIDIA H100, 80 GiB (...)".
std::vector<std::string> device_lines(const Greeting& greeting);

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
