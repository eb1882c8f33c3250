#!/usr/bin/env bash
# Installs the library to a folder of its own, moves it, and builds and runs the examples with it from outside:
# installed_test.sh BUILD-FOLDER CMAKE COMPILER
set -euo pipefail
build=$(cd "$1" && pwd) cmake=$2 compiler=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/kdscope-installed-XXXXXX")
trap 'rm -rf "$work"' EXIT
give_up() {
  echo "$1" >&2
  exit 1
}

for component in library development; do
  "$cmake" --install "$build" --prefix "$work/first" --component $component >/dev/null
done
mv "$work/first" "$work/moved"
installed=$work/moved
cp -r "$root/algorithms/library/examples" "$work/examples"

# An example has at most 20 lines, so that the README can show it.
wc -l "$work"/examples/*.cpp | awk '$2 != "total" && $1 > 20 { print $2 " has " $1 " lines"; bad = 1 } END { exit bad }'

# The headers compile with no other header of ours, and without a warning.
echo '#include <kdscope/kdscope.hpp>
int main() { return kdscope::version()[0] == 0; }' >"$work/alone.cpp"
"$compiler" -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Werror -I"$installed/include" "$work/alone.cpp" \
  -L"$installed/lib" -lkdscope -Wl,-rpath,"$installed/lib" -o "$work/alone"
"$work/alone"
if grep -rE 'include[ <"]+(thrust|tbb|algorithms|cuda)' "$installed/include"; then
  give_up "an installed header includes what is not installed with it"
fi

# The library shows its own functions alone.
shown=$(nm -DC --defined-only "$installed/lib/libkdscope.so" | awk '$2 ~ /[TWBDRV]/' | cut -d' ' -f3- |
  grep -v 'kdscope::library::' || true)
[ -z "$shown" ] || give_up "the shared library shows other symbols: $(echo "$shown" | head -n 3)"

"$cmake" -S "$work/examples" -B "$work/built" -DCMAKE_PREFIX_PATH="$installed" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror" >"$work/log" || { cat "$work/log" && exit 1; }
"$cmake" --build "$work/built" >"$work/log" || { cat "$work/log" && exit 1; }
for example in neighbours radius record; do
  echo "$example:"
  "$work/built/$example"
done >"$work/printed"
diff -u "$here/examples.txt" "$work/printed" || give_up "the examples print something else than examples.txt"
