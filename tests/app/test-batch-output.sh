#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What eigenscope-batch prints: JSON that every parser takes, no control characters of files and their names, and a
# status that tells when it could not be written.
# usage: test-batch-output.sh EIGENSCOPE-BATCH PYTHON          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
python=$2
export ES_CUDA_MODULE=none
. "$(dirname "$0")/batch-test.sh"
# As RFC 8259 has it: no NaN, no Infinity, no name twice.
strict() {                     # strict FILE
  "$python" - "$1" << 'END' 2> err
import json, sys
def refuse (word):
    raise ValueError (word)
def once (pairs):
    assert len (dict (pairs)) == len (pairs), pairs
    return dict (pairs)
with open (sys.argv[1], encoding='utf-8') as file:
    json.loads (file.read (), parse_constant=refuse, object_pairs_hook=once)
END
}
prints_json() {                # prints_json DESCRIPTION ARGUMENTS...
  local description=$1; shift
  "$batch" "$@" --json > out 2> err && strict out
  ok "$description" $?
}
clean() {                      # neither C0 but line ends, nor DEL, nor C1, nor marks of direction
  ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]' "$@"
}

# ---- JSON
"$batch" simulate cube -o cube.img width=20 height=20 bands=6 > out 2>&1
"$batch" simulate recording -o sound.wav array=line:4,1.5 seconds=3 rate=4000 > out 2>&1
# Numbers that are hard to write: 1e-10, and some that no file can promise.
printf 'x,y,z,name\n0,0,1e-10,"a ""b"" \\ c"\n1e-10,1,0,\n2,2,-1e-22,\n3,3,1e-7,\n' > places.csv
sed -i '/^band names/d; /^wavelength/d' cube.hdr
printf 'wavelength units = Nanometers\nwavelength = {1e-10, 2e22, 3e-7, 4, 5, 6}\ndata ignore value = nan\n' >> cube.hdr
printf 'map info = {x, 1, 1, 1e-10, 1e22, 1e-10, 1e-10}\nreflectance scale factor = 1e300\n' >> cube.hdr
prints_json "operations" operations
grep -q '1e-10' out; ok "with the number that json-glib writes wrongly" $?
prints_json "devices" devices
prints_json "info of a cube" info cube.img
prints_json "info of a recording" info sound.wav
prints_json "info of a recording and its places" info sound.wav places.csv
prints_json "compare" compare pca cube.img --repeats 1
prints_json "compare of a recording" compare lofar sound.wav --repeats 1
prints_json "bench" bench blas --repeats 1 --directory "$work/bench"
prints_json "the command lines of bench" bench far-beams-64 --commands --directory "$work/bench"
grep -q '"%output"' out && [ -f "$work/bench/64x4s.w64" ]; ok "with its sample, and where the results go" $?
"$batch" run pca cube.img -o pca > out 2>&1 && strict pca/result.json; ok "result.json of a cube" $?
"$batch" run cbf sound.wav places.csv -o cbf > out 2>&1 && strict cbf/result.json; ok "result.json of a recording" $?
strict sound.wav.array.json; ok "the array beside a recording" $?

# ---- control characters
name=$'e\e[31m\a\nv\xc2\x9b2J\xe2\x80\xaeil'
cp cube.img "$name.img"
sed "s/^description.*/description = {\x1b]0;title\x07}/" cube.hdr > "$name.hdr"
printf 'band names = {\x1b[2J, b\x07, c, d, e, f}\ncoordinate system string = {\x1b[1m}\n' >> "$name.hdr"
"$batch" info "$name.img" > out 2> err && clean out err; ok "info of a file whose name and header command a terminal" $?
grep -qF 'e\x1b[31m\x07\x0av\x9b2J\u202eil.img' out; ok "its name is shown" $?
"$batch" info "$name.img" --json > out 2> err && clean out err && strict out; ok "the same as JSON" $?
"$batch" run pca "$name.img" -o named > out 2> err && clean out err; ok "an analysis of it" $?
printf 'ENVI\nsamples = \x1b[31m\nlines = 2\nbands = 3\ndata type = 2\ninterleave = b\x07q\n' > bad.hdr
head -c 600 /dev/zero > bad.img
"$batch" info bad.img > out 2> err; [ $? -eq 3 ] && clean out err; ok "a header that cannot be read" $?
"$batch" info "$name.nothing" > out 2> err; [ $? -eq 3 ] && clean out err; ok "a file that is not there" $?
"$batch" run pca cube.img "components=$name" > out 2> err; [ $? -eq 2 ] && clean out err; ok "a parameter" $?
"$batch" "$name" > out 2> err; [ $? -eq 2 ] && clean out err; ok "a verb" $?
"$batch" info "--$name" > out 2> err; [ $? -eq 2 ] && clean out err; ok "an option" $?
printf 'x,y,z,name\n0,0,0,"\x1b[31m\x07"\n0,0,0,b\n' > doubled.csv
"$batch" info sound.wav --array doubled.csv > out 2> err; [ $? -eq 3 ] && clean out err; ok "an element's name" $?

