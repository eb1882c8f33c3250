// device: names machines elsewhere on which runs can be made.

#include "algorithms/text/json.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/variants/remote/devices.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/run_options.hpp"

namespace kdscope::cli {
namespace {

using variants::remote::Connection;
using variants::remote::NamedDevice;

Result<ExitCode> add_device(const Arguments& arguments, Console& console) {
  NamedDevice added{arguments.operand(1), {arguments.operands_from(2)}};
  const auto wait =
      value_of(arguments.integer("--wait", static_cast<std::uint64_t>(added.way.wait.count()), 1, 1'000'000));
  added.way.wait = std::chrono::seconds(wait);
  const auto silence =
      value_of(arguments.integer("--silence", static_cast<std::uint64_t>(added.way.silence.count()), 1, 1'000'000));
  added.way.silence = std::chrono::seconds(silence);
  added.stays_above_mb = static_cast<int>(
      value_of(arguments.integer("--stays", static_cast<std::uint64_t>(added.stays_above_mb), 0, 1'000'000)));
  ensure(variants::remote::add_device(added));
  console.out << added.name << " is kept in " << printable(variants::remote::devices_path())
              << "; kdscope-cli device list --check tries it\n";
  return exit_ok;
}

Result<ExitCode> remove_device(const std::string& name, Console& console) {
  ensure(variants::remote::remove_device(name));
  console.out << name << " is removed\n";
  return exit_ok;
}

/// Connects to a device and prints what it says of itself. Returns whether it answers.
bool print_checked(const NamedDevice& device, Console& console, JsonWriter* json) {
  const auto connection = Connection::open(device.way, console.stop);
  if (json) {
    json->member("answers", connection.has_value());
    if (connection) {
      const auto& greeting = (*connection)->greeting();
      json->member("host", greeting.host);
      json->member("version", greeting.version);
      json->member("devices", variants::remote::device_lines(greeting));
      json->member("load", greeting.load);
    } else {
      json->member("error", connection.error().message());
    }
  } else if (connection) {
    const auto& greeting = (*connection)->greeting();
    console.out << "  " << greeting.host << ", kdscope " << greeting.version << "\n";
    for (const std::string& line : variants::remote::device_lines(greeting)) console.out << "  " << line << "\n";
  } else {
    console.out << "  FAILED  " << printable(connection.error().message()) << "\n";
  }
  return connection.has_value();
}

Result<ExitCode> list_devices_elsewhere(const Arguments& arguments, Console& console) {
  const auto devices = value_of(variants::remote::named_devices());
  const bool check = arguments.has("--check");
  bool all = true;
  if (arguments.has("--json")) {
    JsonWriter json(console.out);
    json.begin_array();
    for (const NamedDevice& device : devices) {
      json.begin_object();
      json.member("name", device.name);
      json.member("command", device.way.command);
      json.member("wait_s", device.way.wait.count());
      json.member("silence_s", device.way.silence.count());
      json.member("stays_above_mb", device.stays_above_mb);
      if (check) all = print_checked(device, console, &json) && all;
      json.end_object();
    }
    json.end_array();
    console.out << "\n";
  } else {
    if (devices.empty()) console.out << "no devices; kdscope-cli device --help explains how to add one\n";
    for (const NamedDevice& device : devices) {
      console.out << device.name << "  " << printable(variants::remote::command_text(device.way.command)) << "\n"
                  << std::flush;
      if (check) all = print_checked(device, console, nullptr) && all;
    }
  }
  return all ? exit_ok : exit_other_failure;
}

Result<ExitCode> run_device(const Arguments& arguments, Console& console) {
  const std::string action = arguments.operand(0);
  const auto wants = [&](std::size_t words) { return arguments.operand_count() == words; };
  if (action == "add") return add_device(arguments, console);
  if (action == "list" && wants(1)) return list_devices_elsewhere(arguments, console);
  if (action == "remove" && wants(2)) return remove_device(arguments.operand(1), console);
  return Error{ErrorKind::bad_usage, "device does not take these words", "",
               "write device list, device add NAME -- COMMAND..., or device remove NAME"};
}

}  // namespace

Command device_command() {
  return {{"device",
           "use GPUs of other machines: add, list, remove",
           "A device is a command that starts `kdscope-runner --far` on another machine and carries its standard "
           "input and output: ssh, srun or docker. kdscope has to be installed there in the same version, with "
           "kdscope-runner in the PATH or with its whole path in the command. With --device NAME, a run is made "
           "there, and its trace, times and prints come here. Nothing listens on a port: whoever may run the command "
           "may use the device. The command must not ask anything, so ssh needs a key without a passphrase or an "
           "agent, and a host that it knows: `-o BatchMode=yes` makes it fail instead. Devices are kept in a text file "
           "that `device add` names.",
           {{"ACTION", "add, list or remove."},
            {"NAME", "add, remove: the device.", false},
            {"COMMAND", "add: the command and its arguments, after --.", false, true}},
           {{"--check", "", "list: connect to each device, and print its host, its version and its back ends."},
            {"--wait", "SECONDS",
             "add: how long the command may take until kdscope-runner answers, such as in a queue. Default: 60."},
            {"--silence", "SECONDS",
             "add: how long nothing may come during a run, before its connection counts as lost. kdscope-runner sends "
             "a sign of life every second. Default: 30."},
            {"--stays", "MB",
             "add: of a run that the window shows, values beyond so many MiB stay there and come when they are first "
             "looked at. 0: all travel at once, as they do to kdscope-cli. Default: 1024."},
            json_option()},
           {"device add lab -- ssh -o BatchMode=yes -o ServerAliveInterval=15 lab kdscope-runner --far",
            "device add queue --wait 3600 -- ssh -o BatchMode=yes cluster srun --gres=gpu:1 kdscope-runner --far",
            "device add box -- docker run -i --rm --gpus all kdscope kdscope-runner --far", "device list --check",
            "record --device lab --data bunny -o bunny.kdtrace"},
           {},
           "Exit code 5 if a device does not answer."},
          run_device};
}

}  // namespace kdscope::cli
