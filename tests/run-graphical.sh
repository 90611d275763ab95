#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs a graphical test on a display of its own, so that neither the desktop, its settings nor its session bus can
# change the outcome:   tests/run-graphical.sh TEST [ARGUMENT ...]
# ES_TEST_DISPLAY=current uses the display that is there; ES_TEST_SCREEN=WIDTHxHEIGHT is how large the one of its own
# is. Exit status 77 (skipped) where Xvfb is not installed.
set -eu

if [ "${ES_TEST_DISPLAY:-}" != current ]; then
  for tool in xvfb-run xauth dbus-run-session; do
    if ! command -v "$tool" >/dev/null 2>&1; then
      echo "1..0 # SKIP $tool is not installed"
      exit 77
    fi
  done
fi

scratch=$(mktemp -d "${TMPDIR:-/tmp}/eigenscope-test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -m 700 "$scratch/runtime" "$scratch/tmp"

export HOME="$scratch" XDG_RUNTIME_DIR="$scratch/runtime" TMPDIR="$scratch/tmp"
export XDG_CONFIG_HOME="$scratch/config" XDG_CACHE_HOME="$scratch/cache" XDG_DATA_HOME="$scratch/data"
export XDG_STATE_HOME="$scratch/state"
export GDK_BACKEND=x11 GSETTINGS_BACKEND=memory GTK_A11Y="${GTK_A11Y:-test}"
export GSK_RENDERER="${GSK_RENDERER:-cairo}" LIBGL_ALWAYS_SOFTWARE="${LIBGL_ALWAYS_SOFTWARE:-1}"
export G_DEBUG="${G_DEBUG:-fatal-criticals}" NO_AT_BRIDGE=1 LC_ALL="${ES_TEST_LOCALE:-C.UTF-8}"
unset WAYLAND_DISPLAY GTK_THEME GTK_MODULES

if [ "${ES_TEST_DISPLAY:-}" = current ]; then
  dbus-run-session -- "$@"
else
  xvfb-run -a -s "-screen 0 ${ES_TEST_SCREEN:-1280x1024}x24 +extension GLX +render -noreset" dbus-run-session -- "$@"
fi
