#!/bin/bash
# Kills a rank at random moments: all ranks end within 10 s with a sentence, and nothing half written stays.
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

killed=0
for ((i = 0; i < times; ++i)); do
  "$mpirun" --allow-run-as-root --oversubscribe -n 3 "$cli" "$@" >out 2>err &
  job=$!
  # The ranks are children of mpirun
  for ((wait = 0; wait < 200; ++wait)); do
    ranks=($(pgrep -P $job || true))
    [ ${#ranks[@]} -lt 3 ] || break
    sleep 0.02
  done
  sleep "$(printf '0.%03d' $((RANDOM % 1000)))"
  begin=$(date +%s%N)
  kill -9 "${ranks[$((RANDOM % ${#ranks[@]}))]}" 2>/dev/null || true
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
    [ $took -lt 10000 ] || { echo "round $i: the others ran on for $took ms"; exit 1; }
    killed=$((killed + 1))
  fi
  [ "$(ls | grep -vx -e out -e err)" = "" ] || { echo "round $i: unfinished files stay"; ls -R; exit 1; }
done
echo "$killed of $times runs were killed before they ended"
