#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How eigenscope-batch opens recordings: mono files as one, arrays, raw samples; exit statuses and sentences.
# usage: test-batch-recordings.sh EIGENSCOPE-BATCH          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
export ES_CUDA_MODULE=none
. "$(dirname "$0")/batch-test.sh"
says() {                       # out contains every word given
  local word; for word in "$@"; do grep -qF -- "$word" out || return 1; done
}
word() {                       # word BYTES NUMBER: little-endian
  local i text=
  for ((i = 0; i < $1; i++)); do text+=$(printf '\\x%02x' $((($2 >> (8 * i)) & 255))); done
  printf '%b' "$text"
}
noise() {                      # noise COUNT: the same 16-bit samples each time, below half of full scale: none clips
  LC_ALL=C awk -v count="$1" 'BEGIN {
    x = 12345
    for (i = 0; i < count; i++) {
      x = (x * 16807) % 2147483647; y = int (x / 65536) + 49152
      printf "%c%c", y % 256, int (y / 256) % 256
    }
  }'
}
wav() {                        # wav FILE CHANNELS RATE FRAMES [FRAMES-PROMISED]
  local bytes=$(($2 * 2 * ${5:-$4}))
  { printf RIFF; word 4 $((bytes + 36)); printf 'WAVEfmt '; word 4 16; word 2 1; word 2 "$2"; word 4 "$3"
    word 4 $(($3 * $2 * 2)); word 2 $(($2 * 2)); word 2 16; printf data; word 4 $bytes
    noise $(($2 * $4)); } > "$1"
}

wav pod.1.20200101T120000Z.wav 1 8000 16000
wav pod.2.20200101T120000Z.wav 1 8000 15000
wav pod.10.20200101T120000Z.wav 1 8000 16000
printf 'name,x,y,z\na,0,0,0\nb,1.5,0,0\nc,3,0,0\n' > positions.csv
printf 'event,t0_s,x_m,y_m,z_m\n0,1.5,1,2,3\n' > events.csv

# ---- JSON that is opened by itself: brackets within texts close nothing
wav deep.wav 3 8000 800
{ printf '['; for ((i = 0; i < 20000; i++)); do printf '%s' '["]",["]",["]",["]",["]",["]",["]",["]",["]",["]",'; done
} > deep.wav.array.json
expect 0 "a sidecar of 200,000 brackets" info deep.wav
says "was not taken: “deep.wav.array.json”" "64 deep."; ok "it is named and not taken" $?
rm deep.wav*

# ---- where channels count from, with a dead row
wav four.wav 4 8000 8000
printf 'x,y,z,channel,dead\n0,0,0,1,no\n1,0,0,2,yes\n2,0,0,3,no\n3,0,0,4,no\n' > one.csv
printf 'x,y,z,channel,dead\n0,0,0,,yes\n1,0,0,2,no\n2,0,0,3,no\n3,0,0,4,no\n' > doubt.csv
expect 0 "channels from 1 and a dead row" info four.wav one.csv
[ "$(grep -c 'counts from 1' out)" -eq 1 ]; ok "it is told once" $?
expect 0 "the same by --array" info four.wav --array one.csv
says "counts from 1"; ok "it is told, too" $?
expect 0 "channels that could be either" run cbf four.wav doubt.csv
grep -q 'do not tell whether channels count from 0 or from 1: from 1 was taken' err; ok "a warning of the result" $?
rm four.wav one.csv doubt.csv

# ---- files of one channel each
expect 0 "three mono files" info pod.*.wav
says "3 channels, 8 kHz, 2 s" "3 files (WAV), int16" "began 2020-01-01 12:00:00 UTC" "15000 to 16000 frames"
ok "they are one recording" $?
expect 0 "with their array and a list of events" info pod.*.wav ./*.csv --json
says '"channels" : 3' '"n_elements" : 3' '"start" : "2020-01-01T12:00:00Z"' 'events.csv'
ok "the array is taken, the events are not" $?
[ "$(grep -n 'pod.2.2020' out | head -n 1 | cut -d: -f1)" -lt "$(grep -n 'pod.10.2020' out | head -n 1 | cut -d: -f1)" ]
ok "channel 2 stands before channel 10" $?
expect 2 "separately" info pod.*.wav --separately
sentence "takes one file"; ok "info of several files" $?
wav pod.11.20200101T120000Z.wav 1 48000 100
expect 3 "another rate" info pod.*.wav
sentence "pod.11.20200101T120000Z.wav" "48000 Hz" "8000 Hz"; ok "the file with the other rate is named" $?
rm pod.11.*

# ---- several recordings in one go
wav pod.1.20200101T130000Z.wav 1 8000 9000
wav pod.2.20200101T130000Z.wav 1 8000 9000
wav pod.10.20200101T130000Z.wav 1 8000 9000
expect 0 "two moments of three files each" run lofar pod.*.wav positions.csv -o both
[ "$(find both -name result.json | wc -l)" -eq 2 ]; ok "they are two recordings" $?
[ "$(grep -lE '"shape" : "(16000|9000)x3"' both/*/result.json | wc -l)" -eq 2 ]; ok "of three channels each" $?
[ "$(grep -l '"array" : {' both/*/result.json | wc -l)" -eq 2 ]; ok "both with the array" $?
rm pod.*.20200101T130000Z.wav

