#pragma once
// Trials give a reader seeds that are damaged at random. They need no coverage feedback, so they work with every
// compiler, and with readers that run in another process.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/fuzz/reader.hpp"

namespace kdscope::fuzz {

/// Returns the files to damage: the reader's seeds, and the files of its corpus that are small enough to be read often.
std::vector<std::string> trial_seeds(const Reader& reader);

/// Returns the bytes of trial i, which are always the same: one seed with damage at one to four places, of the kinds
/// that transfers, editors and attackers cause.
std::string trial_bytes(const std::vector<std::string>& seeds, std::uint64_t i);

struct TrialReport {
  std::uint64_t executions = 0, accepted = 0;
  double slowest_seconds = 0;
  std::vector<std::uint64_t> bad;     ///< trials with an unsound outcome
  std::vector<std::string> findings;  ///< the fault of each bad trial
};

/// Runs `count` trials from number `first` on, or fewer if the time is over.
TrialReport run_trials(const Reader& reader, std::uint64_t first, std::uint64_t count, std::chrono::seconds most);

/// Returns the outcome for some bytes. An exception is unsound, and so is a run of more than ten seconds.
Outcome end_of(const Reader& reader, const std::string& bytes);

}  // namespace kdscope::fuzz
