#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Cubes at addresses, of a server on the loopback, of a store, in an archive, and stores of Zarr: the same as from a
# file, only what was named, and one sentence where it is not to be had.
# usage: test-batch-remote.sh EIGENSCOPE-BATCH PYTHON          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1"); python=$2
here=$(realpath "$(dirname "$0")")
export ES_CUDA_MODULE=none
. "$here/batch-test.sh"

mkdir -p www/t www/secret www/midway www/hangs www/whole www/busy
"$batch" simulate cube -o www/t/cube.img width=120 height=200 bands=30 seed=3 > out 2> err || exit 1
"$python" "$here/remote-inputs.py" www/t || exit 1
"$batch" run pca www/t/cube.img -o tif components=6 --format geotiff > out 2> err || exit 1
cp tif/components.tif www/t/scene.tif; cp tif/components.tif www/secret/other.tif

# Its end is that of its standard input.
coproc server { exec "$python" "$here/range-server.py" www log; }
read -r -u "${server[0]}" port || exit 1
url=/vsicurl/http://127.0.0.1:$port
export AWS_S3_ENDPOINT=127.0.0.1:$port AWS_HTTPS=NO AWS_VIRTUAL_HOSTING=FALSE AWS_NO_SIGN_REQUEST=YES
export GDAL_HTTP_LOW_SPEED_TIME=2 GDAL_HTTP_CONNECTTIMEOUT=2
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY AWS_PROFILE

expect 0 "a server" info "$url/t/cube.img"
if grep -qF "gives no parts" err; then echo "1..0 # SKIP GDAL asks no servers here"; exit 0; fi

# ---- the same as from a file
"$batch" info --json www/t/cube.img > local.json
describe() {                   # describe FILE: what is told of a cube, but for where it lies
  "$python" -c "
import json, sys
told = json.load(open(sys.argv[1]))
for name in ('path', 'identity', 'file', 'files'):
    told.pop(name, None)
print(json.dumps(told, sort_keys=True))" "$1"
}
"$batch" info --json "$url/t/cube.img" > remote.json
[ "$(describe local.json)" = "$(describe remote.json)" ] && [ -s remote.json ]; ok "tells the same" $?

computed() { "$batch" run pca "$1" -o "$2" components=6 --memory 4M --device cpu --threads 1 > out 2> err; }
computed www/t/cube.img envi; ok "a file" $?
computed www/t/plain.img plain; ok "a file that tells little" $?
same() {                       # same DESCRIPTION FOLDER ADDRESS: as from the file
  rm -rf other
  computed "$3" other && cmp "$2/components.img" other/components.img && cmp "$2/eigenvalues.csv" other/eigenvalues.csv
  ok "$1 gives the same bytes" $?
}
same "a server" envi "$url/t/cube.img"
grep -q "\"path\" *: *\"$url/t/cube.img\"" other/result.json
ok "the result tells the address" $?
same "the header on a server" envi "$url/t/cube.hdr"
same "a store of objects" envi /vsis3/t/cube.img
same "an archive" envi "/vsizip/$PWD/www/t/cube.zip/cube.img"
(cd www && "$batch" info /vsizip/t/cube.zip/cube.img > ../out 2> ../err); ok "an archive from here on" $?
same "an archive on a server" envi "/vsizip/$url/t/cube.zip/cube.img"
same "Zarr" plain www/t/cube.zarr
same "Zarr on a server, its array" plain "$url/t/cube.zarr/cube"
expect 0 "Zarr that is named whole" info www/t/cube.zarr
grep -q Zarr out; ok "says what it is" $?
computed www/t/scene.tif tiff-file && computed "$url/t/scene.tif" tiff-server \
  && cmp tiff-file/components.img tiff-server/components.img; ok "a GeoTIFF on a server gives the same bytes" $?
expect 0 "raw samples on a server" info "$url/t/cube.img" --width 120 --height 200 --raw-bands 30 --type int16 \
  --layout bsq
sum() { "$batch" info --json "$1" | "$python" -c "import json, sys; print(json.load(sys.stdin)['identity'])"; }
before=$(sum "$url/t/cube.img"); [ -n "$before" ] && [ "$before" = "$(sum /vsis3/t/cube.img)" ]
ok "the identity is that of what is there" $?
printf 'x' | dd of=www/t/cube.img bs=1 seek=100 conv=notrunc 2> /dev/null
[ "$before" != "$(sum "$url/t/cube.img")" ]; ok "and another one where that is something else" $?

# ---- only what is asked for
"$batch" simulate cube -o www/t/large.img width=300 height=1500 bands=30 seed=3 interleave=bil > out 2> err || exit 1
: > log
expect 0 "what a large cube is" info "$url/t/large.img"
fetched=$(awk '{ bytes += $4 } END { print bytes }' log)
[ "$fetched" -gt 0 ] && [ "$fetched" -lt 1000000 ]; ok "costs $fetched bytes of 27000000" $?

