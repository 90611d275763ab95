#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a cube is, told to eigenscope-batch by options and by a file beside it: what is computed of it, what its result
# says, and everything that its file says.
# usage: test-batch-metadata.sh EIGENSCOPE-BATCH PYTHON    (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
python=$2
export ES_CUDA_MODULE=none
. "$(dirname "$0")/batch-test.sh"
says() {                       # out contains every word given
  local word; for word in "$@"; do grep -qF -- "$word" out || return 1; done
}
member() {                     # member FILE NAME...: a number or text in JSON
  "$python" -c "import json, sys
v = json.load(open(sys.argv[1]))
for n in sys.argv[2:]: v = v[n]
print(json.dumps(v))" "$@"
}

# 4 x 3 pixels of 3 bands, int16, BSQ; one 0 in the second band, one -1 in the third
"$python" -c "import struct
v = list(range(1, 37)); v[12 + 5] = 0; v[24 + 7] = -1
open('cube.img', 'wb').write(struct.pack('<36h', *[x * x % 97 if x > 0 else x for x in v]))"
printf '%s\n' ENVI "samples = 4" "lines = 3" "bands = 3" "data type = 2" "interleave = bsq" "byte order = 0" \
  "data ignore value = -1" "wavelength = {0.4, 0.5, 0.6}" > cube.hdr
valid() { member "$1/result.json" values valid_pixels; }

expect 0 "a unit that is guessed" info cube.img
says "the unit of the wavelengths is guessed: um" "400–600 nm"; ok "it says so" $?
expect 0 "as the file says it" run pca cube.img -o said
[ "$(valid said)" = 11 ]; ok "one pixel is missing" $?
expect 0 "another no-data value" run pca cube.img -o zero --metadata '{"no-data": 0}'
[ "$(valid zero)" = 11 ]; ok "another one is missing" $?
[ "$(member zero/result.json values eigenvalues)" != "$(member said/result.json values eigenvalues)" ]
ok "and the numbers are others" $?
[ "$(member zero/result.json input metadata no-data)" = 0.0 ]; ok "the result names it" $?
expect 0 "none" run pca cube.img -o none --metadata '{"no-data": "none"}'
[ "$(valid none)" = 12 ]; ok "all count" $?
! grep -q '"metadata"' said/result.json; ok "nothing is told where nothing was" $?

# Beside the cube
printf '{"eigenscope-metadata": 1, "shape": "4x3x3", "no-data": "none", "wavelength-unit": "nm", "scale": 2}' \
  > cube.img.metadata.json
expect 0 "told beside it" info cube.img
says "told beside the file" "the file says: 4 × 3 × 3, 400–600 nm"; ok "both are told" $?
expect 0 "taken without being asked for" run pca cube.img -o beside
[ "$(valid beside)" = 12 ]; ok "it counts" $?
expect 0 "but not where somebody says so" run pca cube.img -o not --metadata none
[ "$(valid not)" = 11 ]; ok "then the file's counts" $?
expect 2 "a reconstruction of what was told otherwise" run reconstruct cube.img -o r result=not/result.json
sentence "was told"; ok "says so" $?
expect 0 "of the same" run reconstruct cube.img -o r result=not/result.json --metadata none

# What cannot be taken is told, and the cube opens
for wrong in '{"eigenscope-metadata": 1, "shape": "9x9x9", "scale": 2}' '{"eigenscope-metadata": 2}' \
             '{"eigenscope-metadata": 1, "scale": 0}' '{"eigenscope-metadata": 1, "sca' \
             '{"eigenscope-metadata": 1, "coordinate-system": "EPSG:99999999"}'; do
  printf '%s' "$wrong" > cube.img.metadata.json
  expect 0 "$wrong" info cube.img
  says "cube.img.metadata.json" "was not taken" || says "cube.img" "was not taken"; ok "it is not taken, and told" $?
  expect 3 "$wrong, named" info cube.img --metadata cube.img.metadata.json
done
rm cube.img.metadata.json

# Wavelengths from elsewhere
printf 'wavelength (nm), fwhm, good\n410, 10, 1\n510, 10, 0\n610, 10, 1\n' > bands.csv
expect 0 "of a text" info cube.img --wavelengths-from bands.csv --json
"$python" -c "import json
d = json.load(open('out')); assert d['n_good_bands'] == 2 and not d['wavelength_unit_guessed'], d
assert [b['wavelength_nm'] for b in d['bands']] == [410, 510, 610], d"; ok "all of it is taken" $?
printf '400\n500\n' > short.txt
expect 3 "of other bands" info cube.img --wavelengths-from short.txt
sentence "short.txt" "2 bands" "3"; ok "both numbers are told" $?
printf '400\n500 5\n600\n' > mixed.txt
expect 3 "of mixed columns" info cube.img --wavelengths-from mixed.txt
sentence "mixed.txt" "line 2"; ok "the line is told" $?

expect 0 "everything that the file says" info cube.img --file-says
says "ENVI" "wavelength: 0.4, 0.5, 0.6" "data ignore value: -1"; ok "it is told" $?
expect 0 "the same as JSON" info cube.img --file-says --json
"$python" -c "import json
assert {'group': 'ENVI', 'key': 'samples', 'value': '4'} in json.load(open('out'))"; ok "it is a list" $?

echo "1..$n"
[ $failed -eq 0 ]
