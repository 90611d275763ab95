#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What goes wrong with one of several processes, or on its host: all end, with one sentence that tells which and why,
# and nothing is left.
# usage: test-faults.sh EIGENSCOPE-BATCH MPIRUN PYTHON MPI-MODULE FAULTS [EIGENSCOPE]          (TAP)
set -u
faults=$(realpath "$5"); window=${6:+$(realpath "$6")}
. "$(dirname "$0")/ranks-test.sh"
need_a_launcher
cubes 120 200 30
common=(--memory 4M --device cpu --threads 1)

# ---- what one of them was told
pair run pca cube.img -o wrong -- run pca nothing.img -o wrong
[ $? -eq 3 ] && sentence "Process 1 of 2" nothing.img; ok "a file that one process does not see" $?
pair run pca cube.img -o wrong -- run pca byte.img -o wrong
[ $? -eq 3 ] && sentence "identity" "process 1"; ok "files that differ" $?
pair run pca cube.img -o wrong components=3 -- run pca cube.img -o wrong components=4
[ $? -eq 3 ] && sentence "components=3" "components=4"; ok "commands that differ" $?
pair run pca cube.img -o wrong --subset 0,0,40,40 -- run pca cube.img --threads 1 -o wrong --subset=0,0,40,50
[ $? -eq 3 ] && sentence "--subset=0,0,40,40" "--subset=0,0,40,50"; ok "options that differ" $?
pair run pca cube.img -o wrong -- run pca cube.img -o wrong componets=4
[ $? -eq 2 ] && sentence "componets"; ok "a parameter that one process does not know" $?
pair run pca cube.img byte.img -o wrong --queue -- run pca cube.img float.img -o wrong --queue
[ $? -eq 3 ] && sentence "list of files" "process 1"; ok "lists of files that differ" $?
touch file
expect_together 3 "a folder that cannot be made" 3 run pca cube.img -o file/out
sentence file; ok "is said once" $?
[ ! -e wrong ]; ok "nothing of these is left" $?
(export ES_MPI_MODULE=none; together 2 run pca cube.img -o wrong)
[ $? -eq 4 ] && sentence "libeigenscope-mpi.so"; ok "without the module several processes say what is missing" $?
(export ES_MPI_MODULE=none; together 1 run pca cube.img -o single); ok "and one does without it" $?

# ---- another version: the same program with another number
version=$("$batch" --version | cut -d' ' -f2)
LC_ALL=C sed "s/${version//./\\.}/${version%?}~/g" "$batch" > other; chmod +x other
[ "$(./other --version)" = "Eigenscope ${version%?}~" ]; ok "there is another version" $?
timeout 60 "$mpirun" -q -n 1 "$batch" run pca cube.img -o wrong : -n 1 ./other run pca cube.img -o wrong > out 2> all
[ $? -eq 3 ] && grep '^eigenscope-batch: ' all > err && sentence "version" "“$version”" "“${version%?}~”" \
  && [ ! -e wrong ]
ok "which is refused" $?
rm -f other

# ---- a host with something wrong
# faulty STATUS DESCRIPTION "FAULTS..." N ARGUMENTS...: what faults.c knows
faulty() {
  local status=$1 description=$2 wrong=$3 processes=$4; shift 4
  # shellcheck disable=SC2086
  timeout 120 "$mpirun" -q -n "$processes" env LD_PRELOAD="$faults" $wrong "$batch" "$@" > out 2> all; local got=$?
  grep '^eigenscope-batch: ' all > err
  [ $got -eq "$status" ]; ok "$description: exit status $status (was $got)" $?
}
full=$work/full
mkdir full
# clean WORD...: one sentence with these, and nothing in the folder
clean() { sentence "$@" && [ -z "$(ls -A full)" ]; ok "  says so, and leaves nothing" $?; }
run_pca=(run pca cube.img -o full/out "${common[@]}" components=6)
on() { echo "ES_FAULT_RANK=$1 ES_FAULT_FOLDER=$full"; }
space="no space left"

