#pragma once
// The length of tests with random trials: short in the suite, and as long as requested in tests/campaign.sh.

#include <cstdlib>

namespace kdscope::test {

/// Returns whether tests/campaign.sh runs this: it tries all that the suite tries a share of.
inline bool is_campaign() { return std::getenv("KDSCOPE_CAMPAIGN_TRIALS") != nullptr; }

/// Returns the number of trials of a kind: KDSCOPE_CAMPAIGN_TRIALS if it is set, else `usual`.
inline int campaign_trials(int usual) {
  const char* wanted = std::getenv("KDSCOPE_CAMPAIGN_TRIALS");
  return wanted ? std::atoi(wanted) : usual;
}

/// Returns the seed of the trials: KDSCOPE_CAMPAIGN_SEED if it is set, else `usual`.
inline unsigned campaign_seed(unsigned usual) {
  const char* wanted = std::getenv("KDSCOPE_CAMPAIGN_SEED");
  return wanted ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : usual;
}

}  // namespace kdscope::test
