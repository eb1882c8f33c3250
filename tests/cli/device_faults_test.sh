#!/bin/sh
# Kills what stands between a command and its device, each in turn, at moments that a seed chooses: each time one
# sentence, or none if the command was not affected, and the next run works. usage: device_faults_test.sh PROGRAM RUNNER
# [TIMES [SEED]]. Skipped (77) where sshd is missing.
set -eu
cli=$1
runner=$2
times=${3:-20}
random=${4:-1}
# shellcheck source=tests/cli/loopback_sshd.sh
. "$(dirname "$0")/loopback_sshd.sh"

# shellcheck disable=SC2046  # the words of a command
expect 0 "$cli" device add lab -- $(way user) "$runner" --far

# below N: sets $drawn to a number from 0 to N - 1.
below() {
  random=$(((random * 1103515245 + 12345) % 2147483648))
  drawn=$((random / 65536 % $1))
}
# below_them PROCESS...: their children.
below_them() { for each in "$@"; do pgrep -P "$each" || true; done; }
# Processes that the command's side and sshd have started, by what they are. The command works in a child of its own.
# shellcheck disable=SC2046  # numbers
victims() {
  case $1 in
    near) below_them $(below_them "$run") ;;
    ssh) below_them $(below_them $(below_them "$run")) ;;
    sshd) below_them "$server" ;;
    far | runner)
      far=$(pgrep -f "^$runner --far" || true)
      # shellcheck disable=SC2086
      if [ "$1" = far ]; then echo $far; else below_them $far; fi
      ;;
  esac
}

failed=0
for time in $(seq "$times"); do
  who=$(echo near ssh sshd far runner | cut -d ' ' -f $((time % 5 + 1)))
  below 3000
  moment=$drawn
  "$cli" repeat --times 40 --data uniform:n=20000,dim=3 --backend cpu --device lab >out 2>err &
  run=$!
  case $who in  # those that are there late on a busy machine
    far | runner) while [ -z "$(victims "$who")" ] && kill -0 "$run" 2>/dev/null; do sleep 0.1; done ;;
  esac
  sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
  for victim in $(victims "$who"); do kill -9 "$victim" 2>/dev/null || true; done
  code=0
  wait "$run" || code=$?
  if [ "$code" != 0 ]; then
    failed=$((failed + 1))
    if [ "$code" != 5 ] || [ "$(wc -l <err)" != 1 ]; then
      echo "time $time, $who after $moment ms: exit code $code, and not one sentence:"
      cat err
      exit 1
    fi
    grep -qE "the connection to .* was lost|no kdscope-runner answers|the process that builds (crashed|ended itself)" \
      err || { echo "time $time, $who after $moment ms:"; cat err; exit 1; }
    echo "$who after $moment ms: $(cut -c 1-200 err)"
  else
    echo "$who after $moment ms: the command was not affected"
  fi
  expect 0 "$cli" build --data wald-10 --backend cpu --device lab
done
echo "$failed of $times kills ended a command"
[ "$failed" -gt 0 ]
