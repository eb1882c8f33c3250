#!/usr/bin/env bash
# The reference pages are made without a warning, and explain every public function:
# reference_test.sh BUILD-FOLDER CMAKE
# Skipped (77) where there is no doxygen.
set -euo pipefail
build=$(cd "$1" && pwd) cmake=$2
if ! command -v doxygen >/dev/null; then
  echo "doxygen is not installed"
  [ -n "${KDSCOPE_EXPECTS_DOXYGEN:-}" ] && exit 1 || exit 77
fi
"$cmake" --build "$build" --target reference
pages=$build/algorithms/library/reference/html
for word in nearest within count permutation build record state_after; do
  grep -rlq ">$word<\|>$word&\|$word()" "$pages" || { echo "no page explains $word" && exit 1; }
done
# A member without a comment is a warning, and a warning is an error.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r "$build/algorithms/library/include" "$copy/"
sed -i 's/^struct BuilderInfo {$/&\n  int undocumented = 0;/' "$copy/include/kdscope/library.hpp"
sed "s#$build/algorithms/library/include#$copy/include#; s#^OUTPUT_DIRECTORY.*#OUTPUT_DIRECTORY = $copy/out#" \
  "$build/algorithms/library/Doxyfile" >"$copy/Doxyfile"
if doxygen "$copy/Doxyfile" 2>"$copy/log"; then
  echo "a member without a comment went unnoticed" && exit 1
fi
grep -q undocumented "$copy/log"
