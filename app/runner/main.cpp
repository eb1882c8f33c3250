// kdscope-runner: builds, records and works for the window in a process of its own.

#include "algorithms/run/applications.hpp"
#include "algorithms/variants/variant_program.hpp"
#include "app/experiments/measured_rows.hpp"

int main() {
  std::vector<kdscope::variants::ServedWork> works = kdscope::application_works();
  works.push_back(kdscope::row_work());
  return kdscope::run_as_runner(works);
}
