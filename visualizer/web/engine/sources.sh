#!/usr/bin/env bash
# Prints a number of the sources that the engine is made of, which the engine's file names.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
find algorithms datasets visualizer walkthroughs app/select app/session app/pseudocode \
  \( -name '*.[ch]pp' -o -name pseudocode.txt -o -path 'datasets/files/*' \) -print0 |
  LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-16
