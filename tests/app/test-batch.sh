#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The contract of eigenscope-batch: verbs, exit statuses, one sentence for what is wrong, nothing left behind.
# usage: test-batch.sh EIGENSCOPE-BATCH [FAKE-DEVICE-MODULE]          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
cards=${2:+$(realpath "$2")}   # a back end with two cards of host memory: tests/kernels/fake
export ES_CUDA_MODULE=none     # real cards have tests of their own
. "$(dirname "$0")/batch-test.sh"

# ---- done
expect 0 "operations" operations
grep -q '^pca ' out; ok "operations lists pca" $?
expect 0 "operations --json" operations --json
grep -q '"threshold"' out; ok "operations --json has the parameters" $?
expect 0 "operations of a name" operations mnf
[ "$(grep -c '^[^ ]' out)" = 1 ] && grep -q '^mnf ' out; ok "lists that one alone" $?
expect 0 "of two, as JSON" operations umap pca --json
[ "$(sed -n 's/^    *"id" : "\(.*\)",$/\1/p' out | tr '\n' ' ')" = "umap pca " ]; ok "lists them in their order" $?
expect 2 "operations of an unknown name" operations pca nonsense
sentence nonsense "laplacian-eigenmaps"; ok "says which there are" $?
[ ! -s out ]; ok "and lists none" $?
expect 0 "devices" devices
grep -q '^cpu ' out && grep -q '^GPUs are turned off' out; ok "devices lists the CPU and says why there is no GPU" $?
expect 0 "devices --json" devices --json
grep -q '"cpu"' out && grep -q '"why_no_gpu" : ' out; ok "devices --json has the CPU, and why there is no GPU" $?
expect 0 "devices cpu" devices cpu
[ "$(grep -c . out)" = 1 ] && grep -q '^cpu ' out; ok "is that one alone" $?
expect 0 "devices cpu cpu" devices cpu cpu
[ "$(grep -c . out)" = 1 ]; ok "lists it once" $?
expect 4 "devices of an unknown name" devices cpu warp:1
sentence warp:1 "there is cpu only" && [ ! -s out ]; ok "says which there are, and lists none" $?
expect 0 "--help" --help
expect 0 "--version" --version
expect 0 "simulate" simulate cube -o scene.img width=64 height=48 bands=32 seed=3
[ -s scene.img ] && [ -s scene.hdr ]; ok "simulate writes the cube and its header" $?
ls scene_abundances* scene_endmembers.csv > /dev/null 2>&1; ok "simulate writes the truths beside it" $?
expect 0 "info" info scene.img
expect 0 "info of the header" info scene.hdr --json
grep -q '"n_bands" : 32' out; ok "info --json counts the bands" $?
expect 0 "info where it lies" info scene.img \
  --metadata '{"geotransform": [10, 0.1, 0, 50, 0, -0.1], "coordinate-system": "EPSG:4326"}'
grep -q 'centre: 47.60000° N, 13.20000° E' out; ok "the centre lies between the middle pixels" $?
expect 0 "run" run pca scene.img -o result threshold=0.95
for f in result.json components.img components.hdr eigenvalues.csv loadings.csv mean.csv steps.csv; do
  [ -s "result/$f" ]; ok "run writes $f" $?
done
[ -z "$(find result -name '.*' -type f)" ]; ok "run leaves no partial file" $?
for key in operation version software parameters input device stages total_ms values layers; do
  grep -q "\"$key\" :" result/result.json; ok "result.json has $key" $?
