#!/usr/bin/env bash
# Readers of foreign files under damage: readers.sh BUILD SECONDS [READER...], every reader by default, SECONDS each.
# BUILD is a build folder. That of the preset fuzz has libFuzzer, which coverage guides; traces, which a child process
# reads out of its sight, get random damage, as all readers do in other builds. A line for each reader; the bytes of
# findings stay in findings/ below BUILD.
set -uo pipefail
build=$(realpath "$1") seconds=$2
shift 2
programs=$build/tests/fuzz
[ $# -gt 0 ] || set -- csv xyz npy pcd ply obj stl specification pasted tuning window-options command-options \
  lesson session tree-csv tree-npy trace
# A forked child copies the tables of its parent's pages: keep few that are free.
export ASAN_OPTIONS="quarantine_size_mb=8 ${ASAN_OPTIONS:-}"
findings=$build/findings
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$findings"
cd "$findings" || exit 2
"$programs/kdscope-trials" seeds "$folder" || exit 2
failed=0
for reader in "$@"; do
  log=$folder/$reader.log
  if [ "$reader" = trace ] || [ ! -x "$programs/kdscope-fuzz" ]; then
    "$programs/kdscope-trials" "$reader" 1000000000 "$seconds" >"$log" 2>&1 || failed=1
    # A crash leaves no last line.
    tail -n 5 "$log"
    continue
  fi
  KDSCOPE_READER=$reader "$programs/kdscope-fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 \
    -malloc_limit_mb=256 -max_len=65536 -print_final_stats=1 -verbosity=1 -artifact_prefix="$findings/$reader-" \
    "$folder/$reader" >"$log" 2>&1
  code=$?
  count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  memory=$(sed -n 's/^stat::peak_rss_mb: *//p' "$log")
  echo "$reader: ${count:-?} executions in $seconds s, ${memory:-?} MB, $([ $code -eq 0 ] && echo 0 || echo 1) findings"
  if [ $code -ne 0 ]; then
    failed=1
    grep -E "ERROR|SUMMARY|runtime error|Test unit written|^$reader:" "$log" | head -n 5
  fi
done
exit $failed
