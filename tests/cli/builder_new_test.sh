#!/bin/sh
# The files of `builder new` compile and pass the test that is among them:
# builder_new_test.sh CLI SOURCES BUILD-FOLDER COMPILER CATCH2-LIBRARY CMAKE
set -eu
cli=$1 sources=$2 build=$3 compiler=$4 catch2=$5 cmake=$6
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/algorithms/builders" "$work/tests/builders"
cp -r "$sources/algorithms/builders/textbook" "$work/algorithms/builders/"
cp "$sources/tests/builders/textbook_test.cpp" "$work/tests/builders/"
(cd "$work" && "$cli" builder new my-median >printed)
[ "$(grep -c my.median "$work/printed")" = 6 ] || { cat "$work/printed" && exit 1; }

# What CMake makes of the folder: the unit of the CPU back end, and the list of builders, here without CUDA.
generated=$build/generated
rename='s#builders/textbook/textbook#builders/my-median/my_median#; s/textbook/my_median/g'
sed "$rename" "$generated/textbook_cpu.cpp" >"$work/cpu.cpp"
awk '/^namespace textbook [{]/ { copied = ""; in_block = 1 }
  { print }
  in_block { line = $0; gsub(/textbook/, "my_median", line); copied = copied line "\n" }
  in_block && /^[}]/ { printf "%s", copied; in_block = 0 }
  /on_back_ends\(textbook::/ { line = $0; gsub(/textbook/, "my_median", line); print line }' \
  "$generated/builders.cpp" | sed 's/&[a-z_]*::on_cuda/nullptr/' >"$work/builders.cpp"

# Each line of pseudo-code names a region that there is, and each region has a line.
find "$work/algorithms/builders/my-median" "$sources/algorithms/trees" -name '*.hpp' >"$work/headers"
echo "$work/algorithms/builders/my-median/pseudocode.txt" >"$work/pseudocodes"
"$cmake" -DROOT="$work" -DFILES="$work/headers" -DPSEUDOCODES="$work/pseudocodes" -DPSEUDOCODE="$work/pseudocode.cpp" \
  -P "$sources/app/cmake/ExtractRegions.cmake"

options=$(sed -n 's/^option //p' "$build/algorithms/variants/kit.txt")
links=$(sed -n 's/^link_option //p' "$build/algorithms/variants/kit.txt")
kit=$(sed -n 's/^library //p' "$build/algorithms/variants/kit.txt")
# The options are words without spaces, and one has quotes of its own.
# shellcheck disable=SC2086
"$compiler" -std=c++20 -O1 -ffp-contract=off -Wall -Wextra -Werror -Wno-restrict $options \
  -DKDSCOPE_SOURCE_DIR="\"$sources\"" -I"$work" -I"$sources" -I"$generated" -o "$work/test" \
  "$work/algorithms/builders/my-median/registration.cpp" "$work/cpu.cpp" "$work/builders.cpp" \
  "$work/tests/builders/my_median_test.cpp" "$catch2" "$(echo "$catch2" | sed s/Catch2Main/Catch2/)" "$kit" \
  -Wl,-rpath,"$(dirname "$kit")" $links
"$work/test" '~[device]'

# A second call changes nothing.
echo mine >>"$work/algorithms/builders/my-median/README.md"
if (cd "$work" && "$cli" builder new my-median 2>"$work/refused"); then
  echo "builder new wrote over files" && exit 1
fi
grep -q "is there already" "$work/refused"
grep -q mine "$work/algorithms/builders/my-median/README.md"