# ---- one file
wav three.wav 3 1000 5000
expect 0 "an array as text" info three.wav --array line:3,1.5
says "3 elements in line" "1.5 m apart" "3 m long"
ok "info says what the array is" $?
expect 0 "an array as a file" info three.wav --array positions.csv
says "3 elements in line"; ok "info says what the array is" $?
expect 0 "more elements than channels" info three.wav --array line:5,1.5
says "channels that the recording lacks"; ok "info warns" $?
expect 3 "an array that is none" info three.wav --array events.wav
expect 3 "an array alone" info positions.csv
sentence "positions.csv" "describes an array"; ok "an array alone: one clear sentence" $?
printf 'x,y,z\n0,0,0\n1.5,abc,0\n3,0,0\n' > damaged.csv
expect 0 "positions with a damaged row" info three.wav damaged.csv
says "damaged.csv" "row 3" "abc"; ok "info says which" $?
expect 3 "beams without them" run cbf three.wav damaged.csv -o beams
sentence "damaged.csv" "row 3" "abc"; ok "run says which, too" $?
expect 3 "places without them" run localize three.wav damaged.csv -o places
sentence "damaged.csv" "row 3" "abc"; ok "and localize" $?
expect 0 "one element without them" run demon three.wav damaged.csv -o blades -q
sentence "damaged.csv" "row 3" "abc"; ok "demon computes, and says which" $?
wav longer.wav 2 1000 500 90000
expect 0 "a header that promises more" info longer.wav
says "promises 90 s" "ends after 0.5 s"; ok "info says so" $?
wav empty.wav 2 1000 0
expect 3 "no samples" info empty.wav
sentence "empty.wav" "no samples"; ok "no samples: one clear sentence" $?
wav many.wav 4000 1000 1
expect 3 "a sound file of 4000 channels" info many.wav
sentence "many.wav" "4000 channels" "1024"; ok "4000 channels: one clear sentence" $?
expect 2 "an operation on cubes" run pca three.wav -o nothing
[ ! -e nothing ]; ok "nothing is left of it" $?

# ---- array health: who is broken, and the array without it
expect 0 "a recording to be judged" simulate recording -o whole.wav array=line:8,1.5 seconds=8
expect 0 "its array health" run health whole.wav -o whole
says "8 elements, no trouble"; ok "nothing is wrong" $?
[ "$(tail -n +2 whole/elements.csv | cut -d, -f3 | sort -u)" = fine ]; ok "each of them is fine" $?
awk '/"gain"/ && ++k == 3 { sub (/: */, ": -") } { print }' whole.wav.array.json > turned.json
expect 0 "one that is reversed" run health whole.wav --array turned.json --mend mended.json
says "trouble with 1 of 8"; ok "is found" $?
expect 0 "mended" run health whole.wav --array mended.json
says "no trouble"; ok "it is fine again" $?
cp turned.json read.json; cp whole.wav same.wav; ln -s same.wav link.json; ln same.wav hard.json
for name in link.json hard.json same.wav.array.json; do
  cp whole.wav.array.json same.wav.array.json
  expect 3 "mended into what is read, as $name" run health same.wav --mend $name
  sentence "$name" "not replaced" || sentence same.wav "not replaced"; ok "one sentence" $?
