#!/bin/sh
# What `cmake --install` brings is complete, and works from a moved tree:
# install_test.sh CMAKE BUILD-FOLDER PROGRAM LESSONS
set -eu
cmake=$1 build=$2 cli=$3 lessons=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset KDSCOPE_LESSONS

"$cmake" --install "$build" --component lessons --prefix "$folder/first" >"$folder/log"
mkdir "$folder/first/bin"
cp "$cli" "$folder/first/bin/kdscope-cli"
mv "$folder/first" "$folder/moved"

"$folder/moved/bin/kdscope-cli" list lessons | cut -d' ' -f1 | sort >"$folder/listed"
(cd "$lessons" && ls ./*/*.md) | sed 's/^\.\///; s/\.md$//' | sort >"$folder/there"
cmp "$folder/listed" "$folder/there" || { diff "$folder/listed" "$folder/there"; exit 1; }

# They come from the moved tree, not from the sources.
rm "$folder/moved/share/kdscope/walkthroughs/wald/ten-points.md"
if "$folder/moved/bin/kdscope-cli" list lessons | grep -q '^wald/ten-points '; then
  echo "the lessons are not those of the moved tree"
  exit 1
fi
echo "all lessons are installed"
