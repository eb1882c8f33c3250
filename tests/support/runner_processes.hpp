#pragma once
// The processes in which this test's builds run.

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <string>

namespace kdscope::test {

/// Returns the processes that a process has started and that have not ended: those of one program if it is named.
inline std::set<pid_t> children_of(pid_t of, const std::string& program = "") {
  std::set<pid_t> found;
  DIR* folder = ::opendir("/proc");
  for (const dirent* entry; folder && (entry = ::readdir(folder));) {
    std::ifstream file(std::string("/proc/") + entry->d_name + "/stat");
    std::string number, name, state;
    pid_t parent = 0;
    if ((file >> number >> name >> state >> parent) && parent == of && state != "Z" &&
        (program.empty() || name == "(" + program + ")"))
      found.insert(std::stoi(number));
  }
  if (folder) ::closedir(folder);
  return found;
}

/// Returns the processes of kdscope-runner that a process has started, this one unless another is named.
inline std::set<pid_t> runner_processes(pid_t of = ::getpid()) { return children_of(of, "kdscope-runner"); }

/// Crashes all that this process has started.
inline void abort_runners() {
  for (const pid_t process : runner_processes()) ::kill(process, SIGABRT);
}

}  // namespace kdscope::test
