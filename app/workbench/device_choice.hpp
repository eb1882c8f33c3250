#pragma once
// The devices that the window can use: this machine, and those elsewhere that a person has named. One of them is chosen
// for the next run.

#include <QDateTime>
#include <QObject>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/variants/remote/devices.hpp"
#include "app/workbench/background_job.hpp"

namespace kdscope {

/// A device, and what it said of itself when it was asked last.
struct KnownDevice {
  explicit KnownDevice(variants::remote::NamedDevice device);

  bool is_elsewhere() const { return !named.name.empty(); }

  variants::remote::NamedDevice named;  ///< without a name: this machine
  DeviceReport report;                  ///< never empty; before the first answer, a device of no known back end
  std::string host, version;
  double load = 0;                  ///< processes that run or wait there
  QDateTime seen = {};              ///< of the last answer; null: none yet
  std::optional<Error> error = {};  ///< why it did not answer when it was asked last
  bool waits = false;               ///< it has been asked and has not answered
};

/// Everything through the one door (algorithms/run) uses the chosen device. What runs when another one is chosen goes
/// on where it is, and what is open stays open.
class DeviceChoice : public QObject {
  Q_OBJECT

 public:
  /// This machine is chosen: the runners that are in use now, or this process.
  explicit DeviceChoice(QObject* parent = nullptr);
  /// This machine's runners are in use again.
  ~DeviceChoice() override;

  /// This machine first, then the file's. Reads the file if it was not read before.
  const std::vector<KnownDevice>& all() const { return devices_; }
  const KnownDevice& chosen() const;
  /// The device of a name; null if there is none. Empty: this machine.
  const KnownDevice* find(const std::string& name) const;

  /// Chooses a device for what runs next, and asks it if it has not answered yet. changed() follows, also where an
  /// error leaves the device before: what shows the other one already goes back. Errors: those of device_named() and
  /// runners_of().
  Result<void> choose(const std::string& name);
  /// Connects to a device and lets it say what it is, one after the other. changed() follows.
  void ask(const std::string& name);
  /// Reads the file again, which kdscope-cli may have changed. Errors: those of named_devices().
  Result<void> read();
  /// Adds a device to the file, and asks it. Errors: those of add_device().
  Result<void> add(const variants::remote::NamedDevice& device);
  /// Removes a device from the file; this machine is chosen if it was. Errors: those of remove_device().
  Result<void> remove(const std::string& name);

 signals:
  void changed();                            ///< what is known of a device, or which there are
  void chosen_changed();                     ///< another device, or what is known of the chosen one
  void failed(const kdscope::Error& error);  ///< the chosen device was asked and did not answer

 private:
  KnownDevice* known(const std::string& name);
  void ask_next();
  void take_answer(const std::string& name, const Result<variants::remote::Greeting>& answer);

  std::shared_ptr<variants::Runners> here_;
  std::vector<KnownDevice> devices_;
  std::string chosen_;
  std::deque<std::string> to_ask_;
  BackgroundJob asking_;
};

}  // namespace kdscope
