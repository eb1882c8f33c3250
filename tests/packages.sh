#!/usr/bin/env bash
# Makes the packages of a finished build and tries them on a bare system: tests/packages.sh BUILD-FOLDER [OPTION...]
# cpack makes them in BUILD-FOLDER/packages; lintian finds no error. On a bare Debian of this machine's release they are
# installed, used by a user without rights, removed and purged, and leave nothing behind. Needs root. Options:
#   --in FOLDER  make the bare system in FOLDER and keep it; the default is a temporary folder, which is removed
set -euo pipefail
# shellcheck source-path=SCRIPTDIR/.. source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../app/setup.sh"
# shellcheck source=app/debian_folder.sh
source "$root/app/debian_folder.sh"

usage="usage: tests/packages.sh BUILD-FOLDER [--in FOLDER]"
build=${1:?$usage}
system=
if [ "${2:-}" = --in ]; then system=${3:?$usage}; fi
[ -f "$build/CPackConfig.cmake" ] || give_up "there is no build in $build; run bash tests/run.sh first"
[ "$(id -u)" -eq 0 ] || give_up "only root can make a bare system; start again with: sudo bash tests/packages.sh $build"
build=$(cd "$build" && pwd)
# shellcheck source=/dev/null
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
temporary=
clean_up() {
  end_child
  if [ -n "$temporary" ]; then rm -rf --one-file-system "$temporary"; fi
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
if [ -z "$system" ]; then
  temporary=$(mktemp -d "${TMPDIR:-/tmp}/kdscope-packages-XXXXXX")
  system=$temporary/system
fi
mkdir -p "$system" && system=$(cd "$system" && pwd)

say "Packages"
install_packages debootstrap dpkg-dev lintian desktop-file-utils
rm -rf "$build/packages"
(cd "$build" && cpack) | tail -n 4
packages=("$build"/packages/*.deb)
ls -l "$build"/packages/*.deb "$build"/packages/*.tar.gz
lintian --fail-on error "${packages[@]}" || give_up "lintian found errors; see the messages above"
desktop-file-validate "$root/app/desktop/kdscope.desktop"

say "A bare $release"
make_system
mkdir -p "$system/kdscope/packages"
cp "${packages[@]}" "$system/kdscope/packages/"
in_system apt-get update -q >/dev/null

# What the trial itself needs: a screen, a desktop's way to open files, a user, and a compiler for variants.
in_system sh -c 'DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends xvfb xauth x11-utils \
    libglib2.0-bin shared-mime-info desktop-file-utils g++ >/dev/null
  userdel -r student 2>/dev/null; useradd -m student'
in_system sh -c 'DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends /kdscope/packages/*.deb' |
  tail -n 3
as_user() { in_system su student -s /bin/bash -c "cd && $1"; }
as_user 'kdscope-cli --version && kdscope --version'
as_user 'kdscope-cli record --data wald-10 -o ten.kdtrace && kdscope-cli show ten.kdtrace --all >shown && wc -l shown'
as_user 'kdscope-cli list lessons | wc -l'
as_user 'kdscope-cli bench --algorithm rank --n 1K --beside nanoflann | grep nanoflann'
# A variant compiles with the headers and the library of the package.
as_user 'kdscope-cli variant new wald update_tags --out mine.cu && kdscope-cli variant build mine.cu'
as_user 'kdscope-cli export lesson wald/ten-points --web page.html >/dev/null 2>&1; ls -l page.html'
as_user 'xvfb-run -a kdscope --lesson wald/ten-points --screenshot window.png && ls -l window.png'
# A program of one's own compiles with the packages of the library alone, and runs.
in_system sh -c 'DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends cmake make >/dev/null'
as_user 'cp -r /usr/share/doc/libkdscope-dev/examples . && cmake -S examples -B built >/dev/null &&
  cmake --build built | tail -n 1 && built/neighbours && built/radius && built/record'
# Several processes, where MPI was there to build with.
if ls "$build"/packages/kdscope-ranks*.deb >/dev/null 2>&1; then
  as_user 'mpirun --oversubscribe -n 2 kdscope-cli build --data uniform:n=1000,dim=2 --algorithm rank'
fi
# The Python module, where it was built.
if ls "$build"/packages/python3-kdscope_*.deb >/dev/null 2>&1; then
  as_user 'python3 -c "
import numpy, kdscope
points = numpy.random.default_rng(1).random((1000, 3))
assert (kdscope.KDTree(points).query(points)[1] == numpy.arange(1000)).all()
trace = kdscope.record([[10, 15], [46, 63], [68, 21]])
print(kdscope.__version__, trace, len(trace._repr_html_()))
assert kdscope.variant(\"mine.cu\")
"'
fi
# Every program has a man page and a completion that bash reads.
in_system bash -c 'cd /usr/bin && for program in kdscope*; do
    zcat "/usr/share/man/man1/$program.1.gz" | grep -q "^  .-.-help" &&
      . "/usr/share/bash-completion/completions/$program" && complete -p "$program" || exit
  done'
# The man page of many commands, and the menu's entry with its icon and both types of files.
in_system sh -c 'zcat /usr/share/man/man1/kdscope-cli.1.gz | grep -q "^.SS build" &&
  test -e /usr/share/icons/hicolor/scalable/apps/kdscope.svg &&
  grep -q "^Exec=kdscope %f" /usr/share/applications/kdscope.desktop &&
  grep -q kdtrace /usr/share/mime/packages/kdscope.xml'
# The window opens from the menu, and by a double click on a trace.
cat >"$system/kdscope/opens_window.sh" <<'END'
"$@" || exit
for _ in $(seq 300); do
  window=$(xwininfo -root -tree | sed -nE 's/^ *(0x[0-9a-f]+) .*\("kdscope".* [0-9]{3,}x[0-9]{3,}.*/\1/p' | head -n 1)
  # A window may be gone before it is asked about
  if [ -n "$window" ] && xwininfo -id "$window" 2>/dev/null | grep -q IsViewable; then
    xwininfo -id "$window" | grep -o '".*"'
    exit
  fi
  sleep 0.2
done
echo "no window opened within a minute"
exit 1
END
as_user 'gio info -a standard::content-type ten.kdtrace | grep application/x-kdscope-trace'
# Screens of different numbers: one that ends may still remove the socket of its number.
as_user 'xvfb-run -n 120 -a sh /kdscope/opens_window.sh gio launch /usr/share/applications/kdscope.desktop'
as_user 'xvfb-run -n 140 -a sh /kdscope/opens_window.sh gio open ten.kdtrace'

say "Removal"
names=$(for package in "${packages[@]}"; do dpkg-deb -f "$package" Package; done)
in_system sh -c "apt-get purge -q -y $(echo "$names" | tr '\n' ' ') >/dev/null"
left=$(in_system find / -xdev \( -path /proc -o -path /kdscope -o -path /home -o -path /tmp -o -path /var/log \
  -o -path /var/cache \) -prune -o -name "*kdscope*" -print)
[ -z "$left" ] || give_up "the packages leave this behind: $left"
echo "nothing is left behind"
