#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# eigenscope-batch on cubes without a header: the shapes that are proposed, reading with what is told, results that are
# run again; and classifications.
# usage: test-batch-raw.sh EIGENSCOPE-BATCH PYTHON          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
python=$2
export ES_CUDA_MODULE=none
. "$(dirname "$0")/batch-test.sh"

"$batch" simulate cube -o cube.img width=60 height=40 bands=50 seed=3 > out 2> err || exit 1
cp cube.img samples.bin
shape="--width 60 --height 40 --raw-bands 50"

# ---- proposals
expect 0 "shapes" shapes samples.bin
head -n 3 out | grep -q -- "$shape --type int16 --layout bsq"; ok "the right one is among the first three" $?
expect 0 "shapes with one side told" shapes samples.bin --width 60 --json
"$python" - <<'END'; ok "keeps it, and fills the file" $?
import json, os
shapes = json.load(open('out'))
size = {'uint8': 1, 'int16': 2, 'uint16': 2, 'int32': 4, 'uint32': 4, 'float32': 4, 'float64': 8}
assert shapes and all(s['width'] == 60 for s in shapes)
for s in shapes:
    assert s['offset'] + s['width'] * s['height'] * s['bands'] * size[s['type']] == os.path.getsize('samples.bin'), s
END
expect 3 "shapes of what fits nothing" shapes samples.bin --width 7919 --type float64
sentence "samples.bin"; ok "says so" $?
: > empty.bin
expect 3 "shapes of an empty file" shapes empty.bin
sentence "empty.bin" "empty"; ok "says so" $?
expect 2 "shapes of a type that is none" shapes samples.bin --type int24
expect 2 "shapes of nothing" shapes

# ---- reading
expect 3 "without being told" info samples.bin
expect 0 "with what is told" info samples.bin $shape --json
"$python" - <<'END'; ok "as it is told" $?
import json
info = json.load(open('out'))
assert (info['width'], info['height'], info['n_bands'], info['type']) == (60, 40, 50, 'int16'), info
END
printf 'xyz' >> samples.bin
expect 0 "with bytes behind" info samples.bin $shape
grep -q '3 bytes are left over' out; ok "says so" $?
expect 3 "more bands than there are" info samples.bin --width 60 --height 40 --raw-bands 51
sentence "samples.bin" "240003" "244800"; ok "says both sizes" $?
expect 3 "sizes that overflow" info samples.bin --width 2000000000 --height 2000000000 --raw-bands 65535 --type float64
sentence "2000000000"; ok "says which" $?
expect 3 "a type that is none" info samples.bin $shape --type int24
sentence "int24" "uint16"; ok "says which there are" $?
expect 2 "bands without a width" info samples.bin --raw-bands 50
expect 2 "of both kinds" info samples.bin $shape --channels 4 --rate 8000
expect 2 "a layout of recordings" info samples.bin $shape --layout by-channel
expect 2 "a type of nothing" info cube.img --type int16

# ---- the same numbers as with the header, and again from what the result keeps
expect 0 "pca" run pca samples.bin $shape --exclude-bands 1-2 -o raw
expect 0 "pca with the header" run pca cube.img --bands 3-50 -o whole
"$python" - <<'END'; ok "result.json keeps what was told" $?
import json
given = json.load(open('raw/result.json'))['input']
assert (given['width'], given['height'], given['raw_bands']) == (60, 40, 50), given
assert (given['layout'], given['type'], given['byte_order']) == ('bsq', 'int16', 'little'), given
END
expect 0 "the saved result" info raw
expect 0 "a reconstruction of it" run reconstruct samples.bin $shape --exclude-bands 1-2 -o back result=raw/result.json

# ---- classifications
"$python" - <<'END'
open('map.img', 'wb').write(bytes((x // 20) % 3 if y > 3 else 9 for y in range(40) for x in range(60)))
open('map.hdr', 'w').write('ENVI\nsamples = 60\nlines = 40\nbands = 1\ndata type = 1\ninterleave = bsq\n'
                           'file type = ENVI Classification\nclasses = 3\nclass names = {Unclassified, Water, Wood}\n'
                           'class lookup = {0, 0, 0, 0, 0, 255, 0, 120, 0}\n')
END
expect 0 "info of a classification" info map.img
grep -q '#0000ff *720  Water' out && grep -q '160\|240' out && grep -q 'not listed' out; ok "counts its classes" $?
expect 0 "the same as JSON" info map.img --json
"$python" - <<'END'; ok "with names, colours and pixels" $?
import json
classes = json.load(open('out'))['classes']
assert [(c['value'], c['pixels']) for c in classes] == [(0, 720), (1, 720), (2, 720), (9, 240)], classes
assert [c['listed'] for c in classes] == [True, True, True, False]
assert classes[2]['name'] == 'Wood' and classes[2]['colour'] == '#007800'
END
expect 0 "as a mask" run pca cube.img --pixels inside:map.img#1 -o water
expect 3 "pca of one band" run pca map.img -o none
sentence "map.img" "at least two"; ok "refuses in one sentence" $?

echo "1..$n"
exit $((failed > 0))
