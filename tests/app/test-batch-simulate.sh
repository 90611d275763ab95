#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# eigenscope-batch simulate recording: the files it writes, the same bytes again, exit statuses, nothing left behind.
# usage: test-batch-simulate.sh EIGENSCOPE-BATCH          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
export ES_CUDA_MODULE=none
. "$(dirname "$0")/batch-test.sh"
size() { stat -c %s "$1"; }

# ---- done
expect 0 "simulate" simulate recording -o a.wav seconds=2 array=line:12,1.5
[ "$(size a.wav)" -eq $((44 + 2 * 8000 * 12 * 2)) ]; ok "the recording has its frames" $?
[ -s a.wav.array.json ] && [ -s a_truth.csv ]; ok "array and truth are beside it" $?
grep -q '^3,propeller,1,' a_truth.csv; ok "the truth tells where a source is every second" $?
"$batch" info a.wav > out 2> err; grep -q '12 elements in line, 1.5 m apart' out; ok "info knows the array" $?
expect 0 "again" simulate recording -o b.wav seconds=2 array=line:12,1.5
cmp -s a.wav b.wav; ok "the same bytes" $?
expect 0 "another seed" simulate recording -o c.wav seconds=2 array=line:12,1.5 seed=9
[ "$(cksum < a.wav)" != "$(cksum < c.wav)" ]; ok "other bytes" $?
printf 'name,x (cm),y,z\n"a, first",0,0,0\nb,150,0,0\nc,150,80,0\n' > places.csv
expect 0 "an array of a file, HDF5" simulate recording -o d.h5 seconds=1 array=places.csv type=float32 sources=none
expect 0 "over what is there" simulate recording -o d.h5 seconds=1 array=places.csv sources='tone,45,0,100,elevation=30'
"$batch" info d.h5 > out 2> err; grep -q '^  3 channels, 8 kHz, 1 s' out; ok "info reads the HDF5 file" $?
expect 0 "Scripps SIO" simulate recording -o e.sio seconds=1 array=line:3,1
[ "$(size e.sio)" -eq $((2048 * (1 + 3 * 8))) ]; ok "in records of 2,048 bytes" $?
expect 0 "raw" simulate recording -o f.raw seconds=0.5 array=line:3,1 type=float32
[ "$(size f.raw)" -eq $((4000 * 3 * 4)) ]; ok "raw samples are nothing but samples" $?

# ---- what is there already and is no simulation, or has been worked on since
cp places.csv t_truth.csv
expect 3 "over the array that it reads" simulate recording -o t.wav array=t_truth.csv seconds=0.1
sentence t_truth.csv "not replaced" && cmp -s places.csv t_truth.csv && [ ! -e t.wav ]; ok "which stays" $?
cp places.csv t.wav.array.json
expect 3 "over an array that is its sidecar" simulate recording -o t.wav array=t.wav.array.json seconds=0.1
cmp -s places.csv t.wav.array.json; ok "which stays, too" $?
for name in real.wav real.h5; do
  printf 'a recording of somebody' > $name; cp $name kept
  printf 'its array' > $name.array.json; ln -s $name link.${name#*.}
  for way in $name link.${name#*.}; do
    expect 3 "over a recording, $way" simulate recording -o $way seconds=0.1
    sentence "$way" "no simulation" && cmp -s kept $name && [ "$(cat $name.array.json)" = 'its array' ]
    ok "it stays" $?
  done
done
[ ! -e real_truth.csv ] && [ ! -e link_truth.csv ]; ok "and gets no truth" $?
head -c 300 /dev/zero > cube.img; cp cube.img kept; printf 'ENVI\n' > cube.hdr
expect 3 "over somebody's cube" simulate cube -o cube.img width=8 height=8 bands=4
sentence cube.img "no simulation" && cmp -s kept cube.img && [ "$(cat cube.hdr)" = ENVI ]; ok "it stays" $?
expect 0 "a cube" simulate cube -o own.img width=8 height=8 bands=4
expect 0 "over it" simulate cube -o own.img width=8 height=8 bands=4 seed=2
for told in calibration navigation; do
  echo '{}' > later.wav.$told.json
  expect 3 "where a $told is told" simulate recording -o later.wav seconds=0.1
  sentence later.wav later.wav.$told.json && [ ! -e later.wav ]; ok "it is named" $?
  rm later.wav.$told.json
done
expect 0 "a recording that is described anew" simulate recording -o later.wav seconds=0.1
touch -d '+1 minute' later.wav.array.json; cp later.wav.array.json kept
expect 3 "is not replaced" simulate recording -o later.wav seconds=0.1 seed=3
sentence later.wav.array.json "no simulation" && cmp -s kept later.wav.array.json; ok "what was changed is named" $?

# ---- refused: a sentence, and no file
rm -f ./*
expect 2 "no target" simulate recording
expect 2 "no kind" simulate whale -o x.wav
sentence cube recording; ok "what there is to simulate" $?
expect 2 "an unknown kind of source" simulate recording -o x.wav sources=whale,1,2,3
sentence whale propeller; ok "the kinds of sources are named" $?
expect 2 "a source above half the rate" simulate recording -o x.wav rate=800
sentence "Source 1" "400 Hz"; ok "which, and what is possible" $?
expect 2 "no line of elements" simulate recording -o x.wav array=line:12
sentence line:12 'line:512,1.5'; ok "how a line is written" $?
expect 3 "an array that is not there" simulate recording -o x.wav array=nowhere.csv
sentence nowhere.csv; ok "the file is named" $?
expect 3 "too many channels for a sound file" simulate recording -o x.wav array=line:2000,1 seconds=0.1
sentence 2000 1024 .h5; ok "what holds more" $?
expect 2 "an ending that is not written" simulate recording -o r.flac seconds=0.1
sentence r.flac .wav .sio; ok "which there are" $?
expect 2 "an ending of another format" simulate recording -o r.wav format=sio seconds=0.1
sentence r.wav .sio; ok "which it would be" $?
expect 3 "no such folder" simulate recording -o none/x.wav seconds=0.1
expect 3 "larger than the disk" simulate recording -o x.h5 array=line:60000,1 seconds=9999999 rate=100000
"$batch" simulate recording -o endless.h5 array=line:200,1.5 seconds=9000 > out 2> err & pid=$!
sleep 0.5; kill -INT $pid; wait $pid; [ $? -eq 5 ]; ok "interrupted: exit status 5" $?
rm -f out err
[ -z "$(ls -A)" ]; ok "nothing is left behind" $?

echo "1..$n"
[ $failed -eq 0 ]
