#!/usr/bin/env bash
# Opens the workbench on Wald's ten points. First installs missing packages, configures and builds.
# app/run.sh [--cuda [ARCHITECTURE]] [ARGUMENTS OF THE WORKBENCH]: app/run.sh --lesson wald/bunny, app/run.sh scan.ply,
# app/run.sh --help
# --cuda builds the CUDA back end on a machine without an NVIDIA device too, for an architecture such as 90.
# Without a display it prints the walkthrough's tables and renders its steps to PNG files instead.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
if [ "${1:-}" = --cuda ]; then
  shift
  cuda=on
  if [[ ${1:-} =~ ^[0-9]+[a-z]?$ ]]; then
    cuda=$1
    shift
  fi
fi
setup release kdscope kdscope-cli

workbench=$build_dir/app/kdscope
if [ -n "${DISPLAY:-}" ]; then exec "$workbench" "$@"; fi
on_hidden_screen() { xvfb-run -a -s "-screen 0 1920x1080x24" "$@"; }

# Options that open no window work without a display.
for argument in "$@"; do
  case $argument in
    --help | -h | --version) exec "$workbench" "$@" ;;
    --render* | --screenshot*) on_hidden_screen "$workbench" "$@"; exit ;;
  esac
done

say "There is no display (DISPLAY is not set), so the steps are printed and drawn to files instead"
pictures=$build_dir/pictures
mkdir -p "$pictures"
if [ $# -eq 0 ]; then
  set -- --lesson wald/ten-points
  "$build_dir/app/cli/kdscope-cli" record --algorithm wald --data wald-10 -o "$pictures/ten-points.kdtrace"
  "$build_dir/app/cli/kdscope-cli" show "$pictures/ten-points.kdtrace" --all --arrays "tags,data[i].x,data[i].y"
fi
on_hidden_screen "$workbench" --render "$pictures" "$@"
say "The pictures are in $pictures. On a machine with a screen, the same command opens the workbench"
