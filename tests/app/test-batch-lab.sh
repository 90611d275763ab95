#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The laboratory without a window: where a profile can be written is known before anything is measured, and cancelling an
# experiment leaves nothing.
# usage: test-batch-lab.sh EIGENSCOPE-BATCH PYTHON LABORATORY          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
python=$2
ES_LAB_MODULE=$(realpath "$3")
export ES_CUDA_MODULE=none ES_LAB_MODULE
. "$(dirname "$0")/batch-test.sh"
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

echo "1..$n"
[ $failed -eq 0 ]
