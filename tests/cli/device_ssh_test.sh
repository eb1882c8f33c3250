#!/bin/sh
# Runs on a device that a real sshd leads to, on the loopback address with keys made for this test: usage:
# device_ssh_test.sh PROGRAM RUNNER. Skipped (77) where sshd or ssh is missing or cannot start.
set -eu
cli=$1
runner=$2

skip() { echo "skipped: $*"; exit 77; }
sshd=$(PATH=$PATH:/usr/sbin:/sbin command -v sshd) || skip "sshd is not installed (Debian: openssh-server)"
command -v ssh-keygen >/dev/null || skip "ssh is not installed (Debian: openssh-client)"
command -v pgrep >/dev/null || skip "pgrep is not installed (Debian: procps)"

folder=$(mktemp -d)
server=
end() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$folder"
}
trap end EXIT
cd "$folder"
export XDG_CONFIG_HOME="$folder/config"

# expect CODE COMMAND...: the command ends with this exit code.
expect() {
  wanted=$1
  shift
  code=0
  "$@" >out 2>err || code=$?
  if [ "$code" != "$wanted" ]; then
    echo "exit code $code instead of $wanted: $*"
    cat out err log 2>/dev/null
    exit 1
  fi
}
# says FILE WORDS: the file has them.
says() { grep -qF -- "$2" "$1" || { echo "'$2' is missing in:"; cat "$1"; exit 1; }; }

# ---- a server of this user, without passwords ----
for key in host user stranger; do ssh-keygen -q -t ed25519 -N '' -f "$key"; done
cp user.pub authorized
chmod 600 authorized
[ "$(id -u)" != 0 ] || mkdir -p /run/sshd  # which sshd asks for when root starts it
serve() {
  cat >sshd_config <<END
Port $1
ListenAddress 127.0.0.1
HostKey $folder/host
AuthorizedKeysFile $folder/authorized
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
END
  "$sshd" -D -e -f "$folder/sshd_config" 2>log &
  server=$!
  for _ in $(seq 50); do
    ! grep -q "Server listening" log || return 0
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  kill "$server" 2>/dev/null || true
  wait "$server" || true
  server=
  return 1
}
first_port=$((20000 + $$ % 20000))
for port in $(seq "$first_port" $((first_port + 9))); do
  if serve "$port"; then break; fi
done
[ -n "$server" ] || skip "sshd cannot start: $(tail -n 1 log)"
echo "[127.0.0.1]:$port $(cat host.pub)" >known

# way KEY: the words of ssh with this key.
way() {
  echo ssh -F none -o BatchMode=yes -o IdentitiesOnly=yes -o "UserKnownHostsFile=$folder/known" -i "$folder/$1" \
    -p "$port" 127.0.0.1
}
# shellcheck disable=SC2046  # the words of a command
if ! $(way user) true 2>err; then skip "ssh does not get in: $(tail -n 1 err) $(tail -n 1 log)"; fi

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
