// Stands in for session_yaml.cpp where yaml-cpp is missing.

#include "app/session/session_file.hpp"

namespace kdscope {
namespace {

Error off(const std::string& path) {
  return {ErrorKind::bad_usage, "session files are off, because this build has no yaml-cpp", path,
          "install libyaml-cpp-dev and configure again"};
}

}  // namespace

bool session_files_available() { return false; }
std::string session_text(const SavedSession&) { return {}; }
Result<ReadSession> parse_session(const std::string&, const std::string& path) { return off(path); }
Result<ReadSession> read_session(const std::string& path) { return off(path); }
Result<void> save_session(const SavedSession&, const std::string& path) { return off(path); }

}  // namespace kdscope
