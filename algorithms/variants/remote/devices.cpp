#include "algorithms/variants/remote/devices.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>
#include <utility>

#include "algorithms/core/configuration_folder.hpp"
#include "algorithms/core/input_file.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "algorithms/text/json_fields.hpp"
#include "algorithms/text/similar_names.hpp"

namespace kdscope::variants::remote {
namespace {

constexpr std::size_t most_file_bytes = 1 << 20;
constexpr std::string_view wait_option = "--wait=", silence_option = "--silence=";

/// A line of the file.
struct Entry {
  std::string name;
  std::vector<std::string> command;
  int wait_s = static_cast<int>(Way::usual_wait.count()), silence_s = static_cast<int>(Way::usual_silence.count());
  int stays_above_mb = NamedDevice().stays_above_mb;
};
template <class Io>
void fields(Io& io, Entry& e) {
  io(Field{"name", e.name}, Field{"command", e.command}, Field{"wait_s", e.wait_s}, Field{"silence_s", e.silence_s},
     Field{"stays_above_mb", e.stays_above_mb});
}

Result<NamedDevice> device_from(const std::string& line) {
  Entry entry;
  try {
    const JsonValue value = JsonValue::parse(line);
    JsonFieldReader members(value);
    fields(members, entry);
  } catch (const JsonError& e) {
    return Error{ErrorKind::bad_input, std::string("this is no device: ") + e.what(), "", ""};
  }
  if (const auto named = check_device_name(entry.name); !named) return named.error();
  if (entry.command.empty() || entry.command.front().empty())
    return Error{ErrorKind::bad_input, "the device has no command", "", ""};
  if (entry.wait_s < 1) return Error{ErrorKind::bad_input, "wait_s is less than a second", "", ""};
  if (entry.silence_s < 1) return Error{ErrorKind::bad_input, "silence_s is less than a second", "", ""};
  if (entry.stays_above_mb < 0) return Error{ErrorKind::bad_input, "stays_above_mb is negative", "", ""};
  return NamedDevice{entry.name,
                     {entry.command, std::chrono::seconds(entry.wait_s), std::chrono::seconds(entry.silence_s)},
                     entry.stays_above_mb};
}

}  // namespace

std::string devices_path() {
  const std::string folder = configuration_folder();
  return folder.empty() ? "" : folder + "/devices";
}

Result<std::vector<NamedDevice>> named_devices() {
  std::vector<NamedDevice> devices;
  const std::string path = devices_path();
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return devices;
  const auto text = read_file(path, most_file_bytes);
  if (!text) return text.error();
  std::istringstream lines(*text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    auto device = device_from(line);
    if (!device)
      return Error{ErrorKind::bad_input, device.error().what, path + ":" + std::to_string(number),
                   "correct the line, or remove it"};
    devices.push_back(std::move(*device));
  }
  return devices;
}

Result<void> keep_devices(const std::vector<NamedDevice>& devices) {
  const std::string path = devices_path();
  if (path.empty())
    return Error{ErrorKind::io_failure, "there is no folder to keep devices in", "", "set HOME or XDG_CONFIG_HOME"};
  std::ostringstream out;
  for (const NamedDevice& device : devices) {
    Entry entry{device.name, device.way.command, static_cast<int>(device.way.wait.count()),
                static_cast<int>(device.way.silence.count()), device.stays_above_mb};
    JsonWriter json(out);
    json.begin_object();
    JsonFieldWriter members(json);
    fields(members, entry);
    json.end_object();
    out << "\n";
  }
  std::error_code ignored;  // the file cannot be written then
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  return replace_file(path, out.str());
}

Result<NamedDevice> device_named(const std::string& name) {
  const auto devices = named_devices();
  if (!devices) return devices.error();
  std::vector<std::string> names;
  for (const NamedDevice& device : *devices) {
    if (device.name == name) return device;
    names.push_back(device.name);
  }
  std::string remedy = did_you_mean(name, names);
  if (remedy.empty()) remedy = "kdscope-cli device list prints the devices, and device add adds one";
  return Error{ErrorKind::bad_usage, "there is no device '" + name + "'", "", remedy};
}

Result<void> check_device_name(const std::string& name) {
  constexpr std::size_t longest = 60;
  const bool good =
      !name.empty() && name.size() <= longest && name.front() != '-' &&
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") == std::string::npos;
  if (good) return {};
  return Error{ErrorKind::bad_usage, "'" + name.substr(0, longest) + "' cannot be the name of a device", "",
               "use at most 60 letters, digits, '-', '_' and '.', and no '-' first"};
}

Result<void> add_device(const NamedDevice& device) {
  if (const auto named = check_device_name(device.name); !named) return named;
  if (device.way.command.empty())
    return Error{ErrorKind::bad_usage, "the device needs a command that starts kdscope-runner --far", "",
                 "give one such as ssh -o BatchMode=yes lab kdscope-runner --far"};
  auto devices = named_devices();
  if (!devices) return devices.error();
  if (std::ranges::find(*devices, device.name, &NamedDevice::name) != devices->end())
    return Error{ErrorKind::bad_usage, "there is a device '" + device.name + "' already", "",
                 "choose another name, or remove it first"};
  devices->push_back(device);
  return keep_devices(*devices);
}

Result<void> remove_device(const std::string& name) {
  if (const auto known = device_named(name); !known) return known.error();
  auto devices = named_devices();
  if (!devices) return devices.error();
  std::erase_if(*devices, [&](const NamedDevice& device) { return device.name == name; });
  return keep_devices(*devices);
}

Result<std::vector<std::string>> command_from(const std::string& text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    if (quote == 0 && blank) {
      in_word = false;
      continue;
    }
    if (!std::exchange(in_word, true)) words.emplace_back();
    if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == quote)
      quote = 0;
    else if (c == '\\' && quote != '\'' && i + 1 < text.size())
      words.back() += text[++i];
    else
      words.back() += c;
  }
  if (quote != 0)
    return Error{ErrorKind::bad_usage, std::string("the command has a quote ") + quote + " without an end", "",
                 "close it"};
  if (words.empty())
    return Error{ErrorKind::bad_usage, "there is no command", "", "give one that starts kdscope-runner --far"};
  return words;
}

