#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# test-command-line.sh PROGRAM FAKE_MODULE: what the desktop program answers before it has a window.

set -uo pipefail
program=$1
export ES_CUDA_MODULE=$2 ES_FAKE_DEVICES=2 LC_ALL=C.UTF-8 GSETTINGS_BACKEND=memory
scratch=$(mktemp -d)
# A child that is killed before it has become the program runs this as well.
trap '[ "$BASHPID" -ne $$ ] || rm -rf "$scratch"' EXIT
export XDG_RUNTIME_DIR=$scratch XDG_STATE_HOME=$scratch
number=0 failed=0

# refuses DEVICE EXPECTED: exit status 2 and one line on stderr that contains EXPECTED.
refuses() {
  local said status
  said=$("$program" --device "$1" 2>&1 >/dev/null)
  status=$?
  number=$((number + 1))
  if [[ $status == 2 && $(wc -l <<< "$said") == 1 && $said == *"$2"* ]]; then
    echo "ok $number - --device $1"
  else
    echo "not ok $number - --device $1: exit status $status, “$said”"
    failed=1
  fi
}

# refuses_array ARRAY STATUS EXPECTED: as above.
refuses_array() {
  local said status
  said=$("$program" --array "$1" 2>&1 >/dev/null)
  status=$?
  number=$((number + 1))
  if [[ $status == "$2" && $(wc -l <<< "$said") == 1 && $said == *"$3"* ]]; then
    echo "ok $number - --array $1"
  else
    echo "not ok $number - --array $1: exit status $status, “$said”"
    failed=1
  fi
}

refuses cuda:7 'There is no device “cuda:7”; there are cuda:0, cuda:1, cuda:all, cpu.'
refuses gpu 'There is no device “gpu”'
refuses '' 'There is no device “”'
ES_CUDA_MODULE=none refuses cuda:0 'there is cpu only. GPUs are turned off'
refuses_array line:none 3 'line:'
refuses_array "$scratch/no-such.csv" 3 'no-such.csv'

# shows_first NAME STATUS ARGUMENT...: the window is drawn while GPUs, whose libraries take two seconds to be loaded and
# which then take two to be found, are looked for; after that it ends with STATUS, by itself where that is not 0.
shows_first() {
  local name=$1 expected=$2 status frame devices i
  shift 2
  rm -f "$scratch/stamps"
  ES_TRACE_START=$scratch/stamps ES_FAKE_LOAD_US=2000000 ES_FAKE_SEARCH_US=2000000 \
    timeout -k 20 60 "$program" "$@" > "$scratch/said" 2>&1 &
  pid=$!
  for ((i = 0; i < 300; i++)); do
    grep -q '^devices ' "$scratch/stamps" 2>/dev/null && break
    sleep 0.1
  done
  [[ $expected != 0 ]] || { child=$(pgrep -P "$pid") && kill -TERM "$child"; }
  wait "$pid"
  status=$?
  frame=$(awk '$1 == "frame" { print $2; exit }' "$scratch/stamps")
  devices=$(awk '$1 == "devices" { print $2; exit }' "$scratch/stamps")
  number=$((number + 1))
  # A second at least before: the machine may have other things to do.
  if [[ $status == "$expected" && -n $frame && -n $devices && $((frame + 1000000)) -lt $devices ]]; then
    echo "ok $number - $name"
  else
    echo "not ok $number - $name: frame at ${frame:-never}, devices at ${devices:-never}, exit status $status"
    failed=1
  fi
}

shows_first 'the window does not wait for GPUs' 0
shows_first 'nor for the one that was named' 0 --device cuda:1
shows_first 'nor where there is no such one' 2 --device cuda:7
number=$((number + 1))
if [[ $(cat "$scratch/said") == *'There is no device “cuda:7”'* ]]; then
  echo "ok $number - and says so"
else
  echo "not ok $number - and says so: $(cat "$scratch/said")"
  failed=1
fi

# Told to end, with a window: it ends by itself, and at once.
timeout -k 20 60 "$program" > "$scratch/said" 2>&1 &
pid=$!
for ((i = 0; i < 300; i++)); do
  child=$(pgrep -P "$pid") && grep -qE '^SigCgt:.*[4567cdef]...$' "/proc/$child/status" && break
  sleep 0.1
done
sleep 0.5
kill -TERM "$child"
wait "$pid"
status=$?
number=$((number + 1))
if [[ $status == 0 ]]; then
  echo "ok $number - told to end"
else
  echo "not ok $number - told to end: $status"
  failed=1
fi
echo "1..$number"
exit "$failed"
