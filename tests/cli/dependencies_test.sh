#!/bin/sh
# Building the targets of app/run.sh builds what they run: the kit for variants, the runner for the window. With these,
# a broken variant of the gallery shows its bug:
# dependencies_test.sh NINJA BUILD-FOLDER PROGRAM GALLERY [WINDOW, RELATIVE TO THE FOLDER]
set -eu
ninja=$1 build=$2 cli=$3 gallery=$4 window=${5:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset KDSCOPE_KIT
export XDG_CACHE_HOME="$folder/cache"

needs() {
  "$ninja" -C "$build" -t query "$1" | grep -q "$2" || { echo "$1 is built without $2"; exit 1; }
}
needs app/cli/kdscope-cli libkdscope_kit.so
if [ -n "$window" ]; then
  needs "$window" libkdscope_kit.so
  needs "$window" kdscope-runner
fi

code=0
"$cli" variant build "$gallery/less-or-equal.cu" --data wald-10 >"$folder/output" 2>&1 || code=$?
[ "$code" -eq 4 ] && grep -q "tags\[6\] is" "$folder/output" || { cat "$folder/output"; exit 1; }
echo "the programs bring what variants and the window need"
