#include "app/workbench/device_choice.hpp"

#include <stdlib.h>

#include <algorithm>
#include <utility>

namespace kdscope {

using variants::remote::Connection;
using variants::remote::Greeting;
using variants::remote::NamedDevice;

KnownDevice::KnownDevice(NamedDevice device) : named(std::move(device)) {
  report.devices = {{Backend::automatic, 0, "not connected yet"}};
}

DeviceChoice::DeviceChoice(QObject* parent) : QObject(parent), here_(variants::runners_in_use()) {
  const Greeting here = variants::remote::greeting_of_device();
  KnownDevice& device = devices_.emplace_back(NamedDevice{});
  device.report = here.devices;
  device.host = here.host, device.version = here.version, device.load = here.load;
  device.seen = QDateTime::currentDateTime();
  (void)read();  // a file that cannot be read is reported where a person opens the list
  connect(&asking_, &BackgroundJob::finished, this, &DeviceChoice::ask_next, Qt::QueuedConnection);
}

DeviceChoice::~DeviceChoice() {
  if (!chosen_.empty()) variants::use_runners(here_);
}

const KnownDevice* DeviceChoice::find(const std::string& name) const {
  const auto found = std::ranges::find(devices_, name, [](const KnownDevice& device) { return device.named.name; });
  return found == devices_.end() ? nullptr : &*found;
}

KnownDevice* DeviceChoice::known(const std::string& name) { return const_cast<KnownDevice*>(find(name)); }

const KnownDevice& DeviceChoice::chosen() const {
  const KnownDevice* device = find(chosen_);
  return device ? *device : devices_.front();
}

Result<void> DeviceChoice::choose(const std::string& name) {
  const auto use = [&]() -> Result<void> {
    if (!find(name)) {
      if (const auto found = read(); !found) return found;
      if (!find(name)) return variants::remote::device_named(name).error();
    }
    if (name == chosen_) return {};
    const KnownDevice& device = *find(name);
    if (device.is_elsewhere()) {
      const auto runners = variants::remote::runners_of(device.named);
      if (!runners) return runners.error();
      variants::use_runners(*runners);
    } else {
      variants::use_runners(here_);
    }
    chosen_ = name;
    emit chosen_changed();
    return {};
  };
  const auto used = use();
  emit changed();
  if (used && chosen().seen.isNull()) ask(name);
  return used;
}

void DeviceChoice::ask(const std::string& name) {
  KnownDevice* device = known(name);
  if (!device || device->waits) return;
  device->waits = true;
  to_ask_.push_back(name);
  emit changed();
  ask_next();
}

void DeviceChoice::ask_next() {
  if (asking_.running() || to_ask_.empty()) return;
  const std::string name = to_ask_.front();
  to_ask_.pop_front();
  const KnownDevice* device = find(name);
  if (!device) return ask_next();  // removed meanwhile
  asking_.start(
      tr("Connecting to %1").arg(QString::fromStdString(name)),
      [this, name, named = device->named](const RunControl& control) -> BackgroundJob::Finish {
        Result<Greeting> answer = variants::remote::greeting_of_device();
        if (!name.empty()) {
          const auto connection = Connection::open(named.way, control.stop);
          answer = connection ? Result<Greeting>((*connection)->greeting()) : connection.error();
        }
        return [this, name, answer] { take_answer(name, answer); };
      },
      [this, name](const Error& error) { take_answer(name, error); });
}

void DeviceChoice::take_answer(const std::string& name, const Result<Greeting>& answer) {
  KnownDevice* device = known(name);
  if (!device) return;
  device->waits = false;
  device->error.reset();
  if (answer) {
    device->report = answer->devices;
    device->host = answer->host, device->version = answer->version, device->load = answer->load;
    device->seen = QDateTime::currentDateTime();
  } else {
    device->error = answer.error();
  }
  if (name == chosen_) emit chosen_changed();
  emit changed();
  if (name == chosen_ && !answer) emit failed(answer.error());
}

Result<void> DeviceChoice::read() {
  const auto named = variants::remote::named_devices();
  if (!named) return named.error();
  std::vector<KnownDevice> devices{devices_.front()};
  for (const NamedDevice& device : *named) {
    const KnownDevice* before = find(device.name);
    const bool same = before && before->named.way.command == device.way.command;
    devices.push_back(same ? *before : KnownDevice(device));
    devices.back().named = device;
  }
  devices_ = std::move(devices);
  if (!find(chosen_)) (void)choose({});
  emit changed();
  return {};
}

Result<void> DeviceChoice::add(const NamedDevice& device) {
  if (const auto added = variants::remote::add_device(device); !added) return added;
  if (const auto found = read(); !found) return found;
  ask(device.name);
  return {};
}

Result<void> DeviceChoice::remove(const std::string& name) {
  if (const auto removed = variants::remote::remove_device(name); !removed) return removed;
  return read();
}

}  // namespace kdscope
