// kdscope-runner: builds and records for the window in a process of its own.

#include "algorithms/variants/variant_program.hpp"

int main() { return kdscope::run_as_runner(); }
