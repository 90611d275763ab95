#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Many files: a list of them as a queue, and a watched folder; by one process, and by several where there is a launcher.
# usage: test-batch-many.sh EIGENSCOPE-BATCH PYTHON [MPIRUN MPI-MODULE]          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1"); python=$2; mpirun=${3:-}
export ES_CUDA_MODULE=none
[ -z "$mpirun" ] || { ES_MPI_MODULE=$(realpath "$4"); export ES_MPI_MODULE; }
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
. "$(dirname "$0")/batch-test.sh"
options=(--threads 1 --device cpu)

# Of report.json and report.csv, which have to say the same: FILE:OUTCOME:FOLDER a line, in order of the files.
outcomes() {
  "$python" - "$1" <<'PY'
import csv, json, os, sys
report = json.load(open(sys.argv[1] + '/report.json'))
rows = list(csv.DictReader(open(sys.argv[1] + '/report.csv', newline='')))
plain = [(os.path.basename(f['file']), f['outcome'], f.get('folder', ''), f.get('message', ''))
         for f in report['files']]
assert plain == [(os.path.basename(r['File']), r['Outcome'], r['Folder'], r['Message']) for r in rows], (plain, rows)
assert report['files_done'] == sum(f['outcome'] == 'done' for f in report['files']), report
assert report['files_failed'] == sum(f['outcome'] == 'failed' for f in report['files']), report
assert all(f['seconds'] > 0 for f in report['files'] if f['outcome'] == 'done'), report
assert all(f['message'] for f in report['files'] if f['outcome'] == 'failed'), report
print('\n'.join(sorted(':'.join(p[:3]) for p in plain)))
PY
}
are() {                        # are FOLDER LINE...: that is what became of the files, and nothing else
  local folder=$1; shift
  outcomes "$folder" > found 2>> err || return 1
  printf '%s\n' "$@" | diff - found >> err
}
cube() { "$batch" simulate cube -o "$1" width=40 height="${2:-30}" bands=20 seed="${3:-1}" > out 2> err || exit 1
         rm -f "${1%.img}"_*; }
# Lands whole, as a program would do that copies: first the header, then the samples.
land() { cp "scenes/$1.hdr" "$2/$3.hdr"; cp "scenes/$1.img" "$2/$3.img"; }

mkdir scenes twin
cube scenes/a.img 30 1; cube scenes/b.img 60 2; cube scenes/c.img 40 3; cube twin/a.img 30 4
head -c 1000 scenes/b.img > scenes/short.img; cp scenes/b.hdr scenes/short.hdr
for f in a b c; do "$batch" run pca scenes/$f.img -o one-$f "${options[@]}" -q > out 2> err || exit 1; done
same() { cmp -s "$1/components.img" "$2/components.img"; }

# ---- a list
expect 3 "a queue with a file that fails" run pca scenes/a.img scenes/short.img scenes/b.img twin/a.img scenes/c.img \
  -o list "${options[@]}"
sentence short.img; ok "which is named, once" $?
are list a.img:done:a a.img:done:a-2 b.img:done:b c.img:done:c short.img:failed:short
ok "the report tells what became of each" $?
same list/a one-a && same list/b one-b && same list/c one-c && [ -s list/a-2/result.json ] && [ ! -e list/short ]
ok "the others are analysed as by themselves" $?
[ -z "$(find list -name '.*' -type f)" ]; ok "and nothing else stays in the folder" $?
expect 0 "one file as a queue" run pca scenes/a.img --queue -o single "${options[@]}" -q
are single a.img:done:a && [ ! -s out ]; ok "has a report, too" $?
expect 3 "without a folder" run pca scenes/short.img scenes/a.img "${options[@]}"
grep -q '^a.img' out && [ "$(grep -c . err)" -eq 1 ]; ok "the others are computed as well" $?
expect 3 "a folder that cannot be made" run pca scenes/a.img scenes/b.img -o scenes/a.img/out
cp scenes/a.img report.csv.img; cp scenes/a.hdr report.csv.hdr
expect 0 "a file called like the report" run pca report.csv.img scenes/a.img -o called "${options[@]}" -q
are called a.img:done:a report.csv.img:done:report.csv-2; ok "has another name" $?
for i in 1 2; do "$batch" simulate recording -o pod.$i.wav seconds=2 array=line:1,1 > out 2> err; done
rm -f pod.*.json pod.*.csv
expect 0 "files of one recording" run lofar pod.1.wav pod.2.wav -o pods -q
[ -s pods/result.json ] && [ ! -e pods/report.csv ]; ok "stay one recording" $?
expect 0 "files of one recording as a queue" run lofar pod.1.wav pod.2.wav -o pods-queue --queue -q
are pods-queue pod.1.wav:done:pod.1 pod.2.wav:done:pod.2; ok "are two" $?

