#include "algorithms/variants/remote/greeting.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "algorithms/registry/build_provenance.hpp"
#include "algorithms/text/json_fields.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/variants/protocol.hpp"
#include "algorithms/variants/remote/compression.hpp"

namespace kdscope::variants::remote {
namespace {

constexpr std::size_t longest_text = 200, most_devices = 64, longest_greeting = 64 << 10;

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "this machine";
}

/// A text of the other side, as it may be shown.
std::string shown(const std::string& text) { return printable(std::string_view(text).substr(0, longest_text)); }

}  // namespace

Greeting own_greeting() {
  const std::string& commit = build_provenance().commit;
  const bool known = !commit.empty() && commit != "unknown";
  return {runner_id(),      std::string(version()) + (known ? ", commit " + commit : ""), host_name(), {}, 0,
          has_compression()};
}

Greeting greeting_of_device() {
  Greeting greeting = own_greeting();
  greeting.devices = find_devices();
  if (::getloadavg(&greeting.load, 1) != 1) greeting.load = 0;
  return greeting;
}

std::vector<std::string> device_lines(const Greeting& greeting) {
  std::vector<std::string> lines;
  for (const Device& d : greeting.devices.devices)
    lines.push_back(std::string(name_of(d.backend)) + "  " + d.name + ", " + bytes_text(d.memory_bytes) + " (" +
                    d.detail + ")");
  return lines;
}

std::string payload_of(const Greeting& greeting) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object();
  JsonFieldWriter members(json);
  Greeting sent = greeting;
  fields(members, sent);
  json.end_object();
  return out.str();
}

Result<Greeting> greeting_from(std::string_view payload) {
  Greeting greeting;
  try {
    if (payload.size() > longest_greeting) throw JsonError("it is too long");
    const JsonValue value = JsonValue::parse(payload);
    JsonFieldReader members(value);
    fields(members, greeting);
  } catch (const JsonError& e) {
    return Error{ErrorKind::bad_input, std::string("the other side's greeting cannot be read: ") + e.what(), "",
                 "install the same version of kdscope on both sides"};
  }
  greeting.version = shown(greeting.version), greeting.host = shown(greeting.host);
  greeting.devices.cuda_status = shown(greeting.devices.cuda_status);
  std::vector<Device>& devices = greeting.devices.devices;
  devices.resize(std::min(devices.size(), most_devices));
  for (Device& device : devices) device.name = shown(device.name), device.detail = shown(device.detail);
  return greeting;
}

std::string payload_of(const RunnerEnd& end) { return {static_cast<char>(end.signal), static_cast<char>(end.code)}; }

std::optional<RunnerEnd> end_from(std::string_view payload) {
  if (payload.size() != 2) return std::nullopt;
  const int number = payload[0], code = static_cast<unsigned char>(payload[1]);
  constexpr std::array ends_processes{SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,
                                      SIGKILL, SIGSEGV, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ, SIGSYS};
  if (std::ranges::find(ends_processes, number) != ends_processes.end()) return RunnerEnd{number, 0};
  return RunnerEnd{0, code};
}

}  // namespace kdscope::variants::remote
