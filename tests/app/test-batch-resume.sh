#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs that are stopped and gone on with: the same bytes at the end as of one that was not, wherever it was stopped;
# what does not fit is refused in one sentence; nothing stays behind.
# usage: test-batch-resume.sh EIGENSCOPE-BATCH PYTHON COMPARE-RESULTS [MPIRUN MPI-MODULE]          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1"); python=$2; compare=$(realpath "$3"); mpirun=${4:-}
[ -n "${5:-}" ] && { ES_MPI_MODULE=$(realpath "$5"); export ES_MPI_MODULE; }
export ES_CUDA_MODULE=none OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none
. "$(dirname "$0")/batch-test.sh"

"$batch" simulate cube -o cube.img width=120 height=600 bands=30 seed=3 > out 2> err || exit 1
"$python" - <<'PY'
import array, re
samples = array.array('h')
samples.frombytes(open('cube.img', 'rb').read())
header = open('cube.hdr').read()
for name, code, values in (('byte', 1, array.array('B', (min(max(v // 40, 0), 255) for v in samples))),
                           ('float', 4, array.array('f', (v * 0.37 for v in samples)))):
    open(name + '.img', 'wb').write(values.tobytes())
    open(name + '.hdr', 'w').write(re.sub(r'data type *= *\d+', f'data type = {code}', header))
PY
# Tiles so small that there are many of them.
common=(--memory 4M --device cpu --threads 1 -q)
kept=.res.eigenscope-checkpoint

# by N ARGUMENTS...: as so many processes; what the launcher itself says is left out
by() {
  local processes=$1 status; shift
  if [ "$processes" -eq 1 ]; then "$batch" "$@" > out 2> err; return; fi
  timeout 120 "$mpirun" -q -n "$processes" "$batch" "$@" > out 2> all; status=$?
  grep '^eigenscope-batch: ' all > err
  return $status
}
# What was done before is not done again.
reads_less() {
  "$python" - <<'PY'
import json
one, res = ([stage['work']['file_bytes'] for stage in json.load(open(name + '/result.json'))['stages']
             if stage['name'] == 'input'][0] for name in ('one', 'res'))
raise SystemExit(res >= one)
PY
}
# resumes DESCRIPTION "STOPS..." "N..." ARGUMENTS...: the run is stopped after so many looks by so many processes, one
# after the other, and then it ends; its files are those of a run that was not stopped.
resumes() {
  local description=$1 stops processes stop status=0 began=0 i=0 more=(); shift
  read -ra stops <<< "$1"; read -ra processes <<< "$2"; shift 2
  rm -rf one res $kept
  by 1 run "$1" "${common[@]}" -o one "${@:2}" || { ok "$description" 1; return; }
  for stop in "${stops[@]}" 0; do
    ES_CHECKPOINT_STOP=$stop by "${processes[i]}" run "$1" "${common[@]}" -o res "${more[@]}" "${@:2}"; status=$?
    more=(--resume)
    [ $stop -gt 0 ] || break
    [ $status -eq 5 ] && [ -s $kept ] && sentence "--resume" && [ ! -e res ] \
      || { echo "# status $status at $stop"; ok "$description" 1; return; }
    began=$((began + 1)); i=$((i + 1))
  done
  [ $status -eq 0 ] && [ ! -e $kept ] && [ ! -s err ] && reads_less && "$python" "$compare" one res > err
  ok "$description, stopped $began times" $?
}
resumes "pca of 8 bits" "3 5" "1 1 1" pca byte.img components=6
resumes "pca of float32" "3 4 2" "1 1 1 1" pca float.img components=6
resumes "pca quantised" "2 5" "1 1 1" pca float.img quantise=8bit
resumes "pca of a window" "2" "1 1" pca cube.img --subset 10,20,90,150
resumes "mnf of 16 bits" "3 2" "1 1 1" mnf cube.img
resumes "mnf of float32, neighbours all round" "4 3" "1 1 1" mnf float.img noise=mean-residual keep=coherence
resumes "fastica, one after the other" "3 9 5 2" "1 1 1 1 1" fastica cube.img components=5 \
  moments=never approach=deflation
resumes "fastica, all at once" "12 3 2" "1 1 1 1" fastica float.img components=4 g=tanh
resumes "fastica by moments" "9 3" "1 1 1" fastica byte.img components=4 g=cubic moments=always
# At each place there is.
status=0
for stop in 1 2 4 6 8 10 11 12 13 14 15 16; do
  rm -rf res $kept
  ES_CHECKPOINT_STOP=$stop by 1 run fastica float.img "${common[@]}" -o res components=4 g=tanh
  [ -e $kept ] || { echo "# nothing is kept at $stop"; continue; }
  by 1 run fastica float.img "${common[@]}" -o res components=4 g=tanh --resume \
    && "$python" "$compare" one-4 res > err 2>&1 || { [ "$stop" -eq 1 ] || status=1; }
  [ -d one-4 ] || cp -r res one-4
done
ok "fastica, stopped anywhere" $status

if [ -n "$mpirun" ] && by 2 run pca byte.img "${common[@]}" components=2; then
  resumes "pca of float32 by three processes" "2 2" "3 3 3" pca float.img components=6
  resumes "pca of 8 bits by three, two and one" "2 2" "3 2 1" pca byte.img components=6
  resumes "pca of float32 by three, one, and two" "2 4" "3 1 2" pca float.img components=6
  resumes "mnf of float32 by two and three" "3" "2 3" mnf float.img noise=mean-residual keep=coherence
  resumes "mnf of 16 bits by three and two" "2" "3 2" mnf cube.img
  resumes "fastica by three and two" "4 5 3" "3 3 2 2" fastica float.img components=4 g=tanh
fi

# ---- signals
start() {
  "$batch" "$@" > out 2> err & pid=$!
  while [ -e /proc/$pid/exe ] && ! [ /proc/$pid/exe -ef "$batch" ]; do :; done
}
long=(run fastica float.img "${common[@]}" -o res g=gauss components=25 moments=never tolerance=1e-10 iterations=300)
rm -rf one res $kept
by 1 "${long[@]/#res/one}"; ok "a long run" $?
# stopped_by SIGNAL: the long run, amid its work. A busy machine may have nothing yet to keep: then it is stopped later.
stopped_by() {
  local later got
  for later in 0.4 2 8; do
    rm -rf res $kept; start "${long[@]}"
    for _ in $(seq 500); do [ -e res ] && break; kill -0 $pid 2> /dev/null || break; sleep 0.02; done
    sleep $later; kill -"$1" $pid; wait $pid 2> /dev/null; got=$?
    [ $got -eq 5 ] && [ ! -e $kept ] || break
  done
  return $got
}
for signal in TERM USR1; do
  stopped_by $signal
  [ $? -eq 5 ] && sentence "--resume" $kept && [ -s $kept ] && [ ! -e res ]; ok "SIG$signal leaves a checkpoint" $?
  by 1 "${long[@]}" --resume && [ ! -e $kept ] && "$python" "$compare" one res > err; ok "that is gone on with" $?
done
rm -rf res; start "${long[@]}"; sleep 0.4; kill -INT $pid; wait $pid 2> /dev/null
[ $? -eq 5 ] && [ ! -e $kept ]; ok "SIGINT leaves none" $?
rm -rf res; start "${long[@]}" --checkpoint-every 0.001
for _ in $(seq 300); do [ -e $kept ] && break; sleep 0.02; done
sleep 0.2; kill -KILL $pid; wait $pid 2> /dev/null
[ -s $kept ]; ok "what is written every so many minutes is there after the process has vanished" $?
rm -rf res; by 1 "${long[@]}" --resume && [ ! -e $kept ] && "$python" "$compare" one res > err
ok "and is gone on with" $?

if [ -n "$mpirun" ] && by 2 run pca byte.img "${common[@]}" components=2; then
  rm -rf out-one; mv one one-long
  begin() {                    # processes that go on for a while
    rm -rf res $kept; timeout 60 "$mpirun" -q -n 3 "$batch" "${long[@]}" "$@" > out 2> all & launcher=$!
    for _ in $(seq 300); do
      mapfile -t pids < <(pgrep -f "^$batch ${long[0]} ${long[1]} ${long[2]} " | sort -n)
      [ ${#pids[@]} -eq 3 ] && [ -e res ] && break
      sleep 0.02
    done
    sleep 0.5
  }
  goes_on() { by "$1" "${long[@]}" --resume && [ ! -e $kept ] && "$python" "$compare" one-long res > err; }
  begin; kill -USR1 "$(pgrep -P $launcher)"; wait $launcher 2> /dev/null
  [ -s $kept ] && grep -q -- --resume all && [ ! -e res ]; ok "the launcher hands SIGUSR1 on" $?
  goes_on 2; ok "two processes go on" $?
  begin; kill -TERM "${pids[1]}"; wait $launcher 2> /dev/null
  [ -s $kept ] && [ ! -e res ]; ok "SIGTERM to one of them stops all" $?
  goes_on 1; ok "one process goes on" $?
  begin --checkpoint-every 0.001; kill -KILL "${pids[2]}"; wait $launcher 2> /dev/null
  [ -s $kept ]; ok "a process that has vanished leaves what was written before" $?
  goes_on 3; ok "three processes go on" $?
fi

# ---- what does not fit
rm -rf res
small=(run pca byte.img "${common[@]}" -o res components=6)
ES_CHECKPOINT_STOP=4 by 1 "${small[@]}"; cp $kept whole
refused() {                    # refused DESCRIPTION WORD ARGUMENTS...
  local description=$1 word=$2; shift 2
  by 1 "$@" --resume; [ $? -eq 3 ] && sentence "$word" && cmp -s whole $kept; ok "$description is refused" $?
}
refused "another parameter" components run pca byte.img "${common[@]}" -o res components=5
refused "another input" input run pca cube.img "${common[@]}" -o res components=6
refused "another operation" operation run mnf byte.img "${common[@]}" -o res
refused "another window" "takes part" run pca byte.img "${common[@]}" -o res components=6 --subset 10,20,90,150
refused "other memory" memory run pca byte.img --device cpu --threads 1 -q -o res components=6
expect 2 "an operation without" run lofar sea.wav -o res --resume; sentence lofar; ok "says so" $?
expect 2 "nowhere" run pca byte.img --resume
expect 2 "a negative number" run pca byte.img -o res --checkpoint-every -1

# ---- files that are broken
"$python" - > cuts <<'PY'
import random
data = open('whole', 'rb').read()
random.seed(5)
sizes = [n for n in range(0, len(data), 64)]
# All of the header and of the end, and a sample between.
if len(sizes) > 60:
    sizes = sizes[:20] + random.sample(sizes[20:-20], 20) + sizes[-20:]
for n in sizes:
    print('cut', n)
for n in list(range(0, 64, 4)) + random.sample(range(64, len(data)), 30) + [len(data) - 1]:
    print('flip', n)
PY
status=0
while read -r how at; do
  "$python" - "$how" "$at" <<'PY'
import sys
data = bytearray(open('whole', 'rb').read())
at = int(sys.argv[2])
if sys.argv[1] == 'cut':
    data = data[:at]
else:
    data[at] ^= 0x41
open('.res.eigenscope-checkpoint', 'wb').write(data)
PY
  by 1 "${small[@]}" --resume; got=$?
  [ $got -eq 3 ] && sentence checkpoint || { echo "# $how $at: $got"; sed 's/^/# /' err; status=1; }
done < cuts
ok "$(wc -l < cuts) broken files, each one sentence" $status
# With a checksum that is right for what is wrong.
"$python" - <<'PY'
import hashlib, struct
data = bytearray(open('whole', 'rb').read())[:-32]
pieces = data.rfind(b'covariance') + 18
struct.pack_into('<Q', data, pieces + 4 * 8, 7)
open('.res.eigenscope-checkpoint', 'wb').write(data + hashlib.sha256(data).digest())
PY
by 1 "${small[@]}" --resume; [ $? -eq 3 ] && sentence "does not fit"; ok "numbers that cannot be" $?

# ---- places
echo mine > $kept
by 1 "${small[@]}" --resume; [ $? -eq 3 ] && sentence "no checkpoint" && [ "$(cat $kept)" = mine ]
ok "somebody's file is not read" $?
rm -rf res; ES_CHECKPOINT_STOP=4 by 1 "${small[@]}"
[ $? -eq 5 ] && sentence "no checkpoint" && [ "$(cat $kept)" = mine ]; ok "nor replaced" $?
rm -f $kept; mkdir folder
ES_CHECKPOINT_STOP=4 by 1 "${small[@]}" --checkpoint folder; [ $? -eq 5 ] && [ -s folder/res.eigenscope-checkpoint ]
ok "a folder for it" $?
by 1 "${small[@]}" --checkpoint folder --resume && [ -z "$(ls folder)" ]; ok "is empty afterwards" $?
rm -rf res; by 1 "${small[@]}" --resume; [ $? -eq 0 ] && sentence "no checkpoint"
ok "nothing to resume begins at the beginning" $?

echo "1..$n"
[ $failed -eq 0 ]
