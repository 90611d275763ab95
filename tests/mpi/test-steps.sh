#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Iterations of several processes: one message a step, and processors that round differently.
# usage: test-steps.sh EIGENSCOPE-BATCH MPIRUN PYTHON MPI-MODULE COUNT-MESSAGES          (TAP)
set -u
counting=$(realpath "$5")
. "$(dirname "$0")/ranks-test.sh"


need_a_launcher

"$batch" simulate cube -o cube.img width=120 height=200 bands=30 seed=3 > out 2> err || exit 1
"$python" - <<'PY'
import array, re
samples = array.array('h')
samples.frombytes(open('cube.img', 'rb').read())
open('float.img', 'wb').write(array.array('f', (v * 0.37 for v in samples)).tobytes())
open('float.hdr', 'w').write(re.sub(r'data type *= *\d+', 'data type = 4', open('cube.hdr').read()))
PY
common=(--memory 4M --device cpu --threads 1)

# ---- what a step says that it did is what the first process did, whose time stands beside it
done_by() {                    # done_by OPERATION STEP SHARES: its part of the work of a run by one process
  rm -rf alone together
  run run "$1" cube.img "${common[@]}" -o alone components=4 \
    && launch -n 2 "$batch" run "$1" cube.img "${common[@]}" -o together components=4 --shares "$3" || return
  "$python" - "$2" "$3" <<'PY' 2> err
import json, sys
step, shares = sys.argv[1], [float(share) for share in sys.argv[2].split(',')]
def work(folder):
    stages = json.load(open(folder + '/result.json'))['stages']
    return next(stage['work'] for stage in stages if stage['name'] == step)
one, first = work('alone'), work('together')
for what in ('operations', 'memory_bytes'):
    if one.get(what):
        assert abs(first[what] / one[what] - shares[0] / sum(shares)) < 0.02, (what, first[what], one[what])
assert one['operations'] > 0
PY
}
done_by pca covariance 1,1; ok "half of the products of a covariance" $?
done_by pca covariance 1,3; ok "a quarter, where it has that" $?
done_by pca transform 1,3; ok "a quarter of the projection" $?
done_by mnf noise 1,1; ok "half of the noise" $?

# ---- the steps stand below each other, however long their names, and wide characters count twice
below() {                      # below LANGUAGE: the times of all steps, and of all processes, end in two columns
  LANGUAGE=$1 ES_LOCALE_DIR=$(dirname "$batch")/../po \
    launch -n 2 "$batch" run fastica cube.img "${common[@]}" components=4
  "$python" - <<'PY' 2> err
import re, unicodedata
ends, longest = set(), 0
for line in open('out', encoding='utf-8'):
    found = re.match(r'  (\S.*?) +[0-9.]+(?= ms( |$))', line)
    if found:
        columns = lambda text: sum(2 if unicodedata.east_asian_width(c) in 'WF' else 1 for c in text)
        ends.add(columns(found.group(0)))
        longest = max(longest, columns(found.group(1)))
assert len(ends) == 1 and longest >= 12, (ends, longest)
PY
}
below ''; ok "the steps of a run below each other" $?
below zh_CN; ok "in Chinese" $?

# ---- a step of FastICA is one message
messages() {                   # messages STEPS ARGUMENTS...: sums, broadcasts, gathers of a run of so many steps
  local steps=$1; shift
  rm -rf "counted-$steps"
  launch -x LD_PRELOAD="$counting" -n 2 "$batch" run fastica "$@" "${common[@]}" -o "counted-$steps" -q \
    tolerance=1e-10 iterations="$steps" || return
  sed -n 's/.*messages: \([0-9]*\) sums, \([0-9]*\) broadcasts, \([0-9]*\) gathers.*/\1 \2 \3/p' all
}
for approach in "approach=symmetric moments=never" "approach=deflation g=cubic moments=always"; do
  # shellcheck disable=SC2086
  few=$(messages 3 float.img components=4 $approach) && many=$(messages 7 float.img components=4 $approach)
  "$python" - "$few" "$many" "$approach" <<'PY' > out 2> err
import json, sys
few, many = ([int(word) for word in text.split()] for text in sys.argv[1:3])
# All components take a step together, or each its own.
count = max if 'symmetric' in sys.argv[3] else sum
steps = [count(json.load(open(f'counted-{most}/result.json'))['values']['steps']) for most in (3, 7)]
assert steps[1] > steps[0] and len(few) == 3, (steps, few, many)
assert few[:2] == many[:2] and many[2] - few[2] == steps[1] - steps[0], (steps, few, many)
PY
  ok "fastica, $approach: one message a step ($few; $many)" $?
done

# ---- processors that round differently go on with what the first has come to
"$batch" simulate cube -o wide.img width=60 height=40 bands=110 seed=3 noise=0.01 > out 2> err || exit 1
slow=(run fastica wide.img "${common[@]}" components=90 approach=symmetric iterations=6 moments=never)
(export OPENBLAS_CORETYPE=Prescott; run "${slow[@]}" -o first)
launch -n 1 env OPENBLAS_CORETYPE=Prescott "$batch" "${slow[@]}" -o differ : \
       -n 1 env OPENBLAS_CORETYPE=Nehalem "$batch" "${slow[@]}" -o differ
"$python" "$here/compare-results.py" first differ > out; ok "processors that round differently" $?

echo "1..$n"
[ $failed -eq 0 ]