done
cp -r result first
expect 0 "run again over the old result" run pca scene.img -o result threshold=0.95
cmp -s first/components.img result/components.img; ok "the same run gives the same bytes" $?
expect 0 "run on one thread" run pca scene.img -o one --threads 1 threshold=0.95
cmp -s first/components.img one/components.img; ok "one thread gives the same bytes" $?
expect 0 "run as GeoTIFF" run pca scene.img -o tiff --format geotiff --previews
[ -s tiff/components.tif ] && [ -s tiff/components-001.png ]; ok "run writes GeoTIFF and previews" $?
expect 0 "run on two files" run pca scene.img scene.hdr -o several -q
mkdir other && cp scene.img scene.hdr other
expect 0 "run on two files of one name" run pca scene.img other/scene.img -o namesakes -q
[ -s namesakes/scene/result.json ] && [ -s namesakes/scene-2/result.json ]; ok "each has a folder of its own" $?
expect 0 "run without a folder" run pca scene.img
expect 0 "run in little memory" run pca scene.img -o small --memory 1M -q
expect 0 "run into a folder with a colon" run pca scene.img -o out-cuda:all -q
[ -s out-cuda:all/result.json ]; ok "a colon does not make a URI of it" $?
mkdir odd && cp scene.img odd/a:b.img && cp scene.hdr odd/a:b.hdr
( cd odd && "$batch" info a:b.img > ../out 2> ../err && "$batch" run pca a:b.img -o out:2 -q 2> ../err \
  && [ -s out:2/result.json ] )
ok "nor of an input" $?
expect 0 "info of a saved result" info result
grep -q 'operation: pca, version' out && grep -q 'threshold=0.95' out && grep -q 'scene.img, 64x48x32, identity' out \
  && grep -Eq '^  components +image-stack +64x48x[0-9]+ +float32 +components.img' out && grep -q 'computed by' out
ok "info tells layers, parameters and where a result comes from" $?
grep -q 'whole: every file is as it was saved' out; ok "info says that it is whole" $?
expect 0 "info --json of its result.json" info result/result.json --json
grep -q '"whole" : true' out && grep -q '"kind" : "curve"' out && grep -q '"threshold" : 0.9' out
ok "info --json tells the same" $?
cp -r result altered && printf '1' >> altered/loadings.csv && rm altered/mean.csv
expect 0 "info of an altered result" info altered
grep -q 'loadings.csv” of the layer “loadings” has another size' out \
  && grep -q 'mean.csv” of the layer “mean” is missing' out && ! grep -q whole out
ok "info names what was altered" $?
sed 's/"title" : "[^"]*"/"title" : "one\\n  whole: every file is as it was saved (1 file)"/' \
  result/result.json > altered/result.json
expect 0 "info of a result whose title ends a line" info altered
grep -q 'one.x0a  whole' out && ! grep -q '^  whole' out; ok "no text of it pretends a line" $?
sed '/result_format/d' result/result.json > altered/result.json
expect 0 "info of an older result" info altered
grep -q 'saved without checksums' out; ok "info says that it cannot be checked" $?
echo '{"layers": []}' > none.json; expect 3 "info of JSON that is no result" info none.json
sentence none.json "saved result"; ok "and says so" $?
mkdir -p forged && echo photo > forged/photo.png
echo '{"operation":"pca","layers":[{"name":"a","kind":"table","file":"photo.png"}]}' > forged/result.json
expect 0 "run over a forged result" run pca scene.img -o forged -q
[ -s forged/photo.png ] && sentence photo.png left; ok "what it names is left, and told" $?
sed 's/^map info.*/map info = {UTM, 1, 1, 380000, 5810000, 30, 30, 33, North, WGS-84}/' scene.hdr > georeferenced.hdr
grep -q '^map info' georeferenced.hdr || echo 'map info = {UTM, 1, 1, 380000, 5810000, 30, 30, 33, North, WGS-84}' \
  >> georeferenced.hdr
sed -i '/^coordinate system string/d' georeferenced.hdr
echo 'coordinate system string = {PROJCS["broken",GEOGCS["x"}' >> georeferenced.hdr; cp scene.img georeferenced.img
for format in envi geotiff; do
  expect 0 "a malformed projection, $format" run pca georeferenced.img -o "broken-$format" --format $format -q
  sentence georeferenced.img "projection"; ok "a malformed projection, $format: one sentence" $?
done
expect 0 "simulate independent sources" simulate cube -o sources.img width=64 height=48 bands=32 seed=3 \
  sources=independent
grep -q 'independent sources' sources.hdr && ! cmp -s scene.img sources.img
ok "independent sources are another scene, and say so" $?

