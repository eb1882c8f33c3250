#pragma once
// The processes in which this test's builds run.

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <string>

namespace kdscope::test {

/// Returns the processes of kdscope-runner that a process has started, this one unless another is named, and that have
/// not ended.
inline std::set<pid_t> runner_processes(pid_t of = ::getpid()) {
  std::set<pid_t> found;
  DIR* folder = ::opendir("/proc");
  for (const dirent* entry; folder && (entry = ::readdir(folder));) {
    std::ifstream file(std::string("/proc/") + entry->d_name + "/stat");
    std::string number, name, state;
    pid_t parent = 0;
    if ((file >> number >> name >> state >> parent) && parent == of && name == "(kdscope-runner)" && state != "Z")
      found.insert(std::stoi(number));
  }
  if (folder) ::closedir(folder);
  return found;
}

/// Crashes all of them.
inline void abort_runners() {
  for (const pid_t process : runner_processes()) ::kill(process, SIGABRT);
}

}  // namespace kdscope::test
