#!/bin/bash
# Kills a rank at random moments: all ranks end within 10 s with a sentence, and no half tree stays.
# usage: killed_rank_test.sh MPIRUN PROGRAM TIMES [SEED]
set -eu
mpirun=$1
cli=$2
times=$3
RANDOM=${4:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

killed=0
for ((i = 0; i < times; ++i)); do
  "$mpirun" --allow-run-as-root --oversubscribe -n 3 "$cli" build --data uniform:n=600000,dim=3 \
    --tree-out tree.shares >out 2>err &
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
  if [ -e tree.shares ]; then
    "$cli" verify tree.shares >out 2>&1 || { echo "round $i: a half tree stays"; ls tree.shares; exit 1; }
    rm -r tree.shares
  else
    [ $code != 0 ] || { echo "round $i: no tree, and no failure"; exit 1; }
    grep -q "rank" err || { echo "round $i: no sentence"; cat err; exit 1; }
    [ $took -lt 10000 ] || { echo "round $i: the others ran on for $took ms"; exit 1; }
    killed=$((killed + 1))
  fi
  [ ! -e tree.shares.unfinished ] || { echo "round $i: an unfinished tree stays"; ls tree.shares.unfinished; exit 1; }
done
echo "$killed of $times runs were killed before they ended"
