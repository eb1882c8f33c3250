#!/usr/bin/env bash
# Tests what inside_against_profiler.py makes of files that a profiler and `inside` might print. Usage: PROGRAM.py
set -uo pipefail
program=${1:?"usage: inside_against_profiler_test.sh PROGRAM.py"}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
fail() { echo "FAILED: $1"; failed=1; }

# Launch 0 is another one; launch 1 has 1,000 indices, which are 4 blocks on CUDA
cat >"$folder/counts.json" <<'END'
{"launches": [{"name": "sort", "kind": "library", "blocks": 1, "lanes": 1000, "left_out": 0},
  {"name": "update tags", "kind": "threads", "blocks": 1, "lanes": 1000, "left_out": 0}],
 "costs": [{"launch": 0, "access": "read", "sectors": 7, "bank_conflicts": 0},
  {"launch": 1, "access": "read", "sectors": 1000, "bank_conflicts": 0},
  {"launch": 1, "access": "read", "sectors": 24, "bank_conflicts": 0},
  {"launch": 1, "access": "write", "sectors": 200, "bank_conflicts": 0}]}
END
profile() {  # LOADS STORES GRID
  echo '==PROF== Connected to process 1'
  echo '"ID","Process ID","Kernel Name","Block Size","Grid Size","Section Name","Metric Name","Metric Unit",'\
'"Metric Value"'
  local row='"0","1","void kdscope::cuda_kernels::flat<kdscope::wald::UpdateTags>(unsigned int, T1)","(256, 1, 1)"'
  echo "$row,\"($3, 1, 1)\",\"c\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\",\"sector\",\"$1\""
  echo "$row,\"($3, 1, 1)\",\"c\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum\",\"sector\",\"$2\""
  echo "$row,\"($3, 1, 1)\",\"c\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum\",\"sector\",\"0\""
  echo "$row,\"($3, 1, 1)\",\"c\",\"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum\",\"\",\"n/a\""
  echo '==PROF== Disconnected from process 1'
}
compare() { python3 "$program" no-cli --only update-tags --counts "$folder/counts.json" --from "$folder/p.csv" 2>&1; }

profile "1,024" 190 4 >"$folder/p.csv"
out=$(compare)
[ $? -eq 1 ] || fail "190 for 200 sectors is more than 5 % less, so the exit code is 1"
grep -Eq 'read sectors +1024 +1024 +1\.000 *$' <<<"$out" || fail "1,024 sectors are read: $out"
grep -Eq 'write sectors +200 +190 +1\.053 +differs' <<<"$out" || fail "written sectors differ: $out"

profile 1000 200 4 >"$folder/p.csv"
out=$(compare) || fail "2.4 % are close: $out"

profile 1000 200 5 >"$folder/p.csv"
out=$(compare)
[ $? -eq 2 ] && grep -q 'a grid of 5 blocks, 4 were expected' <<<"$out" || fail "another launch is refused: $out"

echo '==WARNING== No kernels were profiled.' >"$folder/p.csv"
out=$(compare)
[ $? -eq 2 ] && grep -q 'profiled no kernel whose name has wald::UpdateTags' <<<"$out" || fail "no kernel: $out"

# The form of `ncu --page raw`: a row per kernel, behind a row of units
{
  echo '"ID","Kernel Name","Grid Size","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",'\
'"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"'
  echo '"","","","sector","sector"'
  echo '"0","flat<kdscope::wald::UpdateTags>","(4, 1, 1)","1024","200"'
} >"$folder/p.csv"
out=$(compare) || fail "a row per kernel: $out"

# The commands and the counts alone; counts of all launches come from a folder
mkdir "$folder/kept" && cp "$folder/counts.json" "$folder/kept/update-tags.json"
out=$(python3 "$program" my-cli --only update-tags --list --counts "$folder/kept" 2>&1) || fail "a list: $out"
grep -q '^update-tags: 4 blocks, read sectors 1024, write sectors 200, atomic sectors 0, bank conflicts 0$' <<<"$out" ||
  fail "the list has the counts: $out"
grep -q -- "--launch-skip 4 .* my-cli build --repeat 1 --backend cuda --algorithm wald" <<<"$out" ||
  fail "the list has the profiler's command: $out"

if [ ! -e /usr/local/cuda/bin/ncu ]; then
  out=$(/usr/bin/env -i "$(command -v python3)" "$program" no-cli --only update-tags 2>&1)
  [ $? -eq 2 ] && grep -q 'ncu was not found' <<<"$out" || fail "without ncu: $out"
fi
exit $failed
