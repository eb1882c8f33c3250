# Sourced by tests of devices: starts a real sshd on the loopback address, with keys made for the test, in a temporary
# folder that becomes the current one. Skips the test (77) where sshd or ssh is missing or cannot start. Afterwards
# $server is its process, and `way KEY` prints the words of ssh with a key: user, or stranger, which does not get in.
# shellcheck shell=sh

# shellcheck source=tests/cli/expect.sh
. "$(dirname "$0")/expect.sh"
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
