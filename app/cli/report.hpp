#pragma once
// What a command reports about a run, as lines of text or as one JSON object.

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/run_options.hpp"

namespace kdscope::cli {

/// Writes a report while a command lists it. The command names each fact once, with its line of text, its members of
/// the JSON object, or both; the other form's calls write nothing.
class Report {
 public:
  Report(std::ostream& out, bool as_json) : out_(out), json_(out), as_json_(as_json) {
    if (as_json) json_.begin_object();
  }
  ~Report() {
    if (as_json_) json_.end_object(), out_ << "\n";
  }
  Report(const Report&) = delete;

  /// Adds a line of text: the title in a column of 18 characters, then the parts.
  template <class... Parts>
  Report& line(std::string_view title, const Parts&... parts) {
    if (as_json_) return *this;
    out_ << title << std::string(18 - std::min<std::size_t>(18, title.size()), ' ');
    ((out_ << parts), ...);
    out_ << "\n";
    return *this;
  }
  template <class Value>
  Report& member(std::string_view key, const Value& value) {
    if (as_json_) json_.member(key, value);
    return *this;
  }
  Report& device(const Device& device) {
    return line("back end", name_of(device.backend), ", ", device.name)
        .member("backend", name_of(device.backend))
        .member("device", device.name);
  }
  Report& steps(const std::vector<StepTime>& times) {
    as_json_ ? write_steps(times, json_) : print_steps(times, out_);
    return *this;
  }
  Report& checks(const std::vector<CheckResult>& findings) {
    if (as_json_) {
      write_findings(findings, json_);
    } else if (!findings.empty()) {
      out_ << "checks\n";
      print_findings(findings, out_);
    }
    return *this;
  }

 private:
  std::ostream& out_;
  JsonWriter json_;
  bool as_json_;
};

}  // namespace kdscope::cli
