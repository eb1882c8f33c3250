#!/usr/bin/env bash
# Builds everything and tests it: tests/run.sh [--all] [--headers] [PRESET] [-- CTEST ARGUMENTS]
# PRESET is release (default), debug, asan, asan-app, tsan, cpu-only or tools-only. The exit code is ctest's.
# Without options, it runs the tests required before a commit: unit tests, the window, and a few seconds of each
# campaign. --all adds the tests with the label slow, and all cases of tests that otherwise run a share. --headers first
# compiles every header alone.
# The CUDA back end is built wherever there is an nvcc, also without a device, so that it always compiles.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../app/setup.sh"

headers=
labels=(-LE '^slow$')
while true; do
  case "${1:-}" in
    --headers) headers=yes ;;
    --all) labels=(); export KDSCOPE_EVERYTHING=1 ;;
    *) break ;;
  esac
  shift
done
preset=release
if [ $# -gt 0 ] && [ "$1" != -- ]; then
  preset=$1
  shift
fi
if [ "${1:-}" = -- ]; then shift; fi
[ "$preset" != fuzz ] || give_up "the preset fuzz has no tests; bash tests/campaign.sh builds and runs it"
# h5py reads trace files; ctags lists local names; doxygen writes the library's reference; Open MPI starts builds by
# several ranks; the others build and test the Python module.
extra_packages=(python3-h5py universal-ctags doxygen libopenmpi-dev openmpi-bin
  python3-dev python3-numpy pybind11-dev python3-pip python3-wheel python3-scipy python3-pytest mypy
  python3-nbconvert jupyter-nbconvert python3-ipykernel)
cuda=nvcc
setup "$preset"
# Their tests may skip where they are missing, but not here.
if command -v dpkg-query >/dev/null; then export KDSCOPE_EXPECTS_{H5PY,CTAGS,DOXYGEN,PYTHON}=1; fi

if [ -n "$headers" ]; then
  say "Compiling every header alone"
  cmake --build "$build_dir" --target all_verify_interface_header_sets ||
    give_up "a header does not compile alone; include in it what the messages above miss"
fi

if [ -n "$headers" ]; then
  say "What the build costs"
  bash "$root/tests/bench/build_weight.sh" "$build_dir"
fi

source "$root/tests/support/sanitizers.sh"

say "Testing in ${build_dir#"$root"/}"
# Window tests wait for some of their time, so one more runs than there are processors.
# Arguments that choose labels replace the choice made here.
case " $* " in *" -L"*) labels=() ;; esac
# ctest lists the skipped tests after its summary, but does not count them.
ctest --test-dir "$build_dir" -j$(($(nproc) + 1)) --output-on-failure --no-tests=error "${labels[@]}" "$@" | awk '
  /\*\*\*Skipped/ { ++skipped; if (/CUDA/) ++device }
  / tests passed, / && skipped {
    printf "%d tests skipped, %d of them because they need a CUDA device\n", skipped, device
  }
  { print; fflush() }'