Result<std::shared_ptr<Runners>> runners_of(const NamedDevice& device) {
  const auto runner = Runners::find_program();
  if (!runner) return runner.error();
  return std::make_shared<Runners>(near_command(*runner, device.way), RunnersAre::elsewhere, device.name,
                                   std::uint64_t(device.stays_above_mb) << 20);
}

std::vector<std::string> near_command(const std::string& runner, const Way& way) {
  std::vector<std::string> words{runner, "--near", std::string(wait_option) + std::to_string(way.wait.count()),
                                 std::string(silence_option) + std::to_string(way.silence.count())};
  words.insert(words.end(), way.command.begin(), way.command.end());
  return words;
}

Result<Way> way_from(const std::vector<std::string>& words) {
  Way way{words};
  for (const auto& [option, value] : {std::pair{wait_option, &way.wait}, std::pair{silence_option, &way.silence}}) {
    if (way.command.empty() || !way.command.front().starts_with(option)) continue;
    const std::string text = way.command.front().substr(option.size());
    int seconds = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (failed != std::errc() || end != text.data() + text.size() || seconds < 1)
      return Error{ErrorKind::bad_usage, std::string(option.substr(0, option.size() - 1)) + " cannot be '" + text + "'",
                   "", "give seconds, from 1"};
    *value = std::chrono::seconds(seconds);
    way.command.erase(way.command.begin());
  }
  if (way.command.empty())
    return Error{ErrorKind::bad_usage, "--near needs a command", "", "name one that starts kdscope-runner --far"};
  return way;
}

}  // namespace kdscope::variants::remote