# ---- reductions and what judges them
has() { "$batch" operations | grep -q "^$1 "; }
if has fastica; then
  expect 0 "run fastica" run fastica sources.img -o ica components=5
  for f in result.json components.img convergence.csv; do [ -s "ica/$f" ]; ok "fastica writes $f" $?; done
  grep -q '"converged"' ica/result.json; ok "result.json says what has converged" $?
  expect 0 "run fastica again" run fastica sources.img -o ica-again components=5
  cmp -s ica/components.img ica-again/components.img; ok "the same seed gives the same bytes" $?
  expect 0 "fastica that does not converge" run fastica sources.img -o ica-short components=5 iterations=1 \
    tolerance=1e-10
  grep -q 'converge' err; ok "says that it has not converged" $?
  expect 0 "fastica of one component" run fastica sources.img -o ica-one components=1
fi
if has mnf; then
  expect 0 "run mnf" run mnf scene.img -o mnf keep=count components=4
  for f in result.json components.img eigenvalues.csv; do [ -s "mnf/$f" ]; ok "mnf writes $f" $?; done
  expect 0 "mnf with a region" run mnf sources.img -o mnf-region noise=region 'region=rectangle 4 4 20 20'
  grep -q '"region" : "rectangle 4 4 20 20"' mnf-region/result.json; ok "result.json has the region" $?
  expect 2 "mnf with a region that is none" run mnf scene.img -o bad noise=region region=somewhere
  sentence somewhere; ok "and says so in one sentence" $?
  expect 0 "mnf with saved noise statistics" run mnf scene.img -o mnf-file noise=file noise-file=mnf/result.json \
    keep=count components=4
  grep -q "\"noise-file\" : \"$work/mnf/result.json\"" mnf-file/result.json
  ok "a file is named from where the tool runs" $?
fi
if has reconstruct; then
  expect 0 "run reconstruct" run reconstruct scene.img -o rebuilt result=result/result.json
  for f in result.json error.img band-error.csv; do [ -s "rebuilt/$f" ]; ok "reconstruct writes $f" $?; done
  expect 0 "reconstruct a cube from some components" run reconstruct scene.img -o denoised result=result/result.json \
    components=1-2 output=cube
  [ -s denoised/reconstruction.img ]; ok "and writes it" $?
  expect 3 "reconstruct from nothing" run reconstruct scene.img -o bad result=nowhere.json
  [ ! -e bad ]; ok "reconstruct from nothing: no partial output" $?
fi
expect 0 "compare" compare pca scene.img --repeats 1
grep -q 'Speed-up' out && grep -q 'thread' out && grep -q 'Tesla K20' out
ok "compare shows steps, speed-ups and published figures" $?
expect 0 "compare --json" compare pca scene.img --repeats 1 --json
grep -q '"speed_up" : 1' out && grep -q '"published"' out; ok "compare --json has the same" $?
expect 0 "compare one device" compare pca scene.img --repeats 1 --no-published --devices cpu
! grep -q Tesla out; ok "and leaves out what is not wanted" $?
expect 0 "compare beside what was published" compare pca scene.img --repeats 1 --devices cpu-1,cpu
grep -A12 '(phd-pca-steps)' out | grep -q '^  Step .*Here \* (ms)  Here \* (%)$' \
  && grep -q '^  \[\*\] Here: scene.img' out && grep -q '^  \[c\] The printed seconds make it 106.6' out
ok "ours stand in the published form, and what is in doubt is marked" $?
expect 0 "published" published
grep -q '^phd-6.8  Beams of a minute of signal$' out; ok "published lists the tables" $?
expect 0 "published table" published phd-6.8
grep -q '^  512 .*\[a\] 30.0$' out && grep -q '^  \[a\] .*29.9' out && ! grep -q 'phd-6.7' out
ok "published prints one, with its marks" $?
expect 0 "published of an operation, as JSON" published mvdr --json
grep -q '"id" : "phd-6.12"' out && ! grep -q '"id" : "phd-6.8"' out && grep -q '"kind" : "note"' out
ok "published --json has those of an operation" $?
expect 2 "published nothing" published phd-9.9

