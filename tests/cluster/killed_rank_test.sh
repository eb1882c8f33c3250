#!/bin/bash
# Kills a rank at random moments: all ranks end with a sentence, and nothing half written stays.
# The test's time limit ends ranks that run on; how long the slowest took is printed.
# usage: killed_rank_test.sh MPIRUN PROGRAM TIMES FILE ARGUMENTS...
# FILE: what the command, kdscope-cli ARGUMENTS, writes; a tree or a trace is verified.
set -eu
mpirun=$1
cli=$2
times=$3
file=$4
shift 4
RANDOM=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

joined=0
killed=0
longest=0
for ((i = 0; i < times; ++i)); do
  "$mpirun" --allow-run-as-root --oversubscribe -n 3 "$cli" "$@" >out 2>err &
  job=$!
  # The ranks are children of mpirun. Each has joined once it maps a segment of every rank; Open MPI itself may hang,
  # or name no rank, where one dies before.
  ranks=()
  while [ ${#ranks[@]} -lt 3 ] && kill -0 $job 2>/dev/null; do
    sleep 0.02
    ranks=()
    for rank in $(pgrep -P $job || true); do
      segments=$(grep -o '/[^ ]*_segment[^ ]*' /proc/$rank/maps 2>/dev/null | sort -u | wc -l)
      [ "$segments" -lt 3 ] || ranks+=($rank)
    done
  done
  if [ ${#ranks[@]} = 3 ]; then
    joined=$((joined + 1))
  else
    ranks=()
  fi
  sleep "$(printf '0.%03d' $((RANDOM % 1000)))"
  begin=$(date +%s%N)
  [ ${#ranks[@]} = 0 ] || kill -9 "${ranks[$((RANDOM % 3))]}" 2>/dev/null || true
  code=0
  wait $job || code=$?
  took=$((($(date +%s%N) - begin) / 1000000))
  if [ -e "$file" ]; then
    case $file in
      *.shares | *.kdtrace)
        "$cli" verify "$file" >out 2>&1 || { echo "round $i: half of $file stays"; ls -R "$file"; exit 1; } ;;
    esac
    rm -r "$file"
  else
    [ $code != 0 ] || { echo "round $i: no file, and no failure"; exit 1; }
    grep -q "rank" err || { echo "round $i: no sentence"; cat err; exit 1; }
    [ $took -le $longest ] || longest=$took
    killed=$((killed + 1))
  fi
  [ "$(ls | grep -vx -e out -e err)" = "" ] || { echo "round $i: unfinished files stay"; ls -R; exit 1; }
done
[ $joined != 0 ] || { echo "no run was seen whose ranks had joined"; exit 1; }
echo "$killed of $times runs were killed before they ended, and all ranks had ended after at most $longest ms"
