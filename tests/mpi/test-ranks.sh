#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Several processes that a launcher starts: the same bytes as one, whatever their number. What goes wrong with them:
# test-faults.sh.
# usage: test-ranks.sh EIGENSCOPE-BATCH MPIRUN PYTHON MPI-MODULE FAKE-CARDS          (TAP)
set -u
cards=$(realpath "$5")
. "$(dirname "$0")/ranks-test.sh"
need_a_launcher
cubes 120 200 30

# ---- the same bytes
same "pca of 16 bits" "1 2 3 5" pca cube.img components=6
same "pca of 8 bits, correlation" "3" pca byte.img scaling=correlation
same "pca of float32" "2 5" pca float.img components=6
"$batch" simulate cube -o wide-16.img width=60 height=30 bands=640 seed=5 > out 2> err || exit 1
"$python" - <<'PY'
import array, re
samples = array.array('h')
samples.frombytes(open('wide-16.img', 'rb').read())
open('wide.img', 'wb').write(array.array('f', (v * 0.37 for v in samples)).tobytes())
open('wide.hdr', 'w').write(re.sub(r'data type *= *\d+', 'data type = 4', open('wide-16.hdr').read()))
PY
same "pca of sums that take several messages" "2" pca wide.img components=4 --memory 256M
same "pca quantised" "3" pca float.img quantise=8bit
same "pca of a window" "3" pca cube.img --subset 10,20,90,150 --previews
same "pca as GeoTIFF" "2" pca cube.img --format geotiff
same "mnf of 16 bits" "2 5" mnf cube.img
same "mnf of float32, neighbours all round" "3" mnf float.img noise=mean-residual keep=coherence denoise=true
same "fastica of 16 bits" "2 5" fastica cube.img components=5 moments=never
same "fastica of float32" "3" fastica float.img components=4 approach=symmetric g=tanh sample=0.5
same "fastica of two parts" "5" fastica float.img components=4 g=tanh --memory 1G
same "fastica by moments" "3" fastica byte.img components=4 g=cubic moments=always
"$batch" simulate recording -o sea.wav array=line:12,1.5 rate=2000 seconds=40 > out 2> err || exit 1
same "cbf" "1 2 3 5" cbf sea.wav
same "cbf of a beam that is told" "2" cbf sea.wav lofar-bearing=60
same "cbf of near ranges alone" "3" cbf sea.wav ranges=100,400
same "cbf of more blocks than groups" "3" cbf sea.wav block=0.3s ranges=far
"$batch" simulate recording -o short.wav array=line:12,1.5 rate=2000 seconds=2 > out 2> err || exit 1
same "localize" "3" localize short.wav
same "mvdr" "1 2 3 5" mvdr sea.wav snapshots=8
# (blocks are kept for the LOFAR of the strongest beam, which 4M has no room for)
same "mvdr of several blocks, MUSIC" "2 5" mvdr sea.wav snapshots=2 blocks=6 sources=2 eigenvalues=yes --memory 256M
same "mvdr of a beam that is told, far alone" "3" mvdr sea.wav lofar-bearing=60 ranges=far from=3.3 to=31
same "mvdr that forgets" "2 3 5" mvdr sea.wav forgetting=0.05 snapshots=2 from=2.5
same "more processes than blocks" "5" mvdr sea.wav to=3 block=1s
same "mvdr of one block, which the first process has not" "3" mvdr sea.wav to=1 block=1s
same "mvdr that forgets at once" "3" mvdr sea.wav forgetting=0.9

"$python" - <<'PY' > out
import json
found = json.load(open('many-3/result.json'))['values']['processes']
assert found['n'] == 3 and len(found['hosts']) == len(found['ms']) == len(found['waited_ms']) == 3, found
assert {'covariance', 'waiting'} & {step['name'] for step in found['steps']}, found
assert all(step['least_ms'] <= step['mean_ms'] + 1e-9 <= 2e-9 + step['greatest_ms'] for step in found['steps']), found
assert all(0 <= waited <= ms for ms, waited in zip(found['ms'], found['waited_ms'])), found
PY
ok "result.json tells the processes" $?

# ---- lines
# Grams that take several rounds, and go to a file; and shares that begin amid what others have read, too.
same "lofar of an element" "1 2 3 5" lofar sea.wav
same "lofar that overlaps" "3" lofar sea.wav transform=512 overlap=0.95
same "lofar of a beam" "2 5" lofar sea.wav bearing=60 overlap=0.7 average=3 normaliser=split-window
same "lofar of a few rows" "5" lofar short.wav element=3 normaliser=order-truncate levels=density
same "demon of an element" "1 2 3 5" demon sea.wav segment=4
same "demon of a beam" "3" demon sea.wav bearing=60 segment=2 overlap=0.9 max-frequency=30 normaliser=split-window
same "health" "1 2 3 5" health sea.wav
same "health of pieces apart" "3" health sea.wav snapshots=70

# ---- back from components
model() {                      # model NAME OPERATION FILE ARGUMENTS...
  local name=$1; shift
  expect 0 "$1 for a reconstruction" run "$@" --device cpu -o "model-$name"
}
model pca pca cube.img components=6
model mnf mnf float.img keep=count components=8
model ica fastica float.img components=4
model window pca cube.img --subset 10,20,90,150
model quantised pca float.img quantise=8bit components=5
same "reconstruct of 16 bits" "1 2 3 5" reconstruct cube.img result=model-pca/result.json
same "reconstruct of float32, with its cube" "3" reconstruct float.img result=model-mnf/result.json output=cube \
  components=1-3,5
