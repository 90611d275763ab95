#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Shows each check trees that are wrong in one way and demands that it says so, and a right one that it leaves
# alone.

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/tree
number=0
failures=0

# A tree in which everything is right.
make_tree ()
{
  rm -rf "$tree"
  mkdir -p "$tree"/{app,ui,render,compute/readers,kernels/cuda,tests,po,data}
  cat > "$tree/.editorconfig" << 'END'
[*]
max_line_length = 110
END
  cat > "$tree/kernels/es-sum.h" << 'END'
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>
END
  cat > "$tree/kernels/es-sum.c" << 'END'
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "es-sum.h"
#include <cblas.h>
END
  cat > "$tree/compute/es-cube.h" << 'END'
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gio/gio.h>
END
  cat > "$tree/compute/es-cube-private.h" << 'END'
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "es-cube.h"
END
  cat > "$tree/compute/readers/es-reader.c" << 'END'
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"
#include "es-cube-private.h"
#include "es-sum.h"
#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
/* printf ("%s", "not a call"); */
const char *a = "exit (1)", *b;
void f (void) { b = _("Open"); g_snprintf (0, 0, ""); c = _("Band %d of %s"); }
END
  cat > "$tree/render/es-picture.h" << 'END'
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "es-cube.h"
#include <gdk/gdk.h>
END
  cat > "$tree/ui/es-view.c" << 'END'
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"
#include "es-picture.h"
#include <adwaita.h>
END
  cat > "$tree/app/main.c" << 'END'
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"
#include "es-cube.h"
#include <stdio.h>
void g (void) { puts ("the tool may print"); }
END
  cat > "$tree/tests/test-cube.c" << 'END'
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "es-cube-private.h"
END
  echo 'compute/readers/es-reader.c' > "$tree/po/POTFILES.in"
  echo 'xx' > "$tree/po/LINGUAS"
  cat > "$tree/po/xx.po" << 'END'
msgid ""
msgstr ""
"Project-Id-Version: eigenscope\n"
"PO-Revision-Date: 2024-01-01 00:00+0000\n"
"Last-Translator: Nobody <nobody@example.org>\n"
"Language-Team: none\n"
"Language: xx\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"

msgid "Open"
msgstr "XOPEN"

#, c-format
msgid "Band %d of %s"
msgstr "X %d X %s"
END
}

result ()
{
  number=$((number + 1))
  if [[ $1 == yes ]]; then
    echo "ok $number - $2"
  else
    echo "not ok $number - $2"
    printf '%s\n' "$output" | sed 's/^/# /'
    failures=$((failures + 1))
  fi
}

run_check ()
{
  local check=(bash "$here/check-$1.sh")
  [[ ! -f $here/check-$1.py ]] || check=(python3 "$here/check-$1.py")
  GIT_CEILING_DIRECTORIES=$scratch "${check[@]}" "$tree" 2>&1
}

# accepts CHECK NAME: the tree as it is.
accepts ()
{
  local right=no
  if output=$(run_check "$1") && [[ -z $output ]]; then right=yes; fi
  result "$right" "$1: accepts $2"
  $make
}

# refuses CHECK PATTERN NAME: it fails, and says PATTERN.
refuses ()
{
  local right=no
  if ! output=$(run_check "$1") && [[ $output == *"$2"* ]]; then right=yes; fi
  result "$right" "$1: refuses $3"
  $make
}

include () { echo "#include $2" >> "$tree/$1"; }

make=make_tree # what puts the tree right again after each case
make_tree
for check in layers sources translations; do accepts "$check" "a tree that is right"; done

include kernels/es-sum.c '"es-cube.h"'
refuses layers 'kernels/es-sum.c:4: kernels/ may not include "es-cube.h" of compute/' \
  "kernels including compute"
