#!/bin/sh
# Runs kdscope-cli as a person would: usage: program_test.sh PROGRAM
set -eu
cli=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# expect CODE COMMAND...: the command ends with this exit code.
expect() {
  wanted=$1
  shift
  code=0
  "$@" >out 2>err || code=$?
  if [ "$code" != "$wanted" ]; then
    echo "exit code $code instead of $wanted: $*"
    cat out err
    exit 1
  fi
}

for command in list build record show verify diff experiment tune; do
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

# A full disk is an error, not silence.
if [ -w /dev/full ]; then
  code=0
  "$cli" list algorithms >/dev/full 2>err || code=$?
  [ "$code" = 5 ] || { echo "a full disk gave exit code $code"; exit 1; }
fi

# Ctrl-C ends a long run soon, with a word.
"$cli" build --data uniform:n=200000 --backend cpu --repeat 100000 >out 2>err &
pid=$!
sleep 1
kill -INT "$pid"
code=0
wait "$pid" || code=$?
[ "$code" = 5 ] || { echo "Ctrl-C gave exit code $code"; cat err; exit 1; }
grep -q stopping err
echo "the program works"
