#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Libraries that only some files need: a cube with a header of ENVI's is opened, analysed and written without them, on a
# map too, and with them gives the same; files that need one that is missing are refused in a sentence.
# usage: test-batch-libraries.sh EIGENSCOPE-BATCH          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
export ES_CUDA_MODULE=none
. "$(dirname "$0")/batch-test.sh"

libraries='libgdal|libhdf5|libmatio|libsndfile|libproj|libarpack|libcholmod'
libraries+='|libeigenscope-(eigen|gdal|hdf5|matio|sndfile)'

# Which of them a program has loaded: the dynamic linker of glibc tells, those of others tell nothing.
loads() {
  rm -f loaded.*
  LD_DEBUG=files LD_DEBUG_OUTPUT=loaded "$batch" "$@" > out 2> err || return 2
  cat loaded.* 2> /dev/null | grep 'calling init' > inits
  grep -oE "($libraries)[^ ]*" inits | sort -u > found
}
none() {                       # none DESCRIPTION ARGUMENTS...
  local description=$1; shift
  loads "$@" || { ok "$description" 1; return; }
  if [ -s inits ]; then ! [ -s found ]; ok "$description loads none of them" $?; cat found >> err; else
    n=$((n + 1)); echo "ok $n - $description # SKIP the dynamic linker tells nothing"; fi
}

"$batch" simulate cube -o cube.img width=60 height=40 bands=50 seed=3 > out 2> err || exit 1
cp cube.img raw.bin
cp cube.img south.img; sed -e 's/33, North/33, South/' -e '/coordinate system string/d' cube.hdr > south.hdr
cp cube.img degrees.img
sed -e 's/^map info.*/map info = {Geographic Lat\/Lon, 1, 1, 13, 52, 0.001, 0.001, WGS-84, units=Degrees}/' \
  -e '/coordinate system string/d' cube.hdr > degrees.hdr

none "help" --help
none "operations" operations
none "simulate" simulate cube -o other.img width=20 height=20 bands=20
for cube in cube south degrees; do
  none "info of $cube" info $cube.img
  none "pca of $cube" run pca $cube.img -o pca-$cube
done
"$batch" info cube.img > out 2> err; grep -q 'centre: .* N, .* E' out; ok "info tells where it is" $?
none "mnf" run mnf cube.img -o mnf
none "shapes" shapes raw.bin --width 60
none "pca of samples alone" run pca raw.bin --width 60 --height 40 --raw-bands 50 --type int16 --layout bsq -o raw

# ---- what is known without them is what they say
expect 0 "pca as GeoTIFF" run pca cube.img --format geotiff -o tiff
loads info tiff/components.tif && { ! [ -s inits ] || grep -q libgdal found; }
ok "a GeoTIFF is read by GDAL" $?
spaced=$(sed -n 's/^coordinate system string = {\(.*\)}$/\1/p' cube.hdr | sed 's/,GEOGCS/, GEOGCS/')
cp cube.img spaced.img; sed "s|^coordinate system string.*|coordinate system string = {$spaced}|" cube.hdr > spaced.hdr
loads run pca spaced.img -o pca-spaced && { ! [ -s inits ] || grep -q libgdal found; }
ok "a system in other words is read by GDAL" $?
cmp pca-cube/components.img pca-spaced/components.img > err 2>&1; ok "the same samples" $?
# The description names the file.
for name in cube spaced; do sed '/^description/d' pca-$name/components.hdr > $name.told; done
cmp cube.told spaced.told > err 2>&1; ok "and the same header" $?
"$batch" info cube.img --json > one 2> err && "$batch" info spaced.img --json > two 2>> err
[ "$(grep -A3 '"centre"\|latitude\|longitude' one | tr -dc '0-9.\n' | cut -c1-12)" \
  = "$(grep -A3 '"centre"\|latitude\|longitude' two | tr -dc '0-9.\n' | cut -c1-12)" ]; ok "at the same place" $?

# ---- without them
expect 0 "a recording" simulate recording -o sound.w64 seconds=1 rate=4000 array=line:4,1.5
expect 0 "a recording in HDF5" simulate recording -o numbers.h5 seconds=1 rate=4000 array=line:4,1.5
{ printf 'MATLAB 5.0 MAT-file%97s' ''; printf '\0\0\0\0\0\0\0\0\0\1IM'; } > some.mat
mkdir gone
modules=${ES_LIBRARY_DIR:-$(dirname "$batch")/../compute/libraries}
export ES_LIBRARY_DIR=$work/gone
expect 0 "pca of a cube" run pca cube.img -o pca-without
for name in components.img components.hdr; do
  cmp "pca-cube/$name" "pca-without/$name" > err 2>&1; ok "the same $name" $?
done
expect 3 "a GeoTIFF" info tiff/components.tif
sentence "components.tif" "GDAL" "libeigenscope-gdal.so"; ok "says what is missing" $?
expect 3 "a sound file" info sound.w64
sentence "sound.w64" "libsndfile"; ok "says what is missing" $?
expect 3 "a recording in HDF5" info numbers.h5
sentence "numbers.h5" "HDF5"; ok "says what is missing" $?
expect 3 "a file of MATLAB's" info some.mat
sentence "some.mat" "matio"; ok "says what is missing" $?
run run pca cube.img --format geotiff -o tiff-without; [ $? -ne 0 ]; ok "no GeoTIFF is written" $?
sentence "GDAL"; ok "says what is missing" $?
run simulate recording -o none.w64 seconds=1 rate=4000 array=line:4,1.5; [ $? -ne 0 ]; ok "no sound file is written" $?
sentence "libsndfile" && ! [ -e none.w64 ]; ok "says what is missing" $?
run simulate recording -o none.h5 seconds=1 rate=4000 array=line:4,1.5; [ $? -ne 0 ]; ok "no HDF5 file is written" $?
sentence "HDF5" && ! [ -e none.h5 ]; ok "says what is missing" $?
expect 0 "a cube with a system that only GDAL knows" run pca spaced.img -o pca-spaced-without
grep -q 'GDAL' out err pca-spaced-without/result.json; ok "what of it was left out is told" $?
for bytes in 100 4096 9000; do
  head -c $bytes "$modules/libeigenscope-gdal.so" > gone/libeigenscope-gdal.so
  expect 3 "a module that ends after $bytes bytes" info tiff/components.tif
  sentence "components.tif" "GDAL"; ok "says so" $?
done
cp "$(dirname "$batch")/../compute/libraries/libeigenscope-hdf5.so" gone/libeigenscope-gdal.so 2> /dev/null \
  || : > gone/libeigenscope-gdal.so
expect 3 "a module that is another one" info tiff/components.tif
sentence "components.tif" "GDAL"; ok "is refused" $?

echo "1..$n"