# ---- 2: wrong usage
expect 2 "compare without a file" compare pca
expect 2 "compare two files" compare pca scene.img scene.hdr
expect 2 "compare nothing often" compare pca scene.img --repeats 0
expect 4 "compare a device that is not there" compare pca scene.img --devices cuda:7
sentence cuda:7 cpu; ok "and says which there are" $?
expect 3 "compare a missing file" compare pca nowhere.img
expect 2 "no verb"
expect 2 "unknown verb" frobnicate
expect 2 "unknown operation" run frobnicate scene.img
sentence frobnicate pca; ok "and says which there are" $?
expect 2 "unknown parameter" run pca scene.img -o bad colour=red
sentence colour threshold; ok "and says which there are" $?
expect 2 "parameter out of range" run pca scene.img -o bad threshold=7
sentence threshold 7 0.5; ok "and says the range" $?
expect 2 "no file" run pca
expect 2 "odd memory" run pca scene.img --memory lots
expect 2 "odd GPU memory" run pca scene.img --gpu-memory lots
expect 2 "unknown option" run pca scene.img --frobnicate
expect 2 "simulate without a target" simulate cube
expect 2 "simulate a cube into another ending" simulate cube -o x.png
sentence x.png .img; ok "and says which endings there are" $?
expect 2 "simulate a cube into another interleave" simulate cube -o x.bil
[ -z "$(ls x.* x_* 2> /dev/null)" ]; ok "and nothing is written" $?
expect 2 "unknown bench" bench frobnicate
[ ! -e bad ]; ok "wrong usage writes nothing" $?

# ---- 3: bad input
refuse() {                     # refuse DESCRIPTION FILE WORDS...
  local description=$1 file=$2; shift 2
  expect 3 "$description" run pca "$file" -o bad
  sentence "$@"; ok "$description: one clear sentence" $?
  [ ! -e bad ]; ok "$description: no partial output" $?
}
header() {                     # header NAME LINES...: an ENVI header with defaults that later lines override
  local name=$1; shift
  printf '%s\n' ENVI 'samples = 4' 'lines = 3' 'bands = 5' 'header offset = 0' 'data type = 2' 'interleave = bsq' \
    'byte order = 0' > "$name.hdr"
  local line; for line in "$@"; do
    sed -i "/^${line%% =*} =/d" "$name.hdr"; printf '%s\n' "$line" >> "$name.hdr"; done
  [ -e "$name.img" ] || head -c 120 /dev/zero > "$name.img"
}
refuse "missing file" nowhere.img nowhere.img
refuse "folder" . .
: > empty.img; refuse "empty file" empty.img empty.img
head -c 5000 /dev/urandom > noise.img; refuse "noise" noise.img noise.img
head -c 50 /dev/zero > short.img; header short; refuse "truncated file" short.img short 50 120
header zero 'samples = 0'; refuse "zero size" zero.img zero
header absurd 'samples = 4000000000' 'lines = 4000000000' 'bands = 60000'; refuse "absurd size" absurd.img absurd
header many 'samples = 400000'; refuse "header that promises too much" many.img many
header type 'data type = 77'; refuse "unknown type" type.img type 77
header complex 'data type = 6'; refuse "complex samples" complex.img complex
header order 'interleave = bsx'; refuse "unknown interleave" order.img order bsx
header missing 'data ignore value = 0'; refuse "all pixels no-data" missing.img missing "no valid pixel"
"$batch" info missing.img | grep -qx '  no data: stored value 0'; ok "info tells the value that stands for none" $?
header one 'bbl = {1, 0, 0, 0, 0}'; refuse "one good band" one.img one "at least two"
header constant; refuse "constant bands" constant.img constant
expect 3 "info of noise" info noise.img

expect 3 "constant bands, into a deep folder" run pca constant.img -o bad/a/b
[ ! -e bad ]; ok "constant bands, into a deep folder: no folder stays" $?

# fewer pixels than bands: an answer and a sentence about it
run simulate cube -o few.img width=4 height=3 bands=40 no-data=0 dead-bands=0
expect 0 "fewer pixels than bands" run pca few.img -o few
grep -q 'pixels for 40 bands' err; ok "says that the rank is limited" $?

