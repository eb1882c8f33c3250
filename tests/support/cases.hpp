#pragma once
// Test cases for what not every build and machine has. Elsewhere they are reported as skipped.

#include "algorithms/exec/devices.hpp"
#include "tests/support/catch.hpp"

#define KDSCOPE_CASE_IF(available, reason, ...) \
  KDSCOPE_CASE_IF_NAMED(INTERNAL_CATCH_UNIQUE_NAME(kdscope_case_), available, reason, __VA_ARGS__)
#define KDSCOPE_CASE_IF_NAMED(body, available, reason, ...) \
  static void body();                                       \
  TEST_CASE(__VA_ARGS__) {                                  \
    if (!(available)) KDSCOPE_SKIP(reason);                 \
    body();                                                 \
  }                                                         \
  static void body()

/// With a CUDA device. The tag [device] is added.
#define DEVICE_CASE(name, ...) \
  KDSCOPE_CASE_IF(kdscope::find_cuda_devices().status.empty(), "no CUDA device", name, "[device]" __VA_ARGS__)
/// With lessons: walkthroughs/reader/lesson.hpp.
#define LESSON_CASE(...) KDSCOPE_CASE_IF(kdscope::lessons_available(), "this build has no yaml-cpp", __VA_ARGS__)
/// With experiment files: app/experiments/experiment_file.hpp.
#define EXPERIMENT_CASE(...) \
  KDSCOPE_CASE_IF(kdscope::experiment_files_available(), "this build has no yaml-cpp", __VA_ARGS__)
/// With trace files: algorithms/trace/trace_file.hpp.
#define TRACE_CASE(...) KDSCOPE_CASE_IF(kdscope::trace_files_available(), "this build has no HDF5", __VA_ARGS__)
