#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Shares of several processes: the same bytes whatever they are, those that are measured, and cards of a host.
# usage: test-shares.sh EIGENSCOPE-BATCH MPIRUN PYTHON MPI-MODULE FAKE-CARDS          (TAP)
set -u
cards=$(realpath "$5")
. "$(dirname "$0")/ranks-test.sh"

about() { "$python" -c "import json, sys
found = json.load(open('$1/result.json')); processes = found['values']['processes']; shares = processes['shares']
sys.exit(0 if $2 else '$2: %s, %s' % (shares, found['device']))" >> err 2>&1; }

need_a_launcher

"$batch" simulate cube -o cube.img width=120 height=200 bands=30 seed=3 > out 2> err || exit 1
"$python" - <<'PY'
import array, re
samples = array.array('h')
samples.frombytes(open('cube.img', 'rb').read())
open('float.img', 'wb').write(array.array('f', (v * 0.37 for v in samples)).tobytes())
open('float.hdr', 'w').write(re.sub(r'data type *= *\d+', 'data type = 4', open('cube.hdr').read()))
PY
"$batch" simulate recording -o short.wav array=line:12,1.5 rate=2000 seconds=2 > out 2> err || exit 1

# ---- the same bytes, whoever has how much
common=(--memory 4M --device cpu --threads 1)
unequal() {                    # unequal DESCRIPTION "SHARES..." ARGUMENTS...: by as many processes as there are shares
  local description=$1 all=$2 folders= shares; shift 2
  rm -rf one many-*
  expect 0 "$description" run "$1" "${common[@]}" -o one "${@:2}"
  for shares in $all; do
    local commas=${shares//[^,]/}
    together $((${#commas} + 1)) run "$1" "${common[@]}" -o many-"$shares" --shares "$shares" "${@:2}" \
      || { ok "$description by $shares" 1; return; }
    folders="$folders many-$shares"
  done
  # shellcheck disable=SC2086
  "$python" "$here/compare-results.py" one $folders > out
  ok "$description has the same bytes for shares of $all" $?
}
unequal "pca of 16 bits" "1,3 0,1 5,1,0 1,0,4,1,9" pca cube.img components=6
about many-1,0,4,1,9 'shares == [0.0667, 0, 0.2667, 0.0667, 0.6]'; ok "result.json tells them" $?
unequal "pca of float32" "7,2 1,0,2 0.5,1000,1" pca float.img components=6
unequal "mnf of float32" "1,4 3,1,1" mnf float.img noise=mean-residual keep=coherence
unequal "fastica, all at once" "1,3 0,0,1 1,2,3,4,5" fastica float.img components=4 approach=symmetric g=tanh
unequal "fastica, one after the other" "3,1 1,5,1" fastica cube.img components=3 approach=deflation moments=never
unequal "fastica by moments" "1,9" fastica cube.img components=4 g=cubic moments=always
unequal "localize" "1,3 4,1,0" localize short.wav

# ---- told, measured, or neither
together 2 run pca cube.img "${common[@]}" -o alike
about alike 'shares == [0.5, 0.5]'; ok "processes that are alike have equal shares" $?
together 3 run pca cube.img "${common[@]}" -o measured --shares measured
about measured 'len(shares) == 3 and abs(sum(shares) - 1) < 1e-3 and all(share >= 0 for share in shares)'
ok "and others if they are measured" $?
cmp alike/components.img measured/components.img; ok "with the same bytes" $?
launch -n 1 "$batch" run pca cube.img "${common[@]}" -o threads : \
       -n 1 "$batch" run pca cube.img --memory 4M --device cpu --threads 2 -o threads
cmp alike/components.img threads/components.img; ok "with other threads each there are the same bytes, too" $?
together 2 run pca cube.img -o wrong --shares 1,2,3
[ $? -eq 2 ] && sentence "3 processes" "2 processes"; ok "more shares than processes" $?
together 2 run pca cube.img -o wrong --shares 0,0
[ $? -eq 2 ] && sentence "No process has a share"; ok "no share at all" $?
for wrong in half 1,x 1,-1 1, nan,1; do
  expect 2 "shares of “$wrong”" run pca cube.img -o wrong --shares "$wrong"; sentence "--shares" "$wrong"
  ok "are named" $?
done
launch -n 1 "$batch" run pca cube.img -o wrong --shares 1,2 : -n 1 "$batch" run pca cube.img -o wrong --shares 2,1
[ $? -eq 3 ] && sentence "--shares 1,2" "--shares 2,1"; ok "shares that differ between processes" $?
expect 0 "one process" run pca cube.img "${common[@]}" -o single --shares measured
[ ! -e wrong ]; ok "nothing of these is left" $?

# ---- one that is slow: others want its processor as well
if command -v taskset > /dev/null && taskset -c 1 true 2> /dev/null; then
  burning=()
  for _ in 1 2 3 4 5 6; do taskset -c 0 sh -c 'while :; do :; done' & burning+=($!); done
  launch -n 1 taskset -c 1 "$batch" run pca cube.img "${common[@]}" -o slow --shares measured : \
         -n 1 taskset -c 0 nice -n 5 "$batch" run pca cube.img "${common[@]}" -o slow --shares measured
  kill "${burning[@]}"; wait "${burning[@]}" 2> /dev/null
  about slow 'shares[1] < 0.4'; ok "a slow process has the smaller share" $?
  cmp alike/components.img slow/components.img; ok "of the same bytes" $?
fi

# ---- gone on with by other shares
kept=.stopped.eigenscope-checkpoint
for operation in "pca float.img components=6" "fastica float.img components=4 g=tanh"; do
  # shellcheck disable=SC2086
  run run $operation "${common[@]}" -o whole
  for looks in 3 9; do
    rm -rf stopped $kept
    # shellcheck disable=SC2086
    (export ES_CHECKPOINT_STOP=$looks; together 2 run $operation "${common[@]}" -o stopped --shares 1,3)
    [ $? -eq 5 ] && [ -e $kept ]; ok "$operation stops at look $looks" $?
    # shellcheck disable=SC2086
    together 3 run $operation "${common[@]}" -o stopped --shares 4,0,1 --resume \
      && "$python" "$here/compare-results.py" whole stopped > out
    ok "and is gone on with by three of other shares" $?
  done
  rm -rf whole stopped
done

# ---- cards of a host: several a process, or several processes a card
export ES_CUDA_MODULE=$cards ES_FAKE_DEVICES=4
for operation in "pca cube.img" "mnf cube.img"; do
  # shellcheck disable=SC2086
  run run $operation -o card --device cuda:0 --threads 1
  for processes in 2 3 6; do
    # shellcheck disable=SC2086
    together $processes run $operation -o cards-$processes --device cuda:all --threads 1
    cmp card/components.img cards-$processes/components.img; ok "$operation on 4 cards of $processes processes" $?
  done
  # shellcheck disable=SC2086
  together 2 run $operation -o cards-auto --device auto --threads 1 --shares 1,2
  cmp card/components.img cards-auto/components.img && about cards-auto 'found["device"]["id"] == "cuda:0"'
  ok "$operation on a card of each" $?
  about cards-2 'found["device"]["id"] == "cuda:0,1"' && about cards-3 'found["device"]["id"] == "cuda:0"' \
    && about cards-6 'found["device"]["id"] == "cuda:0"'
  ok "each has cards of its own, as long as there are enough" $?
  # shellcheck disable=SC2086
  launch -n 1 "$batch" run $operation -o told --device cuda:0,1,3 : -n 1 "$batch" run $operation -o told --device cuda:2
  cmp card/components.img told/components.img && about told 'found["device"]["id"] == "cuda:0,1,3"'
  ok "cards that are told, three of one and one of the other process" $?
  rm -rf card* told
done
run run fastica float.img -o card-1 components=4 --device cuda:0
together 2 run fastica float.img -o card-2 components=4 --device cuda:all --shares 3,1
"$python" - <<'PY' > out
import array
one, two = (array.array('f', open(f'card-{i}/components.img', 'rb').read()) for i in (1, 2))
largest = max(abs(value) for value in one if value == value)
assert len(one) == len(two) and largest > 0
assert max(abs(a - b) for a, b in zip(one, two) if a == a or b == b) < 1e-5 * largest
PY
ok "fastica on two cards of each process has components that are alike" $?
expect 4 "a card that is not there" run pca cube.img -o wrong --device cuda:0,7; sentence "cuda:0,7"
ok "is named" $?

echo "1..$n"
[ $failed -eq 0 ]
