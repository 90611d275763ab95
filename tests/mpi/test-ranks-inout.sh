#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What several processes read and write: each its own rows of the input, whatever its format, and its own of one output
# file, in every format; from addresses, too.
# usage: test-ranks-inout.sh EIGENSCOPE-BATCH MPIRUN PYTHON MPI-MODULE          (TAP)
set -u
. "$(dirname "$0")/ranks-test.sh"

need_a_launcher
mkdir -p www/t
"$batch" simulate cube -o www/t/cube.img width=120 height=200 bands=30 seed=3 > out 2> err || exit 1
"$python" "$here/../app/remote-inputs.py" www/t || exit 1
ln -s www/t/cube.img www/t/cube.hdr .

# ---- one file of all of them, in every format
hidden() { [ -z "$(find . -name '.*part-*')" ]; }
for format in bil bip geotiff hdf5; do
  same "pca as $format" "1 2 3 5" pca cube.img components=6 --format $format
  same "pca of a window as $format, with pictures" "3" pca cube.img components=6 --subset 10,20,90,150 --previews \
    --format $format
done
turns=0
for format in envi bil bip envi hdf5 bip; do
  together 2 run pca cube.img components=6 -o turns --device cpu --threads 1 --format $format \
    && "$batch" run pca cube.img components=6 -o "turn-$format" --device cpu --threads 1 --format $format > out 2> err \
    && "$python" "$here/compare-results.py" "turn-$format" turns > out || turns=1
done
ok "a result in another format takes the place of one, whose header has its name" $turns
echo mine > turns/components.img; cp -r turns turns-before
expect_together 3 "the header of somebody else's samples" 2 run pca cube.img components=6 -o turns --format bil
diff -r turns-before turns > out; ok "stays as it is" $?
same "fastica as bip" "2" fastica cube.img components=4 approach=symmetric --format bip
same "mnf as hdf5" "5" mnf cube.img --format hdf5
hidden; ok "nothing is left beside them" $?

# What is in these files is the same.
for format in envi bil bip hdf5; do
  together 3 run pca cube.img components=6 -o "as-$format" --device cpu --threads 1 --format $format || exit 1
done
"$python" - <<'PY' > out
import array
import re
def samples(path):
    values = array.array('f')
    values.frombytes(open(path, 'rb').read())
    return values
columns, rows, planes = 120, 200, 6
bsq = samples('as-envi/components.img')
assert len(bsq) == columns * rows * planes
for format in 'bil', 'bip':
    header = open(f'as-{format}/components.hdr').read()
    assert re.search(rf'^interleave = {format}$', header, re.M), header
bil, bip = samples('as-bil/components.bil'), samples('as-bip/components.bip')
for plane in range(planes):
    for row in range(0, rows, 7):
        one = bsq[(plane * rows + row) * columns:][:columns].tobytes()
        assert one == bil[(row * planes + plane) * columns:][:columns].tobytes(), (plane, row)
        assert one == bip[row * planes * columns + plane:][:planes * columns:planes].tobytes(), (plane, row)
# The samples of HDF5 are one piece of the file, as they are in BSQ.
assert bsq.tobytes() in open('as-hdf5/components.h5', 'rb').read()
PY
ok "in every order the samples are the same" $?
for name in as-bil/components.bil as-bip/components.bip as-hdf5/components.h5; do
  run info $name; [ $? -eq 0 ] && grep -q '120 × 200 × 6' out; ok "$name is read again" $?
done
expect 2 "a format that there is none of" run pca cube.img --format bsq
sentence bsq hdf5; ok "names those that there are" $?

# ---- each reads only its rows
"$batch" simulate cube -o large.img width=300 height=1500 bands=30 seed=3 > out 2> err || exit 1
for order in bil bip; do
  "$batch" simulate cube -o large-$order.img width=300 height=1500 bands=30 seed=3 interleave=$order > out 2> err \
    || exit 1
done
"$batch" run pca large.img -o basis components=28 > out 2> err || exit 1
for format in geotiff hdf5; do
  "$batch" run reconstruct large.img -o large-$format result=basis/result.json output=cube components=1-28 \
    --format $format > out 2> err || exit 1
done
mkdir large.zarr
"$python" - <<'PY'
import json
import zlib
columns, rows, bands, chunk_rows = 300, 1500, 30, 50
samples = open('large-bil.img', 'rb').read()
json.dump({'zarr_format': 2, 'shape': [rows, bands, columns], 'chunks': [chunk_rows, bands, columns], 'dtype': '<i2',
           'compressor': None, 'fill_value': None, 'order': 'C', 'filters': None}, open('large.zarr/.zarray', 'w'))
