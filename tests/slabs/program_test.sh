#!/bin/bash
# Builds in slabs as a person would: usage: program_test.sh PROGRAM
set -eu
cli=$1
. "$(dirname "$0")/points_file.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

give_up() {
  echo "$1"
  cat out err
  exit 1
}
# refused CODE TEXT ARGUMENTS...: the command ends with this code and one line that holds the text.
refused() {
  wanted=$1 text=$2 code=0
  shift 2
  "$cli" "$@" >out 2>err || code=$?
  [ $code = "$wanted" ] || give_up "exit code $code of $*"
  [ "$(wc -l <err)" = 1 ] && grep -q -- "$text" err || give_up "not one line with: $text"
}

points_file points.npy 200000
"$cli" build --algorithm rank --backend cpu --data points.npy --tree-out memory.npy >out
hash=$(sed -n 's/^tree hash *//p' out)
"$cli" build --backend cpu --data points.npy --memory 600K --tree-out slabs.npy >out 2>err || give_up "no tree"
grep -q "^tree hash *$hash" out || give_up "another tree than $hash"
cmp memory.npy slabs.npy || give_up "another file than that of a build in memory"
"$cli" verify slabs.npy --data points.npy --memory 300K >out 2>err || give_up "the tree is refused"
grep -q "hash $hash" out || give_up "the check finds another hash"
# A tree that was built in memory, without its points
"$cli" verify memory.npy --memory 300K >out 2>err || give_up "a tree of a build in memory is refused"
grep -q "records: not compared" out || give_up "it does not say what is not compared"
# A node that was altered
printf 'x' | dd of=slabs.npy bs=1 seek=3000000 conv=notrunc 2>/dev/null
refused=0
"$cli" verify slabs.npy --data points.npy --memory 300K >out 2>err || refused=$?
[ $refused = 4 ] || give_up "exit code $refused of a tree that was altered"
rm slabs.npy

# A plan reads and writes nothing
"$cli" build --backend cpu --data points.npy --memory 600K --tree-out slabs.npy --plan --json >out
grep -q '"scratch_bytes": *3200000' out || give_up "no size of the scratch file"
[ ! -e slabs.npy ] || give_up "a plan writes a tree"

# Refusals leave nothing
refused 2 "there is something of this name already" build --data points.npy --memory 1M --tree-out memory.npy
refused 2 "name one with --tree-out" build --data points.npy --memory 1M
refused 2 "give --memory BYTES, too" build --data points.npy --plan
refused 2 "hu does not build in slabs" build --algorithm hu --data points.npy --memory 1M --tree-out slabs.npy
refused 2 "does not take --repeat" build --data points.npy --memory 1M --tree-out slabs.npy --repeat 3
refused 5 "needs at least" build --backend cpu --data points.npy --memory 1K --tree-out slabs.npy
refused 2 "reads an NPY file as it is" build --data wald-10 --memory 1M --tree-out slabs.npy
refused 2 "reads an NPY file as it is" build --data points.npy:columns=1,2 --memory 1M --tree-out slabs.npy
refused 3 "only NPY files of float32 or int32" build --data out --memory 1M --tree-out slabs.npy
refused 3 "there is no such file" build --data nothing.npy --memory 1M --tree-out slabs.npy
refused 5 "no folder missing" build --data points.npy --memory 1M --tree-out missing/slabs.npy
refused 5 "the scratch file in nowhere" build --backend cpu --data points.npy --memory 1M --tree-out slabs.npy \
  --scratch nowhere
refused 2 "checks trees that split level mod k alone" verify memory.npy --memory 1M --split widest
# Memory that does not suffice leads to slabs
(
  ulimit -d 150000
  points_file large.npy 12000000
  refused 5 "or build in slabs, with --memory BYTES" build --algorithm rank --backend cpu --data large.npy
) || exit 1
rm large.npy
# Files that may not become as large as the tree
(
  ulimit -f 2000
  refused 5 "slabs.npy: cannot be written (File too large); free some room" \
    build --backend cpu --data points.npy --memory 1M --tree-out slabs.npy
) || exit 1
# A disk on which there is no room, where this user may mount one: said before
mkdir small
if mount -t tmpfs -o size=5m none small 2>err; then
  ( refused 5 "the tree with its scratch file needs .* bytes .*, the disk has room for" \
      build --backend cpu --data points.npy --memory 1M --tree-out small/slabs.npy
    head -c 3000000 /dev/zero >small/other
    refused 5 "small: the scratch file needs 3200000 bytes" \
      build --backend cpu --data points.npy --memory 1M --tree-out slabs.npy --scratch small
    rm small/other ) || { umount small; exit 1; }
  "$cli" build --backend cpu --data points.npy --memory 1M --tree-out slabs.npy --scratch small >out 2>err ||
    { umount small; give_up "a scratch file on another disk"; }
  left=$(ls small)
  umount small
  [ -z "$left" ] || give_up "the scratch file stays: $left"
  cmp memory.npy slabs.npy || give_up "another tree with a scratch file on another disk"
  rm slabs.npy
fi
rmdir small
[ "$(ls)" = "$(printf 'err\nmemory.npy\nout\npoints.npy')" ] || give_up "files stay: $(ls)"