# targets
: > file; expect 3 "target is a file" run pca scene.img -o file
sentence file; ok "target is a file: one clear sentence" $?
cp first/components.img before
( ulimit -f 8; trap '' XFSZ; "$batch" run pca scene.img -o result threshold=0.9999 > out 2> err ); got=$?
[ $got -eq 3 ]; ok "full target: exit status 3 (was $got)" $?
sentence components; ok "full target: one clear sentence" $?
cmp -s before result/components.img && [ -z "$(find result -name '.*' -type f)" ]
ok "full target: the old result is as it was, nothing beside it" $?

# ---- 4: device or memory
expect 4 "no such device" run pca scene.img -o bad --device cuda:7
sentence cuda:7 cpu "turned off"; ok "and says which there are, and why no GPU" $?

# ---- GPUs, of host memory
if [ -n "$cards" ]; then
  export ES_CUDA_MODULE=$cards
  expect 0 "two cards: devices" devices
  for id in cuda:0 cuda:1 cuda:all cpu; do grep -q "^$id " out; ok "devices lists $id" $?; done
  grep -q 'compute capability 9.0' out && grep -q 'busy 25 %' out; ok "and what is known of a card" $?
  expect 0 "two cards: devices of two names" devices cuda:1 cpu --json
  [ "$(sed -n 's/^    *"id" : "\(.*\)",$/\1/p' out | tr '\n' ' ')" = "cuda:1 cpu " ]; ok "lists them in their order" $?
  expect 0 "two cards: devices named twice" devices cuda:1 cpu cuda:0 cpu cuda:1 --json
  [ "$(sed -n 's/^    *"id" : "\(.*\)",$/\1/p' out | tr '\n' ' ')" = "cuda:1 cpu cuda:0 " ]; ok "are listed once" $?
  expect 4 "two cards: devices of an unknown name" devices cuda:2
  sentence cuda:2 "cuda:0, cuda:1, cuda:all" && [ ! -s out ]; ok "says which there are" $?
  expect 0 "two cards: devices --json" devices --json
  for key in kind memory_free budget compute_capability pcie_generation busy driver_cuda flops bandwidth; do
    grep -q "\"$key\" :" out; ok "devices --json has $key" $?; done
  for id in cuda:0 cuda:1 cuda:all; do
    expect 0 "run on $id" run pca scene.img -o "on-${id/:/-}" --device $id threshold=0.95
    grep -q "computed by .* ($id)" out; ok "run on $id: says so" $?
    cmp -s first/components.img "on-${id/:/-}/components.img"; ok "run on $id: the same bytes as the CPU" $?
    grep -q "\"id\" : \"$id\"" "on-${id/:/-}/result.json" && grep -q '"chosen" : "by hand"' "on-${id/:/-}/result.json"
    ok "run on $id: result.json names it" $?
  done
  expect 0 "run in little GPU memory" run pca scene.img -o little --device cuda:0 --gpu-memory 1M threshold=0.95
  cmp -s first/components.img little/components.img; ok "run in little GPU memory: the same bytes" $?
  expect 0 "run --device auto" run pca scene.img -o auto --device auto threshold=0.95
  grep -q '"chosen" : "automatic"' auto/result.json && grep -q '"reason" : ".*GPU' auto/result.json
  ok "run --device auto: result.json says what was chosen and why" $?
  cmp -s first/components.img auto/components.img; ok "run --device auto: the same bytes" $?
  expect 0 "two cards: compare" compare pca scene.img --repeats 1 --no-published
  grep -q 'Fake card' out && grep -q '2 GPUs' out; ok "two cards: compare runs on each and on both" $?
  expect 4 "no such card" run pca scene.img -o bad --device cuda:2
  sentence cuda:2 cuda:0 cuda:1 cuda:all cpu; ok "and says which there are" $?
  ES_FAKE_LOSE_AT=3 expect 4 "a card is lost, chosen by hand" run pca scene.img -o bad --device cuda:1
  sentence "Fake card 1 (cuda:1)" lost; ok "a card is lost: one clear sentence" $?
  [ ! -e bad ]; ok "a card is lost: no partial output" $?
  ES_FAKE_MEMORY=1000000 expect 0 "a full card, chosen by hand" run pca scene.img -o by-hand --device cuda:0 \
    threshold=0.95
  sentence "The CPU computed this" "Fake card 0 (cuda:0)" free; ok "a full card: one clear sentence" $?
  cmp -s first/components.img by-hand/components.img; ok "a full card: the CPU does it" $?
  run simulate recording -o heard.wav array=line:4,1.5 rate=2000 seconds=2 'sources=noise,60,0,100:400'
  ES_FAKE_WITHOUT=beam expect 4 "cards without beams" run cbf heard.wav -o beams --device cuda:all
  sentence 'cannot form beams'; ok "cards without beams: the error says so" $?
  ES_FAKE_MEMORY=1000000 expect 0 "full cards, automatic" run pca scene.img -o full threshold=0.95
  cmp -s first/components.img full/components.img; ok "full cards, automatic: the CPU does it" $?
  ES_FAKE_FAIL_ALLOCATION=1+ expect 0 "a card without memory in mid-run" run pca scene.img -o out-of --device cuda:0 \
    threshold=0.95
  grep -q 'ran out of memory' err && grep -q '^eigenscope-batch: The CPU computed this' err
  ok "a card without memory: said" $?
  cmp -s first/components.img out-of/components.img; ok "a card without memory: the CPU does it" $?
  # Lost while it is measured, or while it computes.
  run simulate cube -o large.img width=500 height=400 bands=200 no-data=0
  ES_FAKE_LOSE_AT=30 expect 0 "a card is lost, automatic" run pca large.img eigensolver=jacobi
  ES_FAKE_LOSE_AT=1 expect 0 "every card is lost, automatic" run pca large.img eigensolver=jacobi
  ES_CUDA_MODULE=/nowhere.so expect 0 "module missing" run pca scene.img
  ES_FAKE_ABI=1 expect 4 "module of another version" run pca scene.img --device cuda:0
  sentence "interface 1"; ok "module of another version: one clear sentence" $?
  ES_FAKE_ABI=1 expect 0 "module of another version, automatic" run pca scene.img
  export ES_CUDA_MODULE=none
