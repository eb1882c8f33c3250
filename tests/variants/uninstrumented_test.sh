#!/usr/bin/env bash
# Fails if the machine code that runs at full speed reports or records accesses: builders, executors, searches and
# shards. Looking inside a launch compiles programs of its own, so kernels stay as they are. First plants an object with
# such reports, which must be found.
# Usage: uninstrumented_test.sh BUILD_FOLDER COMPILER. Skipped without nm and objdump, or if all of kdscope is built
# with a thread sanitizer.
set -euo pipefail
build=$1 compiler=$2
if ! command -v nm >/dev/null || ! command -v objdump >/dev/null; then
  echo "nm and objdump are missing (Debian: binutils)"
  exit 77
fi
if grep -q '^KDSCOPE_SANITIZE:.*=.*thread' "$build/CMakeCache.txt"; then
  echo "all of kdscope is built with a thread sanitizer"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The compiler's reports; the recorder, and the executors that announce lanes to it or keep an order of lanes.
reports='__tsan_|__wrap_mem|access_log|note_access|InsideExec|InsideBlock|OrderedExec|OrderedBlock|WithCountedMemory'

# recording_in FILE: prints the symbols and calls of a file that report accesses; fails if it has no functions.
recording_in() {
  nm "$1" >"$folder/symbols" 2>/dev/null
  objdump -dr "$1" >"$folder/code" 2>/dev/null
  grep -q ' [TtWw] ' "$folder/symbols" || { echo "$1 has no functions"; return 1; }
  grep -hoE "($reports)[A-Za-z0-9_]*" "$folder/symbols" "$folder/code" | sort | uniq -c | head -5 || true
}

# A kernel's loop, with the compiler's reports and without; and one that calls the recorder
cat >"$folder/planted.cpp" <<'END'
void count(unsigned* counts, const unsigned* keys, unsigned n) {
  for (unsigned i = 0; i < n; ++i) ++counts[keys[i]];
}
END
cat >"$folder/calling.cpp" <<'END'
namespace kdscope::access_log { void begin_group(unsigned); }
void run(unsigned block) { kdscope::access_log::begin_group(block); }
END
"$compiler" -O2 -fsanitize=thread -c "$folder/planted.cpp" -o "$folder/reporting.o"
"$compiler" -O2 -c "$folder/planted.cpp" -o "$folder/plain.o"
"$compiler" -O2 -c "$folder/calling.cpp" -o "$folder/calling.o"
for planted in reporting calling; do
  [ -n "$(recording_in "$folder/$planted.o")" ] || { echo "the planted object $planted.o was not found"; exit 1; }
done
[ -z "$(recording_in "$folder/plain.o")" ] || { echo "an object without reports was taken for one with them"; exit 1; }

failed=0 files=0
for archive in "$build"/algorithms/{builders,exec,queries,cluster,library}/*.a; do
  found=$(recording_in "$archive") || { echo "$found"; continue; }  # such as a list of builders
  files=$((files + 1))
  if [ -n "$found" ]; then
    echo "$archive reports accesses:" && echo "$found"
    failed=1
  fi
done
echo "$files libraries at full speed, none of which may report accesses"
[ "$files" -ge 8 ] || { echo "these are too few"; exit 1; }
exit $failed
