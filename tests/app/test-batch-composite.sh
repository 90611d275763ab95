#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# eigenscope-batch composite: three planes as a picture, against the samples read by another program.
# usage: test-batch-composite.sh EIGENSCOPE-BATCH PYTHON          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
python=$2
export ES_CUDA_MODULE=none
. "$(dirname "$0")/batch-test.sh"

"$batch" simulate cube -o cube.img width=60 height=40 bands=100 > out 2> err || exit 1
"$batch" run pca cube.img -o pca components=3 -q > out 2> err || exit 1

# Pixels of a PNG of 8 bits, RGBA; samples of an ENVI file; what a linear stretch between two ends makes of one.
cat > reading.py <<'END'
import math, re, struct, zlib
def png(path):
    data = open(path, 'rb').read()
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    at, packed = 8, b''
    while at < len(data):
        n, kind = struct.unpack('>I4s', data[at:at + 8])
        if kind == b'IHDR':
            width, height, depth, colour = struct.unpack('>IIBB', data[at + 8:at + 18])
        if kind == b'IDAT':
            packed += data[at + 8:at + 8 + n]
        at += 12 + n
    assert depth == 8 and colour == 6, (depth, colour)
    raw, rows, before = zlib.decompress(packed), [], bytes(4 * width)
    for y in range(height):
        how, row = raw[y * (4 * width + 1)], bytearray(raw[y * (4 * width + 1) + 1:(y + 1) * (4 * width + 1)])
        for i in range(4 * width):
            a, b, c = row[i - 4] if i >= 4 else 0, before[i], before[i - 4] if i >= 4 else 0
            p = a + b - c
            near = min((abs(p - v), k, v) for k, v in enumerate((a, b, c)))[2]
            row[i] = row[i] + (0, a, b, (a + b) // 2, near)[how] & 255
        rows.append(bytes(row))
        before = rows[-1]
    return width, height, rows
def envi(path, missing=None):
    head = dict(re.findall(r'^([a-z ]+?) *= *([^{\n]+)$', open(path.rsplit('.', 1)[0] + '.hdr').read(), re.M))
    width, height, bands = int(head['samples']), int(head['lines']), int(head['bands'])
    code, size = {'2': ('h', 2), '4': ('f', 4), '5': ('d', 8), '12': ('H', 2)}[head['data type'].strip()]
    data = open(path, 'rb').read()
    values = struct.unpack('<%d%s' % (len(data) // size, code), data)
    none = float(head['data ignore value']) if 'data ignore value' in head else None
    how = head['interleave'].strip()
    def at(band, y, x):
        v = values[(band * height + y) * width + x if how == 'bsq' else (y * bands + band) * width + x if how == 'bil'
                   else (y * width + x) * bands + band]
        return None if v == none or v != v else v
    return width, height, bands, at
def quantile(values, share):
    place = share * (len(values) - 1)
    low = int(place)
    return values[low] + (values[min(low + 1, len(values) - 1)] - values[low]) * (place - low)
def shade(value, low, high):
    return max(0, min(255, int((value - low) * 256 / (high - low))))
END

# ---- of bands
expect 0 "three bands" composite cube.img -o bands.png rgb=30,20,10
"$python" - <<'END'; ok "each pixel is between the 2 % and the 98 % of its band" $?
from reading import *
width, height, bands, at = envi('cube.img')
w, h, rows = png('bands.png')
assert (w, h) == (width, height), (w, h)
n = 0
for c, band in enumerate((29, 19, 9)):
    values = sorted(v for y in range(height) for x in range(width) if (v := at(band, y, x)) is not None)
    low, high = quantile(values, .02), quantile(values, .98)
    for y in range(height):
        for x in range(width):
            if rows[y][4 * x + 3] == 0:
                continue
            n += 1
            assert abs(rows[y][4 * x + c] - shade(at(band, y, x), low, high)) <= 1, (c, y, x)
assert n > 3000, n
END
expect 0 "by wavelength" composite cube.img -o waves.png rgb=640nm,0.55um,460nm
expect 0 "a preset" composite cube.img -o preset.png rgb=true-colour
cmp -s waves.png preset.png; ok "is of those wavelengths" $?
expect 0 "short-wave infrared" composite cube.img -o swir.png rgb=swir
cmp -s swir.png preset.png; [ $? -eq 1 ]; ok "is another picture" $?
expect 0 "what the window shows first" composite cube.img -o usual.png

# ---- stretches
expect 0 "limits" composite cube.img -o limits.png rgb=30,20,10 limits=0.05:0.3,,0.4:0.1
"$python" - <<'END'; ok "are those of each channel, the middle one worked out, the last one inverted" $?
from reading import *
width, height, bands, at = envi('cube.img')
rows, plain = png('limits.png')[2], png('bands.png')[2]
scale = float(re.search(r'reflectance scale factor *= *(\S+)', open('cube.hdr').read()).group(1))
for y in range(height):
    for x in range(width):
        if rows[y][4 * x + 3] == 0:
            continue
        assert abs(rows[y][4 * x] - shade(at(29, y, x) / scale, .05, .3)) <= 1, (y, x)
        assert rows[y][4 * x + 1] == plain[y][4 * x + 1]
        assert abs(rows[y][4 * x + 2] - shade(at(9, y, x) / scale, .4, .1)) <= 1, (y, x)
END
for curve in linear square-root logarithm gaussian equalise; do
  expect 0 "curve $curve" composite cube.img -o "curve-$curve.png" rgb=30,20,10 curve=$curve
done
[ "$(md5sum curve-*.png | cut -d' ' -f1 | sort -u | wc -l)" -eq 5 ]; ok "five curves are five pictures" $?
cmp -s curve-linear.png bands.png; ok "a linear one is usual" $?
expect 0 "deviations" composite cube.img -o deviations.png rgb=30,20,10 deviations=1.5
expect 0 "linked" composite cube.img -o linked.png rgb=30,20,10 linked=yes

# ---- of results, and of several files
expect 0 "a saved result" composite pca -o pca.png
"$python" - <<'END'; ok "its components, each by its own quantiles" $?
from reading import *
width, height, bands, at = envi('pca/components.img')
w, h, rows = png('pca.png')
for c in range(3):
    values = sorted(v for y in range(height) for x in range(width) if (v := at(c, y, x)) is not None)
    low, high = quantile(values, .02), quantile(values, .98)
    for y in range(height):
        for x in range(width):
            assert (at(c, y, x) is None) <= (rows[y][4 * x + 3] == 0)
            if rows[y][4 * x + 3]:
                assert abs(rows[y][4 * x + c] - shade(at(c, y, x), low, high)) <= 1, (c, y, x)
END
expect 0 "of several" composite cube.img pca/result.json -o mixed.png 'rgb=2:PC 1,2/components:3,10'
"$python" - <<'END'; ok "each channel is that of its own picture" $?
from reading import *
mixed, pca, bands = (png(name)[2] for name in ('mixed.png', 'pca.png', 'bands.png'))
seen = 0
for y in range(len(mixed)):
    for x in range(len(mixed[0]) // 4):
        if mixed[y][4 * x + 3] == 0:
            continue
        seen += 1
        assert mixed[y][4 * x] == pca[y][4 * x] and mixed[y][4 * x + 1] == pca[y][4 * x + 2]
        assert mixed[y][4 * x + 2] == bands[y][4 * x + 2]
assert seen > 1500
END
expect 0 "with its run" run pca cube.img -o again components=3 -q --rgb '1,2,3'
cmp -s again/composite.png pca.png; ok "the same picture" $?
expect 0 "as GeoTIFF" composite cube.img -o picture.tif rgb=30,20,10
"$batch" info picture.tif > out 2> err; grep -q '60 × 40 × 3' out; ok "three bands" $?

for name in here there; do
  cp cube.img $name.img
  cp cube.hdr $name.hdr
done
echo 'map info = {UTM, 1, 1, 500000, 4000000, 10, 10, 33, North, WGS-84}' >> here.hdr
echo 'map info = {UTM, 1, 1, 700000, 4100000, 20, 20, 33, North, WGS-84}' >> there.hdr
place () { "$batch" info "$1" --json > out 2> err; tr -d ' \n' < out | grep -o '"geotransform":\[[^]]*\]'; }
expect 0 "planes of the second file" composite here.img there.img -o placed.tif rgb=2:3,2:2,2:1
[ ! -s err ] && [ -n "$(place there.img)" ] && [ "$(place placed.tif)" = "$(place there.img)" ]
ok "lie where that lies" $?
expect 0 "planes of both" composite here.img there.img -o both.tif rgb=1:3,2:2,2:1
grep -q 'without a place' err && [ -z "$(place both.tif)" ]; ok "lie nowhere, which is told" $?

# ---- what cannot be
expect 2 "two planes" composite cube.img -o x.png rgb=1,2
expect 2 "a band that is not there" composite cube.img -o x.png rgb=1,2,101
expect 2 "a wavelength of a result without" composite pca -o x.png rgb=640nm,1,2
expect 2 "no file 3" composite cube.img pca -o x.png rgb=3:1,1,1
expect 2 "no layer" composite pca -o x.png rgb=1/errors:1,1,1
expect 2 "two planes of a run" run pca cube.img -o early --rgb 1,2
[ ! -e early ]; ok "before it is run" $?
for rgb in 1,2,4 '1,2,PC 4' 640nm,1,2 2:1,2:2,2:101 3:1,1,1 2/components:1,1,1; do
  expect 2 "$rgb of three components" run pca cube.img -o early components=3 -q --rgb "$rgb"
  sentence && [ ! -e early ]; ok "before they are computed" $?
done
expect 2 "more components than good bands" run mnf cube.img -o early -q --rgb 1,2,99
sentence 'from 1 to 98' && [ ! -e early ]; ok "before they are computed" $?
expect 2 "of a neighbour graph's" run isomap cube.img -o early samples=200 dimensions=4 -q --rgb 1,2,5
sentence 'from 1 to 4' && [ ! -e early ]; ok "before it is searched" $?
expect 2 "of independent components" run fastica cube.img -o early components=2 -q --rgb '1,2,IC 3'
sentence 'IC 3' && [ ! -e early ]; ok "before they are looked for" $?
# What only the data tell is said when the result is safe.
expect 3 "more components than the data have" run pca cube.img -o late threshold=0.5 -q --rgb 1,1,90
sentence 'no plane 90' 'is saved in' "/late" '--rgb'; ok "says that the result is saved, and what is not" $?
[ -s late/components.img ] && [ ! -e late/composite.png ] && grep -q '"pca"' late/result.json; ok "it is" $?
expect 3 "the same of a list" run pca cube.img -o lists threshold=0.5 -q --queue --rgb 1,1,90
grep -q 'is saved in' lists/report.csv && [ -s lists/cube/result.json ]; ok "is in the report" $?
mkdir -p taken/composite.png
expect 3 "a folder in the place of the picture" run pca cube.img -o taken components=3 -q --rgb 1,2,3
sentence composite.png && [ ! -e taken/result.json ]; ok "is seen before anything is computed" $?
expect 2 "more error maps than there are" run reconstruct cube.img result=pca/result.json -o early -q --rgb 1,2,3
sentence 'from 1 to 2' && [ ! -e early ]; ok "before they are computed" $?
expect 0 "planes of a result and of its cube" run pca cube.img -o both components=3 -q \
  --rgb '1,2:640nm,1/components:PC 3'
[ -s both/composite.png ]; ok "are a picture" $?
expect 2 "limits" composite cube.img -o x.png limits=low
expect 2 "another kind of picture" composite cube.img -o x.jpg
expect 2 "no picture" composite cube.img
expect 2 "no cube" composite -o x.png
expect 3 "a file that is not there" composite nowhere.img -o x.png
"$batch" simulate cube -o small.img width=30 height=40 bands=10 > out 2> err
expect 2 "of another size" composite cube.img small.img -o x.png rgb=1,2:1,2
[ ! -e x.png ] && [ ! -e x.jpg ]; ok "nothing was written" $?
printf 'letter' > letter.png
expect 0 "over a file of somebody's" composite cube.img -o letter.png
grep -q 'letter.png' err && [ "$(cat letter.png.~1~)" = letter ]; ok "which is kept, and told" $?
expect 0 "over its own picture" composite cube.img -o letter.png rgb=3,2,1
[ ! -s err ] && [ ! -e letter.png.~2~ ]; ok "is written again" $?
"$python" - <<'END'
# Numbers of a result: one band of float32, 2 x 2, by this program.
import struct
name = b'Eigenscope 1\0'
tags = [(256, 3, 1, 2), (257, 3, 1, 2), (258, 3, 1, 32), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 200),
        (277, 3, 1, 1), (278, 3, 1, 2), (279, 4, 1, 16), (305, 2, len(name), 180), (339, 3, 1, 3)]
data = struct.pack('<2sHIH', b'II', 42, 8, len(tags)) + b''.join(struct.pack('<HHII', *t) for t in tags) + bytes(4)
data = data.ljust(180, b'\0') + name
open('numbers.tif', 'wb').write(data.ljust(200, b'\0') + struct.pack('<4f', 1, 2, 3, 4))
END
cp numbers.tif before.tif
expect 0 "over numbers of its own" composite cube.img -o numbers.tif
grep -q 'numbers.tif' err && cmp -s numbers.tif.~1~ before.tif; ok "which are kept, and told" $?
cp bands.png kept.png
expect 2 "a failure" composite cube.img -o kept.png rgb=1,2,999
cmp -s bands.png kept.png; ok "leaves what was there" $?

echo "1..$n"
[ $failed -eq 0 ]
