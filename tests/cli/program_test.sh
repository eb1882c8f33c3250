#!/bin/sh
# Runs kdscope-cli as a person would: usage: program_test.sh PROGRAM
set -eu
cli=$1
# shellcheck source=tests/cli/expect.sh
. "$(dirname "$0")/expect.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

for command in list build record show verify diff experiment tune practise grade export; do
  expect 0 "$cli" "$command" --help
  grep -q -- --help out
done
expect 2 "$cli"
expect 2 "$cli" nothing
expect 3 "$cli" build --data no-such-file.csv

expect 0 "$cli" build --data uniform:n=20000,dim=3 --backend cpu --verify --json --tree-out tree.npy
if command -v python3 >/dev/null; then python3 -m json.tool <out >/dev/null; fi
expect 0 "$cli" verify tree.npy --data uniform:n=20000,dim=3
if "$cli" record --data wald-10 --backend cpu -o ten.kdtrace 2>err >out; then
  expect 0 "$cli" show ten.kdtrace --all
  grep -q '^data\[i\]\.x: 46 15 53 40 44 68 62 10 45 25$' out
  expect 0 "$cli" verify ten.kdtrace
  cp ten.kdtrace same.kdtrace
  expect 0 "$cli" diff ten.kdtrace same.kdtrace
else
  grep -q HDF5 err
fi

# Answers come through a pipe, and the file that they are kept in is graded.
mkdir answers
printf '5\n6\n' | expect 0 "$cli" practise --data wald-10 --backend cpu --kind pivot --questions 3 \
  --results answers/ann.kdresults --student Ann
grep -q 'Right. At position 6' out
expect 0 "$cli" grade answers --chart chart.svg
grep -q '^Ann,ann.kdresults,1,0,0,0,0,2,0,0,right,2$' out
grep -q 'R 100 %' chart.svg

# A full disk is an error, not silence.
if [ -w /dev/full ]; then
  code=0
  for words in "list algorithms" --help --version "build --help"; do
    code=0
    # shellcheck disable=SC2086  # words, not one word
    "$cli" $words >/dev/full 2>err || code=$?
    [ "$code" = 5 ] || { echo "a full disk gave exit code $code: $words"; exit 1; }
  done
fi

# only FILE...: nothing else is in the folder "files".
only() {
  [ "$(cd files && echo *)" = "$*" ] || { echo "there should be: $*, there is:"; ls -l files; exit 1; }
}

# once PID COMMAND...: waits until the command succeeds, or the process ends.
once() {
  local pid=$1
  shift
  while kill -0 "$pid" 2>/dev/null && ! "$@"; do sleep 0.1; done
}
worker_of() { tr -d ' ' 2>/dev/null <"/proc/$1/task/$1/children" || true; }
# A program that has its worker passes signals on.
has_worker() { [ -n "$(worker_of "$1")" ]; }
# has_worked PID TICKS: so many ticks of processor time, in which it is far beyond its start on a busy machine, too.
has_worked() { [ "$(cut -d ' ' -f 14 "/proc/$1/stat" 2>/dev/null || echo 0)" -ge "$2" ]; }

# A file that may not grow leaves the one before, and nothing beside it.
mkdir files
"$cli" build --data wald-10 --backend cpu --tree-out files/t.npy >out
cp files/t.npy old.npy
(ulimit -f 20; expect 5 "$cli" build --data uniform:n=20000,dim=3 --backend cpu --tree-out files/t.npy)
cmp files/t.npy old.npy
only t.npy

# A pipe as a tree is refused, not waited for; a wrong first byte is told before ten gigabytes are read.
mkfifo pipe.npy
expect 3 timeout 10 "$cli" verify pipe.npy --data wald-10
truncate -s 10G wrong.npy
# Sanitizers reserve terabytes of addresses.
limit_memory() { [ -n "${KDSCOPE_SANITIZED:-}" ] || ulimit -v 4000000; }
(limit_memory; expect 3 timeout 10 "$cli" verify wrong.npy --data wald-10; grep -q NPY err)
(limit_memory; expect 3 timeout 10 "$cli" build --data wrong.npy --backend cpu; grep -q NPY err)
rm wrong.npy

# Two writers of one file, of different sizes, and one that is killed: always one whole file.
for round in 1 2 3; do
  "$cli" build --data uniform:n=100000,dim=3 --backend cpu --tree-out files/t.npy >out1 2>&1 &
  first=$!
  "$cli" build --data uniform:n=200,dim=3 --backend cpu --tree-out files/t.npy >out2 2>&1 &
  wait "$first" || { cat out1; exit 1; }
  wait $! || { cat out2; exit 1; }
  "$cli" verify files/t.npy --data uniform:n=100000,dim=3 >out 2>err ||
    expect 0 "$cli" verify files/t.npy --data uniform:n=200,dim=3
  only t.npy
done
for delay in 0.05 0.1 0.2 0.3; do
  "$cli" build --data uniform:n=200000,dim=3 --backend cpu --tree-out files/t.npy >out 2>&1 &
  pid=$!
  sleep "$delay"
  worker=$(worker_of "$pid")
  kill -KILL "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  # The process that works is killed with the program, but ends a moment later.
  while [ -n "$worker" ] && kill -0 "$worker" 2>/dev/null; do sleep 0.1; done
done
expect 0 "$cli" build --data wald-10 --backend cpu --tree-out files/t.npy
expect 0 "$cli" verify files/t.npy --data wald-10
only t.npy

# An experiment that is stopped keeps the older table, and its rows beside it.
echo older >files/e.csv
"$cli" experiment wald-table-1 --backend cpu --max-n 10M -o files/e.csv >out 2>err &
pid=$!
has_row() { grep -qs ms files/e.part-*.csv; }
once "$pid" has_row
kill -TERM "$pid"
code=0
wait "$pid" || code=$?
[ "$code" = 5 ] || { echo "SIGTERM gave exit code $code"; cat err; exit 1; }
[ "$(cat files/e.csv)" = older ]
grep -q e.unfinished.csv err
only e.csv e.unfinished.csv t.npy

# Ctrl-C ends a long run soon, with a word.
"$cli" build --data uniform:n=200000 --backend cpu --repeat 100000 >out 2>err &
pid=$!
once "$pid" has_worker "$pid"
kill -INT "$pid"
code=0
wait "$pid" || code=$?
[ "$code" = 5 ] || { echo "Ctrl-C gave exit code $code"; cat err; exit 1; }
grep -q stopping err

# A crash ends in a sentence and not in "Segmentation fault" alone: here, the process that searches is sent the signal.
"$cli" query --data uniform:n=1000,dim=3 --k 8 --backend cpu --repeat 1000000 >out 2>err &
pid=$!
once "$pid" has_worker "$pid"
worker=$(worker_of "$pid")
once "$pid" has_worked "$worker" 200
kill -SEGV "$worker"
code=0
wait "$pid" || code=$?
[ "$code" = 5 ] || { echo "a crash gave exit code $code"; cat err; exit 1; }
grep -q '^kdscope-cli: the run crashed (Segmentation fault) in search with stack-free; ' err
echo "the program works"
