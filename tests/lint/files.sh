# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Read by the checks beside it.

export LC_ALL=C.UTF-8

# The project's own files below the current folder, one a line: what git knows or would add, and all where
# there is no git.
project_files ()
{
  local top
  top=$(git rev-parse --show-toplevel 2> /dev/null || true)
  if [[ -n $top && $top -ef . ]]; then
    git ls-files --cached --others --exclude-standard
  else
    find . -path './build*' -prune -o -path './.git' -prune -o -type f -print | sed 's|^\./||'
  fi | sort -u | while IFS= read -r file; do
    if [[ -f $file ]]; then printf '%s\n' "$file"; fi
  done
}
