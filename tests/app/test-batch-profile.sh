#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# eigenscope-batch profile: values along lines against those in the file, read by another program.
# usage: test-batch-profile.sh EIGENSCOPE-BATCH PYTHON          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
python=$2
export ES_CUDA_MODULE=none
. "$(dirname "$0")/batch-test.sh"

"$batch" simulate cube -o cube.img width=60 height=40 bands=30 seed=7 > out 2> err || exit 1
cat > read.py <<'END'
import csv, re, struct
head = dict(re.findall(r'^([a-z ]+?) *= *([^{\n]+)$', open('cube.hdr').read(), re.M))
width, height, bands = int(head['samples']), int(head['lines']), int(head['bands'])
code = {'2': 'h', '4': 'f', '5': 'd', '12': 'H'}[head['data type'].strip()]
raw = open('cube.img', 'rb').read()
size = struct.calcsize(code)
scale = float(head.get('reflectance scale factor', 1))
def value(b, x, y):
    at = {'bsq': (b * height + y) * width + x, 'bil': (y * bands + b) * width + x, 'bip': (y * width + x) * bands + b}
    return struct.unpack_from('<' + code, raw, at[head['interleave'].strip().lower()] * size)[0] / scale
def same(text, expected):
    return text != '' and abs(float(text) - expected) <= 1e-6 * max(1, abs(expected))
def rows(name):
    return [row for row in csv.reader(open(name)) if row]
END

# ---- along a row and a slanting line
expect 0 "a row" profile cube.img line=0,5,59,5 bands=3,7 -o row.csv
"$python" - <<'END'; ok "every pixel of the row as it is in the file" $?
exec(open('read.py').read())
table = rows('row.csv')
assert len(table) == 61, len(table)
for x, row in enumerate(table[1:]):
    a, b = value(2, x, 5), value(6, x, 5)
    assert float(row[0]) == x and float(row[-4]) == x and float(row[-3]) == 5, row
    assert same(row[-2], a) or row[-2] == '', (x, row, a)
    assert same(row[-1], b) or row[-1] == '', (x, row, b)
assert sum(row[-1] != '' for row in table[1:]) > 50, table
END
expect 0 "a slanting line, three wide" profile cube.img line=50,30,10,10 bands=3 width=3 -o slant.csv
"$python" - <<'END'; ok "means across of the pixels that samples lie in" $?
exec(open('read.py').read())
import math
table = rows('slant.csv')[1:]
length = math.hypot(40, 20)
assert len(table) == 41
found = 0
for k, row in enumerate(table):
    at = [(50 - k + i * 20 / length, 30 - k / 2 - i * 40 / length) for i in (-1, 0, 1)]
    values = [value(2, math.floor(x + .5), math.floor(y + .5)) for x, y in at]
    assert abs(float(row[0]) - length * k / 40) < 1e-6
    found += same(row[-1], sum(values) / 3)
assert found > 35, found
END
expect 0 "as JSON, of what takes part" profile cube.img line=3,4,20,9,20,30 sampling=bilinear --bands 1-5 --json
"$python" - <<'END'; ok "with bands, line and sampling" $?
import json
d = json.load(open('out'))
assert [b['band'] for b in d['bands']] == [1, 2, 3, 4, 5] and d['line'] == '3,4,20,9,20,30', d['line']
assert d['sampling'] == 'bilinear' and d['width'] == 1
assert len(d['bands'][0]['values']) == len(d['x']) == len(d['distance_pixels']) == 18 + 1 + 21, len(d['x'])
END
expect 0 "as a table" profile cube.img line=3,4,3,4 bands=1
[ "$(wc -l < out)" -eq 2 ]; ok "of one sample" $?

# ---- files that are there already
printf 'letter' > letter.csv
expect 0 "over a file of somebody's" profile cube.img line=0,0,5,5 -o letter.csv
grep -q 'letter.csv' err && [ "$(cat letter.csv.~1~)" = letter ]; ok "which is kept, and told" $?
expect 0 "over its own" profile cube.img line=0,0,9,9 -o letter.csv
[ ! -s err ] && [ ! -e letter.csv.~2~ ] && [ "$(wc -l < letter.csv)" -eq 11 ]; ok "is written again" $?

# ---- what is wrong is said
expect 2 "no line" profile cube.img
expect 2 "half a line" profile cube.img line=1,2,3
expect 2 "outside" profile cube.img line=0,0,60,5
grep -q '60 × 40' err; ok "names the size" $?
expect 2 "an even width" profile cube.img line=0,0,5,5 width=2
expect 2 "no such sampling" profile cube.img line=0,0,5,5 sampling=cubic
expect 2 "no such setting" profile cube.img line=0,0,5,5 colour=red
expect 2 "no such band" profile cube.img line=0,0,5,5 bands=31
expect 3 "no such file" profile none.img line=0,0,5,5

echo "1..$n"
[ $failed -eq 0 ]
