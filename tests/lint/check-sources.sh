#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The form of the files: a licence line, at most 800 lines, no line longer than .editorconfig says, spaces,
# line feeds.
# usage: check-sources.sh [ROOT]

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "${1:-$here/../..}"
# shellcheck source=tests/lint/files.sh
. "$here/files.sh"

max_lines=800
max_columns=$(sed -n -E 's/^max_line_length *= *([0-9]+).*/\1/p' .editorconfig | head -n 1)
[[ -n $max_columns ]] || { echo "no max_line_length in $PWD/.editorconfig"; exit 1; }

# Everything but pictures, the licence, what fuzz targets begin from and ladders as the tool wrote them, whose form is
# not ours; an empty file has
# none.
texts ()
{
  local file data='png|jpg|jpeg|webp|gif|ico|pdf|gz|xz|zip|tif|tiff|img|hdr|hdf|mat|nc|h5|dat|bin|wav|mo'
  project_files | while IFS= read -r file; do
    if [[ $file == LICENSE || $file == tests/fuzz/seeds/* || $file == data/ladders/* ]]; then continue; fi
    if [[ ! $file =~ \.($data)$ && -s $file ]]; then printf '%s\n' "$file"; fi
  done
}

list=$(texts)
if [[ -z $list ]]; then
  echo "no files found below $PWD"
  exit 1
fi

# All files in one go: a process for each would take as long as compiling some of them.
paste <(printf '%s\n' "$list" | tr '\n' '\0' | xargs -0 tail -q -c 1 | od -An -v -t x1 -w1 | tr -d ' ') \
  <(printf '%s\n' "$list") \
  | LC_ALL=C awk -v max_lines="$max_lines" -v max_columns="$max_columns" -f "$here/sources.awk"
