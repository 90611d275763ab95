#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every string that people read can be translated, and is: po/POTFILES.in names every file with such
# strings, and every language of po/LINGUAS has all of them, none fuzzy, with the same format directives.
# One thing goes by one word.
# usage: check-translations.sh [ROOT]          the check
#        check-translations.sh --list [ROOT]   the files with strings, as POTFILES.in should name them

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
list=no
if [[ ${1:-} == --list ]]; then
  list=yes
  shift
fi
cd "${1:-$here/../..}"
# shellcheck source=tests/lint/files.sh
. "$here/files.sh"

files_with_strings ()
{
  local file
  project_files | { grep -vE '^(tests|po)/' || true; } | while IFS= read -r file; do
    case $file in
      *.c|*.h) pattern='(^|[^A-Za-z0-9_])(_|N_|C_|NC_|Q_|d?n?p?gettext|g_dp?n?gettext2?) ?\( ?("|GETTEXT_PACKAGE)' ;;
      *.ui) pattern='translatable="(yes|true|1)"' ;;
      *.gschema.xml) pattern='<(summary|description)>' ;;
      *.desktop.in|*.metainfo.xml.in) pattern=. ;;
      *) continue ;;
    esac
    if grep -qE "$pattern" "$file"; then printf '%s\n' "$file"; fi
  done
}

if [[ $list == yes ]]; then
  files_with_strings
  exit 0
fi

status=0
complain () { printf '%s\n' "$1"; status=1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

grep -vE '^[[:space:]]*(#|$)' po/POTFILES.in | sort -u > "$scratch/named"
files_with_strings | sort -u > "$scratch/found"

while IFS= read -r file; do
  complain "po/POTFILES.in: $file has strings to translate and is missing"
done < <(comm -13 "$scratch/named" "$scratch/found")
while IFS= read -r file; do
  complain "po/POTFILES.in: $file is named but is not there or has no strings"
done < <(comm -23 "$scratch/named" "$scratch/found")

comm -12 "$scratch/named" "$scratch/found" > "$scratch/files"
if [[ ! -s $scratch/files ]]; then
  complain "no strings to translate found below $PWD"
  exit "$status"
fi

bash "$here/make-template.sh" "$scratch/eigenscope.pot" < "$scratch/files" 2> "$scratch/errors" \
  || complain "xgettext failed"
[[ ! -s $scratch/errors ]] || complain "$(cat "$scratch/errors")"

# A string put together with G_GUINT64_FORMAT is cut there and never found again; gettext understands PRIu64.
while IFS= read -r file; do
  [[ $file == *.[ch] ]] || continue
  found=$(awk -f "$here/cut-strings.awk" "$file")
  [[ -z $found ]] || complain "$file: $found"
done < "$scratch/files"

# list_entries FILE: the msgids, one a line.
list_entries ()
{
  msgcat --no-wrap --no-location "$1" 2> /dev/null | sed -n -E 's/^msgid (".+")$/  \1/p' | sed -n 1,40p
}

while IFS= read -r language; do
  catalogue=po/$language.po
  if [[ ! -f $catalogue ]]; then
    complain "$catalogue: missing, though po/LINGUAS names $language"
    continue
  fi
  if ! msgfmt --check --output-file=/dev/null "$catalogue" 2> "$scratch/errors"; then
    complain "$catalogue: $(cat "$scratch/errors")"
    continue
  fi
  msgmerge --quiet --no-fuzzy-matching --output-file="$scratch/merged.po" \
    "$catalogue" "$scratch/eigenscope.pot"
  # The strings may have become format strings since.
  msgfmt --check-format --output-file=/dev/null "$scratch/merged.po" 2> "$scratch/errors" \
    || complain "$catalogue: $(cat "$scratch/errors")"
  for kind in untranslated only-fuzzy; do
    msgattrib --no-obsolete --"$kind" "$scratch/merged.po" > "$scratch/rest.po" 2> /dev/null
    if grep -q '^msgid "' "$scratch/rest.po"; then
      complain "$catalogue: ${kind#only-} (first 40):"
      list_entries "$scratch/rest.po"
    fi
  done
done < <(grep -oE '^[^#]*' po/LINGUAS | tr -s '[:space:]' '\n' | sed '/^$/d')

# One thing goes by one word, in the program and on the pages: page-locked is 锁页.
while IFS= read -r found; do
  complain "$found: page-locked is 锁页"
done < <(shopt -s nullglob; files=(po/zh_CN.po docs/*.zh_CN.md)
         grep -HnoE '页锁定|锁定(的)?(页|内存)|固定内存|分页锁' "${files[@]}" 2> /dev/null || true)

exit "$status"
