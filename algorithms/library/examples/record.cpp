// Records a construction and prints an array after each step that wrote it.
#include <algorithm>
#include <cstdio>
#include <kdscope/kdscope.hpp>

int main() {
  const std::vector<float> points{10, 46, 15, 25, 40, 62, 44, 53, 25, 63, 45, 12};
  const auto run = kdscope::record(kdscope::Points(points, 2), {{.builder = "wald"}});
  if (!run) return std::puts(run.error().message().c_str()), 1;
  for (std::size_t i = 0; i < run->step_count(); ++i) {
    const kdscope::Step step = run->step(i);
    if (std::ranges::count(step.wrote, "tags") == 0) continue;
    const kdscope::RecordedState state = run->state_after(i);
    std::printf("%s:", step.title.c_str());
    for (const std::uint32_t tag : state.array("tags")->as<std::uint32_t>()) std::printf(" %u", tag);
    std::printf("\n");
  }
}
