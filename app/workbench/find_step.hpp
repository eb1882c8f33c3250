#pragma once
// A search for a step of the open run, by what its values are.

#include <cstdint>
#include <functional>

#include "app/workbench/playback.hpp"

namespace kdscope {

/// Calls `takes` with the steps from `first` on, in turn, each once its values and those before it are in memory
/// (Playback::when_here()), until it returns true; `none` if it never does. What ends the wait ends the search.
inline void find_step(Playback& playback, std::uint32_t first, const std::function<bool(std::uint32_t)>& takes,
                      const std::function<void()>& none) {
  for (std::uint32_t step = first; step < playback.step_count(); ++step) {
    const auto waits = std::make_shared<bool>(false);
    bool here = false;
    playback.when_here(step, [&playback, &here, waits, step, takes, none] {
      *waits ? find_step(playback, step, takes, none) : static_cast<void>(here = true);
    });
    *waits = true;
    if (!here || takes(step)) return;
  }
  none();
}

}  // namespace kdscope
