#!/usr/bin/env bash
# Exports of the workbench under faults: exports.sh PROGRAM ROUNDS. A round exports each format to a file that may not
# grow and, as root, to a full disk; kills an export while it replaces a file; and lets two exports write one file. Each
# time the old file is whole or the new one is, and the next export leaves nothing beside it.
set -uo pipefail
program=$1 rounds=$2
folder=$(mktemp -d)
disk=
trap '[ -z "$disk" ] || umount "$disk"; rm -rf "$folder"' EXIT
cd "$folder" || exit
mkdir files new
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-$folder}  # Qt prints a line without one
small=uniform:n=60,dim=2 large=uniform:n=3000,dim=2
formats=(svg pdf png csv)
command -v ffmpeg >/dev/null && formats+=(gif)

# render DATA FILE: --what of a file's ending.
render() {
  local what=partition
  case $2 in *.csv) what=table ;; esac
  exec "$program" --data "$1" --render "$2" --what $what --size 400x300 --backend cpu
}
# old FILE, whole FILE: as it was; complete, of either data set. Documents hold the time of their making.
old() { cmp -s "$1" "new/small.${1##*.}"; }
whole() {
  case $1 in
    *.pdf) [ "$(head -c 5 "$1")" = %PDF- ] && [ "$(tail -n 1 "$1")" = %%EOF ] ;;
    *) cmp -s "$1" "new/small.${1##*.}" || cmp -s "$1" "new/large.${1##*.}" ;;
  esac
}
failed=0
# line WHAT TRIALS BAD: what a part of the campaign found.
line() {
  echo "$2 exports $1, $3 bad files, ends or left-overs"
  [ "$3" -eq 0 ] || failed=1
}
# left_over FOLDER: number of files that are no target of an export.
left_over() { find "$1" -type f ! -name 't.*' | wc -l; }

for format in "${formats[@]}"; do
  for size in small large; do
    (render "${!size}" "new/$size.$format") >/dev/null || { echo "$format is not exported"; exit 1; }
  done
done

ran=0 bad=0
for ((round = 0; round < rounds; ++round)); do
  for format in "${formats[@]}"; do
    cp "new/small.$format" "files/t.$format"
    size=$(stat -c %s "new/large.$format")
    limit=$((4 + round * (size / 1024 - 4) / rounds))  # KiB, which hold the message
    (ulimit -f $limit; render $large "files/t.$format") >/dev/null 2>err
    code=$?
    ran=$((ran + 1))
    if [ $code -ne 5 ] || [ ! -s err ] || ! old "files/t.$format" || [ "$(left_over files)" -ne 0 ]; then
      bad=$((bad + 1))
      echo "$format, a limit of $limit KiB: exit code $code: $(head -c 200 err)"
    fi
  done
done
line "to files that may not grow" $ran $bad

if [ "$(id -u)" = 0 ] && mkdir disk && mount -t tmpfs -o size=256k tmpfs disk 2>/dev/null; then
  disk=$folder/disk
  ran=0 bad=0
  for ((round = 0; round < rounds; ++round)); do
    for format in "${formats[@]}"; do
      cp "new/small.$format" "disk/t.$format"
      # Room for less than the new file, more in each round.
      size=$(stat -c %s "new/large.$format")
      free=$(df --output=avail -B1 disk | tail -n 1)
      head -c $((free - round * size / rounds / 4096 * 4096)) /dev/zero >disk/t.fill 2>/dev/null
      (render $large "disk/t.$format") >/dev/null 2>err
      code=$?
      ran=$((ran + 1))
      if [ $code -ne 5 ] || [ ! -s err ] || ! old "disk/t.$format" || [ "$(left_over disk)" -ne 0 ]; then
        bad=$((bad + 1))
        echo "$format, a full disk: exit code $code: $(head -c 200 err)"
      fi
      rm disk/t.*
    done
  done
  line "to a full disk" $ran $bad
else
  echo "no export to a full disk: only root can mount one"
fi

ran=0 bad=0
for ((round = 0; round < rounds; ++round)); do
  for format in "${formats[@]}"; do
    cp "new/small.$format" "files/t.$format"
    (render $large "files/t.$format") >/dev/null 2>&1 &
    sleep "$(printf '0.%03d' $((100 + (round * 37 + ran * 11) % 500)))"
    kill -KILL $! 2>/dev/null
    wait $! 2>/dev/null
    ran=$((ran + 1))
    whole "files/t.$format" || { bad=$((bad + 1)); echo "$format, killed: neither the old file nor the new one"; }
  done
done
for format in "${formats[@]}"; do (render $small "files/t.$format") >/dev/null || bad=$((bad + 1)); done
[ "$(left_over files)" -eq 0 ] || { bad=$((bad + 1)); ls files; }
line "killed while they replace a file" $ran $bad

ran=0 bad=0
for ((round = 0; round < rounds; ++round)); do
  for format in "${formats[@]}"; do
    (render $large "files/t.$format") >/dev/null 2>&1 & first=$!
    (render $small "files/t.$format") >/dev/null 2>&1 & second=$!
    wait $first || bad=$((bad + 1))
    wait $second || bad=$((bad + 1))
    ran=$((ran + 2))
    whole "files/t.$format" && [ "$(left_over files)" -eq 0 ] || {
      bad=$((bad + 1))
      echo "$format, two writers: not whole"
    }
  done
done
line "of two at a time to one file" $ran $bad
exit $failed