faulty 0 "nothing wrong" "$(on 1)" 3 "${run_pca[@]}"
size=$(stat -c %s full/out/components.img); rm -rf full/out
faulty 3 "a disk that is full" "$(on 0) ES_FAULT_RESERVE=full" 3 "${run_pca[@]}"
clean "Process 0 of 3" components.img "$space"
faulty 3 "a full disk on one host" "$(on 1) ES_FAULT_BYTES=100000" 3 "${run_pca[@]}"
clean "Process 1 of 3" components.img "$space"
faulty 3 "from the first byte on" "$(on 2) ES_FAULT_BYTES=0" 3 "${run_pca[@]}"
clean "Process 2 of 3" components.img "$space"
faulty 3 "where no room can be reserved" "$(on 0) ES_FAULT_RESERVE=never ES_FAULT_BYTES=100000" 3 "${run_pca[@]}"
clean "Process 0 of 3" components.img "$space"
faulty 3 "full when tables are written" "$(on 0) ES_FAULT_BYTES=$((size / 2 + 20))" 2 "${run_pca[@]}" --previews
clean "Process 0 of 2" "$space"
faulty 3 "full when it goes to the disk" "$(on 0) ES_FAULT_SYNC=28" 3 "${run_pca[@]}"
clean "Process 0 of 3" "$space"
faulty 3 "full for FastICA" "$(on 1) ES_FAULT_BYTES=50000" 3 \
  run fastica float.img -o full/out "${common[@]}" components=4
clean "Process 1 of 3" components.img "$space"
faulty 3 "a GeoTIFF" "$(on 1) ES_FAULT_BYTES=50000" 2 "${run_pca[@]}" --format geotiff
clean "Process 1 of 2" "$space"

# Samples that FastICA keeps between its steps.
mkdir cache
keeps=(run fastica float.img "${common[@]}" components=20 g=tanh moments=never)
export XDG_CACHE_HOME=$work/cache
faulty 3 "full for samples that are kept" "ES_FAULT_RANK=1 ES_FAULT_FOLDER=$work/cache ES_FAULT_BYTES=100000" 3 \
  "${keeps[@]}" -o full/out
clean "Process 1 of 3" samples "$space"
[ -z "$(find cache -type f)" ]; ok "  nor in the folder for what passes by" $?

# Checkpoints.
export ES_CHECKPOINT_STOP=3
faulty 5 "full when the checkpoint is written" "$(on 0) ES_FAULT_BYTES=1000" 2 \
  run pca float.img -o full/out "${common[@]}"
unset ES_CHECKPOINT_STOP
clean "nothing of it is kept" "eigenscope-checkpoint" "$space"
mkdir kept
faulty 0 "full for checkpoints on the way" "ES_FAULT_RANK=0 ES_FAULT_FOLDER=$work/kept ES_FAULT_BYTES=1000" 2 \
  run fastica float.img -o full/out "${common[@]}" components=6 g=gauss moments=never tolerance=1e-9 iterations=60 \
  --checkpoint kept --checkpoint-every 0.0001
grep -q "No checkpoint could be written on the way.*$space" err && [ -s full/out/result.json ] && [ -z "$(ls -A kept)" ]
ok "  goes on, and says so" $?
rm -rf full/out

# ---- folders that one process cannot write to
faulty 3 "a folder that one may not write to" "$(on 1) ES_FAULT_OPEN=13" 3 "${run_pca[@]}"
clean "Process 1 of 3" components.img "ermission denied"
faulty 3 "one that is mounted for reading" "$(on 2) ES_FAULT_OPEN=30" 3 "${run_pca[@]}"
clean "Process 2 of 3" components.img "ead-only"
faulty 3 "nor the first" "$(on 0) ES_FAULT_OPEN=30" 2 "${run_pca[@]}"
clean "Process 0 of 2" "ead-only"

