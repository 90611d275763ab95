#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What processes really tell each other, held against the messages that a plan for a cluster counts with.
# usage: test-messages.sh EIGENSCOPE-BATCH MPIRUN PYTHON MPI-MODULE COUNTER          (TAP)
set -u
counter=$(realpath "$5")
. "$(dirname "$0")/ranks-test.sh"

need_a_launcher
"$batch" simulate cube -o cube.img width=60 height=1000 bands=60 seed=3 > out 2> err || exit 1
"$batch" simulate cube -o float.img width=60 height=1000 bands=60 seed=3 type=float32 > out 2> err || exit 1
"$batch" simulate recording -o sea.wav array=line:16,1.5 rate=2000 seconds=60 > out 2> err || exit 1

cat > compare.py <<'END'
import json, sys
told, plan = json.load(open('told.json')), json.load(open('plan.json'))
planned = sum(step['collective_bytes'] for step in plan['steps_of_one'])
large = {step['name']: step['collective_bytes'] for step in plan['steps_of_one']}
print('told', told, 'planned', planned, large)
# Beside what is planned they agree on files, commands and the end of each pass: a few numbers at a time. Of beams sums
# are brought together by ranges of each group's, which a plan takes for one sum of four times their bytes.
beams = 'beams' in large
assert planned <= told['bytes'] * (2 if beams else 1.001), 'more is planned than told'
assert told['bytes'] <= planned * (2 if beams else 1.12) + 4096, 'more is told than planned'
assert told['collectives'] >= sum(step['collectives'] for step in plan['steps_of_one']), 'too many are planned'
# What is long is told once, not again and again.
collectives = sum(step['collectives'] for step in plan['steps_of_one'])
assert told['large'] <= collectives + 4 * beams, 'long ones are not planned'
END
check() {                      # check N OPERATION FILE ARGUMENTS...
  local processes=$1; shift
  rm -rf out-many
  ES_COUNT_MESSAGES=$work/told.json timeout 60 "$mpirun" -q -x LD_PRELOAD="$counter" -n "$processes" "$batch" run "$@" \
    -o out-many --device cpu --threads 1 --memory 2M -q > out 2> err || { ok "$* by $processes" 1; return; }
  # As many steps as it took, in the mean of its components.
  local steps; steps=$("$python" -c "
import json
steps = json.load(open('out-many/result.json'))['values'].get('steps')
print('--steps %d' % round(sum(steps) / len(steps)) if steps else '')")
  # shellcheck disable=SC2086
  run plan "$@" --cluster sixty-four $steps --json && cp out plan.json && "$python" compare.py > err 2>&1
  ok "$* by $processes processes tells what is planned" $?
}
check 2 pca cube.img components=5
check 3 pca float.img components=5
check 2 mnf cube.img keep=count components=5
check 2 mnf float.img keep=count components=5
check 2 fastica cube.img components=5 moments=never
check 3 fastica float.img components=5 g=tanh approach=deflation
check 2 fastica float.img components=5 g=cubic moments=always
check 2 cbf sea.wav
check 3 mvdr sea.wav snapshots=8 band=300:440

echo "1..$n"
[ $failed -eq 0 ]
