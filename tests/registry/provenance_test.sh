#!/bin/sh
# The build names the commit that it was made from: usage: provenance_test.sh CMAKE SCRIPT
set -eu
cmake=$1
script=$2
command -v git >/dev/null || { echo "KDSCOPE_SKIPPED: git is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
out=$folder/out.cpp

# expect LINE TREE: the file written for a source tree holds this line.
expect() {
  "$cmake" "-DROOT=$2" "-DCOMPILER=GNU 12.2.0" "-DFLAGS=-O3 -ffile-prefix-map=/home/me=. -DNDEBUG" \
    -DBUILD_TYPE=Release "-DOUTPUT=$out" -P "$script"
  grep -qF "$1" "$out" || { echo "no '$1' in:"; cat "$out"; exit 1; }
}
alias_git="git -c user.name=nobody -c user.email=nobody@nowhere"

# Unpacked from an archive: unknown, and so inside of another repository.
mkdir -p tree/algorithms
expect '{"unknown", false, R"(GNU 12.2.0)", R"(-O3 -DNDEBUG)", "Release"}' "$folder/tree"
$alias_git init -q .
echo x >file
$alias_git add file
$alias_git commit -qm one
expect '{"unknown", false,' "$folder/tree"

# A repository of its own; tests and documents change nothing that runs.
cd tree
$alias_git init -q .
echo 1 >algorithms/a.cpp
$alias_git add algorithms
$alias_git commit -qm one
commit=$(git rev-parse HEAD)
expect "{\"$commit\", false," "$folder/tree"
mkdir tests
echo 1 >tests/t.cpp
expect "{\"$commit\", false," "$folder/tree"
# What says the same is not written again, so that nothing is compiled again.
touch -d 2001-01-01 "$out"
expect "{\"$commit\", false," "$folder/tree"
[ "$(date -r "$out" +%Y)" = 2001 ] || { echo "the file was written again"; exit 1; }
# Changes and new files of the sources.
echo 2 >algorithms/a.cpp
expect "{\"$commit\", true," "$folder/tree"
git checkout -q algorithms
echo 3 >algorithms/b.cpp
expect "{\"$commit\", true," "$folder/tree"
echo "the provenance is right"
