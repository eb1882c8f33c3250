#!/usr/bin/env bash
# Campaigns for hours, of what tests/run.sh runs for seconds: tests/campaign.sh [PRESET] [SECONDS]
# Needs a build of PRESET (release, by default) by tests/run.sh. Every line says how many trials were made, and what was
# found. SECONDS (300, by default) is for each reader of foreign files; 0 leaves the readers out.
#   allocations  each builder, built and recorded, with 100 places at which one allocation, or all from there on, fails: 2,400 runs;
#                30 places at which large ones fail: 720 more
#   kills        200 builds that are killed while they replace a tree
#   writers      40 pairs of processes that write one file at a time
#   readers      files from strangers, damaged: by libFuzzer, under the sanitizers of the preset fuzz, which is built
#                where there is clang; at random in PRESET's build elsewhere
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/${1:-release}
seconds=${2:-300}
cli=$build/app/cli/kdscope-cli
shim=$build/tests/campaigns/libfailing_allocations.so
if [ ! -x "$cli" ] || [ ! -e "$shim" ]; then
  echo "there is no build in $build; run bash tests/run.sh ${1:-release} first" >&2
  exit 2
fi
failed=0
"$root/tests/campaigns/allocations.sh" "$cli" "$shim" 100 build record || failed=1
FAIL_SIZE=2000 "$root/tests/campaigns/allocations.sh" "$cli" "$shim" 30 build record || failed=1

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit
large=uniform:n=100000,dim=3 small=uniform:n=200,dim=3
whole() { "$cli" verify t.npy --data $large >/dev/null 2>&1 || "$cli" verify t.npy --data $small >/dev/null 2>&1; }
alone() { [ "$(echo *)" = t.npy ]; }
bad=0
"$cli" build --data $small --backend cpu --tree-out t.npy >/dev/null
for ((i = 0; i < 200; ++i)); do
  "$cli" build --data $large --backend cpu --tree-out t.npy >/dev/null 2>&1 &
  sleep "$(printf '0.%03d' $((20 + i * 13 % 300)))"
  kill -KILL $! 2>/dev/null
  wait $! 2>/dev/null
  whole || bad=$((bad + 1))
done
"$cli" build --data $small --backend cpu --tree-out t.npy >/dev/null
alone || bad=$((bad + 1))
echo "200 builds killed, $bad bad files or left-overs"
[ $bad -eq 0 ] || failed=1
bad=0
for ((i = 0; i < 40; ++i)); do
  "$cli" build --data $large --backend cpu --tree-out t.npy >/dev/null 2>&1 & first=$!
  "$cli" build --data $small --backend cpu --tree-out t.npy >/dev/null 2>&1 & second=$!
  wait $first || bad=$((bad + 1))
  wait $second || bad=$((bad + 1))
  whole && alone || bad=$((bad + 1))
done
echo "40 pairs of writers, $bad bad ends, files or left-overs"
[ $bad -eq 0 ] || failed=1

if [ "$seconds" -gt 0 ]; then
  readers=$build
  # Packages are installed, and failures end the script, in a shell of their own.
  if (source "$root/app/setup.sh" && setup fuzz kdscope-fuzz kdscope-trials) >"$folder/fuzz.log" 2>&1; then
    readers=$root/build/fuzz
  else
    echo "the preset fuzz cannot be built, so readers get random damage: $(tail -n 1 "$folder/fuzz.log")"
  fi
  "$root/tests/campaigns/readers.sh" "$readers" "$seconds" || failed=1
fi
exit $failed
