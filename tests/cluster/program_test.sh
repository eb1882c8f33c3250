#!/bin/sh
# Runs kdscope-cli under mpirun as a person would: usage: program_test.sh MPIRUN PROGRAM
set -eu
mpirun=$1
cli=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

give_up() {
  echo "$1"
  cat out err
  exit 1
}
# ranks R ARGUMENTS...: runs the program with R ranks; its exit code is in $code.
ranks() {
  number=$1
  shift
  code=0
  "$mpirun" --allow-run-as-root --oversubscribe -n "$number" "$cli" "$@" >out 2>err || code=$?
}
# says TEXT: the text stands once in what the program reported, which is plain text.
says() {
  [ "$(tr -d '\0' <err | wc -c)" = "$(wc -c <err)" ] || give_up "zero bytes in what the program reported"
  [ "$(grep -c -- "$1" err)" = 1 ] || give_up "not once: $1"
}
# hash: the hash of the tree in the output.
hash() { sed -n 's/.*tree hash *\(0x[0-9a-f]*\).*/\1/p' out; }

data=uniform:n=20000,dim=3,seed=4
"$cli" build --algorithm rank --backend cpu --data $data >out
one=$(hash)
for number in 1 3; do
  ranks $number build --data $data --tree-out tree$number.shares
  [ $code = 0 ] || give_up "exit code $code"
  [ "$(hash)" = "$one" ] || give_up "$number ranks build another tree than one process, $one"
  [ "$(ls tree$number.shares | wc -l)" = $number ] || give_up "not one share per rank"
  "$cli" verify tree$number.shares --data $data >out 2>err || give_up "the shares do not make the tree"
  grep -q "hash $one" out || give_up "the shares are another tree"
done
# The tree without duplicates, which has shares of its own kind
twice=grid:n=5000,dim=2,side=40,seed=3
"$cli" build --algorithm brown --backend cpu --data $twice >out
one=$(hash)
for number in 2 3; do
  ranks $number build --data $twice --algorithm brown --param sort=merge --tree-out brown$number.shares
  [ $code = 0 ] || give_up "exit code $code"
  [ "$(hash)" = "$one" ] || give_up "$number ranks build another tree by brown than one process, $one"
  "$cli" verify brown$number.shares --data $twice >out 2>err || give_up "the shares do not make the tree of brown"
  grep -q "hash $one" out || give_up "the shares are another tree of brown"
  "$cli" query --tree brown$number.shares --queries $twice --k 3 --out of_shares.npy >out 2>err ||
    give_up "the shares of brown cannot be searched"
  ranks $number query --data $twice --algorithm brown --k 3 --out found.npy
  cmp of_shares.npy found.npy || give_up "$number ranks find other neighbours by brown than one process"
done
# More dimensions than rank takes
ranks 3 query --data uniform:n=900,dim=11 --algorithm brown --k 3 --out found.npy
[ $code = 0 ] || give_up "exit code $code"
"$cli" query --data uniform:n=900,dim=11 --algorithm brown --backend cpu --k 3 --out one.npy >out 2>err
cmp one.npy found.npy || give_up "other neighbours in 11 dimensions"
# Of as many parts as ranks, half of the points change places once: a quarter of the points in either direction
ranks 2 build --data $data --algorithm brown --json
bytes=$(sed -n 's/.*"bytes_of_points": *\([0-9]*\).*/\1/p' out)
[ "$bytes" -gt 190000 ] && [ "$bytes" -lt 210000 ] || give_up "$bytes bytes of points have travelled by brown"
ranks 3 build --data $data --algorithm brown --param parts=2
[ $code = 2 ] || give_up "exit code $code"
says "parts=2 does not give each of 3 ranks a part"
ranks 3 build --data $data --algorithm brown --param parts=6
says "parts cannot be 6"
ranks 3 record --data $data --algorithm brown -o brown.kdtrace
[ $code = 2 ] || give_up "exit code $code"
says "record it without mpirun, with --param parts=4"
cp brown3.shares/share-0-of-3.npy brown3.shares/share-1-of-3.npy
! "$cli" verify brown3.shares >out 2>err || give_up "a share of brown twice is no tree"
cp -r tree3.shares mixed.shares
cp brown2.shares/share-0-of-2.npy mixed.shares/share-1-of-3.npy
! "$cli" verify mixed.shares >out 2>err || give_up "shares of two kinds are no tree"
cp tree1.shares/share-0-of-1.npy brown2.shares/share-1-of-2.npy
! "$cli" verify brown2.shares >out 2>err || give_up "shares of two kinds are no tree"
# One rank prints the help
for asked in --help "build --help" "query --help" "record --help"; do
  ranks 2 $asked
  [ $code = 0 ] || give_up "exit code $code of $asked"
  [ "$(grep -c "^mpirun -n RANKS kdscope-cli .*options" out)" = 1 ] || give_up "not once: the help of $asked"
