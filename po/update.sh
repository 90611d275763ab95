#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# After strings have changed: writes POTFILES.in anew and merges the new strings into every language.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bash tests/lint/check-translations.sh --list > po/POTFILES.in
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

bash tests/lint/make-template.sh "$scratch/eigenscope.pot" < po/POTFILES.in
while IFS= read -r language; do
  catalogue=po/$language.po
  if [[ -f $catalogue ]]; then
    msgmerge --update --backup=none --no-wrap "$catalogue" "$scratch/eigenscope.pot"
  else
    msginit --no-translator --no-wrap --locale="$language" --input="$scratch/eigenscope.pot" \
      --output-file="$catalogue"
  fi
  msgfmt --statistics --output-file=/dev/null "$catalogue"
done < <(grep -v '^#' po/LINGUAS)