# ---- wrong usage
expect 2 "a list and a watched folder" run pca scenes/a.img --watch scenes -o o
expect 2 "a watched folder without a target" run pca --watch scenes
expect 2 "an end without a watched folder" run pca scenes/a.img -o o --until-idle 3
expect 2 "no time" run pca --watch scenes -o o --until-idle -3
expect 3 "a watched folder that is not there" run pca --watch nowhere -o o
sentence nowhere; ok "is named" $?
mkdir in; ln -s . in/loop
expect 3 "results in the watched folder itself" run pca --watch in -o in/loop --until-idle 0
sentence "or in it"; ok "are refused" $?
expect 3 "a watched folder in that of the results" run pca --watch in -o . --until-idle 0
expect 0 "results below it" run pca --watch in -o in/out --until-idle 0 --settle 0
[ ! -e o ]; ok "nothing is left of what was refused" $?

# ---- a watched folder
watch=(run pca --watch in -o watched "${options[@]}" --settle 0.3)
rm -rf in; mkdir in; land a in first; echo text > in/README.txt; echo hidden > in/.hidden
"$batch" "${watch[@]}" --until-idle 8 > out 2> err & pid=$!
await() { for _ in $(seq 300); do [ -e "$1" ] && return; kill -0 $pid 2> /dev/null || return; sleep 0.05; done; }
await watched/first/result.json
cp scenes/b.hdr in/second.hdr; head -c 20000 scenes/b.img > in/second.img; sleep 0.15
tail -c +20001 scenes/b.img >> in/second.img
await watched/second/result.json
cp scenes/short.img in/third.img; cp scenes/short.hdr in/third.hdr
cp scenes/c.img in/late.img; sleep 1; cp scenes/c.hdr in/late.hdr
wait $pid; got=$?
[ $got -eq 3 ]; ok "what lands is analysed until nothing lands any more, and one fails: exit status $got" $?
are watched README.txt:"not opened": first.img:done:first late.img:done:late second.img:done:second \
  third.img:failed:third
ok "each of them once, with its header" $?
same watched/first one-a && same watched/second one-b && same watched/late one-c
ok "as if it had been there whole from the beginning" $?

find watched -name result.json -exec md5sum {} + | sort > before
expect 0 "started again" "${watch[@]}" --until-idle 0.5
find watched -name result.json -exec md5sum {} + | sort | cmp -s before -
ok "nothing is analysed again, not even what failed" $?
sleep 0.01; land b in first
expect 0 "a file that was replaced" "${watch[@]}" --until-idle 0.5
are watched README.txt:"not opened": first.img:done:first first.img:done:first-2 late.img:done:late \
  second.img:done:second third.img:failed:third && same watched/first one-a && same watched/first-2 one-b
ok "is another one, and has a folder of its own" $?
expect 3 "another operation into the same folder" run mnf --watch in -o watched --until-idle 0
sentence "watch.journal" "mnf" || sentence "watch.journal" "pca"; ok "is refused" $?
cp -r watched broken; echo nonsense >> broken/watch.journal
expect 3 "a journal that is none" run pca --watch in -o broken --until-idle 0
sentence "watch.journal" "nonsense"; ok "says so" $?

# ---- ended, and killed
for signal in INT TERM; do
  rm -rf in ended; mkdir in; land a in first
  "$batch" run pca --watch in -o ended "${options[@]}" --settle 0.1 > out 2> err & pid=$!
  await ended/first/result.json; for _ in $(seq 100); do grep -q 'done' ended/watch.journal && break; sleep 0.02; done
  "$batch" run pca --watch in -o ended --until-idle 0 > out2 2> err2; [ $? -eq 3 ] && grep -q "Another run" err2
  ok "a second one in the same folder is refused" $?
  kill -$signal $pid; wait $pid; got=$?
  [ $got -eq 0 ] && [ ! -s err ] && are ended first.img:done:first; ok "SIG$signal ends it cleanly: exit status $got" $?
