#!/usr/bin/env bash
# Lets allocations of kdscope-cli fail, one at a time and all from one on:
# allocations.sh PROGRAM SHIM TRIALS [COMMAND...]
# TRIALS are spread evenly over the allocations of each builder's run. Every run must end by itself with exit code 0, 4
# or 5, in less than 20 s, with a sentence where it fails, and a file that it would have replaced is whole.
# FAIL_SIZE=BYTES: large ones alone. ALGORITHMS: some builders, instead of all.
set -uo pipefail
cli=$1 shim=$2 trials=$3
shift 3
commands=("${@:-build}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit
ran=0 unclean=0

# How many allocations a command makes: the first of which no one fails any more.
allocations() {
  local low=1 high=1
  while ! whole "$high" "$@" && [ $high -lt 1000000 ]; do low=$high high=$((2 * high)); done
  while [ $((high - low)) -gt $((1 + low / 50)) ]; do
    local middle=$(((low + high) / 2))
    if whole "$middle" "$@"; then high=$middle; else low=$middle; fi
  done
  echo "$high"
}
whole() {
  local n=$1
  shift
  env FAIL_FROM="$n" LD_PRELOAD="$shim" "$@" >/dev/null 2>&1
}

algorithms=${ALGORITHMS:-$("$cli" list algorithms --json | grep -o '"id": *"[^"]*"' | cut -d'"' -f4)}
[ -n "$algorithms" ] || exit
for command in "${commands[@]}"; do
  for algorithm in $algorithms; do
    data=uniform:n=300,dim=3
    if [ $algorithm = zhou-sah ]; then data=triangles:kind=soup,n=30; fi
    words=("$command" --algorithm "$algorithm" --data "$data" --backend cpu)
    file=
    case $command in
      record) file=run.kdtrace words+=(-o run.kdtrace) ;;
      build) file=tree.csv words+=(--tree-out tree.csv) ;;
    esac
    "$cli" "${words[@]}" >/dev/null || exit
    total=$(allocations "$cli" "${words[@]}")
    cp "$file" before
    for ((trial = 0; trial < trials; ++trial)); do
      for mode in AT FROM; do
        n=$((1 + trial * total / trials))
        code=0
        # In a shell of its own, which reports what killed the program, to nobody.
        (exec timeout -s KILL 20 env "FAIL_$mode=$n" LD_PRELOAD="$shim" "$cli" "${words[@]}") >out 2>err || code=$?
        ran=$((ran + 1))
        problem=
        case $code in
          0) ;;
          4 | 5) if [ ! -s err ]; then problem="no word"; fi ;;
          *) problem="exit code $code" ;;
        esac
        if ! cmp -s "$file" before; then
          # A trace that was recorded again has other times.
          if [ $code -eq 0 ] && [ "$command" = record ] && "$cli" verify "$file" >/dev/null; then cp "$file" before
          else problem="$problem, another file"; fi
        fi
        if [ -n "$problem" ]; then
          unclean=$((unclean + 1))
          echo "$command $algorithm, FAIL_$mode=$n: $problem: $(head -c 200 err)"
          cp before "$file"
        fi
      done
    done
  done
done 2>/dev/null
for left in *.part-*; do
  if [ -e "$left" ]; then unclean=$((unclean + 1)); echo "left over: $left"; fi
done
echo "$ran runs with failing allocations, $unclean unclean ends"
[ $unclean -eq 0 ]
