#!/usr/bin/env bash
# Shows that a search without an event log costs nothing: its machine code is that of the same source from which all
# calls of the log were deleted. Compares g++'s assembly, and nvcc's where there is one.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
compiler=${1:-g++} nvcc=${2:-}
there=$(mktemp -d)
trap 'rm -rf "$there"' EXIT

# The traversals with their calls replaced by empty statements.
mkdir -p "$there/without/algorithms"
cp -r "$root/algorithms/." "$there/without/algorithms"
find "$there/without/algorithms/queries" -name '*.hpp' ! -name event_log.hpp -exec \
  perl -0777 -pi -e \
  's/\blog\.(?:enter|leave|test|accept|prune|push|pop|drop|round|bin|segment|count)\([^;]*\);/;/g' {} +
if diff -rq "$root/algorithms/queries" "$there/without/algorithms/queries" >/dev/null; then
  echo "no calls of the log were found"
  exit 1
fi

cat >"$there/searches.inc" <<'EOF'
#include "algorithms/queries/brown/brown.hpp"
#include "algorithms/queries/counting/counting.hpp"
#include "algorithms/queries/hu/hu.hpp"
#include "algorithms/queries/wald/wald.hpp"
#include "algorithms/queries/wehr/wehr.hpp"
#include "algorithms/queries/zhou-sah/zhou_sah.hpp"
#include "algorithms/queries/zhou-vvh/zhou_vvh.hpp"

using namespace kdscope;
using namespace kdscope::queries;

template <class Searching, class View, class Query, class Found>
KDSCOPE_HD std::uint32_t with_no_log(const View& tree, const Query& query, Found& found) {
  if constexpr (Searching::chooses_reach)
    return Searching().run(tree, query, found, NoLog(), 8);
  else
    return Searching().run(tree, query, found, NoLog());
}
#define SEARCHES(SEARCH)                                                                                  \
  SEARCH(a, wald::StackFree, (LevelOrderView<float, false>), (Coordinates<float, 3>), (ShortList<float, 8>)) \
  SEARCH(b, wald::StackBased, (LevelOrderView<float, false>), (Coordinates<float, 3>), (ShortList<float, 8>))     \
  SEARCH(c, wald::ClosestCorner, (LevelOrderView<float, false>), (Coordinates<float, 3>), (LongList<float, 64>)) \
  SEARCH(d, wehr::BoundedPriorityQueue, (LevelOrderView<float, true>), (Coordinates<float, 3>), (ShortList<float, 8>)) \
  SEARCH(e, brown::SuperKeyWalk, (LevelOrderView<float, true>), (Coordinates<float, 3>), (Within<float>))    \
  SEARCH(f, zhou_vvh::RadiusHistogram, (zhou_vvh::View<float>), (Coordinates<float, 3>), (Within<float>))    \
  SEARCH(h, counting::CountInBox, (counting::BoundedView<float>), (Coordinates<float, 3>), (Within<float>))   \
  SEARCH(i, counting::CountInCells, (zhou_vvh::View<float>), (Coordinates<float, 3>), (Within<float>))       \
  SEARCH(j, counting::CountInBuckets, (hu::TreeView<float>), (Coordinates<float, 3>), (Within<float>))       \
  SEARCH(g, zhou_sah::RayWithStack, (zhou_sah::View<float>), (zhou_sah::Ray<float, 0>), (ShortList<float, 1>))
#define BARE(...) __VA_ARGS__
EOF
cat >"$there/searches.cpp" <<'EOF'
#include "searches.inc"
#define SEARCH(NAME, SEARCHING, VIEW, QUERY, FOUND) \
  std::uint32_t NAME(const BARE VIEW& tree, const BARE QUERY& query, BARE FOUND& found) { \
    return with_no_log<SEARCHING>(tree, query, found); }
SEARCHES(SEARCH)
EOF
cat >"$there/searches.cu" <<'EOF'
#include "searches.inc"
#define SEARCH(NAME, SEARCHING, VIEW, QUERY, FOUND) \
  __global__ void NAME(BARE VIEW tree, const BARE QUERY* query, BARE FOUND* found, std::uint32_t* visited) { \
    visited[threadIdx.x] = with_no_log<SEARCHING>(tree, query[threadIdx.x], found[threadIdx.x]); }
SEARCHES(SEARCH)
EOF

# Prints per function the numbers of instructions, of writes to memory and of calls.
count_cpu() {
  awk '/^_Z[A-Za-z0-9_.]*:/ { name = $1 } /^\t[a-z]/ { all[name]++; if (/^\tcall/) calls[name]++ }
    /^\tmov[a-z]*\t[^(]*,.*\(/ { writes[name]++ }
    END { for (n in all) print n, all[n], writes[n] + 0, calls[n] + 0 }' "$1" | sort
}
count_cuda() {
  awk '/\.entry/ { name = $3; sub(/\(.*/, "", name) } /^\t[@a-z]/ { all[name]++ }
    /\tst\./ { writes[name]++ } /\tcall/ { calls[name]++ }
    END { for (n in all) print n, all[n], writes[n] + 0, calls[n] + 0 }' "$1" | sort
}

# compare NAME COMMAND...: runs the command with each tree of sources; it writes to standard output. The compilers may
# choose other registers and instructions, but not more of them than a twentieth; nvcc, which inlines everything, no
# other writes or calls.
compare() {
  local name=$1 kind from
  shift
  for kind in with without; do
    from=$root
    [ $kind = with ] || from=$there/without
    "$@" -I "$from" -I "$there" >"$there/$name.$kind.s"
    "count_$name" "$there/$name.$kind.s" >"$there/$name.$kind"
  done
  join "$there/$name.with" "$there/$name.without" >"$there/$name.both"
  if [ ! -s "$there/$name.both" ] ||
    ! awk -v name="$name" '
      $2 > 1.05 * $5 || (name == "cuda" && ($3 != $6 || $4 != $7)) { print "instructions, writes, calls: " $0; bad = 1 }
      END { exit bad }' "$there/$name.both"; then
    echo "$name: a search with NoLog has more machine code than one without calls of a log"
    exit 1
  fi
  awk -v name="$name" '{ a += $2; b += $5 } END { print name ": " NR " functions, " a " instructions with calls of " \
    "NoLog, " b " without" }' "$there/$name.both"
}

compare cpu "$compiler" -std=c++20 -O3 -DNDEBUG -ffp-contract=off -S -o - "$there/searches.cpp"
if [ -n "$nvcc" ]; then
  compare cuda "$nvcc" -std=c++20 -O3 -DNDEBUG -fmad=false --expt-relaxed-constexpr -arch=sm_90 -ptx -o - \
    "$there/searches.cu"
fi
