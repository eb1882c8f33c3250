#!/bin/bash
# Ends builds in slabs at random moments, by SIGKILL and by Ctrl-C: no half tree has the final name, and no scratch file
# stays. usage: killed_build_test.sh PROGRAM TIMES [SEED]
set -eu
cli=$1
times=$2
RANDOM=${3:-1}
. "$(dirname "$0")/points_file.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir run
points_file points.npy 1000000
build() { "$cli" build --backend cpu --data points.npy --memory 3M --tree-out run/tree.npy; }
begin=$(date +%s%N)
build >whole
took=$((($(date +%s%N) - begin) / 1000000))
hash=$(sed -n 's/^tree hash *//p' whole)
rm run/tree.npy

ended=0
for ((i = 0; i < times; ++i)); do
  ls run >before
  "$cli" build --backend cpu --data points.npy --memory 3M --tree-out run/tree.npy >out 2>err &
  job=$!
  moment=$((RANDOM * took / 32768))
  sleep "$((moment / 1000)).$(printf '%03d' $((moment % 1000)))"
  signal=$((i % 2 == 0 ? 9 : 2))
  kill -$signal $job 2>/dev/null || true
  code=0
  wait $job 2>/dev/null || code=$?
  if [ -e run/tree.npy ]; then
    "$cli" verify run/tree.npy --data points.npy --memory 2M >out 2>&1 || { echo "round $i: a half tree"; exit 1; }
    grep -q "hash $hash" out || { echo "round $i: another tree"; exit 1; }
    rm run/tree.npy
  else
    [ $code != 0 ] || { echo "round $i: no tree, and no failure"; exit 1; }
    ended=$((ended + 1))
    if [ $signal = 2 ]; then
      [ $code = 5 ] && grep -q "stopped on request" err || { echo "round $i: exit code $code"; cat err; exit 1; }
      rest=$(ls run | comm -23 - before)
      [ -z "$rest" ] || { echo "round $i: Ctrl-C leaves $rest"; exit 1; }
    fi
  fi
  # What a killed process could not remove is the tree's temporary, which the next build of this name removes
  rest=$(ls run | grep -v '\.part-' || true)
  [ -z "$rest" ] || { echo "round $i: $rest stays"; exit 1; }
done
# The child of a killed process may take a moment to end
for ((wait = 0; wait < 50; ++wait)); do
  build >out
  [ "$(ls run)" != tree.npy ] || break
  rm run/tree.npy
  sleep 0.2
done
[ "$(ls run)" = tree.npy ] || { echo "the last build leaves $(ls run)"; exit 1; }
echo "$ended of $times builds ended before their tree was whole"
[ $ended -gt 0 ]
