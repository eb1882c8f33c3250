#!/usr/bin/env bash
# What has to be run on a machine with a CUDA device: tests/device.sh [STAGE...]
# Stages, all by default and in this order: build test variants memcheck racecheck synccheck initcheck times sorts tpb
# table1
# Needs CUDA, CMake 3.25, ninja, g++ and Catch2; HDF5 and the rest are optional. Installs nothing. Each stage has a
# time limit and a log in ${OUT:-build/device}; a table of all stages ends the run. MAX_N is the largest size of
# table 1, 100M by default. SANITIZE=brown* has the sanitizers look at tests of that name only.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
logs=${OUT:-build/device}
tools=build/tools-only
mkdir -p "$logs"

build() {
  cmake --preset tools-only -DCMAKE_CUDA_ARCHITECTURES="${CUDA_ARCHITECTURES:-native}" && cmake --build "$tools"
}
# The device tests one by one: some take all of its memory.
test_all() {
  # The OpenMP back end of many tests at once would fill the machine with spinning threads.
  export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
  ctest --test-dir "$tools" -j"$(nproc)" --output-on-failure -E CUDA &&
    ctest --test-dir "$tools" --output-on-failure -R CUDA
}
sanitize() {
  local program options=()
  for program in $([ "${SANITIZE:-}" ] || echo test_exec) test_builders test_queries test_applications; do
    compute-sanitizer --tool "$1" --error-exitcode 9 "$tools/tests/$program" "${SANITIZE:-}[sanitize]" || return
  done
  # Ranks that build on devices, where MPI was found. NCCL asks for kernels that it lacks for the device, so failed
  # calls of CUDA's API, which kdscope checks itself, do not count. Only memcheck has that option.
  [ "$1" != memcheck ] || options=(--report-api-errors no)
  if [ -z "${SANITIZE:-}" ] && [ -x "$tools/tests/cluster/equal_trees" ]; then
    mpirun --allow-run-as-root --oversubscribe -n 2 compute-sanitizer --tool "$1" --error-exitcode 9 \
      "${options[@]}" "$tools/tests/cluster/equal_trees" cuda 10
  fi
}
# Every builder, at full speed and recorded, and the usual search of its trees, on points without ties and with many: no
# kernel or copy reads what nothing wrote.
check_initialised() {
  local algorithm data output query
  [ -x "$tools/app/cli/kdscope-cli" ] || { echo "there is no build in $tools" >&2; return 1; }
  for algorithm in $("$tools/app/cli/kdscope-cli" list algorithms --json | grep -o '"id": *"[^"]*"' | cut -d'"' -f4); do
    for data in $([ "$algorithm" = zhou-sah ] && echo toys || echo uniform:n=3000,dim=3 grid:n=2000,dim=2,side=30); do
      query="query --k 3 --order morton"
      [ "$algorithm" = zhou-sah ] && query="query --question nearest-hit --queries random-rays:n=500"
      [ "$algorithm" = rank ] && query="$query --search bucket-packets"
      for output in "build --repeat 2" "record -o $logs/initcheck.kdtrace" "$query"; do
        echo "$algorithm, $data, $output"
        compute-sanitizer --tool initcheck --error-exitcode 9 "$tools/app/cli/kdscope-cli" $output \
          --algorithm "$algorithm" --data "$data" --backend cuda || return
      done
    done
  done
}
# The starting file of each algorithm, with all stages and as a whole builder, compiles with nvcc and equals the
# original on the GPU. An access out of bounds is found by compute-sanitizer.
check_variants() {
  local cli=$tools/app/cli/kdscope-cli folder=$logs/variants algorithm file failed=0 jobs=()
  mkdir -p "$folder"
  rm -f "$folder"/*
  for algorithm in $("$cli" list algorithms --json | grep -o '"id": *"[^"]*"' | cut -d'"' -f4); do
    "$cli" variant new "$algorithm" all --out "$folder/$algorithm-stages.cu" || return
    "$cli" variant new "$algorithm" --builder --out "$folder/$algorithm-builder.cu" || return
  done
  for file in "$folder"/*.cu; do
    "$cli" variant build "$file" --backend cuda >"$file.log" 2>&1 &
    jobs+=("$!")
  done
  for job in "${jobs[@]}"; do wait "$job" || failed=1; done
  tail -n 3 "$folder"/*.log
  "$cli" variant new wald update_tags --out "$folder/outside.cu" || return
  sed -i 's/(i > pivot) tags\[i\]/(i > pivot) tags[i + 1]/' "$folder/outside.cu"
  "$cli" variant build "$folder/outside.cu" --backend cuda --sanitize | tee "$folder/outside.log"
  grep -q "tags\[10\], but 'tags' has 10 elements" "$folder/outside.log" || failed=1
  return $failed
}
bench() { "$tools/tests/bench/bench_build_times" backend=cuda "$@"; }
time_builds() {
  local keys to_millions=2000,10000,100000,500000,1000000,10000000,100000000
  local of_table=3200,6400,12800,25600,51200,102400 scenes='toys;museum;robots;kitchen;fairy-forest;dragon'
  bench || return
  for keys in exact quantized; do bench algorithm=wehr keys=$keys sizes=$to_millions || return; done
  bench algorithm=hu sizes=$of_table,1000000,10000000,100000000 &&
    bench algorithm=hu dim=512 sizes=$of_table &&
    bench algorithm=brown type=int sizes=1048576,16777216 &&
    bench algorithm=brown type=int sorted=first sizes=1048576,16777216 &&
    bench algorithm=brown type=int parts=2 sizes=1048576,16777216 &&
    bench algorithm=zhou-sah "data=$scenes;dragon:triangles=871414" &&
    bench algorithm=zhou-vvh sizes=10000,100000,200000,1000000,10000000,100000000
}
time_tpb() {
  local tpb
  for tpb in 32 64 128 256 512 1024; do
    bench algorithm=wehr tpb=$tpb \
      sizes=2000,10000,50000,100000,200000,500000,1000000,2000000,5000000,10000000 || return
  done
}
time_sorts() {
  local sort
  for sort in comparator bitonic; do
    bench sort="$sort" max=10000000 repeat=5 || return
  done
  bench split=widest max=10000000 repeat=5
}
table1() { "$tools/app/cli/kdscope-cli" experiment wald-table-1 --backend cuda --max-n "${MAX_N:-100M}"; }

# stage NAME LIMIT_S FUNCTION [ARGUMENTS]: runs it, shows the end of its output, and notes how it went.
summary=()
failed=0
stage() {
  local name=$1 limit=$2 code=0 start=$SECONDS result=passed
  shift 2
  case " $wanted " in *" $name "*) ;; *) return ;; esac
  printf '\n== %s\n' "$name"
  local functions
  functions=$(declare -f build test_all check_variants sanitize check_initialised bench time_builds time_sorts \
    time_tpb table1)
  timeout "$limit" bash -c "$functions; tools=$tools logs=$logs; $*" >"$logs/$name.log" 2>&1 || code=$?
  if [ $code -eq 124 ]; then result="cut off after $limit s"; elif [ $code -ne 0 ]; then result="FAILED ($code)"; fi
  [ $code -eq 0 ] || failed=1
  tail -n "$([ $code -eq 0 ] && echo 14 || echo 40)" "$logs/$name.log"
  summary+=("$(printf '%-10s %5d s  %s' "$name" $((SECONDS - start)) "$result")")
}

wanted=${*:-build test variants memcheck racecheck synccheck initcheck times sorts tpb table1}
for name in $wanted; do
  case $name in
    build | test | variants | memcheck | racecheck | synccheck | initcheck | times | sorts | tpb | table1) ;;
    *)
      echo "tests/device.sh: there is no stage '$name'; stages are build test variants memcheck racecheck synccheck" \
        "initcheck times sorts tpb table1" >&2
      exit 2
      ;;
  esac
done
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader || echo "No CUDA device answers."
stage build 480 build
stage test 420 test_all
stage variants 300 check_variants
stage memcheck 240 sanitize memcheck
stage racecheck 420 sanitize racecheck
stage synccheck 240 sanitize synccheck
stage initcheck 240 check_initialised
stage times 180 time_builds
stage sorts 180 time_sorts
stage tpb 300 time_tpb
stage table1 300 table1

printf '\n== summary, logs in %s\n' "$logs"
printf '%s\n' "${summary[@]}"
exit $failed
