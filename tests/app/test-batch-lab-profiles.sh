#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# eigenscope-batch characterise: profiles beside each other, those that are installed by their names.
# usage: test-batch-lab-profiles.sh EIGENSCOPE-BATCH          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
export ES_CUDA_MODULE=none
. "$(dirname "$0")/batch-test.sh"

expect 0 "two installed profiles, without a path" characterise k20c.json h100.json
grep -q '^1  Tesla K20c, 2013 (published)$' out && grep -q '^2  NVIDIA H100' out; ok "both are named" $?
grep -q '^  latency: float32 divide: 53 clocks; 44' out; ok "figures in clocks, and how many times as much" $?
grep -q '^  to: Page-locked, 268435456 B: 6\.[0-9]* GB/s; 54\.[0-9]* (x 8' out; ok "rates in GB/s, both in one unit" $?
! grep -qE '[0-9]e[+-]?[0-9]|nan|inf' out; ok "no number that nobody reads" $?
cp "$ES_DATA_DIR/profiles/h100.json" k20c.json
expect 0 "a file of that name comes first" characterise k20c.json
grep -q '^1  NVIDIA H100' out; ok "it is the file's" $?
expect 3 "a name that is neither" characterise neither.json
grep -q 'neither.json' err; ok "the name is told" $?
expect 3 "no name leaves the folder of profiles" characterise ../profiles/k20c.json

echo "1..$n"
[ $failed -eq 0 ]
