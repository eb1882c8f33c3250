#!/usr/bin/env bash
# Builds the engine of pages, build/engine/kdscope-engine.js: visualizer/web/engine/build.sh [--in FOLDER] [--jobs N]
# It takes an Emscripten of 3.1.60 or later. Where emcc is older or missing, as on Debian 12, the Emscripten of Debian
# 13 is installed in a system in FOLDER, which stays for the next time; the default is build/engine-system. That needs
# root.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR/../../.. source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../../app/setup.sh"
# shellcheck source=app/debian_folder.sh
source "$root/app/debian_folder.sh"

usage="usage: visualizer/web/engine/build.sh [--in FOLDER] [--jobs N]"
system=$root/build/engine-system
jobs=$(nproc)
inside=
while [ $# -gt 0 ]; do
  case $1 in
    --in) system=${2:?$usage}; shift ;;
    --jobs) jobs=${2:?$usage}; shift ;;
    --inside) inside=yes ;;  # in the system that has Emscripten
    *) give_up "there is no option '$1'; $usage" ;;
  esac
  shift
done

# has_emscripten: whether this system's emcc is new enough.
has_emscripten() {
  local version
  version=$(emcc --version 2>/dev/null | sed -n '1s/.* \([0-9][0-9.]*\) .*/\1/p') || return
  [ -n "$version" ] && [ "$(printf '%s\n' 3.1.60 "$version" | sort -V | head -n 1)" = 3.1.60 ]
}

packages=(emscripten libthrust-dev cmake ninja-build)

if [ -z "$inside" ] && ! has_emscripten; then
  [ "$(id -u)" -eq 0 ] ||
    give_up "there is no emcc of 3.1.60 or later, and only root can make a system that has one; install Emscripten," \
      "or start again with: sudo bash visualizer/web/engine/build.sh"
  if ! command -v debootstrap >/dev/null; then install_packages debootstrap; fi
  release=trixie
  mkdir -p "$system" && system=$(cd "$system" && pwd) || exit
  trap end_child EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  make_system || give_up "the Debian 13 system in $system could not be made; see the messages above"
  # shellcheck disable=SC2034  # in_system reads it
  shared_tree=$root
  in_system bash -c '
    [ -x /usr/bin/emcc ] || { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
      --no-install-recommends "$@"; }' bash "${packages[@]}" ||
    give_up "Emscripten could not be installed in $system; see the messages above"
  in_system bash visualizer/web/engine/build.sh --inside --jobs "$jobs" || give_up "the engine could not be built"
  exit
fi

out=$root/build/engine
mkdir -p "$out/thrust" || exit
for headers in thrust cub cuda nv; do
  [ -e "$out/thrust/$headers" ] || cp -r "/usr/include/$headers" "$out/thrust/" ||
    give_up "Thrust's headers are not in /usr/include; install libthrust-dev"
done
sources=$(bash "$root/visualizer/web/engine/sources.sh") || exit
flags="-fexperimental-library -fwasm-exceptions -mbulk-memory -mnontrapping-fptoint -DKDSCOPE_COMPACT"
# Libraries of this system are of another machine.
options=(-DMD4C_INCLUDE_DIR=OFF -DKDSCOPE_LINKER=OFF)
for library in CCCL HDF5 OpenMP TBB yaml-cpp; do options+=("-DCMAKE_DISABLE_FIND_PACKAGE_$library=ON"); done
emcmake cmake -S "$root" -B "$out" -G Ninja -DCMAKE_BUILD_TYPE=MinSizeRel -DCMAKE_CXX_FLAGS="$flags" \
  -DCMAKE_CXX_FLAGS_MINSIZEREL="-Oz -DNDEBUG" \
  -DKDSCOPE_CUDA=OFF -DKDSCOPE_APP=OFF -DKDSCOPE_TESTS=OFF -DKDSCOPE_EMBREE=OFF -DKDSCOPE_PEERS=OFF \
  -DKDSCOPE_THRUST_HEADERS="$out/thrust" "${options[@]}" >"$out/configure.log" 2>&1 ||
  { tail -n 30 "$out/configure.log" >&2; give_up "configuring failed; the whole log is in $out/configure.log"; }
cmake --build "$out" --target kdscope-engine -j "$jobs" || give_up "the build failed; see the messages above"

# One file for pages and for tests: the module's glue, the module, and the source regions that pages show.
texts=$out/algorithms/registry/source_texts
as_text() { gzip -9 -n -c "$1" | base64 -w 0; }
module=$out/visualizer/web/engine/kdscope-engine
version=$(sed -n 's/^project(kdscope VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
{
  echo "// kdscope engine $version, sources $sources"
  cat "$module.js"
  printf 'make_kdscope_engine.%s = "%s";\n' sources "$sources" packed "$(as_text "$module.wasm")" \
    source_texts "$(as_text "$texts")"
} >"$out/kdscope-engine.js.part" && mv "$out/kdscope-engine.js.part" "$out/kdscope-engine.js" || exit
echo "$out/kdscope-engine.js: module of $(stat -c %s "$module.wasm") bytes," \
  "$(gzip -9 -n -c "$module.wasm" | wc -c) compressed; source regions of $(stat -c %s "$texts") bytes," \
  "$(gzip -9 -n -c "$texts" | wc -c) compressed; file of $(stat -c %s "$out/kdscope-engine.js") bytes"
