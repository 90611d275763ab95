#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How several processes fare: their progress, the steps of all, and numbers of them beside each other.
# usage: test-batch-processes.sh EIGENSCOPE-BATCH PYTHON [MPIRUN MPI-MODULE]          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1"); python=$2; mpirun=${3:-}
export ES_CUDA_MODULE=none
[ -z "$mpirun" ] || { ES_MPI_MODULE=$(realpath "$4"); export ES_MPI_MODULE; }
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
. "$(dirname "$0")/batch-test.sh"

"$batch" simulate cube -o cube.img width=300 height=200 bands=60 > out 2> err || exit 1
"$batch" simulate recording -o sea.wav seconds=2 > out 2> err || exit 1
expect 2 "numbers that are none" compare pca cube.img --processes 1,many
sentence "1,many"; ok "are named" $?
expect 2 "no process at all" compare pca cube.img --processes 0
expect 2 "processes and devices" compare pca cube.img --processes 1,2 --devices cpu-1
sentence cpu-1 cuda; ok "are named" $?
expect 2 "what one process computes" compare lab-mandelbrot cpu --processes 1,2
sentence lab-mandelbrot; ok "is named" $?
expect 2 "a plan of devices" compare pca cube.img --plan here; sentence --processes; ok "says what it goes with" $?
mkdir empty
PATH=$work/empty "$batch" compare pca cube.img --processes 1,2 > out 2> err; [ $? -eq 4 ] && sentence mpirun PATH
ok "without a launcher: one sentence" $?
mkdir refusing
printf '#!/bin/sh\nprintf "%%s\\n" ------ "mpirun was asked" "to say no." "" "And much more." ------ >&2\nexit 1\n' \
  > refusing/mpirun
chmod +x refusing/mpirun
PATH=$work/refusing:$PATH "$batch" compare pca cube.img --processes 1,2 > out 2> err; [ $? -eq 4 ] \
  && grep -qx "eigenscope-batch: A run of 1 process failed: mpirun was asked to say no." err
ok "what a launcher refuses is told in its first sentence" $?
expect 0 "one process" run pca cube.img -o alone --device cpu
head -n 1 alone/steps.csv | grep -q Waiting; [ $? -eq 1 ] && ! grep -q '"processes"' alone/result.json
ok "tells nothing of others" $?

if [ -z "$mpirun" ] || ! timeout 60 "$mpirun" -q -n 2 "$batch" info cube.img > out 2> err; then
  ok "several processes # SKIP no launcher starts processes here" 0
  echo "1..$n"
  [ $failed -eq 0 ]; exit
fi
PATH=$(dirname "$mpirun"):$PATH
timeout 60 "$mpirun" -q -n 3 "$batch" run fastica cube.img components=6 -o three --threads 1 --progress > out 2> err
[ $? -eq 0 ] && grep -q '(3 processes; the last is process [012]: [0-9]* %)$' err; ok "progress of all in one line" $?
[ "$(grep -c 'in the mean.*waiting$' out)" -ge 4 ]; ok "a run prints the steps of all" $?
"$python" - <<'PY' > found 2>&1
import csv, json
result = json.load(open('three/result.json'))
rows = list(csv.DictReader(open('three/steps.csv')))
for stage, row in zip(result['stages'], rows):
    of = stage['processes']
    assert of['n'] == 3 and 0 <= of['waiting'] <= 1, stage
    assert 0 <= of['least_ms'] <= of['mean_ms'] <= of['greatest_ms'], stage
    assert of['least_ms'] - 0.01 <= stage['ms'] <= of['greatest_ms'] + 0.01, stage
    assert abs(float(row['Least (ms)']) - of['least_ms']) < 1e-6, row
    assert abs(float(row['Waiting (%)']) - 100 * of['waiting']) < 1e-6, row
assert any(stage['processes']['waiting'] > 0 for stage in result['stages']), result['stages']
PY
ok "result.json and steps.csv have them" $?
cp found err
expect 0 "such a result is read again" info three --json

mkdir tmp; export TMPDIR=$work/tmp
expect 0 "numbers beside each other" compare pca cube.img --processes 1,2,4 --repeats 2 --subset 0,0,200,200
grep -q '1 process (ms) *2 processes (ms) *4 processes (ms)' out && grep -q '^  Speed-up (×) *1.0 ' out \
  && grep -q '^  Efficiency (%) *100.0 ' out && grep -q 'phd-pca-speed-ups' out \
  && grep 'Processes, 1 node (M-PCA)' out | grep -qv '–$'
ok "and beside what was published of processes" $?
[ -z "$(ls tmp)" ]; ok "leave no results behind" $?

