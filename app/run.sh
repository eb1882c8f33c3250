#!/usr/bin/env bash
# Opens the workbench on Wald's ten points; installs, configures and builds first what is needed for that.
# Arguments are the workbench's own: app/run.sh --lesson wald/bunny, app/run.sh --help
# Without a display it prints the walkthrough's tables and renders its steps to PNG files instead.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
setup release kdscope kdscope-cli

workbench=$build_dir/app/kdscope
if [ -n "${DISPLAY:-}" ]; then exec "$workbench" "$@"; fi
on_hidden_screen() { xvfb-run -a -s "-screen 0 1920x1080x24" "$@"; }

# What draws no window works without a display too.
for argument in "$@"; do
  case $argument in
    --help | --version) exec "$workbench" "$@" ;;
    --render* | --screenshot*) on_hidden_screen "$workbench" "$@"; exit ;;
  esac
done

say "There is no display (DISPLAY is not set), so here are the walkthrough's tables and pictures"
pictures=$build_dir/ten-points
mkdir -p "$pictures"
"$build_dir/app/cli/kdscope-cli" record --algorithm wald --data wald-10 -o "$pictures/ten-points.kdtrace"
"$build_dir/app/cli/kdscope-cli" show "$pictures/ten-points.kdtrace"
on_hidden_screen "$workbench" --render "$pictures" --lesson wald/ten-points
say "The pictures are in $pictures. On a machine with a screen, the same command opens the workbench"
