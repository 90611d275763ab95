#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The arrows of the house run one way: app -> ui -> render -> compute -> kernels. Refuses includes that
# point up, private headers outside their folder, libraries a folder must not know, printing or leaving
# inside a library, and JSON that is read or written by another way than base/es-json.h.
# usage: check-layers.sh [ROOT]

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "${1:-$here/../..}"
# shellcheck source=tests/lint/files.sh
. "$here/files.sh"

status=0
sources=$(project_files | grep -E '^(app|ui|render|compute|kernels)/.*\.(c|h|cu|cuh|inc)$' || true)
if [[ -z $sources ]]; then
  echo "no sources found below $PWD"
  exit 1
fi

includes ()
{
  printf '%s\n' "$sources" | tr '\n' '\0' \
    | xargs -0 grep -HnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]' \
    | sed -E 's/^([^:]*):([0-9]+):[ \t]*#[ \t]*include[ \t]*(["<])([^">]*)[">].*/\1\t\2\t\3\t\4/'
}

owners ()
{
  printf '%s\n' "$sources" | { grep -E '\.(h|cuh|inc)$' || true; } \
    | sed -E 's|^([^/]*)/(.*/)?([^/]*)$|\3\t\1|'
}

allow=
[[ ! -f tests/lint/layers.allow ]] || allow=tests/lint/layers.allow
awk -v allow="$allow" -f "$here/layers.awk" <(owners) <(includes) || status=1

# A library reports by its return value, and JSON has one reader and one writer. Comments and strings are taken out
# first.
calls=$(printf '%s\n' "$sources" | tr '\n' '\0' | xargs -0 -r awk -f "$here/calls.awk")
if [[ -n $calls ]]; then
  printf '%s\n' "$calls"
  status=1
fi

exit "$status"
