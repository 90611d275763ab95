#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# eigenscope-batch run with the reductions along manifolds: files, formats, results opened again, sentences.
# usage: test-batch-manifolds.sh EIGENSCOPE-BATCH PYTHON          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
python=$2
export ES_CUDA_MODULE=none
. "$(dirname "$0")/batch-test.sh"

"$batch" simulate cube -o cube.img width=60 height=40 bands=50 > out 2> err || exit 1
"$batch" operations --json > operations.json
methods=$("$python" - <<'END'
import json
names = [o['id'] for o in json.load(open('operations.json'))['operations']] if isinstance(
    json.load(open('operations.json')), dict) else [o['id'] for o in json.load(open('operations.json'))]
known = 'laplacian-eigenmaps', 'lle', 'isomap', 'kernel-pca', 'diffusion-map', 'umap'
print(' '.join(name for name in names if name in known))
END
)
[ "$(wc -w <<< "$methods")" -eq 6 ]; ok "there are six methods: $methods" $?

cat > check.py <<'END'
import json, math, struct, sys
folder, operation = sys.argv[1:3]
result = json.load(open(folder + '/result.json'))
values, layers = result['values'], [l['name'] for l in result['layers']]
assert result['operation']['id'] == operation if isinstance(result['operation'], dict) else \
    result['operation'] == operation, result['operation']
assert layers[0] == 'components' and 'quality' in layers and 'samples' in layers, layers
assert values['components'] == 3 and values['samples'] == 300 and values['valid_pixels'] == 2376, values
for name in (operation, 'pca', 'mnf'):
    quality = values['quality'][name]
    assert 0.5 < quality['trustworthiness'] <= 1 and 0.5 < quality['continuity'] <= 1, (name, quality)
    assert 0 <= quality['residual_variance'] <= 1, (name, quality)
    standard = quality['standard_error']
    assert standard['trustworthiness'] == standard['continuity'] == 0, (name, quality)
    assert 0 <= standard['residual_variance'] < 0.2, (name, quality)
    assert (standard['residual_variance'] > 0) == ('path_anchors' in values['quality']), (name, values['quality'])
