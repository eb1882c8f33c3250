#pragma once
// The length of tests with random trials: short in the suite, as long as required in tests/campaign.sh.

#include <cstdlib>

namespace kdscope::test {

/// Number of trials of a kind: KDSCOPE_CAMPAIGN_TRIALS if set.
inline int campaign_trials(int usual) {
  const char* wanted = std::getenv("KDSCOPE_CAMPAIGN_TRIALS");
  return wanted ? std::atoi(wanted) : usual;
}

/// Seed of the trials: KDSCOPE_CAMPAIGN_SEED if set.
inline unsigned campaign_seed(unsigned usual) {
  const char* wanted = std::getenv("KDSCOPE_CAMPAIGN_SEED");
  return wanted ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : usual;
}

}  // namespace kdscope::test