# ---- where it goes
for arguments in "--help" "--version" "operations" "operations --json" "operations --help" "devices" "info cube.img" \
                 "info cube.img --json" "info sound.wav" "compare pca cube.img --repeats 1" "run pca cube.img"; do
  # shellcheck disable=SC2086
  "$batch" $arguments > /dev/full 2> err
  [ $? -eq 3 ] && [ "$(grep -c 'could not be written' err)" -eq 1 ]; ok "$arguments into a full disk" $?
done
# What is printed last is all there, wherever it goes, though the program leaves at once; times differ, and with them
# what is said of each step.
without_times() { sed -E '/ ms( |$)/d; /^  [A-Z][^:]*: /d'; }
"$batch" run pca cube.img -o whole > to-file 2> err-file; [ $? -eq 0 ] && grep -q '/whole$' to-file && [ ! -s err-file ]
ok "a summary into a file" $?
for k in 1 2 3; do "$batch" run pca cube.img -o whole 2> err | without_times > to-pipe-$k; done
without_times < to-file > wanted
cmp -s to-pipe-1 wanted && cmp -s to-pipe-2 wanted && cmp -s to-pipe-3 wanted; ok "the same into a pipe" $?
"$batch" operations --json > to-file; "$batch" operations --json | cat | cmp -s - to-file; ok "much into a pipe" $?
"$batch" run pca cube.img -o whole --device cuda:7 > to-file 2> err
[ $? -eq 4 ] && [ ! -s to-file ] && [ "$(wc -l < err)" -eq 1 ]
ok "an error into a file" $?
"$batch" info missing.img > /dev/full 2> err; [ $? -eq 3 ] && ! grep -q 'could not be written' err
ok "an error of its own is said once" $?
# What came closed is not taken by a file of data, into which the rest would be printed.
failed=0
for k in 1 2 3 4 5 6 7 8; do
  "$batch" info cube.img <&- >&- 2> err; [ $? -eq 3 ] && grep -q 'could not be written' err || failed=1
  "$batch" info cube.img <&- >&- 2>&-; [ $? -eq 3 ] || failed=1
done
ok "no place to print" $failed
(rm -rf closed open && mkdir closed open && cp cube.img cube.hdr closed && cp cube.img cube.hdr open
 cd closed && "$batch" run pca cube.img -o whole components=40 <&- >&- 2>&-
 "$batch" run pca cube.img -o whole <&- >&- 2>&-
 "$batch" simulate cube -o made.img width=9 height=9 bands=9 <&- 2>&-
 cd ../open && "$batch" run pca cube.img -o whole
 "$batch" simulate cube -o made.img width=9 height=9 bands=9) > out 2>&1
rm -f closed/whole/{result.json,steps.csv} open/whole/{result.json,steps.csv}
diff -r closed open > out 2>&1; ok "files are the same without a place to print" $?
set -o pipefail
for arguments in "operations" "operations --json" "info cube.img"; do
  # shellcheck disable=SC2086
  "$batch" $arguments 2> err | true; [ $? -eq 0 ] && [ ! -s err ]; ok "$arguments into a pipe that nobody reads" $?
