#!/usr/bin/env bash
# Lines of sources, scripts and pages have at most 120 characters. Data files are left out.
set -euo pipefail
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/.."
find . \( -path ./build -o -path ./.git -o -path ./shared -o -path ./datasets/files -o -path ./tests/golden \
  -o -path ./tests/fuzz/corpus \) -prune -o -type f \( -name '*.[ch]pp' -o -name '*.cu' -o -name '*.cuh' \
  -o -name '*.md' -o -name '*.txt' -o -name '*.sh' -o -name '*.py' -o -name '*.cmake' -o -name '*.supp' \
  -o -name '*.in' -o -name '*.js' -o -name CMakePresets.json -o -name '.clang-*' -o -path './.ci/run' \) -print0 |
  if xargs -0 grep -n -H -E '^.{121,}'; then exit 1; fi
