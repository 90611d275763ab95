#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Lists of files that are stopped and gone on with: what is done stays as it is, the file under way goes on from its
# checkpoint, and the rest follows.
# usage: test-batch-queue.sh EIGENSCOPE-BATCH PYTHON COMPARE-RESULTS [MPIRUN MPI-MODULE]          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1"); python=$2; compare=$(realpath "$3"); mpirun=${4:-}
[ -n "${5:-}" ] && { ES_MPI_MODULE=$(realpath "$5"); export ES_MPI_MODULE; }
export ES_CUDA_MODULE=none OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none
. "$(dirname "$0")/batch-test.sh"

common=(--memory 4M --device cpu --threads 1 -q)
outcomes() {                   # outcomes FOLDER: FILE:OUTCOME:FOLDER a line
  "$python" - "$1" <<'PY'
import json, os, sys
files = json.load(open(sys.argv[1] + '/report.json'))['files']
print('\n'.join(sorted(':'.join((os.path.basename(f['file']), f['outcome'], f.get('folder', ''))) for f in files)))
PY
}
are() {                        # are FOLDER LINE...
  local folder=$1; shift
  outcomes "$folder" > found 2>> err || return 1
  printf '%s\n' "$@" | diff - found >> err
}
stamps() { stat -c '%n %y' "$@" 2>> err; }
hidden() { find "$1" -name '.*' -type f | sed 's|.*/||' | sort; }

