#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# eigenscope-batch and files that lead to more than one cube: several arrays, folders of products, descriptions.
# usage: test-batch-arrays.sh EIGENSCOPE-BATCH PYTHON          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
python=$2
export ES_CUDA_MODULE=none
. "$(dirname "$0")/batch-test.sh"

# A file of netCDF-3: "first" (row, column, few), "second" (row, column, many), and the wavelengths of the fewer bands.
"$python" - several.nc <<'END' || exit 1
import struct, sys
def name(text):
    data = text.encode()
    return struct.pack('>i', len(data)) + data + b'\0' * (-len(data) % 4)
axes = [('row', 6), ('column', 7), ('few', 4), ('many', 9)]
variables = [('first', [0, 1, 2]), ('second', [0, 1, 3]), ('wavelength', [2])]
def values(variable, n):
    return [420.0, 520.0, 620.0, 720.0] if variable == 2 else [(variable + 1) * 1000.0 + i * i % 89 for i in range(n)]
def head(offsets):
    out = b'CDF\1' + struct.pack('>i', 0) + struct.pack('>ii', 10, len(axes))
    for text, n in axes:
        out += name(text) + struct.pack('>i', n)
    out += struct.pack('>ii', 0, 0) + struct.pack('>ii', 11, len(variables))
    for i, (text, of) in enumerate(variables):
        out += name(text) + struct.pack('>i', len(of)) + struct.pack('>%di' % len(of), *of)
        if i == 2:
            out += struct.pack('>ii', 12, 1) + name('units') + struct.pack('>ii', 2, 2) + b'nm\0\0'
        else:
            out += struct.pack('>ii', 0, 0)
        out += struct.pack('>iii', 6, 8 * size(i), offsets[i])
    return out
def size(i):
    n = 1
    for axis in variables[i][1]:
        n *= axes[axis][1]
    return n
start, offsets = len(head([0] * 3)), []
for i in range(3):
    offsets.append(start)
    start += 8 * size(i)
with open(sys.argv[1], 'wb') as file:
    file.write(head(offsets))
    for i in range(3):
        file.write(struct.pack('>%dd' % size(i), *values(i, size(i))))
END

# ---- several arrays
expect 0 "info of two arrays" info several.nc
grep -q '^  \* /first  7 × 6 × 4, float64, with wavelengths (opens by itself: it has wavelengths)$' out
ok "tells which is open, and why" $?
grep -q '^    /second  7 × 6 × 9, float64$' out; ok "and the other one" $?
expect 0 "info of the other one" info several.nc --variable second
grep -q '^  \* /second ' out && grep -q '^  7 × 6 × 9$' out; ok "is of that" $?
expect 0 "as JSON" info several.nc --json
"$python" - <<'END'; ok "with what they are" $?
import json
info = json.load(open('out'))
first, second = info['arrays']
assert (first['name'], first['width'], first['height'], first['bands']) == ('/first', 7, 6, 4), first
assert first['open'] and first['wavelengths'] and first['by_itself'] == 'wavelengths' and first['type'] == 'float64'
assert not second['open'] and not second['wavelengths'] and second['by_itself'] is None and second['bands'] == 9
assert info['n_bands'] == 4
END
expect 3 "an array that is not there" info several.nc --variable third
sentence several.nc third /first /second; ok "says which are" $?
expect 0 "run on one that is named" run pca several.nc --variable second -o second -q
"$python" - <<'END'; ok "is that array's result, and remembers the name" $?
import csv, json
assert json.load(open('second/result.json'))['input']['variable'] == 'second'
rows = [row for row in csv.reader(open('second/mean.csv'))][1:]
values = [2000 + i * i % 89 for i in range(6 * 7 * 9)]
assert len(rows) == 9
for b, row in enumerate(rows):
    mean = sum(values[b::9]) / 42
    assert abs(float(row[-1]) - mean) < 1e-9, (b, row, mean)
END
"$batch" simulate cube -o plain.img width=20 height=16 bands=6 > out 2> err || exit 1
expect 0 "info of a file of one" info plain.img --json
"$python" -c 'import json; assert json.load(open("out"))["arrays"] == []'; ok "offers none" $?

# ---- the folder of a product
product=ENMAP01-____L2A-DT1
mkdir product
expect 0 "an image for a product" run pca plain.img -o image components=3 --format geotiff -q
mv image/components.tif "product/$product-SPECTRAL_IMAGE.TIF"
"$python" - > "product/$product-METADATA.XML" <<'END'
print('<level_X><specific><bandCharacterisation>')
for b in range(3):
    print('<bandID number="%d"><wavelengthCenterOfBand>%g</wavelengthCenterOfBand><FWHMOfBand>%g</FWHMOfBand>'
          '<GainOfBand>0.5</GainOfBand></bandID>' % (b + 1, 500 + 100 * b, 7 + b))
print('</bandCharacterisation></specific></level_X>')
END
for opened in product "product/$product-METADATA.XML" "product/$product-SPECTRAL_IMAGE.TIF"; do
  expect 0 "info $opened" info "$opened" --json
  "$python" - <<'END'; ok "is the image, with what the text tells" $?
import json
info = json.load(open('out'))
assert info['format'] == 'EnMAP L2A' and info['name'].endswith('SPECTRAL_IMAGE.TIF')
assert [band['wavelength_nm'] for band in info['bands']] == [500, 600, 700]
assert [band['fwhm_nm'] for band in info['bands']] == [7, 8, 9]
END
done
cp "product/$product-SPECTRAL_IMAGE.TIF" "product/OTHER-SPECTRAL_IMAGE.TIF"
expect 3 "two images in a folder" info product
sentence product "2 images" "OTHER-SPECTRAL_IMAGE.TIF"; ok "says so" $?
mkdir empty && cp "product/$product-METADATA.XML" empty
expect 3 "a folder without image" info empty
sentence empty "no image"; ok "says so" $?

# ---- what leads elsewhere
cat > x.vrt <<END
<VRTDataset rasterXSize="20" rasterYSize="16">
$(for b in 1 2 3; do echo "<VRTRasterBand dataType=\"Float32\" band=\"$b\"><SimpleSource><SourceFilename
relativeToVRT=\"1\">product/$product-SPECTRAL_IMAGE.TIF</SourceFilename><SourceBand>$b</SourceBand></SimpleSource>
</VRTRasterBand>"; done)
</VRTDataset>
END
expect 3 "a description of other files" info x.vrt
sentence x.vrt "other files" "--driver VRT"; ok "says what allows it" $?
expect 0 "allowed" info x.vrt --driver VRT
expect 3 "one of GDAL's addresses" info /vsigs/bucket/x.tif
sentence /vsigs/ "local folder"; ok "says what to do" $?
expect 3 "an address" info http://localhost/x.tif
sentence x.tif "not on this machine"; ok "says so" $?

echo "1..$n"
exit $((failed > 0))