fi

# ---- 5: cancelled
run simulate cube -o big.img width=700 height=900 bands=200 no-data=0
"$batch" run pca big.img -o cancelled --threads 1 eigensolver=jacobi threshold=1 > out 2> err & pid=$!
until [ -d cancelled ] || ! kill -0 $pid 2> /dev/null; do sleep 0.02; done
sleep 0.2; kill -INT $pid; wait $pid; got=$?
[ $got -eq 5 ]; ok "SIGINT: exit status 5 (was $got)" $?
[ ! -e cancelled ]; ok "SIGINT: nothing stays behind" $?
"$batch" simulate cube -o endless.img width=20000 height=20000 bands=20 > out 2> err & pid=$!
until [ -n "$(find . -name '*endless*')" ] || ! kill -0 $pid 2> /dev/null; do sleep 0.02; done
sleep 0.2; kill -INT $pid; wait $pid; got=$?
[ $got -eq 5 ]; ok "SIGINT while simulating: exit status 5 (was $got)" $?
[ -z "$(find . -name '*endless*')" ]; ok "SIGINT while simulating: nothing stays behind" $?

# ---- the real data
truth=${ES_TEST_DATA:-/nonexistent}/enmap/enmap_potsdam_mosaic.img
if [ -e "$truth" ]; then
  expect 0 "EnMAP" run pca "$truth" -o enmap threshold=0.99
  grep -q '"components" : 5,' enmap/result.json; ok "EnMAP: 5 components at 99 %" $?
  grep -q 'bands *= *5' enmap/components.hdr; ok "EnMAP: 5 planes on disk" $?
else
  n=$((n + 1)); echo "ok $n - EnMAP # SKIP the real data are not here"
fi

echo "1..$n"
[ $failed -eq 0 ]
