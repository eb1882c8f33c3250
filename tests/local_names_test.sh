#!/usr/bin/env bash
# Fails if two sources that may be compiled together have the same local name: the second would not compile, or would
# silently call a function of the first. Local names are those of anonymous namespaces and of static functions.
# Also fails if two files define a class of the same name in the same namespace: a program that holds both destroys
# objects of one by the destructor of the other, and neither compiler nor linker says so.
# Needs Universal Ctags; without it the test is skipped, but not where KDSCOPE_EXPECTS_CTAGS is set.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! ctags --version 2>/dev/null | grep -q "Universal Ctags"; then
  echo "Universal Ctags is missing (Debian: universal-ctags)"
  if [ -n "${KDSCOPE_EXPECTS_CTAGS:-}" ]; then exit 1; else exit 77; fi
fi

find algorithms app datasets visualizer walkthroughs tests -name '*.cpp' ! -path 'tests/bench/*' |
  ctags -L - --languages=C++ --kinds-C++=fvgscu --fields=+sf --sort=no -f - 2>/dev/null |
  awk -F'\t' '
    # The folder whose sources make one library with those of this path.
    function folder(path) {
      if (match(path, /^(datasets|walkthroughs|app\/experiments|algorithms\/(applications|queries))\//))
        return substr(path, 1, RLENGTH - 1)
      sub(/\/[^\/]*\.cpp$/, "", path)
      return path
    }
    {
      scope = ""; is_local = 0
      for (i = 4; i <= NF; ++i) {
        if ($i ~ /^namespace:/) scope = substr($i, 11)
        if ($i == "file:") is_local = 1
        if ($i ~ /^(struct|class|union|enum|function):/) next  # members
      }
      if (scope !~ /__anon[0-9a-f]+$/ && !is_local) next
      gsub(/__anon[0-9a-f]+/, "", scope)
      ++names
      key = folder($2) "\t" scope "\t" $1
      if (!(key in first)) first[key] = $2
      else if (first[key] != $2 && !(key in reported)) {
        reported[key] = 1
        print $1 " is a local name of " first[key] " and of " $2 "; rename one of them"
        failed = 1
      }
    }
    END {
      print names + 0 " local names"
      if (names < 1000) { print "ctags found too few of them"; failed = 1 }
      exit failed
    }'

find algorithms app datasets visualizer walkthroughs \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cuh' \) |
  ctags -L - --languages=C++ --kinds-C++=csu --fields=+sf --sort=no -f - 2>/dev/null |
  awk -F'\t' '
    {
      scope = ""
      for (i = 4; i <= NF; ++i) {
        if ($i ~ /^namespace:/) scope = substr($i, 11)
        if ($i == "file:" && $2 ~ /\.cpp$/ && scope ~ /__anon/) next
        if ($i ~ /^(struct|class|union|enum|function):/) next  # members
      }
      if (scope == "" || scope ~ /__anon/ || $1 ~ /__anon/) next
      ++types
      key = scope "::" $1
      if (!(key in first)) first[key] = $2
      else if (first[key] != $2 && !(key in reported)) {
        reported[key] = 1
        print key " is a class of " first[key] " and of " $2 "; rename one of them"
        failed = 1
      }
    }
    END {
      print types + 0 " classes"
      if (types < 500) { print "ctags found too few of them"; failed = 1 }
      exit failed
    }'
