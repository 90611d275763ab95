#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Signals: the first one cancels with status 5 and leaves nothing half done, the second one ends the program at once.
# usage: test-batch-signals.sh EIGENSCOPE-BATCH FAKE-DEVICE-MODULE          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
cards=$(realpath "$2")
export ES_CUDA_MODULE=none
. "$(dirname "$0")/batch-test.sh"
# A child that is killed before it has become the program is still this script.
start() {
  "$batch" "$@" > out 2> err & pid=$!
  while [ -e /proc/$pid/exe ] && ! [ /proc/$pid/exe -ef "$batch" ]; do :; done
}
finish() { wait "$pid" 2> /dev/null; got=$?; }
now() { date +%s%3N; }
# Waits until a file is there, or the program has ended.
await() { until [ -e "$1" ] || ! kill -0 $pid 2> /dev/null; do sleep 0.01; done; }
# Whether it ended with 5 within so many ms of `from`.
ended_within() {
  finish
  local took=$(($(now) - from))
  echo "# status $got after $took ms"
  [ $got -eq 5 ] && [ $took -lt "$1" ]
}

# ---- amid one long call of a library, which is left behind, and whose library is not taken down under it
"$batch" simulate cube -o wide.img width=60 height=40 bands=2500 no-data=0 > out 2> err || exit 1
for delay in 0.7 1.2; do
  start run pca wide.img -o wide; sleep $delay
  from=$(now); kill -TERM $pid
  ended_within 5000; ok "amid an eigenproblem ($delay s)" $?
  [ ! -e wide ]; ok "nothing stays behind" $?
done

# ---- the second signal, while a driver does not answer
export ES_CUDA_MODULE=$cards ES_FAKE_DELAY_US=60000000
for signal in INT TERM; do
  start run pca wide.img -o stuck --device cuda:0; await stuck; sleep 0.3
  kill -$signal $pid; sleep 0.3
  kill -0 $pid; ok "one $signal waits for a driver" $?
  from=$(now); kill -$signal $pid
  ended_within 5000; ok "another $signal does not" $?
  rm -rf stuck
done
export ES_CUDA_MODULE=none
unset ES_FAKE_DELAY_US

# ---- before there is anything to cancel: as whoever has not begun (143: not even begun to listen)
status=0
for delay in 0 0.002 0.004 0.008 0.012 0.02; do
  start run pca wide.img -o early eigensolver=jacobi; sleep $delay; kill -TERM $pid 2> /dev/null; finish
  { [ $got -eq 5 ] || [ $got -eq 143 ]; } && [ ! -e early ] || status=1
done
ok "just begun: nothing stays behind" $status

# ---- while it is saved: the old files or the new ones, never some of both
"$batch" simulate cube -o scene.img width=200 height=150 bands=40 no-data=0 > out 2> err || exit 1
sums() { (cd "$1" && sha256sum components.tif eigenvalues.csv loadings.csv mean.csv 2> /dev/null); }
save() { run_options=(run pca scene.img --format geotiff threshold=1 -q scaling="$1" -o "$2"); }
save covariance a; "$batch" "${run_options[@]}" > out 2> err || exit 1
save correlation b; "$batch" "${run_options[@]}" > out 2> err || exit 1
first=$(sums a) second=$(sums b)
[ "$first" != "$second" ]; ok "two results differ" $?
begin=$(now); save covariance a; "$batch" "${run_options[@]}" > out 2> err; took=$(($(now) - begin))
cp -r a set
status=0
RANDOM=7
for i in 1 2 3 4 5 6 7 8; do
  if [ $((i % 2)) -eq 0 ]; then save covariance set; else save correlation set; fi
  start "${run_options[@]}"; sleep "$(awk "BEGIN { print $took / 1000 * (0.2 + 0.8 * $RANDOM / 32768) }")"
  kill -INT $pid 2> /dev/null; finish
  here=$(sums set)
  { [ $got -eq 5 ] || [ $got -eq 0 ]; } && { [ "$here" = "$first" ] || [ "$here" = "$second" ]; } \
    && [ -s set/result.json ] && [ -z "$(find set -name '.*' -type f)" ] \
    || { echo "# status $got"; find set; status=1; }
done
ok "while it is saved: one set or the other" $status

# ---- once the new files are there: done is done
status=0
for signal in INT TERM HUP INT TERM; do
  rm -rf late
  save covariance late; start "${run_options[@]}"; await late/result.json
  kill -$signal $pid 2> /dev/null; finish
  { [ $got -eq 0 ] && [ "$(sums late)" = "$first" ] && [ -z "$(find late -name '.*' -type f)" ]; } \
    || { echo "# status $got"; find late; status=1; }
done
ok "after it has been saved: status 0, and all of it" $status

echo "1..$n"
[ $failed -eq 0 ]
