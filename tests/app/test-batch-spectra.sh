#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# eigenscope-batch spectra and match: libraries at the bands of a cube, and what a pixel is like.
# usage: test-batch-spectra.sh EIGENSCOPE-BATCH PYTHON          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
python=$2
export ES_CUDA_MODULE=none
. "$(dirname "$0")/batch-test.sh"

"$batch" simulate cube -o cube.img width=60 height=40 bands=100 > out 2> err || exit 1

# ---- what is in a library
expect 0 "spectra" spectra cube_endmembers.csv
grep -q '5 spectra, 100 bands, 400 – 2500 nm' out; ok "says what is in it" $?
expect 0 "as an ENVI library" spectra cube_endmembers.csv -o ends.sli
[ "$(stat -c %s ends.sli)" -eq $((5 * 100 * 8)) ]; ok "with its values in float64" $?
expect 0 "back" spectra ends.sli -o ends.csv
cmp -s <(cut -d, -f2- cube_endmembers.csv | tr -d '\r') <(cut -d, -f2- ends.csv | tr -d '\r'); ok "the same values" $?

# ---- at the bands of a cube
printf 'Wavelength (um),flat,slope\n' > fine.csv
"$python" -c 'for i in range(2201): print("%.4f,0.25,%.10g" % (.35 + i / 1000, .1 + i / 5000))' >> fine.csv
expect 0 "resampled" spectra fine.csv --resample cube.img -o coarse.csv
grep -q 'Of 100 bands, 100 are averages' out; ok "says how" $?
"$python" - <<'END'; ok "a constant stays one, and a line lies on itself at the bands" $?
import csv
rows = [row for row in csv.reader(open('coarse.csv')) if row][1:]
at = len(rows[0]) - 2
assert len(rows) == 100
for row in rows:
    assert abs(float(row[at]) - .25) < 1e-12, row
    assert abs(float(row[at + 1]) - (.1 + (float(row[0]) - 350) / 5000)) < 1e-6, row
END
expect 0 "as JSON" spectra fine.csv --resample cube.img --json
"$python" - <<'END'; ok "with every value" $?
import json
spectra = json.load(open('out'))['spectra']
assert [s['name'] for s in spectra] == ['flat', 'slope'] and len(spectra[0]['values']) == 100
END

# ---- what a pixel is like: the endmember that it has most of
expect 0 "match" match cube.img 30,20 cube_endmembers.csv --json
"$python" - <<'END'; ok "the best match is an endmember, and angles rise" $?
import json
d = json.load(open('out'))
angles = [m['angle_rad'] for m in d['matches']]
assert d['compared'] == 5 and len(angles) == 5 and angles == sorted(angles) and 0 <= angles[0] < .5, d
END
expect 0 "by fit" match cube.img 30,20 ends.sli --by fit --most 2
expect 0 "of a region" match cube.img 'rectangle 0 0 10 10' ends.sli --json

# ---- of what takes part alone: angles of those bands, by another program
"$batch" match cube.img 30,20 ends.sli --bands '500-900 nm' --json > out 2> err; ok "of some bands" $?
"$python" - <<'END'; ok "the angles are those of the bands that take part" $?
import csv, json, math, re, struct
head = dict(re.findall(r'^([a-z ]+?) *= *([^{\n]+)$', open('cube.hdr').read(), re.M))
width, height, bands = int(head['samples']), int(head['lines']), int(head['bands'])
code = {'2': 'h', '4': 'f', '5': 'd', '12': 'H'}[head['data type'].strip()]
size = struct.calcsize(code)
data = open('cube.img', 'rb').read()
strides = {'bsq': (1, width, width * height), 'bil': (1, width * bands, width), 'bip': (bands, width * bands, 1)}
sx, sy, sb = strides[head['interleave'].strip().lower()]
pixel = [struct.unpack_from('<' + code, data, size * (30 * sx + 20 * sy + b * sb))[0] for b in range(bands)]
rows = [row for row in csv.reader(open('cube_endmembers.csv')) if row]
names, rows = rows[0][1:], [[float(v) for v in row] for row in rows[1:]]
waves = [row[0] * (1000 if rows[0][0] < 100 else 1) for row in rows]
taken = [b for b, w in enumerate(waves) if 500 <= w <= 900]
def angle(k):
    x, y = [pixel[b] for b in taken], [rows[b][k + 1] for b in taken]
    dot = sum(p * q for p, q in zip(x, y))
    return math.acos(dot / math.sqrt(sum(p * p for p in x) * sum(q * q for q in y)))
