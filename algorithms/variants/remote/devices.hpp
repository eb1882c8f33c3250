#pragma once
// The devices elsewhere that a person has named, in a file that one can read and edit.

#include <memory>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/variants/remote/connection.hpp"
#include "algorithms/variants/runners.hpp"

namespace kdscope::variants::remote {

/// A device, and how it is reached.
struct NamedDevice {
  std::string name;
  Way way;
  int stays_above_mb = 1024;  ///< of a recording that the window shows: values beyond so many MiB stay there
};

/// Returns the file of devices: $XDG_CONFIG_HOME/kdscope/devices, else ~/.config/kdscope/devices; empty without both.
/// It has one JSON object per line: {"name":"lab","command":["ssh","lab","kdscope-runner","--far"],"wait_s":60,
/// "silence_s":30,"stays_above_mb":1024}.
std::string devices_path();

/// Returns the devices of the file, in its order; none without a file. Errors of kind bad_input name the line.
Result<std::vector<NamedDevice>> named_devices();
/// Replaces the file. Errors: io_failure.
Result<void> keep_devices(const std::vector<NamedDevice>& devices);

/// Returns the device of this name. Errors of kind bad_usage: there is none.
Result<NamedDevice> device_named(const std::string& name);
/// Checks a name for a device: letters, digits, '-', '_' and '.', at most 60. Errors of kind bad_usage.
Result<void> check_device_name(const std::string& name);

/// Adds a device to the file, as the last one. Errors: those of check_device_name() and keep_devices(); of kind
/// bad_usage if there is one of this name, or if it has no command.
Result<void> add_device(const NamedDevice& device);
/// Removes a device from the file. Errors: those of device_named() and keep_devices().
Result<void> remove_device(const std::string& name);

/// Reads the words of a command as a shell does, without its variables and patterns. Errors of kind bad_usage: there is
/// no word, or a quote has no end.
Result<std::vector<std::string>> command_from(const std::string& text);

/// Returns runners that lead to the device. They connect when a request comes, or earlier. Errors: those of
/// Runners::find_program().
Result<std::shared_ptr<Runners>> runners_of(const NamedDevice& device);

/// Returns the command that stands for kdscope-runner (its path) and works on the device.
std::vector<std::string> near_command(const std::string& runner, const Way& way);
/// Reads the words of that command behind the program's name and --near. Errors of kind bad_usage.
Result<Way> way_from(const std::vector<std::string>& words);

}  // namespace kdscope::variants::remote
