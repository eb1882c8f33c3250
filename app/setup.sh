# shellcheck shell=bash
# Sourced by app/run.sh and tests/run.sh.
#
# setup PRESET [TARGET...] installs missing Debian packages, configures PRESET and builds the targets (default: all).
# Afterwards $build_dir is the build folder. Every failure ends the script with one sentence on what to do.
# The caller may name more packages in extra_packages, and choose the back ends in cuda:
#   auto     CUDA if this machine has an NVIDIA device and an nvcc (default)
#   nvcc     CUDA if there is an nvcc, also without a device
#   on       the same, and an error if there is none
#   ARCH     the same, compiled for this architecture: 75, 90, ...

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '\n== %s\n' "$*"; }
give_up() { printf '\nkdscope: %s\n' "$*" >&2; exit 1; }

# Qt needs a private folder for its sockets; containers and services often lack one.
if [ -z "${XDG_RUNTIME_DIR:-}" ]; then
  XDG_RUNTIME_DIR=${TMPDIR:-/tmp}/kdscope-runtime-$(id -u)
  mkdir -m 700 "$XDG_RUNTIME_DIR" 2>/dev/null || true
  # Another user may have created this path, as a folder or a link. If so, use a new private folder.
  if [ -L "$XDG_RUNTIME_DIR" ] || [ ! -d "$XDG_RUNTIME_DIR" ] || [ ! -O "$XDG_RUNTIME_DIR" ]; then
    XDG_RUNTIME_DIR=$(mktemp -d "${TMPDIR:-/tmp}/kdscope-runtime-XXXXXX") ||
      give_up "no folder can be created in ${TMPDIR:-/tmp}; set TMPDIR to another place"
  fi
  chmod 700 "$XDG_RUNTIME_DIR"
  export XDG_RUNTIME_DIR
fi

has_device() { command -v nvidia-smi >/dev/null && [[ $(nvidia-smi -L 2>/dev/null) == *"GPU "* ]]; }