d = json.load(open('out'))
assert 0 < len(taken) < bands and d['bands'] == len(taken), (d, len(taken))
for m in d['matches']:
    assert m['bands'] == len(taken) and abs(m['angle_rad'] - angle(m['number'] - 1)) < 1e-5, (m, angle(m['number'] - 1))
END
"$batch" match cube.img 30,20 ends.sli --exclude-bands '500-900 nm' --json > out 2> err
"$python" -c "
import json; d = json.load(open('out')); assert 0 < d['bands'] < 100"; ok "and without them" $?
expect 3 "nothing there takes part" match cube.img 30,20 ends.sli --subset 0,0,10,10
sentence cube.img "10 × 10"; ok "says what does" $?

# ---- what a reconstruction is of is what its result was of
run run pca cube.img -o whole; ok "a result of everything" $?
expect 2 "other bands for its reconstruction" run reconstruct cube.img result=whole/result.json --bands 1-20 -o back
sentence 1-20 PCA; ok "are refused in a sentence" $?
[ ! -e back ]; ok "and nothing is written" $?
run run pca cube.img --bands 1-40 -o some && run run reconstruct cube.img result=some/result.json --bands 1-40 -o back
ok "the same bands are no others" $?

# ---- what lies beside the cube and cannot be read is told with the numbers of everything
printf '{"eigenscope_selection": 1, "bands": "1-' > cube.img.selection.json
expect 0 "match beside a file that is cut short" match cube.img 30,20 ends.sli
sentence "cube.img.selection.json" "was not taken"; ok "says so" $?
expect 0 "run beside it" run pca cube.img -o warned -q
sentence "cube.img.selection.json" "was not taken"; ok "says so, once" $?
"$python" -c "
import json; d = json.load(open('warned/result.json'))
assert any('cube.img.selection.json' in w for w in d['warnings']), d['warnings']"; ok "as its result does" $?
expect 0 "where something else is told instead" match cube.img 30,20 ends.sli --selection none
[ ! -s err ]; ok "it says nothing" $?
rm cube.img.selection.json

# ---- refused: a sentence, and no file
rm -f coarse.csv
expect 2 "no library" spectra
expect 3 "no such file" spectra nothing.csv
sentence nothing.csv; ok "which is named" $?
expect 3 "a cube is no library" spectra cube.img
sentence cube.hdr "ENVI Spectral Library"; ok "what was expected" $?
expect 3 "another ending" spectra fine.csv -o coarse.doc
sentence coarse.doc .sli .csv; ok "which there are" $?
expect 3 "over what it reads" spectra fine.csv -o fine.csv
sentence fine.csv; ok "is refused" $?
mkfifo pipe.csv
timeout 20 "$batch" spectra fine.csv -o pipe.csv > out 2> err; [ $? -eq 3 ]; ok "a pipe is no file" $?
sentence pipe.csv; ok "and is not waited for" $?
[ ! -e coarse.doc ] && [ ! -e coarse.csv ]; ok "nothing was written" $?
expect 2 "a unit that is none" spectra fine.csv --unit furlong
expect 2 "a pixel outside" match cube.img 60,20 ends.sli
sentence 60,20 "60 × 40"; ok "of how many" $?
expect 2 "another measure" match cube.img 1,1 ends.sli --by taste
expect 2 "too little" match cube.img 1,1

echo "1..$n"
[ $failed -eq 0 ]
