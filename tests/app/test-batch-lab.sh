#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The laboratory without a window: where a profile can be written is known before anything is measured, profiles that
# are shown end when they are told to, and cancelling an experiment leaves nothing.
# usage: test-batch-lab.sh EIGENSCOPE-BATCH PYTHON LABORATORY FAKE-DEVICE RECORDED-LABORATORY          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
python=$2
ES_LAB_MODULE=$(realpath "$3")
ES_LAB_CUDA_MODULE=$(realpath "$5")
cards=$(realpath "$4")
export ES_CUDA_MODULE=none ES_LAB_MODULE ES_LAB_CUDA_MODULE
. "$(dirname "$0")/batch-test.sh"
export XDG_DATA_HOME=$work/data
now() { date +%s%3N; }

# ---- where it cannot be written
printf '{"old":1}' > old.json
mkdir folder.json
from=$(now)
expect 3 "into a folder that is not there" characterise cpu -o nowhere/x.json
sentence nowhere; ok "says so" $?
expect 3 "over a folder" characterise cpu -o folder.json
sentence folder.json; ok "says so" $?
expect 2 "no profile's name" characterise cpu -o old.txt
[ $(($(now) - from)) -lt 5000 ]; ok "before it is measured, which takes half a minute and more" $?

# ---- cancelled: the old file is there, and nothing besides
"$batch" characterise cpu -o old.json > out 2> err & pid=$!
sleep 1; kill -TERM $pid; wait $pid
[ $? -eq 5 ] && [ "$(cat old.json)" = '{"old":1}' ] && [ -z "$(find . -name '.*' -type f)" ]
ok "a profile that was not finished is not written" $?
"$batch" run lab-latency cpu -o latency > out 2> err & pid=$!
sleep 1; kill -INT $pid; wait $pid
[ $? -eq 5 ] && [ ! -e latency ]; ok "nor is a result" $?

# ---- what a machine does not have
expect 0 "a choice without a link" run lab-choose cpu -q -o choice arrays=4096:1:0 repeats=1
grep -q 'no plan can be predicted' choice/verdict.txt; ok "tells that nothing is predicted" $?

# ---- an experiment that fails
ES_CUDA_MODULE=$cards ES_RECORDED_LAB=broken "$batch" characterise cuda:0 -q -o broken.json > out 2> err
[ $? -eq 4 ] && sentence Atomic; ok "one that fails is told" $?
grep -q '"lab-latency"' broken.json && grep -q '"lab-link"' broken.json && ! grep -q '"lab-atomics"' broken.json
ok "and what the others found is written" $?

# ---- as many figures as there may be
"$python" - << 'END'
import json
figures = [dict (group='g', name='n%d' % i, value=i, unit='s') for i in range (100000)]
json.dump (dict (format='eigenscope-device-profile', version=1, machine=dict (name='m'),
                 experiments={'lab-launch': dict (figures=figures)}), open ('many.json', 'w'))
END
mkfifo pipe
"$batch" characterise many.json > pipe 2> err & pid=$!
exec 5< pipe
read -r line <&5
kill -TERM $pid; wait $pid; got=$?
exec 5<&-
[ $got -eq 143 ] && [ -n "$line" ]; ok "showing it ends at once (status $got)" $?

echo "1..$n"
[ $failed -eq 0 ]
