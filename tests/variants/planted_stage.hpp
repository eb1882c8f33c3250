#pragma once
// Lets one program hold many faults of a builder: each look names the fault that runs.

#include <bit>
#include <cstdlib>
#include <type_traits>

namespace kdscope::test {

/// The variable of the environment that names the fault which runs, by its number.
inline constexpr const char* planted_variable = "KDSCOPE_PLANTED_FAULT";

/// Not reported, so that the choice is no access of the stage.
[[gnu::noinline, gnu::no_sanitize("thread")]] inline int running_fault() {
  const char* text = std::getenv(planted_variable);
  return text ? std::atoi(text) : -1;
}

/// A stage with a fault.
template <int fault_number, class FaultyStage>
struct Planted {
  static constexpr int number = fault_number;

  template <class Original>
  static FaultyStage stage(const Original& original) {
    if constexpr (std::is_base_of_v<Original, FaultyStage>)
      return FaultyStage{original};
    else
      return std::bit_cast<FaultyStage>(original);
  }
};

/// Runs the stage with the fault that the environment names, or the original if that is none of `Faults`.
template <class Original, class... Faults>
struct PlantedStage : Original {
  template <class... Arguments>
  decltype(auto) operator()(Arguments&&... arguments) const {
    return run<Faults...>(*this, arguments...);
  }

 private:
  template <class Fault, class... Others, class... Arguments>
  static decltype(auto) run(const Original& original, Arguments&... arguments) {
    if (running_fault() == Fault::number) return Fault::stage(original)(arguments...);
    if constexpr (sizeof...(Others) > 0)
      return run<Others...>(original, arguments...);
    else
      return original(arguments...);
  }
};

}  // namespace kdscope::test
