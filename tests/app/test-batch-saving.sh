#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What eigenscope-batch does to files that are there: it is killed, they are its input, they belong to something else.
# usage: test-batch-saving.sh EIGENSCOPE-BATCH          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE= ES_CUDA_MODULE=none
batch=$(realpath "$1")
[ -w /dev/shm ] && export TMPDIR=/dev/shm
. "$(dirname "$0")/batch-test.sh"

run simulate cube -o scene.img width=64 height=48 bands=32 seed=3

# ---- killed over an earlier result: the old one or the new one, as whoever opens it finds it
same() {                       # same FOLDER SHARE: the result of that threshold, complete
  local f; for f in components.img components.hdr eigenvalues.csv loadings.csv mean.csv; do
    cmp -s "killed/$f" "$1/$f" || return 1; done
  grep -q "\"threshold\" : $2" killed/result.json && [ "$(tail -c 2 killed/result.json)" = "}" ]
}
run run pca scene.img -o old threshold=0.9
began=$(date +%s%N)
run run pca scene.img -o new threshold=0.999
took=$((($(date +%s%N) - began) / 1000000))
kept=0 renewed=0 neither=0
for part in $(seq 2 2 24); do
  rm -rf killed; cp -r old killed
  "$batch" run pca scene.img -o killed threshold=0.999 > out 2>&1 & pid=$!
  delay=$((took * part / 20)); sleep "$(printf '%d.%03d' $((delay / 1000)) $((delay % 1000)))"
  { kill -KILL $pid; wait $pid; } 2> /dev/null
  run info killed/components.img
  if same old 0.9; then kept=$((kept + 1)); elif same new 0.999; then renewed=$((renewed + 1)); else
    neither=$((neither + 1)); ls -lA killed > out; fi
done
echo "# killed 12 times: the old one $kept times, the new one $renewed times"
[ $neither -eq 0 ]; ok "killed: the old result or the new one" $?
expect 0 "run over what was killed" run pca scene.img -o killed threshold=0.999
same new 0.999 && [ -z "$(find killed -name '.*' -type f)" ]; ok "and nothing stays behind" $?

# ---- what is read is not written
all() { (cd "$1" && find . -type f | sort | xargs cksum); }          # all FOLDER: what is in it
untouched() {                  # untouched DESCRIPTION FOLDER ARGUMENTS...: refused, with the name of a file of it
  local description=$1 folder=$2 before; shift 2
  before=$(all "$folder")
  expect 3 "$description" "$@"
  sentence "is not replaced" && [ "$(all "$folder")" = "$before" ]; ok "$description: one sentence, and all is there" $?
}
run run pca scene.img -o d threshold=0.99
untouched "the result's own components" d run pca d/components.img -o d
untouched "the result's own components, by their header" d run pca d/components.hdr -o d --format geotiff
ln -s d by-folder
untouched "by a link to the folder" d run pca d/components.img -o by-folder
ln -s d/components.img by-file.img; ln -s d/components.hdr by-file.hdr
untouched "by a link to the file" d run pca by-file.img -o d
mkdir hard; ln d/components.img hard/cube.img; ln d/components.hdr hard/cube.hdr
untouched "by a hard link" d run pca hard/cube.img -o d
cp -r d plain; rm plain/result.json
untouched "files of the same names without a result" plain run pca plain/components.img -o plain
expect 0 "beside what is read" run pca d/components.img -o d/further
run simulate recording -o heard.wav array=line:4,1.5 rate=2000 seconds=1 'sources=noise,60,0,100:400'
mkdir array; cp heard.wav.array.json array/result.json
untouched "the description of the array" array run cbf heard.wav -o array --array array/result.json
mkdir -p many/x; cp heard.wav many/x/field.wav
expect 0 "a folder in which a recording lies" run cbf many/x/field.wav -o many/x --array line:4,1.5

# ---- what belongs to something else stays
mkdir -p e c; cp d/components.img e/components.dat; cp d/components.hdr e/components.hdr
before=$(all e)
expect 3 "a header of other data" run pca scene.img -o e
sentence components.hdr components.dat && [ "$(all e)" = "$before" ]
ok "a header of other data: one sentence, and all is there" $?
cp d/components.img e/components.img
expect 3 "a header of two" run pca scene.img -o e
sentence components.hdr components.dat; ok "a header of two: one sentence" $?
cp d/components.hdr c/components.hdr
expect 3 "a header alone" run pca scene.img -o c
sentence components.hdr components.img; ok "a header alone: one sentence" $?
expect 0 "no header is written" run pca scene.img -o c --format geotiff
mkdir o; echo important > o/loadings.csv
expect 0 "a file of somebody else" run pca scene.img -o o
[ "$(cat o/loadings.csv.~1~)" = important ] && grep -q PC o/loadings.csv && sentence loadings.csv.~1~
ok "a file of somebody else is kept, and named" $?
expect 0 "the same again" run pca scene.img -o o
[ ! -s err ] && [ ! -e o/loadings.csv.~2~ ]; ok "the same again keeps nothing" $?
echo note >> o/mean.csv; cp o/mean.csv noted
expect 0 "a changed file" run pca scene.img -o o
cmp -s noted o/mean.csv.~1~ && sentence mean.csv.~1~; ok "a changed file is kept, and named" $?
mkdir strays; for end in msk aux.xml ovr; do echo "$end" > strays/components.tif.$end; done
expect 0 "what would be taken for a part of the image" run pca scene.img -o strays --format geotiff
[ "$(cd strays; echo components.tif*)" = "components.tif $(echo components.tif.{aux.xml,msk,ovr}.~1~)" ] \
  && [ "$(cat strays/components.tif.msk.~1~)" = msk ] && sentence components.tif.msk.~1~ components.tif.ovr.~1~
ok "a mask, statistics and smaller copies of another file are kept, and named" $?
echo msk > strays/components.img.msk; before=$(all strays)
(ulimit -f 4; trap '' XFSZ; exec "$batch" run pca scene.img -o strays > out 2> err)
[ $? -ne 0 ] && [ "$(all strays)" = "$before" ]; ok "where saving fails they have their names" $?
echo msk > wild.img.msk
expect 3 "simulating beside a mask" simulate cube -o wild.img width=8 height=8 bands=8
sentence wild.img wild.img.msk && [ ! -e wild.img ]; ok "simulating beside a mask: one sentence" $?
cp scene.hdr other.hdr; cp scene.img other.dat; before=$(cksum other.*)
expect 3 "simulating beside a header of other data" simulate cube -o other.img width=8 height=8 bands=8
[ "$(cksum other.*)" = "$before" ]; ok "simulating beside a header of other data: all is there" $?
expect 0 "simulating over an earlier cube" simulate cube -o scene.img width=64 height=48 bands=32 seed=3

echo "1..$n"
[ $failed -eq 0 ]
