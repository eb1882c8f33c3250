#!/usr/bin/env bash
# What a build costs: tests/bench/build_weight.sh BUILD_FOLDER
# Reads ninja's log of the last build of each unit. Prints the twenty units that took longest, the folders, and the sum.
# Seconds are those from a unit's start to its end. They equal processor seconds if no more units run at once than there
# are processors; ninja runs two more.
set -euo pipefail
folder=${1:?"usage: tests/bench/build_weight.sh BUILD_FOLDER"}
[ -e "$folder/.ninja_log" ] || { echo "there is no build in $folder; build first" >&2; exit 2; }

# Start, end, time of change, output, hash of the command. A later line replaces an earlier one of the same output.
awk -F'\t' '
  !/^#/ && $4 ~ /\.(o|gch)$/ { seconds[$4] = ($2 - $1) / 1000 }
  END { for (unit in seconds) printf "%.1f\t%s\n", seconds[unit], unit }' "$folder/.ninja_log" |
  sort -rn | awk -F'\t' '
  {
    total += $1; ++units
    unit = $2; gsub(/CMakeFiles\/|\.dir|__\//, "", unit)
    if (units <= 20) printf "%7.1f s  %s\n", $1, unit
    place = $2; sub(/CMakeFiles\/.*/, "", place); sub(/\/$/, "", place)
    what = $2 ~ /_verify_interface_header_sets/ ? "headers alone" : $2 ~ /\.cu\.o$/ ? place ", CUDA" : place
    sum[what] += $1; ++count[what]
  }
  END {
    print ""
    for (what in sum) printf "%7.1f s  %4d units  %s\n", sum[what], count[what], what | "sort -rn"
    close("sort -rn")
    printf "\n%d units, %.0f seconds\n", units, total
  }'