done
# What travels is what algorithms/cluster/README.md says: two thirds of 20,000 points of 16 bytes
ranks 3 build --data $data --json
bytes=$(sed -n 's/.*"bytes_of_points": *\([0-9]*\).*/\1/p' out)
[ "$bytes" -gt 203000 ] && [ "$bytes" -lt 224000 ] || give_up "$bytes bytes of points have travelled"
# A share that is missing, and one of another build
cp -r tree3.shares less.shares
rm less.shares/share-1-of-3.npy
! "$cli" verify less.shares >out 2>err || give_up "two of three shares are no tree"
says "has 2 files, but no share-0-of-2.npy"
cp -r tree3.shares other.shares
cp other.shares/share-0-of-3.npy other.shares/share-1-of-3.npy
! "$cli" verify other.shares >out 2>err || give_up "a share twice is no tree"

# On devices, where there are any; without one, that is said once
"$cli" build --algorithm rank --backend cpu --data $data >out
one=$(hash)
for link in auto host; do
  ranks 3 build --data $data --backend cuda --link $link --repeat 2
  if [ $code = 0 ]; then
    [ "$(hash)" = "$one" ] || give_up "three ranks build another tree on devices"
    grep -q "through host memory" out || [ $link = auto ] || give_up "points did not travel through the host"
  else
    [ $code = 5 ] || give_up "exit code $code"
    says "no CUDA device can be used"
  fi
done
ranks 3 build --data $data --backend cuda --algorithm brown
[ $code = 2 ] || give_up "exit code $code"
says "several ranks build by brown on the CPU alone"
ranks 3 query --data $data --backend cuda --param split=widest
says "several ranks build with split=widest on the CPU alone"
ranks 2 build --data $data --link wire
says "there is no link 'wire'"
ranks 2 build --data $data --backend auto
says "give --backend cpu or cuda"
ranks 2 build --data $data --repeat 3
[ "$(hash)" = "$one" ] || give_up "the last of three builds is another tree"
grep -q "the median of 3" out || give_up "no median of three builds"

# A file that every rank reads as a whole
printf 'x,y\n1,2\n3,4\n0,9\n5,5\n' >four.csv
"$cli" build --algorithm rank --backend cpu --data four.csv >out
one=$(hash)
ranks 7 build --data four.csv
[ "$(hash)" = "$one" ] || give_up "seven ranks build another tree of four points"

# An NPY file, of which every rank reads its rows
if python3 -c 'import numpy' 2>err; then
  python3 -c 'import numpy; numpy.save("points.npy", numpy.arange(3000, dtype="<f4").reshape(1000, 3) * 7 % 311)'
  "$cli" build --algorithm rank --backend cpu --data points.npy >out
  one=$(hash)
  ranks 3 build --data points.npy
  [ "$(hash)" = "$one" ] || give_up "three ranks build another tree of an NPY file"
  python3 -c 'import numpy; a = numpy.ones((1000, 3), "<f4"); a[900, 1] = numpy.nan; numpy.save("nan.npy", a)'
  ranks 3 build --data nan.npy
  says "rank 2 of 3, nan.npy, its rows from 666 on taken as a file"
fi

# Neighbours are those that one process finds, in a file like its own
"$cli" query --algorithm rank --backend cpu --data $data --k 5 --out one.csv >out
"$cli" query --algorithm rank --backend cpu --data $data --queries uniform:n=700,dim=3,seed=9 --k 3 --out few.npy >out
for number in 1 3; do
  ranks $number query --data $data --k 5 --out found.csv
  [ $code = 0 ] || give_up "exit code $code"
  cmp one.csv found.csv || give_up "$number ranks find other neighbours than one process"
  ranks $number query --data $data --queries uniform:n=700,dim=3,seed=9 --k 3 --out found.npy --json
  cmp few.npy found.npy || give_up "$number ranks find other neighbours of other queries than one process"
