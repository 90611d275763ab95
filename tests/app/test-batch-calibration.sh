#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What full scale is, told to eigenscope-batch: by options, by files beside a recording and named; and that all of them
# come to the same numbers in "info" and in results.
# usage: test-batch-calibration.sh EIGENSCOPE-BATCH          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
export ES_CUDA_MODULE=none
. "$(dirname "$0")/batch-test.sh"
says() {                       # out contains every word given
  local word; for word in "$@"; do grep -qF -- "$word" out || return 1; done
}
level() {                      # level DIR: of the first line
  sed -n 's/.*"level_db" : \([-0-9.]*\).*/\1/p' "$1/result.json" | head -n 1
}
near() {                       # near A B: within 0.001
  awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a - b < 0.001 && b - a < 0.001) }'
}

run simulate recording -o sea.wav array=line:4,1.5 seconds=4 rate=4000 ambient=-60 'sources=tone,60,-10,200'
[ -f sea.wav ]; ok "a recording to work on" $?

expect 0 "nothing is told" info sea.wav
says "not calibrated" "--sensitivity"; ok "it says so, and how to tell" $?
expect 0 "a result that is not calibrated" run lofar sea.wav -o plain element=1
plain=$(level plain)

# ---- options: 2.5 V at -180 dB re 1 V/µPa after 20 dB are 167.96 dB re 1 µPa
expect 0 "three numbers" info sea.wav --sensitivity -180 --gain 20 --adc-range 2.5
says "full scale is 168.0 dB re 1 µPa" "sensitivity -180 dB re 1 V/µPa, gain 20 dB, ADC range 2.5 V" "told by hand"
ok "what they come to" $?
expect 0 "a result with them" run lofar sea.wav -o told element=1 --sensitivity -180 --gain 20 --adc-range 2.5
near "$(level told)" "$(awk -v p="$plain" 'BEGIN { print p + 167.9588 }')"; ok "the level is that much higher" $?
grep -q '"sensitivity-db" : -180' told/result.json; ok "the result names them" $?
expect 0 "full scale itself" info sea.wav --full-scale 2.5e8 --json
says '"calibration_upa" : 250000000'; ok "in micropascals" $?
expect 0 "one number a channel" info sea.wav --sensitivity -180,-181,-182,-183 --gain 20 --adc-range 2.5 --json
[ "$(grep -c '"calibration_upa" : ' out)" -eq 5 ] && says '"calibration_upa" : 250000000' 'calibration_upa" : 280504'
ok "each channel has its own" $?
expect 0 "a gap among them" info sea.wav --full-scale 1e8,none,1e8,1e8
says "1 channel of 4 is not calibrated (2)"; ok "is said" $?
expect 2 "beams with that gap" run cbf sea.wav -o gap --full-scale 1e8,none,1e8,1e8
sentence "Channel 2 is not calibrated"; ok "are refused in one sentence" $?
[ ! -e gap ]; ok "and leave nothing" $?

# ---- files: beside, named
printf '{"eigenscope-calibration":1,"upa-per-unit":1e7}' > sea.wav.calibration.json
expect 0 "a file beside it" info sea.wav
says "full scale is 140.0 dB re 1 µPa" "from “sea.wav.calibration.json” beside it"; ok "is taken, and said" $?
printf 'channel,sensitivity_db,gain_db\n1,-180,20\n2,-181,20\n3,-182,20\n4,-183,20\n' > lab.csv
expect 0 "a named one wins" info sea.wav --calibration lab.csv --adc-range 2.5
says "168.0 to 171.0 dB re 1 µPa, by channel" "from “lab.csv”" "“sea.wav.calibration.json” says of it was left"
ok "and both are said" $?
expect 0 "numbers win" info sea.wav --full-scale 2e7
says "146.0 dB"; ok "over the one beside it" $?
expect 0 "none" info sea.wav --calibration none
says "not calibrated"; ok "leaves the one beside it" $?
expect 0 "a result of the table" run lofar sea.wav -o table element=3 --calibration lab.csv --adc-range 2.5
expect 0 "and of its numbers" run lofar sea.wav -o numbers element=3 --sensitivity -180,-181,-182,-183 --gain 20 \
  --adc-range 2.5
near "$(level table)" "$(level numbers)"; ok "read the same" $?
expect 0 "of a saved result" info table
printf '{"eigenscope-calibration":1}' > sea.wav.calibration.json
expect 0 "a file beside it that says nothing" info sea.wav
says "not calibrated" "was not taken: “sea.wav.calibration.json”: the sensitivity is missing"; ok "is told of" $?
expect 0 "beams of it" run cbf sea.wav -o uncalibrated -q
grep -qF "was not taken: “sea.wav.calibration.json”: the sensitivity is missing" err; ok "run says so, too" $?
expect 3 "the same named" info sea.wav --calibration sea.wav.calibration.json
sentence "“sea.wav.calibration.json”" "sensitivity is missing"; ok "is an error" $?
expect 3 "one that is not there" info sea.wav --calibration nowhere.json
sentence "nowhere.json"; ok "is named" $?
expect 3 "a calibration alone" info sea.wav.calibration.json
sentence "holds no samples"; ok "is no recording" $?

# ---- usage
expect 2 "a positive sensitivity" info sea.wav --sensitivity 180 --adc-range 1
sentence "--sensitivity" "−180"; ok "is refused" $?
expect 2 "a gain alone" info sea.wav --gain 20
sentence "--gain" "sensitivity is missing"; ok "is not enough" $?
expect 2 "no number" info sea.wav --sensitivity loud --adc-range 1
sentence "“loud”"; ok "is named" $?
expect 2 "too many" info sea.wav --full-scale 1,2,3,4,5
sentence "5 numbers" "4 channels"; ok "are counted" $?
expect 2 "none and a number" info sea.wav --calibration none --gain 3
expect 2 "a list beside a file" info sea.wav --calibration lab.csv --adc-range 1,2,3,4
run simulate cube -o cube.img
expect 2 "of a cube" info cube.img --full-scale 1e6
sentence "--full-scale" "cube"; ok "there is none" $?

echo "1..$n"
[ $failed -eq 0 ]
