# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2154
# The part of test-checks.sh, which reads it, that is about the rooms.

# A house of five rooms in which everything is right.
make_house ()
{
  local file
  rm -rf "$tree"
  mkdir -p "$tree"/{tests/lint,compute/{base,cube,readers},kernels/cpu}
  cat > "$tree/tests/lint/rooms" << 'END'
# Floors, rooms, arrows.
2 compute/readers: base cube
1 compute/cube: base
0 compute/base:
1 kernels/cpu: kernels
0 kernels:
END
  for file in compute/{base/es-{file,text},cube/es-cube,readers/es-reader} kernels/cpu/es-sum; do
    echo '/* "es-nothing.h" is no include, es_nothing () no call */' > "$tree/$file.c"
    echo "'${file##*/}.c'," >> "$tree/${file%/*}/meson.build"
  done
  cat > "$tree/compute/base/es-file.h" << 'END'
typedef struct _EsFile EsFile;
enum { ES_FILE_TEXT, ES_FILE_BINARY };
void es_file_close (EsFile *self);
END
  echo 'int es_text_length (const char *text);' > "$tree/compute/base/es-text-internal.h"
  echo 'struct _EsFile { int fd; };' > "$tree/compute/base/es-file-private.h"
  cat >> "$tree/compute/base/es-file.c" << 'END'
#include "es-file-private.h"
#include "es-file.h"
void es_file_close (EsFile *self) { printf ("es_reader_open ()"); }
END
  cat >> "$tree/compute/base/es-text.c" << 'END'
#include "es-text-internal.h"
int
es_text_length (const char *text)
{
  return 0;
}
static void es_cube_own_thing (void) { }
END
  cat > "$tree/compute/cube/es-cube.h" << 'END'
#include "base/es-file.h"
typedef struct { EsFile *file; } EsCube;
void es_cube_load (EsCube *self);
END
  cat >> "$tree/compute/cube/es-cube.c" << 'END'
#include "es-cube.h"
#include "base/es-text-internal.h"
#include "es-sum.h"
void es_cube_load (EsCube *self) { es_text_length (""); esk_sum (); }
END
  echo 'void es_reader_open (void);' > "$tree/compute/readers/es-reader.h"
  cat >> "$tree/compute/readers/es-reader.c" << 'END'
#include "es-reader.h"
#include "base/es-file.h"
#include "cube/es-cube.h"
void es_reader_open (void) { es_cube_load (0); }
END
  # A promise of the root may be kept by any room below.
  echo 'int esk_sum (void);' > "$tree/kernels/es-sum.h"
  printf '%s\n' '#include "es-sum.h"' 'int esk_sum (void) { return 0; }' >> "$tree/kernels/cpu/es-sum.c"
}

make=make_house
make_house
cube=$tree/compute/cube/es-cube.c
reader=$tree/compute/readers/es-reader.c
list=$tree/tests/lint/rooms
accepts rooms "a house that is right"

echo '#include "readers/es-reader.h"' >> "$cube"
refuses rooms 'compute/cube/es-cube.c:6: compute/cube has no arrow to compute/readers: "readers/es-reader.h"' \
  "an include without an arrow"
echo 'void h (void) { es_reader_open (); }' >> "$cube"
refuses rooms 'compute/cube/es-cube.c: compute/cube has no arrow to compute/readers: es_reader_open' \
  "a call without an arrow"
echo 'int h (EsCube *self) { return 0; }' >> "$tree/compute/base/es-file.c"
refuses rooms 'compute/base has no arrow to compute/cube: EsCube' "a type without an arrow"
echo 'int i = ES_FILE_BINARY;' >> "$tree/kernels/cpu/es-sum.c"
refuses rooms 'kernels/cpu has no arrow to compute/base: ES_FILE_BINARY' "a constant of a layer above"
echo 'static void es_reader_open (void) { }' >> "$cube"
accepts rooms "a name that a file has for itself"
printf '/*\n * es_reader_open ()\n */\n// es_reader_open ()\nconst char *h = "\\"es_reader_open ()";\n' >> "$cube"
accepts rooms "names in comments and strings"

sed -i '3s/$/ readers/' "$list"
refuses rooms 'tests/lint/rooms:3: compute/cube -> compute/readers does not lead to a lower floor' "an arrow upwards"
sed -i '3s/1/2/' "$list"
refuses rooms 'compute/readers -> compute/cube does not lead to a lower floor' "an arrow to the same floor"
sed -i '2s/$/ none/' "$list"
refuses rooms 'compute/readers -> compute/none: there is no such room' "an arrow to no room"
sed -i 's|"base/.*|"es-reader.h"|' "$reader"
refuses rooms 'tests/lint/rooms:2: nothing needs compute/readers -> compute/base any more' "an arrow that nothing needs"
echo '3 compute: *' >> "$list"
echo '#include "cube/es-cube.h"' > "$tree/compute/eigenscope.h"
accepts rooms "a root that may know all its rooms"
sed -i 2d "$list"
refuses rooms 'compute/readers/ has sources and is not in tests/lint/rooms' "a room without a line"
echo '2 compute/writers: base' >> "$list"
refuses rooms 'tests/lint/rooms:7: compute/writers/ has no sources' "a line without a room"
echo 'compute/writers: base' >> "$list"
refuses rooms 'tests/lint/rooms:7: a room is' "a line without a floor"
echo '0 compute/base:' >> "$list"
refuses rooms 'tests/lint/rooms:7: compute/base is listed twice' "a room that is listed twice"
rm "$list"
refuses rooms 'tests/lint/rooms' "a house without a list"
for i in {10..47}; do echo > "$tree/compute/readers/es-$i.c"; done
accepts rooms "a room of 40 files"
for i in {10..48}; do echo > "$tree/compute/readers/es-$i.c"; done
refuses rooms 'compute/readers/: 41 files; more than 40' "a room of 41 files"

