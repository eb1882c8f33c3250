#!/usr/bin/env bash
# Campaigns for hours, of what tests/run.sh runs for seconds: tests/campaign.sh [PRESET] [SECONDS]
# Needs a build of PRESET (release, by default) by tests/run.sh. Every line says how many trials were made, and what was
# found. SECONDS (300, by default) is for each reader of foreign files; 0 leaves the readers out.
#   allocations  each builder, built and recorded, with 100 places at which one allocation, or all from there on, fails;
#                30 places at which large ones fail
#   kills        200 builds that are killed while they replace a tree
#   writers      40 pairs of processes that write one file at a time
#   readers      files from strangers, damaged: by libFuzzer, under the sanitizers of the preset fuzz, which is built
#                where there is clang; at random in PRESET's build elsewhere
#   views        100 traces of each builder with any values in their arrays, shown by every model of a view
#   inside       every access of all builders and searches on 200 random sets each, of 1, 2, 3, 4 and 8 dimensions: no
#                fault must be found (the suite tries every second search on five sets)
#   stage        every stop of every lesson as an audience sees it, measured
#   presenters   700 damaged states of each builder and each of its parameters, shown step by step
#   exports      the workbench's files under the same faults, 20 rounds of each format
#   window       its tasks with failing allocations at 40 places each; 20,000 random actions over six lessons
# With sanitizers, random actions alone:
#   cmake --preset asan-app && cmake --build --preset asan-app --target test_random_actions
#   bash tests/campaign.sh asan-app
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/${1:-release}
seconds=${2:-300}
cli=$build/app/cli/kdscope-cli
shim=$build/tests/campaigns/libfailing_allocations.so
window=$build/tests/app/test_random_actions
[ -x "$window" ] || window=$build/tests/app/test_app_gui
failed=0
source "$root/tests/support/sanitizers.sh"

# on_screen COMMAND...: on the display that there is, or a hidden one.
on_screen() {
  if [ -n "${DISPLAY:-}" ]; then "$@"; else xvfb-run -a -s "-screen 0 1280x800x24" "$@"; fi
}

# Random actions, lesson by lesson. A crash, a hang, a sanitizer's report, and a file or widget left behind fail it.
random_actions() {
  local actions=0 bad=0 lesson share seed
  local lessons=(wald/ten-points wehr/chunks-and-medians hu/ten-points brown/super-key-sort zhou/small-nodes
    zhou/photons)
  for lesson in "${lessons[@]}"; do
    share=3334 seed=$RANDOM
    actions=$((actions + share))
    TMPDIR=$(mktemp -d)
    export TMPDIR
    KDSCOPE_CAMPAIGN_LESSON=$lesson KDSCOPE_CAMPAIGN_ACTIONS=$share KDSCOPE_CAMPAIGN_SEED=$seed \
      on_screen timeout -s KILL 3600 "$window" "a campaign of random actions in one lesson" >"$TMPDIR.log" 2>&1 || {
      bad=$((bad + 1))
      echo "$lesson failed with seed $seed:"
      tail -n 40 "$TMPDIR.log"
    }
    rm -rf "$TMPDIR" "$TMPDIR.log"
    unset TMPDIR
  done
  echo "$actions random actions in the window over six lessons, $bad bad ends"
  [ $bad -eq 0 ] || failed=1
}

if [ ! -x "$cli" ] || [ ! -e "$shim" ]; then
  if [ -x "$window" ]; then
    random_actions
    exit $failed
  fi
  echo "there is no build in $build; run bash tests/run.sh ${1:-release} first" >&2
  exit 2
fi
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

# Runs the random trials of a test case: name, program, case, trials.
trials() {
  if KDSCOPE_CAMPAIGN_TRIALS=$4 "$build/tests/$2" "$3" >"$folder/$1.log"; then
    echo "$1: $(tail -n 2 "$folder/$1.log" | head -n 1)"
  else
    tail -n 40 "$folder/$1.log"
    failed=1
  fi
}
"$root/tests/campaigns/inside.sh" "$build" || failed=1
trials presenters test_builders "whatever a kernel*" 100
trials views app/test_app_session "a trace with any values*" 100

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
if [ -x "$window" ]; then
  "$root/tests/campaigns/exports.sh" "$build/app/kdscope" 20 || failed=1
  KDSCOPE_CAMPAIGN_TRIALS=1 KDSCOPE_EVERYTHING=1 \
    on_screen "$build/tests/app/test_app_gui" "on the smallest stage*","*nine in ten narrations*" || failed=1
  LD_PRELOAD=$shim KDSCOPE_CAMPAIGN_TRIALS=40 on_screen "$build/tests/app/test_app_gui" "[.allocations]" || failed=1
  random_actions
fi
exit $failed
