#!/bin/sh
# Runs on a device that a real sshd leads to, on the loopback address with keys made for this test: usage:
# device_ssh_test.sh PROGRAM RUNNER. Skipped (77) where sshd or ssh is missing or cannot start.
set -eu
cli=$1
runner=$2

# shellcheck source=tests/cli/loopback_sshd.sh
. "$(dirname "$0")/loopback_sshd.sh"

# shellcheck disable=SC2046
{
  expect 0 "$cli" device add lab -- $(way user) "$runner" --far
  expect 0 "$cli" device add missing -- $(way user) /nowhere/kdscope-runner --far
  expect 0 "$cli" device add stranger -- $(way stranger) "$runner" --far
}
expect 5 "$cli" device list --check
says out "kdscope $("$cli" --version | cut -d ' ' -f 2)"
says out ": /nowhere/kdscope-runner: "  # not found, in the words of the shell there
says out "Permission denied (publickey)"

# ---- recordings there are those made here ----
for data in wald-10 uniform:n=20000,dim=3; do
  expect 0 "$cli" record --data "$data" --backend cpu --device lab -o there.kdtrace
  expect 0 "$cli" record --data "$data" --backend cpu -o here.kdtrace
  expect 0 "$cli" diff there.kdtrace here.kdtrace
done
expect 0 "$cli" build --data uniform:n=20000,dim=3 --backend cpu --device lab --repeat 3
says out "tree hash"

# The time of a run over a connection that is open; printed, not judged.
now() { date +%s%N; }
began=$(now)
expect 0 "$cli" repeat --times 2 --data wald-10 --backend cpu --device lab
middle=$(now)
expect 0 "$cli" repeat --times 42 --data wald-10 --backend cpu --device lab
echo "a recording of ten points over an open connection: $((($(now) - middle - (middle - began)) / 40000000)) ms"

# ---- one sentence each for what fails ----
expect 5 "$cli" build --data wald-10 --device missing
says err "no kdscope-runner answers"
expect 5 "$cli" build --data wald-10 --device stranger
says err "Permission denied"
echo "[127.0.0.1]:$port $(cat user.pub)" >known  # another host answers
expect 5 "$cli" build --data wald-10 --device lab
says err "Host key verification failed"
: >known
expect 5 "$cli" build --data wald-10 --device lab
says err "Host key verification failed"
echo "[127.0.0.1]:$port $(cat host.pub)" >known

# A connection that breaks in the middle of a run ends it, and the next one connects again. One that breaks between two
# runs is only made again, so break it until the run ends.
"$cli" repeat --times 1000000 --data uniform:n=100000,dim=3 --backend cpu --device lab >out 2>err &
run=$!
while kill -0 "$run" 2>/dev/null; do
  sleep 0.7
  for session in $(pgrep -P "$server" || true); do
    # shellcheck disable=SC2046  # numbers
    kill -9 "$session" $(pgrep -P "$session" || true) 2>/dev/null || true
  done
done
code=0
wait "$run" || code=$?
[ "$code" = 5 ] || { echo "exit code $code instead of 5"; cat out err; exit 1; }
# The last break may have met a connection that was just being made.
grep -q "the connection to .* was lost" err || says err "no kdscope-runner answers"
expect 0 "$cli" build --data wald-10 --backend cpu --device lab
kill "$server"
wait "$server" || true
expect 5 "$cli" build --data wald-10 --device lab
says err "Connection refused"
