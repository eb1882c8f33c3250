#!/usr/bin/env bash
# The private folder that set-up makes for Qt is nobody else's: usage: runtime_folder_test.sh SETUP
set -euo pipefail
setup=$1
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
usual=$TMPDIR/kdscope-runtime-$(id -u)

# chosen: the folder that set-up chooses.
chosen() { env -u XDG_RUNTIME_DIR bash -c 'source "$1" && echo "$XDG_RUNTIME_DIR"' - "$setup"; }
# private FOLDER: it is ours, a folder and no link, and others may do nothing in it.
private() { [ -O "$1" ] && [ ! -L "$1" ] && [ "$(stat -c '%F %a' "$1")" = "directory 700" ]; }
fail() { echo "$*"; ls -la "$TMPDIR"; exit 1; }

[ "$(chosen)" = "$usual" ] || fail "the usual folder was not chosen"
private "$usual" || fail "the usual folder is not private"
chmod 755 "$usual"
[ "$(chosen)" = "$usual" ] || fail "the usual folder was not chosen again"
private "$usual" || fail "the usual folder is not private again"
rm -r "$usual"

mkdir -m 755 "$TMPDIR/victim"
ln -s "$TMPDIR/victim" "$usual"
folder=$(chosen)
private "$folder" || fail "beside a planted link, $folder is not private"
[ "$(stat -c %a "$TMPDIR/victim")" = 755 ] || fail "the planted link was followed"
rm "$usual"

echo mine >"$usual"
private "$(chosen)" || fail "beside a planted file, the folder is not private"
[ "$(cat "$usual")" = mine ] || fail "the planted file was touched"
rm "$usual"

if [ "$(id -u)" = 0 ]; then  # only root can make a folder of somebody else's
  mkdir -m 755 "$usual"
  chown 65534 "$usual"
  folder=$(chosen)
  [ "$folder" != "$usual" ] || fail "the folder of somebody else was taken"
  private "$folder" || fail "beside the folder of somebody else, $folder is not private"
fi
echo "the folder is private"