json.dump({'_ARRAY_DIMENSIONS': ['y', 'band', 'x']}, open('large.zarr/.zattrs', 'w'))
size = chunk_rows * bands * columns * 2
for number in range(rows // chunk_rows):
    open(f'large.zarr/{number}.0.0', 'wb').write(samples[number * size:(number + 1) * size])
PY
if command -v strace > /dev/null && strace -o /dev/null true 2> /dev/null; then
  cat > traced.sh <<SH
exec strace -ff -qq -y -e trace=read,pread64,preadv2,readv -o trace.\${OMPI_COMM_WORLD_RANK:-one} "$batch" "\$@"
SH
  # One that is read alone, and each of two, in as many passes.
  reads() {                    # reads FILE
    local file=$1 shares
    rm -rf traced traced-one trace.*
    bash traced.sh run pca "$file" -o traced-one components=3 --memory 4M --device cpu --threads 1 > out 2> err \
      && timeout 100 "$mpirun" -q -n 2 bash traced.sh run pca "$file" -o traced components=3 --memory 4M --device cpu \
           --threads 1 > out 2> err || { ok "two processes read $file" 1; return; }
    shares=$("$python" - "$PWD/$file" <<'PY'
import glob
import re
import sys
def read_of(who):
    total = 0
    for trace in glob.glob(f'trace.{who}.*'):
        for line in open(trace, errors='replace'):
            if sys.argv[1] in line.split('>')[0] and (found := re.search(r'= (\d+)$', line)):
                total += int(found[1])
    return total
alone = read_of('one')
shares = [read_of(rank) / alone for rank in (0, 1)]
print(f'{alone} bytes alone,', ' '.join(f'{share:.2f}' for share in shares))
sys.exit(not all(0.45 < share < 0.65 for share in shares))
PY
)
    ok "of $file each reads its half ($shares)" $?
  }
  for name in large.img large-bil.img large-bip.img; do reads $name; done
  reads large-geotiff/reconstruction.tif
  reads large-hdf5/reconstruction.h5
  reads large.zarr
else
  echo "# there is no strace here that tells who reads what"
fi

# ---- from addresses
coproc server { exec "$python" "$here/../app/range-server.py" . log; }
read -r -u "${server[0]}" port || exit 1
url=/vsicurl/http://127.0.0.1:$port
export AWS_S3_ENDPOINT=127.0.0.1:$port AWS_HTTPS=NO AWS_VIRTUAL_HOSTING=FALSE AWS_NO_SIGN_REQUEST=YES
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY AWS_PROFILE
if "$batch" info "$url/www/t/cube.img" > out 2> err; then
  "$batch" run pca www/t/plain.img -o plain components=6 --memory 4M --device cpu --threads 1 > out 2> err || exit 1
  from() {                     # from DESCRIPTION FOLDER ADDRESS: two processes, as one from the file
    rm -rf far
    together 2 run pca "$3" -o far components=6 --memory 4M --device cpu --threads 1 \
      && cmp "$2/components.img" far/components.img
    ok "$1 gives two processes the same bytes" $?
  }
  from "a server" as-envi "$url/www/t/cube.img"
  from "a store" as-envi /vsis3/www/t/cube.img
  from "an archive on a server" as-envi "/vsizip/$url/www/t/cube.zip/cube.img"
  from "Zarr on a server" plain "$url/www/t/cube.zarr/cube"
  : > log
  run run pca "$url/large-bil.img" -o alone components=3 --memory 8M --device cpu --threads 1
  alone=$(awk '{ bytes += $4 } END { print bytes }' log)
  : > log
  together 2 run pca "$url/large-bil.img" -o far components=3 --memory 8M --device cpu --threads 1
  ok "two processes read a server" $?
  fetched=$(awk '{ bytes += $4 } END { print bytes }' log)
  [ "$fetched" -gt 27000000 ] && [ "$fetched" -lt $((alone + alone / 8)) ]
  ok "together $fetched bytes, as one alone ($alone)" $?
  mkdir midway; cp large-bil.img large-bil.hdr midway
  together 2 run pca "$url/midway/large-bil.img" -o bad --device cpu --threads 1; [ $? -eq 3 ] && [ ! -e bad ] \
    && sentence "$url/midway/large-bil.img" "its server gave"; ok "a server that stops midway is one sentence" $?
else
  echo "# GDAL asks no servers here"
fi
exec {server[1]}>&-

echo "1..$n"
exit $((failed > 0))
