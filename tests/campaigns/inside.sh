#!/usr/bin/env bash
# Every access of all builders and searches on random sets, of 1, 2, 3, 4 and 8 dimensions, in three orders of lanes:
# inside.sh BUILD [PROCESSES] [SETS] [SEED] [PROGRAM...]
# BUILD is a build folder, also of the preset tools-only. SETS (200, by default) for each program, all by default, are
# shared among PROCESSES (all processors, by default) by 25, each share with a seed of its own that follows from SEED. A
# line for each share as it ends, then one for each program; the outputs of shares with findings follow, with what
# repeats each.
set -uo pipefail
build=$(realpath "$1") processes=${2:-$(nproc)} sets=${3:-200} seed=${4:-1} share=25
shift $(($# < 4 ? $# : 4))
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cli=$build/app/cli/kdscope-cli
names() { sed -nE 's/^([a-z][a-z-]*)  .*/\1/p'; }
programs=("$@")
[ $# -gt 0 ] || mapfile -t programs < <("$cli" list algorithms | names; "$cli" list searches | names)
[ ${#programs[@]} -gt 0 ] || {
  echo "$cli lists no builders and no searches" >&2
  exit 2
}

# trial NAME FIRST: one share, from a set on.
trial() {
  local name=$1 first=$2 count=$((sets - $2 < share ? sets - $2 : share)) log="$folder/$1.$2"
  KDSCOPE_CAMPAIGN_TRIALS=$count KDSCOPE_CAMPAIGN_SEED=$((1000 * seed + first)) KDSCOPE_CAMPAIGN_ONLY=$name \
    "$build/tests/test_variants" "inside: no fault*" >"$log" 2>&1 || touch "$log.failed"
  local end=""
  [ -e "$log.failed" ] && end=", with findings"
  echo "set $first on: $(grep "^$name: " "$log" || echo "$name ended early")$end"
}
export -f trial
export build folder sets seed share
# First one share of each program, which compiles it; the cache has it then
for ((first = 0; first < sets; first += share)); do
  for name in "${programs[@]}"; do echo "$name" "$first"; done
done | xargs -P "$processes" -L 1 bash -c 'trial "$0" "$1"'

failed=0
for name in "${programs[@]}"; do
  bad=$(find "$folder" -name "$name.*.failed" | wc -l)
  sed -nE "s/^$name: ([0-9]+) sets, ([0-9]+) accesses\$/\1 \2/p" "$folder/$name".*[0-9] 2>/dev/null |
    awk -v name="$name" -v bad="$bad" '{ sets += $1; accesses += $2 }
      END { printf "%s: %d sets, %d accesses, %d shares with findings\n", name, sets, accesses, bad }'
  # A share that ended early counts no sets
  if [ "$bad" -gt 0 ] || ! grep -q "^$name: " "$folder/$name".*; then failed=1; fi
done
for log in "$folder"/*.failed; do
  [ -e "$log" ] || continue
  log=${log%.failed}
  echo "KDSCOPE_CAMPAIGN_SEED=$((1000 * seed + ${log##*.})) KDSCOPE_CAMPAIGN_ONLY=$(basename "${log%.*}"):"
  tail -n 40 "$log"
done
exit $failed