mkdir scenes twin
for i in 1:40 2:60 3:600; do
  "$batch" simulate cube -o scenes/${i%:*}.img width=120 height=${i#*:} bands=30 seed=${i%:*} > out 2> err || exit 1
done
rm -f scenes/*_*
cp scenes/3.img twin/1.img; cp scenes/3.hdr twin/1.hdr
head -c 1000 scenes/1.img > scenes/short.img; cp scenes/1.hdr scenes/short.hdr
list=(scenes/1.img scenes/short.img twin/1.img scenes/2.img)
run=(run fastica "${list[@]}" "${common[@]}" components=4 moments=never)
expect 3 "a list that is not stopped" "${run[@]}" -o whole --queue
are whole 1.img:done:1 1.img:done:1-2 2.img:done:2 short.img:failed:short; ok "has all, but for one that is broken" $?
same() { "$python" "$compare" whole/1 "$1/1" >> err && "$python" "$compare" whole/1-2 "$1/1-2" >> err \
         && "$python" "$compare" whole/2 "$1/2" >> err; }

# ---- stopped amid the third, which is the first one that is looked at so often
ES_CHECKPOINT_STOP=12 "$batch" "${run[@]}" -o first --queue > out 2> err; got=$?
[ $got -eq 5 ] && grep -q -- --resume err && [ "$(grep -c . err)" -eq 2 ]
ok "a list that is stopped says how to go on: exit status 5 (was $got)" $?
are first 1.img:done:1 1.img:interrupted:1-2 2.img:waiting: short.img:failed:short; ok "and what is done" $?
[ ! -e first/1-2 ] && [ "$(hidden first)" = $'.1-2.eigenscope-checkpoint\n.queue.journal' ]
ok "nothing that is half done is left, but what to go on from" $?
stamps first/1/* > before
expect 2 "what else is to be computed is told again" run pca "${list[@]}" -o first --resume --queue components=x
expect 3 "another analysis" run pca "${list[@]}" "${common[@]}" -o first --resume --queue
sentence "fastica" || sentence "pca"; ok "is refused" $?
expect 3 "another part of the cubes" "${run[@]}" -o first --resume --queue --subset 0,0,50,50
sentence "queue.journal"; ok "is refused, too" $?
run=(run fastica "${list[@]}" --memory 4M --device cpu --threads 1 components=4 moments=never)
cp -r first away; sed -i 's|\t1-2\t|\t../elsewhere\t|' away/.queue.journal
expect 3 "a journal that leads elsewhere" "${run[@]}" -o away --resume
sentence "queue.journal" && [ ! -e elsewhere ]; ok "is refused, and nothing is written there" $?
cp -r first lost; rm -r lost/1
expect 3 "a result that is there no more" "${run[@]}" -o lost --resume
are lost 1.img:done:1 1.img:done:1-2 2.img:done:2 short.img:failed:short && same lost
ok "is computed again" $?
expect 3 "it goes on" "${run[@]}" -o first --resume
grep -q '^Analysed before: 1 of 4$' out; ok "and says what is done" $?
are first 1.img:done:1 1.img:done:1-2 2.img:done:2 short.img:failed:short && same first
ok "and has the same in the end" $?
stamps first/1/* | cmp -s before -; ok "what was done is as it was" $?
[ -z "$(hidden first)" ]; ok "and nothing hidden is left" $?

# ---- ended by a signal, and killed
start() {
  "$batch" "$@" > out 2> err & pid=$!
  while [ -e /proc/$pid/exe ] && ! [ /proc/$pid/exe -ef "$batch" ]; do :; done
}
long=(run fastica scenes/1.img scenes/3.img scenes/2.img "${common[@]}" components=25 g=gauss moments=never
      tolerance=1e-10 iterations=300)
expect 0 "a longer list" "${long[@]}" -o long
for signal in TERM USR1 INT KILL; do
  for _ in 1 2 3 4 5; do       # a busy machine may look away until the second is done
    rm -rf second; start "${long[@]}" -o second --checkpoint-every 0.0005
    while [ -e /proc/$pid/exe ] && ! [ -e second/.3.eigenscope-checkpoint ]; do sleep 0.01; done
    kill -$signal $pid 2>> err; wait $pid 2> /dev/null; got=$?
    [ -e second/2 ] || break
  done
  [ $got -eq $([ $signal = KILL ] && echo 137 || echo 5) ] && [ ! -e second/2 ] && [ -e second/1/result.json ]
  ok "SIG$signal in the second (was $got)" $?
  stamps second/1/* > before
  "$batch" "${long[@]}" -o second --resume > out 2> err; got=$?
  [ $got -eq 0 ] && stamps second/1/* | cmp -s before - && are second 1.img:done:1 2.img:done:2 3.img:done:3 \
    && [ -z "$(hidden second)" ] && for i in 1 2 3; do "$python" "$compare" long/$i second/$i >> err || break; done
  ok "is gone on with" $?
done

# ---- what failed is tried again; what is new has a name of its own
rm -rf third; cp scenes/short.img kept.img
ES_CHECKPOINT_STOP=12 "$batch" "${run[@]}" -o third -q > out 2> err
cp scenes/1.img scenes/short.img; mkdir other; cp scenes/2.img other/1.img; cp scenes/2.hdr other/1.hdr
touch -r kept.img scenes/short.img
expect 0 "a file that was mended, and one more" run fastica other/1.img "${list[@]}" "${common[@]}" components=4 \
  moments=never -o third --resume --queue
are third 1.img:done:1 1.img:done:1-2 1.img:done:1-3 2.img:done:2 short.img:done:short-2 short.img:failed:short \
  && cmp whole/2/components.img third/1-3/components.img && "$python" "$compare" whole/1 third/1 > err
ok "the others keep theirs" $?
cp kept.img scenes/short.img

# ---- operations without checkpoints
"$batch" simulate recording -o sea.wav seconds=2 > out 2> err; cp sea.wav again.wav
expect 2 "one that cannot be gone on with" run lofar sea.wav -o lofar --resume
expect 0 "a list of such" run lofar sea.wav again.wav -o lofar --queue --resume -q
expect 2 "nor with checkpoints of them" run lofar sea.wav again.wav -o lofar --queue --checkpoint-every 3
expect 2 "a watched folder" run pca --watch scenes -o o --resume; sentence "by itself"; ok "goes on by itself" $?
expect 2 "without a folder" run pca scenes/1.img scenes/2.img --resume

# ---- what there is to warn of
for name in first second; do
  "$batch" simulate matrix -o $name.mtx name=poisson2d:40x40 > out 2>> err || cat out err
done
warnings() { grep -c "^eigenscope-batch: $1Not converged" err; }
expect 0 "files whose solver does not converge" run sparse-solve first.mtx second.mtx -o unsolved --queue -q \
  iterations=3
[ "$(warnings 'first.mtx: ')" -eq 1 ] && [ "$(warnings 'second.mtx: ')" -eq 1 ] && [ "$(grep -c . err)" -eq 2 ]
ok "each warning names its file" $?
cp first.mtx e; cp second.mtx residual
expect 0 "names that any sentence has the letters of" run sparse-solve e residual -o short --queue -q iterations=3
[ "$(warnings 'e: ')" -eq 1 ] && [ "$(warnings 'residual: ')" -eq 1 ]; ok "are said all the same" $?
expect 0 "one of them alone" run sparse-solve first.mtx -o alone -q iterations=3
[ "$(warnings '')" -eq 1 ] && ! grep -q first.mtx err; ok "has no other to be told from" $?

# ---- by several processes
if [ -n "$mpirun" ] && timeout 60 "$mpirun" -q -n 2 "$batch" info scenes/1.img > out 2> err; then
  together() {
    timeout 100 "$mpirun" -q -n "$@" > out 2> all; local status=$?
    grep '^eigenscope-batch: ' all > err
    return $status
  }
  ES_CHECKPOINT_STOP=12 together 2 "$batch" "${run[@]}" -o both --queue; got=$?
  [ $got -eq 5 ] && [ "$(grep -c -- --resume err)" -eq 1 ]; ok "two processes are stopped: exit status 5 (was $got)" $?
  together 3 "$batch" "${run[@]}" -o both --resume --queue; got=$?
  [ $got -eq 3 ] && are both 1.img:done:1 1.img:done:1-2 2.img:done:2 short.img:failed:short && same both \
    && [ -z "$(hidden both)" ]; ok "three go on: exit status 3 (was $got)" $?
fi

echo "1..$n"
[ $failed -eq 0 ]