# Which of them are bound to processors. Beyond the launcher nothing tells.
mkdir launchers
printf '#!/bin/sh\nprintf "%%s\\n" "$*" >> "%s/launched"\nexec "%s" "$@"\n' "$work" "$mpirun" > launchers/mpirun
chmod +x launchers/mpirun
bindings () { sed 's/.*--bind-to \([^ ]*\) -n \([0-9]*\) .*/\2 \1/' launched | paste -sd , ; }
processors=$(env -u OMP_NUM_THREADS nproc)
bound () { if [ "$1" -le "$processors" ]; then echo "$1 core:overload-allowed"; else echo "$1 none"; fi; }
PATH=$work/launchers:$PATH expect 0 "numbers of one thread" compare pca cube.img --processes 1,2,3 --repeats 1 \
  --no-published
[ "$(bindings)" = "1 none,$(bound 2),$(bound 3)" ]; ok "have a processor each where there are as many" $?
rm launched
PATH=$work/launchers:$PATH expect 0 "of two threads" compare pca cube.img --processes 1,2 --repeats 1 --threads 2 \
  --no-published
[ "$(bindings)" = "1 none,2 none" ]; ok "are bound to none" $?

expect 0 "as JSON" compare pca cube.img --processes 1,2 --repeats 3 --threads 2 --json components=4
"$python" - <<'PY' > found 2>&1
import json
root = json.load(open('out'))
assert root['threads'] == 2 and root['repeats'] == 3 and [run['processes'] for run in root['runs']] == [1, 2], root
one, two = root['runs']
assert one['speed_up'] == 1 and abs(two['speed_up'] - one['total_ms'] / two['total_ms']) < 1e-9, root
assert abs(two['efficiency'] - two['speed_up'] / 2) < 1e-9, root
assert two['fastest_ms'] <= two['total_ms'] <= two['slowest_ms'] and two['total_ms'] < two['whole_ms'], two
assert 'waiting' in two['steps'][0] and 'waiting' not in one['steps'][0], root
tables = {table['id']: table for table in root['published']}
assert 'here' not in tables['phd-pca-speed-ups'], 'speed-ups over two threads are no published ones'
PY
ok "has steps, spread, speed-up and efficiency" $?
cp found err
cat > half.json <<'END'
{ "format": "eigenscope-cluster", "version": 1, "name": "A slow machine",
  "node": { "threads": 2, "memory_bytes": 8e9,
            "processor": { "float32_per_second": 1e9, "float64_per_second": 1e9, "memory_bytes_per_second": 1e9 } },
  "network": { "latency_seconds": 1e-6, "bytes_per_second": 5e9 } }
END
expect 0 "a plan beside it" compare pca cube.img --processes 1,2 --plan here --no-published
grep -q '^Planned and measured: This machine: ' out && grep -q '1 process, planned (ms) *measured (ms) *off (%)' out
ok "of this machine" $?
expect 0 "the plan of a file" compare fastica cube.img components=4 --processes 1,2 --plan half.json --json
"$python" - <<'PY' > found 2>&1
import json
root = json.load(open('out'))
one, two = root['planned']
assert [one['processes'], two['processes']] == [1, 2], root
for planned, run in zip((one, two), root['runs']):
    assert planned['measured_ms'] == run['total_ms'], (planned, run)
    assert abs(planned['off'] - (planned['planned_ms'] / planned['measured_ms'] - 1)) < 1e-9, planned
steps = {step['name']: step for step in one['steps']}
measured = {step['name']: step['ms'] for step in root['runs'][0]['steps']}
assert steps['covariance']['measured_ms'] == measured['covariance'], steps
# By a third of 0.5 G operations a second of one thread, and a fifth of 0.25 G bytes.
work = 300 * 200 * 60 * 61
planned_ms = steps['covariance']['planned_ms']
assert abs(planned_ms - 1e3 * work / (0.33 * 0.5e9)) < 0.2 * planned_ms, steps
assert one['planned_ms'] > 1.8 * two['planned_ms'], root
assert 'planned_ms' not in steps['input'] and steps['iteration']['planned_ms'] > 0, steps
PY
ok "is held against each step" $?
cp found err
expect 3 "no such cluster" compare pca cube.img --processes 1 --plan none.json; sentence none.json; ok "is named" $?
expect 2 "what cannot be planned" compare localize sea.wav --array line:8,1.5 --processes 1 --plan here
sentence localize; ok "is named before it runs" $?
ES_MPI_MODULE=none "$batch" compare pca cube.img --processes 2 > out 2> err
[ $? -eq 4 ] && sentence "2 processes" joined
ok "a run that fails says why, once" $?
timeout 60 "$mpirun" -q -n 2 "$batch" compare pca cube.img --processes 1,2 > out 2> err; [ $? -eq 2 ] \
  && grep -q 'started alone' err; ok "is not started by a launcher itself" $?

echo "1..$n"
[ $failed -eq 0 ]