include kernels/es-sum.c '<glib.h>'
refuses layers 'kernels/ may not include <glib.h>' "GLib in a kernel"
include kernels/es-sum.c '"config.h"'
refuses layers 'kernels/ does not know config.h' "config.h in a kernel"
include compute/readers/es-reader.c '"es-picture.h"'
refuses layers 'compute/ may not include "es-picture.h" of render/' "compute including render"
include compute/readers/es-reader.c '<gtk/gtk.h>'
refuses layers 'compute/ may not include <gtk/gtk.h>' "GTK in compute"
include compute/readers/es-reader.c '<cairo.h>'
refuses layers 'compute/ may not include <cairo.h>' "cairo in compute"
include compute/es-cube.h '<cuda_runtime.h>'
refuses layers 'compute/ may not include <cuda_runtime.h>' "CUDA in compute"
include render/es-picture.h '<gtk/gtk.h>'
refuses layers 'render/ may not include <gtk/gtk.h>' "widgets in render"
include render/es-picture.h '"es-sum.h"'
refuses layers 'render/ may not include "es-sum.h" of kernels/' "kernels in render"
include render/es-picture.h '"es-cube-private.h"'
refuses layers '"es-cube-private.h" is private to compute/' "a private header of another folder"
include ui/es-view.c '"es-sum.h"'
refuses layers 'ui/ may not include "es-sum.h" of kernels/' "kernels in ui"
include ui/es-view.c '<epoxy/gl.h>'
refuses layers 'ui/ may not include <epoxy/gl.h>' "GL in ui"
include ui/es-view.c '<gdal.h>'
refuses layers 'ui/ may not include <gdal.h>' "GDAL in ui"
include compute/readers/es-reader.c '<hdf5.h>'
refuses layers 'compute/ may not include <hdf5.h>' "a library past the room of libraries"
mkdir "$tree/compute/libraries" && echo '#include <gdal.h>' > "$tree/compute/libraries/es-gdal.c"
accepts layers "GDAL in the room of libraries"
include app/main.c '"readers/es-cube-private.h"'
refuses layers '"readers/es-cube-private.h" is private to compute/' \
  "app including a private header, by a path"
include ui/es-view.c '"es-nothing.h"'
refuses layers '"es-nothing.h" belongs to no folder of this tree' "a header that is not there"
cp "$tree/compute/es-cube.h" "$tree/render/es-cube.h"
refuses layers 'header es-cube.h exists in' "one header name in two folders"
include render/es-picture.h '<cuda.h>'
refuses layers 'are for the file that joins CUDA and OpenGL' "CUDA in render without OpenGL"
echo '#  include "es-picture.h"' >> "$tree/kernels/es-sum.c"
refuses layers 'kernels/ may not include "es-picture.h"' "an include written with blanks"
echo 'void h (void) { fprintf (stderr, "no"); }' >> "$tree/kernels/es-sum.c"
refuses layers 'kernels/es-sum.c:4: a library neither prints nor leaves' "a kernel that prints"
echo 'void h (void) { if (1) abort (); }' >> "$tree/compute/readers/es-reader.c"
refuses layers 'a library neither prints nor leaves' "a library that aborts"
echo 'void h (void) { json_parser_load_from_data (p, "x", 1, 0); }' >> "$tree/app/main.c"
refuses layers 'app/main.c:6: JSON is read and written by' "JSON that is parsed past the one reader"
echo 'void h (void) { char *s = json_to_string (root, 1); }' >> "$tree/ui/es-view.c"
refuses layers 'JSON is read and written by' "JSON that is written past the one writer"
echo 'void h (void) { g_task_run_in_thread (task, work); }' >> "$tree/ui/es-view.c"
refuses layers 'es_task_run_in_thread () does not end' "a widget's task that may end on its thread"
include compute/readers/es-reader.c '<openssl/ssl.h>'
echo 'compute/readers/es-reader.c openssl/ssl.h signed headers' > "$tree/tests/lint.allow"
mkdir "$tree/tests/lint" && mv "$tree/tests/lint.allow" "$tree/tests/lint/layers.allow"
accepts layers "an exception with a reason"
include compute/readers/es-reader.c '<openssl/ssl.h>'
mkdir "$tree/tests/lint" && echo 'compute/readers/es-reader.c openssl/ssl.h' > "$tree/tests/lint/layers.allow"
refuses layers 'needs a file, a header and a reason' "an exception without a reason"
mkdir "$tree/tests/lint" && echo 'ui/es-view.c gdal.h once needed' > "$tree/tests/lint/layers.allow"
refuses layers 'is no longer needed' "an exception that nothing needs"
rm -r "$tree"/{app,ui,render,compute,kernels}
refuses layers 'no sources found' "an empty tree"

sed -i 1d "$tree/ui/es-view.c"
refuses sources 'ui/es-view.c: no SPDX-License-Identifier' "a file without a licence line"
for _ in {1..801}; do echo; done >> "$tree/ui/es-view.c"
refuses sources 'ui/es-view.c: 805 lines' "a file of 805 lines"
printf '/* %0120d */\n' 0 >> "$tree/ui/es-view.c"
refuses sources 'ui/es-view.c:5: more than 110 columns' "a long line"
printf '/* %0110d */\n' 0 | sed 's/00/高/g' >> "$tree/ui/es-view.c"
accepts sources "a line that is long in bytes only"
echo 'int x; ' >> "$tree/ui/es-view.c"
refuses sources 'ui/es-view.c:5: blanks at the end' "blanks at the end of a line"
printf '\tint x;\n' >> "$tree/ui/es-view.c"
refuses sources 'ui/es-view.c:5: tab' "a tab"
printf 'int x;\r\n' >> "$tree/ui/es-view.c"
refuses sources 'ui/es-view.c:5: carriage return' "a carriage return"
printf 'int x;' >> "$tree/ui/es-view.c"
refuses sources 'ui/es-view.c: no line feed at the end' "a last line without line feed"

