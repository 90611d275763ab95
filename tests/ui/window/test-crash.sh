#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# test-crash.sh PROGRAM BATCH: the program itself, killed in the middle of a session; what the next start has of it. On
# a display of its own (run-graphical.sh), whose state and cache folders are its own, too.

set -uo pipefail
program=$1 batch=$2
scratch=$(mktemp -d)
trap '[ "$BASHPID" -ne $$ ] || rm -rf "$scratch"' EXIT
sessions=$XDG_STATE_HOME/eigenscope/sessions results=$XDG_CACHE_HOME/eigenscope/results
number=0 failed=0 pid=

check() {
  number=$((number + 1))
  if [[ $1 == 0 ]]; then
    echo "ok $number - $2"
  else
    echo "not ok $number - $2"
    failed=1
  fi
}

# until SECONDS COMMAND...: whether it holds within that time.
until_holds() {
  local i n=$(($1 * 10))
  shift
  for ((i = 0; i < n; i++)); do
    "$@" && return 0
    sleep 0.1
  done
  return 1
}

has_result() {
  grep -qs '"operation" : "pca"' "$sessions"/*.eigenscope.json && ls "$results"/*/result.json > /dev/null 2>&1
}

# The mark of what is being opened goes once that is written down again.
is_settled() { [[ -e $(echo "$sessions"/*.lock) && -z $(find "$sessions" -name '*.tried') ]] && has_result; }

is_gone() { ! kill -0 "$pid" 2> /dev/null; }

start() {
  "$program" "$@" > "$scratch/said" 2>&1 &
  pid=$!
}

"$batch" simulate cube -o "$scratch/scene.img" width=40 height=30 bands=24 > /dev/null
check $? 'a scene'

start --run pca "$scratch/scene.img"
until_holds 60 has_result
check $? 'the session is saved, and its result kept'
kill -KILL "$pid"
wait "$pid" 2> /dev/null
[[ -e $(echo "$sessions"/*.lock) ]]
check $? 'it was killed in the middle of it'

rm -f "$scratch/said"
before=$(sha256sum < "$(echo "$results"/*/components.img)")
start
touched() { [[ -n $(find "$sessions" -name '*.tried') ]]; }
until_holds 60 touched
check $? 'the next start opens it'
until_holds 60 is_settled
check $? 'and goes on with it'
kill -TERM "$pid"
until_holds 30 is_gone
check $? 'told to end, it ends'
wait "$pid" 2> /dev/null
[[ $(ls "$sessions") == *.eigenscope.json && $(ls "$sessions" | wc -l) == 1 ]]
check $? 'one session is left, and no lock'
[[ $(sha256sum < "$(echo "$results"/*/components.img)") == "$before" ]]
check $? 'the result is the same'
grep -q '"name" : "scene.img"' "$sessions"/*.eigenscope.json && has_result
check $? 'the session has its data and its result'

# Killed while it is being opened: not tried again by itself, and still there.
touch "$(echo "$sessions"/*.eigenscope.json | sed 's/eigenscope.json$/tried/')" \
      "$(echo "$sessions"/*.eigenscope.json | sed 's/eigenscope.json$/lock/')"
start
sleep 3
touched
check $? 'what ended the program is not opened by itself'
kill -TERM "$pid"
until_holds 30 is_gone
wait "$pid" 2> /dev/null
has_result
check $? 'and stays'

# A session of a person's on the command line opens in a session of its own, and is not written to.
rm -f "$sessions"/*.lock "$sessions"/*.tried
cp "$sessions"/*.eigenscope.json "$scratch/mine.eigenscope.json"
sum=$(sha256sum < "$scratch/mine.eigenscope.json")
start "$scratch/mine.eigenscope.json"
has_two() { [[ $(grep -ls '"operation" : "pca"' "$sessions"/*.eigenscope.json | wc -l) == 2 ]]; }
until_holds 60 has_two
check $? 'a session on the command line opens'
kill -TERM "$pid"
until_holds 30 is_gone
wait "$pid" 2> /dev/null
[[ $(sha256sum < "$scratch/mine.eigenscope.json") == "$sum" ]]
check $? 'and stays as it was'
echo "1..$number"
exit "$failed"
