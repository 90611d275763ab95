#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What processes tell each other, held by each of them against what it has to be.
# usage: test-calls.sh EIGENSCOPE-BATCH MPIRUN PYTHON MPI-MODULE RANKS-CALLS          (TAP)
set -u
calls=$(realpath "$5")
. "$(dirname "$0")/ranks-test.sh"
need_a_launcher
sentence nothing.img; ok "a file that is missing is said once" $?

for processes in 1 2 3 5; do
  timeout 60 "$mpirun" -q -n $processes "$calls" $processes > out 2> err; ok "calls of $processes processes" $?
done
"$calls" 1 > out 2> err; ok "calls of a process without a launcher" $?

echo "1..$n"
[ $failed -eq 0 ]