same "reconstruct of independent components" "2" reconstruct float.img result=model-ica/result.json
same "reconstruct of a window" "3" reconstruct cube.img result=model-window/result.json
same "reconstruct of what was quantised" "5" reconstruct float.img result=model-quantised/result.json residual=false
same "reconstruct as GeoTIFF" "2" reconstruct cube.img result=model-pca/result.json --format geotiff
expect_together 0 "health that mends" 2 run health sea.wav --mend mended.json
[ -s mended.json ]; ok "is written by the first process" $?

# ---- cards: each process has its own
export ES_CUDA_MODULE=$cards
for operation in pca mnf; do
  expect 0 "$operation on a card" run $operation cube.img -o card-1 --device cuda:0 --threads 1
  expect_together 0 "$operation on cards of two processes" 2 run $operation cube.img -o card-2 --device auto --threads 1
  cmp card-1/components.img card-2/components.img > out && grep -q '"cuda:0"' card-2/result.json
  ok "$operation has the same components" $?
  grep -q '"chosen" : "automatic"' card-2/result.json && grep -q '"chosen" : "by hand"' card-1/result.json
  ok "whose device the program has chosen" $?
  rm -rf card-*
done
expect 0 "fastica on a card" run fastica float.img -o card-1 components=4 --device cuda:0
expect_together 0 "fastica on cards of two processes" 2 run fastica float.img -o card-2 components=4 --device cuda:all
"$python" - <<'PY' > out
import array
one, two = (array.array('f', open(f'card-{i}/components.img', 'rb').read()) for i in (1, 2))
largest = max(abs(value) for value in one if value == value)
assert len(one) == len(two) and largest > 0
assert max(abs(a - b) for a, b in zip(one, two) if a == a or b == b) < 1e-5 * largest
PY
ok "fastica has components that are alike" $?
rm -rf card-1 card-2
for operation in "cbf" "mvdr snapshots=2 blocks=4"; do
  # shellcheck disable=SC2086
  expect 0 "$operation on a card" run $operation sea.wav -o card-1 --device cuda:0 --threads 1
  # shellcheck disable=SC2086
  expect_together 0 "$operation on cards of two processes" 2 run $operation sea.wav -o card-2 --device cuda:all \
    --threads 1 --shares equal
  "$python" "$here/compare-results.py" card-1 card-2 > out && grep -q '"cuda:0"' card-2/result.json
  ok "$operation has the same beams" $?
  rm -rf card-1 card-2
done
rm -rf card-*
expect 0 "reconstruct on a card" run reconstruct cube.img result=model-pca/result.json -o card-1 --device cuda:0
expect_together 0 "reconstruct on cards of two processes" 2 run reconstruct cube.img result=model-pca/result.json \
  -o card-2 --device cuda:all
cmp card-1/error.img card-2/error.img > out && cmp card-1/residual.img card-2/residual.img > out
ok "reconstruct has the same maps and residuals" $?
expect_together 0 "lofar where there are cards" 2 run lofar sea.wav -o card-3
grep -q '"id" : "cpu"' card-3/result.json && grep -q '"chosen" : "automatic"' card-3/result.json
ok "is the processor's work, by the program's choice" $?
export ES_CUDA_MODULE=none

# ---- little to do, and what one process does
"$batch" simulate cube -o tiny.img width=20 height=3 bands=20 > out 2> err
expect 0 "tiny" run pca tiny.img -o tiny-1 --device cpu --threads 1
expect_together 0 "more processes than rows" 5 run pca tiny.img -o tiny-5 --device cpu --threads 1
"$python" "$here/compare-results.py" tiny-1 tiny-5 > out; ok "and the same bytes" $?
expect_together 0 "info" 3 info cube.img
[ "$(grep -c '120 × 200 × 30' out)" -eq 1 ]; ok "is told once" $?
expect_together 0 "an operation that is not shared" 2 run lab-mandelbrot cpu -o mandelbrot
[ -e mandelbrot/result.json ] && grep -q 'lab-mandelbrot.*one process' err
ok "is computed by one process, which says so" $?

# ---- what fails in one share
"$python" - <<'PY'
import array, wave
with wave.open('sea.wav', 'rb') as sea, wave.open('twins.wav', 'wb') as twins:
    twins.setparams(sea.getparams())
    n, samples = sea.getnchannels(), array.array('h')
    samples.frombytes(sea.readframes(sea.getnframes()))
    # In the last quarter of it two elements hear the same: their matrices have no inverse.
    for i in range(len(samples) * 3 // 4 // n * n, len(samples), n):
        samples[i] = samples[i + 1]
    for _ in range(8):
        twins.writeframes(samples[:len(samples) * 3 // 4 // n * n].tobytes())
    twins.writeframes(samples[len(samples) * 3 // 4 // n * n:].tobytes())
PY
expect_together 2 "what fails in the share of one process" 2 run mvdr twins.wav --array line:12,1.5 -o wrong \
  snapshots=24 loading=0 --device cpu
sentence "Process 1 of 2" "has no inverse"; ok "is said once, by the one that found it" $?
[ ! -e wrong ]; ok "and nothing is left" $?

echo "1..$n"
[ $failed -eq 0 ]
