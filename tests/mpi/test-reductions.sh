#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Principal components, minimum noise fraction, FastICA and localisation by several processes: the same bytes as by one,
# for whatever each is told; and by as many processes as a large job has.
# usage: test-reductions.sh EIGENSCOPE-BATCH MPIRUN PYTHON MPI-MODULE FAULTS          (TAP)
set -u
faults=$(realpath "$5")
. "$(dirname "$0")/ranks-test.sh"
need_a_launcher
export XDG_CACHE_HOME=$work/cache
cubes 64 60 12
# With pixels that hold nothing, a band that is bad, and one that is not good.
"$python" - <<'PY'
import array
samples = array.array('f')
samples.frombytes(open('float.img', 'rb').read())
pixels = 64 * 60
for band in range(12):
    for row in list(range(7)) + [31]:
        for column in range(20, 40):
            samples[band * pixels + row * 64 + column] = -1
samples[5 * pixels + 2000] = float('nan')
for i in range(pixels):
    samples[3 * pixels + i] = 0
open('holes.img', 'wb').write(samples.tobytes())
header = open('float.hdr').read().rstrip()
open('holes.hdr', 'w').write(header + '\ndata ignore value = -1\nbbl = {' + ', '.join('110111111011') .replace(' ', '')
                             .replace(',', ', ') + '}\n')
PY
"$batch" info holes.img > out 2> err; ok "a cube with holes" $?
parts=(--exclude-bands 2,7 --subset 3,5,50,47 --pixels 'outside:rectangle 10 10 9 20')

# ---- principal components
same "pca by correlation" "2 3" pca float.img scaling=correlation components=4
same "pca without a centre, by Jacobi" "3" pca cube.img center=no eigensolver=jacobi components=3
same "pca of a cube with holes" "2 3 5" pca holes.img components=4
same "pca of holes, by correlation and quantised" "3" pca holes.img scaling=correlation quantise=8bit
same "pca of some bands and a region" "2 5" pca cube.img "${parts[@]}"
same "pca of holes and a region, as GeoTIFF with pictures" "3" pca holes.img "${parts[@]}" --format geotiff --previews
same "pca with a picture of three" "2" pca cube.img components=3 --rgb 1,2,3

# ---- minimum noise fraction
for noise in shift-difference median-residual mean-residual; do
  same "mnf, $noise" "3" mnf holes.img noise=$noise direction=average
done
same "mnf of a region without a signal" "2 5" mnf cube.img noise=region 'region=rectangle 4 4 20 20'
"$batch" run mnf cube.img -o known -q > out 2> err
same "mnf with noise that is known" "3" mnf cube.img noise=file noise-file=known/result.json
same "mnf that leaves noise out, of a region" "2 3" mnf float.img denoise=true keep=count components=4 direction=lower \
  "${parts[@]}"
same "mnf quantised, without a centre" "5" mnf byte.img quantise=8bit center=no direction=right

# ---- FastICA
for g in cubic gauss; do
  same "fastica, $g, one after the other" "3" fastica float.img g=$g approach=deflation components=3 moments=never
done
same "fastica of holes from principal components" "2 3" fastica holes.img components=4 start=pca g=gauss \
  order=negentropy
same "fastica of a region and a share of its pixels" "5" fastica cube.img components=3 sample=0.4 moments=never \
  "${parts[@]}"
same "fastica by moments, one after the other" "2" fastica byte.img g=cubic moments=always approach=deflation \
  components=3 start=identity
same "fastica of all bands" "3" fastica float.img components=0 threshold=1 order=variance
# Samples do not fit the memory, and are kept in a file.
same "fastica with samples in a file" "2 3" fastica float.img components=8 moments=never --memory 256K
ES_FAULT_FOLDER=$XDG_CACHE_HOME ES_FAULT_BYTES=0 LD_PRELOAD=$faults expect 3 "which has no room" run fastica float.img \
  components=8 moments=never --memory 256K --device cpu --threads 1
sentence samples- "no space left"; ok "is where they are" $?
# Written while it goes on, and removed at the end.
same "fastica with checkpoints" "3" fastica float.img components=4 approach=deflation moments=never g=gauss \
  --checkpoint-every 0.0001
[ -z "$(find . -maxdepth 1 -name '*checkpoint')" ]; ok "none is left" $?

# ---- localisation
"$batch" simulate recording -o sea.wav array=line:6,1.5 rate=2000 seconds=3 > out 2> err || exit 1
grid=(azimuth=-90:90:10 elevation=-30:30:15)
same "localize, spectra of one" "2 3 5" localize sea.wav "${grid[@]}" whitening=elements diagonal=remove peaks=3
same "localize in space" "3" localize sea.wav x=-40:40:10 y=10:50:20 z=0 refine=2 window=rectangular overlap=0.25 \
  whitening=phase band=100:600

# ---- little to do: as many processes as a large job has
same "pca by 64 processes" "64" pca cube.img components=4
same "mnf by 64 processes" "64" mnf float.img
same "fastica by 64 processes" "64" fastica float.img components=3 moments=never

# ---- one that a launcher has started
same "pca by one process under a launcher" "1" pca float.img components=4
grep -q '"processes"' many-1/result.json; [ $? -eq 1 ]; ok "which tells nothing of others" $?

echo "1..$n"
[ $failed -eq 0 ]