done
cmp -s whole.wav same.wav && cmp -s whole.wav.array.json same.wav.array.json; ok "what is read stays" $?
expect 3 "mended into the array that is read" run health whole.wav --array read.json --mend read.json
cmp -s turned.json read.json; ok "that stays, too" $?
ln -s read.json other.json; echo '{ "of": "somebody else" }' > result.json; cp result.json foreign
expect 0 "mended into a foreign file" run health whole.wav --mend result.json -q
sentence "result.json" "result.json.~1~" && cmp -s foreign result.json.~1~ && grep -q eigenscope-array result.json
ok "that is kept, and named" $?
expect 0 "mended once more" run health whole.wav --mend result.json -q
[ ! -s err ] && [ ! -e result.json.~2~ ]; ok "what says the same is not kept" $?
# Nothing is computed where it is known that the array cannot be saved; where it fails later, the result stays.
expect 3 "mended into a folder that is not there" run health whole.wav -o known -q --mend nowhere/mended.json
sentence nowhere 'does not exist' && [ ! -e known ]; ok "before anything is computed" $?
expect 3 "mended into the result" run health whole.wav -o known -q --mend known/result.json
sentence result.json && [ ! -e known ]; ok "before anything is computed" $?
mkdir linked; ln -s linked to-linked; ln -s linked/result.json to-result.json
for name in to-linked/result.json to-result.json; do
  expect 3 "mended into the result, as $name" run health whole.wav -o linked -q --mend $name
  sentence result.json "needs another name" && [ -z "$(ls -A linked)" ]; ok "before anything is computed" $?
done
expect 3 "channels without places, with a result" run health three.wav -o known -q --mend none.json
[ ! -e known ]; ok "before anything is computed" $?
expect 0 "mended beside the result" run health whole.wav -o known -q --mend known/mended.json
[ -s known/result.json ] && grep -q eigenscope-array known/mended.json; ok "both are there" $?
expect 2 "mending by another operation" run lofar whole.wav --mend mended.json
expect 2 "into what is no JSON" run health whole.wav --mend mended.csv
for name in navigation calibration selection; do
  expect 3 "mended into what tells something else: $name" run health whole.wav --mend "other.wav.$name.json"
  [ ! -e "other.wav.$name.json" ]; ok "nothing is there then" $?
done
expect 3 "channels without places" run health three.wav --mend none.json
sentence "three.wav" "where the hydrophones"; [ ! -e none.json ]; ok "nothing to mend: one sentence, no file" $?

# ---- heights, of which beams of the horizon know nothing
printf 'x,y,z\n0,0,0\n1,0,0\n0,1,0\n0,0,1\n' > volume.csv
expect 0 "a volume of hydrophones" simulate recording -o volume.wav array=volume.csv seconds=1
for name in cbf mvdr; do
  expect 0 "$name of it" run $name volume.wav -q
  [ "$(grep -c 'elevation 0°.*localize' err)" -eq 1 ]; ok "says that it looks along the horizon, once" $?
done
run localize volume.wav -q azimuth=-180:160:20 elevation=0:0:1; ! grep -q 'elevation 0°' err; ok "localize does not" $?

# ---- silence, what is far and what is missing: the same in every file
wav silent.wav 4 4000 0 16000; head -c 128000 /dev/zero >> silent.wav
expect 0 "silence" run lofar silent.wav --array line:4,1.5 element=1 -o silence -q
[ "$(sed -n 2p silence/spectrum.csv | tr -d '\r' | cut -d, -f2)" = -inf ] \
  && [ "$(sed -n 2p silence/lofar.csv | cut -d, -f2)" = -inf ]; ok "silence is -inf in curves and fields" $?
expect 0 "a far source" run cbf three.wav --array line:3,1.5 ranges=far -o far -q
[ "$(sed -n 2p far/peaks.csv | cut -d, -f2)" = inf ] && [ "$(sed -n 2p far/detections.csv | cut -d, -f3)" = inf ] \
  && [ "$(sed -n 2p far/energy-field.csv | cut -d, -f1)" = inf ]; ok "far is inf in every table and field" $?

# ---- raw samples
{ noise 3000; printf x; } > raw.bin
expect 0 "raw samples" info raw.bin --channels 3 --rate 1000.5 --json
says '"channels" : 3' '"rate_hz" : 1000.5' '"frames" : 1000' "The last byte"; ok "they are read as told" $?
expect 0 "raw samples of another kind" info raw.bin --channels 2 --rate 100 --type int24 --byte-order big \
  --layout by-channel --offset 1
