#pragma once
// How long tests with random trials run: briefly in the suite, as long as wanted in tests/campaign.sh.

#include <cstdlib>

namespace kdscope::test {

/// Trials of a kind: KDSCOPE_CAMPAIGN_TRIALS if that is set.
inline int campaign_trials(int usual) {
  const char* wanted = std::getenv("KDSCOPE_CAMPAIGN_TRIALS");
  return wanted ? std::atoi(wanted) : usual;
}

/// Seed of the trials: KDSCOPE_CAMPAIGN_SEED if that is set.
inline unsigned campaign_seed(unsigned usual) {
  const char* wanted = std::getenv("KDSCOPE_CAMPAIGN_SEED");
  return wanted ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : usual;
}

}  // namespace kdscope::test
