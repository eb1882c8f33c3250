#pragma once
// Runs the program in a process of its own, so that a crash ends in a sentence.

#include <functional>
#include <string_view>

namespace kdscope::cli {

/// Notes what the program does, for the sentence after a crash. A note is cut at 200 bytes. Does nothing outside of
/// run_guarded(). May be called on any thread.
void note_running(std::string_view what);

/// Calls program() in a child process, which has this process's descriptors, and returns its exit code. If it crashes,
/// prints one sentence with the name, the last note and the signal, and returns exit_other_failure. Another signal that
/// ends the child ends this process, too. Passes on the signals SIGINT and SIGTERM that other processes send to this
/// one. Calls program() in this process under a debugger, or if no process can be started. Precondition: no other
/// thread runs; SIGINT and SIGTERM are blocked.
int run_guarded(std::string_view name, const std::function<int()>& program);

/// Whether a signal that this process received is to be followed. A guarded child takes those of the terminal and of
/// its parent: whoever sends one to a group of processes sends it to the parent, too.
bool is_for_this_process(int code, int sender);

}  // namespace kdscope::cli
