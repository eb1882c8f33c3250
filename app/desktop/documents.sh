#!/bin/sh
# Makes what a package has beside a program, from what the program itself prints: documents.sh PROGRAM FOLDER
# FOLDER gets PROGRAM.1.gz, its man page, and PROGRAM.bash, which completes commands and options. For kdscope-cli, it
# also gets changelog.gz, which all packages share.
set -eu
program=$1 folder=$2
name=$(basename "$program")
sources=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder"

# Preformatted text of a man page. A line may neither begin with a request nor have signs that roff replaces.
as_roff() { sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'\'']\)/\\\&\1/'; }
# "  build       Builds a tree..." of an overview
commands=$("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\)  *[^ ].*/\1/p')
case $name in
  kdscope-cli) summary="builds, records, checks and compares kd\\-trees" ;;
  kdscope-ranks) summary="builds one kd\\-tree in several processes, under mpirun" ;;
  kdscope-runner) summary="builds and records for kdscope on this or another machine" ;;
  *) summary="a workbench that shows how kd\\-trees are built in parallel" ;;
esac

{
  printf '.TH %s 1 "" "%s" "User Commands"\n' "$(echo "$name" | tr a-z A-Z)" "$("$program" --version | head -n 1)"
  printf '.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf\n' "$(echo "$name" | as_roff)" "$summary"
  "$program" --help | as_roff
  printf '.fi\n'
  if [ -n "$commands" ]; then printf '.SH COMMANDS\n'; fi
  for command in $commands; do
    printf '.SS %s\n.nf\n' "$command"
    "$program" "$command" --help | as_roff
    printf '.fi\n'
  done
} | gzip -9n >"$folder/$name.1.gz"
# Options of a --help
options_in() { grep -oE -- '(^| )--[a-z][a-z-]*' | tr -d ' ' | sort -u | tr '\n' ' ' | sed 's/ $//'; }
function=_$(echo "$name" | tr - _)
{
  echo "# Completion of $name in bash: commands, then the options of the command, then files."
  echo "$function() {"
  echo "  local words=\"$("$program" --help | options_in)\""
  if [ -n "$commands" ]; then
    echo '  case ${COMP_WORDS[1]-} in'
    for command in $commands; do
      printf '    %s) words="%s" ;;\n' "$command" "$("$program" "$command" --help | options_in)"
    done
    echo '  esac'
    echo '  if [ "$COMP_CWORD" -eq 1 ]; then words="'"$(echo $commands)"' --help --version"; fi'
  fi
  printf '%s\n' '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))' '}' \
    "complete -o default -F $function $name"
} >"$folder/$name.bash"
[ "$name" = kdscope-cli ] || exit 0

# "## 0.1.0, not released" and its list, as Debian writes changes
signature=" -- The kdscope developers <kdscope@example.org>  $(date -R ${SOURCE_DATE_EPOCH:+-d "@$SOURCE_DATE_EPOCH"})"
awk -v signature="$signature" '
  function end_item(  words, count, i, line) {
    count = split(item, words, " ")
    line = "  *"
    for (i = 1; i <= count; ++i) {
      if (length(line " " words[i]) > 79) { print line; line = "   " }
      line = line " " words[i]
    }
    if (count) print line
    item = ""
  }
  function end_version() { end_item(); if (begun) printf "\n%s\n\n", signature; begun = 0 }
  /^## / { end_version(); sub(",.*", "", $2); printf "kdscope (%s) unstable; urgency=medium\n\n", $2; begun = 1; next }
  begun && /^- / { end_item(); item = substr($0, 3); next }
  begun && /^  / { item = item " " $0 }
  END { end_version() }' "$sources/app/CHANGES.md" | gzip -9n >"$folder/changelog.gz"
