#!/usr/bin/env bash
# Tries both commands of the README on a bare Debian: tests/bare.sh RELEASE [OPTION...] [-- CTEST ARGUMENTS]
# RELEASE is bookworm (Debian 12) or trixie (Debian 13). debootstrap makes the system in a folder, from the package
# sources of this machine. app/run.sh (without a display) and tests/run.sh run there on a copy of the working tree. A
# summary ends the run; logs are in ${OUT:-build/bare-RELEASE}. Needs root, on a Debian system. Options:
#   --app        run app/run.sh alone
#   --configure  stop once app/run.sh has installed its packages and configured
#   --jobs N     compile with N processes
#   --in FOLDER  make the system in FOLDER and keep it, so that another run goes on there; the default is a temporary
#                folder, which is removed
set -uo pipefail
# shellcheck source-path=SCRIPTDIR/.. source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../app/setup.sh"
# shellcheck source=app/debian_folder.sh
source "$root/app/debian_folder.sh"

usage="usage: tests/bare.sh bookworm|trixie [--app | --configure] [--jobs N] [--in FOLDER] [-- CTEST ARGUMENTS]"
release=${1:-}
case $release in bookworm | trixie) shift ;; *) give_up "$usage" ;; esac
stages="system app tests"
jobs=()
system=
while [ $# -gt 0 ]; do
  case $1 in
    --app) stages="system app" ;;
    --configure) stages="system configure" ;;
    --jobs) jobs=("CMAKE_BUILD_PARALLEL_LEVEL=${2:?$usage}"); shift ;;
    --in) system=${2:?$usage}; shift ;;
    --) shift; break ;;
    *) give_up "there is no option '$1'; $usage" ;;
  esac
  shift
done
[ "$(id -u)" -eq 0 ] || give_up "only root can make a bare system; start again with: sudo bash tests/bare.sh $release"

logs=${OUT:-$root/build/bare-$release}
mkdir -p "$logs" || exit
temporary=
# shellcheck disable=SC2317  # the trap calls it
clean_up() {
  end_child
  if [ -n "$temporary" ]; then
    rm -rf --one-file-system "$temporary" || { sleep 2; rm -rf --one-file-system "$temporary"; }
  fi
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
if [ -z "$system" ]; then
  temporary=$(mktemp -d "${TMPDIR:-/tmp}/kdscope-$release-XXXXXX") || exit
  system=$temporary/system
fi
mkdir -p "$system" && system=$(cd "$system" && pwd) || exit

# The working tree as git sees it: commits and changes, without ignored files. Builds of a kept system stay.
copy_tree() {
  mkdir -p "$system/kdscope" && find "$system/kdscope" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} + &&
    git -C "$root" -c safe.directory='*' ls-files -z --cached --others --exclude-standard |
    (cd "$root" && while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
      tar -c --null -T -) | tar -x --no-same-owner -C "$system/kdscope"
}

run_stage() {
  local stage=$1
  shift
  case $stage in
    system) make_system && copy_tree ;;
    configure) in_system "${jobs[@]}" bash -c 'source app/setup.sh && setup release help' ;;
    app) in_system "${jobs[@]}" bash app/run.sh ;;
    tests) in_system "${jobs[@]}" bash tests/run.sh ${@:+-- "$@"} ;;
  esac
}

# The versions of the packages in which releases differ most.
versions() {
  local names='g\\+\\+|cmake|qt6-base-dev|libvtk9-dev|catch2|libhdf5-dev|libyaml-cpp-dev|libtbb-dev|libthrust-dev'
  # shellcheck disable=SC2016  # dpkg-query expands these
  chroot "$system" dpkg-query -W -f '${db:Status-Status} ${Package} ${Version}\n' |
    awk -v names="^($names)$" '$1 == "installed" && $2 ~ names { printf "%s %s, ", $2, $3 }'
}

if ! command -v debootstrap >/dev/null; then install_packages debootstrap; fi
summary=()
failed=0
for stage in $stages; do
  say "$release: $stage"
  start=$SECONDS result=passed code=0
  run_stage "$stage" "$@" >"$logs/$stage.log" 2>&1 || code=$?
  tail -n "$([ $code -eq 0 ] && echo 14 || echo 40)" "$logs/$stage.log"
  if [ $code -ne 0 ]; then result="FAILED ($code)"; failed=1; fi
  summary+=("$(printf '%-10s %5d s  %s' "$stage" $((SECONDS - start)) "$result")")
  if [ $code -ne 0 ] && [ "$stage" != app ]; then break; fi
done

printf '\n== summary of %s, logs in %s\n' "$release" "$logs"
versions; echo
printf '%s\n' "${summary[@]}"
if [[ $stages == *tests* ]]; then grep -hE "tests passed,|tests skipped," "$logs/tests.log"; fi
exit $failed
