#!/bin/sh
# Many windows at once, each a process of its own, run on one device whose GPU is emulated by a queue (KDSCOPE_QUEUE):
# they get their turns in the order in which they asked, and all finish. usage: windows_in_turn_test.sh PROGRAM CLI
# RUNNER [WINDOWS]. Skipped (77) where flock is missing.
set -eu
program=$1
cli=$2
runner=$3
count=${4:-20}
command -v flock >/dev/null || { echo "skipped: flock is not installed (Debian: util-linux)"; exit 77; }

folder=$(mktemp -d)
windows=
holder=
end() {
  # shellcheck disable=SC2086  # numbers
  kill $windows $holder 2>/dev/null || true
  rm -rf "$folder"
}
trap end EXIT
cd "$folder"
export XDG_CONFIG_HOME="$folder/config" XDG_STATE_HOME="$folder/state" QT_QPA_PLATFORM=offscreen
queue=$folder/queue
mkdir "$queue"

"$cli" device add shared -- env "KDSCOPE_QUEUE=$queue" "$runner" --far >out 2>&1 || { cat out; exit 1; }
tickets() { find "$queue" -name 'ticket-*' | sed 's/.*ticket-//; s/-.*//' | sort -n; }
give_up() {
  echo "$1"
  cat window-*.err
  exit 1
}

# ---- somebody else is at work until all windows wait, each after the one before ----
: >"$queue/at-work"
chmod 666 "$queue/at-work"
flock --exclusive --nonblock "$queue/at-work" sleep 3000 &
holder=$!
number=0
while [ "$number" -lt "$count" ]; do
  number=$((number + 1))
  "$program" --fresh --device shared --data "uniform:n=$((20000 + number)),dim=2" --algorithm wald --backend cpu \
    --size 640x480 --screenshot "$number.png" 2>"window-$number.err" &
  windows="$windows $!"
  waited=0
  while [ "$(tickets | wc -l)" -lt "$number" ]; do
    kill -0 "${windows##* }" 2>/dev/null || give_up "window $number ended before its turn"
    [ "$waited" -lt 600 ] || give_up "window $number does not wait for its turn"
    waited=$((waited + 1))
    sleep 0.1
  done
done
tickets >asked
echo "$count windows wait"

# ---- those that still wait are at every moment the last ones that asked ----
kill "$(pgrep -P "$holder" | head -n 1)" 2>/dev/null || kill "$holder"
seen=0
waited=0
while left=$(tickets) && [ -n "$left" ]; do
  echo "$left" >left
  tail -n "$(wc -l <left)" asked >last
  cmp -s left last || give_up "waiting: $(tr '\n' ' ' <left), asked: $(tr '\n' ' ' <asked)"
  seen=$((seen + 1))
  [ "$waited" -lt 3000 ] || give_up "some windows never get their turn: $(tr '\n' ' ' <left)"
  waited=$((waited + 1))
  sleep 0.02
done
for window in $windows; do wait "$window" || give_up "a window failed"; done
windows=
number=0
while [ "$number" -lt "$count" ]; do
  number=$((number + 1))
  [ -s "$number.png" ] || give_up "window $number saved no picture"
done
echo "they had their turns in this order, as $seen looks show, and finished"
