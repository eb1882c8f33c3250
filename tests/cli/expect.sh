# Sourced by tests that run commands as a person would, in a temporary folder: they leave the files out and err there.
# shellcheck shell=sh

skip() { echo "skipped: $*"; exit 77; }

# expect CODE COMMAND...: the command ends with this exit code.
expect() {
  wanted=$1
  shift
  code=0
  "$@" >out 2>err || code=$?
  [ "$code" != "$wanted" ] || return 0
  echo "exit code $code instead of $wanted: $*"
  cat out err
  tail -n 20 ./*log 2>/dev/null || true  # of servers
  exit 1
}

# says FILE WORDS: the file has them.
says() { grep -qF -- "$2" "$1" || { echo "'$2' is missing in:"; cat "$1"; exit 1; }; }