# Sets CUDACXX if there is an nvcc that supports C++20; reports older ones.
find_nvcc() {
  local candidate release
  for candidate in "${CUDACXX:-}" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc /opt/cuda/bin/nvcc; do
    if [ ! -x "$candidate" ]; then continue; fi
    release=$("$candidate" --version | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
    if [ "${release:-0}" -ge 12 ]; then
      export CUDACXX=$candidate
      return 0
    fi
    echo "CUDA: $candidate is older than CUDA 12 and is not used"
  done
  unset CUDACXX
  return 1
}

# Decides whether the CUDA back end is built, and prints that. There is an nvcc if $1 is yes.
choose_back_ends() {
  if [ "${cuda:-auto}" = auto ] && ! has_device; then
    echo "CUDA: no NVIDIA device answers, so only the CPU back end is built; app/run.sh --cuda 90 builds the CUDA one" \
      "for architecture 90"
    return 1
  fi
  if [ "$1" != yes ]; then
    [[ ${cuda:-auto} =~ ^(auto|nvcc)$ ]] ||
      give_up "there is no nvcc of CUDA 12 or later; install CUDA, or leave out --cuda"
    echo "CUDA: no usable nvcc, so only the CPU back end is built"
    return 1
  fi
  echo "CUDA: $CUDACXX"
}

install_packages() {
  local package present missing=() as_root=()
  if ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian system, so nothing is installed. Required packages, by their Debian names: $*"
    return
  fi
  # Debian 13 has made some packages part of others, which provide their names: libqt6opengl6-dev.
  present=$(dpkg-query -W -f '${db:Status-Status} ${Package}, ${Provides}\n' |
    sed -n 's/^installed //; T; s/ ([^)]*)//g; s/,//g; p' | tr '\n' ' ')
  for package in "$@"; do
    [[ " $present" == *" $package "* ]] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      give_up "${#missing[@]} packages are missing and you are not root; ask an administrator" \
      "to run: apt-get install --no-install-recommends ${missing[*]}"
    as_root=(sudo)
  fi
  say "Installing ${#missing[@]} packages: ${missing[*]}"
  "${as_root[@]}" apt-get update -q || echo "The package lists could not be refreshed; continuing with old ones."
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" ||
    give_up "the packages could not be installed; see the messages above. Check the network and the package" \
      "sources, then start again"
  packages_installed=yes
}

# Prints the number of steps of a first build, and about how long they take: a step takes about
# $seconds_per_step seconds of a processor. ninja itself counts the steps that are left of later builds.
seconds_per_step=2
announce_build() {
  local steps minutes
  [ ! -e "$build_dir/.ninja_log" ] || return 0
  steps=$(ninja -C "$build_dir" -t commands "${@:-all}" 2>/dev/null | wc -l) || return 0
  minutes=$(((steps * seconds_per_step + 30 * $(nproc)) / (60 * $(nproc))))
  echo "$steps steps on $(nproc) processors take about $((minutes > 0 ? minutes : 1)) minutes."
}

setup() {
  local preset=$1 options=() log
  shift
  packages_installed=
  trap 'give_up "interrupted; start again to continue, finished parts of the build are kept"' INT TERM
  local packages=(g++ cmake ninja-build catch2 libtbb-dev libhdf5-dev libyaml-cpp-dev libmd4c-dev libnanoflann-dev
    libzstd-dev zlib1g-dev
    ${extra_packages[@]+"${extra_packages[@]}"})
  case $preset in
    asan | tsan | tools-only) ;;
    fuzz) packages+=(clang libclang-rt-dev) ;;
    *) packages+=(qt6-base-dev qt6-svg-dev libqt6opengl6-dev libgl1-mesa-dev libxcb1-dev libvtk9-dev xvfb xauth
                 libgl1-mesa-dri fonts-open-sans) ;;
  esac

  # CUDA toolkits contain Thrust, also for builds without the CUDA back end. Debian's package would shadow the headers
  # of an installed toolkit, so install it only if there is none.
  local nvcc=no
  if find_nvcc; then
    nvcc=yes
    options=("-DKDSCOPE_TOOLKIT=$(dirname "$(dirname "$(readlink -f "$CUDACXX")")")")
  else
    packages+=(libthrust-dev)
  fi
  # Every choice is passed each time, because CMake remembers earlier ones. Presets with sanitizers have no CUDA.
  if ! choose_back_ends "$nvcc"; then
    if [ "$preset" = release ]; then preset=cpu-only; fi
    options+=(-DKDSCOPE_CUDA=OFF)
  elif [[ $preset =~ ^(release|debug|tools-only)$ ]]; then
    options+=(-DKDSCOPE_CUDA=ON)
    if [[ ${cuda:-auto} =~ ^[0-9] ]]; then
      options+=("-DCMAKE_CUDA_ARCHITECTURES=$cuda")
    else
      options+=(-UCMAKE_CUDA_ARCHITECTURES)
    fi
  fi
  install_packages "${packages[@]}"

  build_dir=$root/build/$preset
  log=$build_dir/configure.log
  mkdir -p "$build_dir"
  # Configure again if the options differ from those of the last time.
  if [ ! -e "$build_dir/build.ninja" ] || [ -n "$packages_installed" ] ||
    [ "${options[*]-}" != "$(cat "$build_dir/configure.options" 2>/dev/null)" ]; then
    say "Configuring $preset in build/$preset"
    rm -f "$build_dir/configure.options"
    (cd "$root" && cmake --preset "$preset" ${options[@]+"${options[@]}"}) >"$log" 2>&1 ||
      { tail -n 30 "$log" >&2; give_up "configuring failed; the whole log is in $log"; }
    sed -n 's/^-- kdscope: /  /p' "$log"
    echo "${options[*]-}" >"$build_dir/configure.options"
  fi

  say "Building in build/$preset"
  announce_build "$@"
  local TIMEFORMAT='Built in %0R s, with %0U s of processors.'
  time cmake --build "$build_dir" ${@:+--target "$@"} ||
    give_up "the build failed; see the messages above. Start again to continue, finished parts are kept"
  trap - INT TERM
}
