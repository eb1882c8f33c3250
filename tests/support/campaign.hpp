#pragma once
// The length of tests with random trials: short in the suite, and as long as requested in tests/campaign.sh.

#include <cstdlib>
#include <string_view>

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

/// Returns whether the trials of this subject run: those of KDSCOPE_CAMPAIGN_ONLY if it is set, else all.
inline bool is_tried(std::string_view subject) {
  const char* only = std::getenv("KDSCOPE_CAMPAIGN_ONLY");
  return !only || subject == only;
}

}  // namespace kdscope::test
