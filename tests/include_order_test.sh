#!/usr/bin/env bash
# Computes which folder includes from which, and fails on an include against the order of include_order.txt. As that
# is a list, folders that pass have no cycle. Prints the number of edges between folders.
set -euo pipefail
cd "$(dirname "$0")/.."

find algorithms app datasets visualizer walkthroughs \( -name '*.[ch]pp' -o -name '*.cu' -o -name '*.cuh' \) \
  -exec grep -H -o -E '^#include "[^"]+/[^"]+"' {} + |
  awk -F: '
    # The listed folder that a file is in: the longest that its path begins with.
    function folder(path,   at, best) {
      for (at in place)
        if (index(path, at "/") == 1 && length(at) > length(best)) best = at
      return best
    }
    NR == FNR { if ($0 !~ /^#/ && $0 != "") place[$0] = ++listed; next }
    {
      split($2, quoted, "\"")
      from = folder($1); to = folder(quoted[2])
      if (from == "") { print $1 " is in no listed folder"; failed = 1; next }
      if (to == "" || from == to) next
      edges[from " " to] = 1
      if (place[to] > place[from]) { print $1 " includes " quoted[2] " against the order"; failed = 1 }
    }
    END {
      for (edge in edges) ++count
      print count " edges between " listed " folders"
      exit failed
    }' tests/include_order.txt -
