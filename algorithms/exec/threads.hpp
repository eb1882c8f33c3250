#pragma once
// The number of threads of the CPU back end.

#include <optional>
#include <type_traits>
#include <utility>

namespace kdscope {

/// Returns the number of threads on which a launch from here runs.
int usable_threads();

/// Calls work(context); the back end's parallel calls in it run on `threads` threads, 1 to describe_cpu().threads.
void run_on_threads(int threads, void (*work)(void* context), void* context);

/// Returns work(). The back end's parallel calls in it run on `threads` threads.
template <class Work>
auto on_threads(int threads, Work&& work) {
  using Returned = decltype(work());
  if constexpr (std::is_void_v<Returned>) {
    run_on_threads(
        threads, [](void* context) { (*static_cast<std::remove_reference_t<Work>*>(context))(); }, &work);
  } else {
    std::optional<Returned> returned;
    auto keep = [&] { returned.emplace(work()); };
    run_on_threads(
        threads, [](void* context) { (*static_cast<decltype(keep)*>(context))(); }, &keep);
    return std::move(*returned);
  }
}

}  // namespace kdscope