done
grep -q '"queries": *700' out || give_up "the report does not count the queries"
ranks 3 query --data $data --queries uniform:n=700,dim=2
[ $code = 3 ] || give_up "exit code $code"
says "the queries have other dimensions or another type than the points"
ranks 3 query --data $data --k 200
[ $code = 2 ] || give_up "exit code $code"
says "--k"
ranks 3 query --data $data --out missing/found.csv
[ $code = 5 ] || give_up "exit code $code"
says "missing/found.csv"

# A recording is a trace like others, and the same each time
few=uniform:n=150,dim=2,seed=4
if "$cli" record --data $few --algorithm rank --backend cpu -o one.kdtrace >out 2>err; then
  for number in 1 3; do
    ranks $number record --data $few -o ranks$number.kdtrace
    [ $code = 0 ] || give_up "exit code $code"
    "$cli" verify ranks$number.kdtrace >out 2>err || give_up "the trace of $number ranks does not hold"
    "$cli" show ranks$number.kdtrace --step exchange --json >out 2>err || give_up "the trace cannot be shown"
    grep -q '"rank_of_point":' out || give_up "no row has the ranks of the points"
  done
  ranks 3 record --data $few -o again.kdtrace --json
  [ "$(sed -n 's/.*"tree_hash": *"\([^"]*\)".*/\1/p' out)" = \
    "$("$cli" show one.kdtrace --json | sed -n 's/.*"tree_hash": *"\([^"]*\)".*/\1/p' | head -1)" ] ||
    give_up "the recorded tree is another than that of one process"
  cmp ranks3.kdtrace again.kdtrace || give_up "two recordings of the same build differ"
  ranks 3 record --data $few -o missing/trace.kdtrace
  [ $code = 5 ] || give_up "exit code $code"
  says "missing"
  ranks 3 record --data $few
  [ $code = 2 ] || give_up "exit code $code"
  says "-o"
  ranks 3 record --data uniform:n=1000000,dim=3 --budget 50M -o large.kdtrace
  [ $code = 5 ] || give_up "exit code $code"
  says "recording 1000000 points on 3 ranks takes about .* its budget is 50 MiB"
  ranks 3 record --data $few --budget 20K -o large.kdtrace
  [ $code = 5 ] || give_up "exit code $code"
  says "its budget"
  [ -z "$(ls -d *unfinished* large.kdtrace missing 2>/dev/null)" ] || give_up "an unfinished trace stays: $(ls)"
else
  grep -q HDF5 err || give_up "one process does not record"
fi

# Errors are reported once, and leave nothing
ranks 3 build --data no-such-file.csv
[ $code = 3 ] || give_up "exit code $code"
says "no-such-file.csv: there is no such file"
ranks 3 build --data $data --algorithm hu
[ $code = 2 ] || give_up "exit code $code"
says "several ranks do not build with hu"
ranks 3 build --data $data --param levels=9
says "levels"
ranks 2 show tree3.shares
says "under mpirun, kdscope-cli has the commands build, query and record alone"
ranks 2 build --data $data --tree-out tree.npy
says "whose name ends in .shares"
ranks 2 build --data $data --tree-out tree3.shares
says "there is something of this name already"
ranks 2 build --data $data --tree-out missing/tree.shares
says "missing/tree.shares.unfinished: cannot be written"

# A disk on which the shares have no room, where this user may mount one
mkdir small
if mount -t tmpfs -o size=300k none small 2>err; then
  ranks 3 build --data $data --tree-out small/full.shares
  left=$(ls small)
  umount small
  [ $code = 5 ] || give_up "exit code $code"
  says "cannot be written (No space left on device)"
  [ -z "$left" ] || give_up "a half tree stays: $left"
  mount -t tmpfs -o size=20k none small
  ranks 3 record --data uniform:n=150,dim=2,seed=4 -o small/full.kdtrace
  left=$(ls small)
  umount small
  [ $code = 5 ] || give_up "exit code $code"
  says "No space left on device"
  [ -z "$left" ] || give_up "half a trace stays: $left"
fi