echo '#include "base/es-file-private.h"' >> "$cube"
refuses rooms 'compute/cube/es-cube.c:6: "base/es-file-private.h" is private to compute/base' \
  "a private header of another room"
echo 'int esk_sum_all (void);' > "$tree/kernels/es-sum-internal.h"
echo '#include "es-sum-internal.h"' >> "$cube"
refuses rooms '"es-sum-internal.h" is for the rooms of kernels/ only' "an internal header of another layer"
sed -i 's|"es-cube.h"|"cube/es-cube.h"|' "$cube"
refuses rooms 'compute/cube/es-cube.c:2: "cube/es-cube.h" is of this room: "es-cube.h"' "an own header by a path"
sed -i 's|"cube/es-cube.h"|"es-cube.h"|' "$reader"
refuses rooms '"es-cube.h" is of compute/cube: "cube/es-cube.h"' "another room's header by its plain name"
sed -i 's|"cube/es-cube.h"|"../cube/es-cube.h"|' "$reader"
refuses rooms '"../cube/es-cube.h" is of compute/cube: "cube/es-cube.h"' "a path upwards"
echo "'../cube/es-cube.c'," >> "$tree/compute/readers/meson.build"
refuses rooms "compute/readers/meson.build:2: '../cube/es-cube.c' is of another room" \
  "another room's file in meson.build"
echo "'cube/es-cube.c'," >> "$tree/compute/meson.build"
refuses rooms "compute/meson.build:1: 'cube/es-cube.c' is of another room" "a room's file in the meson.build above"
echo 'void es_cube_show (void);' >> "$tree/compute/base/es-file.h"
echo 'void es_cube_show (void) { }' >> "$cube"
refuses rooms 'compute/base/es-file.h: es_cube_show is promised here and written in compute/cube/es-cube.c' \
  "a promise that another room keeps"
echo 'void es_cube_load (void *); void h (void) { es_cube_load (0); }' >> "$tree/compute/base/es-text.c"
refuses rooms 'rooms call each other in a circle: compute/base -> compute/cube -> compute/base' "a circle of calls"
rm -r "$tree"/{compute,kernels}
refuses rooms 'no sources found' "a list without a house"

# counts_arrows STATUS NAME PATTERN...: what the counter says.
counts_arrows ()
{
  local right=no pattern status=0 name=$2
  output=$(GIT_CEILING_DIRECTORIES=$scratch python3 "$here/count-arrows.py" "$tree") || status=$?
  [[ $status -ne $1 ]] || right=yes
  shift 2
  for pattern; do
    [[ $output == *" $pattern"* ]] || right=no
  done
  result "$right" "count-arrows.py: $name"
}

make_house
counts_arrows 0 "none in a house that is right" '11  files in 5 rooms; the list has 4 arrows' \
  '0  includes against the list' '0  uses of names against the list' '0  rooms in circles'
echo '#include "readers/es-reader.h"' >> "$cube"
echo 'void h (void) { es_reader_open (); }' >> "$cube"
counts_arrows 1 "an include, a call, a circle" '1  includes against the list' '1  uses of names against the list' \
  '2  rooms in circles: compute/cube compute/readers'

# drawing STATUS NAME: whether the picture is taken for what the list says.
drawing ()
{
  local right=no status=0
  output=$(GIT_CEILING_DIRECTORIES=$scratch python3 "$here/draw-rooms.py" --check "$tree") || status=$?
  [[ $status -ne $1 ]] || right=yes
  result "$right" "draw-rooms.py: $2"
}

make_house
mkdir "$tree/docs"
drawing 1 "refuses a house without a picture"
GIT_CEILING_DIRECTORIES=$scratch python3 "$here/draw-rooms.py" "$tree"
drawing 0 "accepts what it has drawn"
echo > "$tree/compute/readers/es-more.c"
drawing 0 "accepts a file more"
for i in {10..15}; do echo > "$tree/compute/readers/es-$i.c"; done
drawing 1 "refuses a count that has grown old"
rm "$tree"/compute/readers/es-1?.c
sed -i '3s/ base//' "$list"
drawing 1 "refuses a picture with an arrow too many"
# A floor of more rooms than stand beside each other is several rows, and all of it is in the picture.
make_house
mkdir "$tree/docs"
for i in {10..39}; do
  mkdir "$tree/compute/another-room-$i"
  echo "1 compute/another-room-$i: base" >> "$list"
done
GIT_CEILING_DIRECTORIES=$scratch python3 "$here/draw-rooms.py" "$tree"
drawn=$(awk -F '"' '/^<svg/ { width = $6 } /rx="7"/ { n++; if ($2 < 0 || $2 + $6 > width) beyond++ }
                    END { print n + 0, beyond + 0 }' "$tree/docs/rooms.svg")
right=no
[[ $drawn != "35 0" ]] || right=yes
output="boxes, and those beyond the picture: $drawn"
result "$right" "draw-rooms.py: draws floors of many rooms within the picture"