done
rm -rf in killed; mkdir in; land a in first
"$batch" run pca --watch in -o killed "${options[@]}" --settle 0.1 --until-idle 0.3 -q > out 2> err
"$batch" simulate cube -o in/large.img width=600 height=400 bands=60 > out 2> err; rm -f in/large_*
"$batch" run pca --watch in -o killed "${options[@]}" --settle 0.1 > out 2> err & pid=$!
for _ in $(seq 300); do grep -q 'begun.*large' killed/watch.journal && break; sleep 0.01; done
kill -KILL $pid; wait $pid 2> /dev/null
grep -q 'done.*large' killed/watch.journal; [ $? -eq 1 ]; ok "killed amid a file" $?
printf 'done\thalf a li' >> killed/watch.journal
stamp=$(stat -c %Y.%y killed/first/result.json)
expect 0 "started again after that" run pca --watch in -o killed "${options[@]}" --settle 0.1 --until-idle 0.5
are killed first.img:done:first large.img:done:large && [ "$(stat -c %Y.%y killed/first/result.json)" = "$stamp" ]
ok "that file alone is repeated" $?
[ -z "$(find killed -name '.*' -type f)" ]; ok "nothing half done stays behind" $?
rm -rf gone; mkdir gone
"$batch" run pca --watch gone -o gone-out > out 2> err & pid=$!
for _ in $(seq 100); do [ -e gone-out/report.csv ] && break; sleep 0.05; done
rmdir gone; wait $pid; got=$?
[ $got -eq 3 ] && sentence "watched folder"; ok "a folder that goes away: exit status 3 (was $got)" $?

# ---- several processes
if [ -z "$mpirun" ] || ! timeout 60 "$mpirun" -q -n 2 "$batch" info scenes/a.img > out 2> err; then
  ok "several processes # SKIP no launcher starts processes here" 0
  echo "1..$n"
  [ $failed -eq 0 ]; exit
fi
together() {
  timeout 100 "$mpirun" -q -n "$@" > out 2> all; local status=$?
  grep '^eigenscope-batch: ' all > err
  return $status
}
together 3 "$batch" run pca scenes/a.img scenes/short.img scenes/b.img twin/a.img scenes/c.img -o list-3 \
  "${options[@]}"; got=$?
[ $got -eq 3 ] && sentence short.img; ok "a queue of three processes: exit status 3 (was $got)" $?
are list-3 a.img:done:a a.img:done:a-2 b.img:done:b c.img:done:c short.img:failed:short
ok "has the same report" $?
same list-3/a one-a && same list-3/b one-b && same list-3/c one-c && same list-3/a-2 list/a-2
ok "and the same bytes" $?
[ "$(grep -c 'process [012]$' out)" -eq 4 ]; ok "each file is told once" $?
together 2 "$batch" run pca scenes/a.img scenes/b.img "${options[@]}"; [ $? -eq 2 ]
ok "without a folder it is refused" $?
# One has the large file, and the other ones the rest meanwhile.
"$batch" simulate cube -o scenes/z.img width=1200 height=800 bands=60 > out 2> err
for i in 1 2 3 4 5 6 7 8 9; do cp scenes/a.img scenes/s$i.img; cp scenes/a.hdr scenes/s$i.hdr; done
together 2 "$batch" run mnf scenes/z.img scenes/s[1-9].img -o balance denoise=true "${options[@]}"; got=$?
"$python" - <<'PY' >> err 2>&1
import json
files = json.load(open('balance/report.json'))['files']
of = {f['file'].rsplit('/', 1)[-1]: f['process'] for f in files}
assert len(of) == 10 and all(f['outcome'] == 'done' for f in files), files
small = [process for name, process in of.items() if name != 'z.img']
assert small.count(1 - of['z.img']) >= 6, of
PY
[ $? -eq 0 ] && [ $got -eq 0 ]; ok "who has a small file takes the next one" $?
rm -rf in; mkdir in; for f in a b c short; do land $f in $f; done
together 3 "$batch" run pca --watch in -o watched-3 "${options[@]}" --settle 0.2 --until-idle 1; got=$?
[ $got -eq 3 ] && are watched-3 a.img:done:a b.img:done:b c.img:done:c short.img:failed:short
ok "a watched folder and three processes: each file once, exit status 3 (was $got)" $?
timeout 100 "$mpirun" -q -n 2 "$batch" run pca --watch in -o watched-3 "${options[@]}" --settle 0.1 > out 2> err &
pid=$!
sleep 2; land a in more; await watched-3/more/result.json; sleep 0.5
kill -TERM $pid; wait $pid
are watched-3 a.img:done:a b.img:done:b c.img:done:c more.img:done:more short.img:failed:short
ok "ended by a signal, with its report" $?

echo "1..$n"
[ $failed -eq 0 ]