assert values['quality']['anchors'] == 300 and values['quality'].get('path_anchors', 256) == 256, values['quality']
# Each pixel that is valid and no sample is held against all samples of the largest part (or of kernel PCA: landmarks).
work = [s['work'] for s in result['stages'] if s['name'] == 'transform'][0]
embedded = values['parts'][0] if 'parts' in values and operation != 'umap' else 300
assert work['operations'] == 2 * (2376 - embedded) * embedded * values['bands_used'], (work, embedded, values)
assert work['type'] == ('float64' if operation == 'kernel-pca' else 'float32'), work
data = open(folder + '/components.img', 'rb').read()
planes = struct.unpack('<%df' % (len(data) // 4), data)
assert len(planes) == 3 * 2400 and sum(map(math.isfinite, planes)) == 3 * 2376
rows = [line.split(',') for line in open(folder + '/samples.csv').read().split('\n')[1:] if line]
assert len(rows) == 300
for row in rows:
    x, y = int(float(row[0])), int(float(row[1]))
    for k in range(3):
        assert abs(planes[k * 2400 + y * 60 + x] - float(row[2 + k])) <= 1e-5 * (1 + abs(float(row[2 + k]))), row
END
for method in $methods; do
  expect 0 "$method" run "$method" cube.img -o "$method" samples=300
  "$python" check.py "$method" "$method" > out 2> err; ok "$method: values, layers and samples hold together" $?
  grep -qx "default bands = {1, 2, 3}" "$method/components.hdr"
  ok "$method: its picture opens in the colours of the result" $?
  expect 0 "$method on one thread" run "$method" cube.img -o again samples=300 --threads 1 -q
  cmp -s "$method/components.img" again/components.img; ok "$method: the same bytes for any number of threads" $?
  expect 0 "$method: info of its result" info "$method"
  grep -q components out; ok "$method: info tells its components" $?
  expect 0 "$method as GeoTIFF with a picture" run "$method" cube.img -o tiff samples=200 --format geotiff \
    --rgb 1,2,3 -q
  [ -s tiff/components.tif ] && [ -s tiff/composite.tif ]; ok "$method: GeoTIFF and picture are there" $?
  rm -r again tiff
  expect 0 "$method of a part" run "$method" cube.img -o part samples=200 --subset 10,5,30,20 -q
  rm -r part
  expect 0 "$method of superpixels" run "$method" cube.img -o super samples=200 subset=superpixels compare=no -q
  rm -r super
done

# The classes of a picture: neighbours in the embedding are of the same one.
"$python" - <<'END'
import struct
open('classes.img', 'wb').write(bytes(1 + (x >= 30) for y in range(40) for x in range(60)))
open('classes.hdr', 'w').write('ENVI\nsamples = 60\nlines = 40\nbands = 1\nheader offset = 0\n'
                               'file type = ENVI Standard\ndata type = 1\ninterleave = bsq\nbyte order = 0\n')
open('other.img', 'wb').write(bytes(100))
open('other.hdr', 'w').write('ENVI\nsamples = 10\nlines = 10\nbands = 1\nheader offset = 0\n'
                             'file type = ENVI Standard\ndata type = 1\ninterleave = bsq\nbyte order = 0\n')
END
expect 0 "umap beside classes" run umap cube.img -o classes samples=300 classes="$PWD/classes.img" -q
"$python" -c "
import json
quality = json.load(open('classes/result.json'))['values']['quality']
for name in ('umap', 'pca', 'mnf'):
    assert 0.4 < quality[name]['neighbourhood_hit'] <= 1, quality" > out 2> err
ok "the share of neighbours of the same class is told" $?
expect 3 "classes of another size" run umap cube.img -o none samples=300 classes="$PWD/other.img" -q
sentence other.img "10 × 10" "60 × 40"; ok "classes of another size: one sentence" $?
expect 3 "classes that are a cube" run umap cube.img -o none samples=300 classes="$PWD/cube.img" -q
sentence cube.img "one band"; ok "classes that are a cube: one sentence" $?
expect 2 "a region that is not told" run umap cube.img -o none subset=region -q
sentence region; ok "a region that is not told: one sentence" $?
expect 2 "too many dimensions" run umap cube.img -o none dimensions=31 -q
expect 4 "memory that does not suffice" run kernel-pca cube.img -o none samples=0 landmarks=2400 --memory 32M -q
sentence "MiB"; ok "memory that does not suffice: both numbers in one sentence" $?
[ ! -e none/result.json ]; ok "what is refused writes no result" $?

# Values far from 0, which float64 tells apart: what is the same everywhere is taken away before float32. Where two
# groups of pixels lie far from each other, that does not help, and is told.
make_far () {
  "$python" -c "import random, struct
random.seed(3)
open('far.img', 'wb').write(struct.pack('<4000d', *[$1 + random.random() for i in range(4000)]))"
  printf '%s\n' ENVI "samples = 40" "lines = 25" "bands = 4" "data type = 5" "interleave = bsq" "byte order = 0" \
    > far.hdr
}
for base in 0 1e6 1e8; do
  make_far "$base"
  expect 0 "values round $base" run isomap far.img -o "far-$base" samples=200 scaling=whitened -q
  "$python" -c "import json
read = lambda name: json.load(open('far-' + name + '/result.json'))
trust = lambda name: read(name)['values']['quality']['isomap']['trustworthiness']
warnings = ' '.join(read('$base').get('warnings', []))
assert 'float32' not in warnings, warnings
assert abs(trust('$base') - trust('0')) < 1e-6, (trust('$base'), trust('0'))" 2> err
  ok "values round $base: as trustworthy as near 0, without a warning" $?
done
make_far "(i % 1000 < 500) * 1e6"
expect 0 "two groups far apart" run isomap far.img -o groups samples=200 -q
grep -q "Some spectra of “far.img” lie so far from others that float32" groups/result.json
ok "two groups far apart: told that float32 rounds off what neighbours differ by" $?
make_far "(i % 1000 < 500) * 1e12"
expect 3 "two groups too far apart" run isomap far.img -o none samples=200 scaling=whitened -q
sentence far.img float32; ok "two groups too far apart: one sentence that says why" $?

echo "1..$n"
[ "$failed" -eq 0 ]