done
for arguments in "run pca cube.img" "simulate cube width=20 height=20 bands=8" "simulate recording seconds=1"; do
  # shellcheck disable=SC2086
  "$batch" $arguments -o '' > out 2> err; [ $? -eq 2 ] && grep -q 'o cannot be “”: expected' err
  ok "$arguments into nothing" $?
done
long=$(printf 'x%.0s' $(seq 300))
"$batch" run pca cube.img -o "$long" > out 2> err; [ $? -eq 3 ] && grep -q 'File name too long' err
ok "why a folder could not be made" $?
# A link whose file is not there yet stays one, as one whose file is there does.
mkdir linked
ln -s linked/new.png hop.png
ln -s hop.png link.png
ln -s nowhere/new.png lost.png
"$batch" composite cube.img -o link.png > out 2> err
[ $? -eq 0 ] && [ -L link.png ] && [ -L hop.png ] && [ -f linked/new.png ] && [ ! -L linked/new.png ]
ok "a picture into a link to what is not there yet" $?
cp linked/new.png before.png
"$batch" composite cube.img -o link.png > out 2> err
[ $? -eq 0 ] && [ -L link.png ] && [ -L hop.png ] && cmp -s linked/new.png before.png
ok "the same once it is there" $?
"$batch" composite cube.img -o lost.png > out 2> err
[ $? -eq 3 ] && grep -q 'nowhere” does not exist' err && [ -L lost.png ]; ok "a link into a folder that is not there" $?
mkfifo pipe
timeout -s KILL 20 "$batch" simulate cube -o pipe width=20 height=20 bands=8 > out 2> err
[ $? -eq 3 ] && grep -q 'it is no file, but a device or a pipe' err; ok "a cube into a pipe" $?
# Nobody waits for somebody who might read, whatever is written there.
into () {                      # into DESCRIPTION SENTENCE ARGUMENTS...
  local description=$1 sentence=$2; shift 2
  timeout -s KILL 20 "$batch" "$@" > out 2> err
  [ $? -eq 3 ] && [ "$(wc -l < err)" -eq 1 ] && grep -q "$sentence" err; ok "$description" $?
}
unread='it is a pipe that nobody reads from'
ln -s pipe pipe.png
ln -s pipe pipe.mtx
ln -s pipe pipe.csv
into "a picture into a pipe that nobody reads" "$unread" composite cube.img -o pipe.png
into "a picture of a matrix" "$unread" spy poisson2d:4x4 -o pipe.png
into "a matrix" "$unread" simulate matrix name=poisson2d:4x4 -o pipe.mtx
into "a profile" "$unread" profile cube.img line=1,1,10,10 -o pipe
into "a plan" "$unread" plan pca shape=614x512x224:int16 --cluster sixty-four -o pipe.csv
mkdir piped queued
mkfifo piped/composite.png queued/report.csv piped/eigenvalues.csv .held.eigenscope-checkpoint
into "a table of a result" 'it is no file, but a device or a pipe' run pca cube.img -o piped -q
rm piped/eigenvalues.csv
into "a picture beside a result" 'it is no file, but a device or a pipe' run pca cube.img -o piped -q --rgb 1,2,3
into "the report of many" "$unread" run pca cube.img -o queued -q --queue
into "a checkpoint" 'is no checkpoint of a run' run pca cube.img -o held -q --resume
"$python" -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket.png")'
into "a picture into a socket" 'it is no file, but a socket' composite cube.img -o socket.png
"$batch" profile cube.img line=1,1,10,10 -o profile.csv > out 2> err
"$batch" profile cube.img line=1,1,10,10 -o /dev/null > out 2> err; ok "into nowhere" $?
"$batch" profile cube.img line=1,1,10,10 -o /dev/stdout 2> err | cat > read.csv
cmp -s profile.csv read.csv; ok "into standard output, a pipe" $?
cat pipe > read.csv &
"$batch" profile cube.img line=1,1,10,10 -o pipe > out 2> err; wait $!
cmp -s profile.csv read.csv; ok "into a pipe that somebody reads" $?

echo "1..$n"
[ $failed -eq 0 ]