# ---- what is not to be had
mkdir -p www/refuses
cp www/t/cube.img www/t/cube.hdr www/midway; cp www/t/cube.img www/t/cube.hdr www/hangs
cp www/t/scene.tif www/midway; cp www/t/cube.img www/t/cube.hdr www/whole
refused() {                    # refused DESCRIPTION ADDRESS WORD...: within seconds, in a sentence, and nothing is left
  local description=$1 address=$2 from took; shift 2
  from=$(date +%s)
  timeout 60 "$batch" run pca "$address" -o bad --device cpu --threads 1 > out 2> err; local status=$?
  took=$(($(date +%s) - from))
  [ $status -eq 3 ] && sentence "$@" && [ ! -e bad ] && [ $took -lt 30 ]; ok "$description (status $status)" $?
}
refused "a file that is not there" "$url/t/none.img" "$url/t/none.img" "no file"
refused "an archive that is not there" /vsizip//nowhere/x.zip/a.img /vsizip//nowhere/x.zip/a.img "no file"
refused "a server alone" "$url" "127.0.0.1:$port" folder
refused "a store that has none" /vsis3/t/none.img /vsis3/t/none.img
refused "a server that refuses it" "$url/refuses/cube.img" "HTTP 403"
refused "a server that is not there" /vsicurl/http://127.0.0.1:1/cube.img "does not answer"
refused "a server that knows no parts" "$url/whole/cube.img" "its server gave"
refused "a server that stops midway" "$url/midway/cube.img" "$url/midway/cube.img" "its server gave"
refused "a server that stops midway in a GeoTIFF" "$url/midway/scene.tif" scene.tif
refused "a server that says nothing any more" "$url/hangs/cube.img" "$url/hangs/cube.img"
head -c 1000000 www/t/cube.img > www/t/short.img; cp www/t/cube.hdr www/t/short.hdr
refused "a file that is cut short there" "$url/t/short.img" short.img "1000000 bytes" "promises 1440000"
refused "an array whose store does not tell of it" "$url/t/cube.zarr" cube.zarr "folder of an array"
: > www/t/empty.img
refused "a file that is empty there" "$url/t/empty.img" empty.img empty
cp -r www/t/cube.zarr www/busy
refused "Zarr of which a server does not give a piece" "$url/busy/cube.zarr/cube" cube.zarr/cube/0.1.0 "HTTP 503"
cp www/t/cube.img www/t/cube.hdr www/busy
refused "a cube of which a server does not say whether it has a mask" "$url/busy/cube.img" cube.img.msk "HTTP 503"
rm www/t/cube.zarr/cube/0.2.0; printf 'no zlib' > www/t/cube.zarr/cube/0.1.0
refused "Zarr that is damaged" www/t/cube.zarr cube.zarr
"$batch" simulate recording -o www/t/sea.wav array=line:12,1.5 rate=2000 seconds=2 > out 2> err || exit 1
refused "a recording" "$url/t/sea.wav" sea.wav
printf '\211HDF\r\n\032\n' > www/t/x.h5; head -c 4000 /dev/zero >> www/t/x.h5
refused "HDF5" "$url/t/x.h5" x.h5 HDF5 "local folder"
refused "another of GDAL's file systems" /vsigs/bucket/cube.img /vsigs/bucket/cube.img "local folder"
expect 3 "a driver for an address" info "$url/t/scene.tif" --driver GTiff
sentence driver "$url/t/scene.tif"; ok "says so" $?

# ---- nothing else is asked for, whatever a file says
nobody() {                     # nobody DESCRIPTION: the server was not asked for what lies in secret/
  ! grep -q /secret/ log; ok "$1" $?
}
: > log
side() {                       # side SOURCE: what GDAL reads beside a raster
  printf '<PAMDataset><Metadata domain="OVERVIEWS"><MDI key="OVERVIEW_FILE">%s</MDI></Metadata></PAMDataset>' "$1"
}
vrt() {                        # vrt SOURCE
  printf '<VRTDataset rasterXSize="120" rasterYSize="200"><VRTRasterBand dataType="Float32" band="1"><SimpleSource>'
  printf '<SourceFilename>%s</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>' "$1"
}
for source in "$url/secret/other.tif" "/vsieigenscope/$url/secret/other.tif" /vsis3/secret/other.tif; do
  side "$source" > www/t/scene.tif.aux.xml
  run info "$url/t/scene.tif"
  cp www/t/scene.tif here.tif; cp www/t/scene.tif.aux.xml here.tif.aux.xml
  run info here.tif "$url/t/cube.img"
  vrt "$source" > www/t/away.vrt; cp www/t/away.vrt away.vrt; cp away.vrt here.tif.msk
  run info "$url/t/away.vrt"; [ $? -eq 3 ]; ok "a description at an address is not opened" $?
  run info here.tif "$url/t/cube.img"
  run composite away.vrt -o away.png --driver VRT
  run run pca away.vrt -o away "$url/t/cube.img" --driver VRT
  rm -f here.tif.msk
done
nobody "no description, side or mask leads to another folder"
rm -f www/t/scene.tif.aux.xml here.tif.aux.xml
expect 3 "a folder above" info "$url/t/../secret/../secret/../../x.img"
nobody "is not asked for"
: > log
mkdir -p saved; cp -r other/. saved
run info saved; run run reconstruct saved -o again
[ ! -s log ]; ok "a result that names an address does not lead there" $?
cp www/t/cube.img www/t/cube.hdr .
expect 0 "a file of this machine" run pca cube.img -o at-home
[ ! -s log ]; ok "nobody is asked for it" $?

exec {server[1]}>&-
echo "1..$n"
exit $((failed > 0))
