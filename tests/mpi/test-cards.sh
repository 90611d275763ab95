#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sums that several processes add between their cards by NCCL: the same result with it and without it, and what becomes
# of a run where it is missing, too old, or fails.
# usage: test-cards.sh EIGENSCOPE-BATCH MPIRUN PYTHON MPI-MODULE FAKE-CARDS FAKE-NCCL          (TAP)
set -u
cards=$(realpath "$5"); nccl=$(realpath "$6")
. "$(dirname "$0")/ranks-test.sh"
export ES_CUDA_MODULE=$cards ES_FAKE_DEVICES=4
unset ES_NCCL ES_NCCL_LIBRARY

fastica() {                    # fastica N FOLDER ARGUMENTS...
  local processes=$1 folder=$2; shift 2
  rm -rf "$folder"
  together "$processes" run fastica cube.img -o "$folder" components=5 moments=never approach=symmetric g=tanh \
    --device auto --threads 1 --shares equal "$@"
}
tells() {                      # tells FOLDER PYTHON-EXPRESSION: of `processes` and `warnings` of the result
  "$python" - "$1" "$2" <<'PY' > out
import json, sys
result = json.load(open(sys.argv[1] + '/result.json'))
processes, warnings = result['values']['processes'], ' '.join(result.get('warnings', []))
assert eval(sys.argv[2]), (processes, warnings)
PY
}
alike() {                      # alike FOLDER FOLDER: components to the last digits of float32
  "$python" - "$1" "$2" <<'PY' > out
import array, sys
one, two = (array.array('f', open(folder + '/components.img', 'rb').read()) for folder in sys.argv[1:])
largest = max(abs(value) for value in one if value == value)
assert len(one) == len(two) and largest > 0
assert max(abs(a - b) for a, b in zip(one, two) if a == a or b == b) < 1e-5 * largest
PY
}

need_a_launcher
"$batch" simulate cube -o cube.img width=120 height=200 bands=30 seed=3 > out 2> err || exit 1

# ---- by messages
fastica 1 one; ok "one process" $?
fastica 3 messages; ok "three by messages" $?
tells messages "processes['sums'] == 'MPI' and not warnings"; ok "which the result tells, and nothing else" $?
alike one messages; ok "and the same components" $?
(export ES_NCCL_LIBRARY=/nowhere/libnccl.so; fastica 2 short)
tells short "processes['sums'] == 'MPI' and not warnings"; ok "few sums of few numbers look for no library" $?

# ---- between the cards
export ES_NCCL=always ES_NCCL_LIBRARY=$nccl
export FAKE_NCCL_LOG=$PWD/log
for processes in 2 3 4; do
  rm -f log
  fastica $processes cards-$processes; ok "$processes processes between their cards" $?
  tells cards-$processes "processes['sums'] == 'NCCL 2.27.3' and processes['sums_joined_ms'] > 0 and not warnings"
  ok "which the result of $processes tells" $?
  alike one cards-$processes; ok "and the same components" $?
  # The steps, and the moments in the end.
  [ "$(wc -l < log)" -eq $processes ] && [ "$(sort -u log | wc -l)" -eq 1 ] && [ "$(head -1 log)" -gt 2 ]
  ok "by as many sums in all $processes of them" $?
done
rm -f log
fastica 3 again; cmp cards-3/components.img again/components.img > out; ok "the same bytes once more" $?
rm -f log
fastica 1 alone && [ ! -e log ]; ok "a process by itself adds nothing" $?
(export ES_CUDA_MODULE=none; fastica 2 cpu) && [ ! -e log ] && tells cpu "processes['sums'] == 'MPI'"
ok "processes without cards, neither" $?
rm -f log
fastica 2 rows approach=deflation; tells rows "processes['sums'] == 'NCCL 2.27.3'"; ok "one component at a time" $?
rm -f log
fastica 2 wide components=25 iterations=3; tells wide "processes['sums'] == 'NCCL 2.27.3'"; ok "many components" $?

# ---- numbers of processes beside each other
rm -f log
mkdir tmp
compare() {                    # compare ARGUMENTS...
  (unset ES_NCCL; export PATH=$(dirname "$mpirun"):$PATH TMPDIR=$PWD/tmp
   "$batch" compare pca cube.img --processes 1,2 --devices cuda --repeats 1 "$@" > out 2> err)
}
compare && grep -q 'a card a process' out && grep -q '^  Speed-up (×) *1.0 ' out
ok "a card for each, compared" $?
compare --json && grep -q '"threads" : 0' out && ! grep -q '"here"' out
ok "as JSON, beside nothing that was published" $?
(export ES_CUDA_MODULE=none; compare); [ $? -eq 4 ] && sentence "cuda:0"
ok "without cards: one sentence" $?

# ---- where it cannot be
fallback() {                   # fallback DESCRIPTION WORD SETTING: by messages, with a word of why
  rm -f log
  (export "$3"; fastica 2 without); ok "$1: the run goes on" $?
  tells without "processes['sums'] == 'MPI' and '$2' in warnings and warnings.count('NCCL') >= 1"
  ok "$1: the result tells why" $?
  cmp two/components.img without/components.img > out; ok "$1: with the bytes of messages" $?
}
(unset ES_NCCL; fastica 2 two)
fallback "a library that is missing" "/nowhere/libnccl.so" ES_NCCL_LIBRARY=/nowhere/libnccl.so
fallback "none wanted" "ES_NCCL_LIBRARY" ES_NCCL_LIBRARY=none
fallback "another library" "ncclGetVersion" ES_NCCL_LIBRARY="$ES_MPI_MODULE"
fallback "an old library" "2804" FAKE_NCCL_VERSION=2804
fallback "a process that cannot join" "system error" FAKE_NCCL_FAIL_JOIN=1
fallback "cards without it" "module" ES_FAKE_WITHOUT=sums

# ---- what fails amid it
export FAKE_NCCL_PATIENCE=2
for rank in 0 1; do
  from=$(date +%s)
  (export FAKE_NCCL_FAIL_AT=3 FAKE_NCCL_FAIL_RANK=$rank; fastica 4 broken --device cuda:all); status=$?
  [ $status -eq 4 ] && sentence NCCL "system error" "Process $rank of 4"
  ok "a sum that fails in process $rank ends the run (status $status)" $?
  [ $(($(date +%s) - from)) -lt 15 ] && [ ! -e broken ]; ok "soon, and nothing is left" $?
done
(export FAKE_NCCL_FAIL_AT=3 FAKE_NCCL_FAIL_RANK=1; fastica 3 broken)
ok "where the program chose the cards it goes on" $?
tells broken "processes['sums'] == 'MPI' and 'NCCL' in warnings and 'CPU' in warnings"
ok "by the processors, and says so" $?

echo "1..$n"
[ $failed -eq 0 ]
