#!/bin/sh
# A disk that is full, here or on the device: usage: device_disk_test.sh PROGRAM RUNNER. The device is a process of this
# machine with file systems of its own, as root alone may make them; skipped (77) for others.
set -eu
cli=$1
runner=$2
# shellcheck source=tests/cli/expect.sh
. "$(dirname "$0")/expect.sh"
command -v unshare >/dev/null || skip "unshare is not installed (Debian: util-linux)"
full='set -e
  for folder in /tmp "$HOME" /var/tmp /dev/shm; do
    [ ! -d "$folder" ] || mount -t tmpfs -o size=64k none "$folder"
    ! head -c 1000000 /dev/zero 2>/dev/null >"$folder/filled" || exit 1
  done'
# In a changed root, the propagation of mounts cannot be set, and need not where nothing is shared.
apart="unshare --mount"
$apart true 2>/dev/null || grep -q " shared:" /proc/self/mountinfo || apart="unshare --mount --propagation unchanged"
$apart sh -c "$full" full 2>/dev/null || skip "nobody but root may mount file systems"

# Outside of what is covered
folder=$(mktemp -d -p "${DISK_TEST_FOLDER:-/var/lib}")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$runner" kdscope-runner
export XDG_CONFIG_HOME="$folder/config"
sentence() {
  [ "$(wc -l <err)" = 1 ] && grep -q "$1" err || { echo "no sentence about '$1':"; cat err; exit 1; }
  cut -c 1-200 err
}

# ---- there: runs write nothing to a disk ----
printf '%s\nexec "$@"\n' "$full" >full
# shellcheck disable=SC2086  # words of a command
expect 0 "$cli" device add full -- $apart sh "$folder/full" "$folder/kdscope-runner" --far
expect 0 "$cli" device list --check
for data in wald-10 uniform:n=20000,dim=3; do
  expect 0 "$cli" record --data "$data" --backend cpu --device full -o there.kdtrace
  expect 0 "$cli" record --data "$data" --backend cpu -o here.kdtrace
  expect 0 "$cli" diff there.kdtrace here.kdtrace
done
expect 0 "$cli" build --data uniform:n=20000,dim=3 --backend cpu --device full --repeat 3
echo "a full disk there: recordings and builds as here"

# ---- here: one sentence, no half file, and what stood there before stays ----
mkdir small
expect 0 "$cli" device add lab -- "$folder/kdscope-runner" --far
cat >here <<END
set -e
mount -t tmpfs -o size=128k none small
echo before >small/kept.kdtrace
code=0
"$cli" record --data uniform:n=20000,dim=3 --backend cpu --device lab -o small/new.kdtrace || code=\$?
[ \$code != 0 ]
[ "\$(ls small)" = kept.kdtrace ] || { ls small; exit 99; }
code=0
"$cli" record --data uniform:n=20000,dim=3 --backend cpu --device lab -o small/kept.kdtrace 2>/dev/null || code=\$?
[ "\$(cat small/kept.kdtrace)" = before ] || exit 98
exit \$code
END
# shellcheck disable=SC2086  # words of a command
expect 5 $apart sh here
sentence "new.kdtrace"
expect 0 "$cli" build --data wald-10 --backend cpu --device lab