says "2 channels, 100 Hz, 10 s" int24; ok "they are read as told" $?
expect 3 "70000 channels" info raw.bin --channels 70000 --rate 100
sentence raw.bin "70000 channels" 65536; ok "70000 channels: one clear sentence" $?
expect 3 "more channels than bytes" info raw.bin --channels 5000 --rate 100
sentence raw.bin "6001 bytes" "10000"; ok "more channels than bytes: one clear sentence" $?
expect 3 "an unknown type" info raw.bin --channels 3 --rate 100 --type int12
sentence int12 float32; ok "an unknown type: one clear sentence" $?
expect 2 "channels without a rate" info raw.bin --channels 3
expect 2 "a type without channels" info raw.bin --type int16
expect 2 "a byte order that is none" info raw.bin --channels 3 --rate 100 --byte-order middle
sentence middle little big; ok "a byte order that is none: one clear sentence" $?
expect 2 "a layout that is none" info raw.bin --channels 3 --rate 100 --layout heap
expect 2 "a negative offset" info raw.bin --channels 3 --rate 100 --offset -5
expect 3 "told nothing" info raw.bin

# ---- adaptive beams: two sources 2.5 degrees apart
expect 0 "two sources" simulate recording -o pair.w64 array=line:32,1.5 rate=2000 seconds=12 ambient=-13 seed=3 \
  "sources=noise,88.75,0,300:500;noise,91.25,0,300:500"
expect 0 "adaptive beams" run mvdr pair.w64 -o adaptive angles=60:120:0.5 sources=2 compare=yes --previews
says "MVDR, strongest at" "Azimuth spectra"; ok "the steps are told" $?
bearings() {                   # bearings LIST: of result.json, rounded to degrees
  sed -n "/\"$1\" : \[/,/\]/p" adaptive/result.json | sed -n 's/.*"bearing_deg" : \([0-9.]*\).*/\1/p' | sort -n |
    while read -r bearing; do printf '%.0f ' "$bearing"; done
}
[ "$(bearings peaks)" = "89 91 " ]; ok "there are two ($(bearings peaks))" $?
[ "$(bearings peaks_cbf)" = "90 " ]; ok "conventional beams have one ($(bearings peaks_cbf))" $?
[ "$(bearings peaks_music | cut -d' ' -f1-2)" = "89 91" ]; ok "MUSIC has both ($(bearings peaks_music))" $?
for file in band-energy.csv beam-pattern.csv peaks.csv detections.csv tracks.csv methods.csv btr.csv btr-mvdr.csv \
            btr-music.csv fraz-mvdr.csv lofar.csv eigenvalues.csv btr-mvdr.png eigenvalues.png; do
  [ -s "adaptive/$file" ]; ok "$file is there" $?
done
[ "$(grep -c . adaptive/methods.csv)" -eq 5 ]; ok "every method was tried" $?
[ "$(cut -d, -f1 adaptive/tracks.csv | sort -u | grep -c '^[0-9]')" -eq 2 ]; ok "there are two tracks" $?
grep -q '"sources_mdl" : 2' adaptive/result.json; ok "MDL counts two" $?
expect 0 "again" run mvdr pair.w64 -o adaptive-2 angles=60:120:0.5 sources=2 method=cholesky --threads 1
cmp adaptive/btr-music.csv adaptive-2/btr-music.csv; ok "the same by one thread" $?
expect 2 "no loading and few snapshots" run mvdr pair.w64 -o singular blocks=1 loading=0
sentence "8" "32" "0.1 would do"; ok "no loading: one clear sentence" $?
[ ! -e singular ]; ok "nothing is left of it" $?
expect 2 "an unknown method" run mvdr pair.w64 -o singular method=gauss
sentence gauss cholesky woodbury; ok "an unknown method: one clear sentence" $?
expect 2 "more sources than elements" run mvdr pair.w64 -o singular sources=32
sentence 32; ok "more sources: one clear sentence" $?

# ---- a file without a rate
{ word 4 1; word 4 6; word 4 512; word 4 3; word 4 2; word 4 0; word 4 400; word 4 32677; head -c 480 /dev/zero
  noise 1536; } > x.sio
expect 3 "Scripps SIO without its rate" info x.sio
sentence x.sio "sampling rate"; ok "without its rate: one clear sentence" $?
expect 0 "Scripps SIO" info x.sio --rate 2000
says "3 channels, 2 kHz, 0.2 s" "Scripps SIO, int16"; ok "it is read" $?

echo "1..$n"
[ $failed -eq 0 ]