echo 'void k (void) { t = ngettext ("%d band", "%d bands", 2); }' >> "$tree/ui/es-view.c"
refuses translations 'ui/es-view.c has strings to translate and is missing' \
  "a source missing from POTFILES.in"
echo '<label translatable="yes">Save</label>' > "$tree/ui/es-view.ui"
refuses translations 'ui/es-view.ui has strings to translate and is missing' \
  "a template missing from POTFILES.in"
mkdir -p "$tree/docs"
echo '页锁定内存能带来多少？' > "$tree/docs/tutorial.zh_CN.md"
refuses translations 'docs/tutorial.zh_CN.md:1:页锁定: page-locked is 锁页' "another word for the same thing"
echo 'ui/es-view.c' >> "$tree/po/POTFILES.in"
refuses translations 'ui/es-view.c is named but' "a name in POTFILES.in without strings"
echo 'void k (void) { t = _("Save"); }' >> "$tree/compute/readers/es-reader.c"
refuses translations '"Save"' "a string without translation"
echo 'void k (void) { f (_("%" G_GUINT64_FORMAT " pixels"), n); }' >> "$tree/compute/readers/es-reader.c"
refuses translations 'gettext cuts the string at G_GUINT64_FORMAT' "a string that xgettext would cut"
sed -i 's/"XOPEN"/""/' "$tree/po/xx.po"
refuses translations '"Open"' "an empty translation"
sed -i 's/^msgid "Open"/#, fuzzy\n&/' "$tree/po/xx.po"
refuses translations 'fuzzy' "a fuzzy translation"
sed -i 's/X %d X %s/X %s X %d/' "$tree/po/xx.po"
refuses translations "format specifications in 'msgid' and 'msgstr'" "format directives that differ"
rm "$tree/po/xx.po"
refuses translations 'po/xx.po: missing' "a language that is not there"

# shellcheck source=tests/lint/test-rooms.sh
. "$here/test-rooms.sh"

# What ./dev counts: cases, not programs; a program that died is one failed case.
cat > "$scratch/junit.xml" << 'END'
<?xml version='1.0' encoding='utf8'?>
<testsuites tests="6" errors="1" failures="1">
<testsuite name="p.p:s / a" tests="3" failures="1" skipped="1">
<testcase name="one" classname="a" />
<testcase name="two" classname="a"><skipped message="&lt;failure&gt;" /></testcase>
<testcase name="three" classname="a"><failure /><system-out>&lt;testcase/&gt;</system-out></testcase>
</testsuite>
<testsuite name="p" tests="3" errors="1"><testcase name="p:s / died"><error message="" /></testcase>
<testcase name="five" time="1.5"/>
<testcase name="six"><system-out>ok</system-out></testcase></testsuite></testsuites>
END
cat > "$scratch/log.json" << 'END'
{"name": "p:s / a", "stdout": "", "result": "FAIL"}
{"name": "p:s / died", "stdout": "", "result": "ERROR"}
{"name": "p:s / leaked", "stdout": "ok 1\n", "result": "ERROR"}
{"name": "p:s / slow", "stdout": "", "result": "TIMEOUT"}
{"name": "p:s / good", "stdout": "\"result\": \"FAIL\"", "result": "OK"}
END
output=$(awk -f "$here/../count-tests.awk" RS='<' "$scratch/junit.xml" RS='\n' "$scratch/log.json")
right=no
[[ $output != "3 4 1" ]] || right=yes
result "$right" "count-tests.awk: passed, failed, skipped"

# What ./dev builds, with programs in the place of others that do nothing: of a measurement only what it runs.
mkdir -p "$scratch/house/build-bench" "$scratch/programs"
cp "$here/../../dev" "$scratch/house/dev"
for program in bash dirname mkdir; do ln -s "$(command -v $program)" "$scratch/programs/$program"; done
for program in ninja meson python3; do
  printf '#!%s\necho "%s $*" >> "%s/called"\n' "$(command -v bash)" "$program" "$scratch" > "$scratch/programs/$program"
  chmod +x "$scratch/programs/$program"
done
right=no
if ES_JOBS= ES_SPARSE_PYTHON= PATH=$scratch/programs bash "$scratch/house/dev" bench sparse > "$scratch/output" 2>&1 \
   && [[ $(grep '^ninja' "$scratch/called") == 'ninja -C build-bench tests/perf/perf-sparse' ]] \
   && grep -q '^python3 .*bench-sparse.py --ours build-bench/tests/perf/perf-sparse ' "$scratch/called"; then
  right=yes
fi
result "$right" "./dev bench sparse builds only what it runs"

echo "1..$number"
[[ $failures -eq 0 ]]
