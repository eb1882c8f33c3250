#pragma once
// Trials: a reader is given seeds with random damage. No coverage guides them, so they run with every compiler, and on
// readers whose work is done in another process.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/fuzz/reader.hpp"

namespace kdscope::fuzz {

/// What is damaged: the reader's seeds, and those files of its corpus that are small enough to be read often.
std::vector<std::string> trial_seeds(const Reader& reader);

/// The bytes of trial i, the same whenever asked: one seed with one to four places damaged as transfers, editors and
/// attackers do.
std::string trial_bytes(const std::vector<std::string>& seeds, std::uint64_t i);

struct TrialReport {
  std::uint64_t executions = 0, accepted = 0;
  double slowest_seconds = 0;
  std::vector<std::uint64_t> bad;     ///< trials with an unsound end
  std::vector<std::string> findings;  ///< of each, what was wrong
};

/// Runs trials from `first` on, `count` of them or until the time is over.
TrialReport run_trials(const Reader& reader, std::uint64_t first, std::uint64_t count, std::chrono::seconds most);

/// What becomes of some bytes; an exception is unsound, and so is an end after more than ten seconds.
Outcome end_of(const Reader& reader, const std::string& bytes);

}  // namespace kdscope::fuzz
