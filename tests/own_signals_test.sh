#!/usr/bin/env bash
# No object emits another's signal, and no class of the workbench is a friend of another.
set -euo pipefail
cd "$(dirname "$0")/.."
failed=0
if grep -rnE --include='*.[ch]pp' '\bemit [A-Za-z_]+(\(\))?(\.|->)' app; then
  echo "an object emits another's signal" && failed=1
fi
if grep -rnE --include='*.hpp' '\bfriend\b' app/workbench; then
  echo "the workbench has a friend" && failed=1
fi
exit $failed
