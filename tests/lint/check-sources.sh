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
status=0
[[ -n $max_columns ]] || { echo "no max_line_length in $PWD/.editorconfig"; exit 1; }

complain () { printf '%s\n' "$1"; status=1; }

is_code () { [[ $1 == @(dev|.ci/run) || $1 =~ \.(c|h|cu|cuh|inc|glsl|vert|frag|comp|css|ui|sh|awk|py)$ ]]; }

# Everything but pictures and the licence, whose form is not ours.
is_text ()
{
  local data='png|jpg|jpeg|webp|gif|ico|pdf|gz|xz|zip|tif|tiff|img|hdr|mat|nc|h5|dat|bin|wav|mo'
  [[ $1 != LICENSE && ! $1 =~ \.($data)$ ]]
}

# complain_each MESSAGE < LINES: grep's "number:text", or nothing.
complain_each ()
{
  local found
  while IFS= read -r found; do
    complain "$file:${found%%:*}: $1"
  done
}

count=0
while IFS= read -r file; do
  is_text "$file" || continue
  [[ -s $file ]] || continue
  count=$((count + 1))

  complain_each "carriage return" < <(grep -n $'\r' "$file" || true)
  [[ -z $(tail -c 1 "$file") ]] || complain "$file: no line feed at the end"
  # Two blanks at the end are a line break in Markdown; msgmerge writes .po files its own way.
  [[ $file =~ \.(md|po)$ ]] || complain_each "blanks at the end" < <(grep -nE '[[:blank:]]+$' "$file" || true)

  is_code "$file" || continue
  complain_each "tab" < <(grep -n $'\t' "$file" || true)
  head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' \
    || complain "$file: no SPDX-License-Identifier: GPL-3.0-or-later in the first three lines"
  lines=$(wc -l < "$file")
  [[ $lines -le $max_lines ]] || complain "$file: $lines lines; more than $max_lines is a reason to split"
  [[ $file == *.ui ]] \
    || complain_each "more than $max_columns columns" \
      < <(grep -nE "^.{$((max_columns + 1)),}" "$file" || true)
done < <(project_files)

[[ $count -gt 0 ]] || complain "no files found below $PWD"
exit "$status"