# ---- clocks
faulty 4 "a clock that is an hour ahead" "ES_FAULT_RANK=1 ES_FAULT_CLOCK=3600" 3 "${run_pca[@]}"
host=$(hostname)
clean "process 1 on “$host” is 3600 s ahead" "process 0 on “$host”"
faulty 4 "and one that is behind" "ES_FAULT_RANK=2 ES_FAULT_CLOCK=-60" 3 "${run_pca[@]}"
clean "process 2" "60 s behind"
faulty 4 "that of the first one" "ES_FAULT_RANK=0 ES_FAULT_CLOCK=60" 2 "${run_pca[@]}"
clean "process 1" "60 s behind"
faulty 0 "seconds are none" "ES_FAULT_RANK=1 ES_FAULT_CLOCK=3" 2 "${run_pca[@]}"
faulty 0 "nor is what is allowed" "ES_FAULT_RANK=1 ES_FAULT_CLOCK=3600 ES_RANKS_CLOCK=4000" 2 "${run_pca[@]}"
faulty 0 "or not looked at" "ES_FAULT_RANK=1 ES_FAULT_CLOCK=3600 ES_RANKS_CLOCK=0" 2 "${run_pca[@]}"
rm -rf full/out

# ---- one that is gone, or is cancelled
"$batch" simulate cube -o long.img width=240 height=8000 bands=30 seed=3 > out 2> err || exit 1
begin() {                      # an analysis that takes long: pids of its processes in order of age
  rm -rf gone; timeout 60 "$mpirun" -q -n 3 "$batch" run fastica long.img -o gone/here --device cpu --threads 1 \
    g=gauss components=25 moments=never tolerance=1e-10 iterations=10000 > out 2> all & launcher=$!
  pids=()
  for _ in $(seq 300); do
    # All of them are there, and the result has begun to be: its folder is made before anything is read.
    mapfile -t pids < <(pgrep -f "^$batch run fastica long.img -o gone/here" | sort -n)
    [ ${#pids[@]} -eq 3 ] && [ -e gone/here ] && break
    sleep 0.02
  done
  sleep "$1"
}
rank_of() { tr '\0' '\n' < "/proc/$1/environ" | sed -n 's/^OMPI_COMM_WORLD_RANK=//p'; }
pid_of() { local pid; for pid in "${pids[@]}"; do [ "$(rank_of "$pid")" = "$1" ] && echo "$pid"; done; }
# Of a launcher that ends its processes; test-batch-resume.sh is about it. It may end the one that writes, too: what is
# hidden then the next run takes away, as the tests of saving show.
leave_no_checkpoint() {
  rm -f gone/.here.eigenscope-checkpoint gone/..here.eigenscope-checkpoint.part-*; rmdir gone 2> /dev/null
}
ended() {                      # ended STATUS...: the launcher's, within seconds; and nothing is left
  local from; from=$(date +%s%3N)
  wait $launcher; local status=$? took=$(($(date +%s%3N) - from))
  echo "# status $status after $took ms"
  # The launcher may be quicker than they are.
  for _ in $(seq 150); do leave_no_checkpoint; [ -e gone ] || break; sleep 0.02; done
  grep '^eigenscope-batch: ' all > err
  [ ! -e gone ] || find gone -printf '# left: %p\n'
  [[ " $* " == *" $status "* ]] && [ $took -lt 12000 ] && [ ! -e gone ]
}
begin 0.3; kill -KILL "$(pid_of 1)"; ended 137; ok "a process that is killed ends the run, and nothing is left" $?
begin 0.3; kill -KILL "$(pid_of 0)"; ended 137; ok "the first one, too" $?
begin 0.3; kill -INT "$(pid_of 2)"; ended 5; ok "one that is interrupted cancels all" $?
[ "$(wc -l < err)" -eq 1 ]; ok "and it is said once" $?
# (timeout would tell it twice, and then it leaves its processes behind)
begin 0.3; kill -TERM "$(pgrep -P $launcher)"; ended 0 1 5 143; ok "the launcher is ended" $?

# A host that vanishes, or hangs.
export ES_RANKS_SILENCE=3
for rank in 1 0 2; do
  begin 0.3; kill -STOP "$(pid_of $rank)"; ended 4; ok "process $rank is not heard of any more" $?
  sentence "Process $rank on “$host”" "not been heard of"; ok "which is said once" $?
done
unset ES_RANKS_SILENCE

# ---- the window
if [ -n "$window" ]; then
  timeout 60 "$mpirun" -q -n 2 "$window" > out 2> all
  [ $? -eq 2 ] && [ "$(grep -c 'eigenscope-batch run' all)" -eq 1 ]; ok "the window says what to use" $?
fi

echo "1..$n"
[ $failed -eq 0 ]
