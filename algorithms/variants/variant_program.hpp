#pragma once
// The program that a variant's file becomes, and the runner's.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "algorithms/builders/algorithm.hpp"

namespace kdscope {
namespace variants {
struct ProcessRequest;
struct ServedWork;
}

/// The main function of a variant. Reads requests from standard input and records or builds (protocol.hpp), until a
/// request does not ask it to stay. file: the variant's source, as the compiler names it. kit_id: the library for which
/// it was compiled. Returns the exit code: 0 if the last request was fulfilled.
int run_as_variant(const char* file, const char* kit_id);

/// What the compiler passes to the handler of a division by zero, in front of more.
struct DivisionPlace {
  const char* file;
  std::uint32_t line, column;
};
/// Reports that a variant divides an integer by zero, and ends the program.
[[noreturn]] void end_at_division(const DivisionPlace& place);

/// Waits until a request may begin, and reports how long. What it returns lives as long as the request is served.
using TakeTurn =
    std::function<std::shared_ptr<void>(const variants::ProcessRequest& request, const RunControl& control)>;

/// The main function of kdscope-runner: the same for all builders of this program, and other work.
int run_as_runner(const std::vector<variants::ServedWork>& works, const TakeTurn& take_turn = {});

}  // namespace kdscope
