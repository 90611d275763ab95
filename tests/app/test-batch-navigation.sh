#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# When a recording began and where its array points, told to eigenscope-batch by options, by a file beside it and a
# named one: the clock and the true bearings of its tables, a ship that turns among them.
# usage: test-batch-navigation.sh EIGENSCOPE-BATCH PYTHON    (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
python=$2
export ES_CUDA_MODULE=none
. "$(dirname "$0")/batch-test.sh"
says() {                       # out contains every word given
  local word; for word in "$@"; do grep -qF -- "$word" out || return 1; done
}
column() {                     # column FILE TITLE: its values
  "$python" - "$1" "$2" <<'P'
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
at = [i for i, t in enumerate(rows[0]) if t.startswith(sys.argv[2])][0]
print("\n".join(r[at] for r in rows[1:]))
P
}
all_near() {                   # all_near FILE TITLE VALUE WITHIN
  column "$1" "$2" | awk -v v="$3" -v w="$4" '{ d = $1 - v; while (d > 180) d -= 360; while (d < -180) d += 360;
    if (d > w || d < -w) bad = 1; n++ } END { exit bad || n == 0 }'
}

# 60 degrees from the axis
run simulate recording -o sea.wav array=line:16,1.5 seconds=20 rate=4000 ambient=-30 'sources=noise,60,-10,330:470'
[ -f sea.wav ]; ok "a recording to work on" $?
expect 0 "start and heading" info sea.wav --start 2026-05-01T12:00:00.25Z --heading 100
says "began 2026-05-01 12:00:00 UTC" "heading 100°"; ok "it tells them" $?
expect 0 "the same as JSON" info sea.wav --start 2026-05-01T12:00:00.25Z --heading 100 --json
says '"start" : "2026-05-01T12:00:00.250000Z"' '"heading-deg" : 100'; ok "it has them" $?

expect 0 "a result with them" run cbf sea.wav -o fixed block=1s --start 2026-05-01T12:00:00Z --heading 100
all_near fixed/peaks.csv "True, starboard" 160 0.2; ok "starboard" $?
all_near fixed/peaks.csv "True, port" 40 0.2; ok "port" $?
[ "$(column fixed/detections.csv Clock | sed -n 2p)" = 2026-05-01T12:00:01.500Z ]
ok "its rows are stamped in the middle of what they are of" $?
grep -q '"true_deg" : 16[0-9.]*\|"true_deg" : 159.9' fixed/result.json; ok "the result has it" $?
grep -q '"start" : "2026-05-01T12:00:00.000000Z"' fixed/result.json; ok "and when it began" $?

# ---- pictures: opaque, on axes, where this build draws them; bare ones have an alpha channel
colors() { od -An -tu1 -j25 -N1 "$1" | tr -d ' '; }
drawn=6
[ ! -f "$(dirname "$batch")/../render/libeigenscope-figure.so" ] || drawn=2
[ "$(colors fixed/btr.png)" = $drawn ] && [ "$(colors fixed/lofar.png)" = $drawn ]; ok "pictures have axes" $?
grep -qa 'Bearing 0.*180 °' fixed/btr.png; ok "and what they are in text" $?
expect 0 "once more" run cbf sea.wav -o again block=1s --start 2026-05-01T12:00:00Z --heading 100
cmp -s fixed/btr.png again/btr.png; ok "the same bytes" $?
expect 0 "a minute later" run cbf sea.wav -o later block=1s --start 2026-05-01T12:01:00Z --heading 100
! cmp -s fixed/btr.png later/btr.png; [ $? -eq $((drawn == 6)) ]; ok "the clock is in the picture" $?
printf '<?xml version="1.0"?><fontconfig><dir>%s/none</dir><cachedir>%s</cachedir></fontconfig>' "$PWD" "$PWD" \
  > fonts.conf
FONTCONFIG_FILE=$PWD/fonts.conf expect 0 "no font" run cbf sea.wav -o bare block=1s
[ "$(colors bare/btr.png)" = 6 ]; ok "then there are no axes" $?

expect 0 "nothing is told" run cbf sea.wav -o plain block=1s
! grep -q '"headings"' plain/result.json; ok "no heading without one" $?
! head -n 1 plain/detections.csv | grep -q 'True\|Clock'; ok "no column without numbers" $?
cut -d, -f1-6 fixed/detections.csv | tr -d '\r' > a
tr -d '\r' < plain/detections.csv | cmp -s a -; ok "everything else is the same" $?

# ---- the ship turns: what is a bearing of the array turns the other way, and true bearings of one side stand still
printf 'time,heading_deg\n2026-05-01T12:00:00Z,350\n2026-05-01T12:00:10Z,10\n2026-05-01T12:00:20Z,30\n' > heading.csv
expect 3 "a clock without a start" run cbf sea.wav -o no --heading heading.csv
sentence "tell its start first"; ok "it says what is missing" $?
expect 0 "headings over time" run cbf sea.wav -o turns block=1s --start 2026-05-01T12:00:00Z --heading heading.csv
column turns/tracks.csv "True, starboard" | awk 'NR == 1 { a = $1 } END { d = $1 - a; exit !(d > 37 && d < 39) }'
ok "38 degrees in 19 seconds" $?
grep -q '"true_deg" : null' turns/result.json; ok "none of the mean of all of it" $?
[ "$(grep -c '"headings" : true' turns/result.json)" = 2 ]; ok "fields over time have the heading of every row" $?
grep -qa 'true north, clockwise' turns/btr.h5 && grep -qa 'true north, clockwise' turns/lofar.h5; ok "in their files" $?

# ---- beside it
printf '{ "eigenscope-navigation": 1, "start": "2020-01-01T00:00:00Z", "heading-deg": 90 }' > sea.wav.navigation.json
expect 0 "a file beside it" info sea.wav
says "began 2020-01-01 00:00:00 UTC; heading 90°"; ok "it is taken" $?
expect 0 "what is named" info sea.wav --heading 100
says "heading 100°" "sea.wav.navigation.json"; ok "goes before it, and it says so" $?
expect 0 "none" info sea.wav --heading none
! says "heading 90"; ok "takes it away" $?
printf '{ "eigenscope-navigation": 1, "heading": 90 }' > sea.wav.navigation.json
expect 0 "one that cannot be read" info sea.wav
says "was not taken" "“heading” is not known"; ok "it says why" $?
expect 3 "a file that tells it is no recording" info sea.wav.navigation.json
rm sea.wav.navigation.json

expect 2 "no time" info sea.wav --start yesterday
expect 2 "no heading" info sea.wav --heading 400
expect 3 "no file" info sea.wav --heading missing.csv

echo "1..$n"
[ $failed -eq 0 ]
