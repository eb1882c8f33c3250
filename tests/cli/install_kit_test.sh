#!/bin/sh
# The headers and the library that `cmake --install` brings compile a variant, from a moved tree:
# install_kit_test.sh CMAKE BUILD-FOLDER PROGRAM
set -eu
cmake=$1 build=$2 cli=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset KDSCOPE_KIT
export XDG_CACHE_HOME="$folder/cache"

# A build without the library installs the rest.
grep -q 'OPTIONAL FILES.*/libkdscope_kit\.so"' "$build/algorithms/variants/cmake_install.cmake" ||
  { echo "an installation needs the kit's library"; exit 1; }

"$cmake" --install "$build" --component kit --prefix "$folder/first" >"$folder/log"
mkdir "$folder/first/bin"
cp "$cli" "$folder/first/bin/kdscope-cli"
mv "$folder/first" "$folder/moved"
cli=$folder/moved/bin/kdscope-cli

for what in update_tags --builder; do
  "$cli" variant new wald $what --out "$folder/my$what.cu" >>"$folder/log"
  "$cli" variant build "$folder/my$what.cu" >"$folder/output" 2>&1 || { cat "$folder/output"; exit 1; }
  grep -q "is equal to the original" "$folder/output" || { cat "$folder/output"; exit 1; }
done

# The headers are those of the moved tree, not the sources.
rm "$folder/moved/include/kdscope/algorithms/builders/wald/split_rule.hpp"
rm -r "$folder/cache"
if "$cli" variant build "$folder/myupdate_tags.cu" >"$folder/output" 2>&1; then
  echo "the headers are not those of the moved tree"
  exit 1
fi
echo "an installed kit compiles variants"
